#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* softmax_f32, softmax.cu:105 */
__kernel void softmax_f32(__global float *out, __global const float *x, uint rows, uint n)
{
    __local float slots[1024];
    __local float slots_1[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t = r * n;
        __global const float *row = x + t;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_2 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_2 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = part[j];
                float value_1 = v[j];
                part[j] = value < value_1 ? value_1 : value;
            }
        }
        float m = -INFINITY;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = part[j];
            m = m < value ? value : m;
        }
        ulong done = packs * 16;
        ulong t_1 = n - done;
        ulong piece_2 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_2 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_2, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            float value = row[i];
            m = m < value ? value : m;
        }
        /* quern_kernel.cuh:468-479 */
        slots[get_local_id(0)] = m;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_3 = get_local_id(0) + half_;
            if (t_3 < n_1) {
                float value = slots[get_local_id(0)];
                float value_1 = slots[t_3];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result_1 = slots[0];
        for (uint i = 1; i < n_1; i++) {
            float value = slots[i];
            result_1 = result_1 < value ? value : result_1;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        ulong p_1 = min(piece_1 * get_local_id(0), packs);
        ulong end_3 = min(p_1 + piece_1, packs);
        for (; p_1 < end_3; p_1++) {
            ulong t_4 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_4 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                part_1[j] += exp(v_1[j] - result_1);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        ulong result_2 = min(piece_2 * get_local_id(0), t_1);
        ulong end_4 = min(result_2 + piece_2, t_1);
        for (ulong i = done + result_2; i < done + end_4; i++)
            sum += exp(row[i] - result_1);
        /* quern_kernel.cuh:468-478 */
        slots_1[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_2 = get_local_size(0);
        while (n_2 > 8) {
            uint half_ = (n_2 + 1) / 2;
            uint t_5 = get_local_id(0) + half_;
            if (t_5 < n_2)
                slots_1[get_local_id(0)] += slots_1[t_5];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_2 = half_;
        }
        float result_3 = slots_1[0];
        for (uint i = 1; i < n_2; i++)
            result_3 += slots_1[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:78-90 */
        float scale = 1.0f / result_3;
        ulong p_2 = min(piece_1 * get_local_id(0), packs);
        ulong end_5 = min(p_2 + piece_1, packs);
        for (; p_2 < end_5; p_2++) {
            ulong t_6 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_2[j] = row[t_6 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - result_1) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t + t_6 + j] = v_2[j];
        }
        ulong result_4 = min(piece_2 * get_local_id(0), t_1);
        ulong end_6 = min(result_4 + piece_2, t_1);
        for (ulong i = done + result_4; i < done + end_6; i++)
            out[t + i] = exp(row[i] - result_1) * scale;
    }
}

/* softmax_f16, softmax.cu:110 */
__kernel void softmax_f16(__global struct qk_half *out, __global const struct qk_half *x,
                          uint rows, uint n)
{
    __local float slots[1024];
    __local float slots_1[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t = r * n;
        __global const struct qk_half *row = x + t;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_2 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_2 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:31-32 */
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = part[j];
                float value_1 = v[j];
                part[j] = value < value_1 ? value_1 : value;
            }
        }
        float m = -INFINITY;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = part[j];
            m = m < value ? value : m;
        }
        ulong done = packs * 16;
        ulong t_1 = n - done;
        ulong piece_2 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_2 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_2, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            int t_3 = bits | ((value & 0x8000) << 16);
            m = m < as_float(t_3) ? as_float(t_3) : m;
        }
        /* quern_kernel.cuh:468-479 */
        slots[get_local_id(0)] = m;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_4 = get_local_id(0) + half_;
            if (t_4 < n_1) {
                float value = slots[get_local_id(0)];
                float value_1 = slots[t_4];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result_1 = slots[0];
        for (uint i = 1; i < n_1; i++) {
            float value = slots[i];
            result_1 = result_1 < value ? value : result_1;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        ulong p_1 = min(piece_1 * get_local_id(0), packs);
        ulong end_3 = min(p_1 + piece_1, packs);
        for (; p_1 < end_3; p_1++) {
            ulong t_5 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_5 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v_1[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:58-59 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                part_1[j] += exp(v_1[j] - result_1);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        ulong result_2 = min(piece_2 * get_local_id(0), t_1);
        ulong end_4 = min(result_2 + piece_2, t_1);
        for (ulong i = done + result_2; i < done + end_4; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            /* softmax.cu:68 */
            sum += exp(as_float(bits | ((value & 0x8000) << 16)) - result_1);
        }
        /* quern_kernel.cuh:468-478 */
        slots_1[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_2 = get_local_size(0);
        while (n_2 > 8) {
            uint half_ = (n_2 + 1) / 2;
            uint t_6 = get_local_id(0) + half_;
            if (t_6 < n_2)
                slots_1[get_local_id(0)] += slots_1[t_6];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_2 = half_;
        }
        float result_3 = slots_1[0];
        for (uint i = 1; i < n_2; i++)
            result_3 += slots_1[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:78-91 */
        float scale = 1.0f / result_3;
        ulong p_2 = min(piece_1 * get_local_id(0), packs);
        ulong end_5 = min(p_2 + piece_1, packs);
        for (; p_2 < end_5; p_2++) {
            ulong t_7 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_7 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v_2[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:84-85 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - result_1) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                uint bits = as_int(v_2[j]);
                /* quern_kernel.cuh:146-153 */
                uint magnitude = bits & 0x7fffffff;
                uint odd = (magnitude >> 13) & 1;
                uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
                uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
                uint special = magnitude > 0x7f800000 ? 32256 : 31744;
                small = magnitude < 0x38800000 ? small : normal;
                uint r_1 = magnitude >= 0x47800000 ? special : small;
                out[t + t_7 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
            }
        }
        ulong result_4 = min(piece_2 * get_local_id(0), t_1);
        ulong end_6 = min(result_4 + piece_2, t_1);
        for (ulong i = done + result_4; i < done + end_6; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint bits_1 = as_int(exp(as_float(bits | ((value & 0x8000) << 16)) - result_1) * scale);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            uint r_2 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r_2 = magnitude_1 >= 0x47800000 ? special_1 : r_2;
            out[t + i].bits = (ushort)(r_2 | ((bits_1 >> 16) & 0x8000));
        }
    }
}

/* softmax_f32_short, softmax.cu:115 */
__kernel void softmax_f32_short(__global float *out, __global const float *x, uint rows, uint n)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong r = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_1 = r * n;
        __global const float *row = x + t_1;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong p = 0 < packs ? 0 : packs;
        ulong end_1 = min(p + packs, packs);
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_4 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_4 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = part[j];
                float value_1 = v[j];
                part[j] = value < value_1 ? value_1 : value;
            }
        }
        float m = -INFINITY;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = part[j];
            m = m < value ? value : m;
        }
        ulong done = packs * 16;
        ulong t_2 = n - done;
        ulong t_3 = 0 < t_2 ? 0 : t_2;
        ulong end_2 = min(t_3 + t_2, t_2);
        ulong i = done + t_3;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            float value = row[i_1];
            m = m < value ? value : m;
        }
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        for (ulong p_2 = p; p_2 < end_1; p_2++) {
            ulong t_5 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_5 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                part_1[j] += exp(v_1[j] - m);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        for (ulong i_2 = i; i_2 < done + end_2; i_2++)
            sum += exp(row[i_2] - m);
        /* softmax.cu:78-90 */
        float scale = 1.0f / sum;
        for (; p < end_1; p++) {
            ulong t_6 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_2[j] = row[t_6 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - m) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_1 + t_6 + j] = v_2[j];
        }
        for (; i < done + end_2; i++)
            out[t_1 + i] = exp(row[i] - m) * scale;
    }
}

/* softmax_f16_short, softmax.cu:120 */
__kernel void softmax_f16_short(__global struct qk_half *out, __global const struct qk_half *x,
                                uint rows, uint n)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong r = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_1 = r * n;
        __global const struct qk_half *row = x + t_1;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong p = 0 < packs ? 0 : packs;
        ulong end_1 = min(p + packs, packs);
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_4 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_4 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:31-32 */
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = part[j];
                float value_1 = v[j];
                part[j] = value < value_1 ? value_1 : value;
            }
        }
        float m = -INFINITY;
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = part[j];
            m = m < value ? value : m;
        }
        ulong done = packs * 16;
        ulong t_2 = n - done;
        ulong t_3 = 0 < t_2 ? 0 : t_2;
        ulong end_2 = min(t_3 + t_2, t_2);
        ulong i = done + t_3;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            ushort value = row[i_1].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            int t_5 = bits | ((value & 0x8000) << 16);
            m = m < as_float(t_5) ? as_float(t_5) : m;
        }
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        for (ulong p_2 = p; p_2 < end_1; p_2++) {
            ulong t_6 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_6 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v_1[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:58-59 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                part_1[j] += exp(v_1[j] - m);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        for (ulong i_2 = i; i_2 < done + end_2; i_2++) {
            ushort value = row[i_2].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            /* softmax.cu:68 */
            sum += exp(as_float(bits | ((value & 0x8000) << 16)) - m);
        }
        /* softmax.cu:78-91 */
        float scale = 1.0f / sum;
        for (; p < end_1; p++) {
            ulong t_7 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_7 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v_2[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* softmax.cu:84-85 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - m) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                uint bits = as_int(v_2[j]);
                /* quern_kernel.cuh:146-153 */
                uint magnitude = bits & 0x7fffffff;
                uint odd = (magnitude >> 13) & 1;
                uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
                uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
                uint special = magnitude > 0x7f800000 ? 32256 : 31744;
                small = magnitude < 0x38800000 ? small : normal;
                uint r_1 = magnitude >= 0x47800000 ? special : small;
                out[t_1 + t_7 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
            }
        }
        for (; i < done + end_2; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint bits_1 = as_int(exp(as_float(bits | ((value & 0x8000) << 16)) - m) * scale);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            uint r_2 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r_2 = magnitude_1 >= 0x47800000 ? special_1 : r_2;
            out[t_1 + i].bits = (ushort)(r_2 | ((bits_1 >> 16) & 0x8000));
        }
    }
}
