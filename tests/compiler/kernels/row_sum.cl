#pragma OPENCL FP_CONTRACT ON

struct qk_u32x4 {
    uint x;
    uint y;
    uint z;
    uint w;
} __attribute__((aligned(16)));

/* row_sum_u32, row_sum.cu:37 */
__kernel void row_sum_u32(__global uint *restrict out, __global const uint *restrict x, uint rows,
                          uint n)
{
    __local int slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    for (; r < end; r++) {
        ulong t = r * n;
        /* row_sum.cu:18-33 */
        uint quads = ((ulong)(x + t) & 15) == 0 ? n / 4 : 0;
        ulong piece_1 = (quads + get_local_size(0) - 1) / get_local_size(0);
        ulong i = min(piece_1 * get_local_id(0), (ulong)quads);
        ulong end_1 = min(i + piece_1, (ulong)quads);
        uint d = 0;
        uint c = 0;
        uint b = 0;
        uint a = 0;
        #pragma unroll 4
        for (; i < end_1; i++) {
            a += ((__global const struct qk_u32x4 *)&x[t])[i].x;
            b += ((__global const struct qk_u32x4 *)&x[t])[i].y;
            c += ((__global const struct qk_u32x4 *)&x[t])[i].z;
            d += ((__global const struct qk_u32x4 *)&x[t])[i].w;
        }
        uint sum = a + b + c + d;
        uint done = quads * 4;
        uint t_1 = n - done;
        piece_1 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_1 * get_local_id(0), (ulong)t_1);
        ulong end_2 = min(result + piece_1, (ulong)t_1);
        for (ulong i_1 = done + result; i_1 < done + end_2; i_1++)
            sum += x[t + i_1];
        /* quern_kernel.cuh:468-478 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_2 = get_local_id(0) + half_;
            if (t_2 < n_1)
                slots[get_local_id(0)] += (uint)slots[t_2];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        uint result_1 = slots[0];
        for (uint i_2 = 1; i_2 < n_1; i_2++)
            result_1 += slots[i_2];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* row_sum.cu:45-46 */
        if (get_local_id(0) == 0)
            out[r] = result_1;
    }
}
