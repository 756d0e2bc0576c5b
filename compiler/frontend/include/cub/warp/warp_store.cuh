/* SPDX-License-Identifier: Apache-2.0
 *
 * block_store.cuh for a warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_STORE
#define QN_STANDIN_CUB_WARP_STORE

#include <cub/block/block_store.cuh>

namespace cub
{

enum WarpStoreAlgorithm {
    WARP_STORE_DIRECT,
    WARP_STORE_STRIPED,
    WARP_STORE_VECTORIZE,
    WARP_STORE_TRANSPOSE
};

template <class T, int N, WarpStoreAlgorithm algorithm = WARP_STORE_DIRECT, int threads = 32,
          int = 0>
class WarpStore
{
    static constexpr bool STRIPED = algorithm == WARP_STORE_STRIPED;
    const int lane = qn_logical_warp<threads>().lane;

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpStore()
    {
    }
    __device__ __forceinline__ WarpStore(TempStorage &)
    {
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N])
    {
        qn_store(out, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1);
    }
    template <class Out> __device__ __forceinline__ void Store(Out out, T (&v)[N], int end)
    {
        qn_store(out, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1, end);
    }
};

} // namespace cub

#endif
