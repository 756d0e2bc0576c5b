// SPDX-License-Identifier: Apache-2.0
// The standard library's and Thrust's types in kernels of a program whose host half uses the
// machine's own library, and what programs ask the guards of CUDA's headers for.
#include "check.h"

#include <array>
#include <thrust/pair.h>
#include <thrust/tuple.h>
#include <tuple>
#include <utility>

#ifndef __CUDA_RUNTIME_H__
#error "cuda_runtime.h has no guard"
#endif
#ifndef __DRIVER_TYPES_H__
#error "driver_types.h has no guard"
#endif

template <class T> __device__ thrust::pair<T, T> halves(T x)
{
    return {x / 2, x - x / 2};
}

template <int N, class Tuple> __device__ int item(const Tuple &t)
{
    return thrust::get<N>(t);
}

template <class T> __global__ void assigns(T *p)
{
    T low, high;
    thrust::tuple<T, T> t, u;
    std::array<T, 2> a;
    std::pair<T, T> pair;
    thrust::tie(low, high) = halves(p[0]);
    t = thrust::make_tuple(low, high);
    u = t;
    pair = halves(p[1]);
    a[0] = pair.first;
    a[1] = pair.second;
    std::swap(a[0], a[1]);
    p[2] = item<0>(t);
    p[3] = item<1>(u);
    p[4] = a[1];
    p[5] = a[0];
}

int main()
{
    int *p, h[6] = {7, 13};
    GOOD(cudaMalloc((void **)&p, sizeof h));
    GOOD(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    assigns<<<1, 1>>>(p);
    GOOD(cudaGetLastError());
    GOOD(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[2] == 3 && h[3] == 4);
    EXPECT(h[4] == 6 && h[5] == 7);
    GOOD(cudaFree(p));
    FINISH();
}
