/* SPDX-License-Identifier: Apache-2.0
 *
 * block_load.cuh for a warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_LOAD
#define QN_STANDIN_CUB_WARP_LOAD

#include <cub/block/block_load.cuh>

namespace cub
{

enum WarpLoadAlgorithm {
    WARP_LOAD_DIRECT,
    WARP_LOAD_STRIPED,
    WARP_LOAD_VECTORIZE,
    WARP_LOAD_TRANSPOSE
};

template <class T, int N, WarpLoadAlgorithm algorithm = WARP_LOAD_DIRECT, int threads = 32, int = 0>
class WarpLoad
{
    static constexpr bool STRIPED = algorithm == WARP_LOAD_STRIPED;
    const int lane = qn_logical_warp<threads>().lane;

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpLoad()
    {
    }
    __device__ __forceinline__ WarpLoad(TempStorage &)
    {
    }
    template <class In> __device__ __forceinline__ void Load(In in, T (&v)[N])
    {
        qn_load(in, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1);
    }
    template <class In> __device__ __forceinline__ void Load(In in, T (&v)[N], int end)
    {
        qn_load(in, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1, end);
    }
    template <class In, class Other>
    __device__ __forceinline__ void Load(In in, T (&v)[N], int end, Other other)
    {
        qn_load(in, v, STRIPED ? lane : lane * N, STRIPED ? threads : 1, end, other);
    }
};

} // namespace cub

#endif
