// SPDX-License-Identifier: Apache-2.0
// Reductions of vectors of T (QN_T), a float of any width, added in double: up to 64 blocks of 256
// leave a part each, and a thread makes the result of them. An increment below 0 goes from the end
// to the beginning.
#if QN_HALF
#include <cuda_fp16.h>
#endif
#if QN_BF16
#include <cuda_bf16.h>
#endif

typedef QN_T T;
enum { THREADS = 256 };

#define ELEMENT (blockIdx.x * (long long)THREADS + threadIdx.x)
__device__ static long long place(long long i, int n, int inc)
{
    return inc < 0 ? (i - (n - 1)) * inc : i * inc;
}

/* dot, asum: the sum in `a`. nrm2: a squared times b, where a is the largest, so that no square
 * overflows. amax, amin: the value in `a`, its place in `i`. */
struct part {
    double a, b;
    long long i;
};
enum { DOT, ASUM, NRM2, AMAX, AMIN };

__device__ static part joined(int what, part x, part y)
{
    if (what == NRM2) {
        const part big = x.a < y.a ? y : x, small = x.a < y.a ? x : y;
        const double ratio = big.a > 0 ? small.a / big.a : 0;
        part r = big;
        r.b += small.b * (ratio * ratio);
        if (x.a != x.a || y.a != y.a) /* not a number */
            r.a = x.a + y.a;
        return r;
    }
    if (what == AMAX || what == AMIN) {
        if (x.i < 0 || y.i < 0)
            return x.i < 0 ? y : x;
        const bool better = what == AMAX ? y.a > x.a : y.a < x.a;
        return better || (y.a == x.a && y.i < x.i) ? y : x;
    }
    x.a += y.a;
    return x;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    blas_parts(part *parts, const T *x, const T *y, int n, int incx, int incy, int what)
{
    __shared__ part all[THREADS];
    part sum = {0, 0, -1};
    for (long long i = ELEMENT; i < n; i += gridDim.x * (long long)THREADS) {
        const double v = (double)(QN_READ)x[place(i, n, incx)], size = v < 0 ? -v : v;
        part p = {size, 0, i};
        if (what == DOT)
            p.a = v * (double)(QN_READ)y[place(i, n, incy)];
        if (what == NRM2)
            p.b = size > 0 ? 1 : 0;
        sum = joined(what, sum, p);
    }
    all[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            all[threadIdx.x] = joined(what, all[threadIdx.x], all[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        parts[blockIdx.x] = all[0];
}
extern "C" __global__ void blas_result(T *value, int *place_of, const part *parts, int n, int what)
{
    if (threadIdx.x != 0)
        return;
    part sum = parts[0];
    for (int i = 1; i < n; i++)
        sum = joined(what, sum, parts[i]);
    if (what == AMAX || what == AMIN)
        *place_of = (int)(sum.i + 1);
    else
        *value = (T)(QN_READ)(what == NRM2 ? sum.a * sqrt(sum.b) : sum.a);
}
