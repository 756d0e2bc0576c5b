/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision, kept as bits. Each operation is a builtin that rounds once: a half operation
 * where the driver has them (cl_khr_fp16), else float arithmetic and a rounding, which together are
 * as good as one, since float has more than twice the digits.
 */
#pragma clang system_header
#ifndef QN_STANDIN_FP16
#define QN_STANDIN_FP16

#include <quern_prelude.h>

/* To 8 and 16 bits halves saturate, as the conversion instruction does; floats do not. */
QN__BOTH int __qn_small(float x, int low, int high)
{
    const int v = (int)x;
    return v < low ? low : v > high ? high : v;
}

/* The members of both 16-bit types; E: explicit where the program forgoes conversions by
 * themselves, as __CUDA_NO_HALF_CONVERSIONS__ says it does. NVIDIA's headers have none at all then;
 * these ones need some. */
#define QN__CONVERSIONS(T, E)                                                                      \
    T() = default;                                                                                 \
    QN__MEMBER E T(float v) : __x(__qn_store(v))                                                   \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(double v) : __x(__qn_store(v))                                                  \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(short v) : __x(__qn_store((float)v))                                            \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(unsigned short v) : __x(__qn_store((float)v))                                   \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(int v) : __x(__qn_store_wide(v))                                                \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(unsigned int v) : __x(__qn_store_wide(v))                                       \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(long v) : __x(__qn_store_wide(v))                                               \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(unsigned long v) : __x(__qn_store_wide(v))                                      \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(long long v) : __x(__qn_store_wide(v))                                          \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E T(unsigned long long v) : __x(__qn_store_wide(v))                                 \
    {                                                                                              \
    }                                                                                              \
    QN__MEMBER E operator float() const                                                            \
    {                                                                                              \
        return __qn_load();                                                                        \
    }                                                                                              \
    QN__MEMBER explicit operator double() const                                                    \
    {                                                                                              \
        return __qn_load();                                                                        \
    }                                                                                              \
    QN__MEMBER explicit operator bool() const                                                      \
    {                                                                                              \
        return __qn_load() != 0;                                                                   \
    }                                                                                              \
    QN__MEMBER E operator char() const                                                             \
    {                                                                                              \
        return (char)__qn_small(__qn_load(), -128, 127);                                           \
    }                                                                                              \
    QN__MEMBER E operator signed char() const                                                      \
    {                                                                                              \
        return (signed char)__qn_small(__qn_load(), -128, 127);                                    \
    }                                                                                              \
    QN__MEMBER E operator unsigned char() const                                                    \
    {                                                                                              \
        return (unsigned char)__qn_small(__qn_load(), 0, 255);                                     \
    }                                                                                              \
    QN__MEMBER E operator short() const                                                            \
    {                                                                                              \
        return (short)__qn_small(__qn_load(), -32768, 32767);                                      \
    }                                                                                              \
    QN__MEMBER E operator unsigned short() const                                                   \
    {                                                                                              \
        return (unsigned short)__qn_small(__qn_load(), 0, 65535);                                  \
    }                                                                                              \
    QN__MEMBER E operator int() const                                                              \
    {                                                                                              \
        return (int)__qn_load();                                                                   \
    }                                                                                              \
    QN__MEMBER E operator unsigned int() const                                                     \
    {                                                                                              \
        return (unsigned int)__qn_load();                                                          \
    }                                                                                              \
    QN__MEMBER E operator long() const                                                             \
    {                                                                                              \
        return (long)__qn_load();                                                                  \
    }                                                                                              \
    QN__MEMBER E operator unsigned long() const                                                    \
    {                                                                                              \
        return (unsigned long)__qn_load();                                                         \
    }                                                                                              \
    QN__MEMBER E operator long long() const                                                        \
    {                                                                                              \
        return (long long)__qn_load();                                                             \
    }                                                                                              \
    QN__MEMBER E operator unsigned long long() const                                               \
    {                                                                                              \
        return (unsigned long long)__qn_load();                                                    \
    }
#define QN__ASSIGNMENTS(T)                                                                         \
    template <class V> QN__MEMBER T &operator=(V v)                                                \
    {                                                                                              \
        return *this = T(v);                                                                       \
    }
#define QN__MEMBER __host__ __device__ inline __attribute__((always_inline))

QN__PURE(float, __qn_f16_to_f32, (unsigned short));
QN__PURE(unsigned short, __qn_f32_to_f16, (float));
QN__PURE(unsigned short, __qn_f64_to_f16, (double));
QN__PURE(unsigned short, __qn_f32_to_f16_rz, (float));
QN__PURE(unsigned short, __qn_f32_to_f16_ru, (float));
QN__PURE(unsigned short, __qn_f32_to_f16_rd, (float));
QN__PURE(unsigned short, __qn_add_f16, (unsigned short, unsigned short));
QN__PURE(unsigned short, __qn_sub_f16, (unsigned short, unsigned short));
QN__PURE(unsigned short, __qn_mul_f16, (unsigned short, unsigned short));
QN__PURE(unsigned short, __qn_div_f16, (unsigned short, unsigned short));
QN__PURE(unsigned short, __qn_fma_f16, (unsigned short, unsigned short, unsigned short));
QN__BUILTIN(unsigned short, __qn_atomic_add_half, (unsigned short *, unsigned short));
QN__BUILTIN(unsigned int, __qn_atomic_add_half2, (unsigned int *, unsigned int));

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

struct __half {
    unsigned short __x;
#ifdef __CUDA_NO_HALF_CONVERSIONS__
    QN__CONVERSIONS(__half, explicit)
#else
    QN__CONVERSIONS(__half, )
    QN__ASSIGNMENTS(__half)
#endif
    QN__MEMBER __half(const __half_raw &r) : __x(r.x)
    {
    }
    QN__MEMBER operator __half_raw() const
    {
        return __half_raw{__x};
    }
    QN__MEMBER float __qn_load() const
    {
#ifdef __CUDA_ARCH__
        return __qn_f16_to_f32(__x);
#else
        return (float)__builtin_bit_cast(_Float16, __x);
#endif
    }
    QN__MEMBER static unsigned short __qn_store(float v)
    {
#ifdef __CUDA_ARCH__
        return __qn_f32_to_f16(v);
#else
        return __builtin_bit_cast(unsigned short, (_Float16)v);
#endif
    }
    QN__MEMBER static unsigned short __qn_store(double v)
    {
#ifdef __CUDA_ARCH__
        return __qn_f64_to_f16(v);
#else
        return __builtin_bit_cast(unsigned short, (_Float16)v);
#endif
    }
    /* Integers beyond 2^24 overflow half anyway, so float in between does no harm. */
    template <class I> QN__MEMBER static unsigned short __qn_store_wide(I v)
    {
        return __qn_store((float)v);
    }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    QN__MEMBER __half2(const __half &a, const __half &b) : x(a), y(b)
    {
    }
    QN__MEMBER __half2(const __half2_raw &r) : x(__half_raw{r.x}), y(__half_raw{r.y})
    {
    }
    QN__MEMBER operator __half2_raw() const
    {
        return __half2_raw{((__half_raw)x).x, ((__half_raw)y).x};
    }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

QN__BOTH __half __qn_half_bits(unsigned short bits)
{
    return __half(__half_raw{bits});
}
QN__BOTH unsigned short __qn_bits(__half a)
{
    return a.__x;
}
QN__BOTH float __qn_float(__half a)
{
    return a.__qn_load();
}
QN__BOTH __half __qn_half_rn(float a)
{
    return __half(a);
}
QN__BOTH __half __qn_half_double(double a)
{
    return __half(a);
}
QN__INLINE __half __qn_half_rz(float a)
{
    return __qn_half_bits(__qn_f32_to_f16_rz(a));
}
QN__INLINE __half __qn_half_ru(float a)
{
    return __qn_half_bits(__qn_f32_to_f16_ru(a));
}
QN__INLINE __half __qn_half_rd(float a)
{
    return __qn_half_bits(__qn_f32_to_f16_rd(a));
}
#ifdef __CUDA_ARCH__
#define QN__HALF_OP(name, op)                                                                      \
    QN__BOTH __half __qn_##name(__half a, __half b)                                                \
    {                                                                                              \
        return __qn_half_bits(__qn_##name##_f16(a.__x, b.__x));                                    \
    }
#else
#define QN__HALF_OP(name, op)                                                                      \
    QN__BOTH __half __qn_##name(__half a, __half b)                                                \
    {                                                                                              \
        return __half(a.__qn_load() op b.__qn_load());                                             \
    }
#endif
QN__HALF_OP(add, +)
QN__HALF_OP(sub, -)
QN__HALF_OP(mul, *)
QN__HALF_OP(div, /)
#undef QN__HALF_OP
QN__INLINE __half __qn_fma(__half a, __half b, __half c)
{
    return __qn_half_bits(__qn_fma_f16(__qn_bits(a), __qn_bits(b), __qn_bits(c)));
}
#define QN__T   __half
#define QN__T2  __half2
#define QN__N   half
#define QN__ONE 0x3c00
/* an integer half can hold is exact in float; larger ones overflow, whatever the rounding */
#define QN__FROM_WIDE QN__FROM
#ifdef __CUDA_NO_HALF_OPERATORS__
#define QN__OPERATORS 0
#else
#define QN__OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define QN__OPERATORS2 0
#else
#define QN__OPERATORS2 1
#endif
#include <quern_narrow.h>

/* functions of CUDA's own headers that programs call */
QN__BOTH float __internal_halfraw_to_float(__half_raw a)
{
    return __half2float(__half(a));
}
QN__BOTH float2 __internal_halfraw2_to_float2(__half2_raw a)
{
    return __half22float2(__half2(a));
}

#endif
