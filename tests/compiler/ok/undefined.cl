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

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* run, undefined.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int sum = 0;
    int last = 0;
    for (int k = 0; k < 5; k++) {
        int sum_1 = sum + last;
        last = in[i] * (k + 1);
        sum = k > 0 ? sum_1 : sum;
    }
    int v = 0;
    if (lane < 16)
        v = in[i ^ 1] + 1;
    int got = as_int(qn_get_32_local(lanes, as_uint(v), qn_source_idx(lane & 15, 32)));
    if (i < n)
        out[i] = sum * 100 + got * 3;
}
