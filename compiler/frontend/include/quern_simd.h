/* SPDX-License-Identifier: Apache-2.0
 *
 * SIMD video instructions: arithmetic on the two halves or four bytes of a 32-bit word.
 */
#pragma clang system_header
#ifndef QN_STANDIN_SIMD
#define QN_STANDIN_SIMD

#include <quern_math.h>

#define QN__SIMD1(name)                                                                            \
    QN__PURE(unsigned int, __v##name##2, (unsigned int));                                          \
    QN__PURE(unsigned int, __v##name##4, (unsigned int));
#define QN__SIMD2(name)                                                                            \
    QN__PURE(unsigned int, __v##name##2, (unsigned int, unsigned int));                            \
    QN__PURE(unsigned int, __v##name##4, (unsigned int, unsigned int));
QN__SIMD1(abs)
QN__SIMD1(absss)
QN__SIMD1(neg)
QN__SIMD1(negss)
QN__SIMD2(absdiffs)
QN__SIMD2(absdiffu)
QN__SIMD2(add)
QN__SIMD2(addss)
QN__SIMD2(addus)
QN__SIMD2(avgs)
QN__SIMD2(avgu)
QN__SIMD2(haddu)
QN__SIMD2(maxs)
QN__SIMD2(maxu)
QN__SIMD2(mins)
QN__SIMD2(minu)
QN__SIMD2(sads)
QN__SIMD2(sadu)
QN__SIMD2(sub)
QN__SIMD2(subss)
QN__SIMD2(subus)
QN__SIMD2(cmpeq)
QN__SIMD2(cmpne)
QN__SIMD2(cmpges)
QN__SIMD2(cmpgeu)
QN__SIMD2(cmpgts)
QN__SIMD2(cmpgtu)
QN__SIMD2(cmples)
QN__SIMD2(cmpleu)
QN__SIMD2(cmplts)
QN__SIMD2(cmpltu)
QN__SIMD2(seteq)
QN__SIMD2(setne)
QN__SIMD2(setges)
QN__SIMD2(setgeu)
QN__SIMD2(setgts)
QN__SIMD2(setgtu)
QN__SIMD2(setles)
QN__SIMD2(setleu)
QN__SIMD2(setlts)
QN__SIMD2(setltu)
#undef QN__SIMD1
#undef QN__SIMD2

/* min and max with the sum or the third number before them, a floor of zero after them, or a note
 * of which of two it was; on words and on pairs of 16 bits. */
#define QN__DPX(type, suffix, lower, upper, sum)                                                   \
    QN__INLINE type __vimax3_##suffix(type a, type b, type c)                                      \
    {                                                                                              \
        return upper(upper(a, b), c);                                                              \
    }                                                                                              \
    QN__INLINE type __vimin3_##suffix(type a, type b, type c)                                      \
    {                                                                                              \
        return lower(lower(a, b), c);                                                              \
    }                                                                                              \
    QN__INLINE type __viaddmax_##suffix(type a, type b, type c)                                    \
    {                                                                                              \
        return upper(sum(a, b), c);                                                                \
    }                                                                                              \
    QN__INLINE type __viaddmin_##suffix(type a, type b, type c)                                    \
    {                                                                                              \
        return lower(sum(a, b), c);                                                                \
    }
#define QN__DPX_RELU(type, suffix, lower, upper, sum)                                              \
    QN__INLINE type __vimax_##suffix##_relu(type a, type b)                                        \
    {                                                                                              \
        return upper(upper(a, b), 0);                                                              \
    }                                                                                              \
    QN__INLINE type __vimin_##suffix##_relu(type a, type b)                                        \
    {                                                                                              \
        return upper(lower(a, b), 0);                                                              \
    }                                                                                              \
    QN__INLINE type __vimax3_##suffix##_relu(type a, type b, type c)                               \
    {                                                                                              \
        return upper(__vimax3_##suffix(a, b, c), 0);                                               \
    }                                                                                              \
    QN__INLINE type __vimin3_##suffix##_relu(type a, type b, type c)                               \
    {                                                                                              \
        return upper(__vimin3_##suffix(a, b, c), 0);                                               \
    }                                                                                              \
    QN__INLINE type __viaddmax_##suffix##_relu(type a, type b, type c)                             \
    {                                                                                              \
        return upper(__viaddmax_##suffix(a, b, c), 0);                                             \
    }                                                                                              \
    QN__INLINE type __viaddmin_##suffix##_relu(type a, type b, type c)                             \
    {                                                                                              \
        return upper(__viaddmin_##suffix(a, b, c), 0);                                             \
    }
#define QN__DPX_WHICH(name, type, suffix, choose, compare)                                         \
    QN__INLINE type name##_##suffix(const type a, const type b, bool *const is_first)              \
    {                                                                                              \
        *is_first = a compare b;                                                                   \
        return choose(a, b);                                                                       \
    }
#define QN__DPX_WHICH_OF_PAIR(name, suffix, half, choose, compare)                                 \
    QN__INLINE unsigned int name##_##suffix(const unsigned int a, const unsigned int b,            \
                                            bool *const is_first_high, bool *const is_first_low)   \
    {                                                                                              \
        *is_first_high = (half)(a >> 16) compare(half)(b >> 16);                                   \
        *is_first_low = (half)a compare(half) b;                                                   \
        return choose(a, b);                                                                       \
    }
/* a sum that wraps, as the instruction's does */
QN__INLINE int __qn_wrapping_sum(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}
QN__INLINE unsigned int __qn_wrapping_sum(unsigned int a, unsigned int b)
{
    return a + b;
}
QN__DPX(int, s32, min, max, __qn_wrapping_sum)
QN__DPX(unsigned int, u32, min, max, __qn_wrapping_sum)
QN__DPX(unsigned int, s16x2, __vmins2, __vmaxs2, __vadd2)
QN__DPX(unsigned int, u16x2, __vminu2, __vmaxu2, __vadd2)
QN__DPX_RELU(int, s32, min, max, __qn_wrapping_sum)
QN__DPX_RELU(unsigned int, s16x2, __vmins2, __vmaxs2, __vadd2)
QN__DPX_WHICH(__vibmax, int, s32, max, >=)
QN__DPX_WHICH(__vibmin, int, s32, min, <=)
QN__DPX_WHICH(__vibmax, unsigned int, u32, max, >=)
QN__DPX_WHICH(__vibmin, unsigned int, u32, min, <=)
QN__DPX_WHICH_OF_PAIR(__vibmax, s16x2, short, __vmaxs2, >=)
QN__DPX_WHICH_OF_PAIR(__vibmin, s16x2, short, __vmins2, <=)
QN__DPX_WHICH_OF_PAIR(__vibmax, u16x2, unsigned short, __vmaxu2, >=)
QN__DPX_WHICH_OF_PAIR(__vibmin, u16x2, unsigned short, __vminu2, <=)
#undef QN__DPX
#undef QN__DPX_RELU
#undef QN__DPX_WHICH
#undef QN__DPX_WHICH_OF_PAIR

#endif
