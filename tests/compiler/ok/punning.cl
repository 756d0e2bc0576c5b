#pragma OPENCL FP_CONTRACT ON

struct word {
    float f0;
};

typedef int __attribute__((may_alias)) qn_alias_int;
typedef short __attribute__((may_alias)) qn_alias_short;

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
