/* SPDX-License-Identifier: Apache-2.0
 *
 * block_exchange.cuh for a warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_EXCHANGE
#define QN_STANDIN_CUB_WARP_EXCHANGE

#include <cub/util_ptx.cuh>

namespace cub
{

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int N, int threads = 32, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange
{
  public:
    struct TempStorage {
        qn_slots<T, threads * N> items;
    };

  private:
    TempStorage &storage;
    const qn_logical_warp<threads> w;

    __device__ __forceinline__ void put(const T (&in)[N], int first, int step)
    {
        for (int i = 0; i < N; i++)
            storage.items[first + i * step] = in[i];
        __syncwarp(w.mask);
    }
    template <class Out> __device__ __forceinline__ void get(Out (&out)[N], int first, int step)
    {
        for (int i = 0; i < N; i++)
            out[i] = storage.items[first + i * step];
    }

  public:
    __device__ __forceinline__ explicit WarpExchange(TempStorage &s) : storage(s)
    {
    }
    template <class Out>
    __device__ __forceinline__ void BlockedToStriped(const T (&in)[N], Out (&out)[N])
    {
        put(in, w.lane * N, 1);
        get(out, w.lane, threads);
    }
    template <class Out>
    __device__ __forceinline__ void StripedToBlocked(const T (&in)[N], Out (&out)[N])
    {
        put(in, w.lane, threads);
        get(out, w.lane * N, 1);
    }
    template <class Out, class Rank>
    __device__ __forceinline__ void ScatterToStriped(const T (&in)[N], Out (&out)[N],
                                                     Rank (&ranks)[N])
    {
        for (int i = 0; i < N; i++)
            storage.items[(int)ranks[i]] = in[i];
        __syncwarp(w.mask);
        get(out, w.lane, threads);
    }
    template <class Rank> __device__ __forceinline__ void ScatterToStriped(T (&v)[N], Rank (&r)[N])
    {
        ScatterToStriped(v, v, r);
    }
};

} // namespace cub

#endif
