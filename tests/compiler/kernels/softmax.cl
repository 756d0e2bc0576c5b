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
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_2 = r * n;
        __global const float *row = x + t_2;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_19 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_19 + j];
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
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            float value = row[i];
            m = m < value ? value : m;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            ;
        /* quern_kernel.cuh:447-458 */
        slots[get_local_id(0)] = m;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_20 = get_local_id(0) + half_;
            if (t_20 < n_1) {
                float value = slots[get_local_id(0)];
                float value_1 = slots[t_20];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result = slots[0];
        for (uint i = 1; i < n_1; i++) {
            float value = slots[i];
            result = result < value ? value : result;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_9 = piece_1 * get_local_id(0);
        ulong p_1 = t_9 < packs ? t_9 : packs;
        ulong t_10 = p_1 + piece_1;
        ulong end_3 = t_10 < packs ? t_10 : packs;
        for (; p_1 < end_3; p_1++) {
            ulong t_21 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_21 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                part_1[j] += exp(v_1[j] - result);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_11 = piece_1 * get_local_id(0);
        ulong t_12 = t_11 < t_5 ? t_11 : t_5;
        ulong t_13 = t_12 + piece_1;
        ulong end_4 = t_13 < t_5 ? t_13 : t_5;
        for (ulong i = done + t_12; i < done + end_4; i++)
            sum += exp(row[i] - result);
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* quern_kernel.cuh:447-457 */
        slots_1[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_2 = get_local_size(0);
        while (n_2 > 8) {
            uint half_ = (n_2 + 1) / 2;
            uint t_22 = get_local_id(0) + half_;
            if (t_22 < n_2)
                slots_1[get_local_id(0)] += slots_1[t_22];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_2 = half_;
        }
        float result_1 = slots_1[0];
        for (uint i = 1; i < n_2; i++)
            result_1 += slots_1[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:78-90 */
        float scale = 1.0f / result_1;
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_14 = piece_1 * get_local_id(0);
        ulong p_2 = t_14 < packs ? t_14 : packs;
        ulong t_15 = p_2 + piece_1;
        ulong end_5 = t_15 < packs ? t_15 : packs;
        for (; p_2 < end_5; p_2++) {
            ulong t_23 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_2[j] = row[t_23 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - result) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_2 + t_23 + j] = v_2[j];
        }
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_16 = piece_1 * get_local_id(0);
        ulong t_17 = t_16 < t_5 ? t_16 : t_5;
        ulong t_18 = t_17 + piece_1;
        ulong end_6 = t_18 < t_5 ? t_18 : t_5;
        for (ulong i = done + t_17; i < done + end_6; i++)
            out[t_2 + i] = exp(row[i] - result) * scale;
    }
}

/* softmax_f16, softmax.cu:110 */
__kernel void softmax_f16(__global struct qk_half *out, __global const struct qk_half *x,
                          uint rows, uint n)
{
    __local float slots[1024];
    __local float slots_1[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_2 = r * n;
        __global const struct qk_half *row = x + t_2;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_19 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_19 + j].bits;
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
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            int t_20 = bits | ((value & 0x8000) << 16);
            m = m < as_float(t_20) ? as_float(t_20) : m;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            ;
        /* quern_kernel.cuh:447-458 */
        slots[get_local_id(0)] = m;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_21 = get_local_id(0) + half_;
            if (t_21 < n_1) {
                float value = slots[get_local_id(0)];
                float value_1 = slots[t_21];
                slots[get_local_id(0)] = value < value_1 ? value_1 : value;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result = slots[0];
        for (uint i = 1; i < n_1; i++) {
            float value = slots[i];
            result = result < value ? value : result;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_9 = piece_1 * get_local_id(0);
        ulong p_1 = t_9 < packs ? t_9 : packs;
        ulong t_10 = p_1 + piece_1;
        ulong end_3 = t_10 < packs ? t_10 : packs;
        for (; p_1 < end_3; p_1++) {
            ulong t_22 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_22 + j].bits;
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
                part_1[j] += exp(v_1[j] - result);
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part_1[j];
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_11 = piece_1 * get_local_id(0);
        ulong t_12 = t_11 < t_5 ? t_11 : t_5;
        ulong t_13 = t_12 + piece_1;
        ulong end_4 = t_13 < t_5 ? t_13 : t_5;
        for (ulong i = done + t_12; i < done + end_4; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            /* softmax.cu:68 */
            sum += exp(as_float(bits | ((value & 0x8000) << 16)) - result);
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* quern_kernel.cuh:447-457 */
        slots_1[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_2 = get_local_size(0);
        while (n_2 > 8) {
            uint half_ = (n_2 + 1) / 2;
            uint t_23 = get_local_id(0) + half_;
            if (t_23 < n_2)
                slots_1[get_local_id(0)] += slots_1[t_23];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_2 = half_;
        }
        float result_1 = slots_1[0];
        for (uint i = 1; i < n_2; i++)
            result_1 += slots_1[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* softmax.cu:78-91 */
        float scale = 1.0f / result_1;
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_14 = piece_1 * get_local_id(0);
        ulong p_2 = t_14 < packs ? t_14 : packs;
        ulong t_15 = p_2 + piece_1;
        ulong end_5 = t_15 < packs ? t_15 : packs;
        for (; p_2 < end_5; p_2++) {
            ulong t_24 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_24 + j].bits;
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
                v_2[j] = exp(v_2[j] - result) * scale;
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
                out[t_2 + t_24 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
            }
        }
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_16 = piece_1 * get_local_id(0);
        ulong t_17 = t_16 < t_5 ? t_16 : t_5;
        ulong t_18 = t_17 + piece_1;
        ulong end_6 = t_18 < t_5 ? t_18 : t_5;
        for (ulong i = done + t_17; i < done + end_6; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint bits_1 = as_int(exp(as_float(bits | ((value & 0x8000) << 16)) - result) * scale);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            uint r_2 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r_2 = magnitude_1 >= 0x47800000 ? special_1 : r_2;
            out[t_2 + i].bits = (ushort)(r_2 | ((bits_1 >> 16) & 0x8000));
        }
    }
}

/* softmax_f32_short, softmax.cu:115 */
__kernel void softmax_f32_short(__global float *out, __global const float *x, uint rows, uint n)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong r = t_1 < rows ? t_1 : rows;
    ulong t_2 = r + piece;
    ulong end = t_2 < rows ? t_2 : rows;
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_3 = r * n;
        __global const float *row = x + t_3;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong p = 0 < packs ? 0 : packs;
        ulong t_4 = p + packs;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_8 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_8 + j];
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
        ulong t_5 = n - done;
        ulong t_6 = 0 < t_5 ? 0 : t_5;
        ulong t_7 = t_6 + t_5;
        ulong end_2 = t_7 < t_5 ? t_7 : t_5;
        ulong i = done + t_6;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            float value = row[i_1];
            m = m < value ? value : m;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            ;
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        for (ulong p_2 = p; p_2 < end_1; p_2++) {
            ulong t_9 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_9 + j];
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
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* softmax.cu:78-90 */
        float scale = 1.0f / sum;
        for (; p < end_1; p++) {
            ulong t_10 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_2[j] = row[t_10 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_2[j] = exp(v_2[j] - m) * scale;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_3 + t_10 + j] = v_2[j];
        }
        for (; i < done + end_2; i++)
            out[t_3 + i] = exp(row[i] - m) * scale;
    }
}

/* softmax_f16_short, softmax.cu:120 */
__kernel void softmax_f16_short(__global struct qk_half *out, __global const struct qk_half *x,
                                uint rows, uint n)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong r = t_1 < rows ? t_1 : rows;
    ulong t_2 = r + piece;
    ulong end = t_2 < rows ? t_2 : rows;
    float part[16];
    float v[16];
    float part_1[16];
    float v_1[16];
    float v_2[16];
    for (; r < end; r++) {
        ulong t_3 = r * n;
        __global const struct qk_half *row = x + t_3;
        ulong packs = (ulong)n / 16;
        /* softmax.cu:24-41 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = -INFINITY;
        ulong p = 0 < packs ? 0 : packs;
        ulong t_4 = p + packs;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_8 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_8 + j].bits;
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
        ulong t_5 = n - done;
        ulong t_6 = 0 < t_5 ? 0 : t_5;
        ulong t_7 = t_6 + t_5;
        ulong end_2 = t_7 < t_5 ? t_7 : t_5;
        ulong i = done + t_6;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            ushort value = row[i_1].bits;
            /* quern_kernel.cuh:124-131 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            int t_9 = bits | ((value & 0x8000) << 16);
            m = m < as_float(t_9) ? as_float(t_9) : m;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            ;
        /* softmax.cu:51-68 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part_1[j] = 0.0f;
        for (ulong p_2 = p; p_2 < end_1; p_2++) {
            ulong t_10 = p_2 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_10 + j].bits;
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
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* softmax.cu:78-91 */
        float scale = 1.0f / sum;
        for (; p < end_1; p++) {
            ulong t_11 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_11 + j].bits;
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
                out[t_3 + t_11 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
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
            out[t_3 + i].bits = (ushort)(r_2 | ((bits_1 >> 16) & 0x8000));
        }
    }
}
