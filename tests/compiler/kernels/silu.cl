#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* silu_f32, silu.cu:23 */
__kernel void silu_f32(__global float *out, __global const float *x, ulong n)
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
            x_1[j] = value / (1.0f + exp(-value));
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
        out[i] = value / (1.0f + exp(-value));
    }
}

/* silu_f16, silu.cu:28 */
__kernel void silu_f16(__global struct qk_half *out, __global const struct qk_half *x, ulong n)
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
            x_1[j] = value / (1.0f + exp(-value));
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
        uint bits_1 = as_int(as_float(t_4) / (1.0f + exp(-as_float(t_4))));
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
