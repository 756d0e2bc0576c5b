#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct quad_ {
    float x;
    float y;
    float z;
    float w;
} __attribute__((aligned(16)));

struct pair {
    int a;
    int b;
};

struct mixed {
    char c;
    struct pair p;
} __attribute__((packed));

struct tuple3 {
    int f0;
    int f1;
};

struct qn_float3 {
    float x;
    float y;
    float z;
};

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* run, local_alignment.cu:13 */
__kernel void run(__global float *out, __global const float *in, int n, struct quad_ q)
{
    int t = get_local_id(0);
    uchar bytes[48];
    for (int i = 0; i < 48; i++)
        bytes[i] = (char)(i * (t + 1));
    float a[8] __attribute__((aligned(16)));
    for (int i = 0; i < 8; i++)
        a[i] = in[qn_rem_i32(t + i, n)];
    struct mixed m[3];
    for (int i = 0; i < 3; i++) {
        m[i].c = (char)i;
        m[i].p.a = t - i;
        m[i].p.b = i * n;
    }
    struct pair *p = &m[n % 3].p;
    int t_1 = n & 1;
    struct quad_ own[2];
    for (uint qn_k = 0; qn_k < 16; qn_k++)
        ((uchar *)own)[qn_k] = ((const uchar *)&a[4 * t_1])[qn_k];
    *(float4 *)&own[1] = *(float4 *)&q;
    float4 v = *(float4 *)&a[4];
    float4 w = *(float4 *)&own[t_1];
    int t_2 = 16 * t_1;
    int b = as_int(vload4(0, &bytes[t_2]));
    struct tuple3 b_2;
    for (uint qn_k = 0; qn_k < 8; qn_k++)
        ((uchar *)&b_2)[qn_k] = ((const uchar *)&(bytes + t_2)[4])[qn_k];
    uint b_1 = as_int(vload4(0, &(bytes + t_2)[12]));
    int odd = as_int(vload4(0, &bytes[n]));
    float v_1 = v.x;
    float v_2 = v.w;
    float w_1 = w.y;
    out[t] = v_1 + v_2 + w_1 + (float)(uint)(b & 255) + (float)(b_1 >> 24) + (float)(odd & 0xffff)
        + (float)(as_int(vload4(0, (uchar *)&p->a)) * 10 + as_int(vload4(0, (uchar *)&p->b)));
}

/* threes, local_alignment.cu:41 */
__kernel void threes(__global float *out, __global const struct qn_float3 *in, int n)
{
    __local struct qn_float3 s[33];

    int t = get_local_id(0);
    s[t] = in[t];
    if (t == 0) {
        s[32].x = 9.0f;
        s[32].y = 8.0f;
        s[32].z = 7.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct qn_float3 a = s[t + 1];
    struct qn_float3 loc[3];
    for (uint qn_k = 0; qn_k < 12; qn_k++)
        ((uchar *)loc)[qn_k] = ((const uchar *)&a)[qn_k];
    loc[1] = in[t];
    loc[2].x = (float)t;
    loc[2].y = 0.0f;
    loc[2].z = 1.0f;
    out[t] = loc[t % 3].y + loc[n % 3].z;
}

/* wide, local_alignment.cu:58 */
__kernel void wide(__global float *out, __global const float *in, int n)
{
    __local float tile[64];
    __local uchar bytes[96];

    int t = get_local_id(0);
    float own[32];
    for (int i = 0; i < 32; i++)
        own[i] = in[i + t];
    tile[t] = in[t];
    tile[t + 32] = in[t] * 3.0f;
    for (int i = 0; i < 3; i++)
        bytes[3 * t + i] = (char)(t + i);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    float8 f = vload8(0, &own[n]);
    float8 g = vload8(0, &tile[t]);
    f = f * 2.0f + g;
    vstore8(f, 0, &own[1]);
    int4 value = as_int4(vload16(0, (uchar *)&own[n]));
    int4 value_1 = as_int4(vload16(0, (uchar *)&(own + n)[4]));
    int4 value_2 = as_int4(vload16(0, (uchar *)&(own + n)[8]));
    int4 value_3 = as_int4(vload16(0, (uchar *)&(own + n)[12]));
    int4 value_4 = as_int4(vload16(0, &bytes[n]));
    int4 value_5 = as_int4(vload16(0, &(bytes + n)[16]));
    int4 value_6 = as_int4(vload16(0, &(bytes + n)[32]));
    int4 value_7 = as_int4(vload16(0, &(bytes + n)[48]));
    int16 t_1 = (int16)(value.x, value.y, value.z, value.w, value_1.x, value_1.y, value_1.z,
        value_1.w, value_2.x, value_2.y, value_2.z, value_2.w, value_3.x, value_3.y, value_3.z,
        value_3.w) & 255;
    int16 c = as_int16(as_uint16(t_1) + as_uint16((int16)(value_4.x, value_4.y, value_4.z,
        value_4.w, value_5.x, value_5.y, value_5.z, value_5.w, value_6.x, value_6.y, value_6.z,
        value_6.w, value_7.x, value_7.y, value_7.z, value_7.w)));
    vstore16(as_uchar16((int4)(c.s0, c.s1, c.s2, c.s3)), 0, (uchar *)&own[3]);
    vstore16(as_uchar16((int4)(c.s4, c.s5, c.s6, c.s7)), 0, (uchar *)&own[7]);
    vstore16(as_uchar16((int4)(c.s8, c.s9, c.sa, c.sb)), 0, (uchar *)&own[11]);
    vstore16(as_uchar16((int4)(c.sc, c.sd, c.se, c.sf)), 0, (uchar *)&own[15]);
    double2 value_8 = as_double2(vload16(0, (uchar *)&(own + n)[16]));
    double2 value_9 = as_double2(vload16(0, (uchar *)&(own + n)[20]));
    double4 t_2 = (double4)(value_8.x, value_8.y, value_9.x, value_9.y);
    vstore16(as_uchar16((double2)(t_2.x, t_2.y)), 0, (uchar *)&own[21]);
    vstore16(as_uchar16((double2)(t_2.z, t_2.w)), 0, (uchar *)&own[25]);
    int whole[32];
    for (uint qn_k = 0; qn_k < 128; qn_k++)
        ((uchar *)whole)[qn_k] = ((const uchar *)own)[qn_k];
    float sum = 0.0f;
    for (int i = 0; i < 32; i++)
        sum = sum * 0.5f + ((i > 2 && i < 19) ? (float)(whole[i] % 1000) : own[i]);
    out[t] = sum;
}
