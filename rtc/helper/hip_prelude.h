/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel language for clang's HIP device compile, without any SDK header: thread identity,
 * barriers, math, atomics, shuffles, small vectors. Included before the source; the math functions
 * are AMD's device libraries (ocml), which are linked in.
 *
 * It gives what kernel sources commonly use. What is not here (textures, cooperative groups, fp16
 * types) is a compile error that names it.
 */
#ifndef QN_RTC_HELPER_HIP_PRELUDE_H
#define QN_RTC_HELPER_HIP_PRELUDE_H

#define __global__      __attribute__((global))
#define __device__      __attribute__((device))
#define __host__        __attribute__((host))
#define __shared__      __attribute__((shared))
#define __constant__    __attribute__((constant))
#define __managed__     __attribute__((managed))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)                                                                     \
    __attribute__((amdgpu_flat_work_group_size(1, QN__FIRST(__VA_ARGS__, 0))))
#define QN__FIRST(n, ...) n
#define QN__D             static __device__ inline __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* -- thread identity -- */

struct uint3 {
    unsigned int x, y, z;
};
struct dim3 {
    unsigned int x, y, z;
    constexpr __host__ __device__ dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c)
    {
    }
};

/* threadIdx.x reads a register: each axis is a property. */
#define QN__AXES(type, fx, fy, fz)                                                                 \
    struct type {                                                                                  \
        __declspec(property(get = get_x)) unsigned int x;                                          \
        __declspec(property(get = get_y)) unsigned int y;                                          \
        __declspec(property(get = get_z)) unsigned int z;                                          \
        __device__ inline __attribute__((always_inline)) unsigned int get_x() const                \
        {                                                                                          \
            return fx;                                                                             \
        }                                                                                          \
        __device__ inline __attribute__((always_inline)) unsigned int get_y() const                \
        {                                                                                          \
            return fy;                                                                             \
        }                                                                                          \
        __device__ inline __attribute__((always_inline)) unsigned int get_z() const                \
        {                                                                                          \
            return fz;                                                                             \
        }                                                                                          \
        __device__ operator uint3() const                                                          \
        {                                                                                          \
            return {fx, fy, fz};                                                                   \
        }                                                                                          \
        __device__ operator dim3() const                                                           \
        {                                                                                          \
            return {fx, fy, fz};                                                                   \
        }                                                                                          \
    };
QN__AXES(qn__thread_axes, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
         __builtin_amdgcn_workitem_id_z())
QN__AXES(qn__block_axes, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
         __builtin_amdgcn_workgroup_id_z())
QN__AXES(qn__size_axes, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
         __builtin_amdgcn_workgroup_size_z())
QN__AXES(qn__grid_axes, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
         __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
         __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
extern const __device__ __attribute__((weak)) qn__thread_axes threadIdx; /* never read */
extern const __device__ __attribute__((weak)) qn__block_axes blockIdx;   /* never read */
extern const __device__ __attribute__((weak)) qn__size_axes blockDim;    /* never read */
extern const __device__ __attribute__((weak)) qn__grid_axes gridDim;     /* never read */
#define warpSize __builtin_amdgcn_wavefrontsize()

/* -- barriers and fences -- */

QN__D void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
QN__D void __syncwarp(unsigned long long = ~0ull)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
QN__D void __threadfence_block()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
QN__D void __threadfence()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
QN__D void __threadfence_system()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

/* -- bits -- */

QN__D float __uint_as_float(unsigned int x)
{
    return __builtin_bit_cast(float, x);
}
QN__D float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
QN__D unsigned int __float_as_uint(float x)
{
    return __builtin_bit_cast(unsigned int, x);
}
QN__D int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
QN__D long long __double_as_longlong(double x)
{
    return __builtin_bit_cast(long long, x);
}
QN__D double __longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
QN__D int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
QN__D int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
QN__D int __clz(int x)
{
    return x ? __builtin_clz((unsigned int)x) : 32;
}
QN__D int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
QN__D int __ffs(int x)
{
    return __builtin_ffs(x);
}
QN__D int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
QN__D unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
QN__D unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
QN__D int __mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
template <class T> QN__D T __ldg(const T *p)
{
    return *p;
}

/* -- math -- */

#define QN__MATH1(name)                                                                            \
    extern "C" __device__ float __ocml_##name##_f32(float);                                        \
    extern "C" __device__ double __ocml_##name##_f64(double);                                      \
    QN__D float name##f(float x)                                                                   \
    {                                                                                              \
        return __ocml_##name##_f32(x);                                                             \
    }                                                                                              \
    QN__D float name(float x)                                                                      \
    {                                                                                              \
        return __ocml_##name##_f32(x);                                                             \
    }                                                                                              \
    QN__D double name(double x)                                                                    \
    {                                                                                              \
        return __ocml_##name##_f64(x);                                                             \
    }
#define QN__MATH2(name)                                                                            \
    extern "C" __device__ float __ocml_##name##_f32(float, float);                                 \
    extern "C" __device__ double __ocml_##name##_f64(double, double);                              \
    QN__D float name##f(float x, float y)                                                          \
    {                                                                                              \
        return __ocml_##name##_f32(x, y);                                                          \
    }                                                                                              \
    QN__D float name(float x, float y)                                                             \
    {                                                                                              \
        return __ocml_##name##_f32(x, y);                                                          \
    }                                                                                              \
    QN__D double name(double x, double y)                                                          \
    {                                                                                              \
        return __ocml_##name##_f64(x, y);                                                          \
    }
QN__MATH1(sin)
QN__MATH1(cos)
QN__MATH1(tan)
QN__MATH1(asin)
QN__MATH1(acos)
QN__MATH1(atan)
QN__MATH1(sinh)
QN__MATH1(cosh)
QN__MATH1(tanh)
QN__MATH1(asinh)
QN__MATH1(acosh)
QN__MATH1(atanh)
QN__MATH1(exp)
QN__MATH1(exp2)
QN__MATH1(exp10)
QN__MATH1(expm1)
QN__MATH1(log)
QN__MATH1(log2)
QN__MATH1(log10)
QN__MATH1(log1p)
QN__MATH1(sqrt)
QN__MATH1(rsqrt)
QN__MATH1(cbrt)
QN__MATH1(erf)
QN__MATH1(erfc)
QN__MATH1(lgamma)
QN__MATH1(tgamma)
QN__MATH1(floor)
QN__MATH1(ceil)
QN__MATH1(trunc)
QN__MATH1(round)
QN__MATH1(rint)
QN__MATH1(fabs)
QN__MATH2(pow)
QN__MATH2(atan2)
QN__MATH2(fmod)
QN__MATH2(hypot)
QN__MATH2(copysign)
QN__MATH2(fdim)
QN__MATH2(fmin)
QN__MATH2(fmax)
#undef QN__MATH1
#undef QN__MATH2
extern "C" __device__ float __ocml_fma_f32(float, float, float);
extern "C" __device__ double __ocml_fma_f64(double, double, double);
QN__D float fmaf(float a, float b, float c)
{
    return __ocml_fma_f32(a, b, c);
}
QN__D double fma(double a, double b, double c)
{
    return __ocml_fma_f64(a, b, c);
}
QN__D float fma(float a, float b, float c)
{
    return __ocml_fma_f32(a, b, c);
}
QN__D void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
QN__D float __expf(float x)
{
    return expf(x);
}
QN__D float __logf(float x)
{
    return logf(x);
}
QN__D float __sinf(float x)
{
    return sinf(x);
}
QN__D float __cosf(float x)
{
    return cosf(x);
}
QN__D float __powf(float x, float y)
{
    return powf(x, y);
}
QN__D float __fdividef(float x, float y)
{
    return x / y;
}
QN__D float __frcp_rn(float x)
{
    return 1.0f / x;
}
QN__D float __fsqrt_rn(float x)
{
    return sqrtf(x);
}
QN__D int abs(int x)
{
    return x < 0 ? -x : x;
}
QN__D float abs(float x)
{
    return fabsf(x);
}
QN__D double abs(double x)
{
    return fabs(x);
}
template <class T> QN__D bool isnan(T x)
{
    return __builtin_isnan(x);
}
template <class T> QN__D bool isinf(T x)
{
    return __builtin_isinf(x);
}
template <class T> QN__D bool isfinite(T x)
{
    return __builtin_isfinite(x);
}
#define QN__MINMAX(type)                                                                           \
    QN__D type min(type a, type b)                                                                 \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    QN__D type max(type a, type b)                                                                 \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
QN__MINMAX(int)
QN__MINMAX(unsigned int)
QN__MINMAX(long)
QN__MINMAX(unsigned long)
QN__MINMAX(long long)
QN__MINMAX(unsigned long long)
#undef QN__MINMAX
QN__D float min(float a, float b)
{
    return fminf(a, b);
}
QN__D float max(float a, float b)
{
    return fmaxf(a, b);
}
QN__D double min(double a, double b)
{
    return fmin(a, b);
}
QN__D double max(double a, double b)
{
    return fmax(a, b);
}

/* -- atomics: relaxed, device scope -- */

#define QN__ATOMIC(name, type, builtin)                                                            \
    QN__D type name(type *p, type v)                                                               \
    {                                                                                              \
        return builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                          \
    }
#define QN__ATOMICS(type)                                                                          \
    QN__ATOMIC(atomicAdd, type, __hip_atomic_fetch_add)                                            \
    QN__ATOMIC(atomicMin, type, __hip_atomic_fetch_min)                                            \
    QN__ATOMIC(atomicMax, type, __hip_atomic_fetch_max)                                            \
    QN__ATOMIC(atomicAnd, type, __hip_atomic_fetch_and)                                            \
    QN__ATOMIC(atomicOr, type, __hip_atomic_fetch_or)                                              \
    QN__ATOMIC(atomicXor, type, __hip_atomic_fetch_xor)                                            \
    QN__ATOMIC(atomicExch, type, __hip_atomic_exchange)                                            \
    QN__D type atomicSub(type *p, type v)                                                          \
    {                                                                                              \
        return atomicAdd(p, (type)(0 - v));                                                        \
    }                                                                                              \
    QN__D type atomicCAS(type *p, type want, type v)                                               \
    {                                                                                              \
        __hip_atomic_compare_exchange_strong(p, &want, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED,      \
                                             __HIP_MEMORY_SCOPE_AGENT);                            \
        return want;                                                                               \
    }
QN__ATOMICS(int)
QN__ATOMICS(unsigned int)
QN__ATOMICS(unsigned long long)
QN__ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
QN__ATOMIC(atomicAdd, double, __hip_atomic_fetch_add)
QN__ATOMIC(atomicExch, float, __hip_atomic_exchange)
#undef QN__ATOMICS
#undef QN__ATOMIC

/* -- waves: 32 or 64 lanes; masks are 64 bits wide. gfx6 and gfx7 have no lane permute -- */

QN__D unsigned int __lane_id()
{
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
QN__D unsigned long long __ballot(int predicate)
{
    return __builtin_amdgcn_uicmp((unsigned int)(predicate != 0), 0u, 33); /* not equal */
}
QN__D unsigned long long __activemask()
{
    return __ballot(1);
}
QN__D int __any(int predicate)
{
    return __ballot(predicate) != 0;
}
QN__D int __all(int predicate)
{
    return __ballot(predicate) == __activemask();
}
#if !defined(__GFX6__) && !defined(__GFX7__)
QN__D int qn__permute(int lane, int v)
{
    return __builtin_amdgcn_ds_bpermute(lane * 4, v);
}
template <class T> QN__D T qn__from_lane(T v, int lane)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");
    struct words {
        int word[sizeof(T) / 4];
    };
    words w = __builtin_bit_cast(words, v);
    for (unsigned int i = 0; i < sizeof(T) / 4; i++)
        w.word[i] = qn__permute(lane, w.word[i]);
    return __builtin_bit_cast(T, w);
}
template <class T> QN__D T __shfl(T v, int from, int width = warpSize)
{
    const int me = (int)__lane_id();
    return qn__from_lane(v, (me & ~(width - 1)) + (from & (width - 1)));
}
template <class T> QN__D T __shfl_xor(T v, int mask, int width = warpSize)
{
    const int me = (int)__lane_id(), from = me ^ mask;
    return qn__from_lane(v, from >= ((me + width) & ~(width - 1)) ? me : from);
}
template <class T> QN__D T __shfl_up(T v, unsigned int by, int width = warpSize)
{
    const int me = (int)__lane_id(), from = me - (int)by;
    return qn__from_lane(v, from < (me & ~(width - 1)) ? me : from);
}
template <class T> QN__D T __shfl_down(T v, unsigned int by, int width = warpSize)
{
    const int me = (int)__lane_id();
    return qn__from_lane(v, (me & (width - 1)) + (int)by >= width ? me : me + (int)by);
}
#endif

/* -- small vectors -- */

#define QN__VECTORS(type, base)                                                                    \
    struct __attribute__((aligned(2 * sizeof(base)))) type##2                                      \
    {                                                                                              \
        base x, y;                                                                                 \
    };                                                                                             \
    struct type##3                                                                                 \
    {                                                                                              \
        base x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(4 * sizeof(base) > 16 ? 16 : 4 * sizeof(base)))) type##4         \
    {                                                                                              \
        base x, y, z, w;                                                                           \
    };                                                                                             \
    static __host__ __device__ inline type##2 make_##type##2(base x, base y)                       \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static __host__ __device__ inline type##3 make_##type##3(base x, base y, base z)               \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static __host__ __device__ inline type##4 make_##type##4(base x, base y, base z, base w)       \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
QN__VECTORS(float, float)
QN__VECTORS(double, double)
QN__VECTORS(int, int)
QN__VECTORS(short, short)
QN__VECTORS(char, signed char)
QN__VECTORS(uchar, unsigned char)
QN__VECTORS(ushort, unsigned short)
#undef QN__VECTORS
struct __attribute__((aligned(8))) uint2 {
    unsigned int x, y;
};
struct __attribute__((aligned(16))) uint4 {
    unsigned int x, y, z, w;
};
static __host__ __device__ inline uint2 make_uint2(unsigned int x, unsigned int y)
{
    return {x, y};
}
static __host__ __device__ inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z,
                                                   unsigned int w)
{
    return {x, y, z, w};
}

#endif
