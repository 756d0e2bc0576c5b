/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences of items of a block's threads from the one before them or after them. What has no
 * such neighbour stays as it is. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_ADJACENT_DIFFERENCE
#define QN_STANDIN_CUB_BLOCK_ADJACENT_DIFFERENCE

#include <cub/util_ptx.cuh>

namespace cub
{

template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockAdjacentDifference
{
    enum { THREADS = X * Y * Z };

  public:
    struct TempStorage {
        qn_slots<T, THREADS> firsts, lasts;
    };
    QN__CUB_STORAGE(BlockAdjacentDifference)

  private:
    template <int N> __device__ __forceinline__ void put(T (&v)[N])
    {
        storage.firsts[tid] = v[0];
        storage.lasts[tid] = v[N - 1];
        __syncthreads();
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void left(T (&v)[N], O (&out)[N], Op op, int n, const T *first)
    {
        put(v);
        for (int i = N - 1; i >= 0; i--) {
            const bool has = tid > 0 || i > 0 || first;
            T before = v[i];
            if (i > 0)
                before = v[i - 1];
            else if (tid > 0)
                before = storage.lasts[tid - 1];
            else if (first)
                before = *first;
            if (has && tid * N + i < n)
                out[i] = op(v[i], before);
            else
                out[i] = v[i];
        }
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void right(T (&v)[N], O (&out)[N], Op op, int n, const T *last)
    {
        put(v);
        for (int i = 0; i < N; i++) {
            const bool is_last = tid == THREADS - 1 && i == N - 1;
            T after = v[i];
            if (i < N - 1)
                after = v[i + 1 < N ? i + 1 : i];
            else if (!is_last)
                after = storage.firsts[tid + 1];
            else if (last)
                after = *last;
            if (is_last ? last != nullptr : tid * N + i + 1 < n)
                out[i] = op(v[i], after);
            else
                out[i] = v[i];
        }
    }

  public:
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractLeft(T (&v)[N], O (&out)[N], Op op)
    {
        left(v, out, op, THREADS * N, nullptr);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractLeft(T (&v)[N], O (&out)[N], Op op, T first)
    {
        left(v, out, op, THREADS * N, &first);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractLeftPartialTile(T (&v)[N], O (&out)[N], Op op, int n)
    {
        left(v, out, op, n, nullptr);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractLeftPartialTile(T (&v)[N], O (&out)[N], Op op, int n,
                                                            T first)
    {
        left(v, out, op, n, &first);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractRight(T (&v)[N], O (&out)[N], Op op)
    {
        right(v, out, op, THREADS * N, nullptr);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractRight(T (&v)[N], O (&out)[N], Op op, T last)
    {
        right(v, out, op, THREADS * N, &last);
    }
    template <int N, class O, class Op>
    __device__ __forceinline__ void SubtractRightPartialTile(T (&v)[N], O (&out)[N], Op op, int n)
    {
        right(v, out, op, n, nullptr);
    }
};

} // namespace cub

#endif
