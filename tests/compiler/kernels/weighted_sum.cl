#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* n / d; by 0: all bits one */
ulong qn_div_u64(ulong n, ulong d)
{
    const ulong q = n / (d == 0 ? 1 : d);
    return d == 0 ? (ulong)-1 : q;
}

/* n % d; by 0: all bits one */
ulong qn_rem_u64(ulong n, ulong d)
{
    const ulong r = n % (d == 0 ? 1 : d);
    return d == 0 ? (ulong)-1 : r;
}

/* weighted_sum_f32, weighted_sum.cu:51 */
__kernel void weighted_sum_f32(__global float *restrict out, __global const float *restrict x,
                               __global const float *restrict weight, uint rows, uint experts,
                               uint n)
{
    /* weighted_sum.cu:22-46 */
    bool condition = n % 16 == 0;
    uint packs = condition ? n / 16 : 0;
    ulong t = (ulong)rows * packs;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(i + piece, t);
    float sum[16];
    float v[16];
    for (; i < end; i++) {
        ulong r = i / packs;
        ulong at = i % packs * 16;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum[j] = 0.0f;
        for (uint e = 0; e < experts; e++) {
            ulong t_4 = r * experts + e;
            float w = weight[t_4];
            ulong t_5 = t_4 * n;
            #pragma unroll
            for (int j = 0; j < 16; j++)
                v[j] = x[t_5 + at + j];
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                sum[j] += w * v[j];
        }
        ulong t_3 = r * n;
        #pragma unroll
        for (int j = 0; j < 16; j++)
            out[t_3 + at + j] = sum[j];
    }
    long t_2 = condition ? 0 : (ulong)rows * n;
    piece = (t_2 + (ulong)t_1 - 1) / t_1;
    ulong i_1 = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)t_2);
    ulong end_1 = min(i_1 + piece, (ulong)t_2);
    for (; i_1 < end_1; i_1++) {
        ulong r = qn_div_u64(i_1, (ulong)n);
        ulong at = qn_rem_u64(i_1, (ulong)n);
        float sum_1 = 0.0f;
        for (uint e = 0; e < experts; e++) {
            ulong t_6 = r * experts + e;
            sum_1 += weight[t_6] * x[t_6 * n + at];
        }
        out[i_1] = sum_1;
    }
}

/* weighted_sum_f16, weighted_sum.cu:58 */
__kernel void weighted_sum_f16(__global struct qk_half *restrict out,
                               __global const struct qk_half *restrict x,
                               __global const float *restrict weight, uint rows, uint experts,
                               uint n)
{
    /* weighted_sum.cu:22-46 */
    bool condition = n % 16 == 0;
    uint packs = condition ? n / 16 : 0;
    ulong t = (ulong)rows * packs;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(i + piece, t);
    float sum[16];
    float v[16];
    for (; i < end; i++) {
        ulong r = i / packs;
        ulong at = i % packs * 16;
        #pragma unroll
        for (uint j = 0; j < 16; j++)
            sum[j] = 0.0f;
        for (uint e = 0; e < experts; e++) {
            ulong t_4 = r * experts + e;
            float w = weight[t_4];
            ulong t_5 = t_4 * n;
            #pragma unroll
            for (int j = 0; j < 16; j++) {
                ushort value = x[t_5 + at + j].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                v[j] = as_float(bits | ((value & 0x8000) << 16));
            }
            /* weighted_sum.cu:36-37 */
            #pragma unroll
            for (uint j = 0; j < 16; j++)
                sum[j] += w * v[j];
        }
        ulong t_3 = r * n;
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            uint bits = as_int(sum[j]);
            /* quern_kernel.cuh:146-153 */
            uint magnitude = bits & 0x7fffffff;
            uint odd = (magnitude >> 13) & 1;
            uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
            uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
            uint special = magnitude > 0x7f800000 ? 32256 : 31744;
            small = magnitude < 0x38800000 ? small : normal;
            uint r_1 = magnitude >= 0x47800000 ? special : small;
            out[t_3 + at + j].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
        }
    }
    /* weighted_sum.cu:41-46 */
    long t_2 = condition ? 0 : (ulong)rows * n;
    piece = (t_2 + (ulong)t_1 - 1) / t_1;
    ulong i_1 = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)t_2);
    ulong end_1 = min(i_1 + piece, (ulong)t_2);
    for (; i_1 < end_1; i_1++) {
        ulong r = qn_div_u64(i_1, (ulong)n);
        ulong at = qn_rem_u64(i_1, (ulong)n);
        float sum_1 = 0.0f;
        for (uint e = 0; e < experts; e++) {
            ulong t_6 = r * experts + e;
            ushort value = x[t_6 * n + at].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude_1 = (value & 0x7fff) << 13;
            uint normal_1 = magnitude_1 + 0x38000000;
            uint special_1 = magnitude_1 + 0x70000000;
            float small_1 = as_float(magnitude_1 + 0x38800000) - 6.1035156e-05f;
            special_1 = magnitude_1 >= 0xf800000 ? special_1 : normal_1;
            uint bits_1 = magnitude_1 < 0x800000 ? as_int(small_1) : special_1;
            /* weighted_sum.cu:46 */
            sum_1 += weight[t_6] * as_float(bits_1 | ((value & 0x8000) << 16));
        }
        uint bits = as_int(sum_1);
        /* quern_kernel.cuh:146-153 */
        uint magnitude = bits & 0x7fffffff;
        uint odd = (magnitude >> 13) & 1;
        uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
        uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
        uint special = magnitude > 0x7f800000 ? 32256 : 31744;
        small = magnitude < 0x38800000 ? small : normal;
        uint r_1 = magnitude >= 0x47800000 ? special : small;
        out[i_1].bits = (ushort)(r_1 | ((bits >> 16) & 0x8000));
    }
}
