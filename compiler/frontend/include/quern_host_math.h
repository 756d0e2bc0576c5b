/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's math functions that the C library lacks, for host code: CUDA's math_functions.h gives them
 * to both halves of a program. Host code has to parse, not to run. */
#pragma clang system_header
#ifndef QN_STANDIN_HOST_MATH
#define QN_STANDIN_HOST_MATH

#define QN__HOST_MATH1(name)                                                                       \
    extern "C" double name(double);                                                                \
    extern "C" float name##f(float);                                                               \
    static inline float name(float x)                                                              \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
#define QN__HOST_MATH2(name)                                                                       \
    extern "C" double name(double, double);                                                        \
    extern "C" float name##f(float, float);

QN__HOST_MATH1(cospi)
QN__HOST_MATH1(cyl_bessel_i0)
QN__HOST_MATH1(cyl_bessel_i1)
QN__HOST_MATH1(erfcinv)
QN__HOST_MATH1(erfcx)
QN__HOST_MATH1(erfinv)
QN__HOST_MATH1(exp10)
QN__HOST_MATH1(normcdf)
QN__HOST_MATH1(normcdfinv)
QN__HOST_MATH1(rcbrt)
QN__HOST_MATH1(rsqrt)
QN__HOST_MATH1(sinpi)
QN__HOST_MATH2(rhypot)
extern "C" float fdividef(float, float);
extern "C" double norm3d(double, double, double), rnorm3d(double, double, double);
extern "C" float norm3df(float, float, float), rnorm3df(float, float, float);
extern "C" double norm4d(double, double, double, double), rnorm4d(double, double, double, double);
extern "C" float norm4df(float, float, float, float), rnorm4df(float, float, float, float);
extern "C" double norm(int, const double *), rnorm(int, const double *);
extern "C" float normf(int, const float *), rnormf(int, const float *);
extern "C" void sincospi(double, double *, double *);
extern "C" void sincospif(float, float *, float *);
extern "C" unsigned int umin(unsigned int, unsigned int), umax(unsigned int, unsigned int);
extern "C" long long llmin(long long, long long), llmax(long long, long long);
extern "C" unsigned long long ullmin(unsigned long long, unsigned long long);
extern "C" unsigned long long ullmax(unsigned long long, unsigned long long);

#undef QN__HOST_MATH1
#undef QN__HOST_MATH2

#endif
