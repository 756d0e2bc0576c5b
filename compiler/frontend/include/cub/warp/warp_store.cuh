/* SPDX-License-Identifier: Apache-2.0
 *
 * block_store.cuh for a warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_STORE
#define QN_STANDIN_CUB_WARP_STORE

#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>

namespace cub
{

enum WarpStoreAlgorithm {
    WARP_STORE_DIRECT,
    WARP_STORE_STRIPED,
    WARP_STORE_VECTORIZE,
    WARP_STORE_TRANSPOSE
};

/* WARP_STORE_TRANSPOSE leaves the items striped, as CUB's does. */
template <class T, int N, WarpStoreAlgorithm algorithm = WARP_STORE_DIRECT, int threads = 32,
          int = 0>
class WarpStore
{
    static constexpr bool TRANSPOSE = algorithm == WARP_STORE_TRANSPOSE;
    static constexpr bool STRIPED = algorithm == WARP_STORE_STRIPED || TRANSPOSE;
    typedef WarpExchange<T, N, threads> Exchange;
    struct Nothing {
    };
    const int lane = qn_logical_warp<threads>().lane;

  public:
    struct TempStorage {
        std::conditional_t<TRANSPOSE, typename Exchange::TempStorage, Nothing> exchange;
    };

  private:
    TempStorage &storage;

    __device__ __forceinline__ void order(T (&v)[N])
    {
        if constexpr (TRANSPOSE)
            Exchange(storage.exchange).BlockedToStriped(v, v);
    }

  public:
    __device__ __forceinline__ explicit WarpStore(TempStorage &s) : storage(s)
    {
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N])
    {
        order(v);
        qn_store(out, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1);
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N], int end)
    {
        order(v);
        qn_store(out, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1, end);
    }
};

} // namespace cub

#endif
