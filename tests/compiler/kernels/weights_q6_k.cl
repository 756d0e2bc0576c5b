#pragma OPENCL FP_CONTRACT ON

struct qk_partial {
    float16 sum;
};

struct qk_run {
    float16 v;
};

struct qk_bytes {
    int16 v;
};

struct qk_piece {
    struct qk_run v[4];
    float scale[4];
    float offset[4];
    uchar padding3[32];
};

struct qk_half {
    ushort bits;
};

/* matvec_q6_k, weights_q6_k.cu:48 */
__kernel void matvec_q6_k(__global float *restrict y, __global const uchar *restrict w,
                          __global const float *restrict x, __global const float *restrict bias,
                          __global const int *restrict pick, uint rows, uint n, uint add)
{
    /* quern_weights.cuh:180-191 */
    ulong expert = pick != 0 ? (ulong)(uint)*pick : 0;
    ulong t = (ulong)n / 256 * 210;
    ulong t_1 = expert * rows * t;
    uint team = get_group_id(0) * get_local_size(0) + get_local_id(0);
    uint teams = get_num_groups(0) * get_local_size(0);
    ulong groups = rows / 4;
    ulong piece = (groups + teams - 1) / teams;
    ulong g = min(piece * team, groups);
    ulong end = min(g + piece, groups);
    struct qk_partial sum[4];
    struct qk_partial sum_x[4];
    struct qk_run v[4];
    struct qk_bytes low[2];
    struct qk_piece q;
    float sums[4];
    for (; g < end; g++) {
        ulong t_4 = g * 4;
        /* quern_weights.cuh:151-170 */
        __global const uchar *w_1 = w + (t_1 + t_4 * t);
        ulong pieces = (ulong)n / 64;
        /* quern_weights.cuh:71-97 */
        #pragma unroll
        for (int r_1 = 0; r_1 < 4; r_1++)
            sum[r_1].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong end_2 = min(p + pieces, pieces);
        #pragma unroll 1
        for (; p < end_2; p++) {
            ulong t_5 = p / 4;
            ulong t_6 = p % 4;
            uint t_7 = (uint)t_6 / 2 * 128 + (uint)t_6 % 2 * 16;
            __global const float *at = x + (t_5 * 256 + t_7);
            #pragma unroll
            for (int g_1 = 0; g_1 < 4; g_1++)
                sum_x[g_1].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float16 v_2 = vload16(0, &at[k * 32]);
                v[k].v = v_2;
                sum_x[k].sum = sum_x[k].sum + v_2;
            }
            #pragma unroll
            for (int r_2 = 0; r_2 < 4; r_2++) {
                ulong t_8 = r_2 * t;
                ulong t_9 = t_5 * 210;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_7 / 128;
                uint at_1 = t_7 % 128;
                ushort value = *(__global const short *)&w_1[t_8 + t_9 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_1 + (t_8 + t_9 + 192 + half_ * 8 + at_1 / 16);
                uint t_10 = half_ * 64;
                uchar16 v_3 = vload16(0, &w_1[t_8 + t_9 + t_10 + at_1]);
                low[0].v = as_int16(convert_uint16(v_3));
                v_3 = vload16(0, &w_1[t_8 + t_9 + t_10 + 32 + at_1]);
                low[1].v = as_int16(convert_uint16(v_3));
                v_3 = vload16(0, &w_1[t_8 + t_9 + 128 + half_ * 32 + at_1]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_11 = 2 * k;
                    q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v_3)) >> (int16)(t_11)) & 3) << (int16)(4)));
                    q.scale[k] = d * (float)(char)scale[t_11];
                    q.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int g_2 = 0; g_2 < 4; g_2++) {
                    float16 group = 0.0f + sum_x[g_2].sum * -32.0f;
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_12 = g_2 + k;
                        group = group + q.v[t_12].v * v[t_12].v;
                    }
                    sum[r_2].sum = sum[r_2].sum + group * q.scale[g_2];
                }
            }
        }
        #pragma unroll
        for (int r_3 = 0; r_3 < 4; r_3++) {
            /* quern_runs.cuh:423-425 */
            float16 s = sum[r_3].sum;
            float a = s.s0 + s.s1 + (s.s2 + s.s3);
            float b = s.s4 + s.s5 + (s.s6 + s.s7);
            float c = s.s8 + s.s9 + (s.sa + s.sb);
            float d = s.sc + s.sd + (s.se + s.sf);
            sums[r_3] = a + b + (c + d);
        }
        #pragma unroll
        for (int r_4 = 0; r_4 < 4; r_4++) {
            ulong t_13 = t_4 + r_4;
            float value = sums[r_4];
            /* quern_weights.cuh:110-111 */
            float before = add != 0 ? y[t_13] : 0.0f;
            float t_14;
            if (bias != 0)
                t_14 = bias[t_13];
            else
                t_14 = 0.0f;
            y[t_13] = value + t_14 + before;
        }
    }
    /* quern_weights.cuh:189-191 */
    ulong t_2 = groups * 4;
    ulong t_3 = rows - t_2;
    piece = (t_3 + teams - 1) / teams;
    ulong r = min(piece * team, t_3);
    ulong end_1 = min(r + piece, t_3);
    struct qk_partial sum_1[1];
    struct qk_partial sum_x_1[4];
    struct qk_run v_1[4];
    struct qk_bytes low_1[2];
    struct qk_piece q_1;
    float sums_1[1];
    for (; r < end_1; r++) {
        ulong t_15 = t_2 + r;
        /* quern_weights.cuh:151-170 */
        __global const uchar *w_2 = w + (t_1 + t_15 * t);
        ulong pieces = (ulong)n / 64;
        /* quern_weights.cuh:71-97 */
        #pragma unroll
        for (int r_5 = 0; r_5 < 1; r_5++)
            sum_1[r_5].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong end_3 = min(p + pieces, pieces);
        #pragma unroll 1
        for (; p < end_3; p++) {
            ulong t_16 = p / 4;
            ulong t_17 = p % 4;
            uint t_18 = (uint)t_17 / 2 * 128 + (uint)t_17 % 2 * 16;
            __global const float *at = x + (t_16 * 256 + t_18);
            #pragma unroll
            for (int g_3 = 0; g_3 < 4; g_3++)
                sum_x_1[g_3].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float16 v_4 = vload16(0, &at[k * 32]);
                v_1[k].v = v_4;
                sum_x_1[k].sum = sum_x_1[k].sum + v_4;
            }
            #pragma unroll
            for (int r_6 = 0; r_6 < 1; r_6++) {
                ulong t_19 = r_6 * t;
                ulong t_20 = t_16 * 210;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_18 / 128;
                uint at_1 = t_18 % 128;
                ushort value = *(__global const short *)&w_2[t_19 + t_20 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_2 + (t_19 + t_20 + 192 + half_ * 8 + at_1 / 16);
                uint t_21 = half_ * 64;
                uchar16 v_5 = vload16(0, &w_2[t_19 + t_20 + t_21 + at_1]);
                low_1[0].v = as_int16(convert_uint16(v_5));
                v_5 = vload16(0, &w_2[t_19 + t_20 + t_21 + 32 + at_1]);
                low_1[1].v = as_int16(convert_uint16(v_5));
                v_5 = vload16(0, &w_2[t_19 + t_20 + 128 + half_ * 32 + at_1]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_22 = 2 * k;
                    q_1.v[k].v = convert_float16(((low_1[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v_5)) >> (int16)(t_22)) & 3) << (int16)(4)));
                    q_1.scale[k] = d * (float)(char)scale[t_22];
                    q_1.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int g_4 = 0; g_4 < 4; g_4++) {
                    float16 group = 0.0f + sum_x_1[g_4].sum * -32.0f;
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_23 = g_4 + k;
                        group = group + q_1.v[t_23].v * v_1[t_23].v;
                    }
                    sum_1[r_6].sum = sum_1[r_6].sum + group * q_1.scale[g_4];
                }
            }
        }
        #pragma unroll
        for (int r_7 = 0; r_7 < 1; r_7++) {
            /* quern_runs.cuh:423-425 */
            float16 s = sum_1[r_7].sum;
            float a = s.s0 + s.s1 + (s.s2 + s.s3);
            float b = s.s4 + s.s5 + (s.s6 + s.s7);
            float c = s.s8 + s.s9 + (s.sa + s.sb);
            float d = s.sc + s.sd + (s.se + s.sf);
            sums_1[r_7] = a + b + (c + d);
        }
        #pragma unroll
        for (int r_8 = 0; r_8 < 1; r_8++) {
            ulong t_24 = t_15 + r_8;
            float value = sums_1[r_8];
            /* quern_weights.cuh:110-111 */
            float before = add != 0 ? y[t_24] : 0.0f;
            float t_25;
            if (bias != 0)
                t_25 = bias[t_24];
            else
                t_25 = 0.0f;
            y[t_24] = value + t_25 + before;
        }
    }
}

/* matmul_q6_k, weights_q6_k.cu:48 */
__kernel void matmul_q6_k(__global float *restrict y, __global const uchar *restrict w,
                          __global const float *restrict x, __global const float *restrict bias,
                          uint rows, uint n, uint tokens, uint add)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong part = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(part + piece, (ulong)rows);
    ulong t_1 = (ulong)n / 256 * 210;
    /* quern_matmul.cuh:243-249 */
    ulong kept = 262144 / (t_1 + 1) / 2 * 2 + 2;
    struct qk_partial sum[2][8];
    struct qk_bytes low[2];
    struct qk_piece q[2];
    float16 v[16];
    float total[16];
    float out[2];
    struct qk_partial sum_1[1][8];
    struct qk_bytes low_1[2];
    struct qk_piece q_1[1];
    float total_1[8];
    float out_1[1];
    struct qk_partial sum_2[1][1];
    struct qk_bytes low_2[2];
    struct qk_piece q_2[1];
    float total_2[1];
    float out_2[1];
    struct qk_partial sum_3[1][1];
    struct qk_bytes low_3[2];
    struct qk_piece q_3[1];
    float total_3[1];
    float out_3[1];
    while (part < end) {
        ulong end_1 = min(end, part + kept);
        ulong token;
        for (token = 0; token + 8 <= tokens; token += 8) {
            ulong r;
            for (r = part; r + 2 <= end_1; r += 2) {
                /* quern_matmul.cuh:175-222 */
                __global const uchar *w_1 = w + r * t_1;
                __global const float *x_1 = x + token * n;
                ulong pieces = (ulong)n / 64;
                #pragma unroll
                for (int r_1 = 1; r_1 < 2; r_1++)
                    ;
                #pragma unroll
                for (int r_2 = 0; r_2 < 2; r_2++) {
                    #pragma unroll
                    for (int t_2 = 0; t_2 < 8; t_2++)
                        sum[r_2][t_2].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_3 = 0; r_3 < 2; r_3++) {
                        ulong t_3 = r_3 * t_1;
                        ulong t_4 = p / 4 * 210;
                        ulong t_5 = p % 4;
                        uint t_6 = (uint)t_5 / 2 * 128 + (uint)t_5 % 2 * 16;
                        /* weights_q6_k.cu:31-43 */
                        uint half_ = t_6 / 128;
                        uint at = t_6 % 128;
                        ushort value = *(__global const short *)&w_1[t_3 + t_4 + 208];
                        /* quern_kernel.cuh:124-130 */
                        uint magnitude = (value & 0x7fff) << 13;
                        uint normal = magnitude + 0x38000000;
                        uint special = magnitude + 0x70000000;
                        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                        special = magnitude >= 0xf800000 ? special : normal;
                        uint bits = magnitude < 0x800000 ? as_int(small) : special;
                        float d = as_float(bits | ((value & 0x8000) << 16));
                        /* weights_q6_k.cu:33-43 */
                        __global const uchar *scale = w_1 + (t_3 + t_4 + 192 + half_ * 8 + at / 16);
                        uint t_7 = half_ * 64;
                        uchar16 v_1 = vload16(0, &w_1[t_3 + t_4 + t_7 + at]);
                        low[0].v = as_int16(convert_uint16(v_1));
                        v_1 = vload16(0, &w_1[t_3 + t_4 + t_7 + 32 + at]);
                        low[1].v = as_int16(convert_uint16(v_1));
                        v_1 = vload16(0, &w_1[t_3 + t_4 + 128 + half_ * 32 + at]);
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            int t_8 = 2 * k;
                            q[r_3].v[k].v = convert_float16(((low[k % 2].v
                                >> min(as_uint16((int16)(k / 2 * 4)), as_uint16((int16)(31))))
                                & 15) | (((as_int16(convert_uint16(v_1))
                                >> min(as_uint16((int16)(t_8)), as_uint16((int16)(31)))) & 3)
                                << (int16)(4)));
                            q[r_3].scale[k] = d * (float)(char)scale[t_8];
                            q[r_3].offset[k] = 0.0f;
                        }
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            float value_1 = q[r_3].scale[k];
                            q[r_3].v[k].v = q[r_3].v[k].v * value_1 + (0.0f - 32.0f * value_1);
                        }
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 4; k++) {
                        #pragma unroll
                        for (int t_9 = 0; t_9 < 8; t_9++) {
                            ulong t_10 = p % 4;
                            float16 v_2 = vload16(0, &x_1[t_9 * (ulong)n + (p / 4 * 256
                                + ((uint)t_10 / 2 * 128 + (uint)t_10 % 2 * 16)) + k * 32]);
                            #pragma unroll
                            for (int r_4 = 0; r_4 < 2; r_4++)
                                sum[r_4][t_9].sum = sum[r_4][t_9].sum + q[r_4].v[k].v * v_2;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 16; i++)
                    v[i] = sum[i % 2][i / 2 % 8].sum;
                /* quern_runs.cuh:441-444 */
                #pragma unroll
                for (int k = 8; k != 0; k /= 2) {
                    #pragma unroll
                    for (int i = 0; i < k; i++) {
                        int t_11 = 2 * i;
                        float16 value = v[t_11];
                        float16 value_1 = v[t_11 + 1];
                        v[i] = (float16)(value.s0, value.s2, value.s4, value.s6, value.s8,
                            value.sa, value.sc, value.se, value_1.s0, value_1.s2, value_1.s4,
                            value_1.s6, value_1.s8, value_1.sa, value_1.sc, value_1.se)
                            + (float16)(value.s1, value.s3, value.s5, value.s7, value.s9, value.sb,
                            value.sd, value.sf, value_1.s1, value_1.s3, value_1.s5, value_1.s7,
                            value_1.s9, value_1.sb, value_1.sd, value_1.sf);
                    }
                }
                vstore16(v[0], 0, total);
                /* quern_matmul.cuh:217-222 */
                #pragma unroll 1
                for (int t_12 = 0; t_12 < 8; t_12++) {
                    for (ulong k = pieces * 64; k < n; k++) {
                        #pragma unroll
                        for (int r_5 = 0; r_5 < 2; r_5++)
                            total[t_12 * 2 + r_5] += 0.0f * x_1[t_12 * n + k];
                    }
                    int t_13 = t_12 * 2;
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_1 = y + ((token + t_12) * rows + r);
                    #pragma unroll
                    for (int r_6 = 0; r_6 < 2; r_6++)
                        out[r_6] = (total + t_13)[r_6];
                    if (bias != 0) {
                        #pragma unroll
                        for (int r_7 = 0; r_7 < 2; r_7++)
                            out[r_7] += bias[r + r_7];
                    }
                    if (add != 0) {
                        #pragma unroll
                        for (int r_8 = 0; r_8 < 2; r_8++)
                            out[r_8] += y_1[r_8];
                    }
                    #pragma unroll
                    for (int r_9 = 0; r_9 < 2; r_9++)
                        y_1[r_9] = out[r_9];
                }
            }
            for (; r < end_1; r++) {
                /* quern_matmul.cuh:175-221 */
                __global const uchar *w_2 = w + r * t_1;
                __global const float *x_2 = x + token * n;
                ulong pieces = (ulong)n / 64;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_10 = 0; r_10 < 1; r_10++) {
                    #pragma unroll
                    for (int t_14 = 0; t_14 < 8; t_14++)
                        sum_1[r_10][t_14].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_11 = 0; r_11 < 1; r_11++) {
                        ulong t_15 = r_11 * t_1;
                        ulong t_16 = p / 4 * 210;
                        ulong t_17 = p % 4;
                        uint t_18 = (uint)t_17 / 2 * 128 + (uint)t_17 % 2 * 16;
                        /* weights_q6_k.cu:31-43 */
                        uint half_ = t_18 / 128;
                        uint at = t_18 % 128;
                        ushort value = *(__global const short *)&w_2[t_15 + t_16 + 208];
                        /* quern_kernel.cuh:124-130 */
                        uint magnitude = (value & 0x7fff) << 13;
                        uint normal = magnitude + 0x38000000;
                        uint special = magnitude + 0x70000000;
                        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                        special = magnitude >= 0xf800000 ? special : normal;
                        uint bits = magnitude < 0x800000 ? as_int(small) : special;
                        float d = as_float(bits | ((value & 0x8000) << 16));
                        /* weights_q6_k.cu:33-43 */
                        __global const uchar *scale = w_2 + (t_15 + t_16 + 192 + half_ * 8 + at
                            / 16);
                        uint t_19 = half_ * 64;
                        uchar16 v_3 = vload16(0, &w_2[t_15 + t_16 + t_19 + at]);
                        low_1[0].v = as_int16(convert_uint16(v_3));
                        v_3 = vload16(0, &w_2[t_15 + t_16 + t_19 + 32 + at]);
                        low_1[1].v = as_int16(convert_uint16(v_3));
                        v_3 = vload16(0, &w_2[t_15 + t_16 + 128 + half_ * 32 + at]);
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            int t_20 = 2 * k;
                            q_1[r_11].v[k].v = convert_float16(((low_1[k % 2].v
                                >> min(as_uint16((int16)(k / 2 * 4)), as_uint16((int16)(31))))
                                & 15) | (((as_int16(convert_uint16(v_3))
                                >> min(as_uint16((int16)(t_20)), as_uint16((int16)(31)))) & 3)
                                << (int16)(4)));
                            q_1[r_11].scale[k] = d * (float)(char)scale[t_20];
                            q_1[r_11].offset[k] = 0.0f;
                        }
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            float value_1 = q_1[r_11].scale[k];
                            q_1[r_11].v[k].v = q_1[r_11].v[k].v * value_1 + (0.0f - 32.0f
                                * value_1);
                        }
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 4; k++) {
                        #pragma unroll
                        for (int t_21 = 0; t_21 < 8; t_21++) {
                            ulong t_22 = p % 4;
                            float16 v_4 = vload16(0, &x_2[t_21 * (ulong)n + (p / 4 * 256
                                + ((uint)t_22 / 2 * 128 + (uint)t_22 % 2 * 16)) + k * 32]);
                            #pragma unroll
                            for (int r_12 = 0; r_12 < 1; r_12++)
                                sum_1[r_12][t_21].sum = sum_1[r_12][t_21].sum + q_1[r_12].v[k].v
                                    * v_4;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 8; i++) {
                    /* quern_runs.cuh:423-425 */
                    float16 s = sum_1[0][i].sum;
                    float a = s.s0 + s.s1 + (s.s2 + s.s3);
                    float b = s.s4 + s.s5 + (s.s6 + s.s7);
                    float c = s.s8 + s.s9 + (s.sa + s.sb);
                    float d = s.sc + s.sd + (s.se + s.sf);
                    /* quern_matmul.cuh:214 */
                    total_1[i] = a + b + (c + d);
                }
                #pragma unroll 1
                for (int t_23 = 0; t_23 < 8; t_23++) {
                    for (ulong k = pieces * 64; k < n; k++) {
                        #pragma unroll
                        for (int r_13 = 0; r_13 < 1; r_13++)
                            total_1[t_23 + r_13] += 0.0f * x_2[t_23 * n + k];
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_2 = y + ((token + t_23) * rows + r);
                    #pragma unroll
                    for (int r_14 = 0; r_14 < 1; r_14++)
                        out_1[r_14] = (total_1 + t_23)[r_14];
                    if (bias != 0) {
                        #pragma unroll
                        for (int r_15 = 0; r_15 < 1; r_15++)
                            out_1[r_15] += bias[r + r_15];
                    }
                    if (add != 0) {
                        #pragma unroll
                        for (int r_16 = 0; r_16 < 1; r_16++)
                            out_1[r_16] += y_2[r_16];
                    }
                    #pragma unroll
                    for (int r_17 = 0; r_17 < 1; r_17++)
                        y_2[r_17] = out_1[r_17];
                }
            }
        }
        /* quern_matmul.cuh:249 */
        for (; token < tokens; token++) {
            ulong r;
            for (r = part; r + 1 <= end_1; r++) {
                /* quern_matmul.cuh:175-221 */
                __global const uchar *w_3 = w + r * t_1;
                __global const float *x_3 = x + token * n;
                ulong pieces = (ulong)n / 64;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_1 = 0; r_1 < 1; r_1++) {
                    #pragma unroll
                    for (int t_24 = 0; t_24 < 1; t_24++)
                        sum_2[r_1][t_24].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_2 = 0; r_2 < 1; r_2++) {
                        ulong t_25 = r_2 * t_1;
                        ulong t_26 = p / 4 * 210;
                        ulong t_27 = p % 4;
                        uint t_28 = (uint)t_27 / 2 * 128 + (uint)t_27 % 2 * 16;
                        /* weights_q6_k.cu:31-43 */
                        uint half_ = t_28 / 128;
                        uint at = t_28 % 128;
                        ushort value = *(__global const short *)&w_3[t_25 + t_26 + 208];
                        /* quern_kernel.cuh:124-130 */
                        uint magnitude = (value & 0x7fff) << 13;
                        uint normal = magnitude + 0x38000000;
                        uint special = magnitude + 0x70000000;
                        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                        special = magnitude >= 0xf800000 ? special : normal;
                        uint bits = magnitude < 0x800000 ? as_int(small) : special;
                        float d = as_float(bits | ((value & 0x8000) << 16));
                        /* weights_q6_k.cu:33-43 */
                        __global const uchar *scale = w_3 + (t_25 + t_26 + 192 + half_ * 8 + at
                            / 16);
                        uint t_29 = half_ * 64;
                        uchar16 v_5 = vload16(0, &w_3[t_25 + t_26 + t_29 + at]);
                        low_2[0].v = as_int16(convert_uint16(v_5));
                        v_5 = vload16(0, &w_3[t_25 + t_26 + t_29 + 32 + at]);
                        low_2[1].v = as_int16(convert_uint16(v_5));
                        v_5 = vload16(0, &w_3[t_25 + t_26 + 128 + half_ * 32 + at]);
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            int t_30 = 2 * k;
                            q_2[r_2].v[k].v = convert_float16(((low_2[k % 2].v
                                >> min(as_uint16((int16)(k / 2 * 4)), as_uint16((int16)(31))))
                                & 15) | (((as_int16(convert_uint16(v_5))
                                >> min(as_uint16((int16)(t_30)), as_uint16((int16)(31)))) & 3)
                                << (int16)(4)));
                            q_2[r_2].scale[k] = d * (float)(char)scale[t_30];
                            q_2[r_2].offset[k] = 0.0f;
                        }
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            float value_1 = q_2[r_2].scale[k];
                            q_2[r_2].v[k].v = q_2[r_2].v[k].v * value_1 + (0.0f - 32.0f * value_1);
                        }
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 4; k++) {
                        #pragma unroll
                        for (int t_31 = 0; t_31 < 1; t_31++) {
                            ulong t_32 = p % 4;
                            float16 v_6 = vload16(0, &x_3[t_31 * (ulong)n + (p / 4 * 256
                                + ((uint)t_32 / 2 * 128 + (uint)t_32 % 2 * 16)) + k * 32]);
                            #pragma unroll
                            for (int r_3 = 0; r_3 < 1; r_3++)
                                sum_2[r_3][t_31].sum = sum_2[r_3][t_31].sum + q_2[r_3].v[k].v * v_6;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 1; i++) {
                    /* quern_runs.cuh:423-425 */
                    float16 s = sum_2[0][i].sum;
                    float a = s.s0 + s.s1 + (s.s2 + s.s3);
                    float b = s.s4 + s.s5 + (s.s6 + s.s7);
                    float c = s.s8 + s.s9 + (s.sa + s.sb);
                    float d = s.sc + s.sd + (s.se + s.sf);
                    /* quern_matmul.cuh:214 */
                    total_2[i] = a + b + (c + d);
                }
                #pragma unroll 1
                for (int t_33 = 0; t_33 < 1; t_33++) {
                    for (ulong k = pieces * 64; k < n; k++) {
                        #pragma unroll
                        for (int r_4 = 0; r_4 < 1; r_4++)
                            total_2[t_33 + r_4] += 0.0f * x_3[t_33 * n + k];
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_3 = y + ((token + t_33) * rows + r);
                    #pragma unroll
                    for (int r_5 = 0; r_5 < 1; r_5++)
                        out_2[r_5] = (total_2 + t_33)[r_5];
                    if (bias != 0) {
                        #pragma unroll
                        for (int r_6 = 0; r_6 < 1; r_6++)
                            out_2[r_6] += bias[r + r_6];
                    }
                    if (add != 0) {
                        #pragma unroll
                        for (int r_7 = 0; r_7 < 1; r_7++)
                            out_2[r_7] += y_3[r_7];
                    }
                    #pragma unroll
                    for (int r_8 = 0; r_8 < 1; r_8++)
                        y_3[r_8] = out_2[r_8];
                }
            }
            for (; r < end_1; r++) {
                /* quern_matmul.cuh:175-221 */
                __global const uchar *w_4 = w + r * t_1;
                __global const float *x_4 = x + token * n;
                ulong pieces = (ulong)n / 64;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_9 = 0; r_9 < 1; r_9++) {
                    #pragma unroll
                    for (int t_34 = 0; t_34 < 1; t_34++)
                        sum_3[r_9][t_34].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_10 = 0; r_10 < 1; r_10++) {
                        ulong t_35 = r_10 * t_1;
                        ulong t_36 = p / 4 * 210;
                        ulong t_37 = p % 4;
                        uint t_38 = (uint)t_37 / 2 * 128 + (uint)t_37 % 2 * 16;
                        /* weights_q6_k.cu:31-43 */
                        uint half_ = t_38 / 128;
                        uint at = t_38 % 128;
                        ushort value = *(__global const short *)&w_4[t_35 + t_36 + 208];
                        /* quern_kernel.cuh:124-130 */
                        uint magnitude = (value & 0x7fff) << 13;
                        uint normal = magnitude + 0x38000000;
                        uint special = magnitude + 0x70000000;
                        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                        special = magnitude >= 0xf800000 ? special : normal;
                        uint bits = magnitude < 0x800000 ? as_int(small) : special;
                        float d = as_float(bits | ((value & 0x8000) << 16));
                        /* weights_q6_k.cu:33-43 */
                        __global const uchar *scale = w_4 + (t_35 + t_36 + 192 + half_ * 8 + at
                            / 16);
                        uint t_39 = half_ * 64;
                        uchar16 v_7 = vload16(0, &w_4[t_35 + t_36 + t_39 + at]);
                        low_3[0].v = as_int16(convert_uint16(v_7));
                        v_7 = vload16(0, &w_4[t_35 + t_36 + t_39 + 32 + at]);
                        low_3[1].v = as_int16(convert_uint16(v_7));
                        v_7 = vload16(0, &w_4[t_35 + t_36 + 128 + half_ * 32 + at]);
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            int t_40 = 2 * k;
                            q_3[r_10].v[k].v = convert_float16(((low_3[k % 2].v
                                >> min(as_uint16((int16)(k / 2 * 4)), as_uint16((int16)(31))))
                                & 15) | (((as_int16(convert_uint16(v_7))
                                >> min(as_uint16((int16)(t_40)), as_uint16((int16)(31)))) & 3)
                                << (int16)(4)));
                            q_3[r_10].scale[k] = d * (float)(char)scale[t_40];
                            q_3[r_10].offset[k] = 0.0f;
                        }
                        #pragma unroll
                        for (int k = 0; k < 4; k++) {
                            float value_1 = q_3[r_10].scale[k];
                            q_3[r_10].v[k].v = q_3[r_10].v[k].v * value_1 + (0.0f - 32.0f
                                * value_1);
                        }
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 4; k++) {
                        #pragma unroll
                        for (int t_41 = 0; t_41 < 1; t_41++) {
                            ulong t_42 = p % 4;
                            float16 v_8 = vload16(0, &x_4[t_41 * (ulong)n + (p / 4 * 256
                                + ((uint)t_42 / 2 * 128 + (uint)t_42 % 2 * 16)) + k * 32]);
                            #pragma unroll
                            for (int r_11 = 0; r_11 < 1; r_11++)
                                sum_3[r_11][t_41].sum = sum_3[r_11][t_41].sum + q_3[r_11].v[k].v
                                    * v_8;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 1; i++) {
                    /* quern_runs.cuh:423-425 */
                    float16 s = sum_3[0][i].sum;
                    float a = s.s0 + s.s1 + (s.s2 + s.s3);
                    float b = s.s4 + s.s5 + (s.s6 + s.s7);
                    float c = s.s8 + s.s9 + (s.sa + s.sb);
                    float d = s.sc + s.sd + (s.se + s.sf);
                    /* quern_matmul.cuh:214 */
                    total_3[i] = a + b + (c + d);
                }
                #pragma unroll 1
                for (int t_43 = 0; t_43 < 1; t_43++) {
                    for (ulong k = pieces * 64; k < n; k++) {
                        #pragma unroll
                        for (int r_12 = 0; r_12 < 1; r_12++)
                            total_3[t_43 + r_12] += 0.0f * x_4[t_43 * n + k];
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_4 = y + ((token + t_43) * rows + r);
                    #pragma unroll
                    for (int r_13 = 0; r_13 < 1; r_13++)
                        out_3[r_13] = (total_3 + t_43)[r_13];
                    if (bias != 0) {
                        #pragma unroll
                        for (int r_14 = 0; r_14 < 1; r_14++)
                            out_3[r_14] += bias[r + r_14];
                    }
                    if (add != 0) {
                        #pragma unroll
                        for (int r_15 = 0; r_15 < 1; r_15++)
                            out_3[r_15] += y_4[r_15];
                    }
                    #pragma unroll
                    for (int r_16 = 0; r_16 < 1; r_16++)
                        y_4[r_16] = out_3[r_16];
                }
            }
        }
        part = end_1;
    }
}

/* embed_q6_k, weights_q6_k.cu:48 */
__kernel void embed_q6_k(__global float *restrict out, __global const uchar *restrict table,
                         __global const int *restrict ids, uint tokens, uint n, uint table_rows,
                         float scale)
{
    ulong piece = (tokens + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = min(piece * get_group_id(0), (ulong)tokens);
    ulong end = min(t + piece, (ulong)tokens);
    struct qk_bytes low[2];
    struct qk_piece q;
    /* quern_weights.cuh:202-221 */
    for (; t < end; t++) {
        uint id = ids[t];
        bool condition = id < table_rows;
        id = condition ? id : 0;
        __global const uchar *row = table + id * ((ulong)n / 256 * 210);
        __global float *to = out + t * n;
        ulong pieces = condition ? (ulong)n / 64 : 0;
        ulong piece_1 = (pieces + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), pieces);
        ulong end_1 = min(p + piece_1, pieces);
        for (; p < end_1; p++) {
            ulong t_2 = p / 4;
            ulong t_3 = t_2 * 210;
            ulong t_4 = p % 4;
            uint t_5 = (uint)t_4 / 2 * 128 + (uint)t_4 % 2 * 16;
            /* weights_q6_k.cu:31-43 */
            uint half_ = t_5 / 128;
            uint at = t_5 % 128;
            ushort value = *(__global const short *)&row[t_3 + 208];
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float d = as_float(bits | ((value & 0x8000) << 16));
            /* weights_q6_k.cu:33-43 */
            __global const uchar *scale_1 = row + (t_3 + 192 + half_ * 8 + at / 16);
            uint t_6 = half_ * 64;
            uchar16 v = vload16(0, &row[t_3 + t_6 + at]);
            low[0].v = as_int16(convert_uint16(v));
            v = vload16(0, &row[t_3 + t_6 + 32 + at]);
            low[1].v = as_int16(convert_uint16(v));
            v = vload16(0, &row[t_3 + 128 + half_ * 32 + at]);
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                int t_7 = 2 * k;
                q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                    | (((as_int16(convert_uint16(v)) >> (int16)(t_7)) & 3) << (int16)(4)));
                q.scale[k] = d * (float)(char)scale_1[t_7];
                q.offset[k] = 0.0f;
            }
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float value_1 = q.scale[k];
                q.v[k].v = q.v[k].v * value_1 + (0.0f - 32.0f * value_1);
            }
            /* quern_weights.cuh:213 */
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float16 t_8 = q.v[k].v * scale + 0.0f;
                q.v[k].v = t_8;
                vstore16(t_8, 0, &to[t_2 * 256 + t_5 + k * 32]);
            }
        }
        ulong done = pieces * 64;
        ulong t_1 = n - done;
        piece_1 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_1 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_1, t_1);
        for (ulong i = done + result; i < done + end_2; i++)
            to[i] = condition ? 0.0f * scale : NAN;
    }
}

/* unpack_q6_k, weights_q6_k.cu:48 */
__kernel void unpack_q6_k(__global struct qk_half *restrict out, __global const uchar *restrict w,
                          ulong n)
{
    ulong pieces = n / 64;
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = (pieces + t - 1) / t;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), pieces);
    ulong end = min(p + piece, pieces);
    struct qk_bytes low[2];
    struct qk_piece q;
    /* quern_weights.cuh:230-239 */
    for (; p < end; p++) {
        ulong t_2 = p / 4;
        ulong t_3 = t_2 * 210;
        ulong t_4 = p % 4;
        uint t_5 = (uint)t_4 / 2 * 128 + (uint)t_4 % 2 * 16;
        /* weights_q6_k.cu:31-43 */
        uint half_ = t_5 / 128;
        uint at = t_5 % 128;
        ushort value = *(__global const short *)&w[t_3 + 208];
        /* quern_kernel.cuh:124-130 */
        uint magnitude = (value & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        float d = as_float(bits | ((value & 0x8000) << 16));
        /* weights_q6_k.cu:33-43 */
        __global const uchar *scale = w + (t_3 + 192 + half_ * 8 + at / 16);
        uint t_6 = half_ * 64;
        uchar16 v = vload16(0, &w[t_3 + t_6 + at]);
        low[0].v = as_int16(convert_uint16(v));
        v = vload16(0, &w[t_3 + t_6 + 32 + at]);
        low[1].v = as_int16(convert_uint16(v));
        v = vload16(0, &w[t_3 + 128 + half_ * 32 + at]);
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            int t_7 = 2 * k;
            q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                | (((as_int16(convert_uint16(v)) >> (int16)(t_7)) & 3) << (int16)(4)));
            q.scale[k] = d * (float)(char)scale[t_7];
            q.offset[k] = 0.0f;
        }
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            float value_1 = q.scale[k];
            q.v[k].v = q.v[k].v * value_1 + (0.0f - 32.0f * value_1);
        }
        /* quern_weights.cuh:234-235 */
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            ulong t_8 = t_2 * 256 + t_5;
            int t_9 = k * 32;
            float16 v_1 = q.v[k].v;
            uint bits_1 = as_int(v_1.s0);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            small_1 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            uint r = magnitude_1 >= 0x47800000 ? special_1 : small_1;
            /* quern_runs.cuh:283-286 */
            out[t_8 + t_9].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s1);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s2);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s3);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s4);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:283-286 */
            out[t_8 + t_9 + 4].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s5);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 4 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s6);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 4 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s7);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 4 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s8);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:283-286 */
            out[t_8 + t_9 + 8].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s9);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 8 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sa);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 8 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sb);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 8 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sc);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:283-286 */
            out[t_8 + t_9 + 12].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sd);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 12 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.se);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 12 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sf);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_8 + t_9 + 12 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
    }
    ulong done = pieces * 64;
    ulong t_1 = n - done;
    piece = (t_1 + t - 1) / t;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_1);
    ulong end_1 = min(result + piece, t_1);
    for (ulong i = done + result; i < done + end_1; i++)
        out[i].bits = 0;
}
