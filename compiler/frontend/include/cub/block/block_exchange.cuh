/* SPDX-License-Identifier: Apache-2.0
 *
 * Other arrangements of the items of a block's threads: all are written to shared memory where
 * they belong and read again. Blocked: thread t has the items from t * N on. Striped: item i of
 * thread t is i * threads + t; warp-striped: the same within each warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_EXCHANGE
#define QN_STANDIN_CUB_BLOCK_EXCHANGE

#include <cub/util_ptx.cuh>

namespace cub
{

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0> class BlockExchange
{
    enum { THREADS = X * Y * Z, OF_WARP = THREADS < 32 ? THREADS : 32 };

  public:
    struct TempStorage {
        qn_slots<T, THREADS * N> items;
    };
    QN__CUB_STORAGE(BlockExchange)

  private:
    __device__ __forceinline__ int of_warp() const
    {
        return tid / 32 * 32 * N + tid % 32;
    }
    __device__ __forceinline__ void put(const T (&in)[N], int first, int step)
    {
        for (int i = 0; i < N; i++)
            storage.items[first + i * step] = in[i];
        __syncthreads();
    }
    template <class Out> __device__ __forceinline__ void get(Out (&out)[N], int first, int step)
    {
        for (int i = 0; i < N; i++)
            out[i] = storage.items[first + i * step];
    }
    template <class Rank>
    __device__ __forceinline__ void scatter(const T (&in)[N], Rank (&ranks)[N])
    {
        for (int i = 0; i < N; i++)
            storage.items[(int)ranks[i]] = in[i];
        __syncthreads();
    }

  public:
    template <class Out>
    __device__ __forceinline__ void StripedToBlocked(const T (&in)[N], Out (&out)[N])
    {
        put(in, tid, THREADS);
        get(out, tid * N, 1);
    }
    template <class Out>
    __device__ __forceinline__ void BlockedToStriped(const T (&in)[N], Out (&out)[N])
    {
        put(in, tid * N, 1);
        get(out, tid, THREADS);
    }
    template <class Out>
    __device__ __forceinline__ void WarpStripedToBlocked(const T (&in)[N], Out (&out)[N])
    {
        put(in, of_warp(), OF_WARP);
        get(out, tid * N, 1);
    }
    template <class Out>
    __device__ __forceinline__ void BlockedToWarpStriped(const T (&in)[N], Out (&out)[N])
    {
        put(in, tid * N, 1);
        get(out, of_warp(), OF_WARP);
    }
    template <class Out, class Rank>
    __device__ __forceinline__ void ScatterToBlocked(const T (&in)[N], Out (&out)[N],
                                                     Rank (&ranks)[N])
    {
        scatter(in, ranks);
        get(out, tid * N, 1);
    }
    template <class Out, class Rank>
    __device__ __forceinline__ void ScatterToStriped(const T (&in)[N], Out (&out)[N],
                                                     Rank (&ranks)[N])
    {
        scatter(in, ranks);
        get(out, tid, THREADS);
    }
    /* Items of negative rank stay out. */
    template <class Out, class Rank>
    __device__ __forceinline__ void ScatterToStripedGuarded(const T (&in)[N], Out (&out)[N],
                                                            Rank (&ranks)[N])
    {
        for (int i = 0; i < N; i++)
            if (ranks[i] >= 0)
                storage.items[(int)ranks[i]] = in[i];
        __syncthreads();
        get(out, tid, THREADS);
    }
    template <class Out, class Rank, class Flag>
    __device__ __forceinline__ void ScatterToStripedFlagged(const T (&in)[N], Out (&out)[N],
                                                            Rank (&ranks)[N], Flag (&is_valid)[N])
    {
        for (int i = 0; i < N; i++)
            if (is_valid[i])
                storage.items[(int)ranks[i]] = in[i];
        __syncthreads();
        get(out, tid, THREADS);
    }

    __device__ __forceinline__ void StripedToBlocked(T (&v)[N])
    {
        StripedToBlocked(v, v);
    }
    __device__ __forceinline__ void BlockedToStriped(T (&v)[N])
    {
        BlockedToStriped(v, v);
    }
    __device__ __forceinline__ void WarpStripedToBlocked(T (&v)[N])
    {
        WarpStripedToBlocked(v, v);
    }
    __device__ __forceinline__ void BlockedToWarpStriped(T (&v)[N])
    {
        BlockedToWarpStriped(v, v);
    }
    template <class Rank> __device__ __forceinline__ void ScatterToBlocked(T (&v)[N], Rank (&r)[N])
    {
        ScatterToBlocked(v, v, r);
    }
    template <class Rank> __device__ __forceinline__ void ScatterToStriped(T (&v)[N], Rank (&r)[N])
    {
        ScatterToStriped(v, v, r);
    }
    template <class Rank>
    __device__ __forceinline__ void ScatterToStripedGuarded(T (&v)[N], Rank (&r)[N])
    {
        ScatterToStripedGuarded(v, v, r);
    }
    template <class Rank, class Flag>
    __device__ __forceinline__ void ScatterToStripedFlagged(T (&v)[N], Rank (&r)[N], Flag (&f)[N])
    {
        ScatterToStripedFlagged(v, v, r, f);
    }
};

} // namespace cub

#endif
