#pragma OPENCL FP_CONTRACT ON

struct qk_partial {
    float16 sum;
};

struct qk_run {
    float16 v;
};

struct qk_piece {
    struct qk_run v[1];
    float scale[1];
    float offset[1];
    uchar padding3[56];
};

struct qk_half {
    ushort bits;
};

/* matvec_f16, weights_f16.cu:7 */
__kernel void matvec_f16(__global float *restrict y, __global const uchar *restrict w,
                         __global const float *restrict x, __global const float *restrict bias,
                         __global const int *restrict pick, uint rows, uint n, uint add)
{
    /* quern_weights.cuh:180-191 */
    ulong expert = pick != 0 ? (ulong)(uint)*pick : 0;
    ulong t = (ulong)n * 2;
    ulong t_1 = expert * rows * t;
    uint team = get_group_id(0) * get_local_size(0) + get_local_id(0);
    uint teams = get_num_groups(0) * get_local_size(0);
    ulong groups = rows / 4;
    ulong piece = (groups + teams - 1) / teams;
    ulong g = min(piece * team, groups);
    ulong end = min(g + piece, groups);
    struct qk_partial sum[4];
    struct qk_partial sum_x[1];
    struct qk_run v[1];
    struct qk_piece q;
    float sums[4];
    for (; g < end; g++) {
        ulong t_4 = g * 4;
        /* quern_weights.cuh:151-170 */
        __global const uchar *w_1 = w + (t_1 + t_4 * t);
        ulong t_5 = (ulong)n / 16;
        /* quern_weights.cuh:71-97 */
        #pragma unroll
        for (int r_1 = 0; r_1 < 4; r_1++)
            sum[r_1].sum = (float16)(0.0f);
        ulong p = 0 < t_5 ? 0 : t_5;
        ulong end_2 = min(p + t_5, t_5);
        #pragma unroll 1
        for (; p < end_2; p++) {
            __global const float16 *at = (__global const float16 *)(x + p * 16);
            #pragma unroll
            for (int g_1 = 0; g_1 < 1; g_1++)
                sum_x[g_1].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 1; k++) {
                float16 v_2 = vload16(0, (__global const float *)at);
                v[k].v = v_2;
            }
            #pragma unroll
            for (int r_2 = 0; r_2 < 4; r_2++) {
                /* quern_runs.cuh:376-386 */
                short16 half_ = vload16(0, (__global const short *)&w_1[r_2 * t + p * 32]);
                int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
                int16 magnitude = (bits & 32767) << (int16)(13);
                float16 normal = as_float16(as_uint16(magnitude) + as_uint16((int16)(1879048192)))
                    * 1.92593e-34f;
                float16 small = as_float16(as_uint16(magnitude) + as_uint16((int16)(947912704)))
                    - 6.1035156e-05f;
                int16 is_small = as_int16(as_uint16(magnitude) - as_uint16((int16)(8388608)))
                    >> (int16)(31);
                int16 value = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small) & is_small);
                q.v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                q.scale[0] = 1.0f;
                q.offset[0] = 0.0f;
                #pragma unroll
                for (int g_2 = 0; g_2 < 1; g_2++) {
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_8 = g_2 + k;
                        sum[r_2].sum = sum[r_2].sum + q.v[t_8].v * v[t_8].v;
                    }
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
        /* quern_weights.cuh:158-170 */
        ulong done = t_5 * 16;
        ulong t_6 = n - done;
        ulong t_7 = 0 < t_6 ? 0 : t_6;
        ulong end_3 = min(t_7 + t_6, t_6);
        #pragma unroll
        for (int r_4 = 0; r_4 < 4; r_4++) {
            for (ulong i = done + t_7; i < done + end_3; i++) {
                ushort value = ((__global const struct qk_half *)&w_1[r_4 * t])[i].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                /* quern_weights.cuh:163 */
                sums[r_4] += as_float(bits | ((value & 0x8000) << 16)) * x[i];
            }
        }
        #pragma unroll
        for (int r_5 = 0; r_5 < 4; r_5++) {
            ulong t_9 = t_4 + r_5;
            float value = sums[r_5];
            /* quern_weights.cuh:110-111 */
            float before = add != 0 ? y[t_9] : 0.0f;
            float t_10;
            if (bias != 0)
                t_10 = bias[t_9];
            else
                t_10 = 0.0f;
            y[t_9] = value + t_10 + before;
        }
    }
    /* quern_weights.cuh:189-191 */
    ulong t_2 = groups * 4;
    ulong t_3 = rows - t_2;
    piece = (t_3 + teams - 1) / teams;
    ulong r = min(piece * team, t_3);
    ulong end_1 = min(r + piece, t_3);
    struct qk_partial sum_1[1];
    struct qk_partial sum_x_1[1];
    struct qk_run v_1[1];
    struct qk_piece q_1;
    float sums_1[1];
    for (; r < end_1; r++) {
        ulong t_11 = t_2 + r;
        /* quern_weights.cuh:151-170 */
        __global const uchar *w_2 = w + (t_1 + t_11 * t);
        ulong t_12 = (ulong)n / 16;
        /* quern_weights.cuh:71-97 */
        #pragma unroll
        for (int r_6 = 0; r_6 < 1; r_6++)
            sum_1[r_6].sum = (float16)(0.0f);
        ulong p = 0 < t_12 ? 0 : t_12;
        ulong end_4 = min(p + t_12, t_12);
        #pragma unroll 1
        for (; p < end_4; p++) {
            __global const float16 *at = (__global const float16 *)(x + p * 16);
            #pragma unroll
            for (int g_3 = 0; g_3 < 1; g_3++)
                sum_x_1[g_3].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 1; k++) {
                float16 v_3 = vload16(0, (__global const float *)at);
                v_1[k].v = v_3;
            }
            #pragma unroll
            for (int r_7 = 0; r_7 < 1; r_7++) {
                /* quern_runs.cuh:376-386 */
                short16 half_ = vload16(0, (__global const short *)&w_2[r_7 * t + p * 32]);
                int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
                int16 magnitude = (bits & 32767) << (int16)(13);
                float16 normal = as_float16(as_uint16(magnitude) + as_uint16((int16)(1879048192)))
                    * 1.92593e-34f;
                float16 small = as_float16(as_uint16(magnitude) + as_uint16((int16)(947912704)))
                    - 6.1035156e-05f;
                int16 is_small = as_int16(as_uint16(magnitude) - as_uint16((int16)(8388608)))
                    >> (int16)(31);
                int16 value = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small) & is_small);
                q_1.v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                q_1.scale[0] = 1.0f;
                q_1.offset[0] = 0.0f;
                #pragma unroll
                for (int g_4 = 0; g_4 < 1; g_4++) {
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        int t_15 = g_4 + k;
                        sum_1[r_7].sum = sum_1[r_7].sum + q_1.v[t_15].v * v_1[t_15].v;
                    }
                }
            }
        }
        #pragma unroll
        for (int r_8 = 0; r_8 < 1; r_8++) {
            /* quern_runs.cuh:423-425 */
            float16 s = sum_1[r_8].sum;
            float a = s.s0 + s.s1 + (s.s2 + s.s3);
            float b = s.s4 + s.s5 + (s.s6 + s.s7);
            float c = s.s8 + s.s9 + (s.sa + s.sb);
            float d = s.sc + s.sd + (s.se + s.sf);
            sums_1[r_8] = a + b + (c + d);
        }
        /* quern_weights.cuh:158-170 */
        ulong done = t_12 * 16;
        ulong t_13 = n - done;
        ulong t_14 = 0 < t_13 ? 0 : t_13;
        ulong end_5 = min(t_14 + t_13, t_13);
        #pragma unroll
        for (int r_9 = 0; r_9 < 1; r_9++) {
            for (ulong i = done + t_14; i < done + end_5; i++) {
                ushort value = ((__global const struct qk_half *)&w_2[r_9 * t])[i].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                /* quern_weights.cuh:163 */
                sums_1[r_9] += as_float(bits | ((value & 0x8000) << 16)) * x[i];
            }
        }
        #pragma unroll
        for (int r_10 = 0; r_10 < 1; r_10++) {
            ulong t_16 = t_11 + r_10;
            float value = sums_1[r_10];
            /* quern_weights.cuh:110-111 */
            float before = add != 0 ? y[t_16] : 0.0f;
            float t_17;
            if (bias != 0)
                t_17 = bias[t_16];
            else
                t_17 = 0.0f;
            y[t_16] = value + t_17 + before;
        }
    }
}

/* matmul_f16, weights_f16.cu:7 */
__kernel void matmul_f16(__global float *restrict y, __global const uchar *restrict w,
                         __global const float *restrict x, __global const float *restrict bias,
                         uint rows, uint n, uint tokens, uint add)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)rows + t - 1) / t;
    ulong part = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)rows);
    ulong end = min(part + piece, (ulong)rows);
    ulong t_1 = (ulong)n * 2;
    /* quern_matmul.cuh:243-249 */
    ulong kept = 262144 / (t_1 + 1) / 4 * 4 + 4;
    struct qk_partial sum[4][4];
    struct qk_piece q[4];
    float16 v[16];
    float total[16];
    float out[4];
    struct qk_partial sum_1[1][4];
    struct qk_piece q_1[1];
    float total_1[4];
    float out_1[1];
    struct qk_partial sum_2[1][1];
    struct qk_piece q_2[1];
    float total_2[1];
    float out_2[1];
    struct qk_partial sum_3[1][1];
    struct qk_piece q_3[1];
    float total_3[1];
    float out_3[1];
    while (part < end) {
        ulong end_1 = min(end, part + kept);
        ulong token;
        for (token = 0; token + 4 <= tokens; token += 4) {
            ulong r;
            for (r = part; r + 4 <= end_1; r += 4) {
                /* quern_matmul.cuh:175-222 */
                __global const uchar *w_1 = w + r * t_1;
                __global const float *x_1 = x + token * n;
                ulong pieces = (ulong)n / 16;
                #pragma unroll
                for (int r_1 = 1; r_1 < 4; r_1++)
                    ;
                #pragma unroll
                for (int r_2 = 0; r_2 < 4; r_2++) {
                    #pragma unroll
                    for (int t_2 = 0; t_2 < 4; t_2++)
                        sum[r_2][t_2].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_3 = 0; r_3 < 4; r_3++) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&w_1[r_3 * t_1 + p
                            * 32]);
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
                        q[r_3].v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                        q[r_3].scale[0] = 1.0f;
                        q[r_3].offset[0] = 0.0f;
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        #pragma unroll
                        for (int t_3 = 0; t_3 < 4; t_3++) {
                            float16 v_1 = vload16(0, &x_1[t_3 * (ulong)n + p * 16]);
                            #pragma unroll
                            for (int r_4 = 0; r_4 < 4; r_4++)
                                sum[r_4][t_3].sum = sum[r_4][t_3].sum + q[r_4].v[k].v * v_1;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 16; i++)
                    v[i] = sum[i % 4][i / 4 % 4].sum;
                /* quern_runs.cuh:441-444 */
                #pragma unroll
                for (int k = 8; k != 0; k /= 2) {
                    #pragma unroll
                    for (int i = 0; i < k; i++) {
                        int t_4 = 2 * i;
                        float16 value = v[t_4];
                        float16 value_1 = v[t_4 + 1];
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
                for (int t_5 = 0; t_5 < 4; t_5++) {
                    for (ulong k = pieces * 16; k < n; k++) {
                        #pragma unroll
                        for (int r_5 = 0; r_5 < 4; r_5++) {
                            ushort value = ((__global const struct qk_half *)&w_1[r_5
                                * t_1])[k].bits;
                            /* quern_kernel.cuh:124-130 */
                            uint magnitude = (value & 0x7fff) << 13;
                            uint normal = magnitude + 0x38000000;
                            uint special = magnitude + 0x70000000;
                            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                            special = magnitude >= 0xf800000 ? special : normal;
                            uint bits = magnitude < 0x800000 ? as_int(small) : special;
                            /* quern_matmul.cuh:221 */
                            total[t_5 * 4 + r_5] += as_float(bits | ((value & 0x8000) << 16))
                                * x_1[t_5 * n + k];
                        }
                    }
                    int t_6 = t_5 * 4;
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_1 = y + ((token + t_5) * rows + r);
                    #pragma unroll
                    for (int r_6 = 0; r_6 < 4; r_6++)
                        out[r_6] = (total + t_6)[r_6];
                    if (bias != 0) {
                        #pragma unroll
                        for (int r_7 = 0; r_7 < 4; r_7++)
                            out[r_7] += bias[r + r_7];
                    }
                    if (add != 0) {
                        #pragma unroll
                        for (int r_8 = 0; r_8 < 4; r_8++)
                            out[r_8] += y_1[r_8];
                    }
                    #pragma unroll
                    for (int r_9 = 0; r_9 < 4; r_9++)
                        y_1[r_9] = out[r_9];
                }
            }
            for (; r < end_1; r++) {
                /* quern_matmul.cuh:175-221 */
                __global const uchar *w_2 = w + r * t_1;
                __global const float *x_2 = x + token * n;
                ulong pieces = (ulong)n / 16;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_10 = 0; r_10 < 1; r_10++) {
                    #pragma unroll
                    for (int t_7 = 0; t_7 < 4; t_7++)
                        sum_1[r_10][t_7].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_11 = 0; r_11 < 1; r_11++) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&w_2[r_11 * t_1 + p
                            * 32]);
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
                        q_1[r_11].v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                        q_1[r_11].scale[0] = 1.0f;
                        q_1[r_11].offset[0] = 0.0f;
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        #pragma unroll
                        for (int t_8 = 0; t_8 < 4; t_8++) {
                            float16 v_2 = vload16(0, &x_2[t_8 * (ulong)n + p * 16]);
                            #pragma unroll
                            for (int r_12 = 0; r_12 < 1; r_12++)
                                sum_1[r_12][t_8].sum = sum_1[r_12][t_8].sum + q_1[r_12].v[k].v
                                    * v_2;
                        }
                    }
                }
                #pragma unroll
                for (int i = 0; i < 4; i++) {
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
                for (int t_9 = 0; t_9 < 4; t_9++) {
                    for (ulong k = pieces * 16; k < n; k++) {
                        #pragma unroll
                        for (int r_13 = 0; r_13 < 1; r_13++) {
                            ushort value = ((__global const struct qk_half *)&w_2[r_13
                                * t_1])[k].bits;
                            /* quern_kernel.cuh:124-130 */
                            uint magnitude = (value & 0x7fff) << 13;
                            uint normal = magnitude + 0x38000000;
                            uint special = magnitude + 0x70000000;
                            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                            special = magnitude >= 0xf800000 ? special : normal;
                            uint bits = magnitude < 0x800000 ? as_int(small) : special;
                            /* quern_matmul.cuh:221 */
                            total_1[t_9 + r_13] += as_float(bits | ((value & 0x8000) << 16))
                                * x_2[t_9 * n + k];
                        }
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_2 = y + ((token + t_9) * rows + r);
                    #pragma unroll
                    for (int r_14 = 0; r_14 < 1; r_14++)
                        out_1[r_14] = (total_1 + t_9)[r_14];
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
                ulong pieces = (ulong)n / 16;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_1 = 0; r_1 < 1; r_1++) {
                    #pragma unroll
                    for (int t_10 = 0; t_10 < 1; t_10++)
                        sum_2[r_1][t_10].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_2 = 0; r_2 < 1; r_2++) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&w_3[r_2 * t_1 + p
                            * 32]);
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
                        q_2[r_2].v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                        q_2[r_2].scale[0] = 1.0f;
                        q_2[r_2].offset[0] = 0.0f;
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        #pragma unroll
                        for (int t_11 = 0; t_11 < 1; t_11++) {
                            float16 v_3 = vload16(0, &x_3[t_11 * (ulong)n + p * 16]);
                            #pragma unroll
                            for (int r_3 = 0; r_3 < 1; r_3++)
                                sum_2[r_3][t_11].sum = sum_2[r_3][t_11].sum + q_2[r_3].v[k].v * v_3;
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
                for (int t_12 = 0; t_12 < 1; t_12++) {
                    for (ulong k = pieces * 16; k < n; k++) {
                        #pragma unroll
                        for (int r_4 = 0; r_4 < 1; r_4++) {
                            ushort value = ((__global const struct qk_half *)&w_3[r_4
                                * t_1])[k].bits;
                            /* quern_kernel.cuh:124-130 */
                            uint magnitude = (value & 0x7fff) << 13;
                            uint normal = magnitude + 0x38000000;
                            uint special = magnitude + 0x70000000;
                            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                            special = magnitude >= 0xf800000 ? special : normal;
                            uint bits = magnitude < 0x800000 ? as_int(small) : special;
                            /* quern_matmul.cuh:221 */
                            total_2[t_12 + r_4] += as_float(bits | ((value & 0x8000) << 16))
                                * x_3[t_12 * n + k];
                        }
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_3 = y + ((token + t_12) * rows + r);
                    #pragma unroll
                    for (int r_5 = 0; r_5 < 1; r_5++)
                        out_2[r_5] = (total_2 + t_12)[r_5];
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
                ulong pieces = (ulong)n / 16;
                #pragma unroll
                while (false)
                    ;
                #pragma unroll
                for (int r_9 = 0; r_9 < 1; r_9++) {
                    #pragma unroll
                    for (int t_13 = 0; t_13 < 1; t_13++)
                        sum_3[r_9][t_13].sum = (float16)(0.0f);
                }
                for (ulong p = 0; p < pieces; p++) {
                    #pragma unroll
                    for (int r_10 = 0; r_10 < 1; r_10++) {
                        /* quern_runs.cuh:376-386 */
                        short16 half_ = vload16(0, (__global const short *)&w_4[r_10 * t_1 + p
                            * 32]);
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
                        q_3[r_10].v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
                        q_3[r_10].scale[0] = 1.0f;
                        q_3[r_10].offset[0] = 0.0f;
                    }
                    /* quern_matmul.cuh:194-200 */
                    #pragma unroll
                    for (int k = 0; k < 1; k++) {
                        #pragma unroll
                        for (int t_14 = 0; t_14 < 1; t_14++) {
                            float16 v_4 = vload16(0, &x_4[t_14 * (ulong)n + p * 16]);
                            #pragma unroll
                            for (int r_11 = 0; r_11 < 1; r_11++)
                                sum_3[r_11][t_14].sum = sum_3[r_11][t_14].sum + q_3[r_11].v[k].v
                                    * v_4;
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
                for (int t_15 = 0; t_15 < 1; t_15++) {
                    for (ulong k = pieces * 16; k < n; k++) {
                        #pragma unroll
                        for (int r_12 = 0; r_12 < 1; r_12++) {
                            ushort value = ((__global const struct qk_half *)&w_4[r_12
                                * t_1])[k].bits;
                            /* quern_kernel.cuh:124-130 */
                            uint magnitude = (value & 0x7fff) << 13;
                            uint normal = magnitude + 0x38000000;
                            uint special = magnitude + 0x70000000;
                            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                            special = magnitude >= 0xf800000 ? special : normal;
                            uint bits = magnitude < 0x800000 ? as_int(small) : special;
                            /* quern_matmul.cuh:221 */
                            total_3[t_15 + r_12] += as_float(bits | ((value & 0x8000) << 16))
                                * x_4[t_15 * n + k];
                        }
                    }
                    /* quern_matmul.cuh:31-45 */
                    __global float *y_4 = y + ((token + t_15) * rows + r);
                    #pragma unroll
                    for (int r_13 = 0; r_13 < 1; r_13++)
                        out_3[r_13] = (total_3 + t_15)[r_13];
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

/* embed_f16, weights_f16.cu:7 */
__kernel void embed_f16(__global float *restrict out, __global const uchar *restrict table,
                        __global const int *restrict ids, uint tokens, uint n, uint table_rows,
                        float scale)
{
    ulong piece = (tokens + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = min(piece * get_group_id(0), (ulong)tokens);
    ulong end = min(t + piece, (ulong)tokens);
    struct qk_piece q;
    /* quern_weights.cuh:202-221 */
    for (; t < end; t++) {
        uint id = ids[t];
        bool condition = id < table_rows;
        id = condition ? id : 0;
        __global const struct qk_half *row = (__global const struct qk_half *)(table + id
            * ((ulong)n * 2));
        __global float *to = out + t * n;
        ulong pieces = condition ? (ulong)n / 16 : 0;
        ulong piece_1 = (pieces + get_local_size(0) - 1) / get_local_size(0);
        ulong p = min(piece_1 * get_local_id(0), pieces);
        ulong end_1 = min(p + piece_1, pieces);
        for (; p < end_1; p++) {
            /* quern_runs.cuh:376-386 */
            short16 half_ = vload16(0, (__global const short *)((__global const uchar *)row + p
                * 32));
            int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
            int16 magnitude = (bits & 32767) << (int16)(13);
            float16 normal = as_float16(as_uint16(magnitude) + as_uint16((int16)(1879048192)))
                * 1.92593e-34f;
            float16 small = as_float16(as_uint16(magnitude) + as_uint16((int16)(947912704)))
                - 6.1035156e-05f;
            int16 is_small = as_int16(as_uint16(magnitude) - as_uint16((int16)(8388608)))
                >> (int16)(31);
            int16 value = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small) & is_small);
            q.v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
            q.scale[0] = 1.0f;
            q.offset[0] = 0.0f;
            /* quern_weights.cuh:213 */
            #pragma unroll
            for (int k = 0; k < 1; k++) {
                float16 t_2 = q.v[k].v * scale + 0.0f;
                q.v[k].v = t_2;
                vstore16(t_2, 0, &to[p * 16]);
            }
        }
        ulong done = pieces * 16;
        ulong t_1 = n - done;
        piece_1 = (t_1 + get_local_size(0) - 1) / get_local_size(0);
        ulong result = min(piece_1 * get_local_id(0), t_1);
        ulong end_2 = min(result + piece_1, t_1);
        for (ulong i = done + result; i < done + end_2; i++) {
            float t_3;
            if (condition) {
                ushort value = row[i].bits;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = (value & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                /* quern_weights.cuh:221 */
                t_3 = as_float(bits | ((value & 0x8000) << 16)) * scale;
            } else {
                t_3 = NAN;
            }
            to[i] = t_3;
        }
    }
}

/* unpack_f16, weights_f16.cu:7 */
__kernel void unpack_f16(__global struct qk_half *restrict out,
                         __global const struct qk_half *restrict w, ulong n)
{
    ulong t = n / 16;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong p = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(p + piece, t);
    struct qk_piece q;
    /* quern_weights.cuh:230-239 */
    for (; p < end; p++) {
        /* quern_runs.cuh:376-386 */
        short16 half_ = vload16(0, (__global const short *)((__global const uchar *)w + p * 32));
        int16 bits = as_int16(convert_uint16(as_ushort16(half_)));
        int16 magnitude = (bits & 32767) << (int16)(13);
        float16 normal = as_float16(as_uint16(magnitude) + as_uint16((int16)(1879048192)))
            * 1.92593e-34f;
        float16 small = as_float16(as_uint16(magnitude) + as_uint16((int16)(947912704)))
            - 6.1035156e-05f;
        int16 is_small = as_int16(as_uint16(magnitude) - as_uint16((int16)(8388608)))
            >> (int16)(31);
        int16 value = (as_int16(normal) & (is_small ^ -1)) | (as_int16(small) & is_small);
        q.v[0].v = as_float16(value | ((bits & 32768) << (int16)(16)));
        q.scale[0] = 1.0f;
        q.offset[0] = 0.0f;
        /* quern_weights.cuh:234 */
        #pragma unroll
        for (int k = 0; k < 1; k++) {
            ulong t_3 = p * 16;
            float16 v = q.v[k].v;
            uint bits_1 = as_int(v.s0);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            small_1 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            uint r = magnitude_1 >= 0x47800000 ? special : small_1;
            /* quern_runs.cuh:283-286 */
            out[t_3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s1);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s2);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s3);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s4);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            /* quern_runs.cuh:283-286 */
            out[t_3 + 4].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s5);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 4 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s6);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 4 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s7);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 4 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s8);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            /* quern_runs.cuh:283-286 */
            out[t_3 + 8].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s9);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 8 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sa);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 8 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sb);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 8 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sc);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            /* quern_runs.cuh:283-286 */
            out[t_3 + 12].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sd);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 12 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.se);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 12 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sf);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special : r;
            out[t_3 + 12 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
    }
    ulong done = t * 16;
    ulong t_2 = n - done;
    piece = (t_2 + t_1 - 1) / t_1;
    ulong result = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t_2);
    ulong end_1 = min(result + piece, t_2);
    for (ulong i = done + result; i < done + end_1; i++) {
        ushort value = w[i].bits;
        /* quern_kernel.cuh:124-131 */
        uint magnitude = (value & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        uint bits_1 = bits | ((value & 0x8000) << 16);
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
