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
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    for (; r < end; r++) {
        ulong t_2 = r * n;
        /* row_sum.cu:18-33 */
        uint quads = ((ulong)(x + t_2) & 15) == 0 ? n / 4 : 0;
        ulong piece_1 = (quads + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong i = t_3 < quads ? t_3 : quads;
        ulong t_4 = i + piece_1;
        ulong end_1 = t_4 < quads ? t_4 : quads;
        uint d = 0;
        uint c = 0;
        uint b = 0;
        uint a = 0;
        #pragma unroll 4
        for (; i < end_1; i++) {
            a += ((__global const struct qk_u32x4 *)&x[t_2])[i].x;
            b += ((__global const struct qk_u32x4 *)&x[t_2])[i].y;
            c += ((__global const struct qk_u32x4 *)&x[t_2])[i].z;
            d += ((__global const struct qk_u32x4 *)&x[t_2])[i].w;
        }
        uint sum = a + b + c + d;
        uint done = quads * 4;
        uint t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i_1 = done + t_7; i_1 < done + end_2; i_1++)
            sum += x[t_2 + i_1];
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* quern_kernel.cuh:447-457 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_9 = get_local_id(0) + half_;
            if (t_9 < n_1)
                slots[get_local_id(0)] += (uint)slots[t_9];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        uint result = slots[0];
        for (uint i_2 = 1; i_2 < n_1; i_2++)
            result += slots[i_2];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* row_sum.cu:45-46 */
        if (get_local_id(0) == 0)
            out[r] = result;
    }
}
