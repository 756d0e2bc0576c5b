#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;

/* run, constants.cu:5 */
__kernel void run(__global int *out, __global const int *in, int n, __global const float *table)
{
    int i = get_local_id(0);
    float x = table[i & 3];
    if (i >= n)
        return;
    int t = isnan(x) ? 1 : as_uint(x);
    int t_1 = 4 * i;
    out[t_1] = t;
    ((__global qn_alias_float *)out)[t_1 + 1] = as_float(0xffc00007u);
    ((__global qn_alias_float *)out)[t_1 + 2] = in[i] > 0 ? 1e-45f : -0.0f;
    out[t_1 + 3] = copysign(1.0f, as_float(0xffc00000u)) < 0.0f;
}
