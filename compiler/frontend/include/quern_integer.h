/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer intrinsics: bit counting, wide products, averages, byte permutation, dot products.
 */
#pragma clang system_header
#ifndef QN_STANDIN_INTEGER
#define QN_STANDIN_INTEGER

QN__PURE(int, __popc, (unsigned int));
QN__PURE(int, __popcll, (unsigned long long));
QN__PURE(int, __clz, (int));
QN__PURE(int, __clzll, (long long));
QN__PURE(int, __ffs, (int));
QN__PURE(int, __ffsll, (long long));
QN__PURE(unsigned int, __brev, (unsigned int));
QN__PURE(unsigned long long, __brevll, (unsigned long long));
QN__PURE(int, __fns, (unsigned int, unsigned int, int));
QN__PURE(unsigned int, __byte_perm, (unsigned int, unsigned int, unsigned int));
QN__PURE(unsigned int, __qn_prmt, (unsigned int, unsigned int, unsigned int)); /* inline PTX */
QN__PURE(unsigned int, __funnelshift_l, (unsigned int, unsigned int, unsigned int));
QN__PURE(unsigned int, __funnelshift_lc, (unsigned int, unsigned int, unsigned int));
QN__PURE(unsigned int, __funnelshift_r, (unsigned int, unsigned int, unsigned int));
QN__PURE(unsigned int, __funnelshift_rc, (unsigned int, unsigned int, unsigned int));
QN__PURE(int, __mulhi, (int, int));
QN__PURE(unsigned int, __umulhi, (unsigned int, unsigned int));
QN__PURE(long long, __mul64hi, (long long, long long));
QN__PURE(unsigned long long, __umul64hi, (unsigned long long, unsigned long long));
QN__PURE(int, __mul24, (int, int));
QN__PURE(unsigned int, __umul24, (unsigned int, unsigned int));
QN__PURE(unsigned int, __sad, (int, int, unsigned int));
QN__PURE(unsigned int, __usad, (unsigned int, unsigned int, unsigned int));
QN__PURE(int, __hadd, (int, int));
QN__PURE(int, __rhadd, (int, int));
QN__PURE(unsigned int, __uhadd, (unsigned int, unsigned int));
QN__PURE(unsigned int, __urhadd, (unsigned int, unsigned int));

QN__PURE(int, __qn_dp4a_i32, (int, int, int));
QN__PURE(unsigned int, __qn_dp4a_u32, (unsigned int, unsigned int, unsigned int));
QN__PURE(int, __qn_dp2a_lo_i32, (int, int, int));
QN__PURE(unsigned int, __qn_dp2a_lo_u32, (unsigned int, unsigned int, unsigned int));
QN__PURE(int, __qn_dp2a_hi_i32, (int, int, int));
QN__PURE(unsigned int, __qn_dp2a_hi_u32, (unsigned int, unsigned int, unsigned int));

/* 0, in front of the count of a shift that clang is not to fold (frontend/constant_shifts.c) */
QN__BOTH int __qn_no_count()
{
    return 0;
}

/* a vector type's bytes as one 32-bit number */
template <class T> QN__INLINE int __qn_word(T v)
{
    return __builtin_bit_cast(int, v);
}

QN__INLINE int __dp4a(int a, int b, int c)
{
    return __qn_dp4a_i32(a, b, c);
}
QN__INLINE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    return __qn_dp4a_u32(a, b, c);
}
QN__INLINE int __dp4a(char4 a, char4 b, int c)
{
    return __qn_dp4a_i32(__qn_word(a), __qn_word(b), c);
}
QN__INLINE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return __qn_dp4a_u32(__qn_word(a), __qn_word(b), c);
}
#define QN__DP2A(half)                                                                             \
    QN__INLINE int __dp2a_##half(int a, int b, int c)                                              \
    {                                                                                              \
        return __qn_dp2a_##half##_i32(a, b, c);                                                    \
    }                                                                                              \
    QN__INLINE unsigned int __dp2a_##half(unsigned int a, unsigned int b, unsigned int c)          \
    {                                                                                              \
        return __qn_dp2a_##half##_u32(a, b, c);                                                    \
    }                                                                                              \
    QN__INLINE int __dp2a_##half(short2 a, char4 b, int c)                                         \
    {                                                                                              \
        return __qn_dp2a_##half##_i32(__qn_word(a), __qn_word(b), c);                              \
    }                                                                                              \
    QN__INLINE unsigned int __dp2a_##half(ushort2 a, uchar4 b, unsigned int c)                     \
    {                                                                                              \
        return __qn_dp2a_##half##_u32(__qn_word(a), __qn_word(b), c);                              \
    }
QN__DP2A(lo)
QN__DP2A(hi)
#undef QN__DP2A

/* Names of CUDA's first releases. */
QN__INLINE int mulhi(int a, int b)
{
    return __mulhi(a, b);
}
QN__INLINE unsigned int mulhi(unsigned int a, unsigned int b)
{
    return __umulhi(a, b);
}
QN__INLINE unsigned int mulhi(int a, unsigned int b)
{
    return __umulhi(a, b);
}
QN__INLINE unsigned int mulhi(unsigned int a, int b)
{
    return __umulhi(a, b);
}
QN__INLINE long long mul64hi(long long a, long long b)
{
    return __mul64hi(a, b);
}
QN__INLINE unsigned long long mul64hi(unsigned long long a, unsigned long long b)
{
    return __umul64hi(a, b);
}
QN__INLINE int mul24(int a, int b)
{
    return __mul24(a, b);
}
QN__INLINE unsigned int umul24(unsigned int a, unsigned int b)
{
    return __umul24(a, b);
}

#endif
