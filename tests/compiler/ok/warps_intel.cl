#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_intel_required_subgroup_size : enable
#pragma OPENCL FP_CONTRACT ON

typedef int __attribute__((may_alias)) qn_alias_int;

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* __shfl_down_sync reads from `by` lanes above; above the segment, its own value */
uint qn_source_down(int by, int width)
{
    const uint own = qn_linear_id() % 32, from = own + ((uint)by & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* the lowest lane of a mask that is not 0 */
uint qn_lowest(uint mask)
{
    return 31 - clz(mask & (0 - mask));
}

/* over the lanes of the mask; other lanes may go by other masks at the same time */
int qn_reduce_max_i32_sub(uint mask, int value)
{
    uint others = sub_group_ballot(1).x & mask & ~(1u << qn_linear_id() % 32);
    int a = value;
    for (; others; others &= others - 1) {
        const int b = sub_group_shuffle(value, qn_lowest(others));
        a = max(a, b);
    }
    return a;
}

/* the lanes of the mask that have the same value */
uint qn_match_any_32_sub(uint mask, uint value)
{
    uint same = 0;
    uint left = sub_group_ballot(1).x & mask;
    for (; left; left &= left - 1)
        if (sub_group_shuffle(value, qn_lowest(left)) == value)
            same |= 1u << qn_lowest(left);
    return same;
}

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* leaves where and what failed for the host, which looks when it syncs; the first one counts */
void qn_fail(__global int *fault, __constant char *file, uint line, __constant char *text)
{
    __global uchar *words = (__global uchar *)&fault[2];
    if (atomic_cmpxchg(&fault[0], 0, 1) != 0)
        return;
    fault[1] = (int)line;
    for (uint k = 0; k < 123 && file[k]; k++)
        words[k] = file[k];
    for (uint k = 0; k < 123 && text[k]; k++)
        words[124 + k] = text[k];
}

/* run, warps_intel.cu:3 */
__attribute__((intel_reqd_sub_group_size(32)))
__kernel void run(__global float *out, __global const float *in, __global const qn_alias_int *keys,
                  __global int *qn_fault_)
{
    if (get_sub_group_local_id() != qn_linear_id() % 32)
        qn_fail(qn_fault_, "warps_intel.cu", 5u, "this driver's subgroups are not 32 work-items in a row here: "
            "use a block of one axis, or the profile opencl3");
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int key = keys[i];
    float sum = in[i];
    for (int by = 16; by > 0; by >>= 1) {
        float result_1 = sub_group_shuffle(sum, qn_source_down(by, 32));
        sum += result_1;
    }
    uint even = sub_group_ballot(key % 2 == 0).x & 0xffffffffu;
    if (((even >> lane) & 1) != 0) {
        int result_2 = sub_group_shuffle(key, qn_source_xor(1, 32));
        int result_3 = qn_reduce_max_i32_sub(even, key);
        key += result_2 + result_3;
        uint result_4 = qn_match_any_32_sub(even, (uint)key);
        int result_5 = (sub_group_ballot(key == 7).x & even) != 0;
        key += (int)popcount(result_4) + result_5;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    float result = sub_group_shuffle(sum, qn_source_idx(0, 32));
    out[i] = result + (float)key;
}
