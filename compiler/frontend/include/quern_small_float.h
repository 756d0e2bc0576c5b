/* SPDX-License-Identifier: Apache-2.0
 *
 * Floats of 4 and 6 bits, e2m1, e2m3 and e3m2: no infinity, no NaN. What is too large becomes the
 * largest number, NaN the largest positive one. Both headers' types are made here, from plain C++
 * on bits. */
#pragma clang system_header
#ifndef QN_STANDIN_SMALL_FLOAT
#define QN_STANDIN_SMALL_FLOAT

#include <cuda_fp8.h>

/* Round to `digits` mantissa bits, nearest even or towards zero; `guard` is nonzero when the true
 * value has more behind v (a double that was cut). `largest`: all bits but the sign. */
QN__BOTH unsigned char __qn_to_small(float v, unsigned int guard, int digits, int bias,
                                     unsigned int largest, bool to_zero)
{
    const unsigned int bits = __builtin_bit_cast(unsigned int, v);
    const unsigned int magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return (unsigned char)largest;
    const unsigned int sign = bits >> 31 ? largest + 1 : 0;
    const int exponent = (int)(magnitude >> 23) - 127 + bias;
    const int drop = exponent >= 1 ? 23 - digits : 24 - digits - exponent;
    unsigned int result = 0;
    if (exponent > 8)
        result = largest;
    else if (drop <= 24) {
        const unsigned int mantissa = (magnitude & 0x7fffff) | 0x800000;
        const unsigned int low = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
        result = mantissa >> drop;
        if (exponent >= 1) /* the leading one counts for the exponent's lowest bit */
            result += (unsigned int)(exponent - 1) << digits;
        result += !to_zero && (low > half || (low == half && (guard || (result & 1))));
    }
    return (unsigned char)(sign | (result > largest ? largest : result));
}
/* A double, cut towards zero, so that what was cut off only ever adds to the magnitude. */
QN__BOTH float __qn_cut(double v)
{
    const float f = (float)v;
    if (v == v && (v < 0 ? (double)f < v : (double)f > v))
        return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, f) - 1);
    return f;
}
QN__BOTH unsigned char __qn_to_small(double v, int digits, int bias, unsigned int largest,
                                     bool to_zero)
{
    const float f = __qn_cut(v);
    return __qn_to_small(f, (double)f != v, digits, bias, largest, to_zero);
}
QN__BOTH float __qn_from_small(unsigned int v, int digits, int bias, unsigned int largest)
{
    const unsigned int sign = v & (largest + 1) ? 0x80000000u : 0, magnitude = v & largest;
    const unsigned int mantissa = magnitude & ((1u << digits) - 1);
    const int exponent = (int)(magnitude >> digits);
    if (exponent == 0) {
        const float f =
            (float)mantissa * __builtin_bit_cast(float, (unsigned int)(128 - bias - digits) << 23);
        return sign ? -f : f;
    }
    return __builtin_bit_cast(float, sign | (unsigned int)(exponent - bias + 127) << 23 |
                                         mantissa << (23 - digits));
}

template <bool> struct __qn_integral_only;
template <> struct __qn_integral_only<true> {
    typedef int type;
};

/* The functions of a format's header: bits is 4 or 6, shift the distance of a pair's numbers. */
#define QN__SMALL_FUNCTIONS(bits, shift, storage, storage2)                                        \
    QN__BOTH storage __nv_cvt_float_to_fp##bits(float v, __nv_fp##bits##_interpretation_t kind,    \
                                                cudaRoundMode rounding)                            \
    {                                                                                              \
        return __qn_to_small(v, 0, __qn_fp##bits##_digits(kind), __qn_fp##bits##_bias(kind),       \
                             (1u << (bits - 1)) - 1, rounding == cudaRoundZero);                   \
    }                                                                                              \
    QN__BOTH storage __nv_cvt_double_to_fp##bits(double v, __nv_fp##bits##_interpretation_t kind,  \
                                                 cudaRoundMode rounding)                           \
    {                                                                                              \
        return __qn_to_small(v, __qn_fp##bits##_digits(kind), __qn_fp##bits##_bias(kind),          \
                             (1u << (bits - 1)) - 1, rounding == cudaRoundZero);                   \
    }                                                                                              \
    QN__BOTH storage __nv_cvt_halfraw_to_fp##bits(                                                 \
        __half_raw v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)               \
    {                                                                                              \
        return __nv_cvt_float_to_fp##bits((float)__half(v), kind, rounding);                       \
    }                                                                                              \
    QN__BOTH storage __nv_cvt_bfloat16raw_to_fp##bits(                                             \
        __nv_bfloat16_raw v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)        \
    {                                                                                              \
        return __nv_cvt_float_to_fp##bits((float)__nv_bfloat16(v), kind, rounding);                \
    }                                                                                              \
    QN__BOTH storage2 __nv_cvt_float2_to_fp##bits##x2(                                             \
        float2 v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)                   \
    {                                                                                              \
        return (storage2)(__nv_cvt_float_to_fp##bits(v.y, kind, rounding) << shift |               \
                          __nv_cvt_float_to_fp##bits(v.x, kind, rounding));                        \
    }                                                                                              \
    QN__BOTH storage2 __nv_cvt_double2_to_fp##bits##x2(                                            \
        double2 v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)                  \
    {                                                                                              \
        return (storage2)(__nv_cvt_double_to_fp##bits(v.y, kind, rounding) << shift |              \
                          __nv_cvt_double_to_fp##bits(v.x, kind, rounding));                       \
    }                                                                                              \
    QN__BOTH storage2 __nv_cvt_halfraw2_to_fp##bits##x2(                                           \
        __half2_raw v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)              \
    {                                                                                              \
        return __nv_cvt_float2_to_fp##bits##x2(__half22float2(__half2(v)), kind, rounding);        \
    }                                                                                              \
    QN__BOTH storage2 __nv_cvt_bfloat16raw2_to_fp##bits##x2(                                       \
        __nv_bfloat162_raw v, __nv_fp##bits##_interpretation_t kind, cudaRoundMode rounding)       \
    {                                                                                              \
        return __nv_cvt_float2_to_fp##bits##x2(__bfloat1622float2(__nv_bfloat162(v)), kind,        \
                                               rounding);                                          \
    }                                                                                              \
    QN__BOTH __half_raw __nv_cvt_fp##bits##_to_halfraw(storage v,                                  \
                                                       __nv_fp##bits##_interpretation_t kind)      \
    {                                                                                              \
        return (__half_raw)__half(__qn_from_small(                                                 \
            v, __qn_fp##bits##_digits(kind), __qn_fp##bits##_bias(kind), (1u << (bits - 1)) - 1)); \
    }                                                                                              \
    QN__BOTH __half2_raw __nv_cvt_fp##bits##x2_to_halfraw2(storage2 v,                             \
                                                           __nv_fp##bits##_interpretation_t kind)  \
    {                                                                                              \
        return __half2_raw{__nv_cvt_fp##bits##_to_halfraw((storage)v, kind).x,                     \
                           __nv_cvt_fp##bits##_to_halfraw((storage)(v >> shift), kind).x};         \
    }

/* One format's types: name e2m1, kind __NV_E2M1. */
#define QN__SMALL_TYPES(bits, shift, name, kind, storage, storage2, storage4)                      \
    struct __nv_fp##bits##_##name {                                                                \
        storage __x;                                                                               \
        __nv_fp##bits##_##name() = default;                                                        \
        QN__MEMBER explicit __nv_fp##bits##_##name(float v)                                        \
            : __x(__nv_cvt_float_to_fp##bits(v, kind, cudaRoundNearest))                           \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##_##name(double v)                                       \
            : __x(__nv_cvt_double_to_fp##bits(v, kind, cudaRoundNearest))                          \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##_##name(__half v)                                       \
            : __x(__nv_cvt_float_to_fp##bits((float)v, kind, cudaRoundNearest))                    \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##_##name(__nv_bfloat16 v)                                \
            : __x(__nv_cvt_float_to_fp##bits((float)v, kind, cudaRoundNearest))                    \
        {                                                                                          \
        }                                                                                          \
        template <class I, typename __qn_integral_only<__is_integral(I)>::type = 0>                \
        QN__MEMBER explicit __nv_fp##bits##_##name(I v)                                            \
            : __x(__nv_cvt_float_to_fp##bits((float)v, kind, cudaRoundNearest))                    \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator float() const                                                 \
        {                                                                                          \
            return (float)__half(__nv_cvt_fp##bits##_to_halfraw(__x, kind));                       \
        }                                                                                          \
        QN__MEMBER explicit operator double() const                                                \
        {                                                                                          \
            return (float)*this;                                                                   \
        }                                                                                          \
        QN__MEMBER explicit operator __half() const                                                \
        {                                                                                          \
            return __half(__nv_cvt_fp##bits##_to_halfraw(__x, kind));                              \
        }                                                                                          \
        QN__MEMBER explicit operator __nv_bfloat16() const                                         \
        {                                                                                          \
            return __nv_bfloat16((float)*this);                                                    \
        }                                                                                          \
        QN__MEMBER explicit operator bool() const                                                  \
        {                                                                                          \
            return (__x & ((1u << (bits - 1)) - 1)) != 0;                                          \
        }                                                                                          \
        template <class I, typename __qn_integral_only<__is_integral(I)>::type = 0>                \
        QN__MEMBER explicit operator I() const                                                     \
        {                                                                                          \
            const int whole = (int)(float)*this;                                                   \
            return (I)(whole < 0 && (I) - 1 > (I)0 ? 0 : whole);                                   \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(sizeof(storage2)))) __nv_fp##bits##x2_##name {                   \
        storage2 __x;                                                                              \
        __nv_fp##bits##x2_##name() = default;                                                      \
        QN__MEMBER explicit __nv_fp##bits##x2_##name(float2 v)                                     \
            : __x(__nv_cvt_float2_to_fp##bits##x2(v, kind, cudaRoundNearest))                      \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##x2_##name(double2 v)                                    \
            : __x(__nv_cvt_double2_to_fp##bits##x2(v, kind, cudaRoundNearest))                     \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##x2_##name(__half2 v)                                    \
            : __x(__nv_cvt_halfraw2_to_fp##bits##x2(v, kind, cudaRoundNearest))                    \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##x2_##name(__nv_bfloat162 v)                             \
            : __x(__nv_cvt_bfloat16raw2_to_fp##bits##x2(v, kind, cudaRoundNearest))                \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator __half2() const                                               \
        {                                                                                          \
            return __half2(__nv_cvt_fp##bits##x2_to_halfraw2(__x, kind));                          \
        }                                                                                          \
        QN__MEMBER explicit operator float2() const                                                \
        {                                                                                          \
            return __half22float2((__half2) * this);                                               \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(sizeof(storage4)))) __nv_fp##bits##x4_##name {                   \
        storage4 __x;                                                                              \
        __nv_fp##bits##x4_##name() = default;                                                      \
        QN__MEMBER explicit __nv_fp##bits##x4_##name(float4 v)                                     \
            : __x((storage4)((storage4)__nv_cvt_float2_to_fp##bits##x2(float2{v.z, v.w}, kind,     \
                                                                       cudaRoundNearest)           \
                                 << 2 * shift |                                                    \
                             __nv_cvt_float2_to_fp##bits##x2(float2{v.x, v.y}, kind,               \
                                                             cudaRoundNearest)))                   \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##x4_##name(__half2 low, __half2 high)                    \
            : __x((storage4)((storage4)__nv_cvt_halfraw2_to_fp##bits##x2(high, kind,               \
                                                                         cudaRoundNearest)         \
                                 << 2 * shift |                                                    \
                             __nv_cvt_halfraw2_to_fp##bits##x2(low, kind, cudaRoundNearest)))      \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp##bits##x4_##name(__nv_bfloat162 low, __nv_bfloat162 high)      \
            : __x((storage4)((storage4)__nv_cvt_bfloat16raw2_to_fp##bits##x2(high, kind,           \
                                                                             cudaRoundNearest)     \
                                 << 2 * shift |                                                    \
                             __nv_cvt_bfloat16raw2_to_fp##bits##x2(low, kind, cudaRoundNearest)))  \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator float4() const                                                \
        {                                                                                          \
            const float2 low =                                                                     \
                __half22float2(__half2(__nv_cvt_fp##bits##x2_to_halfraw2((storage2)__x, kind)));   \
            const float2 high = __half22float2(                                                    \
                __half2(__nv_cvt_fp##bits##x2_to_halfraw2((storage2)(__x >> 2 * shift), kind)));   \
            return float4{low.x, low.y, high.x, high.y};                                           \
        }                                                                                          \
    };

#endif
