/* SPDX-License-Identifier: Apache-2.0
 *
 * The items of a block's threads to memory: block_load.cuh the other way round. The algorithms that
 * transpose leave the caller's items in the order in which they were written, as CUB's do. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_STORE
#define QN_STANDIN_CUB_BLOCK_STORE

#include <cub/block/block_exchange.cuh>
#include <cub/util_ptx.cuh>
#include <type_traits>

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
    static constexpr bool TRANSPOSE = algorithm == BLOCK_STORE_TRANSPOSE;
    static constexpr bool STRIPED = algorithm == BLOCK_STORE_STRIPED || TRANSPOSE;
    static constexpr bool OF_WARPS = algorithm == BLOCK_STORE_WARP_TRANSPOSE ||
                                     algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
    static constexpr int THREADS = X * Y * Z;
    static constexpr int STEP = STRIPED ? THREADS : !OF_WARPS ? 1 : THREADS < 32 ? THREADS : 32;
    typedef BlockExchange<T, X, N, false, Y, Z> Exchange;
    struct Nothing {
    };

  public:
    struct TempStorage {
        std::conditional_t<TRANSPOSE || OF_WARPS, typename Exchange::TempStorage, Nothing> exchange;
    };
    QN__CUB_STORAGE(BlockStore)

  private:
    /* Where the first item goes; the others follow, STEP apart. */
    __device__ __forceinline__ int arrange(T (&v)[N])
    {
        if constexpr (TRANSPOSE)
            Exchange(storage.exchange).BlockedToStriped(v);
        if constexpr (OF_WARPS)
            Exchange(storage.exchange).BlockedToWarpStriped(v);
        return STRIPED ? tid : OF_WARPS ? tid / 32 * 32 * N + tid % 32 : tid * N;
    }

  public:
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N])
    {
        const int first = arrange(v);
        qn_store(out, v, first, STEP);
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N], int end)
    {
        const int first = arrange(v);
        qn_store(out, v, first, STEP, end);
    }
};

} // namespace cub

#endif
