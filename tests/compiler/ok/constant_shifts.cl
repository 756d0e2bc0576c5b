#pragma OPENCL FP_CONTRACT ON

typedef long __attribute__((may_alias)) qn_alias_long;

/* constants, constant_shifts.cu:8 */
__kernel void constants(__global int *out, __global qn_alias_long *wide, int a)
{
    *out = -1;
    out[1] = -2;
    out[2] = -5;
    out[3] = 1;
    out[4] = a - 3;
    out[5] = -1 < a ? -1 : 4;
    *wide = -1l;
    wide[1] = 0;
}
