/* SPDX-License-Identifier: Apache-2.0
 *
 * The items of a block's threads from memory. All algorithms but BLOCK_LOAD_STRIPED give thread t
 * the items from t * N on; how they get there makes no difference. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_LOAD
#define QN_STANDIN_CUB_BLOCK_LOAD

#include <cub/util_ptx.cuh>

namespace cub
{

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

/* Item i from in[first + i * step], where that is before `end`. */
template <class T, int N, class In>
__device__ __forceinline__ void qn_load(In in, T (&v)[N], int first, int step)
{
    for (int i = 0; i < N; i++)
        v[i] = in[first + i * step];
}
template <class T, int N, class In>
__device__ __forceinline__ void qn_load(In in, T (&v)[N], int first, int step, int end)
{
    for (int i = 0; i < N; i++)
        if (first + i * step < end)
            v[i] = in[first + i * step];
}
template <class T, int N, class In, class Other>
__device__ __forceinline__ void qn_load(In in, T (&v)[N], int first, int step, int end, Other other)
{
    for (int i = 0; i < N; i++) {
        v[i] = other;
        if (first + i * step < end)
            v[i] = in[first + i * step];
    }
}

template <class T, int N, class In, class... End>
__device__ __forceinline__ void LoadDirectBlocked(int tid, In in, T (&v)[N], End... end)
{
    qn_load(in, v, tid * N, 1, end...);
}
template <class T, int N>
__device__ __forceinline__ void LoadDirectBlockedVectorized(int tid, T *in, T (&v)[N])
{
    qn_load(in, v, tid * N, 1);
}
template <int threads, class T, int N, class In, class... End>
__device__ __forceinline__ void LoadDirectStriped(int tid, In in, T (&v)[N], End... end)
{
    qn_load(in, v, tid, threads, end...);
}
template <class T, int N, class In, class... End>
__device__ __forceinline__ void LoadDirectWarpStriped(int tid, In in, T (&v)[N], End... end)
{
    qn_load(in, v, tid / 32 * 32 * N + tid % 32, 32, end...);
}

template <class T, int X, int N, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockLoad
{
    static constexpr bool STRIPED = algorithm == BLOCK_LOAD_STRIPED;

  public:
    struct TempStorage {
    };
    QN__CUB_STORAGE(BlockLoad)

    template <class In> __device__ __forceinline__ void Load(In in, T (&v)[N])
    {
        qn_load(in, v, STRIPED ? tid : tid * N, STRIPED ? X * Y * Z : 1);
    }
    template <class In> __device__ __forceinline__ void Load(In in, T (&v)[N], int end)
    {
        qn_load(in, v, STRIPED ? tid : tid * N, STRIPED ? X * Y * Z : 1, end);
    }
    template <class In, class Other>
    __device__ __forceinline__ void Load(In in, T (&v)[N], int end, Other other)
    {
        qn_load(in, v, STRIPED ? tid : tid * N, STRIPED ? X * Y * Z : 1, end, other);
    }
};

} // namespace cub

#endif
