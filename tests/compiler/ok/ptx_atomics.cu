// Inline PTX: atomics, conversions that saturate, barriers by number.
#ifdef QUERN_TRANSLATE
#define EITHER(cpp, ptx) ptx
#else
#define EITHER(cpp, ptx) cpp
static long nearest(double v, long low, long high)
{
    v = rint(v);
    return v < low ? low : v > high ? high : (long)v;
}
#endif

static __device__ unsigned to_byte(float a)
{
    unsigned d;
    EITHER(d = nearest(a, 0, 255), asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(d) : "f"(a)));
    return d;
}
static __device__ int to_signed_byte(int a)
{
    int d;
    EITHER(d = nearest(a, -128, 127), asm("cvt.sat.s8.s32 %0, %1;" : "=r"(d) : "r"(a)));
    return d;
}
static __device__ unsigned not_negative(int a)
{
    unsigned d;
    EITHER(d = a < 0 ? 0 : a, asm("cvt.sat.u32.s32 %0, %1;" : "=r"(d) : "r"(a)));
    return d;
}
static __device__ int to_int(float a)
{
    int d;
    EITHER(d = nearest(a, -2147483648L, 2147483647L),
           asm("cvt.rni.sat.s32.f32 %0, %1;" : "=r"(d) : "f"(a)));
    return d;
}
static __device__ long to_long(double a)
{
    long d;
    EITHER(d = (long)a, asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(d) : "d"(a)));
    return d;
}

__global__ void run(int *out, const int *in, int n)
{
    const int t = threadIdx.x, a = in[t];
    EITHER(atomicAdd(out, a), asm volatile("red.global.add.s32 [%0], %1;" ::"l"(out), "r"(a)));
    EITHER(atomicMax(out + 1, a),
           asm volatile("red.relaxed.gpu.global.max.s32 [%0+4], %1;" ::"l"(out), "r"(a)));
    int old;
    EITHER(old = atomicXor(out + 2, 1 << t),
           asm volatile("atom.acq_rel.gpu.global.xor.b32 %0, [%1], %2;"
                        : "=r"(old) : "l"(out + 2), "r"(1 << t)));
    EITHER(atomicAdd(out + 3, old >> t & 1),
           asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out + 3), "r"(old >> t & 1)));
    EITHER(__syncthreads(), asm volatile("bar.sync 1;"));
    int *const to = out + 8 + 6 * t;
    to[0] = to_byte(a * 0.5f);
    to[1] = to_signed_byte(a);
    to[2] = not_negative(a);
    to[3] = to_int(a * 1e7f);
    to[4] = (int)to_long(a * 1.5);
    to[5] = n;
}
// exercises: lower/ptx/ptx_float lower/ptx/ptx_memory lower/ptx/ptx_integer
