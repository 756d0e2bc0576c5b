/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions with the rounding in the name, and reinterpreting casts.
 */
#pragma clang system_header
#ifndef QN_STANDIN_CONVERT
#define QN_STANDIN_CONVERT

#define QN__CONVERT(mode)                                                                          \
    QN__PURE(int, __float2int_##mode, (float));                                                    \
    QN__PURE(unsigned int, __float2uint_##mode, (float));                                          \
    QN__PURE(long long, __float2ll_##mode, (float));                                               \
    QN__PURE(unsigned long long, __float2ull_##mode, (float));                                     \
    QN__PURE(int, __double2int_##mode, (double));                                                  \
    QN__PURE(unsigned int, __double2uint_##mode, (double));                                        \
    QN__PURE(long long, __double2ll_##mode, (double));                                             \
    QN__PURE(unsigned long long, __double2ull_##mode, (double));                                   \
    QN__PURE(float, __double2float_##mode, (double));                                              \
    QN__PURE(float, __int2float_##mode, (int));                                                    \
    QN__PURE(float, __uint2float_##mode, (unsigned int));                                          \
    QN__PURE(float, __ll2float_##mode, (long long));                                               \
    QN__PURE(float, __ull2float_##mode, (unsigned long long));                                     \
    QN__PURE(double, __ll2double_##mode, (long long));                                             \
    QN__PURE(double, __ull2double_##mode, (unsigned long long));
QN__CONVERT(rn)
QN__CONVERT(rz)
QN__CONVERT(ru)
QN__CONVERT(rd)
#undef QN__CONVERT
QN__PURE(double, __int2double_rn, (int));
QN__PURE(double, __uint2double_rn, (unsigned int));

QN__PURE(int, __float_as_int, (float));
QN__PURE(unsigned int, __float_as_uint, (float));
QN__PURE(float, __int_as_float, (int));
QN__PURE(float, __uint_as_float, (unsigned int));
QN__PURE(long long, __double_as_longlong, (double));
QN__PURE(double, __longlong_as_double, (long long));
QN__PURE(int, __double2hiint, (double));
QN__PURE(int, __double2loint, (double));
QN__PURE(double, __hiloint2double, (int, int));

/* Names of CUDA's first releases. */
enum cudaRoundMode {
    cudaRoundNearest = 0,
    cudaRoundZero = 1,
    cudaRoundPosInf = 2,
    cudaRoundMinInf = 3
};
QN__INLINE int float2int(float x, cudaRoundMode mode = cudaRoundZero)
{
    return mode == cudaRoundNearest  ? __float2int_rn(x)
           : mode == cudaRoundPosInf ? __float2int_ru(x)
           : mode == cudaRoundMinInf ? __float2int_rd(x)
                                     : __float2int_rz(x);
}
QN__INLINE float int2float(int x, cudaRoundMode mode = cudaRoundNearest)
{
    return mode == cudaRoundZero     ? __int2float_rz(x)
           : mode == cudaRoundPosInf ? __int2float_ru(x)
           : mode == cudaRoundMinInf ? __int2float_rd(x)
                                     : __int2float_rn(x);
}
QN__INLINE float uint2float(unsigned int x, cudaRoundMode mode = cudaRoundNearest)
{
    return mode == cudaRoundZero     ? __uint2float_rz(x)
           : mode == cudaRoundPosInf ? __uint2float_ru(x)
           : mode == cudaRoundMinInf ? __uint2float_rd(x)
                                     : __uint2float_rn(x);
}
QN__INLINE int float_as_int(float x)
{
    return __float_as_int(x);
}
QN__INLINE unsigned int float_as_uint(float x)
{
    return __float_as_uint(x);
}
QN__INLINE float int_as_float(int x)
{
    return __int_as_float(x);
}
QN__INLINE float uint_as_float(unsigned int x)
{
    return __uint_as_float(x);
}

#endif
