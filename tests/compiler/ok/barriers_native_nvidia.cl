#pragma OPENCL FP_CONTRACT ON

/* NVIDIA */
uint qn_ballot_ptx(uint mask, int predicate)
{
    uint r;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

/* NVIDIA */
uint qn_shfl_down_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

/* sums, barriers_native_nvidia.cu:3 */
__kernel void sums(__global float *out, __global const float *in, int n)
{
    __local float part[32];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    float sum = in[i];
    uint here = qn_ballot_ptx(0xffffffffu, 1);
    for (int d = 16; d > 0; d /= 2) {
        float other = as_float(qn_shfl_down_32_ptx(here, as_uint(sum), d, 32));
        float sum_1 = sum + other;
        sum = (uint)get_local_id(0) % 32 + d < (int)popcount(here) ? sum_1 : sum;
    }
    if (get_local_id(0) % 32 == 0)
        part[get_local_id(0) / 32] = sum;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = part[0] + sum;
}
