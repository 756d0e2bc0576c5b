#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* rmsnorm_f32, rmsnorm.cu:79 */
__kernel void rmsnorm_f32(__global float *out, __global const float *x,
                          __global const float *restrict weight, uint rows, uint n, float eps)
{
    __local float slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_2 = r * n;
        __global const float *row = x + t_2;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_15 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_15 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = v[j];
                part[j] += value * value;
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part[j];
        ulong done = packs * 16;
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            float v_2 = row[i];
            sum += v_2 * v_2;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* quern_kernel.cuh:447-457 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_16 = get_local_id(0) + half_;
            if (t_16 < n_1)
                slots[get_local_id(0)] += slots[t_16];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result = slots[0];
        for (uint i = 1; i < n_1; i++)
            result += slots[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* rmsnorm.cu:73-74 */
        float mean = result / (float)n;
        float t_9 = 1.0f / sqrt(mean + eps);
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_10 = piece_1 * get_local_id(0);
        ulong p_1 = t_10 < packs ? t_10 : packs;
        ulong t_11 = p_1 + piece_1;
        ulong end_3 = t_11 < packs ? t_11 : packs;
        /* rmsnorm.cu:52-63 */
        for (; p_1 < end_3; p_1++) {
            ulong t_17 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_17 + j];
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_17 + j + j_1];
            }
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_9 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_2 + t_17 + j] = v_1[j];
        }
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_12 = piece_1 * get_local_id(0);
        ulong t_13 = t_12 < t_5 ? t_12 : t_5;
        ulong t_14 = t_13 + piece_1;
        ulong end_4 = t_14 < t_5 ? t_14 : t_5;
        for (ulong i = done + t_13; i < done + end_4; i++)
            out[t_2 + i] = row[i] * t_9 * weight[i];
    }
}

/* rmsnorm_f16, rmsnorm.cu:86 */
__kernel void rmsnorm_f16(__global struct qk_half *out, __global const struct qk_half *x,
                          __global const float *restrict weight, uint rows, uint n, float eps)
{
    __local float slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong r = t < rows ? t : rows;
    ulong t_1 = r + piece;
    ulong end = t_1 < rows ? t_1 : rows;
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_2 = r * n;
        __global const struct qk_half *row = x + t_2;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < packs ? t_3 : packs;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (; p < end_1; p++) {
            ulong t_15 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_15 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* rmsnorm.cu:29-30 */
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = v[j];
                part[j] += value * value;
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part[j];
        ulong done = packs * 16;
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float v_2 = as_float(bits | ((value & 0x8000) << 16));
            /* rmsnorm.cu:40 */
            sum += v_2 * v_2;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* quern_kernel.cuh:447-457 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_16 = get_local_id(0) + half_;
            if (t_16 < n_1)
                slots[get_local_id(0)] += slots[t_16];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result = slots[0];
        for (uint i = 1; i < n_1; i++)
            result += slots[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* rmsnorm.cu:73-74 */
        float mean = result / (float)n;
        float t_9 = 1.0f / sqrt(mean + eps);
        piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong t_10 = piece_1 * get_local_id(0);
        ulong p_1 = t_10 < packs ? t_10 : packs;
        ulong t_11 = p_1 + piece_1;
        ulong end_3 = t_11 < packs ? t_11 : packs;
        /* rmsnorm.cu:52-64 */
        for (; p_1 < end_3; p_1++) {
            ulong t_17 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_17 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v_1[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_17 + j + j_1];
            }
            /* rmsnorm.cu:57-58 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_9 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                uint bits = as_int(v_1[j]);
                /* quern_kernel.cuh:146-153 */
                uint magnitude = bits & 0x7fffffff;
                uint odd = (magnitude >> 13) & 1;
                uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
                uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
                uint special = magnitude > 0x7f800000 ? 32256 : 31744;
                small = magnitude < 0x38800000 ? small : normal;
                uint r_1 = magnitude >= 0x47800000 ? special : small;
                out[t_2 + t_17 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
            }
        }
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_12 = piece_1 * get_local_id(0);
        ulong t_13 = t_12 < t_5 ? t_12 : t_5;
        ulong t_14 = t_13 + piece_1;
        ulong end_4 = t_14 < t_5 ? t_14 : t_5;
        for (ulong i = done + t_13; i < done + end_4; i++) {
            ushort value = row[i].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            uint bits_1 = as_int(as_float(bits | ((value & 0x8000) << 16)) * t_9 * weight[i]);
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

/* rmsnorm_f32_short, rmsnorm.cu:93 */
__kernel void rmsnorm_f32_short(__global float *out, __global const float *x,
                                __global const float *restrict weight, uint rows, uint n,
                                float eps)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong r = t_1 < rows ? t_1 : rows;
    ulong t_2 = r + piece;
    ulong end = t_2 < rows ? t_2 : rows;
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_3 = r * n;
        __global const float *row = x + t_3;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong p = 0 < packs ? 0 : packs;
        ulong t_4 = p + packs;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_9 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_9 + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = v[j];
                part[j] += value * value;
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part[j];
        ulong done = packs * 16;
        ulong t_5 = n - done;
        ulong t_6 = 0 < t_5 ? 0 : t_5;
        ulong t_7 = t_6 + t_5;
        ulong end_2 = t_7 < t_5 ? t_7 : t_5;
        ulong i = done + t_6;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            float v_2 = row[i_1];
            sum += v_2 * v_2;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* rmsnorm.cu:73-74 */
        float mean = sum / (float)n;
        float t_8 = 1.0f / sqrt(mean + eps);
        /* rmsnorm.cu:52-63 */
        for (; p < end_1; p++) {
            ulong t_10 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_10 + j];
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_10 + j + j_1];
            }
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_8 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_3 + t_10 + j] = v_1[j];
        }
        for (; i < done + end_2; i++)
            out[t_3 + i] = row[i] * t_8 * weight[i];
    }
}

/* rmsnorm_f16_short, rmsnorm.cu:100 */
__kernel void rmsnorm_f16_short(__global struct qk_half *out, __global const struct qk_half *x,
                                __global const float *restrict weight, uint rows, uint n,
                                float eps)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong r = t_1 < rows ? t_1 : rows;
    ulong t_2 = r + piece;
    ulong end = t_2 < rows ? t_2 : rows;
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_3 = r * n;
        __global const struct qk_half *row = x + t_3;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong p = 0 < packs ? 0 : packs;
        ulong t_4 = p + packs;
        ulong end_1 = t_4 < packs ? t_4 : packs;
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_9 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_9 + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* rmsnorm.cu:29-30 */
            #pragma unroll
            for (uint j = 0; j < 16; j++) {
                float value = v[j];
                part[j] += value * value;
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part[j];
        ulong done = packs * 16;
        ulong t_5 = n - done;
        ulong t_6 = 0 < t_5 ? 0 : t_5;
        ulong t_7 = t_6 + t_5;
        ulong end_2 = t_7 < t_5 ? t_7 : t_5;
        ulong i = done + t_6;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            ushort value = row[i_1].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float v_2 = as_float(bits | ((value & 0x8000) << 16));
            /* rmsnorm.cu:40 */
            sum += v_2 * v_2;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            sum += sum;
        /* rmsnorm.cu:73-74 */
        float mean = sum / (float)n;
        float t_8 = 1.0f / sqrt(mean + eps);
        /* rmsnorm.cu:52-64 */
        for (; p < end_1; p++) {
            ulong t_10 = p * 16;
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
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_10 + j + j_1];
            }
            /* rmsnorm.cu:57-58 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_8 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                uint bits = as_int(v_1[j]);
                /* quern_kernel.cuh:146-153 */
                uint magnitude = bits & 0x7fffffff;
                uint odd = (magnitude >> 13) & 1;
                uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
                uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
                uint special = magnitude > 0x7f800000 ? 32256 : 31744;
                small = magnitude < 0x38800000 ? small : normal;
                uint r_1 = magnitude >= 0x47800000 ? special : small;
                out[t_3 + t_10 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
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
            uint bits_1 = as_int(as_float(bits | ((value & 0x8000) << 16)) * t_8 * weight[i]);
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
