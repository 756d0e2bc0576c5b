#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

/* the value of another lane of the warp, or one's own where there is no such work-item */
__attribute__((always_inline)) uint qn_get_32_local(__local uint *slots, uint value, uint lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    qn_put_32(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < qn_group_size())
        value = qn_at_32(slots, from);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

/* __shfl_down_sync reads from `by` lanes above; above the segment, its own value */
uint qn_source_down(int by, int width)
{
    const uint own = qn_linear_id() % 32, from = own + ((uint)by & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* run, argmax.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int best = in[i] & 7;
    int at = get_local_id(0) & 31;
    for (int by = 16; by > 0; by /= 2) {
        int other = as_int(qn_get_32_local(lanes, as_uint(best), qn_source_down(by, 32)));
        int place = as_int(qn_get_32_local(lanes, as_uint(at), qn_source_down(by, 32)));
        if (other <= best) {
            if (other != best || place >= at)
                continue;
        }
        at = place;
        best = other;
    }
    if (i < n)
        out[i] = (get_local_id(0) & 31) == 0 ? best * 100 + at : 0;
}
