/* SPDX-License-Identifier: Apache-2.0
 *
 * 8-bit floats: e4m3 (bias 7, largest 448, no infinity, NaN 0x7f) and e5m2 (bias 15, infinity as
 * in half). The conversions are plain C++ on bits and are inlined; __NV_SATFINITE clamps to the
 * largest finite value, __NV_NOSAT gives NaN (e4m3) or infinity (e5m2).
 */
#pragma clang system_header
#ifndef QN_STANDIN_FP8
#define QN_STANDIN_FP8

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/* Round the magnitude to `digits` mantissa bits, nearest even, from the bits of a float; `guard` is
 * nonzero when the true value is not the float's (a double that was cut). */
QN__BOTH __nv_fp8_storage_t __qn_to_fp8(float v, unsigned int guard, __nv_saturation_t saturate,
                                        __nv_fp8_interpretation_t kind)
{
    const unsigned int bits = __builtin_bit_cast(unsigned int, v), sign = bits >> 24 & 0x80;
    const unsigned int magnitude = bits & 0x7fffffff;
    const unsigned int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const unsigned int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    const unsigned int over = kind == __NV_E4M3 ? 0x7f : 0x7c;
    if (magnitude > 0x7f800000)
        return (__nv_fp8_storage_t)(kind == __NV_E4M3 ? sign | 0x7f : sign | 0x7e);
    unsigned int result;
    const int exponent = (int)(magnitude >> 23) - 127 + (int)bias;
    if (magnitude == 0x7f800000) {
        result = over;
    } else if (exponent >= 1) {
        const unsigned int drop = 23 - digits, low = magnitude & ((1u << drop) - 1);
        result = (unsigned int)exponent << digits | (magnitude >> drop & ((1u << digits) - 1));
        const unsigned int half = 1u << (drop - 1);
        result += low > half || (low == half && (guard || (result & 1)));
        if (result > largest)
            result = over;
    } else {
        const unsigned int drop = 24 - digits - (unsigned int)exponent;
        if (drop > 25) {
            result = 0;
        } else {
            const unsigned int mantissa = (magnitude & 0x7fffff) | 0x800000;
            const unsigned int low = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
            result = mantissa >> drop;
            result += low > half || (low == half && (guard || (result & 1)));
        }
    }
    if (result == over && saturate == __NV_SATFINITE)
        result = largest;
    return (__nv_fp8_storage_t)(sign | result);
}
QN__BOTH float __qn_from_fp8(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind)
{
    const unsigned int sign = (v & 0x80u) << 24, digits = kind == __NV_E4M3 ? 3 : 2;
    const int bias = kind == __NV_E4M3 ? 7 : 15;
    const unsigned int magnitude = v & 0x7fu, mantissa = magnitude & ((1u << digits) - 1);
    const int exponent = (int)(magnitude >> digits);
    if (kind == __NV_E4M3 ? magnitude == 0x7f : magnitude > 0x7c)
        return __builtin_bit_cast(float, 0x7fffffffu);
    if (kind == __NV_E5M2 && magnitude == 0x7c)
        return __builtin_bit_cast(float, sign | 0x7f800000u);
    if (exponent == 0) {
        const float unit = kind == __NV_E4M3 ? 1.0f / 512 : 1.0f / 65536;
        return (sign ? -unit : unit) * (float)mantissa;
    }
    return __builtin_bit_cast(float, sign | (unsigned int)(exponent - bias + 127) << 23 |
                                         mantissa << (23 - digits));
}

QN__BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t kind)
{
    return __qn_to_fp8(v, 0, saturate, kind);
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t kind)
{
    /* cut towards zero, so that what was cut off only ever adds to the magnitude */
    float f = (float)v;
    if (v == v && (v < 0 ? (double)f < v : (double)f > v))
        f = __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, f) - 1);
    return __qn_to_fp8(f, (double)f != v, saturate, kind);
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__qn_to_fp8(v.y, 0, saturate, kind) << 8 |
                                  __qn_to_fp8(v.x, 0, saturate, kind));
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(v.y, saturate, kind) << 8 |
                                  __nv_cvt_double_to_fp8(v.x, saturate, kind));
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind)
{
    return __qn_to_fp8((float)__half(v), 0, saturate, kind);
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(v)), saturate, kind);
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v,
                                                        __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind)
{
    return __qn_to_fp8((float)__nv_bfloat16(v), 0, saturate, kind);
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v,
                                                             __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(v)), saturate, kind);
}
QN__BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind)
{
    return (__half_raw)__half(__qn_from_fp8(v, kind));
}
QN__BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                __nv_fp8_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x};
}

/* Powers of two, e8m0: 2^(x - 127), 0xff for NaN; the sign is dropped. Towards zero or away from
 * it. */
QN__BOTH __nv_fp8_storage_t __qn_to_e8m0(float v, bool guard, __nv_saturation_t saturate,
                                         cudaRoundMode rounding)
{
    const unsigned int magnitude = __builtin_bit_cast(unsigned int, v) & 0x7fffffff;
    unsigned int result = magnitude >> 23;
    if (magnitude > 0x7f800000)
        return 0xff;
    if (rounding == cudaRoundPosInf && result < 0xff)
        result += result ? (magnitude & 0x7fffff) || guard
                         : magnitude > 0x400000 || (magnitude == 0x400000 && guard);
    return (__nv_fp8_storage_t)(result == 0xff && saturate == __NV_SATFINITE ? 0xfe : result);
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float v, __nv_saturation_t saturate,
                                                   cudaRoundMode rounding)
{
    return __qn_to_e8m0(v, false, saturate, rounding);
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double v, __nv_saturation_t saturate,
                                                    cudaRoundMode rounding)
{
    float f = (float)v; /* cut towards zero */
    if (v == v && (v < 0 ? (double)f < v : (double)f > v))
        f = __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, f) - 1);
    const bool is_infinite = v - v != 0;
    return __qn_to_e8m0(f, (double)f != v && !is_infinite, saturate, rounding);
}
QN__BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw v,
                                                         __nv_saturation_t saturate,
                                                         cudaRoundMode rounding)
{
    return __qn_to_e8m0((float)__nv_bfloat16(v), false, saturate, rounding);
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 v, __nv_saturation_t saturate,
                                                        cudaRoundMode rounding)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_e8m0(v.y, saturate, rounding) << 8 |
                                  __nv_cvt_float_to_e8m0(v.x, saturate, rounding));
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 v, __nv_saturation_t saturate,
                                                         cudaRoundMode rounding)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(v.y, saturate, rounding) << 8 |
                                  __nv_cvt_double_to_e8m0(v.x, saturate, rounding));
}
QN__BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw v,
                                                              __nv_saturation_t saturate,
                                                              cudaRoundMode rounding)
{
    return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(__nv_bfloat162(v)), saturate, rounding);
}
QN__BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t v)
{
    return __nv_bfloat16_raw{(unsigned short)(v == 0xff ? 0x7fff : v ? v << 7 : 0x40)};
}
QN__BOTH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v)
{
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)v).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(v >> 8)).x};
}
struct __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    QN__MEMBER explicit __nv_fp8_e8m0(float v)
        : __x(__nv_cvt_float_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit __nv_fp8_e8m0(double v)
        : __x(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit __nv_fp8_e8m0(__half v)
        : __x(__nv_cvt_float_to_e8m0((float)v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit __nv_fp8_e8m0(__nv_bfloat16 v)
        : __x(__nv_cvt_bfloat16raw_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit operator __nv_bfloat16() const
    {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
    }
    QN__MEMBER explicit operator float() const
    {
        return (float)(__nv_bfloat16) * this;
    }
    QN__MEMBER explicit operator double() const
    {
        return (float)*this;
    }
    QN__MEMBER explicit operator __half() const
    {
        return __half((float)*this);
    }
};
struct __attribute__((aligned(2))) __nv_fp8x2_e8m0 {
    __nv_fp8x2_storage_t __x;
    __nv_fp8x2_e8m0() = default;
    QN__MEMBER explicit __nv_fp8x2_e8m0(float2 v)
        : __x(__nv_cvt_float2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit __nv_fp8x2_e8m0(__nv_bfloat162 v)
        : __x(__nv_cvt_bfloat162raw_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    QN__MEMBER explicit operator __nv_bfloat162() const
    {
        return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x));
    }
    QN__MEMBER explicit operator float2() const
    {
        return __bfloat1622float2((__nv_bfloat162) * this);
    }
};

#define QN__FP8(name, kind)                                                                        \
    struct __nv_fp8_##name {                                                                       \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##name() = default;                                                               \
        QN__MEMBER explicit __nv_fp8_##name(float v)                                               \
            : __x(__qn_to_fp8(v, 0, __NV_SATFINITE, kind))                                         \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8_##name(double v)                                              \
            : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind))                                 \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8_##name(__half v)                                              \
            : __x(__qn_to_fp8((float)v, 0, __NV_SATFINITE, kind))                                  \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8_##name(__nv_bfloat16 v)                                       \
            : __x(__qn_to_fp8((float)v, 0, __NV_SATFINITE, kind))                                  \
        {                                                                                          \
        }                                                                                          \
        template <class I>                                                                         \
        QN__MEMBER explicit __nv_fp8_##name(I v)                                                   \
            : __x(__nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, kind))                         \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator float() const                                                 \
        {                                                                                          \
            return __qn_from_fp8(__x, kind);                                                       \
        }                                                                                          \
        QN__MEMBER explicit operator double() const                                                \
        {                                                                                          \
            return __qn_from_fp8(__x, kind);                                                       \
        }                                                                                          \
        QN__MEMBER explicit operator __half() const                                                \
        {                                                                                          \
            return __half(__qn_from_fp8(__x, kind));                                               \
        }                                                                                          \
        QN__MEMBER explicit operator __nv_bfloat16() const                                         \
        {                                                                                          \
            return __nv_bfloat16(__qn_from_fp8(__x, kind));                                        \
        }                                                                                          \
        QN__MEMBER explicit operator int() const                                                   \
        {                                                                                          \
            return (int)__qn_from_fp8(__x, kind);                                                  \
        }                                                                                          \
        QN__MEMBER explicit operator bool() const                                                  \
        {                                                                                          \
            return (__x & 0x7f) != 0;                                                              \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(2))) __nv_fp8x2_##name {                                         \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##name() = default;                                                             \
        QN__MEMBER explicit __nv_fp8x2_##name(float2 v)                                            \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind))                               \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8x2_##name(double2 v)                                           \
            : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind))                              \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8x2_##name(__half2 v)                                           \
            : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind))                             \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit __nv_fp8x2_##name(__nv_bfloat162 v)                                    \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, kind))                         \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator float2() const                                                \
        {                                                                                          \
            return float2{__qn_from_fp8((__nv_fp8_storage_t)__x, kind),                            \
                          __qn_from_fp8((__nv_fp8_storage_t)(__x >> 8), kind)};                    \
        }                                                                                          \
        QN__MEMBER explicit operator __half2() const                                               \
        {                                                                                          \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                 \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) __nv_fp8x4_##name {                                         \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##name() = default;                                                             \
        QN__MEMBER explicit __nv_fp8x4_##name(float4 v)                                            \
            : __x((unsigned int)__nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, kind)   \
                      << 16 |                                                                      \
                  __nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, kind))                \
        {                                                                                          \
        }                                                                                          \
        QN__MEMBER explicit operator float4() const                                                \
        {                                                                                          \
            return float4{__qn_from_fp8((__nv_fp8_storage_t)__x, kind),                            \
                          __qn_from_fp8((__nv_fp8_storage_t)(__x >> 8), kind),                     \
                          __qn_from_fp8((__nv_fp8_storage_t)(__x >> 16), kind),                    \
                          __qn_from_fp8((__nv_fp8_storage_t)(__x >> 24), kind)};                   \
        }                                                                                          \
    };
QN__FP8(e4m3, __NV_E4M3)
QN__FP8(e5m2, __NV_E5M2)
#undef QN__FP8

#endif
