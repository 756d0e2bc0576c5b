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

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* __shfl_up_sync reads from `by` lanes below; below the segment, its own value */
uint qn_source_up(int by, int width)
{
    const uint own = qn_linear_id() % 32, below = own & ((uint)width - 1), step = (uint)by & 31;
    return step > below ? own : own - step;
}

/* one bit per lane of the warp; every work-item of the group calls it */
__attribute__((always_inline)) uint qn_ballot_local(__local uint *slots, bool predicate)
{
    const uint id = qn_linear_id();
    __local uint *bits = &slots[id / 32];
    if (id % 32 == 0)
        *bits = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_or(bits, 1u << id % 32);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint result = *bits;
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* how many work-items of the group say yes */
__attribute__((always_inline)) int qn_count_local(__local uint *slots, bool predicate)
{
    if (qn_linear_id() == 0)
        slots[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_inc(&slots[0]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int result = slots[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* run, warps.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int v = in[i];
    int sum = v;
    for (int by = 16; by > 0; by >>= 1) {
        int result_6 = as_int(qn_get_32_local(lanes, as_uint(sum), qn_source_down(by, 32)));
        sum += result_6;
    }
    int sum_1 = as_int(qn_get_32_local(lanes, as_uint(sum), qn_source_idx(0, 32)));
    int result = as_int(qn_get_32_local(lanes, as_uint(v), qn_source_xor(3, 32)));
    int result_1 = as_int(qn_get_32_local(lanes, as_uint(v), qn_source_up(2, 8)));
    int low = result + result_1;
    uint positive = qn_ballot_local(lanes, (v > 0)) & 0xffffffffu;
    int r = sum_1 + low * 3 + (int)popcount(positive & ((1 << lane) - 1u));
    bool taken = get_local_id(0) >= 32;
    float result_5 = as_float(qn_get_32_local(lanes, as_uint((float)v), qn_source_idx((lane + 5)
        & 31, 16)));
    if (taken) {
        float f = result_5;
        r += convert_int_sat(f) * 7;
    }
    int result_2 = (qn_ballot_local(lanes, (v == 5)) & 0xffffffffu) != 0;
    int result_3 = (qn_ballot_local(lanes, !(v > -2000)) & 0xffffffffu) == 0;
    r += result_2 * 1000 + result_3 * 2000;
    int result_4 = qn_count_local(lanes, (v > 100));
    r += result_4;
    if (i < n)
        out[i] = r;
}
