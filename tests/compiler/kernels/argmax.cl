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
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    long part[16];
    float v[16];
    /* argmax.cu:60-63 */
    for (; r < end; r++) {
        ulong t = r * n;
        ulong packs = (ulong)n / 16;
        /* argmax.cu:36-52 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_2 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = x[t + t_2 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                uint bits = as_int(v[j]);
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                order = bits == 0x80000000u ? 0x80000000u : order;
                order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
                part[j] = max((ulong)part[j], ((ulong)order << 32) | ~(uint)(t_2 + j));
            }
        }
        ulong best = 0;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            ulong value = part[j];
            best = best < value ? value : best;
        }
        ulong done = packs * 16;
        ulong t_1 = n - done;
        piece_1 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_1 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_1, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            uint bits = as_int(x[t + i]);
            uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
            order = bits == 0x80000000u ? 0x80000000u : order;
            order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
            best = max(best, ((ulong)order << 32) | ~(uint)i);
        }
        /* quern_kernel.cuh:468-479 */
        slots[get_local_id(0)] = best;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_3 = get_local_id(0) + half_;
            if (t_3 < n_1) {
                ulong value = slots[get_local_id(0)];
                ulong value_1 = slots[t_3];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        ulong result_1 = slots[0];
        for (uint i = 1; i < n_1; i++) {
            ulong value = slots[i];
            result_1 = result_1 < value ? value : result_1;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* argmax.cu:62-63 */
        if (get_local_id(0) == 0)
            out[r] = ~(uint)result_1;
    }
}

/* argmax_f16, argmax.cu:73 */
__kernel void argmax_f16(__global uint *restrict out, __global const struct qk_half *restrict x,
                         uint rows, uint n)
{
    __local long slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    long part[16];
    float v[16];
    /* argmax.cu:60-63 */
    for (; r < end; r++) {
        ulong t = r * n;
        ulong packs = (ulong)n / 16;
        /* argmax.cu:36-53 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_2 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = x[t + t_2 + j].bits;
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
                uint bits = as_int(v[j]);
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                order = bits == 0x80000000u ? 0x80000000u : order;
                order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
                part[j] = max((ulong)part[j], ((ulong)order << 32) | ~(uint)(t_2 + j));
            }
        }
        ulong best = 0;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            ulong value = part[j];
            best = best < value ? value : best;
        }
        ulong done = packs * 16;
        ulong t_1 = n - done;
        piece_1 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_1 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_1, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            ushort value = x[t + i].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint t_3 = bits | ((value & 0x8000) << 16);
            uint order = t_3 >> 31 != 0 ? ~t_3 : t_3 | 0x80000000u;
            order = t_3 == 0x80000000u ? 0x80000000u : order;
            order = (t_3 & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
            best = max(best, ((ulong)order << 32) | ~(uint)i);
        }
        /* quern_kernel.cuh:468-479 */
        slots[get_local_id(0)] = best;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_4 = get_local_id(0) + half_;
            if (t_4 < n_1) {
                ulong value = slots[get_local_id(0)];
                ulong value_1 = slots[t_4];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        ulong result_1 = slots[0];
        for (uint i = 1; i < n_1; i++) {
            ulong value = slots[i];
            result_1 = result_1 < value ? value : result_1;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* argmax.cu:62-63 */
        if (get_local_id(0) == 0)
            out[r] = ~(uint)result_1;
    }
}

/* choose_f32, argmax.cu:80 */
__kernel void choose_f32(__global uint *restrict out, __global const float *restrict x, uint n)
{
    __local long slots[1024];

    bool active = true;
    if (get_group_id(0) > 0) {
        if (active)
            active = false;
    }
    ulong packs = (ulong)n / 16;
    ulong piece = 0;
    ulong best = 0;
    /* argmax.cu:36-52 */
    if (active) {
        long part[16];
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0;
        piece = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece * get_local_id(0), packs);
        ulong end = min(p + piece, packs);
        float v[16];
        for (; p < end; p++) {
            ulong t_1 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = x[t_1 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                uint bits = as_int(v[j]);
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                order = bits == 0x80000000u ? 0x80000000u : order;
                order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
                part[j] = max((ulong)part[j], ((ulong)order << 32) | ~(uint)(t_1 + j));
            }
        }
        best = 0;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            ulong value = part[j];
            best = best < value ? value : best;
        }
    }
    ulong done = packs * 16;
    ulong t = n - done;
    if (active) {
        piece = (t + get_local_size(0) - 1) / get_local_size(0);
        ulong result_1 = min(piece * get_local_id(0), t);
        ulong end = min(result_1 + piece, t);
        for (ulong i = done + result_1; i < done + end; i++) {
            uint bits = as_int(x[i]);
            uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
            order = bits == 0x80000000u ? 0x80000000u : order;
            order = (bits & 0x7fffffff) > 0x7f800000 ? 0xffffffffu : order;
            best = max(best, ((ulong)order << 32) | ~(uint)i);
        }
        slots[get_local_id(0)] = best;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint n_1 = get_local_size(0);
    /* quern_kernel.cuh:470-479 */
    while (n_1 > 8) {
        uint half_ = (n_1 + 1) / 2;
        uint t_2 = get_local_id(0) + half_;
        if (active) {
            if (t_2 < n_1) {
                ulong value = slots[get_local_id(0)];
                ulong value_1 = slots[t_2];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        n_1 = half_;
    }
    ulong result = 0;
    if (active) {
        result = slots[0];
        for (uint i = 1; i < n_1; i++) {
            ulong value = slots[i];
            result = result < value ? value : result;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    /* argmax.cu:87-90 */
    uint at = ~(uint)result;
    if (active) {
        if (get_local_id(0) == 0) {
            *out = at;
            out[1] = n != 0 ? as_int(x[at]) : 0;
        }
    }
}
