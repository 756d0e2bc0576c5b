#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef int __attribute__((may_alias)) qn_alias_int;

/* NVIDIA */
uint qn_shfl_down_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

/* NVIDIA */
ulong qn_shfl_down_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_down_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_down_32_ptx(mask, (uint)value, lane, width));
}

/* NVIDIA */
uint qn_ballot_ptx(uint mask, int predicate)
{
    uint r;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

/* NVIDIA */
uint qn_shfl_bfly_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* NVIDIA */
uint qn_shfl_idx_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

/* the lowest lane of a mask that is not 0 */
uint qn_lowest(uint mask)
{
    return 31 - clz(mask & (0 - mask));
}

/* over the lanes of the mask (NVIDIA); one instruction from sm_80 on. QN_SM comes from whoever builds this
 * text; without it the other way is taken, which is right on every card */
int qn_reduce_max_i32_ptx(uint mask, int value)
{
    int a = value;
#if QN_SM >= 80
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(a) : "r"(value), "r"(mask));
#else
    uint others = qn_ballot_ptx(mask, 1) & ~(1u << qn_linear_id() % 32);
    for (; others; others &= others - 1) {
        const int b = (int)qn_shfl_idx_32_ptx(mask, (uint)value, (int)qn_lowest(others), 32);
        a = max(a, b);
    }
#endif
    return a;
}

/* NVIDIA */
uint qn_match_any_32_ptx(uint mask, uint value)
{
    uint r;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(value), "r"(mask));
    return r;
}

/* NVIDIA */
int qn_any_ptx(uint mask, int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

/* NVIDIA */
void qn_syncwarp_ptx(uint mask)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}

/* NVIDIA */
ulong qn_shfl_idx_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_idx_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_idx_32_ptx(mask, (uint)value, lane, width));
}

/* run, warps_nvidia.cu:3 */
__kernel void run(__global double *out, __global const double *in,
                  __global const qn_alias_int *keys)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int key = keys[i];
    double sum = in[i];
    for (int by = 16; by > 0; by >>= 1) {
        double result_1 = as_double(qn_shfl_down_64_ptx(0xffffffffu, as_ulong(sum), by, 32));
        sum += result_1;
    }
    uint even = qn_ballot_ptx(0xffffffffu, key % 2 == 0);
    if (((even >> lane) & 1) != 0) {
        int result_2 = as_int(qn_shfl_bfly_32_ptx(even, as_uint(key), 1, 32));
        int result_3 = qn_reduce_max_i32_ptx(even, key);
        key += result_2 + result_3;
        uint result_4 = qn_match_any_32_ptx(even, (uint)key);
        int result_5 = qn_any_ptx(even, key == 7);
        key += (int)popcount(result_4) + result_5;
    }
    qn_syncwarp_ptx(0xffffffffu);
    double result = as_double(qn_shfl_idx_64_ptx(0xffffffffu, as_ulong(sum), 0, 32));
    out[i] = result + (double)key;
}
