/* SPDX-License-Identifier: Apache-2.0
 *
 * Math. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_MATH_H
#define QN_STD_MATH_H

#include <stdlib.h>

#define M_E        2.7182818284590452354
#define M_LOG2E    1.4426950408889634074
#define M_LOG10E   0.43429448190325182765
#define M_LN2      0.69314718055994530942
#define M_LN10     2.30258509299404568402
#define M_PI       3.14159265358979323846
#define M_PI_2     1.57079632679489661923
#define M_PI_4     0.78539816339744830962
#define M_1_PI     0.31830988618379067154
#define M_2_PI     0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2    1.41421356237309504880
#define M_SQRT1_2  0.70710678118654752440
#define HUGE_VAL   __builtin_huge_val()
#define HUGE_VALF  __builtin_huge_valf()
#ifndef NAN
#define INFINITY __builtin_inff()
#define NAN      __builtin_nanf("")
#endif
#define FP_NAN       0
#define FP_INFINITE  1
#define FP_ZERO      2
#define FP_SUBNORMAL 3
#define FP_NORMAL    4
typedef double double_t;
typedef float float_t;
#define QN__HOST1(name)                                                                            \
    extern "C" double name(double);                                                                \
    extern "C" float name##f(float);                                                               \
    extern "C" long double name##l(long double);                                                   \
    static inline float name(float x)                                                              \
    {                                                                                              \
        return name##f(x);                                                                         \
    }                                                                                              \
    static inline long double name(long double x)                                                  \
    {                                                                                              \
        return name##l(x);                                                                         \
    }                                                                                              \
    template <class T> static inline typename __qn_if<__is_integral(T), double>::type name(T x)    \
    {                                                                                              \
        return name((double)x);                                                                    \
    }
#define QN__HOST2(name)                                                                            \
    extern "C" double name(double, double);                                                        \
    extern "C" float name##f(float, float);                                                        \
    static inline float name(float x, float y)                                                     \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }                                                                                              \
    template <class T, class U> static inline typename __qn_wider<T, U>::type name(T x, U y)       \
    {                                                                                              \
        return name((double)x, (double)y);                                                         \
    }
QN__HOST1(acos)
QN__HOST1(acosh)
QN__HOST1(asin)
QN__HOST1(asinh)
QN__HOST1(atan)
QN__HOST1(atanh)
QN__HOST1(cbrt)
QN__HOST1(ceil)
QN__HOST1(cos)
QN__HOST1(cosh)
QN__HOST1(erf)
QN__HOST1(erfc)
QN__HOST1(exp)
QN__HOST1(exp2)
QN__HOST1(expm1)
QN__HOST1(fabs)
QN__HOST1(floor)
QN__HOST1(lgamma)
QN__HOST1(log)
QN__HOST1(log10)
QN__HOST1(log1p)
QN__HOST1(log2)
QN__HOST1(logb)
QN__HOST1(nearbyint)
QN__HOST1(rint)
QN__HOST1(round)
QN__HOST1(sin)
QN__HOST1(sinh)
QN__HOST1(sqrt)
QN__HOST1(tan)
QN__HOST1(tanh)
QN__HOST1(tgamma)
QN__HOST1(trunc)
QN__HOST2(atan2)
QN__HOST2(copysign)
QN__HOST2(fdim)
QN__HOST2(fmax)
QN__HOST2(fmin)
QN__HOST2(fmod)
QN__HOST2(hypot)
QN__HOST2(nextafter)
QN__HOST2(pow)
QN__HOST2(remainder)
#undef QN__HOST1
#undef QN__HOST2
extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double frexp(double, int *);
float frexpf(float, int *);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double modf(double, double *);
float modff(float, float *);
double j0(double);
double j1(double);
double jn(int, double);
double y0(double);
double y1(double);
double yn(int, double);
long lrint(double);
long lrintf(float);
long lround(double);
long lroundf(float);
long long llrint(double);
long long llround(double);
int ilogb(double);
void sincos(double, double *, double *);
void sincosf(float, float *, float *);
}
static inline float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}
static inline float ldexp(float x, int n)
{
    return ldexpf(x, n);
}
static inline float frexp(float x, int *n)
{
    return frexpf(x, n);
}
static inline float modf(float x, float *whole)
{
    return modff(x, whole);
}
static inline long lround(float x)
{
    return lroundf(x);
}
static inline float abs(float x)
{
    return fabsf(x);
}
static inline double abs(double x)
{
    return fabs(x);
}
#define QN__HOST_CLASS(name, value)                                                                \
    static inline bool name(float x)                                                               \
    {                                                                                              \
        return value;                                                                              \
    }                                                                                              \
    static inline bool name(double x)                                                              \
    {                                                                                              \
        return value;                                                                              \
    }
QN__HOST_CLASS(isnan, __builtin_isnan(x))
QN__HOST_CLASS(isinf, __builtin_isinf(x))
QN__HOST_CLASS(isfinite, __builtin_isfinite(x))
QN__HOST_CLASS(isnormal, __builtin_isnormal(x))
QN__HOST_CLASS(signbit, __builtin_signbit(x))
#undef QN__HOST_CLASS

#endif
