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
    /* quern_weights.cuh:173-184 */
    ulong expert = pick != 0 ? (ulong)(uint)*pick : 0;
    ulong t = (ulong)n / 256 * 210;
    ulong t_1 = expert * rows * t;
    uint team = get_group_id(0) * get_local_size(0) + get_local_id(0);
    uint teams = get_num_groups(0) * get_local_size(0);
    ulong groups = rows / 4;
    ulong piece = (groups + teams - 1) / teams;
    ulong t_2 = piece * team;
    ulong g = t_2 < groups ? t_2 : groups;
    ulong t_3 = g + piece;
    ulong end = t_3 < groups ? t_3 : groups;
    struct qk_partial sum[4];
    struct qk_partial sum_x[4];
    struct qk_run v[4];
    struct qk_bytes low[2];
    struct qk_piece q;
    float sums[4];
    for (; g < end; g++) {
        ulong t_8 = g * 4;
        /* quern_weights.cuh:144-163 */
        __global const uchar *w_1 = w + (t_1 + t_8 * t);
        ulong pieces = (ulong)n / 64;
        /* quern_weights.cuh:64-90 */
        #pragma unroll
        for (int r_1 = 0; r_1 < 4; r_1++)
            sum[r_1].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong t_9 = p + pieces;
        ulong end_2 = t_9 < pieces ? t_9 : pieces;
        #pragma unroll 1
        for (; p < end_2; p++) {
            ulong t_10 = p / 4;
            ulong t_11 = p % 4;
            uint t_12 = (uint)t_11 / 2 * 128 + (uint)t_11 % 2 * 16;
            __global const float *at = x + (t_10 * 256 + t_12);
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
                ulong t_13 = r_2 * t;
                ulong t_14 = t_10 * 210;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_12 / 128;
                uint at_1 = t_12 % 128;
                ushort value = *(__global const short *)&w_1[t_13 + t_14 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_1 + (t_13 + t_14 + 192 + half_ * 8 + at_1 / 16);
                uint t_15 = half_ * 64;
                uchar16 v_3 = vload16(0, &w_1[t_13 + t_14 + t_15 + at_1]);
                low[0].v = as_int16(convert_uint16(v_3));
                v_3 = vload16(0, &w_1[t_13 + t_14 + t_15 + 32 + at_1]);
                low[1].v = as_int16(convert_uint16(v_3));
                v_3 = vload16(0, &w_1[t_13 + t_14 + 128 + half_ * 32 + at_1]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_16 = 2 * k;
                    q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v_3)) >> (int16)(t_16)) & 3) << (int16)(4)));
                    q.scale[k] = d * (float)(char)scale[t_16];
                    q.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int g_2 = 0; g_2 < 4; g_2++) {
                    float16 group = 0.0f + sum_x[g_2].sum * -32.0f;
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_17 = g_2 + k;
                        group = group + q.v[t_17].v * v[t_17].v;
                    }
                    sum[r_2].sum = sum[r_2].sum + group * q.scale[g_2];
                }
            }
        }
        #pragma unroll
        for (int r_3 = 0; r_3 < 4; r_3++) {
            /* quern_runs.cuh:394-396 */
            float16 s = sum[r_3].sum;
            float a = s.s0 + s.s1 + (s.s2 + s.s3);
            float b = s.s4 + s.s5 + (s.s6 + s.s7);
            float c = s.s8 + s.s9 + (s.sa + s.sb);
            float d = s.sc + s.sd + (s.se + s.sf);
            sums[r_3] = a + b + (c + d);
        }
        #pragma unroll
        for (int r_4 = 0; r_4 < 4; r_4++) {
            ulong t_18 = t_8 + r_4;
            float value = sums[r_4];
            /* quern_weights.cuh:103-104 */
            float before = add != 0 ? y[t_18] : 0.0f;
            float t_19;
            if (bias != 0)
                t_19 = bias[t_18];
            else
                t_19 = 0.0f;
            y[t_18] = value + t_19 + before;
        }
    }
    /* quern_weights.cuh:182-184 */
    ulong t_4 = groups * 4;
    ulong t_5 = rows - t_4;
    piece = (t_5 + teams - 1) / teams;
    ulong t_6 = piece * team;
    ulong r = t_6 < t_5 ? t_6 : t_5;
    ulong t_7 = r + piece;
    ulong end_1 = t_7 < t_5 ? t_7 : t_5;
    struct qk_partial sum_1[1];
    struct qk_partial sum_x_1[4];
    struct qk_run v_1[4];
    struct qk_bytes low_1[2];
    struct qk_piece q_1;
    float sums_1[1];
    for (; r < end_1; r++) {
        ulong t_20 = t_4 + r;
        /* quern_weights.cuh:144-163 */
        __global const uchar *w_2 = w + (t_1 + t_20 * t);
        ulong pieces = (ulong)n / 64;
        /* quern_weights.cuh:64-90 */
        #pragma unroll
        for (int r_5 = 0; r_5 < 1; r_5++)
            sum_1[r_5].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong t_21 = p + pieces;
        ulong end_3 = t_21 < pieces ? t_21 : pieces;
        #pragma unroll 1
        for (; p < end_3; p++) {
            ulong t_22 = p / 4;
            ulong t_23 = p % 4;
            uint t_24 = (uint)t_23 / 2 * 128 + (uint)t_23 % 2 * 16;
            __global const float *at = x + (t_22 * 256 + t_24);
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
                ulong t_25 = r_6 * t;
                ulong t_26 = t_22 * 210;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_24 / 128;
                uint at_1 = t_24 % 128;
                ushort value = *(__global const short *)&w_2[t_25 + t_26 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_2 + (t_25 + t_26 + 192 + half_ * 8 + at_1 / 16);
                uint t_27 = half_ * 64;
                uchar16 v_5 = vload16(0, &w_2[t_25 + t_26 + t_27 + at_1]);
                low_1[0].v = as_int16(convert_uint16(v_5));
                v_5 = vload16(0, &w_2[t_25 + t_26 + t_27 + 32 + at_1]);
                low_1[1].v = as_int16(convert_uint16(v_5));
                v_5 = vload16(0, &w_2[t_25 + t_26 + 128 + half_ * 32 + at_1]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_28 = 2 * k;
                    q_1.v[k].v = convert_float16(((low_1[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v_5)) >> (int16)(t_28)) & 3) << (int16)(4)));
                    q_1.scale[k] = d * (float)(char)scale[t_28];
                    q_1.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int g_4 = 0; g_4 < 4; g_4++) {
                    float16 group = 0.0f + sum_x_1[g_4].sum * -32.0f;
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_29 = g_4 + k;
                        group = group + q_1.v[t_29].v * v_1[t_29].v;
                    }
                    sum_1[r_6].sum = sum_1[r_6].sum + group * q_1.scale[g_4];
                }
            }
        }
        #pragma unroll
        for (int r_7 = 0; r_7 < 1; r_7++) {
            /* quern_runs.cuh:394-396 */
            float16 s = sum_1[r_7].sum;
            float a = s.s0 + s.s1 + (s.s2 + s.s3);
            float b = s.s4 + s.s5 + (s.s6 + s.s7);
            float c = s.s8 + s.s9 + (s.sa + s.sb);
            float d = s.sc + s.sd + (s.se + s.sf);
            sums_1[r_7] = a + b + (c + d);
        }
        #pragma unroll
        for (int r_8 = 0; r_8 < 1; r_8++) {
            ulong t_30 = t_20 + r_8;
            float value = sums_1[r_8];
            /* quern_weights.cuh:103-104 */
            float before = add != 0 ? y[t_30] : 0.0f;
            float t_31;
            if (bias != 0)
                t_31 = bias[t_30];
            else
                t_31 = 0.0f;
            y[t_30] = value + t_31 + before;
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
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong t_2 = t_1 < rows ? t_1 : rows;
    ulong t_3 = t_2 + piece;
    ulong end = t_3 < rows ? t_3 : rows;
    ulong token;
    struct qk_partial sum[8];
    struct qk_bytes low[2];
    struct qk_piece q;
    /* quern_matmul.cuh:187-191 */
    for (token = 0; token + 8 <= tokens; token += 8) {
        for (ulong r = t_2; r < end; r++) {
            /* quern_matmul.cuh:152-175 */
            __global const uchar *w_1 = w + r * ((ulong)n / 256 * 210);
            __global const float *x_1 = x + token * n;
            ulong pieces = (ulong)n / 64;
            #pragma unroll
            for (int t_4 = 0; t_4 < 8; t_4++)
                sum[t_4].sum = (float16)(0.0f);
            for (ulong p = 0; p < pieces; p++) {
                ulong t_5 = p / 4;
                ulong t_6 = t_5 * 210;
                ulong t_7 = p % 4;
                uint t_8 = (uint)t_7 / 2 * 128 + (uint)t_7 % 2 * 16;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_8 / 128;
                uint at = t_8 % 128;
                ushort value = *(__global const short *)&w_1[t_6 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_1 + (t_6 + 192 + half_ * 8 + at / 16);
                uint t_9 = half_ * 64;
                uchar16 v = vload16(0, &w_1[t_6 + t_9 + at]);
                low[0].v = as_int16(convert_uint16(v));
                v = vload16(0, &w_1[t_6 + t_9 + 32 + at]);
                low[1].v = as_int16(convert_uint16(v));
                v = vload16(0, &w_1[t_6 + 128 + half_ * 32 + at]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_10 = 2 * k;
                    q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v)) >> (int16)(t_10)) & 3) << (int16)(4)));
                    q.scale[k] = d * (float)(char)scale[t_10];
                    q.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    float value_1 = q.scale[k];
                    q.v[k].v = q.v[k].v * value_1 + (0.0f - 32.0f * value_1);
                }
                /* quern_matmul.cuh:163-165 */
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    #pragma unroll
                    for (int t_11 = 0; t_11 < 8; t_11++) {
                        float16 v_1 = vload16(0, &x_1[t_11 * (ulong)n + (t_5 * 256 + t_8) + k
                            * 32]);
                        sum[t_11].sum = sum[t_11].sum + q.v[k].v * v_1;
                    }
                }
            }
            #pragma unroll
            for (int t_12 = 0; t_12 < 8; t_12++) {
                /* quern_runs.cuh:394-397 */
                float16 s = sum[t_12].sum;
                float a = s.s0 + s.s1 + (s.s2 + s.s3);
                float b = s.s4 + s.s5 + (s.s6 + s.s7);
                float c = s.s8 + s.s9 + (s.sa + s.sb);
                float d = s.sc + s.sd + (s.se + s.sf);
                float total = a + b + (c + d);
                /* quern_matmul.cuh:174-175 */
                for (ulong i = pieces * 64; i < n; i++)
                    total += 0.0f * x_1[t_12 * (ulong)n + i];
                /* quern_matmul.cuh:22-24 */
                __global float *y_1 = y + ((token + t_12) * rows + r);
                float before = add != 0 ? *y_1 : 0.0f;
                float t_13;
                if (bias != 0)
                    t_13 = bias[r];
                else
                    t_13 = 0.0f;
                *y_1 = total + t_13 + before;
            }
        }
    }
    struct qk_partial sum_1[1];
    struct qk_bytes low_1[2];
    struct qk_piece q_1;
    for (; token < tokens; token++) {
        for (ulong r = t_2; r < end; r++) {
            /* quern_matmul.cuh:152-175 */
            __global const uchar *w_2 = w + r * ((ulong)n / 256 * 210);
            __global const float *x_2 = x + token * n;
            ulong pieces = (ulong)n / 64;
            #pragma unroll
            for (int t_14 = 0; t_14 < 1; t_14++)
                sum_1[t_14].sum = (float16)(0.0f);
            for (ulong p = 0; p < pieces; p++) {
                ulong t_15 = p / 4;
                ulong t_16 = t_15 * 210;
                ulong t_17 = p % 4;
                uint t_18 = (uint)t_17 / 2 * 128 + (uint)t_17 % 2 * 16;
                /* weights_q6_k.cu:31-43 */
                uint half_ = t_18 / 128;
                uint at = t_18 % 128;
                ushort value = *(__global const short *)&w_2[t_16 + 208];
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float d = as_float(bits | ((value & 0x8000) << 16));
                /* weights_q6_k.cu:33-43 */
                __global const uchar *scale = w_2 + (t_16 + 192 + half_ * 8 + at / 16);
                uint t_19 = half_ * 64;
                uchar16 v = vload16(0, &w_2[t_16 + t_19 + at]);
                low_1[0].v = as_int16(convert_uint16(v));
                v = vload16(0, &w_2[t_16 + t_19 + 32 + at]);
                low_1[1].v = as_int16(convert_uint16(v));
                v = vload16(0, &w_2[t_16 + 128 + half_ * 32 + at]);
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_20 = 2 * k;
                    q_1.v[k].v = convert_float16(((low_1[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                        | (((as_int16(convert_uint16(v)) >> (int16)(t_20)) & 3) << (int16)(4)));
                    q_1.scale[k] = d * (float)(char)scale[t_20];
                    q_1.offset[k] = 0.0f;
                }
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    float value_1 = q_1.scale[k];
                    q_1.v[k].v = q_1.v[k].v * value_1 + (0.0f - 32.0f * value_1);
                }
                /* quern_matmul.cuh:163-165 */
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    #pragma unroll
                    for (int t_21 = 0; t_21 < 1; t_21++) {
                        float16 v_1 = vload16(0, &x_2[t_21 * (ulong)n + (t_15 * 256 + t_18) + k
                            * 32]);
                        sum_1[t_21].sum = sum_1[t_21].sum + q_1.v[k].v * v_1;
                    }
                }
            }
            #pragma unroll
            for (int t_22 = 0; t_22 < 1; t_22++) {
                /* quern_runs.cuh:394-397 */
                float16 s = sum_1[t_22].sum;
                float a = s.s0 + s.s1 + (s.s2 + s.s3);
                float b = s.s4 + s.s5 + (s.s6 + s.s7);
                float c = s.s8 + s.s9 + (s.sa + s.sb);
                float d = s.sc + s.sd + (s.se + s.sf);
                float total = a + b + (c + d);
                /* quern_matmul.cuh:174-175 */
                for (ulong i = pieces * 64; i < n; i++)
                    total += 0.0f * x_2[t_22 * (ulong)n + i];
                /* quern_matmul.cuh:22-24 */
                __global float *y_2 = y + ((token + t_22) * rows + r);
                float before = add != 0 ? *y_2 : 0.0f;
                float t_23;
                if (bias != 0)
                    t_23 = bias[r];
                else
                    t_23 = 0.0f;
                *y_2 = total + t_23 + before;
            }
        }
    }
}

/* embed_q6_k, weights_q6_k.cu:48 */
__kernel void embed_q6_k(__global float *restrict out, __global const uchar *restrict table,
                         __global const int *restrict ids, uint tokens, uint n, uint table_rows,
                         float scale)
{
    ulong piece = (tokens + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong t_1 = t < tokens ? t : tokens;
    ulong t_2 = t_1 + piece;
    ulong end = t_2 < tokens ? t_2 : tokens;
    struct qk_bytes low[2];
    struct qk_piece q;
    /* quern_weights.cuh:195-214 */
    for (; t_1 < end; t_1++) {
        uint id = ids[t_1];
        bool condition = id < table_rows;
        id = condition ? id : 0;
        __global const uchar *row = table + id * ((ulong)n / 256 * 210);
        __global float *to = out + t_1 * n;
        ulong pieces = condition ? (ulong)n / 64 : 0;
        ulong piece_1 = (pieces + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < pieces ? t_3 : pieces;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < pieces ? t_4 : pieces;
        for (; p < end_1; p++) {
            ulong t_9 = p / 4;
            ulong t_10 = t_9 * 210;
            ulong t_11 = p % 4;
            uint t_12 = (uint)t_11 / 2 * 128 + (uint)t_11 % 2 * 16;
            /* weights_q6_k.cu:31-43 */
            uint half_ = t_12 / 128;
            uint at = t_12 % 128;
            ushort value = *(__global const short *)&row[t_10 + 208];
            /* quern_kernel.cuh:124-130 */
            uint magnitude = (value & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float d = as_float(bits | ((value & 0x8000) << 16));
            /* weights_q6_k.cu:33-43 */
            __global const uchar *scale_1 = row + (t_10 + 192 + half_ * 8 + at / 16);
            uint t_13 = half_ * 64;
            uchar16 v = vload16(0, &row[t_10 + t_13 + at]);
            low[0].v = as_int16(convert_uint16(v));
            v = vload16(0, &row[t_10 + t_13 + 32 + at]);
            low[1].v = as_int16(convert_uint16(v));
            v = vload16(0, &row[t_10 + 128 + half_ * 32 + at]);
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                int t_14 = 2 * k;
                q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                    | (((as_int16(convert_uint16(v)) >> (int16)(t_14)) & 3) << (int16)(4)));
                q.scale[k] = d * (float)(char)scale_1[t_14];
                q.offset[k] = 0.0f;
            }
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float value_1 = q.scale[k];
                q.v[k].v = q.v[k].v * value_1 + (0.0f - 32.0f * value_1);
            }
            /* quern_weights.cuh:206 */
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float16 t_15 = q.v[k].v * scale + 0.0f;
                q.v[k].v = t_15;
                vstore16(t_15, 0, &to[t_9 * 256 + t_12 + k * 32]);
            }
        }
        ulong done = pieces * 64;
        ulong t_5 = n - done;
        piece_1 = (t_5 + get_local_size(0) - 1) / get_local_size(0);
        ulong t_6 = piece_1 * get_local_id(0);
        ulong t_7 = t_6 < t_5 ? t_6 : t_5;
        ulong t_8 = t_7 + piece_1;
        ulong end_2 = t_8 < t_5 ? t_8 : t_5;
        for (ulong i = done + t_7; i < done + end_2; i++)
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
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong p = t_1 < pieces ? t_1 : pieces;
    ulong t_2 = p + piece;
    ulong end = t_2 < pieces ? t_2 : pieces;
    struct qk_bytes low[2];
    struct qk_piece q;
    /* quern_weights.cuh:223-232 */
    for (; p < end; p++) {
        ulong t_8 = p / 4;
        ulong t_9 = t_8 * 210;
        ulong t_10 = p % 4;
        uint t_11 = (uint)t_10 / 2 * 128 + (uint)t_10 % 2 * 16;
        /* weights_q6_k.cu:31-43 */
        uint half_ = t_11 / 128;
        uint at = t_11 % 128;
        ushort value = *(__global const short *)&w[t_9 + 208];
        /* quern_kernel.cuh:124-130 */
        uint magnitude = (value & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        float d = as_float(bits | ((value & 0x8000) << 16));
        /* weights_q6_k.cu:33-43 */
        __global const uchar *scale = w + (t_9 + 192 + half_ * 8 + at / 16);
        uint t_12 = half_ * 64;
        uchar16 v = vload16(0, &w[t_9 + t_12 + at]);
        low[0].v = as_int16(convert_uint16(v));
        v = vload16(0, &w[t_9 + t_12 + 32 + at]);
        low[1].v = as_int16(convert_uint16(v));
        v = vload16(0, &w[t_9 + 128 + half_ * 32 + at]);
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            int t_13 = 2 * k;
            q.v[k].v = convert_float16(((low[k % 2].v >> (int16)(k / 2 * 4)) & 15)
                | (((as_int16(convert_uint16(v)) >> (int16)(t_13)) & 3) << (int16)(4)));
            q.scale[k] = d * (float)(char)scale[t_13];
            q.offset[k] = 0.0f;
        }
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            float value_1 = q.scale[k];
            q.v[k].v = q.v[k].v * value_1 + (0.0f - 32.0f * value_1);
        }
        /* quern_weights.cuh:227-228 */
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            ulong t_14 = t_8 * 256 + t_11;
            int t_15 = k * 32;
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
            /* quern_runs.cuh:265-268 */
            out[t_14 + t_15].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s1);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s2);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s3);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s4);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_14 + t_15 + 4].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s5);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 4 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s6);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 4 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s7);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 4 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s8);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_14 + t_15 + 8].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.s9);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 8 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sa);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 8 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sb);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 8 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sc);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_14 + t_15 + 12].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sd);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 12 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.se);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 12 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v_1.sf);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_14 + t_15 + 12 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
    }
    ulong done = pieces * 64;
    ulong t_3 = n - done;
    uint t_4 = get_num_groups(0) * get_local_size(0);
    piece = (t_3 + t_4 - 1) / t_4;
    ulong t_5 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong t_6 = t_5 < t_3 ? t_5 : t_3;
    ulong t_7 = t_6 + piece;
    ulong end_1 = t_7 < t_3 ? t_7 : t_3;
    for (ulong i = done + t_6; i < done + end_1; i++)
        out[i].bits = 0;
}
