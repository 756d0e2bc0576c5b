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
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t = r * n;
        __global const float *row = x + t;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_3 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_3 + j];
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
        ulong t_1 = n - done;
        ulong piece_2 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_2 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_2, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            float v_2 = row[i];
            sum += v_2 * v_2;
        }
        /* quern_kernel.cuh:468-478 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_4 = get_local_id(0) + half_;
            if (t_4 < n_1)
                slots[get_local_id(0)] += slots[t_4];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result_1 = slots[0];
        for (uint i = 1; i < n_1; i++)
            result_1 += slots[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* rmsnorm.cu:73-74 */
        float mean = result_1 / (float)n;
        float t_2 = 1.0f / sqrt(mean + eps);
        ulong p_1 = min(piece_1 * get_local_id(0), packs);
        ulong end_3 = min(p_1 + piece_1, packs);
        /* rmsnorm.cu:52-63 */
        for (; p_1 < end_3; p_1++) {
            ulong t_5 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_5 + j];
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_5 + j + j_1];
            }
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_2 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t + t_5 + j] = v_1[j];
        }
        ulong result_2 = min(piece_2 * get_local_id(0), t_1);
        ulong end_4 = min(result_2 + piece_2, t_1);
        for (ulong i = done + result_2; i < done + end_4; i++)
            out[t + i] = row[i] * t_2 * weight[i];
    }
}

/* rmsnorm_f16, rmsnorm.cu:86 */
__kernel void rmsnorm_f16(__global struct qk_half *out, __global const struct qk_half *x,
                          __global const float *restrict weight, uint rows, uint n, float eps)
{
    __local float slots[1024];

    ulong piece = (rows + get_num_groups(0) - 1) / get_num_groups(0);
    ulong r = min(piece * get_group_id(0), (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t = r * n;
        __global const struct qk_half *row = x + t;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong piece_1 = (packs + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), packs);
        ulong end_1 = min(p + piece_1, packs);
        for (; p < end_1; p++) {
            ulong t_3 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = row[t_3 + j].bits;
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
        ulong t_1 = n - done;
        ulong piece_2 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_2 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_2, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
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
        /* quern_kernel.cuh:468-478 */
        slots[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint n_1 = get_local_size(0);
        while (n_1 > 8) {
            uint half_ = (n_1 + 1) / 2;
            uint t_4 = get_local_id(0) + half_;
            if (t_4 < n_1)
                slots[get_local_id(0)] += slots[t_4];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            n_1 = half_;
        }
        float result_1 = slots[0];
        for (uint i = 1; i < n_1; i++)
            result_1 += slots[i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        /* rmsnorm.cu:73-74 */
        float mean = result_1 / (float)n;
        float t_2 = 1.0f / sqrt(mean + eps);
        ulong p_1 = min(piece_1 * get_local_id(0), packs);
        ulong end_3 = min(p_1 + piece_1, packs);
        /* rmsnorm.cu:52-64 */
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
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_5 + j + j_1];
            }
            /* rmsnorm.cu:57-58 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_2 * w[j];
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
                out[t + t_5 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
            }
        }
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
            uint bits_1 = as_int(as_float(bits | ((value & 0x8000) << 16)) * t_2 * weight[i]);
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

/* rmsnorm_f32_short, rmsnorm.cu:93 */
__kernel void rmsnorm_f32_short(__global float *out, __global const float *x,
                                __global const float *restrict weight, uint rows, uint n,
                                float eps)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong r = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_1 = r * n;
        __global const float *row = x + t_1;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong p = 0 < packs ? 0 : packs;
        ulong end_1 = min(p + packs, packs);
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
            ulong t_5 = p_1 * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = row[t_5 + j];
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
        ulong t_2 = n - done;
        ulong t_3 = 0 < t_2 ? 0 : t_2;
        ulong end_2 = min(t_3 + t_2, t_2);
        ulong i = done + t_3;
        for (ulong i_1 = i; i_1 < done + end_2; i_1++) {
            float v_2 = row[i_1];
            sum += v_2 * v_2;
        }
        /* rmsnorm.cu:73-74 */
        float mean = sum / (float)n;
        float t_4 = 1.0f / sqrt(mean + eps);
        /* rmsnorm.cu:52-63 */
        for (; p < end_1; p++) {
            ulong t_6 = p * 16;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v_1[j] = row[t_6 + j];
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_6 + j + j_1];
            }
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_4 * w[j];
            #pragma unroll
            for (int j = 0; j < 16; j++)
                out[t_1 + t_6 + j] = v_1[j];
        }
        for (; i < done + end_2; i++)
            out[t_1 + i] = row[i] * t_4 * weight[i];
    }
}

/* rmsnorm_f16_short, rmsnorm.cu:100 */
__kernel void rmsnorm_f16_short(__global struct qk_half *out, __global const struct qk_half *x,
                                __global const float *restrict weight, uint rows, uint n,
                                float eps)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong r = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(r + piece, (ulong)rows);
    float part[16];
    float v[16];
    float v_1[16];
    float w[16];
    /* rmsnorm.cu:71-74 */
    for (; r < end; r++) {
        ulong t_1 = r * n;
        __global const struct qk_half *row = x + t_1;
        ulong packs = (ulong)n / 16;
        /* rmsnorm.cu:22-40 */
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = 0.0f;
        ulong p = 0 < packs ? 0 : packs;
        ulong end_1 = min(p + packs, packs);
        for (ulong p_1 = p; p_1 < end_1; p_1++) {
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
        ulong t_2 = n - done;
        ulong t_3 = 0 < t_2 ? 0 : t_2;
        ulong end_2 = min(t_3 + t_2, t_2);
        ulong i = done + t_3;
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
        /* rmsnorm.cu:73-74 */
        float mean = sum / (float)n;
        float t_4 = 1.0f / sqrt(mean + eps);
        /* rmsnorm.cu:52-64 */
        for (; p < end_1; p++) {
            ulong t_6 = p * 16;
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
            #pragma unroll
            for (int j = 0; j < 16; j += 16) {
                #pragma unroll
                for (int j_1 = 0; j_1 < 16; j_1++)
                    (w + j)[j_1] = weight[t_6 + j + j_1];
            }
            /* rmsnorm.cu:57-58 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                v_1[j] = v_1[j] * t_4 * w[j];
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
                out[t_1 + t_6 + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
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
            uint bits_1 = as_int(as_float(bits | ((value & 0x8000) << 16)) * t_4 * weight[i]);
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
