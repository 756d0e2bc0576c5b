/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each number occurs among the items of a block's threads. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_HISTOGRAM
#define QN_STANDIN_CUB_BLOCK_HISTOGRAM

#include <cub/util_ptx.cuh>

namespace cub
{

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT,
          int Y = 1, int Z = 1, int = 0>
class BlockHistogram
{
    enum { THREADS = X * Y * Z, ITEMS = algorithm == BLOCK_HISTO_SORT ? THREADS * N : 1 };

  public:
    struct TempStorage {
        qn_slots<T, ITEMS> items;
    };
    QN__CUB_STORAGE(BlockHistogram)

    template <class Count> __device__ __forceinline__ void InitHistogram(Count histogram[bins])
    {
        for (int bin = tid; bin < bins; bin += THREADS)
            histogram[bin] = 0;
    }
    /* By atomics, or by the threads each counting for bins of its own: any type can count then. */
    template <class Count>
    __device__ __forceinline__ void Composite(T (&v)[N], Count histogram[bins])
    {
        if constexpr (algorithm == BLOCK_HISTO_ATOMIC) {
            for (int i = 0; i < N; i++)
                atomicAdd(histogram + (int)v[i], (Count)1);
        } else {
            for (int i = 0; i < N; i++)
                storage.items[tid * N + i] = v[i];
            __syncthreads();
            for (int bin = tid; bin < bins; bin += THREADS) {
                Count n = histogram[bin];
                for (int i = 0; i < ITEMS; i++)
                    n += (int)storage.items[i] == bin;
                histogram[bin] = n;
            }
        }
    }
    template <class Count>
    __device__ __forceinline__ void Histogram(T (&v)[N], Count histogram[bins])
    {
        InitHistogram(histogram);
        __syncthreads();
        Composite(v, histogram);
    }
};

} // namespace cub

#endif
