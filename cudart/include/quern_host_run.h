/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's math functions that the C library lacks, for host code: quern_host_math.h declares them.

 * Those that have no short form (erfinv, cyl_bessel_i0 and the like) are not: the linker says so.
 */
#pragma clang system_header
#ifndef QN_HOST_RUN
#define QN_HOST_RUN

#include <math.h>

#define QN__HOST_RUN(type, name, parameters, value)                                                \
    extern "C" inline __attribute__((weak)) type name parameters                                   \
    {                                                                                              \
        return value;                                                                              \
    }
QN__HOST_RUN(double, rsqrt, (double x), 1 / ::sqrt(x))
QN__HOST_RUN(float, rsqrtf, (float x), (float)(1 / ::sqrt((double)x)))
QN__HOST_RUN(double, rcbrt, (double x), 1 / ::cbrt(x))
QN__HOST_RUN(float, rcbrtf, (float x), (float)(1 / ::cbrt((double)x)))
/* Reduced exactly: x - 2n is, and so is the quarter that is taken off. */
static inline double __qn_sinpi(double x)
{
    double r = ::remainder(x, 2.0), s = r;
    if (::fabs(r) > 0.5)
        s = ::copysign(1.0, r) - r;
    return ::fabs(s) <= 0.25 ? ::sin(s * 3.14159265358979323846)
                             : ::copysign(::cos((0.5 - ::fabs(s)) * 3.14159265358979323846), s);
}
static inline double __qn_cospi(double x)
{
    const double r = ::fabs(::remainder(x, 2.0));
    return __qn_sinpi(0.5 - r);
}
QN__HOST_RUN(double, sinpi, (double x), __qn_sinpi(x))
QN__HOST_RUN(float, sinpif, (float x), (float)__qn_sinpi(x))
QN__HOST_RUN(double, cospi, (double x), __qn_cospi(x))
QN__HOST_RUN(float, cospif, (float x), (float)__qn_cospi(x))
QN__HOST_RUN(double, normcdf, (double x), 0.5 * ::erfc(-x * 0.70710678118654752440))
QN__HOST_RUN(float, normcdff, (float x), (float)(0.5 * ::erfc(-x * 0.70710678118654752440)))
QN__HOST_RUN(double, rhypot, (double x, double y), 1 / ::hypot(x, y))
QN__HOST_RUN(float, rhypotf, (float x, float y), (float)(1 / ::hypot((double)x, (double)y)))
QN__HOST_RUN(float, fdividef, (float x, float y), x / y)
QN__HOST_RUN(double, norm3d, (double x, double y, double z), ::hypot(::hypot(x, y), z))
QN__HOST_RUN(float, norm3df, (float x, float y, float z), (float)norm3d(x, y, z))
QN__HOST_RUN(double, rnorm3d, (double x, double y, double z), 1 / norm3d(x, y, z))
QN__HOST_RUN(float, rnorm3df, (float x, float y, float z), (float)(1 / norm3d(x, y, z)))
QN__HOST_RUN(double, norm4d, (double x, double y, double z, double w), ::hypot(norm3d(x, y, z), w))
QN__HOST_RUN(float, norm4df, (float x, float y, float z, float w), (float)norm4d(x, y, z, w))
QN__HOST_RUN(double, rnorm4d, (double x, double y, double z, double w), 1 / norm4d(x, y, z, w))
QN__HOST_RUN(float, rnorm4df, (float x, float y, float z, float w), (float)(1 / norm4d(x, y, z, w)))
QN__HOST_RUN(unsigned int, umin, (unsigned int x, unsigned int y), x < y ? x : y)
QN__HOST_RUN(unsigned int, umax, (unsigned int x, unsigned int y), x > y ? x : y)
QN__HOST_RUN(long long, llmin, (long long x, long long y), x < y ? x : y)
QN__HOST_RUN(long long, llmax, (long long x, long long y), x > y ? x : y)
QN__HOST_RUN(unsigned long long, ullmin, (unsigned long long x, unsigned long long y),
             x < y ? x : y)
QN__HOST_RUN(unsigned long long, ullmax, (unsigned long long x, unsigned long long y),
             x > y ? x : y)
#undef QN__HOST_RUN

extern "C" inline __attribute__((weak)) void sincospi(double x, double *s, double *c)
{
    *s = __qn_sinpi(x);
    *c = __qn_cospi(x);
}
extern "C" inline __attribute__((weak)) void sincospif(float x, float *s, float *c)
{
    *s = (float)__qn_sinpi(x);
    *c = (float)__qn_cospi(x);
}

#endif
