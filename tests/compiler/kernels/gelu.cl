#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* gelu_f32, gelu.cu:27 */
__kernel void gelu_f32(__global float *out, __global const float *x, ulong n)
{
    ulong t = n / 16;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(p + piece, t);
    float x_1[16];
    /* quern_kernel.cuh:548-559 */
    for (; p < end; p++) {
        ulong t_3 = p * 16;
        #pragma unroll
        for (int j = 0; j < 16; j++)
            x_1[j] = x[t_3 + j];
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = x_1[j];
            float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
            x_1[j] = value / (1.0f + exp(-two_u));
        }
        #pragma unroll
        for (int j = 0; j < 16; j++)
            out[t_3 + j] = x_1[j];
    }
    ulong done = t * 16;
    ulong t_2 = n - done;
    piece = (t_2 + t_1 - 1) / t_1;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_2);
    ulong end_1 = min(result + piece, t_2);
    for (ulong i = done + result; i < done + end_1; i++) {
        float value = x[i];
        float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
        out[i] = value / (1.0f + exp(-two_u));
    }
}

/* gelu_f16, gelu.cu:32 */
__kernel void gelu_f16(__global struct qk_half *out, __global const struct qk_half *x, ulong n)
{
    ulong t = n / 16;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(p + piece, t);
    float x_1[16];
    /* quern_kernel.cuh:548-559 */
    for (; p < end; p++) {
        ulong t_3 = p * 16;
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            ushort value = x[t_3 + j].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            x_1[j] = as_float(bits | ((value & 0x8000) << 16));
        }
        /* quern_kernel.cuh:552-553 */
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = x_1[j];
            float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
            x_1[j] = value / (1.0f + exp(-two_u));
        }
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            uint bits = as_int(x_1[j]);
            /* quern_kernel.cuh:146-153 */
            uint magnitude = bits & 0x7fffffff;
            uint odd = (magnitude >> 13) & 1;
            uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
            uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
            uint special = magnitude > 0x7f800000 ? 32256 : 31744;
            small = magnitude < 0x38800000 ? small : normal;
            uint r = magnitude >= 0x47800000 ? special : small;
            out[t_3 + j].bits = (ushort)(r | ((bits >> 16) & 0x8000));
        }
    }
    /* quern_kernel.cuh:556-559 */
    ulong done = t * 16;
    ulong t_2 = n - done;
    piece = (t_2 + t_1 - 1) / t_1;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_2);
    ulong end_1 = min(result + piece, t_2);
    for (ulong i = done + result; i < done + end_1; i++) {
        ushort value = x[i].bits;
        /* quern_kernel.cuh:124-131 */
        uint magnitude = (value & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        int t_4 = bits | ((value & 0x8000) << 16);
        float two_u = 1.5957692f * (as_float(t_4) + 0.044715f * as_float(t_4) * as_float(t_4)
            * as_float(t_4));
        uint bits_1 = as_int(as_float(t_4) / (1.0f + exp(-two_u)));
        /* quern_kernel.cuh:146-153 */
        uint magnitude_1 = bits_1 & 0x7fffffff;
        uint odd = (magnitude_1 >> 13) & 1;
        uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
        uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
        uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
        uint r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
        r = magnitude_1 >= 0x47800000 ? special_1 : r;
        out[i].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
    }
}

/* gelu_mul_f32, gelu.cu:44 */
__kernel void gelu_mul_f32(__global float *out, __global const float *gate,
                           __global const float *up, ulong n)
{
    ulong t = n / 16;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(p + piece, t);
    float x[16];
    float y[16];
    /* quern_kernel.cuh:568-580 */
    for (; p < end; p++) {
        ulong t_3 = p * 16;
        #pragma unroll
        for (int j = 0; j < 16; j++)
            x[j] = gate[t_3 + j];
        #pragma unroll
        for (int j = 0; j < 16; j++)
            y[j] = up[t_3 + j];
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = x[j];
            float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
            x[j] = value / (1.0f + exp(-two_u)) * y[j];
        }
        #pragma unroll
        for (int j = 0; j < 16; j++)
            out[t_3 + j] = x[j];
    }
    ulong done = t * 16;
    ulong t_2 = n - done;
    piece = (t_2 + t_1 - 1) / t_1;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_2);
    ulong end_1 = min(result + piece, t_2);
    for (ulong i = done + result; i < done + end_1; i++) {
        float value = gate[i];
        float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
        out[i] = value / (1.0f + exp(-two_u)) * up[i];
    }
}

/* gelu_mul_f16, gelu.cu:49 */
__kernel void gelu_mul_f16(__global struct qk_half *out, __global const struct qk_half *gate,
                           __global const struct qk_half *up, ulong n)
{
    ulong t = n / 16;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(p + piece, t);
    float x[16];
    float y[16];
    /* quern_kernel.cuh:568-580 */
    for (; p < end; p++) {
        ulong t_3 = p * 16;
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            ushort value = gate[t_3 + j].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            x[j] = as_float(bits | ((value & 0x8000) << 16));
        }
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            ushort value = up[t_3 + j].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            y[j] = as_float(bits | ((value & 0x8000) << 16));
        }
        /* quern_kernel.cuh:573-574 */
        #pragma unroll
        for (uint j = 0; j < 16; j++) {
            float value = x[j];
            float two_u = 1.5957692f * (value + 0.044715f * value * value * value);
            x[j] = value / (1.0f + exp(-two_u)) * y[j];
        }
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            uint bits = as_int(x[j]);
            /* quern_kernel.cuh:146-153 */
            uint magnitude = bits & 0x7fffffff;
            uint odd = (magnitude >> 13) & 1;
            uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
            uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
            uint special = magnitude > 0x7f800000 ? 32256 : 31744;
            small = magnitude < 0x38800000 ? small : normal;
            uint r = magnitude >= 0x47800000 ? special : small;
            out[t_3 + j].bits = (ushort)(r | ((bits >> 16) & 0x8000));
        }
    }
    /* quern_kernel.cuh:577-580 */
    ulong done = t * 16;
    ulong t_2 = n - done;
    piece = (t_2 + t_1 - 1) / t_1;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_2);
    ulong end_1 = min(result + piece, t_2);
    for (ulong i = done + result; i < done + end_1; i++) {
        ushort value = gate[i].bits;
        /* quern_kernel.cuh:124-131 */
        uint magnitude = (value & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        int t_4 = bits | ((value & 0x8000) << 16);
        /* quern_kernel.cuh:580 */
        ushort value_1 = up[i].bits;
        /* quern_kernel.cuh:124-130 */
        magnitude = (value_1 & 0x7fff) << 13;
        normal = magnitude + 0x38000000;
        special = magnitude + 0x70000000;
        small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        bits = magnitude >= 0xf800000 ? special : normal;
        bits = magnitude < 0x800000 ? as_int(small) : bits;
        float two_u = 1.5957692f * (as_float(t_4) + 0.044715f * as_float(t_4) * as_float(t_4)
            * as_float(t_4));
        uint bits_1 = as_int(as_float(t_4) / (1.0f + exp(-two_u)) * as_float(bits | ((value_1
            & 0x8000) << 16)));
        /* quern_kernel.cuh:146-153 */
        uint magnitude_1 = bits_1 & 0x7fffffff;
        uint odd = (magnitude_1 >> 13) & 1;
        uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
        uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
        uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
        uint r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
        r = magnitude_1 >= 0x47800000 ? special_1 : r;
        out[i].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
    }
}
