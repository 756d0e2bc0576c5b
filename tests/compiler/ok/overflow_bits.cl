#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;
typedef long __attribute__((may_alias)) qn_alias_long;

/* overflow_bits, overflow_bits.cu:4 */
__kernel void overflow_bits(__global uint *out, __global const int *in, __global qn_alias_float *f)
{
    int i = get_local_id(0);
    int a = in[i];
    int b = in[i + 1];
    int c = a & 0xffff;
    int d = b & 0xffff;
    uint t = a + 0x80000000u;
    *out = t;
    out[1] = t != 0xffffffffu ? 5 : 6;
    uint t_1 = (uint)c * d;
    out[2] = t_1 & 0x7fffffff;
    out[3] = t_1 ^ 0x80000000u;
    out[4] = t_1 & 0x3fffffff;
    out[5] = (double)(int)(a - 2147483646u) > -1.0 ? 5 : 6;
    float x = as_float((int)(a * 65599u + b));
    *(__global qn_alias_long *)&out[6] = x == x ? as_int(x) : 0;
    for (int k = 0; k < 2; k++) {
        int h = k;
        for (int j = 0; j < 15; j++)
            h = h * 16777619u - j;
        f[k] = (float)h;
    }
    int s = a * 3 + b;
    float y = (float)s;
    s = y == y ? s : 0;
    out[8] = s;
    uint t_2 = -(uint)a;
    int m = a < 0 ? t_2 : a;
    out[9] = m < 0 ? 77 : m;
    out[10] = (a > 0 ? t_2 : a) + b;
}

/* shared_back, overflow_bits.cu:30 */
__kernel void shared_back(__global double *out, uint n)
{
    __local double s[64];

    s[get_local_id(0)] = (double)n;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[get_local_id(0)] = s[31] + s[get_local_id(0) + -4] + s[3] + s[36];
}
