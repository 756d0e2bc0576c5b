/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary searches of one thread. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_THREAD_SEARCH
#define QN_STANDIN_CUB_THREAD_SEARCH

#include <cub/util_type.cuh>

namespace cub
{

/* Where a diagonal crosses the path on which two sorted lists are merged; of equal items those of
 * `a` go first. */
template <class A, class B, class Offset, class Point>
__host__ __device__ __forceinline__ void MergePathSearch(Offset diagonal, A a, B b, Offset n_a,
                                                         Offset n_b, Point &point)
{
    Offset low = diagonal > n_b ? diagonal - n_b : 0, high = diagonal < n_a ? diagonal : n_a;
    while (low < high) {
        const Offset middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    point.x = low;
    point.y = diagonal - low;
}

/* The first item that is not less than `v`, or that is greater. */
template <class In, class Offset, class T>
__device__ __forceinline__ Offset LowerBound(In in, Offset n, T v)
{
    Offset first = 0;
    while (n > 0) {
        const Offset half = n / 2;
        if (in[first + half] < v) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}
template <class In, class Offset, class T>
__device__ __forceinline__ Offset UpperBound(In in, Offset n, T v)
{
    Offset first = 0;
    while (n > 0) {
        const Offset half = n / 2;
        if (v < in[first + half]) {
            n = half;
        } else {
            first += half + 1;
            n -= half + 1;
        }
    }
    return first;
}

} // namespace cub

#endif
