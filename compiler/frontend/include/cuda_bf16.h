/* SPDX-License-Identifier: Apache-2.0
 *
 * bfloat16: the upper half of a float, kept as bits. Arithmetic is float arithmetic, rounded to
 * nearest even after each operation. Float has more than twice the digits, so the two roundings are
 * one; only the fused multiply-add needs care and is a builtin.
 */
#pragma clang system_header
#ifndef QN_STANDIN_BF16
#define QN_STANDIN_BF16

#include <cuda_fp16.h>

QN__PURE(float, __qn_bf16_to_f32, (unsigned short));
QN__PURE(unsigned short, __qn_f32_to_bf16, (float));
QN__PURE(unsigned short, __qn_f64_to_bf16, (double));
QN__PURE(unsigned short, __qn_f32_to_bf16_rz, (float));
QN__PURE(unsigned short, __qn_f32_to_bf16_ru, (float));
QN__PURE(unsigned short, __qn_f32_to_bf16_rd, (float));
QN__PURE(unsigned short, __qn_fma_bf16, (unsigned short, unsigned short, unsigned short));
QN__BUILTIN(unsigned short, __qn_atomic_add_bfloat16, (unsigned short *, unsigned short));
QN__BUILTIN(unsigned int, __qn_atomic_add_bfloat162, (unsigned int *, unsigned int));

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

struct __nv_bfloat16 {
    unsigned short __x;
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
    QN__CONVERSIONS(__nv_bfloat16, explicit)
#else
    QN__CONVERSIONS(__nv_bfloat16, )
    QN__ASSIGNMENTS(__nv_bfloat16)
#endif
    QN__MEMBER __nv_bfloat16(const __half &h) : __x(__qn_store((float)h))
    {
    }
    QN__MEMBER __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x)
    {
    }
    QN__MEMBER operator __nv_bfloat16_raw() const
    {
        return __nv_bfloat16_raw{__x};
    }
    QN__MEMBER float __qn_load() const
    {
#ifdef __CUDA_ARCH__
        return __qn_bf16_to_f32(__x);
#else
        return __builtin_bit_cast(float, (unsigned int)__x << 16);
#endif
    }
    QN__MEMBER static unsigned short __qn_store(float v)
    {
#ifdef __CUDA_ARCH__
        return __qn_f32_to_bf16(v);
#else
        const unsigned int u = __builtin_bit_cast(unsigned int, v);
        return v != v ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
#endif
    }
    QN__MEMBER static unsigned short __qn_store(double v)
    {
#ifdef __CUDA_ARCH__
        return __qn_f64_to_bf16(v);
#else
        /* to odd first, so that the second rounding is right */
        float f = (float)v;
        const double back = f;
        unsigned int u = __builtin_bit_cast(unsigned int, f);
        if (back != v && v == v && !(u & 1))
            u += (back < v) == (v > 0) ? 1 : -1;
        return __qn_store(__builtin_bit_cast(float, u));
#endif
    }
    /* Of more digits than double has, the last ones only distinguish a tie from a little more. */
    template <class I> QN__MEMBER static unsigned short __qn_store_wide(I v)
    {
        const I top = v >> (sizeof(I) * 8 - 11);
        return sizeof(I) < 8 || top == 0 || top == (I)-1
                   ? __qn_store((double)v)
                   : __qn_store((double)(v >> 11 | ((v & 0x7ff) != 0)) * 2048);
    }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    QN__MEMBER __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b)
    {
    }
    QN__MEMBER __nv_bfloat162(const __nv_bfloat162_raw &r)
        : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y})
    {
    }
    QN__MEMBER operator __nv_bfloat162_raw() const
    {
        return __nv_bfloat162_raw{x.__x, y.__x};
    }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

QN__BOTH __nv_bfloat16 __qn_bfloat16_bits(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
QN__BOTH unsigned short __qn_bits(__nv_bfloat16 a)
{
    return a.__x;
}
QN__BOTH float __qn_float(__nv_bfloat16 a)
{
    return a.__qn_load();
}
QN__BOTH __nv_bfloat16 __qn_bfloat16_rn(float a)
{
    return __nv_bfloat16(a);
}
QN__BOTH __nv_bfloat16 __qn_bfloat16_double(double a)
{
    return __nv_bfloat16(a);
}
QN__INLINE __nv_bfloat16 __qn_bfloat16_rz(float a)
{
    return __qn_bfloat16_bits(__qn_f32_to_bf16_rz(a));
}
QN__INLINE __nv_bfloat16 __qn_bfloat16_ru(float a)
{
    return __qn_bfloat16_bits(__qn_f32_to_bf16_ru(a));
}
QN__INLINE __nv_bfloat16 __qn_bfloat16_rd(float a)
{
    return __qn_bfloat16_bits(__qn_f32_to_bf16_rd(a));
}
#define QN__BF16_OP(name, op)                                                                      \
    QN__BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                  \
    {                                                                                              \
        return __nv_bfloat16(a.__qn_load() op b.__qn_load());                                      \
    }
QN__BF16_OP(__qn_add, +)
QN__BF16_OP(__qn_sub, -)
QN__BF16_OP(__qn_mul, *)
QN__BF16_OP(__qn_div, /)
#undef QN__BF16_OP
QN__INLINE __nv_bfloat16 __qn_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __qn_bfloat16_bits(__qn_fma_bf16(a.__x, b.__x, c.__x));
}
#define QN__T   __nv_bfloat16
#define QN__T2  __nv_bfloat162
#define QN__N   bfloat16
#define QN__ONE 0x3f80
/* A wide integer must not be rounded twice: the float in between is rounded in the same direction,
 * or to nearest from double. */
#define QN__WIDE_rn(from, a) __nv_bfloat16(a)
#define QN__WIDE_rz(from, a) __qn_bfloat16_rz(__##from##2float_rz(a))
#define QN__WIDE_ru(from, a) __qn_bfloat16_ru(__##from##2float_ru(a))
#define QN__WIDE_rd(from, a) __qn_bfloat16_rd(__##from##2float_rd(a))
#define QN__FROM_WIDE(from, type, mode)                                                            \
    QN__INLINE __nv_bfloat16 __##from##2bfloat16_##mode(type a)                                    \
    {                                                                                              \
        return QN__WIDE_##mode(from, a);                                                           \
    }
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define QN__OPERATORS 0
#else
#define QN__OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define QN__OPERATORS2 0
#else
#define QN__OPERATORS2 1
#endif
#include <quern_narrow.h>

#endif
