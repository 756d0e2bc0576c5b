/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers as pairs. Absolute value and quotient are scaled, so that squares do not
 * overflow.
 */
#pragma clang system_header
#ifndef QN_STANDIN_COMPLEX
#define QN_STANDIN_COMPLEX

#include <quern_host.h>
#include <quern_prelude.h>

#define QN__COMPLEX(T, S, make, real, imag, conj, add, sub, mul, div, abs_, fma_, magnitude, root) \
    QN__BOTH S real(T a)                                                                           \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    QN__BOTH S imag(T a)                                                                           \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    QN__BOTH T make(S re, S im)                                                                    \
    {                                                                                              \
        return T{re, im};                                                                          \
    }                                                                                              \
    QN__BOTH T conj(T a)                                                                           \
    {                                                                                              \
        return T{a.x, -a.y};                                                                       \
    }                                                                                              \
    QN__BOTH T add(T a, T b)                                                                       \
    {                                                                                              \
        return T{a.x + b.x, a.y + b.y};                                                            \
    }                                                                                              \
    QN__BOTH T sub(T a, T b)                                                                       \
    {                                                                                              \
        return T{a.x - b.x, a.y - b.y};                                                            \
    }                                                                                              \
    QN__BOTH T mul(T a, T b)                                                                       \
    {                                                                                              \
        return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                    \
    }                                                                                              \
    QN__BOTH T div(T a, T b)                                                                       \
    {                                                                                              \
        const S scale = 1 / (magnitude(b.x) + magnitude(b.y));                                     \
        const S ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;            \
        const S inverse = 1 / (bx * bx + by * by);                                                 \
        return T{(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                    \
    }                                                                                              \
    QN__BOTH S abs_(T a)                                                                           \
    {                                                                                              \
        const S p = magnitude(a.x), q = magnitude(a.y), big = p > q ? p : q,                       \
                small = p > q ? q : p;                                                             \
        if (big == 0 || big > __builtin_huge_val() / 2)                                            \
            return p + q;                                                                          \
        const S ratio = small / big;                                                               \
        return big * root(1 + ratio * ratio);                                                      \
    }                                                                                              \
    QN__BOTH T fma_(T a, T b, T c)                                                                 \
    {                                                                                              \
        return T{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                        \
    }
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
QN__COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
            cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, fabsf, sqrtf)
QN__COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub,
            cuCmul, cuCdiv, cuCabs, cuCfma, fabs, sqrt)
#undef QN__COMPLEX
QN__BOTH cuComplex make_cuComplex(float re, float im)
{
    return cuComplex{re, im};
}
QN__BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return cuDoubleComplex{a.x, a.y};
}
QN__BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return cuFloatComplex{(float)a.x, (float)a.y};
}

#endif
