/* SPDX-License-Identifier: Apache-2.0
 *
 * Math functions: builtins for float and double, and CUDA's C++ overloads of them. With integer
 * arguments the double form is taken, with mixed ones the wider, as the C++ library does.
 */
#pragma clang system_header
#ifndef QN_STANDIN_MATH
#define QN_STANDIN_MATH

template <bool yes, class T> struct __qn_if {
};
template <class T> struct __qn_if<true, T> {
    typedef T type;
};
template <class T, class U> struct __qn_same {
    static constexpr bool value = false;
};
template <class T> struct __qn_same<T, T> {
    static constexpr bool value = true;
};
template <class T> struct __qn_is_int {
    static constexpr bool value = __is_integral(T);
};
/* float with float stays float, everything else arithmetic becomes double */
template <class T, class U>
struct __qn_wider
    : __qn_if<__is_arithmetic(T) && __is_arithmetic(U) && !__qn_same<T, long double>::value &&
                  !__qn_same<U, long double>::value && !__qn_same<T, U>::value,
              double> {
};
template <class T> struct __qn_wider<T, T> : __qn_if<__is_integral(T), double> {
};

/* Functions of one, two and three arguments: double, float with suffix f, overload, mixed. */
#define QN__MATH1_PLAIN(name)                                                                      \
    QN__PURE(double, name, (double));                                                              \
    QN__PURE(float, name##f, (float));
#define QN__MATH1(name)                                                                            \
    QN__MATH1_PLAIN(name)                                                                          \
    QN__INLINE float name(float x)                                                                 \
    {                                                                                              \
        return name##f(x);                                                                         \
    }                                                                                              \
    template <class T> QN__INLINE typename __qn_if<__is_integral(T), double>::type name(T x)       \
    {                                                                                              \
        return name((double)x);                                                                    \
    }
#define QN__MATH2(name)                                                                            \
    QN__PURE(double, name, (double, double));                                                      \
    QN__PURE(float, name##f, (float, float));                                                      \
    QN__INLINE float name(float x, float y)                                                        \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }                                                                                              \
    template <class T, class U> QN__INLINE typename __qn_wider<T, U>::type name(T x, U y)          \
    {                                                                                              \
        return name((double)x, (double)y);                                                         \
    }

QN__MATH1(acos)
QN__MATH1(acosh)
QN__MATH1(asin)
QN__MATH1(asinh)
QN__MATH1(atan)
QN__MATH1(atanh)
QN__MATH1(cbrt)
QN__MATH1(ceil)
QN__MATH1(cos)
QN__MATH1(cosh)
QN__MATH1(cospi)
QN__MATH1(erf)
QN__MATH1(erfc)
QN__MATH1(erfcinv)
QN__MATH1(erfcx)
QN__MATH1(erfinv)
QN__MATH1(exp)
QN__MATH1(exp10)
QN__MATH1(exp2)
QN__MATH1(expm1)
QN__MATH1(fabs)
QN__MATH1(floor)
QN__MATH1(lgamma)
QN__MATH1(log)
QN__MATH1(log10)
QN__MATH1(log1p)
QN__MATH1(log2)
QN__MATH1(logb)
QN__MATH1(nearbyint)
QN__MATH1(normcdf)
QN__MATH1(normcdfinv)
QN__MATH1(rcbrt)
QN__MATH1(rint)
QN__MATH1(round)
QN__MATH1(rsqrt)
QN__MATH1(sin)
QN__MATH1(sinh)
QN__MATH1(sinpi)
QN__MATH1(sqrt)
QN__MATH1(tan)
QN__MATH1(tanh)
QN__MATH1(tgamma)
QN__MATH1(trunc)
QN__MATH1_PLAIN(j0)
QN__MATH1_PLAIN(j1)
QN__MATH1_PLAIN(y0)
QN__MATH1_PLAIN(y1)
QN__MATH1_PLAIN(cyl_bessel_i0)
QN__MATH1_PLAIN(cyl_bessel_i1)

QN__MATH2(atan2)
QN__MATH2(copysign)
QN__MATH2(fdim)
QN__MATH2(fmax)
QN__MATH2(fmin)
QN__MATH2(fmod)
QN__MATH2(hypot)
QN__MATH2(nextafter)
QN__MATH2(pow)
QN__MATH2(remainder)
QN__MATH2(rhypot)
#undef QN__MATH1_PLAIN
#undef QN__MATH1
#undef QN__MATH2

QN__INLINE float cyl_bessel_i0(float x)
{
    return cyl_bessel_i0f(x);
}
QN__INLINE float cyl_bessel_i1(float x)
{
    return cyl_bessel_i1f(x);
}

QN__PURE(double, fma, (double, double, double));
QN__PURE(float, fmaf, (float, float, float));
QN__INLINE float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}
QN__PURE(double, fdivide, (double, double));
QN__PURE(float, fdividef, (float, float));
QN__INLINE float fdivide(float x, float y)
{
    return fdividef(x, y);
}

QN__PURE(double, norm3d, (double, double, double));
QN__PURE(float, norm3df, (float, float, float));
QN__PURE(double, rnorm3d, (double, double, double));
QN__PURE(float, rnorm3df, (float, float, float));
QN__PURE(double, norm4d, (double, double, double, double));
QN__PURE(float, norm4df, (float, float, float, float));
QN__PURE(double, rnorm4d, (double, double, double, double));
QN__PURE(float, rnorm4df, (float, float, float, float));

/* The largest element is divided out, so the squares neither overflow nor vanish. */
QN__INLINE double norm(int n, const double *p)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(p[i]));
    if (largest > 1.7976931348623157e308)
        return largest;
    largest = largest == 0 ? 1 : largest; /* of zeros, or NaN beside them */
    for (int i = 0; i < n; i++)
        sum = fma(p[i] / largest, p[i] / largest, sum);
    return largest * sqrt(sum);
}
QN__INLINE float normf(int n, const float *p)
{
    float largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(p[i]));
    if (largest > 3.402823466e38f)
        return largest;
    largest = largest == 0 ? 1 : largest; /* of zeros, or NaN beside them */
    for (int i = 0; i < n; i++)
        sum = fmaf(p[i] / largest, p[i] / largest, sum);
    return largest * sqrtf(sum);
}
QN__INLINE double rnorm(int n, const double *p)
{
    return 1 / norm(n, p);
}
QN__INLINE float rnormf(int n, const float *p)
{
    return 1 / normf(n, p);
}

QN__PURE(double, jn, (int, double));
QN__PURE(float, jnf, (int, float));
QN__PURE(double, yn, (int, double));
QN__PURE(float, ynf, (int, float));
QN__PURE(double, ldexp, (double, int));
QN__PURE(float, ldexpf, (float, int));
QN__INLINE float ldexp(float x, int n)
{
    return ldexpf(x, n);
}
QN__PURE(double, scalbn, (double, int));
QN__PURE(float, scalbnf, (float, int));
QN__INLINE float scalbn(float x, int n)
{
    return scalbnf(x, n);
}
QN__INLINE int __qn_clamp_exponent(long n)
{
    return n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n;
}
QN__INLINE double scalbln(double x, long n)
{
    return ldexp(x, __qn_clamp_exponent(n));
}
QN__INLINE float scalblnf(float x, long n)
{
    return ldexpf(x, __qn_clamp_exponent(n));
}
QN__INLINE float scalbln(float x, long n)
{
    return ldexpf(x, __qn_clamp_exponent(n));
}
QN__PURE(int, ilogb, (double));
QN__PURE(int, ilogbf, (float));
QN__INLINE int ilogb(float x)
{
    return ilogbf(x);
}
QN__PURE(double, nan, (const char *));
QN__PURE(float, nanf, (const char *));
#define QN__NO_PAYLOAD __attribute__((enable_if(payload[0] == 0, "no payload")))
QN__INLINE double nan(const char *payload) QN__NO_PAYLOAD
{
    return __builtin_nan("");
}
QN__INLINE float nanf(const char *payload) QN__NO_PAYLOAD
{
    return __builtin_nanf("");
}
#undef QN__NO_PAYLOAD

QN__PURE(long long, llrint, (double));
QN__PURE(long long, llrintf, (float));
QN__PURE(long long, llround, (double));
QN__PURE(long long, llroundf, (float));
QN__INLINE long long llrint(float x)
{
    return llrintf(x);
}
QN__INLINE long long llround(float x)
{
    return llroundf(x);
}
QN__INLINE long lrint(double x)
{
    return llrint(x);
}
QN__INLINE long lrintf(float x)
{
    return llrintf(x);
}
QN__INLINE long lrint(float x)
{
    return llrintf(x);
}
QN__INLINE long lround(double x)
{
    return llround(x);
}
QN__INLINE long lroundf(float x)
{
    return llroundf(x);
}
QN__INLINE long lround(float x)
{
    return llroundf(x);
}

/* Results through pointers: the parts are builtins of their own. */
QN__PURE(double, __qn_frexp_f64, (double));
QN__PURE(int, __qn_frexp_exponent_f64, (double));
QN__PURE(float, __qn_frexp_f32, (float));
QN__PURE(int, __qn_frexp_exponent_f32, (float));
QN__PURE(int, __qn_remquo_f64, (double, double));
QN__PURE(int, __qn_remquo_f32, (float, float));
QN__INLINE double frexp(double x, int *exponent)
{
    *exponent = __qn_frexp_exponent_f64(x);
    return __qn_frexp_f64(x);
}
QN__INLINE float frexpf(float x, int *exponent)
{
    *exponent = __qn_frexp_exponent_f32(x);
    return __qn_frexp_f32(x);
}
QN__INLINE float frexp(float x, int *exponent)
{
    return frexpf(x, exponent);
}
QN__INLINE double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(fabs(x) == __builtin_huge_val() ? 0.0 : x - trunc(x), x);
}
QN__INLINE float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(fabsf(x) == __builtin_huge_valf() ? 0.0f : x - truncf(x), x);
}
QN__INLINE float modf(float x, float *whole)
{
    return modff(x, whole);
}
QN__INLINE double remquo(double x, double y, int *quotient)
{
    *quotient = __qn_remquo_f64(x, y);
    return remainder(x, y);
}
QN__INLINE float remquof(float x, float y, int *quotient)
{
    *quotient = __qn_remquo_f32(x, y);
    return remainderf(x, y);
}
QN__INLINE float remquo(float x, float y, int *quotient)
{
    return remquof(x, y, quotient);
}
/* Both in one call, which reduces the angle once. */
typedef float qn__sine_cosine_f __attribute__((ext_vector_type(2)));
typedef double qn__sine_cosine_d __attribute__((ext_vector_type(2)));
QN__PURE(qn__sine_cosine_f, __qn_sincos_f32, (float));
QN__PURE(qn__sine_cosine_d, __qn_sincos_f64, (double));
QN__INLINE void sincos(double x, double *s, double *c)
{
    const qn__sine_cosine_d both = __qn_sincos_f64(x);
    *s = both.x;
    *c = both.y;
}
QN__INLINE void sincosf(float x, float *s, float *c)
{
    const qn__sine_cosine_f both = __qn_sincos_f32(x);
    *s = both.x;
    *c = both.y;
}
QN__INLINE void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
QN__INLINE void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
QN__INLINE void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
QN__INLINE void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}

/* nvcc includes <math.h> before every source; the same definitions are in ours. */
#ifndef NAN
#define INFINITY __builtin_inff()
#define NAN      __builtin_nanf("")
#endif

/* Classification: the names may be macros of a C library until <cmath> removes them. */
#pragma push_macro("isnan")
#pragma push_macro("isinf")
#pragma push_macro("isfinite")
#pragma push_macro("signbit")
#pragma push_macro("isnormal")
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#undef isnormal
QN__PURE(bool, __qn_isnan_f64, (double));
QN__PURE(bool, __qn_isnan_f32, (float));
QN__PURE(bool, __qn_isinf_f64, (double));
QN__PURE(bool, __qn_isinf_f32, (float));
QN__PURE(bool, __qn_isfinite_f64, (double));
QN__PURE(bool, __qn_isfinite_f32, (float));
QN__PURE(bool, __qn_isnormal_f64, (double));
QN__PURE(bool, __qn_isnormal_f32, (float));
QN__PURE(bool, __qn_signbit_f64, (double));
QN__PURE(bool, __qn_signbit_f32, (float));
#define QN__CLASS(name)                                                                            \
    QN__INLINE bool name(double x)                                                                 \
    {                                                                                              \
        return __qn_##name##_f64(x);                                                               \
    }                                                                                              \
    QN__INLINE bool name(float x)                                                                  \
    {                                                                                              \
        return __qn_##name##_f32(x);                                                               \
    }                                                                                              \
    template <class T> QN__INLINE typename __qn_if<__is_integral(T), bool>::type name(T x)         \
    {                                                                                              \
        return __qn_##name##_f64((double)x);                                                       \
    }
QN__CLASS(isnan)
QN__CLASS(isinf)
QN__CLASS(isfinite)
QN__CLASS(isnormal)
QN__CLASS(signbit)
#undef QN__CLASS
QN__INLINE int __isnan(double x)
{
    return __qn_isnan_f64(x);
}
QN__INLINE int __isnanf(float x)
{
    return __qn_isnan_f32(x);
}
QN__INLINE int __isinf(double x)
{
    return __qn_isinf_f64(x);
}
QN__INLINE int __isinff(float x)
{
    return __qn_isinf_f32(x);
}
QN__INLINE int __finite(double x)
{
    return __qn_isfinite_f64(x);
}
QN__INLINE int __finitef(float x)
{
    return __qn_isfinite_f32(x);
}
QN__INLINE int __signbit(double x)
{
    return __qn_signbit_f64(x);
}
QN__INLINE int __signbitf(float x)
{
    return __qn_signbit_f32(x);
}
#pragma pop_macro("isnan")
#pragma pop_macro("isinf")
#pragma pop_macro("isfinite")
#pragma pop_macro("signbit")
#pragma pop_macro("isnormal")

/* Intrinsics: fast forms, and forms with the rounding in the name. */
QN__PURE(float, __cosf, (float));
QN__PURE(float, __sinf, (float));
QN__PURE(float, __tanf, (float));
QN__PURE(float, __expf, (float));
QN__PURE(float, __exp10f, (float));
QN__PURE(float, __logf, (float));
QN__PURE(float, __log2f, (float));
QN__PURE(float, __log10f, (float));
QN__PURE(float, __tanhf, (float));
QN__PURE(float, __powf, (float, float));
QN__PURE(float, __fdividef, (float, float));
QN__PURE(float, __saturatef, (float));
QN__PURE(float, __frsqrt_rn, (float));
QN__INLINE float saturate(float x)
{
    return __saturatef(x);
}
QN__INLINE void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}

#define QN__ROUNDED(mode)                                                                          \
    QN__PURE(float, __fadd_##mode, (float, float));                                                \
    QN__PURE(float, __fsub_##mode, (float, float));                                                \
    QN__PURE(float, __fmul_##mode, (float, float));                                                \
    QN__PURE(float, __fdiv_##mode, (float, float));                                                \
    QN__PURE(float, __frcp_##mode, (float));                                                       \
    QN__PURE(float, __fsqrt_##mode, (float));                                                      \
    QN__PURE(float, __fmaf_##mode, (float, float, float));                                         \
    QN__PURE(float, __fmaf_ieee_##mode, (float, float, float));                                    \
    QN__PURE(double, __dadd_##mode, (double, double));                                             \
    QN__PURE(double, __dsub_##mode, (double, double));                                             \
    QN__PURE(double, __dmul_##mode, (double, double));                                             \
    QN__PURE(double, __ddiv_##mode, (double, double));                                             \
    QN__PURE(double, __drcp_##mode, (double));                                                     \
    QN__PURE(double, __dsqrt_##mode, (double));                                                    \
    QN__PURE(double, __fma_##mode, (double, double, double));
QN__ROUNDED(rn)
QN__ROUNDED(rz)
QN__ROUNDED(ru)
QN__ROUNDED(rd)
#undef QN__ROUNDED

/* abs, min, max */
QN__PURE(int, __qn_abs_i32, (int));
QN__PURE(long long, __qn_abs_i64, (long long));
QN__INLINE int abs(int x)
{
    return __qn_abs_i32(x);
}
QN__INLINE long labs(long x)
{
    return __qn_abs_i64(x);
}
QN__INLINE long long llabs(long long x)
{
    return __qn_abs_i64(x);
}
QN__INLINE long abs(long x)
{
    return __qn_abs_i64(x);
}
QN__INLINE long long abs(long long x)
{
    return __qn_abs_i64(x);
}
QN__INLINE float abs(float x)
{
    return fabsf(x);
}
QN__INLINE double abs(double x)
{
    return fabs(x);
}

#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max
#define QN__MINMAX(name)                                                                           \
    QN__PURE(int, __qn_##name##_i32, (int, int));                                                  \
    QN__PURE(unsigned int, __qn_##name##_u32, (unsigned int, unsigned int));                       \
    QN__PURE(long long, __qn_##name##_i64, (long long, long long));                                \
    QN__PURE(unsigned long long, __qn_##name##_u64, (unsigned long long, unsigned long long));     \
    QN__INLINE int name(int x, int y)                                                              \
    {                                                                                              \
        return __qn_##name##_i32(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned int name(unsigned int x, unsigned int y)                                   \
    {                                                                                              \
        return __qn_##name##_u32(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned int name(int x, unsigned int y)                                            \
    {                                                                                              \
        return __qn_##name##_u32(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned int name(unsigned int x, int y)                                            \
    {                                                                                              \
        return __qn_##name##_u32(x, y);                                                            \
    }                                                                                              \
    QN__INLINE long name(long x, long y)                                                           \
    {                                                                                              \
        return __qn_##name##_i64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long name(unsigned long x, unsigned long y)                                \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long name(long x, unsigned long y)                                         \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long name(unsigned long x, long y)                                         \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE long long name(long long x, long long y)                                            \
    {                                                                                              \
        return __qn_##name##_i64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long long name(unsigned long long x, unsigned long long y)                 \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long long name(long long x, unsigned long long y)                          \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE unsigned long long name(unsigned long long x, long long y)                          \
    {                                                                                              \
        return __qn_##name##_u64(x, y);                                                            \
    }                                                                                              \
    QN__INLINE float name(float x, float y)                                                        \
    {                                                                                              \
        return f##name##f(x, y);                                                                   \
    }                                                                                              \
    QN__INLINE double name(double x, double y)                                                     \
    {                                                                                              \
        return f##name(x, y);                                                                      \
    }                                                                                              \
    QN__INLINE double name(float x, double y)                                                      \
    {                                                                                              \
        return f##name((double)x, y);                                                              \
    }                                                                                              \
    QN__INLINE double name(double x, float y)                                                      \
    {                                                                                              \
        return f##name(x, (double)y);                                                              \
    }                                                                                              \
    static __host__ inline int name(int x, int y)                                                  \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline unsigned int name(unsigned int x, unsigned int y)                       \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline unsigned int name(int x, unsigned int y)                                \
    {                                                                                              \
        return __qn_host_##name((unsigned int)x, y);                                               \
    }                                                                                              \
    static __host__ inline unsigned int name(unsigned int x, int y)                                \
    {                                                                                              \
        return __qn_host_##name(x, (unsigned int)y);                                               \
    }                                                                                              \
    static __host__ inline long name(long x, long y)                                               \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline unsigned long name(unsigned long x, unsigned long y)                    \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline long long name(long long x, long long y)                                \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline unsigned long long name(unsigned long long x, unsigned long long y)     \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline float name(float x, float y)                                            \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline double name(double x, double y)                                         \
    {                                                                                              \
        return __qn_host_##name(x, y);                                                             \
    }                                                                                              \
    static __host__ inline double name(float x, double y)                                          \
    {                                                                                              \
        return __qn_host_##name((double)x, y);                                                     \
    }                                                                                              \
    static __host__ inline double name(double x, float y)                                          \
    {                                                                                              \
        return __qn_host_##name(x, (double)y);                                                     \
    }
template <class T> static __host__ inline T __qn_host_min(T x, T y)
{
    return y < x ? y : x;
}
template <class T> static __host__ inline T __qn_host_max(T x, T y)
{
    return x < y ? y : x;
}
QN__MINMAX(min)
QN__MINMAX(max)
#undef QN__MINMAX
QN__INLINE unsigned int umin(unsigned int x, unsigned int y)
{
    return min(x, y);
}
QN__INLINE unsigned int umax(unsigned int x, unsigned int y)
{
    return max(x, y);
}
QN__INLINE long long llmin(long long x, long long y)
{
    return min(x, y);
}
QN__INLINE long long llmax(long long x, long long y)
{
    return max(x, y);
}
QN__INLINE unsigned long long ullmin(unsigned long long x, unsigned long long y)
{
    return min(x, y);
}
QN__INLINE unsigned long long ullmax(unsigned long long x, unsigned long long y)
{
    return max(x, y);
}
#pragma pop_macro("min")
#pragma pop_macro("max")

/* std:: in kernels. libstdc++'s functions are constexpr, so clang lets kernels call them, but its
 * min and max return references: a choice between a literal and a buffer element would be a pointer
 * into two address spaces. These return values and are preferred in device code. NaN behaves as the
 * C++ library says (the first argument), not as fmin does. */
#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max
namespace std
{
template <class T>
__device__ constexpr typename __qn_if<__is_arithmetic(T), T>::type min(const T &x, const T &y)
{
    const T a = x, b = y;
    return b < a ? b : a;
}
template <class T>
__device__ constexpr typename __qn_if<__is_arithmetic(T), T>::type max(const T &x, const T &y)
{
    const T a = x, b = y;
    return a < b ? b : a;
}
template <class T> __device__ inline void swap(T &x, T &y)
{
    T kept = static_cast<T &&>(x);
    x = static_cast<T &&>(y);
    y = static_cast<T &&>(kept);
}
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::signbit;
} // namespace std
#pragma pop_macro("min")
#pragma pop_macro("max")

#endif
