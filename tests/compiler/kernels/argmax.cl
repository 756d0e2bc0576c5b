#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* argmax_f32, argmax.cu:67 */
__kernel void argmax_f32(__global uint *restrict out, __global const float *restrict x, uint rows,
                         uint n)
{
    __local long slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    long part[16];
    float v[16];
    /* argmax.cu:60-63 */
    for (; r < end; r++) {
        ulong t_2 = r * n;
        ulong packs = (ulong)n / 16;
        /* argmax.cu:36-52 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_9 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = x[t_2 + t_9 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                ulong value = part[j];
                uint bits = as_int(v[j]);
                /* argmax.cu:21-26 */
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                order = bits == 0x80000000u ? 0x80000000u : order;
                order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
                ulong t_10 = ((ulong)order << 32) | ~(uint)(t_9 + j);
                /* argmax.cu:44 */
                part[j] = value < t_10 ? t_10 : value;
            }
        }
        ulong best = 0;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            ulong value = part[j];
            best = best < value ? value : best;
        }
        ulong done = packs * 16;
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            uint bits = as_int(x[t_2 + i]);
            /* argmax.cu:21-26 */
            uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
            order = bits == 0x80000000u ? 0x80000000u : order;
            order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
            ulong t_11 = ((ulong)order << 32) | ~(uint)i;
            best = best < t_11 ? t_11 : best;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2) {
            uint low = (uint)best;
            uint high = (uint)(best >> 32);
            ulong t_12 = ((ulong)high << 32) | low;
            best = best < t_12 ? t_12 : best;
        }
        /* quern_kernel.cuh:447-458 */
        slots[get_local_id(0)] = best;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_13 = get_local_id(0) + half_;
            if (t_13 < n_1) {
                ulong value = slots[get_local_id(0)];
                ulong value_1 = slots[t_13];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        ulong result = slots[0];
        for (uint i = 1; i < n_1; i++) {
            ulong value = slots[i];
            result = result < value ? value : result;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* argmax.cu:62-63 */
        if (get_local_id(0) == 0)
            out[r] = ~(uint)result;
    }
}

/* argmax_f16, argmax.cu:73 */
__kernel void argmax_f16(__global uint *restrict out, __global const struct qk_half *restrict x,
                         uint rows, uint n)
{
    __local long slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    long part[16];
    float v[16];
    /* argmax.cu:60-63 */
    for (; r < end; r++) {
        ulong t_2 = r * n;
        ulong packs = (ulong)n / 16;
        /* argmax.cu:36-53 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_9 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = x[t_2 + t_9 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* argmax.cu:43-44 */
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                ulong value = part[j];
                uint bits = as_int(v[j]);
                /* argmax.cu:21-26 */
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                order = bits == 0x80000000u ? 0x80000000u : order;
                order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
                ulong t_10 = ((ulong)order << 32) | ~(uint)(t_9 + j);
                /* argmax.cu:44 */
                part[j] = value < t_10 ? t_10 : value;
            }
        }
        ulong best = 0;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            ulong value = part[j];
            best = best < value ? value : best;
        }
        ulong done = packs * 16;
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            ushort value = x[t_2 + i].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint t_11 = bits | ((value & 0x8000) << 16);
            /* argmax.cu:21-26 */
            uint order = t_11 >> 31 != 0 ? ~t_11 : t_11 | 0x80000000u;
            order = t_11 == 0x80000000u ? 0x80000000u : order;
            order = (t_11 & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
            ulong t_12 = ((ulong)order << 32) | ~(uint)i;
            best = best < t_12 ? t_12 : best;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2) {
            uint low = (uint)best;
            uint high = (uint)(best >> 32);
            ulong t_13 = ((ulong)high << 32) | low;
            best = best < t_13 ? t_13 : best;
        }
        /* quern_kernel.cuh:447-458 */
        slots[get_local_id(0)] = best;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_14 = get_local_id(0) + half_;
            if (t_14 < n_1) {
                ulong value = slots[get_local_id(0)];
                ulong value_1 = slots[t_14];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        ulong result = slots[0];
        for (uint i = 1; i < n_1; i++) {
            ulong value = slots[i];
            result = result < value ? value : result;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* argmax.cu:62-63 */
        if (get_local_id(0) == 0)
            out[r] = ~(uint)result;
    }
}
