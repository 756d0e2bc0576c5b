/* SPDX-License-Identifier: Apache-2.0
 *
 * Running values over the threads of a warp, in their order, by shuffles. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_SCAN
#define QN_STANDIN_CUB_WARP_SCAN

#include <cub/util_ptx.cuh>

namespace cub
{

/* This lane's value and all before it. */
template <int threads, class T, class Op>
__device__ __forceinline__ T qn_scan_warp(T v, Op op, const qn_logical_warp<threads> &w)
{
    for (int by = 1; by < threads; by *= 2) {
        const T other = qn_shuffle(v, w.first + (w.lane >= by ? w.lane - by : w.lane), w.mask);
        if (w.lane >= by)
            v = op(other, v);
    }
    return v;
}

template <class T, int threads = 32, int = 0> class WarpScan
{
    const qn_logical_warp<threads> w;

    __device__ __forceinline__ T last(const T &v)
    {
        return qn_shuffle(v, w.first + threads - 1, w.mask);
    }
    __device__ __forceinline__ T before(const T &v)
    {
        return qn_shuffle(v, w.first + (w.lane ? w.lane - 1 : 0), w.mask);
    }

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpScan(TempStorage &)
    {
    }

    template <class Op> __device__ __forceinline__ void InclusiveScan(T v, T &out, Op op)
    {
        out = qn_scan_warp<threads>(v, op, w);
    }
    template <class Op> __device__ __forceinline__ void InclusiveScan(T v, T &out, T initial, Op op)
    {
        out = op(initial, qn_scan_warp<threads>(v, op, w));
    }
    template <class Op> __device__ __forceinline__ void InclusiveScan(T v, T &out, Op op, T &all)
    {
        out = qn_scan_warp<threads>(v, op, w);
        all = last(out);
    }
    template <class Op>
    __device__ __forceinline__ void InclusiveScan(T v, T &out, T initial, Op op, T &all)
    {
        const T own = qn_scan_warp<threads>(v, op, w);
        all = last(own);
        out = op(initial, own);
    }

    /* Lane 0 has nothing before it. */
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, Op op)
    {
        out = before(qn_scan_warp<threads>(v, op, w));
    }
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, T initial, Op op)
    {
        T with;
        Scan(v, with, out, initial, op);
    }
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, Op op, T &all)
    {
        const T own = qn_scan_warp<threads>(v, op, w);
        all = last(own);
        out = before(own);
    }
    template <class Op>
    __device__ __forceinline__ void ExclusiveScan(T v, T &out, T initial, Op op, T &all)
    {
        const T own = qn_scan_warp<threads>(v, op, w);
        all = last(own);
        out = before(op(initial, own));
        if (w.lane == 0)
            out = initial;
    }
    template <class Op> __device__ __forceinline__ void Scan(T v, T &inclusive, T &exclusive, Op op)
    {
        inclusive = qn_scan_warp<threads>(v, op, w);
        exclusive = before(inclusive);
    }
    template <class Op>
    __device__ __forceinline__ void Scan(T v, T &inclusive, T &exclusive, T initial, Op op)
    {
        inclusive = op(initial, qn_scan_warp<threads>(v, op, w));
        exclusive = before(inclusive);
        if (w.lane == 0)
            exclusive = initial;
    }

    __device__ __forceinline__ void InclusiveSum(T v, T &out)
    {
        InclusiveScan(v, out, cub::Sum());
    }
    __device__ __forceinline__ void InclusiveSum(T v, T &out, T &all)
    {
        InclusiveScan(v, out, cub::Sum(), all);
    }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out)
    {
        ExclusiveScan(v, out, T(), cub::Sum());
    }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out, T &all)
    {
        ExclusiveScan(v, out, T(), cub::Sum(), all);
    }
    __device__ __forceinline__ T Broadcast(T v, unsigned int lane)
    {
        return qn_shuffle(v, w.first + (int)(lane % threads), w.mask);
    }
};

} // namespace cub

#endif
