/* SPDX-License-Identifier: Apache-2.0
 *
 * The small part of std:: that kernels use; complex numbers; constants. */
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cuComplex.h>
#include <limits>
#include <math_constants.h>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__device__ T limit()
{
    return std::numeric_limits<T>::max();
}
template <class T> using wide = std::conditional_t<std::is_same<T, float>::value, double, T>;

extern "C" __global__ void standard(float *x, double *y, int *z, cuFloatComplex *c)
{
    std::array<float, 4> a = {1, 2, 3, 4};
    std::pair<int, float> p = std::make_pair(3, 2.0f);
    std::swap(a[0], a[1]);
    x[0] = std::min(a[0], x[1]) + std::max(1.0f, p.second) + std::fabs(x[2]) + limit<float>();
    x[1] = std::isnan(x[3]) || std::isinf(y[3]) || isfinite(x[4]) ? CUDART_PI_F : INFINITY;
    y[0] = std::pow(y[1], 2) + std::exp(y[2]) + (wide<float>)x[5] + fmin(x[1], y[2]) + M_PI;
    z[0] = std::min(z[1], 5) + INT_MAX + std::get<0>(std::make_tuple(z[2], 1.0f)) + abs(z[3]);
    z[1] = (int)std::numeric_limits<uint32_t>::max() + (FLT_MAX > 1);
    c[0] = cuCdivf(cuCmulf(c[1], c[2]), make_cuFloatComplex(cuCabsf(c[3]), 1));
    std::integral_constant<int, 3> three;
    z[2] = three;
}
