#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef uint __attribute__((may_alias)) qn_alias_uint;
typedef long __attribute__((may_alias)) qn_alias_long;
typedef double __attribute__((may_alias)) qn_alias_double;

/* NVIDIA; a cast in C may become anything where the float is out of range */
uint qn_to_uint_f64_ptx(double x)
{
    uint r;
    asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(r) : "d"(x));
    return r;
}

/* NVIDIA; a cast in C may become anything where the float is out of range */
uint qn_to_uint_f32_ptx(float x)
{
    uint r;
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(x));
    return r;
}

/* NVIDIA; a cast in C may become anything where the float is out of range */
long qn_to_long_f64_ptx(double x)
{
    long r;
    asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(r) : "d"(x));
    return r;
}

/* casts_nvidia, casts_nvidia.cu:4 */
__kernel void casts_nvidia(__global qn_alias_uint *o, __global qn_alias_long *l,
                           __global const char *c, __global const float *x,
                           __global const qn_alias_double *d)
{
    int i = get_local_id(0);
    o[i] = qn_to_uint_f64_ptx((double)c[i]) + qn_to_uint_f32_ptx(x[i]);
    l[i] = qn_to_long_f64_ptx(d[i]) + (int)((float)c[i] * 0.5f);
}
