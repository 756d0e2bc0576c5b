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

/* min and max of three, with and without a floor of zero; on words they are plain expressions */
QN__INLINE int __vimax3_s32(int a, int b, int c)
{
    return max(max(a, b), c);
}
QN__INLINE int __vimin3_s32(int a, int b, int c)
{
    return min(min(a, b), c);
}
QN__INLINE unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c)
{
    return max(max(a, b), c);
}
QN__INLINE unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c)
{
    return min(min(a, b), c);
}
QN__INLINE int __vimax_s32_relu(int a, int b)
{
    return max(max(a, b), 0);
}
QN__INLINE int __vimin_s32_relu(int a, int b)
{
    return max(min(a, b), 0);
}
QN__INLINE int __vimax3_s32_relu(int a, int b, int c)
{
    return max(max(max(a, b), c), 0);
}
QN__INLINE int __vimin3_s32_relu(int a, int b, int c)
{
    return max(min(min(a, b), c), 0);
}
QN__INLINE int __viaddmax_s32(int a, int b, int c)
{
    return max(a + b, c);
}
QN__INLINE int __viaddmin_s32(int a, int b, int c)
{
    return min(a + b, c);
}
QN__INLINE unsigned int __viaddmax_u32(unsigned int a, unsigned int b, unsigned int c)
{
    return max(a + b, c);
}
QN__INLINE unsigned int __viaddmin_u32(unsigned int a, unsigned int b, unsigned int c)
{
    return min(a + b, c);
}

#endif
