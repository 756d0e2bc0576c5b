#pragma OPENCL FP_CONTRACT ON

struct qk_half {
    ushort bits;
};

struct qk_run {
    float16 v;
};

struct queries {
    struct qk_run q[4][16];
    struct qk_run sum[4][16];
    float most[4];
    float weight[4];
    uint from[4];
    uint to[4];
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

/* attention_decode_f16, attention_decode_f16.cu:8 */
__kernel void attention_decode_f16(__global float *restrict part, __global float *restrict part_ms,
                                   __global const float *restrict q,
                                   __global const struct qk_half *restrict k,
                                   __global const struct qk_half *restrict v,
                                   __global const int *restrict pos, uint heads, uint kv_heads,
                                   uint head_dim, uint ctx, uint window, uint splits, float scale,
                                   float softcap)
{
    /* quern_attention.cuh:417-450 */
    uint group = qn_div_u32(heads, kv_heads);
    uint chunks = (group + 4 - 1) / 4;
    uint at = *pos;
    uint low = (window != 0 && at >= window) ? at - window + 1 : 0;
    uint high = at + 1;
    uint piece = qn_div_u32(high - low + splits - 1, splits);
    ulong t = (ulong)kv_heads * chunks * splits;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece_1 = (t + t_1 - 1) / t_1;
    ulong item = min(piece_1 * (uint)(get_local_id(0) * get_num_groups(0) + get_group_id(0)), t);
    ulong end = min(item + piece_1, t);
    struct queries a;
    float v_1[16] __attribute__((aligned(64)));
    struct qk_partial dot_[4];
    float v_2[16] __attribute__((aligned(64)));
    float e[4][4];
    float v_3[16] __attribute__((aligned(64)));
    float v_4[16] __attribute__((aligned(64)));
    for (; item < end; item++) {
        uint split = (uint)(item % splits);
        ulong t_2 = item / splits;
        uint chunk = (uint)t_2 % chunks;
        uint kv_head = (uint)t_2 / chunks;
        uint t_3 = chunk * 4;
        uint first = kv_head * group + t_3;
        uint result = min(group - t_3, 4u);
        uint p = min(low + split * piece, high);
        uint end_1 = min(p + piece, high);
        /* quern_attention.cuh:157-161 */
        #pragma unroll 1
        for (int i = 0; i < 4; i++) {
            a.most[i] = -3e+38f;
            a.weight[i] = 0.0f;
            #pragma unroll 1
            for (int r = 0; r < 16; r++) {
                a.q[i][r].v = (float16)(0.0f);
                a.sum[i][r].v = (float16)(0.0f);
            }
        }
        /* quern_attention.cuh:433-450 */
        #pragma unroll 1
        for (int i = 0; i < 4; i++) {
            a.from[i] = p;
            a.to[i] = end_1;
            int i_1 = min(result - 1, (uint)i);
            uint head = first + i_1;
            ulong t_5 = (ulong)head * head_dim;
            /* quern_attention.cuh:173-176 */
            #pragma unroll 1
            for (int r = 0; r < 16; r++) {
                int t_6 = r * 16;
                if (t_6 < head_dim) {
                    uint t_7 = head_dim - t_6;
                    if (t_7 >= 16) {
                        float16 v_5 = vload16(0, &q[t_5 + (uint)t_6]);
                        a.q[i][r].v = v_5;
                    } else {
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++)
                            v_1[j] = j < t_7 ? q[t_5 + (uint)t_6 + j] : 0.0f;
                        float16 v_6 = *(float16 *)v_1;
                        a.q[i][r].v = v_6;
                    }
                    a.q[i][r].v = a.q[i][r].v * scale + 0.0f;
                }
            }
        }
        /* quern_attention.cuh:441-450 */
        ulong t_4 = (ulong)kv_head * ctx;
        for (; p < end_1; p += 4) {
            /* quern_attention.cuh:271-354 */
            #pragma unroll 1
            for (int u = 0; u < 4; u++) {
                uint here = p + u;
                uint here_1 = min(end_1 - 1, here);
                ulong row = (t_4 + here_1) * head_dim;
                #pragma unroll
                for (int i = 0; i < 4; i++)
                    dot_[i].sum = (float16)(0.0f);
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_8 = r * 16;
                    if (t_8 >= head_dim)
                        break;
                    ulong t_9 = row + (uint)t_8;
                    uint t_10 = head_dim - t_8;
                    float16 key;
                    /* quern_attention.cuh:63-69 */
                    if (t_10 >= 16) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&k[t_9]);
                        int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
                        int16 magnitude = (bits & 32767) << (int16)(13);
                        float16 normal = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(1879048192))) * 1.92593e-34f;
                        float16 small = as_float16(as_uint16(magnitude)
                            + as_uint16((int16)(947912704))) - 6.1035156e-05f;
                        int16 is_small = as_int16(as_uint16(magnitude)
                            - as_uint16((int16)(8388608))) >> (int16)(31);
                        int16 value = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small)
                            & is_small);
                        key = as_float16(value | ((bits & 32768) << (int16)(16)));
                    } else {
                        /* quern_attention.cuh:68-69 */
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++) {
                            float t_11;
                            if (j < t_10) {
                                ushort value = k[t_9 + j].bits;
                                /* quern_kernel.cuh:124-130 */
                                uint magnitude = (value & 0x7fff) << 13;
                                uint normal = magnitude + 0x38000000;
                                uint special = magnitude + 0x70000000;
                                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                                special = magnitude >= 0xf800000 ? special : normal;
                                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                                t_11 = as_float(bits | ((value & 0x8000) << 16));
                            } else {
                                t_11 = 0.0f;
                            }
                            /* quern_attention.cuh:69 */
                            v_2[j] = t_11;
                        }
                        key = *(float16 *)v_2;
                    }
                    /* quern_attention.cuh:286 */
                    #pragma unroll
                    for (int i = 0; i < 4; i++)
                        dot_[i].sum = dot_[i].sum + key * a.q[i][r].v;
                }
                #pragma unroll
                for (int i = 0; i < 4; i++) {
                    /* quern_runs.cuh:423-426 */
                    float16 s = dot_[i].sum;
                    float a_1 = s.s0 + s.s1 + (s.s2 + s.s3);
                    float b = s.s4 + s.s5 + (s.s6 + s.s7);
                    float c = s.s8 + s.s9 + (s.sa + s.sb);
                    float d = s.sc + s.sd + (s.se + s.sf);
                    float s_1 = a_1 + b + (c + d);
                    /* quern_attention.cuh:304-305 */
                    if (here < end_1) {
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
            for (int i = 0; i < 4; i++) {
                float most = a.most[i];
                #pragma unroll
                for (int u = 0; u < 4; u++) {
                    float value_1 = e[i][u];
                    most = most < value_1 ? value_1 : most;
                }
                float value = a.most[i];
                if (most > value) {
                    float less = exp(value - most);
                    a.most[i] = most;
                    a.weight[i] *= less;
                    #pragma unroll 1
                    for (int r = 0; r < 16; r++)
                        a.sum[i][r].v = a.sum[i][r].v * less + 0.0f;
                }
                #pragma unroll
                for (int u = 0; u < 4; u++) {
                    float result_1 = exp(e[i][u] - most);
                    e[i][u] = result_1;
                    a.weight[i] += result_1;
                }
            }
            #pragma unroll 1
            for (int u = 0; u < 4; u++) {
                ulong row = (t_4 + min(end_1 - 1, p + u)) * head_dim;
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_12 = r * 16;
                    if (t_12 >= head_dim)
                        break;
                    ulong t_13 = row + (uint)t_12;
                    uint t_14 = head_dim - t_12;
                    float16 value;
                    /* quern_attention.cuh:63-69 */
                    if (t_14 >= 16) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&v[t_13]);
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
                        value = as_float16(value_1 | ((bits & 32768) << (int16)(16)));
                    } else {
                        /* quern_attention.cuh:68-69 */
                        #pragma unroll 1
                        for (uint j = 0; j < 16; j++) {
                            float t_15;
                            if (j < t_14) {
                                ushort value_2 = v[t_13 + j].bits;
                                /* quern_kernel.cuh:124-130 */
                                uint magnitude = (value_2 & 0x7fff) << 13;
                                uint normal = magnitude + 0x38000000;
                                uint special = magnitude + 0x70000000;
                                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                                special = magnitude >= 0xf800000 ? special : normal;
                                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                                t_15 = as_float(bits | ((value_2 & 0x8000) << 16));
                            } else {
                                t_15 = 0.0f;
                            }
                            /* quern_attention.cuh:69 */
                            v_3[j] = t_15;
                        }
                        value = *(float16 *)v_3;
                    }
                    /* quern_attention.cuh:354 */
                    #pragma unroll
                    for (int i = 0; i < 4; i++)
                        a.sum[i][r].v = a.sum[i][r].v + value * e[i][u];
                }
            }
        }
        /* quern_attention.cuh:443-450 */
        #pragma unroll 1
        for (int i = 0; i < 4; i++) {
            if (i < result) {
                ulong slot = (ulong)(first + i) * splits + split;
                ulong t_16 = slot * head_dim;
                /* quern_attention.cuh:394-398 */
                #pragma unroll 1
                for (int r = 0; r < 16; r++) {
                    int t_18 = r * 16;
                    if (t_18 < head_dim) {
                        a.sum[i][r].v = a.sum[i][r].v + 0.0f;
                        uint t_19 = head_dim - t_18;
                        if (t_19 >= 16) {
                            float16 v_7 = a.sum[i][r].v;
                            vstore16(v_7, 0, &part[t_16 + (uint)t_18]);
                        } else {
                            float16 v_8 = a.sum[i][r].v;
                            *(float16 *)v_4 = v_8;
                            #pragma unroll 1
                            for (uint j = 0; j < t_19; j++)
                                part[t_16 + (uint)t_18 + j] = v_4[j];
                        }
                    }
                }
                /* quern_attention.cuh:449-450 */
                ulong t_17 = 2 * slot;
                part_ms[t_17] = a.most[i];
                part_ms[t_17 + 1] = a.weight[i];
            }
        }
    }
}
