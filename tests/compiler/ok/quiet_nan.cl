#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef double __attribute__((may_alias)) qn_alias_double;

/* undefined, quiet_nan.cu:3 */
__kernel void undefined(__global qn_alias_double *d, __global float *f, int n)
{
    int i = get_local_id(0);
    d[i] = i < n ? 1.0 / d[i] : (double)NAN;
    f[i] = i < n ? sqrt(f[i]) : NAN;
}
