#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

/* kv_store_f16, kv_store.cu:23 */
__kernel void kv_store_f16(__global struct qk_half *restrict k_cache,
                           __global struct qk_half *restrict v_cache,
                           __global const float *restrict k, __global const float *restrict v,
                           __global const int *restrict pos, uint tokens, uint kv_heads,
                           uint head_dim, uint ctx)
{
    ulong t = (ulong)tokens * kv_heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(i + piece, t);
    for (; i < end; i++) {
        ulong to = (i % kv_heads * ctx + (uint)pos[i / kv_heads]) * head_dim;
        ulong from = i * head_dim;
        for (uint d = 0; d < head_dim; d++) {
            uint bits = as_int(k[from + d]);
            /* quern_kernel.cuh:146-153 */
            uint magnitude = bits & 0x7fffffff;
            uint odd = (magnitude >> 13) & 1;
            uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
            uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
            uint special = magnitude > 0x7f800000 ? 32256 : 31744;
            small = magnitude < 0x38800000 ? small : normal;
            uint r = magnitude >= 0x47800000 ? special : small;
            k_cache[to + d].bits = (ushort)(r | ((bits >> 16) & 0x8000));
        }
        /* kv_store.cu:41 */
        for (uint d = 0; d < head_dim; d++) {
            uint bits = as_int(v[from + d]);
            /* quern_kernel.cuh:146-153 */
            uint magnitude = bits & 0x7fffffff;
            uint odd = (magnitude >> 13) & 1;
            uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
            uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
            uint special = magnitude > 0x7f800000 ? 32256 : 31744;
            small = magnitude < 0x38800000 ? small : normal;
            uint r = magnitude >= 0x47800000 ? special : small;
            v_cache[to + d].bits = (ushort)(r | ((bits >> 16) & 0x8000));
        }
    }
}

/* kv_store_q8_0, kv_store.cu:47 */
__kernel void kv_store_q8_0(__global uchar *restrict k_cache, __global uchar *restrict v_cache,
                            __global const float *restrict k, __global const float *restrict v,
                            __global const int *restrict pos, uint tokens, uint kv_heads,
                            uint head_dim, uint ctx)
{
    uint blocks = head_dim / 32;
    ulong t = (ulong)tokens * kv_heads * blocks;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(i + piece, t);
    for (; i < end; i++) {
        ulong t_2 = i / blocks;
        ulong to = (t_2 % kv_heads * ctx + (uint)pos[t_2 / kv_heads]) * blocks + i % blocks;
        ulong t_3 = to * 34;
        ulong t_4 = i * 32;
        /* quern_cache.cuh:14-20 */
        float most = 0.0f;
        for (uint j = 0; j < 32; j++) {
            float value = k[t_4 + j];
            float t_5 = value < 0.0f ? -value : value;
            most = most < t_5 ? t_5 : most;
        }
        float d = most / 127.0f;
        float inverse = most > 0.0f ? 127.0f / most : 0.0f;
        uint bits = as_int(d);
        /* quern_kernel.cuh:146-153 */
        uint magnitude = bits & 0x7fffffff;
        uint odd = (magnitude >> 13) & 1;
        uint normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
        uint small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
        uint special = magnitude > 0x7f800000 ? 32256 : 31744;
        uint r = magnitude < 0x38800000 ? small : normal;
        r = magnitude >= 0x47800000 ? special : r;
        /* quern_cache.cuh:17-20 */
        *(__global short *)&k_cache[t_3] = (ushort)(r | ((bits >> 16) & 0x8000));
        for (uint j = 0; j < 32; j++) {
            float code = k[t_4 + j] * inverse;
            k_cache[t_3 + (2 + j)] = (char)convert_int_sat(code + (code < 0.0f ? -0.5f : 0.5f));
        }
        /* quern_cache.cuh:14-20 */
        float most_1 = 0.0f;
        for (uint j = 0; j < 32; j++) {
            float value = v[t_4 + j];
            float t_6 = value < 0.0f ? -value : value;
            most_1 = most_1 < t_6 ? t_6 : most_1;
        }
        d = most_1 / 127.0f;
        inverse = most_1 > 0.0f ? 127.0f / most_1 : 0.0f;
        bits = as_int(d);
        /* quern_kernel.cuh:146-153 */
        magnitude = bits & 0x7fffffff;
        odd = (magnitude >> 13) & 1;
        normal = (magnitude - 0x38000000 + 4095 + odd) >> 13;
        small = as_int(as_float(magnitude) + 0.5f) - 0x3f000000u;
        special = magnitude > 0x7f800000 ? 32256 : 31744;
        r = magnitude < 0x38800000 ? small : normal;
        r = magnitude >= 0x47800000 ? special : r;
        /* quern_cache.cuh:17-20 */
        *(__global short *)&v_cache[t_3] = (ushort)(r | ((bits >> 16) & 0x8000));
        for (uint j = 0; j < 32; j++) {
            float code = v[t_4 + j] * inverse;
            v_cache[t_3 + (2 + j)] = (char)convert_int_sat(code + (code < 0.0f ? -0.5f : 0.5f));
        }
    }
}
