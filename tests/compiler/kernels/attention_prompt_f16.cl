#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

struct qk_run {
    float16 v;
};

struct queries {
    struct qk_run q[8][16];
    struct qk_run sum[8][16];
    float most[8];
    float weight[8];
    uint from[8];
    uint to[8];
};

struct qk_partial {
    float16 sum;
};

/* n / d; by 0: all bits one */
uint qn_div_u32(uint n, uint d)
{
    const uint q = n / (d == 0 ? 1 : d);
    return d == 0 ? (uint)-1 : q;
}

/* attention_prompt_f16, attention_prompt_f16.cu:8 */
__kernel void attention_prompt_f16(__global float *restrict out, __global const float *restrict q,
                                   __global const struct qk_half *restrict k,
                                   __global const struct qk_half *restrict v,
                                   __global const int *restrict pos, uint tokens, uint heads,
                                   uint kv_heads, uint head_dim, uint ctx, uint window,
                                   float scale, float softcap)
{
    /* quern_attention.cuh:484-508 */
    uint tiles = (tokens + 8 - 1) / 8;
    ulong t = (ulong)tiles * heads;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong item = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(item + piece, t);
    struct queries a;
    float v_1[16] __attribute__((aligned(64)));
    struct qk_partial dot_[8];
    float v_2[16] __attribute__((aligned(64)));
    float e[8][2];
    float v_3[16] __attribute__((aligned(64)));
    float v_4[16] __attribute__((aligned(64)));
    for (; item < end; item++) {
        uint head = (uint)(item % heads);
        uint kv_head = qn_div_u32(head, qn_div_u32(heads, kv_heads));
        uint first = (tiles - 1 - (uint)(item / heads)) * 8;
        uint result = min(tokens - first, 8u);
        /* quern_attention.cuh:157-161 */
        #pragma unroll 1
        for (int i = 0; i < 8; i++) {
            a.most[i] = -3e+38f;
            a.weight[i] = 0.0f;
            #pragma unroll 1
            for (int r = 0; r < 16; r++) {
                a.q[i][r].v = (float16)(0.0f);
                a.sum[i][r].v = (float16)(0.0f);
            }
        }
        /* quern_attention.cuh:494-508 */
        #pragma unroll 1
        for (int i = 0; i < 8; i++) {
            int i_1 = min(result - 1, (uint)i);
            uint t_3 = first + i_1;
            uint at = pos[t_3];
            a.from[i] = (window != 0 && at >= window) ? at - window + 1 : 0;
            a.to[i] = at + 1;
            ulong t_4 = ((ulong)t_3 * heads + head) * head_dim;
            /* quern_attention.cuh:173-176 */
            #pragma unroll 1
            for (int r = 0; r < 16; r++) {
                int t_5 = r * 16;
                if (t_5 < head_dim) {
                    uint t_6 = head_dim - t_5;
                    if (t_6 >= 16) {
                        float16 v_5 = vload16(0, &q[t_4 + (uint)t_5]);
                        a.q[i][r].v = v_5;
                    } else {
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++)
                            v_1[j] = j < t_6 ? q[t_4 + (uint)t_5 + j] : 0.0f;
                        float16 v_6 = *(float16 *)v_1;
                        a.q[i][r].v = v_6;
                    }
                    a.q[i][r].v = a.q[i][r].v * scale + 0.0f;
                }
            }
        }
        /* quern_attention.cuh:502-508 */
        ulong t_2 = (ulong)kv_head * ctx;
        uint value = a.to[7];
        for (uint p = a.from[0]; p < value; p += 2) {
            /* quern_attention.cuh:271-354 */
            #pragma unroll 1
            for (int u = 0; u < 2; u++) {
                uint here = p + u;
                uint here_1 = min(value - 1, here);
                ulong row = (t_2 + here_1) * head_dim;
                #pragma unroll
                for (int i = 0; i < 8; i++)
                    dot_[i].sum = (float16)(0.0f);
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_7 = r * 16;
                    if (t_7 >= head_dim)
                        break;
                    ulong t_8 = row + (uint)t_7;
                    uint t_9 = head_dim - t_7;
                    float16 key;
                    /* quern_attention.cuh:63-69 */
                    if (t_9 >= 16) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&k[t_8]);
                        int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
                        int16 magnitude = (bits & 32767) << (int16)(13);
                        float16 normal = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(1879048192))) * 1.92593e-34f;
                        float16 small = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(947912704))) - 6.1035156e-05f;
                        int16 is_small = as_int16(as_uint16(magnitude)
                            - as_uint16((int16)(8388608))) >> (int16)(31);
                        int16 value_1 = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small)
                            & is_small);
                        key = as_float16(value_1 | ((bits & 32768) << (int16)(16)));
                    } else {
                        /* quern_attention.cuh:68-69 */
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++) {
                            float t_10;
                            if (j < t_9) {
                                ushort value_2 = k[t_8 + j].bits;
                                /* quern_kernel.cuh:124-130 */
                                uint magnitude = (value_2 & 0x7fff) << 13;
                                uint normal = magnitude + 0x38000000;
                                uint special = magnitude + 0x70000000;
                                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                                special = magnitude >= 0xf800000 ? special : normal;
                                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                                t_10 = as_float(bits | ((value_2 & 0x8000) << 16));
                            } else {
                                t_10 = 0.0f;
                            }
                            /* quern_attention.cuh:69 */
                            v_2[j] = t_10;
                        }
                        key = *(float16 *)v_2;
                    }
                    /* quern_attention.cuh:286 */
                    #pragma unroll
                    for (int i = 0; i < 8; i++)
                        dot_[i].sum = dot_[i].sum + key * a.q[i][r].v;
                }
                #pragma unroll
                for (int i = 0; i < 8; i++) {
                    /* quern_runs.cuh:423-426 */
                    float16 s = dot_[i].sum;
                    float a_1 = s.s0 + s.s1 + (s.s2 + s.s3);
                    float b = s.s4 + s.s5 + (s.s6 + s.s7);
                    float c = s.s8 + s.s9 + (s.sa + s.sb);
                    float d = s.sc + s.sd + (s.se + s.sf);
                    float s_1 = a_1 + b + (c + d);
                    /* quern_attention.cuh:304-305 */
                    if (here < value) {
                        if (here >= a.from[i]) {
                            if (here < a.to[i]) {
                                if (softcap > 0.0f)
                                    s_1 = softcap * tanh(s_1 / softcap);
                            } else {
                                s_1 = -INFINITY;
                            }
                        } else {
                            s_1 = -INFINITY;
                        }
                    } else {
                        s_1 = -INFINITY;
                    }
                    e[i][u] = s_1;
                }
            }
            #pragma unroll 1
            for (int i = 0; i < 8; i++) {
                float most = a.most[i];
                #pragma unroll
                for (int u = 0; u < 2; u++) {
                    float value_4 = e[i][u];
                    most = most < value_4 ? value_4 : most;
                }
                float value_3 = a.most[i];
                if (most > value_3) {
                    float less = exp(value_3 - most);
                    a.most[i] = most;
                    a.weight[i] *= less;
                    #pragma unroll 1
                    for (int r = 0; r < 16; r++)
                        a.sum[i][r].v = a.sum[i][r].v * less + 0.0f;
                }
                #pragma unroll
                for (int u = 0; u < 2; u++) {
                    float result_1 = exp(e[i][u] - most);
                    e[i][u] = result_1;
                    a.weight[i] += result_1;
                }
            }
            #pragma unroll 1
            for (int u = 0; u < 2; u++) {
                ulong row = (t_2 + min(value - 1, p + u)) * head_dim;
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_11 = r * 16;
                    if (t_11 >= head_dim)
                        break;
                    ulong t_12 = row + (uint)t_11;
                    uint t_13 = head_dim - t_11;
                    float16 value_5;
                    /* quern_attention.cuh:63-69 */
                    if (t_13 >= 16) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&v[t_12]);
                        int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
                        int16 magnitude = (bits & 32767) << (int16)(13);
                        float16 normal = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(1879048192))) * 1.92593e-34f;
                        float16 small = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(947912704))) - 6.1035156e-05f;
                        int16 is_small = as_int16(as_uint16(magnitude)
                            - as_uint16((int16)(8388608))) >> (int16)(31);
                        int16 value_6 = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small)
                            & is_small);
                        value_5 = as_float16(value_6 | ((bits & 32768) << (int16)(16)));
                    } else {
                        /* quern_attention.cuh:68-69 */
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++) {
                            float t_14;
                            if (j < t_13) {
                                ushort value_7 = v[t_12 + j].bits;
                                /* quern_kernel.cuh:124-130 */
                                uint magnitude = (value_7 & 0x7fff) << 13;
                                uint normal = magnitude + 0x38000000;
                                uint special = magnitude + 0x70000000;
                                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                                special = magnitude >= 0xf800000 ? special : normal;
                                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                                t_14 = as_float(bits | ((value_7 & 0x8000) << 16));
                            } else {
                                t_14 = 0.0f;
                            }
                            /* quern_attention.cuh:69 */
                            v_3[j] = t_14;
                        }
                        value_5 = *(float16 *)v_3;
                    }
                    /* quern_attention.cuh:354 */
                    #pragma unroll
                    for (int i = 0; i < 8; i++)
                        a.sum[i][r].v = a.sum[i][r].v + value_5 * e[i][u];
                }
            }
        }
        /* quern_attention.cuh:505-508 */
        #pragma unroll 1
        for (int i = 0; i < 8; i++) {
            if (i < result) {
                ulong t_15 = ((ulong)(first + i) * heads + head) * head_dim;
                float t_16 = 1.0f / a.weight[i];
                /* quern_attention.cuh:394-398 */
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_17 = r * 16;
                    if (t_17 < head_dim) {
                        a.sum[i][r].v = a.sum[i][r].v * t_16 + 0.0f;
                        uint t_18 = head_dim - t_17;
                        if (t_18 >= 16) {
                            float16 v_7 = a.sum[i][r].v;
                            vstore16(v_7, 0, &out[t_15 + (uint)t_17]);
                        } else {
                            float16 v_8 = a.sum[i][r].v;
                            *(float16 *)v_4 = v_8;
                            #pragma unroll 1
                            for (uint j = 0; j < t_18; j++)
                                out[t_15 + (uint)t_17 + j] = v_4[j];
                        }
                    }
                }
            }
        }
    }
}
