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
