#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
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

/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

/* the lowest lane of a mask that is not 0 */
uint qn_lowest(uint mask)
{
    return 31 - clz(mask & (0 - mask));
}

/* the lanes of the mask that have the same value */
__attribute__((always_inline)) uint qn_match_any_32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint same = 0;
    uint left = qn_ballot_local(slots, active) & mask;
    qn_put_32(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (; left; left &= left - 1)
        if (qn_at_32(slots, first + qn_lowest(left)) == value)
            same |= 1u << qn_lowest(left);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return same;
}

/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
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

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* run, groups.cu:12 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int shared[64];
    __local uint lanes[1024];

    uint t = get_group_id(0) * get_local_size(0);
    int i = t + get_local_id(0);
    int eight = t + (get_local_id(0) & 0xfffffff8u);
    shared[(int)get_local_id(0)] = in[i];
    uint t_1 = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0);
    int value = in[i];
    uint same = qn_match_any_32_local(lanes, (uint)(255 << (t_1 & 31 & 24)), (uint)(value & 1),
        true);
    uint first = same & -same;
    int t_2 = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0)) & 31;
    uint firsts = qn_ballot_local(lanes, (first == 1 << t_2)) & (uint)(255 << (t_2 & 24));
    bool condition = in[i] > 0;
    qn_ballot_local(lanes, (int)condition) & 0xffffffffu;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int n_labels = 0;
    for (int k = 0; k < 8; k++)
        n_labels |= 1 << (in[eight + k] & 1);
    for (int k = 0; k < 32; k++)
        ;
    for (int k = 0; k < 8; k++)
        ;
    for (int k = 0; k < (int)(get_local_id(0) & 7); k++)
        ;
    int result = shared[(int)(((uint)get_local_id(0) + 1) & 63)];
    int v = in[i];
    for (uint by = 16; by != 0; by /= 2) {
        int result_3 = as_int(qn_get_32_local(lanes, as_uint(v), qn_source_xor((int)by, 32)));
        v += result_3;
    }
    result += v;
    int v_1 = in[i];
    for (uint by = 4; by != 0; by /= 2) {
        int result_4 = as_int(qn_get_32_local(lanes, as_uint(v_1), qn_source_xor((int)by, 8)));
        v_1 = v_1 < result_4 ? result_4 : v_1;
    }
    result += v_1 * 3;
    int v_2 = in[i];
    for (uint by = 1; by < 8; by *= 2) {
        int other = as_int(qn_get_32_local(lanes, as_uint(v_2), qn_source_up((int)by, 8)));
        v_2 = ((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
            + get_local_id(0)) & 7) >= by ? other + v_2 : v_2;
    }
    int scanned = as_int(qn_get_32_local(lanes, as_uint(v_2), qn_source_up(1, 8)));
    uint t_3 = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0);
    scanned = (t_3 & 7) == 0 ? 0 : scanned;
    result += scanned * 5;
    int value_1 = in[i];
    int result_1 = as_int(qn_get_32_local(lanes, as_uint(value_1), qn_source_idx(3, 8)));
    result += result_1 * 7;
    uint t_4 = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0);
    result += (t_4 & 7) * 11;
    result += t_1 / 8 * 13;
    result += (get_local_size(0) * get_local_size(1) * get_local_size(2) + t_4) * 17;
    result += t_4 % 32 / 4 * 19;
    result += 184;
    result += t_1 % 4 / 2 * 29;
    result += (int)popcount(firsts & (first - 1)) * 31;
    result += (int)popcount(firsts) * 37;
    result += condition * 41;
    bool taken = in[i] > 0;
    if (taken) {
        for (int k = 0; k < 32; k++)
            ;
    }
    uint result_2 = qn_ballot_local(lanes, taken);
    if (taken) {
        uint result_5 = result_2;
        int members = (int)popcount(result_5);
        int rank = (int)popcount(result_5 & ((1 << ((uint)((get_local_id(2) * get_local_size(1)
            + get_local_id(1)) * get_local_size(0) + get_local_id(0)) & 31)) - 1u));
        result += members * 100 + rank * 1000;
    }
    if (i < n)
        out[i] = result;
}
