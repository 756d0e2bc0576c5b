/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that __half and __nv_bfloat16 share, written once. Included by cuda_fp16.h and
 * cuda_bf16.h, no guard, with these defined:
 *
 *     QN__T, QN__T2    the scalar and the pair:  __half, __half2
 *     QN__N            its name inside function names: half (__float2half), bfloat16
 *     QN__ONE          the bits of 1
 *     QN__OPERATORS, QN__OPERATORS2    1: with the operators of the one, of the pair
 * and, for QN__T: __qn_add, __qn_sub, __qn_mul, __qn_div, __qn_fma (each rounded once),
 * __qn_float(x), __qn_bits(x), and __qn_##N##_rn, _rz, _ru, _rd (float), __qn_##N##_bits(unsigned
 * short).
 */
#pragma clang system_header
#define QN__CAT5(a, b, c, d, e)  a##b##c##d##e
#define QN__PASTE(a, b, c, d, e) QN__CAT5(a, b, c, d, e)
#define QN__FN(before, after)    QN__PASTE(before, QN__N, after, , )
#define QN__OF_BITS              QN__FN(__qn_, _bits)
#define QN__RN                   QN__FN(__qn_, _rn)

/* ---- Conversions ---- */
QN__BOTH float QN__FN(__, 2float)(QN__T a)
{
    return __qn_float(a);
}
QN__BOTH QN__T QN__FN(__float2, )(float a)
{
    return QN__RN(a);
}
QN__BOTH QN__T QN__FN(__double2, )(double a)
{
    return QN__FN(__qn_, _double)(a);
}
#define QN__FROM(from, type, mode)                                                                 \
    QN__BOTH QN__T QN__PASTE(__, from, 2, QN__N, _##mode)(type a)                                  \
    {                                                                                              \
        return QN__FN(__qn_, _##mode)((float)a);                                                   \
    }
#define QN__FROM_ALL(mode)                                                                         \
    QN__FROM(float, float, mode)                                                                   \
    QN__FROM(short, short, mode)                                                                   \
    QN__FROM(ushort, unsigned short, mode)                                                         \
    QN__FROM_WIDE(int, int, mode)                                                                  \
    QN__FROM_WIDE(uint, unsigned int, mode)                                                        \
    QN__FROM_WIDE(ll, long long, mode)                                                             \
    QN__FROM_WIDE(ull, unsigned long long, mode)
QN__FROM_ALL(rn)
QN__FROM_ALL(rz)
QN__FROM_ALL(ru)
QN__FROM_ALL(rd)
#undef QN__FROM
#undef QN__FROM_ALL

#define QN__TO(to, type, mode)                                                                     \
    QN__INLINE type QN__PASTE(__, QN__N, 2, to, _##mode)(QN__T a)                                  \
    {                                                                                              \
        return __float2##to##_##mode(__qn_float(a));                                               \
    }
/* to 16 and 8 bits: saturating, NaN is 0, as the conversions to 32 bits are */
#define QN__TO_SMALL(to, type, low, high, mode)                                                    \
    QN__INLINE type QN__PASTE(__, QN__N, 2, to, _##mode)(QN__T a)                                  \
    {                                                                                              \
        const int v = __float2int_##mode(__qn_float(a));                                           \
        return (type)(v < low ? low : v > high ? high : v);                                        \
    }
#define QN__TO_ALL(mode)                                                                           \
    QN__TO(int, int, mode)                                                                         \
    QN__TO(uint, unsigned int, mode)                                                               \
    QN__TO(ll, long long, mode)                                                                    \
    QN__TO(ull, unsigned long long, mode)                                                          \
    QN__TO_SMALL(short, short, -32768, 32767, mode)                                                \
    QN__TO_SMALL(ushort, unsigned short, 0, 65535, mode)
QN__TO_ALL(rn)
QN__TO_ALL(rz)
QN__TO_ALL(ru)
QN__TO_ALL(rd)
QN__TO_SMALL(char, signed char, -128, 127, rz)
QN__TO_SMALL(uchar, unsigned char, 0, 255, rz)
#undef QN__TO
#undef QN__TO_SMALL
#undef QN__TO_ALL

QN__BOTH short QN__FN(__, _as_short)(QN__T a)
{
    return (short)__qn_bits(a);
}
QN__BOTH unsigned short QN__FN(__, _as_ushort)(QN__T a)
{
    return __qn_bits(a);
}
QN__BOTH QN__T QN__FN(__short_as_, )(short a)
{
    return QN__OF_BITS((unsigned short)a);
}
QN__BOTH QN__T QN__FN(__ushort_as_, )(unsigned short a)
{
    return QN__OF_BITS(a);
}

/* ---- Pairs ---- */
QN__BOTH QN__T2 QN__FN(make_, 2)(QN__T x, QN__T y)
{
    return QN__T2(x, y);
}
QN__BOTH QN__T2 QN__FN(__halves2, 2)(QN__T x, QN__T y)
{
    return QN__T2(x, y);
}
QN__BOTH QN__T2 QN__PASTE(__, QN__N, 2, QN__N, 2)(QN__T x)
{
    return QN__T2(x, x);
}
QN__BOTH QN__T2 QN__FN(__float2, 2_rn)(float x)
{
    return QN__T2(QN__RN(x), QN__RN(x));
}
QN__BOTH QN__T2 QN__FN(__floats2, 2_rn)(float x, float y)
{
    return QN__T2(QN__RN(x), QN__RN(y));
}
QN__BOTH QN__T2 QN__FN(__float22, 2_rn)(float2 a)
{
    return QN__T2(QN__RN(a.x), QN__RN(a.y));
}
QN__BOTH float2 QN__FN(__, 22float2)(QN__T2 a)
{
    return float2{__qn_float(a.x), __qn_float(a.y)};
}
QN__BOTH float __low2float(QN__T2 a)
{
    return __qn_float(a.x);
}
QN__BOTH float __high2float(QN__T2 a)
{
    return __qn_float(a.y);
}
QN__BOTH QN__T QN__FN(__low2, )(QN__T2 a)
{
    return a.x;
}
QN__BOTH QN__T QN__FN(__high2, )(QN__T2 a)
{
    return a.y;
}
QN__BOTH QN__T2 QN__FN(__low2, 2)(QN__T2 a)
{
    return QN__T2(a.x, a.x);
}
QN__BOTH QN__T2 QN__FN(__high2, 2)(QN__T2 a)
{
    return QN__T2(a.y, a.y);
}
QN__BOTH QN__T2 QN__FN(__lows2, 2)(QN__T2 a, QN__T2 b)
{
    return QN__T2(a.x, b.x);
}
QN__BOTH QN__T2 QN__FN(__highs2, 2)(QN__T2 a, QN__T2 b)
{
    return QN__T2(a.y, b.y);
}
QN__BOTH QN__T2 __lowhigh2highlow(QN__T2 a)
{
    return QN__T2(a.y, a.x);
}

/* ---- Arithmetic: one rounding to QN__T per operation ---- */
#define QN__ARITH(name, op)                                                                        \
    QN__BOTH QN__T name(QN__T a, QN__T b)                                                          \
    {                                                                                              \
        return op(a, b);                                                                           \
    }                                                                                              \
    QN__BOTH QN__T name##_rn(QN__T a, QN__T b)                                                     \
    {                                                                                              \
        return op(a, b);                                                                           \
    }                                                                                              \
    QN__BOTH QN__T name##_sat(QN__T a, QN__T b)                                                    \
    {                                                                                              \
        return __qn_saturate(op(a, b));                                                            \
    }                                                                                              \
    QN__BOTH QN__T2 name##2(QN__T2 a, QN__T2 b)                                                    \
    {                                                                                              \
        return QN__T2(op(a.x, b.x), op(a.y, b.y));                                                 \
    }                                                                                              \
    QN__BOTH QN__T2 name##2_rn(QN__T2 a, QN__T2 b)                                                 \
    {                                                                                              \
        return QN__T2(op(a.x, b.x), op(a.y, b.y));                                                 \
    }                                                                                              \
    QN__BOTH QN__T2 name##2_sat(QN__T2 a, QN__T2 b)                                                \
    {                                                                                              \
        return QN__T2(__qn_saturate(op(a.x, b.x)), __qn_saturate(op(a.y, b.y)));                   \
    }
QN__BOTH QN__T __qn_saturate(QN__T a)
{
    const float f = __qn_float(a);
    return f > 0 ? f <= 1 ? a : QN__OF_BITS(QN__ONE) : QN__OF_BITS(0); /* NaN and -0 are 0 */
}
QN__ARITH(__hadd, __qn_add)
QN__ARITH(__hsub, __qn_sub)
QN__ARITH(__hmul, __qn_mul)
#undef QN__ARITH
QN__BOTH QN__T __hdiv(QN__T a, QN__T b)
{
    return __qn_div(a, b);
}
QN__BOTH QN__T2 __h2div(QN__T2 a, QN__T2 b)
{
    return QN__T2(__qn_div(a.x, b.x), __qn_div(a.y, b.y));
}
QN__INLINE QN__T __qn_relu(QN__T a)
{
    return __qn_bits(a) & 0x8000 && __qn_float(a) == __qn_float(a) ? QN__OF_BITS(0) : a;
}
QN__INLINE QN__T __hfma(QN__T a, QN__T b, QN__T c)
{
    return __qn_fma(a, b, c);
}
QN__INLINE QN__T __hfma_sat(QN__T a, QN__T b, QN__T c)
{
    return __qn_saturate(__qn_fma(a, b, c));
}
QN__INLINE QN__T __hfma_relu(QN__T a, QN__T b, QN__T c)
{
    return __qn_relu(__qn_fma(a, b, c));
}
QN__INLINE QN__T2 __hfma2(QN__T2 a, QN__T2 b, QN__T2 c)
{
    return QN__T2(__qn_fma(a.x, b.x, c.x), __qn_fma(a.y, b.y, c.y));
}
QN__INLINE QN__T2 __hfma2_sat(QN__T2 a, QN__T2 b, QN__T2 c)
{
    return QN__T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
QN__INLINE QN__T2 __hfma2_relu(QN__T2 a, QN__T2 b, QN__T2 c)
{
    return QN__T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/* complex multiply-add: real part in x */
QN__INLINE QN__T2 __hcmadd(QN__T2 a, QN__T2 b, QN__T2 c)
{
    const QN__T re = __qn_fma(a.x, b.x, c.x), im = __qn_fma(a.x, b.y, c.y);
    return QN__T2(__qn_fma(QN__OF_BITS(__qn_bits(a.y) ^ 0x8000), b.y, re), __qn_fma(a.y, b.x, im));
}
QN__BOTH QN__T __hneg(QN__T a)
{
    return QN__OF_BITS(__qn_bits(a) ^ 0x8000);
}
QN__BOTH QN__T __habs(QN__T a)
{
    return QN__OF_BITS(__qn_bits(a) & 0x7fff);
}
QN__BOTH QN__T2 __hneg2(QN__T2 a)
{
    return QN__T2(__hneg(a.x), __hneg(a.y));
}
QN__BOTH QN__T2 __habs2(QN__T2 a)
{
    return QN__T2(__habs(a.x), __habs(a.y));
}

/* ---- Minimum and maximum: the number where one is NaN; _nan forms give NaN; +0 above -0 ---- */
#define QN__PICK(name, sign)                                                                       \
    QN__BOTH QN__T name(QN__T a, QN__T b)                                                          \
    {                                                                                              \
        const float x = __qn_float(a), y = __qn_float(b);                                          \
        return x != x     ? b                                                                      \
               : y != y   ? a                                                                      \
               : x == y   ? (__qn_bits(a) & 0x8000) sign(__qn_bits(b) & 0x8000) ? b : a            \
               : x sign y ? a                                                                      \
                          : b;                                                                     \
    }                                                                                              \
    QN__BOTH QN__T name##_nan(QN__T a, QN__T b)                                                    \
    {                                                                                              \
        const float x = __qn_float(a), y = __qn_float(b);                                          \
        return x != x || y != y ? QN__OF_BITS(0x7fff) : name(a, b);                                \
    }                                                                                              \
    QN__BOTH QN__T2 name##2(QN__T2 a, QN__T2 b)                                                    \
    {                                                                                              \
        return QN__T2(name(a.x, b.x), name(a.y, b.y));                                             \
    }                                                                                              \
    QN__BOTH QN__T2 name##2_nan(QN__T2 a, QN__T2 b)                                                \
    {                                                                                              \
        return QN__T2(name##_nan(a.x, b.x), name##_nan(a.y, b.y));                                 \
    }
QN__PICK(__hmin, <)
QN__PICK(__hmax, >)
#undef QN__PICK

/* ---- Comparisons: ordered, and unordered (true when one is NaN) ---- */
#define QN__COMPARE(name, op)                                                                      \
    QN__BOTH bool __h##name(QN__T a, QN__T b)                                                      \
    {                                                                                              \
        const float x = __qn_float(a), y = __qn_float(b);                                          \
        return x op y && x == x && y == y;                                                         \
    }                                                                                              \
    QN__BOTH bool __h##name##u(QN__T a, QN__T b)                                                   \
    {                                                                                              \
        const float x = __qn_float(a), y = __qn_float(b);                                          \
        return x op y || x != x || y != y;                                                         \
    }                                                                                              \
    QN__COMPARE2(name)                                                                             \
    QN__COMPARE2(name##u)
#define QN__COMPARE2(name)                                                                         \
    QN__BOTH QN__T2 __h##name##2(QN__T2 a, QN__T2 b)                                               \
    {                                                                                              \
        return QN__T2(QN__OF_BITS(__h##name(a.x, b.x) ? QN__ONE : 0),                              \
                      QN__OF_BITS(__h##name(a.y, b.y) ? QN__ONE : 0));                             \
    }                                                                                              \
    QN__BOTH unsigned int __h##name##2_mask(QN__T2 a, QN__T2 b)                                    \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    QN__BOTH bool __hb##name##2(QN__T2 a, QN__T2 b)                                                \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
QN__COMPARE(eq, ==)
QN__COMPARE(ne, !=)
QN__COMPARE(lt, <)
QN__COMPARE(le, <=)
QN__COMPARE(gt, >)
QN__COMPARE(ge, >=)
#undef QN__COMPARE
#undef QN__COMPARE2
QN__BOTH bool __hisnan(QN__T a)
{
    return __qn_float(a) != __qn_float(a);
}
QN__BOTH int __hisinf(QN__T a)
{
    const float f = __qn_float(a);
    return f == __builtin_huge_valf() ? 1 : f == -__builtin_huge_valf() ? -1 : 0;
}
QN__BOTH QN__T2 __hisnan2(QN__T2 a)
{
    return QN__T2(QN__OF_BITS(__hisnan(a.x) ? QN__ONE : 0),
                  QN__OF_BITS(__hisnan(a.y) ? QN__ONE : 0));
}

/* ---- Math: the float function, rounded ---- */
#define QN__HMATH(name, ...)                                                                       \
    QN__INLINE QN__T h##name(QN__T a)                                                              \
    {                                                                                              \
        const float x = __qn_float(a);                                                             \
        return QN__RN(__VA_ARGS__);                                                                \
    }                                                                                              \
    QN__INLINE QN__T2 h2##name(QN__T2 a)                                                           \
    {                                                                                              \
        return QN__T2(h##name(a.x), h##name(a.y));                                                 \
    }
QN__HMATH(ceil, ceilf(x))
QN__HMATH(cos, cosf(x))
QN__HMATH(exp, expf(x))
QN__HMATH(exp10, exp10f(x))
QN__HMATH(exp2, exp2f(x))
QN__HMATH(floor, floorf(x))
QN__HMATH(log, logf(x))
QN__HMATH(log10, log10f(x))
QN__HMATH(log2, log2f(x))
QN__HMATH(rcp, 1 / x)
QN__HMATH(rint, rintf(x))
QN__HMATH(rsqrt, rsqrtf(x))
QN__HMATH(sin, sinf(x))
QN__HMATH(sqrt, sqrtf(x))
QN__HMATH(tanh, tanhf(x))
QN__HMATH(trunc, truncf(x))
#undef QN__HMATH
QN__INLINE QN__T htanh_approx(QN__T a)
{
    return htanh(a);
}
QN__INLINE QN__T2 h2tanh_approx(QN__T2 a)
{
    return h2tanh(a);
}

/* ---- Warp and memory ---- */
#define QN__SHUFFLE(name, by)                                                                      \
    QN__INLINE QN__T __shfl##name##_sync(unsigned int mask, QN__T v, by lane, int width = 32)      \
    {                                                                                              \
        return QN__OF_BITS(                                                                        \
            (unsigned short)__shfl##name##_sync(mask, (unsigned int)__qn_bits(v), lane, width));   \
    }                                                                                              \
    QN__INLINE QN__T2 __shfl##name##_sync(unsigned int mask, QN__T2 v, by lane, int width = 32)    \
    {                                                                                              \
        const unsigned int word =                                                                  \
            __shfl##name##_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width);           \
        return __builtin_bit_cast(QN__T2, word);                                                   \
    }                                                                                              \
    QN__INLINE QN__T __shfl##name(QN__T v, by lane, int width = 32)                                \
    {                                                                                              \
        return __shfl##name##_sync(0xffffffffu, v, lane, width);                                   \
    }                                                                                              \
    QN__INLINE QN__T2 __shfl##name(QN__T2 v, by lane, int width = 32)                              \
    {                                                                                              \
        return __shfl##name##_sync(0xffffffffu, v, lane, width);                                   \
    }
QN__SHUFFLE(, int)
QN__SHUFFLE(_up, unsigned int)
QN__SHUFFLE(_down, unsigned int)
QN__SHUFFLE(_xor, int)
#undef QN__SHUFFLE
QN__INLINE QN__T atomicAdd(QN__T *p, QN__T v)
{
    return QN__OF_BITS(QN__FN(__qn_atomic_add_, )((unsigned short *)p, __qn_bits(v)));
}
QN__INLINE QN__T2 atomicAdd(QN__T2 *p, QN__T2 v)
{
    const unsigned int word =
        QN__FN(__qn_atomic_add_, 2)((unsigned int *)p, __builtin_bit_cast(unsigned int, v));
    return __builtin_bit_cast(QN__T2, word);
}

/* ---- Operators: a program may have its own instead, of types that become these ---- */
#if QN__OPERATORS
#define QN__OPERATOR(op, f)                                                                        \
    QN__BOTH QN__T operator op(const QN__T &a, const QN__T &b)                                     \
    {                                                                                              \
        return f(a, b);                                                                            \
    }                                                                                              \
    QN__BOTH QN__T &operator op##=(QN__T & a, const QN__T & b)                                     \
    {                                                                                              \
        return a = f(a, b);                                                                        \
    }
QN__OPERATOR(+, __qn_add)
QN__OPERATOR(-, __qn_sub)
QN__OPERATOR(*, __qn_mul)
QN__OPERATOR(/, __qn_div)
#undef QN__OPERATOR
#define QN__OPERATOR(op, name)                                                                     \
    QN__BOTH bool operator op(const QN__T &a, const QN__T &b)                                      \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }
QN__OPERATOR(==, eq)
QN__OPERATOR(!=, neu)
QN__OPERATOR(<, lt)
QN__OPERATOR(<=, le)
QN__OPERATOR(>, gt)
QN__OPERATOR(>=, ge)
#undef QN__OPERATOR
QN__BOTH QN__T operator+(const QN__T &a)
{
    return a;
}
QN__BOTH QN__T operator-(const QN__T &a)
{
    return __hneg(a);
}
#define QN__STEP(op, f)                                                                            \
    QN__BOTH QN__T &operator op(QN__T & a)                                                         \
    {                                                                                              \
        return a = f(a, QN__OF_BITS(QN__ONE));                                                     \
    }                                                                                              \
    QN__BOTH QN__T operator op(QN__T &a, int)                                                      \
    {                                                                                              \
        const QN__T old = a;                                                                       \
        a = f(a, QN__OF_BITS(QN__ONE));                                                            \
        return old;                                                                                \
    }
QN__STEP(++, __qn_add)
QN__STEP(--, __qn_sub)
#undef QN__STEP
#endif
#if QN__OPERATORS2
#define QN__OPERATOR(op, f)                                                                        \
    QN__BOTH QN__T2 operator op(const QN__T2 &a, const QN__T2 &b)                                  \
    {                                                                                              \
        return QN__T2(f(a.x, b.x), f(a.y, b.y));                                                   \
    }                                                                                              \
    QN__BOTH QN__T2 &operator op##=(QN__T2 & a, const QN__T2 & b)                                  \
    {                                                                                              \
        return a = QN__T2(f(a.x, b.x), f(a.y, b.y));                                               \
    }
QN__OPERATOR(+, __qn_add)
QN__OPERATOR(-, __qn_sub)
QN__OPERATOR(*, __qn_mul)
QN__OPERATOR(/, __qn_div)
#undef QN__OPERATOR
#define QN__OPERATOR(op, name)                                                                     \
    QN__BOTH bool operator op(const QN__T2 &a, const QN__T2 &b)                                    \
    {                                                                                              \
        return __hb##name##2(a, b);                                                                \
    }
QN__OPERATOR(==, eq)
QN__OPERATOR(!=, neu)
QN__OPERATOR(<, lt)
QN__OPERATOR(<=, le)
QN__OPERATOR(>, gt)
QN__OPERATOR(>=, ge)
#undef QN__OPERATOR
QN__BOTH QN__T2 operator+(const QN__T2 &a)
{
    return a;
}
QN__BOTH QN__T2 operator-(const QN__T2 &a)
{
    return __hneg2(a);
}
#endif
#undef QN__CAT5
#undef QN__PASTE
#undef QN__FN
#undef QN__OF_BITS
#undef QN__RN
#undef QN__T
#undef QN__T2
#undef QN__N
#undef QN__ONE
#undef QN__OPERATORS
#undef QN__OPERATORS2
#undef QN__FROM_WIDE
