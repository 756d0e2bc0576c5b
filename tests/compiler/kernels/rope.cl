#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* sine and cosine of an angle that is reduced once */
float2 qn_sincos_f32(float x)
{
    float cosine;
    const float sine = sincos(x, &cosine);
    return (float2)(sine, cosine);
}

/* rope_neox_f32, rope.cu:69 */
__kernel void rope_neox_f32(__global float *out, __global const float *x,
                            __global const int *restrict pos,
                            __global const float *restrict inv_freq, uint tokens, uint heads,
                            uint head_dim, uint n_rot, float factor)
{
    /* rope.cu:46-65 */
    ulong t = (ulong)tokens * heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong head = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(head + piece, t);
    for (; head < end; head++) {
        ulong t_2 = head * head_dim;
        __global const float *from = x + t_2;
        __global float *to = out + t_2;
        float at = (float)pos[head / heads];
        uint t_3 = n_rot / 2;
        ulong t_4 = 0 < (ulong)t_3 ? 0 : (ulong)t_3;
        ulong end_1 = min(t_4 + t_3, (ulong)t_3);
        for (uint k = (uint)t_4; k < end_1; k = (uint)((ulong)k + 1)) {
            float angle = at * inv_freq[k];
            float2 both = qn_sincos_f32(angle);
            float s = both.x * factor;
            float c = both.y * factor;
            uint b = k + t_3;
            float p = from[k];
            float q = from[b];
            to[k] = p * c - q * s;
            to[b] = p * s + q * c;
        }
        uint t_5 = head_dim - n_rot;
        ulong t_6 = 0 < (ulong)t_5 ? 0 : (ulong)t_5;
        ulong end_2 = min(t_6 + t_5, (ulong)t_5);
        for (ulong i = n_rot + t_6; i < n_rot + end_2; i++)
            to[i] = from[i];
    }
}

/* rope_neox_f16, rope.cu:76 */
__kernel void rope_neox_f16(__global struct qk_half *out, __global const struct qk_half *x,
                            __global const int *restrict pos,
                            __global const float *restrict inv_freq, uint tokens, uint heads,
                            uint head_dim, uint n_rot, float factor)
{
    /* rope.cu:46-65 */
    ulong t = (ulong)tokens * heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong head = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(head + piece, t);
    for (; head < end; head++) {
        ulong t_2 = head * head_dim;
        __global const struct qk_half *from = x + t_2;
        __global struct qk_half *to = out + t_2;
        float at = (float)pos[head / heads];
        uint t_3 = n_rot / 2;
        ulong t_4 = 0 < (ulong)t_3 ? 0 : (ulong)t_3;
        ulong end_1 = min(t_4 + t_3, (ulong)t_3);
        for (uint k = (uint)t_4; k < end_1; k = (uint)((ulong)k + 1)) {
            float angle = at * inv_freq[k];
            float2 both = qn_sincos_f32(angle);
            float s = both.x * factor;
            float c = both.y * factor;
            uint b = k + t_3;
            ushort value = from[k].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float p = as_float(bits | ((value & 0x8000) << 16));
            /* rope.cu:59 */
            ushort value_1 = from[b].bits;
            /* quern_kernel.cuh:124-130 */
            magnitude = (value_1 & 0x7fff) << 13;
            normal = magnitude + 0x38000000;
            special = magnitude + 0x70000000;
            small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            bits = magnitude >= 0xf800000 ? special : normal;
            bits = magnitude < 0x800000 ? as_int(small) : bits;
            float q = as_float(bits | ((value_1 & 0x8000) << 16));
            uint bits_1 = as_int(p * c - q * s);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            uint r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            to[k].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(p * s + q * c);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            to[b].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
        /* rope.cu:63-65 */
        uint t_5 = head_dim - n_rot;
        ulong t_6 = 0 < (ulong)t_5 ? 0 : (ulong)t_5;
        ulong end_2 = min(t_6 + t_5, (ulong)t_5);
        for (ulong i = n_rot + t_6; i < n_rot + end_2; i++)
            to[i].bits = from[i].bits;
    }
}

/* rope_normal_f32, rope.cu:84 */
__kernel void rope_normal_f32(__global float *out, __global const float *x,
                              __global const int *restrict pos,
                              __global const float *restrict inv_freq, uint tokens, uint heads,
                              uint head_dim, uint n_rot, float factor)
{
    /* rope.cu:46-65 */
    ulong t = (ulong)tokens * heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong head = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(head + piece, t);
    for (; head < end; head++) {
        ulong t_2 = head * head_dim;
        __global const float *from = x + t_2;
        __global float *to = out + t_2;
        float at = (float)pos[head / heads];
        uint t_3 = n_rot / 2;
        ulong t_4 = 0 < (ulong)t_3 ? 0 : (ulong)t_3;
        ulong end_1 = min(t_4 + t_3, (ulong)t_3);
        for (uint k = (uint)t_4; k < end_1; k = (uint)((ulong)k + 1)) {
            float angle = at * inv_freq[k];
            float2 both = qn_sincos_f32(angle);
            float s = both.x * factor;
            float c = both.y * factor;
            uint a = 2 * k;
            uint b = a + 1;
            float p = from[a];
            float q = from[b];
            to[a] = p * c - q * s;
            to[b] = p * s + q * c;
        }
        uint t_5 = head_dim - n_rot;
        ulong t_6 = 0 < (ulong)t_5 ? 0 : (ulong)t_5;
        ulong end_2 = min(t_6 + t_5, (ulong)t_5);
        for (ulong i = n_rot + t_6; i < n_rot + end_2; i++)
            to[i] = from[i];
    }
}

/* rope_normal_f16, rope.cu:93 */
__kernel void rope_normal_f16(__global struct qk_half *out, __global const struct qk_half *x,
                              __global const int *restrict pos,
                              __global const float *restrict inv_freq, uint tokens, uint heads,
                              uint head_dim, uint n_rot, float factor)
{
    /* rope.cu:46-65 */
    ulong t = (ulong)tokens * heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong head = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(head + piece, t);
    for (; head < end; head++) {
        ulong t_2 = head * head_dim;
        __global const struct qk_half *from = x + t_2;
        __global struct qk_half *to = out + t_2;
        float at = (float)pos[head / heads];
        uint t_3 = n_rot / 2;
        ulong t_4 = 0 < (ulong)t_3 ? 0 : (ulong)t_3;
        ulong end_1 = min(t_4 + t_3, (ulong)t_3);
        for (uint k = (uint)t_4; k < end_1; k = (uint)((ulong)k + 1)) {
            float angle = at * inv_freq[k];
            float2 both = qn_sincos_f32(angle);
            float s = both.x * factor;
            float c = both.y * factor;
            uint a = 2 * k;
            uint b = a + 1;
            ushort value = from[a].bits;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float p = as_float(bits | ((value & 0x8000) << 16));
            /* rope.cu:59 */
            ushort value_1 = from[b].bits;
            /* quern_kernel.cuh:124-130 */
            magnitude = (value_1 & 0x7fff) << 13;
            normal = magnitude + 0x38000000;
            special = magnitude + 0x70000000;
            small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            bits = magnitude >= 0xf800000 ? special : normal;
            bits = magnitude < 0x800000 ? as_int(small) : bits;
            float q = as_float(bits | ((value_1 & 0x8000) << 16));
            uint bits_1 = as_int(p * c - q * s);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            uint r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            to[a].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(p * s + q * c);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            to[b].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
        /* rope.cu:63-65 */
        uint t_5 = head_dim - n_rot;
        ulong t_6 = 0 < (ulong)t_5 ? 0 : (ulong)t_5;
        ulong end_2 = min(t_6 + t_5, (ulong)t_5);
        for (ulong i = n_rot + t_6; i < n_rot + end_2; i++)
            to[i].bits = from[i].bits;
    }
}
