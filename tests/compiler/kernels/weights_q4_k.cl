#pragma OPENCL FP_CONTRACT ON

struct qk_run {
    float16 v;
};

struct qk_partial {
    float16 sum;
};

struct qk_piece {
    struct qk_run v[8];
    float scale[4];
    float offset[4];
    uchar padding3[32];
};

struct qk_half {
    ushort bits;
};

/* matvec_q4_k, weights_q4_k.cu:47 */
__kernel void matvec_q4_k(__global float *restrict y, __global const uchar *restrict w,
                          __global const float *restrict x, __global const float *restrict bias,
                          __global const int *restrict pick, uint rows, uint n, uint add)
{
    /* quern_weights.cuh:173-184 */
    ulong expert = pick != 0 ? (ulong)(uint)*pick : 0;
    ulong t = (ulong)n / 256 * 144;
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
    struct qk_run v[8];
    struct qk_piece q;
    float sums[4];
    for (; g < end; g++) {
        ulong t_8 = g * 4;
        /* quern_weights.cuh:144-163 */
        __global const uchar *w_1 = w + (t_1 + t_8 * t);
        ulong pieces = (ulong)n / 128;
        /* quern_weights.cuh:64-90 */
        #pragma unroll
        for (int r_1 = 0; r_1 < 4; r_1++)
            sum[r_1].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong t_9 = p + pieces;
        ulong end_2 = t_9 < pieces ? t_9 : pieces;
        #pragma unroll 1
        for (; p < end_2; p++) {
            ulong t_10 = p / 2;
            uint t_11 = (uint)(p % 2) * 128;
            __global const float *at = x + (t_10 * 256 + t_11);
            #pragma unroll
            for (int g_1 = 0; g_1 < 4; g_1++)
                sum_x[g_1].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 8; k++) {
                float16 v_2 = vload16(0, &at[k * 16]);
                v[k].v = v_2;
                sum_x[k / 2].sum = sum_x[k / 2].sum + v_2;
            }
            #pragma unroll
            for (int r_2 = 0; r_2 < 4; r_2++) {
                ulong t_12 = r_2 * t;
                ulong t_13 = t_10 * 144;
                /* weights_q4_k.cu:32-43 */
                uint group = t_11 / 64;
                uint at_1 = t_11 % 64;
                #pragma unroll
                for (int g_2 = 0; g_2 < 2; g_2++) {
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        struct qk_run *to = (struct qk_run *)&q + 4 * g_2 + k;
                        uchar16 v_3 = vload16(0, &w_1[t_12 + t_13 + 16 + (group + g_2) * 32 + at_1
                            + k * 16]);
                        to->v = convert_float16(as_int16(convert_uint16(v_3)
                            & as_uint16((int16)(15))));
                        to[2].v = convert_float16((as_int16(convert_uint16(v_3)) >> (int16)(4))
                            & 15);
                    }
                }
                uint t_14 = 2 * group;
                /* quern_pieces.cuh:43-56 */
                int4 head = *(__global const int4 *)&w_1[t_12 + t_13];
                bool condition = t_14 >= 4;
                uint head_1 = head.w;
                uint low_s = head_1 & 0xf0f0f0f;
                uint low_m = (head_1 >> 4) & 0xf0f0f0f;
                uint s;
                if (condition) {
                    uint head_3 = head.y;
                    s = low_s | ((head_3 >> 2) & 0x30303030);
                } else {
                    int head_4 = head.y;
                    s = head_4 & 0x3f3f3f3f;
                }
                uint m;
                if (condition) {
                    uint head_5 = head.z;
                    m = low_m | ((head_5 >> 2) & 0x30303030);
                } else {
                    int head_6 = head.z;
                    m = head_6 & 0x3f3f3f3f;
                }
                uint head_2 = head.x;
                int t_15 = head_2 & 0xffff;
                uint t_16 = head_2 >> 16;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = ((ushort)t_15 & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float step_ = as_float(bits | (((ushort)t_15 & 0x8000) << 16));
                /* quern_kernel.cuh:124-130 */
                magnitude = ((ushort)t_16 & 0x7fff) << 13;
                normal = magnitude + 0x38000000;
                special = magnitude + 0x70000000;
                small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                bits = magnitude >= 0xf800000 ? special : normal;
                bits = magnitude < 0x800000 ? as_int(small) : bits;
                /* quern_pieces.cuh:51-56 */
                float min_step = -as_float(bits | (((ushort)t_16 & 0x8000) << 16));
                uint at_2 = t_14 % 4 * 8;
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_17 = 8 * k;
                    q.scale[k] = step_ * (float)(((s >> at_2) >> t_17) & 255);
                    q.offset[k] = min_step * (float)(((m >> at_2) >> t_17) & 255);
                }
                /* quern_weights.cuh:41-48 */
                #pragma unroll
                for (int g_3 = 0; g_3 < 4; g_3++) {
                    float16 group_1 = (float16)(0.0f);
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        int t_19 = g_3 * 2 + k;
                        group_1 = group_1 + q.v[t_19].v * v[t_19].v;
                    }
                    float16 t_18 = sum[r_2].sum + group_1 * q.scale[g_3];
                    sum[r_2].sum = t_18;
                    sum[r_2].sum = t_18 + sum_x[g_3].sum * q.offset[g_3];
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
            ulong t_20 = t_8 + r_4;
            float value = sums[r_4];
            /* quern_weights.cuh:103-104 */
            float before = add != 0 ? y[t_20] : 0.0f;
            float t_21;
            if (bias != 0)
                t_21 = bias[t_20];
            else
                t_21 = 0.0f;
            y[t_20] = value + t_21 + before;
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
    struct qk_run v_1[8];
    struct qk_piece q_1;
    float sums_1[1];
    for (; r < end_1; r++) {
        ulong t_22 = t_4 + r;
        /* quern_weights.cuh:144-163 */
        __global const uchar *w_2 = w + (t_1 + t_22 * t);
        ulong pieces = (ulong)n / 128;
        /* quern_weights.cuh:64-90 */
        #pragma unroll
        for (int r_5 = 0; r_5 < 1; r_5++)
            sum_1[r_5].sum = (float16)(0.0f);
        ulong p = 0 < pieces ? 0 : pieces;
        ulong t_23 = p + pieces;
        ulong end_3 = t_23 < pieces ? t_23 : pieces;
        #pragma unroll 1
        for (; p < end_3; p++) {
            ulong t_24 = p / 2;
            uint t_25 = (uint)(p % 2) * 128;
            __global const float *at = x + (t_24 * 256 + t_25);
            #pragma unroll
            for (int g_4 = 0; g_4 < 4; g_4++)
                sum_x_1[g_4].sum = (float16)(0.0f);
            #pragma unroll
            for (int k = 0; k < 8; k++) {
                float16 v_4 = vload16(0, &at[k * 16]);
                v_1[k].v = v_4;
                sum_x_1[k / 2].sum = sum_x_1[k / 2].sum + v_4;
            }
            #pragma unroll
            for (int r_6 = 0; r_6 < 1; r_6++) {
                ulong t_26 = r_6 * t;
                ulong t_27 = t_24 * 144;
                /* weights_q4_k.cu:32-43 */
                uint group = t_25 / 64;
                uint at_1 = t_25 % 64;
                #pragma unroll
                for (int g_5 = 0; g_5 < 2; g_5++) {
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        struct qk_run *to = (struct qk_run *)&q_1 + 4 * g_5 + k;
                        uchar16 v_5 = vload16(0, &w_2[t_26 + t_27 + 16 + (group + g_5) * 32 + at_1
                            + k * 16]);
                        to->v = convert_float16(as_int16(convert_uint16(v_5)
                            & as_uint16((int16)(15))));
                        to[2].v = convert_float16((as_int16(convert_uint16(v_5)) >> (int16)(4))
                            & 15);
                    }
                }
                uint t_28 = 2 * group;
                /* quern_pieces.cuh:43-56 */
                int4 head = *(__global const int4 *)&w_2[t_26 + t_27];
                bool condition = t_28 >= 4;
                uint head_1 = head.w;
                uint low_s = head_1 & 0xf0f0f0f;
                uint low_m = (head_1 >> 4) & 0xf0f0f0f;
                uint s;
                if (condition) {
                    uint head_3 = head.y;
                    s = low_s | ((head_3 >> 2) & 0x30303030);
                } else {
                    int head_4 = head.y;
                    s = head_4 & 0x3f3f3f3f;
                }
                uint m;
                if (condition) {
                    uint head_5 = head.z;
                    m = low_m | ((head_5 >> 2) & 0x30303030);
                } else {
                    int head_6 = head.z;
                    m = head_6 & 0x3f3f3f3f;
                }
                uint head_2 = head.x;
                int t_29 = head_2 & 0xffff;
                uint t_30 = head_2 >> 16;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = ((ushort)t_29 & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float step_ = as_float(bits | (((ushort)t_29 & 0x8000) << 16));
                /* quern_kernel.cuh:124-130 */
                magnitude = ((ushort)t_30 & 0x7fff) << 13;
                normal = magnitude + 0x38000000;
                special = magnitude + 0x70000000;
                small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                bits = magnitude >= 0xf800000 ? special : normal;
                bits = magnitude < 0x800000 ? as_int(small) : bits;
                /* quern_pieces.cuh:51-56 */
                float min_step = -as_float(bits | (((ushort)t_30 & 0x8000) << 16));
                uint at_2 = t_28 % 4 * 8;
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_31 = 8 * k;
                    q_1.scale[k] = step_ * (float)(((s >> at_2) >> t_31) & 255);
                    q_1.offset[k] = min_step * (float)(((m >> at_2) >> t_31) & 255);
                }
                /* quern_weights.cuh:41-48 */
                #pragma unroll
                for (int g_6 = 0; g_6 < 4; g_6++) {
                    float16 group_1 = (float16)(0.0f);
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        int t_33 = g_6 * 2 + k;
                        group_1 = group_1 + q_1.v[t_33].v * v_1[t_33].v;
                    }
                    float16 t_32 = sum_1[r_6].sum + group_1 * q_1.scale[g_6];
                    sum_1[r_6].sum = t_32;
                    sum_1[r_6].sum = t_32 + sum_x_1[g_6].sum * q_1.offset[g_6];
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
            ulong t_34 = t_22 + r_8;
            float value = sums_1[r_8];
            /* quern_weights.cuh:103-104 */
            float before = add != 0 ? y[t_34] : 0.0f;
            float t_35;
            if (bias != 0)
                t_35 = bias[t_34];
            else
                t_35 = 0.0f;
            y[t_34] = value + t_35 + before;
        }
    }
}

/* matmul_q4_k, weights_q4_k.cu:47 */
__kernel void matmul_q4_k(__global float *restrict y, __global const uchar *restrict w,
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
    struct qk_piece q;
    /* quern_matmul.cuh:187-191 */
    for (token = 0; token + 8 <= tokens; token += 8) {
        for (ulong r = t_2; r < end; r++) {
            /* quern_matmul.cuh:152-175 */
            __global const uchar *w_1 = w + r * ((ulong)n / 256 * 144);
            __global const float *x_1 = x + token * n;
            ulong pieces = (ulong)n / 128;
            #pragma unroll
            for (int t_4 = 0; t_4 < 8; t_4++)
                sum[t_4].sum = (float16)(0.0f);
            for (ulong p = 0; p < pieces; p++) {
                ulong t_5 = p / 2;
                ulong t_6 = t_5 * 144;
                uint t_7 = (uint)(p % 2) * 128;
                /* weights_q4_k.cu:32-43 */
                uint group = t_7 / 64;
                uint at = t_7 % 64;
                #pragma unroll
                for (int g = 0; g < 2; g++) {
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        struct qk_run *to = (struct qk_run *)&q + 4 * g + k;
                        uchar16 v = vload16(0, &w_1[t_6 + 16 + (group + g) * 32 + at + k * 16]);
                        to->v = convert_float16(as_int16(convert_uint16(v)
                            & as_uint16((int16)(15))));
                        to[2].v = convert_float16((as_int16(convert_uint16(v)) >> (int16)(4)) & 15);
                    }
                }
                uint t_8 = 2 * group;
                /* quern_pieces.cuh:43-56 */
                int4 head = *(__global const int4 *)&w_1[t_6];
                bool condition = t_8 >= 4;
                uint head_1 = head.w;
                uint low_s = head_1 & 0xf0f0f0f;
                uint low_m = (head_1 >> 4) & 0xf0f0f0f;
                uint s;
                if (condition) {
                    uint head_3 = head.y;
                    s = low_s | ((head_3 >> 2) & 0x30303030);
                } else {
                    int head_4 = head.y;
                    s = head_4 & 0x3f3f3f3f;
                }
                uint m;
                if (condition) {
                    uint head_5 = head.z;
                    m = low_m | ((head_5 >> 2) & 0x30303030);
                } else {
                    int head_6 = head.z;
                    m = head_6 & 0x3f3f3f3f;
                }
                uint head_2 = head.x;
                int t_9 = head_2 & 0xffff;
                uint t_10 = head_2 >> 16;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = ((ushort)t_9 & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float step_ = as_float(bits | (((ushort)t_9 & 0x8000) << 16));
                /* quern_kernel.cuh:124-130 */
                magnitude = ((ushort)t_10 & 0x7fff) << 13;
                normal = magnitude + 0x38000000;
                special = magnitude + 0x70000000;
                small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                bits = magnitude >= 0xf800000 ? special : normal;
                bits = magnitude < 0x800000 ? as_int(small) : bits;
                /* quern_pieces.cuh:51-56 */
                float min_step = -as_float(bits | (((ushort)t_10 & 0x8000) << 16));
                uint at_1 = t_8 % 4 * 8;
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_11 = 8 * k;
                    q.scale[k] = step_ * (float)(((s >> at_1) >> t_11) & 255);
                    q.offset[k] = min_step * (float)(((m >> at_1) >> t_11) & 255);
                }
                /* quern_pieces.cuh:150-153 */
                #pragma unroll
                for (int k = 0; k < 8; k++) {
                    int g = k / 2;
                    float offset = q.offset[g];
                    float value = q.scale[g];
                    q.v[k].v = q.v[k].v * value + (offset - 0.0f * value);
                }
                /* quern_matmul.cuh:163-165 */
                #pragma unroll
                for (int k = 0; k < 8; k++) {
                    #pragma unroll
                    for (int t_12 = 0; t_12 < 8; t_12++) {
                        float16 v = vload16(0, &x_1[t_12 * (ulong)n + (t_5 * 256 + t_7) + k * 16]);
                        sum[t_12].sum = sum[t_12].sum + q.v[k].v * v;
                    }
                }
            }
            #pragma unroll
            for (int t_13 = 0; t_13 < 8; t_13++) {
                /* quern_runs.cuh:394-397 */
                float16 s = sum[t_13].sum;
                float a = s.s0 + s.s1 + (s.s2 + s.s3);
                float b = s.s4 + s.s5 + (s.s6 + s.s7);
                float c = s.s8 + s.s9 + (s.sa + s.sb);
                float d = s.sc + s.sd + (s.se + s.sf);
                float total = a + b + (c + d);
                /* quern_matmul.cuh:174-175 */
                for (ulong i = pieces * 128; i < n; i++)
                    total += 0.0f * x_1[t_13 * (ulong)n + i];
                /* quern_matmul.cuh:22-24 */
                __global float *y_1 = y + ((token + t_13) * rows + r);
                float before = add != 0 ? *y_1 : 0.0f;
                float t_14;
                if (bias != 0)
                    t_14 = bias[r];
                else
                    t_14 = 0.0f;
                *y_1 = total + t_14 + before;
            }
        }
    }
    struct qk_partial sum_1[1];
    struct qk_piece q_1;
    for (; token < tokens; token++) {
        for (ulong r = t_2; r < end; r++) {
            /* quern_matmul.cuh:152-175 */
            __global const uchar *w_2 = w + r * ((ulong)n / 256 * 144);
            __global const float *x_2 = x + token * n;
            ulong pieces = (ulong)n / 128;
            #pragma unroll
            for (int t_15 = 0; t_15 < 1; t_15++)
                sum_1[t_15].sum = (float16)(0.0f);
            for (ulong p = 0; p < pieces; p++) {
                ulong t_16 = p / 2;
                ulong t_17 = t_16 * 144;
                uint t_18 = (uint)(p % 2) * 128;
                /* weights_q4_k.cu:32-43 */
                uint group = t_18 / 64;
                uint at = t_18 % 64;
                #pragma unroll
                for (int g = 0; g < 2; g++) {
                    #pragma unroll
                    for (int k = 0; k < 2; k++) {
                        struct qk_run *to = (struct qk_run *)&q_1 + 4 * g + k;
                        uchar16 v = vload16(0, &w_2[t_17 + 16 + (group + g) * 32 + at + k * 16]);
                        to->v = convert_float16(as_int16(convert_uint16(v)
                            & as_uint16((int16)(15))));
                        to[2].v = convert_float16((as_int16(convert_uint16(v)) >> (int16)(4)) & 15);
                    }
                }
                uint t_19 = 2 * group;
                /* quern_pieces.cuh:43-56 */
                int4 head = *(__global const int4 *)&w_2[t_17];
                bool condition = t_19 >= 4;
                uint head_1 = head.w;
                uint low_s = head_1 & 0xf0f0f0f;
                uint low_m = (head_1 >> 4) & 0xf0f0f0f;
                uint s;
                if (condition) {
                    uint head_3 = head.y;
                    s = low_s | ((head_3 >> 2) & 0x30303030);
                } else {
                    int head_4 = head.y;
                    s = head_4 & 0x3f3f3f3f;
                }
                uint m;
                if (condition) {
                    uint head_5 = head.z;
                    m = low_m | ((head_5 >> 2) & 0x30303030);
                } else {
                    int head_6 = head.z;
                    m = head_6 & 0x3f3f3f3f;
                }
                uint head_2 = head.x;
                int t_20 = head_2 & 0xffff;
                uint t_21 = head_2 >> 16;
                /* quern_kernel.cuh:124-130 */
                uint magnitude = ((ushort)t_20 & 0x7fff) << 13;
                uint normal = magnitude + 0x38000000;
                uint special = magnitude + 0x70000000;
                float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                special = magnitude >= 0xf800000 ? special : normal;
                uint bits = magnitude < 0x800000 ? as_int(small) : special;
                float step_ = as_float(bits | (((ushort)t_20 & 0x8000) << 16));
                /* quern_kernel.cuh:124-130 */
                magnitude = ((ushort)t_21 & 0x7fff) << 13;
                normal = magnitude + 0x38000000;
                special = magnitude + 0x70000000;
                small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
                bits = magnitude >= 0xf800000 ? special : normal;
                bits = magnitude < 0x800000 ? as_int(small) : bits;
                /* quern_pieces.cuh:51-56 */
                float min_step = -as_float(bits | (((ushort)t_21 & 0x8000) << 16));
                uint at_1 = t_19 % 4 * 8;
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    int t_22 = 8 * k;
                    q_1.scale[k] = step_ * (float)(((s >> at_1) >> t_22) & 255);
                    q_1.offset[k] = min_step * (float)(((m >> at_1) >> t_22) & 255);
                }
                /* quern_pieces.cuh:150-153 */
                #pragma unroll
                for (int k = 0; k < 8; k++) {
                    int g = k / 2;
                    float offset = q_1.offset[g];
                    float value = q_1.scale[g];
                    q_1.v[k].v = q_1.v[k].v * value + (offset - 0.0f * value);
                }
                /* quern_matmul.cuh:163-165 */
                #pragma unroll
                for (int k = 0; k < 8; k++) {
                    #pragma unroll
                    for (int t_23 = 0; t_23 < 1; t_23++) {
                        float16 v = vload16(0, &x_2[t_23 * (ulong)n + (t_16 * 256 + t_18) + k
                            * 16]);
                        sum_1[t_23].sum = sum_1[t_23].sum + q_1.v[k].v * v;
                    }
                }
            }
            #pragma unroll
            for (int t_24 = 0; t_24 < 1; t_24++) {
                /* quern_runs.cuh:394-397 */
                float16 s = sum_1[t_24].sum;
                float a = s.s0 + s.s1 + (s.s2 + s.s3);
                float b = s.s4 + s.s5 + (s.s6 + s.s7);
                float c = s.s8 + s.s9 + (s.sa + s.sb);
                float d = s.sc + s.sd + (s.se + s.sf);
                float total = a + b + (c + d);
                /* quern_matmul.cuh:174-175 */
                for (ulong i = pieces * 128; i < n; i++)
                    total += 0.0f * x_2[t_24 * (ulong)n + i];
                /* quern_matmul.cuh:22-24 */
                __global float *y_2 = y + ((token + t_24) * rows + r);
                float before = add != 0 ? *y_2 : 0.0f;
                float t_25;
                if (bias != 0)
                    t_25 = bias[r];
                else
                    t_25 = 0.0f;
                *y_2 = total + t_25 + before;
            }
        }
    }
}

/* embed_q4_k, weights_q4_k.cu:47 */
__kernel void embed_q4_k(__global float *restrict out, __global const uchar *restrict table,
                         __global const int *restrict ids, uint tokens, uint n, uint table_rows,
                         float scale)
{
    ulong piece = (tokens + get_num_groups(0) - 1) / get_num_groups(0);
    ulong t = piece * get_group_id(0);
    ulong t_1 = t < tokens ? t : tokens;
    ulong t_2 = t_1 + piece;
    ulong end = t_2 < tokens ? t_2 : tokens;
    struct qk_piece q;
    /* quern_weights.cuh:195-214 */
    for (; t_1 < end; t_1++) {
        uint id = ids[t_1];
        bool condition = id < table_rows;
        id = condition ? id : 0;
        __global const uchar *row = table + id * ((ulong)n / 256 * 144);
        __global float *to = out + t_1 * n;
        ulong pieces = condition ? (ulong)n / 128 : 0;
        ulong piece_1 = (pieces + get_local_size(0) - 1) / get_local_size(0);
        ulong t_3 = piece_1 * get_local_id(0);
        ulong p = t_3 < pieces ? t_3 : pieces;
        ulong t_4 = p + piece_1;
        ulong end_1 = t_4 < pieces ? t_4 : pieces;
        for (; p < end_1; p++) {
            ulong t_9 = p / 2;
            ulong t_10 = t_9 * 144;
            uint t_11 = (uint)(p % 2) * 128;
            /* weights_q4_k.cu:32-43 */
            uint group = t_11 / 64;
            uint at = t_11 % 64;
            #pragma unroll
            for (int g = 0; g < 2; g++) {
                #pragma unroll
                for (int k = 0; k < 2; k++) {
                    struct qk_run *to_1 = (struct qk_run *)&q + 4 * g + k;
                    uchar16 v = vload16(0, &row[t_10 + 16 + (group + g) * 32 + at + k * 16]);
                    to_1->v = convert_float16(as_int16(convert_uint16(v) & as_uint16((int16)(15))));
                    to_1[2].v = convert_float16((as_int16(convert_uint16(v)) >> (int16)(4)) & 15);
                }
            }
            uint t_12 = 2 * group;
            /* quern_pieces.cuh:43-56 */
            int4 head = *(__global const int4 *)&row[t_10];
            bool condition_1 = t_12 >= 4;
            uint head_1 = head.w;
            uint low_s = head_1 & 0xf0f0f0f;
            uint low_m = (head_1 >> 4) & 0xf0f0f0f;
            uint s;
            if (condition_1) {
                uint head_3 = head.y;
                s = low_s | ((head_3 >> 2) & 0x30303030);
            } else {
                int head_4 = head.y;
                s = head_4 & 0x3f3f3f3f;
            }
            uint m;
            if (condition_1) {
                uint head_5 = head.z;
                m = low_m | ((head_5 >> 2) & 0x30303030);
            } else {
                int head_6 = head.z;
                m = head_6 & 0x3f3f3f3f;
            }
            uint head_2 = head.x;
            int t_13 = head_2 & 0xffff;
            uint t_14 = head_2 >> 16;
            /* quern_kernel.cuh:124-130 */
            uint magnitude = ((ushort)t_13 & 0x7fff) << 13;
            uint normal = magnitude + 0x38000000;
            uint special = magnitude + 0x70000000;
            float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            special = magnitude >= 0xf800000 ? special : normal;
            uint bits = magnitude < 0x800000 ? as_int(small) : special;
            float step_ = as_float(bits | (((ushort)t_13 & 0x8000) << 16));
            /* quern_kernel.cuh:124-130 */
            magnitude = ((ushort)t_14 & 0x7fff) << 13;
            normal = magnitude + 0x38000000;
            special = magnitude + 0x70000000;
            small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
            bits = magnitude >= 0xf800000 ? special : normal;
            bits = magnitude < 0x800000 ? as_int(small) : bits;
            /* quern_pieces.cuh:51-56 */
            float min_step = -as_float(bits | (((ushort)t_14 & 0x8000) << 16));
            uint at_1 = t_12 % 4 * 8;
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                int t_15 = 8 * k;
                q.scale[k] = step_ * (float)(((s >> at_1) >> t_15) & 255);
                q.offset[k] = min_step * (float)(((m >> at_1) >> t_15) & 255);
            }
            /* quern_pieces.cuh:150-153 */
            #pragma unroll
            for (int k = 0; k < 8; k++) {
                int g = k / 2;
                float offset = q.offset[g];
                float value = q.scale[g];
                q.v[k].v = q.v[k].v * value + (offset - 0.0f * value);
            }
            /* quern_weights.cuh:206 */
            #pragma unroll
            for (int k = 0; k < 8; k++) {
                float16 t_16 = q.v[k].v * scale + 0.0f;
                q.v[k].v = t_16;
                vstore16(t_16, 0, &to[t_9 * 256 + t_11 + k * 16]);
            }
        }
        ulong done = pieces * 128;
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

/* unpack_q4_k, weights_q4_k.cu:47 */
__kernel void unpack_q4_k(__global struct qk_half *restrict out, __global const uchar *restrict w,
                          ulong n)
{
    ulong pieces = n / 128;
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = (pieces + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong p = t_1 < pieces ? t_1 : pieces;
    ulong t_2 = p + piece;
    ulong end = t_2 < pieces ? t_2 : pieces;
    struct qk_piece q;
    /* quern_weights.cuh:223-232 */
    for (; p < end; p++) {
        ulong t_8 = p / 2;
        ulong t_9 = t_8 * 144;
        uint t_10 = (uint)(p % 2) * 128;
        /* weights_q4_k.cu:32-43 */
        uint group = t_10 / 64;
        uint at = t_10 % 64;
        #pragma unroll
        for (int g = 0; g < 2; g++) {
            #pragma unroll
            for (int k = 0; k < 2; k++) {
                struct qk_run *to = (struct qk_run *)&q + 4 * g + k;
                uchar16 v = vload16(0, &w[t_9 + 16 + (group + g) * 32 + at + k * 16]);
                to->v = convert_float16(as_int16(convert_uint16(v) & as_uint16((int16)(15))));
                to[2].v = convert_float16((as_int16(convert_uint16(v)) >> (int16)(4)) & 15);
            }
        }
        uint t_11 = 2 * group;
        /* quern_pieces.cuh:43-56 */
        int4 head = *(__global const int4 *)&w[t_9];
        bool condition = t_11 >= 4;
        uint head_1 = head.w;
        uint low_s = head_1 & 0xf0f0f0f;
        uint low_m = (head_1 >> 4) & 0xf0f0f0f;
        uint s;
        if (condition) {
            uint head_3 = head.y;
            s = low_s | ((head_3 >> 2) & 0x30303030);
        } else {
            int head_4 = head.y;
            s = head_4 & 0x3f3f3f3f;
        }
        uint m;
        if (condition) {
            uint head_5 = head.z;
            m = low_m | ((head_5 >> 2) & 0x30303030);
        } else {
            int head_6 = head.z;
            m = head_6 & 0x3f3f3f3f;
        }
        uint head_2 = head.x;
        int t_12 = head_2 & 0xffff;
        uint t_13 = head_2 >> 16;
        /* quern_kernel.cuh:124-130 */
        uint magnitude = ((ushort)t_12 & 0x7fff) << 13;
        uint normal = magnitude + 0x38000000;
        uint special = magnitude + 0x70000000;
        float small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        special = magnitude >= 0xf800000 ? special : normal;
        uint bits = magnitude < 0x800000 ? as_int(small) : special;
        float step_ = as_float(bits | (((ushort)t_12 & 0x8000) << 16));
        /* quern_kernel.cuh:124-130 */
        magnitude = ((ushort)t_13 & 0x7fff) << 13;
        normal = magnitude + 0x38000000;
        special = magnitude + 0x70000000;
        small = as_float(magnitude + 0x38800000) - 6.1035156e-05f;
        bits = magnitude >= 0xf800000 ? special : normal;
        bits = magnitude < 0x800000 ? as_int(small) : bits;
        /* quern_pieces.cuh:51-56 */
        float min_step = -as_float(bits | (((ushort)t_13 & 0x8000) << 16));
        uint at_1 = t_11 % 4 * 8;
        #pragma unroll
        for (int k = 0; k < 4; k++) {
            int t_14 = 8 * k;
            q.scale[k] = step_ * (float)(((s >> at_1) >> t_14) & 255);
            q.offset[k] = min_step * (float)(((m >> at_1) >> t_14) & 255);
        }
        /* quern_pieces.cuh:150-153 */
        #pragma unroll
        for (int k = 0; k < 8; k++) {
            int g = k / 2;
            float offset = q.offset[g];
            float value = q.scale[g];
            q.v[k].v = q.v[k].v * value + (offset - 0.0f * value);
        }
        /* quern_weights.cuh:227-228 */
        #pragma unroll
        for (int k = 0; k < 8; k++) {
            ulong t_15 = t_8 * 256 + t_10;
            int t_16 = k * 16;
            float16 v = q.v[k].v;
            uint bits_1 = as_int(v.s0);
            /* quern_kernel.cuh:146-153 */
            uint magnitude_1 = bits_1 & 0x7fffffff;
            uint odd = (magnitude_1 >> 13) & 1;
            uint normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            uint small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            uint special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            small_1 = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            uint r = magnitude_1 >= 0x47800000 ? special_1 : small_1;
            /* quern_runs.cuh:265-268 */
            out[t_15 + t_16].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s1);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s2);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s3);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s4);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_15 + t_16 + 4].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s5);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 4 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s6);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 4 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s7);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 4 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s8);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_15 + t_16 + 8].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.s9);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 8 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sa);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 8 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sb);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 8 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sc);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            /* quern_runs.cuh:265-268 */
            out[t_15 + t_16 + 12].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sd);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 12 + 1].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.se);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 12 + 2].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
            bits_1 = as_int(v.sf);
            /* quern_kernel.cuh:146-153 */
            magnitude_1 = bits_1 & 0x7fffffff;
            odd = (magnitude_1 >> 13) & 1;
            normal_1 = (magnitude_1 - 0x38000000 + 4095 + odd) >> 13;
            small_1 = as_int(as_float(magnitude_1) + 0.5f) - 0x3f000000u;
            special_1 = magnitude_1 > 0x7f800000 ? 32256 : 31744;
            r = magnitude_1 < 0x38800000 ? small_1 : normal_1;
            r = magnitude_1 >= 0x47800000 ? special_1 : r;
            out[t_15 + t_16 + 12 + 3].bits = (ushort)(r | ((bits_1 >> 16) & 0x8000));
        }
    }
    ulong done = pieces * 128;
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
