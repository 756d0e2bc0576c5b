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

/* run, local_alignment.cu:13 */
__kernel void run(__global float *out, __global const float *in, int n, struct quad_ q)
{
    int t = get_local_id(0);
    uchar bytes[48];
    for (int i = 0; i < 48; i++)
        bytes[i] = (char)(i * (t + 1));
    float a[8] __attribute__((aligned(16)));
    for (int i = 0; i < 8; i++)
        a[i] = in[(t + i) % n];
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
