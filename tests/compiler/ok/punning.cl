#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct word {
    float f0;
};

struct anon {
    double d[3];
};

struct cell {
    struct anon u;
};

typedef int __attribute__((may_alias)) qn_alias_int;
typedef short __attribute__((may_alias)) qn_alias_short;
typedef float __attribute__((may_alias)) qn_alias_float;

/* run, punning.cu:23 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local struct word shared[32];

    int t = get_local_id(0);
    int at = t * n;
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = in[(t + i) % 8];
    uint u = *(qn_alias_int *)&a[n];
    a[n] = 2.5f;
    uint u_1 = *(qn_alias_int *)&a[n];
    float sum = (float)(u_1 - u);
    for (int i = 0; i < n; i++)
        ((qn_alias_int *)a)[i] ^= INT_MIN;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    shared[t].f0 = sum;
    *(__local qn_alias_int *)&shared[at / 2] ^= INT_MIN;
    float sum_1 = sum - shared[t].f0;
    out[at] = sum_1;
    int t_1 = at + 1;
    out[t_1] = 1.0f;
    int t_2 = at + n - 1;
    ((__global qn_alias_short *)&out[t_2])[1] = (short)((ushort)((__global qn_alias_short
        *)&out[t_2])[1] ^ 255);
    out[at] += out[t_1];
}

/* wholes, punning.cu:53 */
__kernel void wholes(__global float *out, __global const float *in, int n)
{
    int t = get_local_id(0);
    int k = t % 6;
    struct cell a[4];
    struct cell c[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 6; j++)
            (*(qn_alias_float (*)[6])&a[i])[j] = in[(i + j) % 8] + (float)t;
        c[i] = a[i];
        (*(qn_alias_float (*)[6])&a[i])[k] = 0.0f;
    }
    int t_1 = t & 3;
    c[n & 3] = a[t_1];
    (*(qn_alias_float (*)[6])&a[n])[k] = 9.0f;
    c[t_1] = a[n];
    (*(qn_alias_float (*)[6])&a[n])[k] = 5.0f;
    float sum = 0.0f;
    for (int i = 0; i < 4; i++)
        sum = sum * 3.0f + (*(qn_alias_float (*)[6])&c[i])[k] + (*(qn_alias_float (*)[6])&a[i])[n];
    out[t] = sum;
    out[16 + t] = (*(qn_alias_float (*)[6])&c[t_1])[k];
}
