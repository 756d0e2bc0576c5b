/* SPDX-License-Identifier: Apache-2.0
 *
 * The items of a block's threads to memory: block_load.cuh the other way round. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_STORE
#define QN_STANDIN_CUB_BLOCK_STORE

#include <cub/util_ptx.cuh>

namespace cub
{

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/* Item i to out[first + i * step], where that is before `end`. */
template <class T, int N, class Out>
__device__ __forceinline__ void qn_store(Out out, T (&v)[N], int first, int step)
{
    for (int i = 0; i < N; i++)
        out[first + i * step] = v[i];
}
template <class T, int N, class Out>
__device__ __forceinline__ void qn_store(Out out, T (&v)[N], int first, int step, int end)
{
    for (int i = 0; i < N; i++)
        if (first + i * step < end)
            out[first + i * step] = v[i];
}

template <class T, int N, class Out, class... End>
__device__ __forceinline__ void StoreDirectBlocked(int tid, Out out, T (&v)[N], End... end)
{
    qn_store(out, v, tid * N, 1, end...);
}
template <class T, int N>
__device__ __forceinline__ void StoreDirectBlockedVectorized(int tid, T *out, T (&v)[N])
{
    qn_store(out, v, tid * N, 1);
}
template <int threads, class T, int N, class Out, class... End>
__device__ __forceinline__ void StoreDirectStriped(int tid, Out out, T (&v)[N], End... end)
{
    qn_store(out, v, tid, threads, end...);
}
template <class T, int N, class Out, class... End>
__device__ __forceinline__ void StoreDirectWarpStriped(int tid, Out out, T (&v)[N], End... end)
{
    qn_store(out, v, tid / 32 * 32 * N + tid % 32, 32, end...);
}

template <class T, int X, int N, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockStore
{
    static constexpr bool STRIPED = algorithm == BLOCK_STORE_STRIPED;

  public:
    struct TempStorage {
    };
    QN__CUB_STORAGE(BlockStore)

    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N])
    {
        qn_store(out, v, STRIPED ? tid : tid * N, STRIPED ? X * Y * Z : 1);
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N], int end)
    {
        qn_store(out, v, STRIPED ? tid : tid * N, STRIPED ? X * Y * Z : 1, end);
    }
};

} // namespace cub

#endif
