// Forms of PTX that would mean something else if a word of them were not heard.
__global__ void finite(unsigned *o, const float *x)
{
    asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(o[0]) : "f"(x[0]), "f"(x[1]));
}
__global__ void wide_sat(double *o, const float *x)
{
    asm("cvt.sat.f64.f32 %0, %1;" : "=d"(o[0]) : "f"(x[0]));
}
__global__ void least(float *o, const float *x)
{
    asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(o[0]) : "f"(x[threadIdx.x]));
}
__global__ void shadowed(unsigned *o, unsigned a, unsigned b)
{
    asm("{ .reg .u32 t; mov.u32 t, %1; { .reg .u32 t; mov.u32 t, %2; } mov.u32 %0, t; }" : "=r"(o[0]) : "r"(a), "r"(b));
}
// exercises: lower/ptx/ptx lower/ptx/ptx_warp lower/ptx/ptx_convert
