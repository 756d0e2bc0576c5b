/* SPDX-License-Identifier: Apache-2.0
 *
 * One value from one or more of each thread of a warp, in the threads' order, by shuffles. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_REDUCE
#define QN_STANDIN_CUB_WARP_REDUCE

#include <cub/thread/thread_reduce.cuh>

namespace cub
{

/* Lane 0's result, and that of each lane with a `last` of its own, is that of the lanes up to
 * `last`. */
template <int threads, class T, class Op>
__device__ __forceinline__ T qn_reduce_warp(T v, Op op, int last)
{
    const qn_logical_warp<threads> w;
    if (last > threads - 1)
        last = threads - 1;
    for (int by = 1; by < threads; by *= 2) {
        const bool is_valid = w.lane + by <= last;
        const T other = qn_shuffle(v, w.first + (is_valid ? w.lane + by : w.lane), w.mask);
        if (is_valid)
            v = op(v, other);
    }
    return v;
}

template <class T, int threads = 32, int = 0> class WarpReduce
{
    /* The last lane of this one's segment, of those that `flag` begins or ends. */
    template <class Flag> __device__ __forceinline__ int last_of_segment(Flag flag, bool begins)
    {
        const qn_logical_warp<threads> w;
        const unsigned int all = __ballot_sync(w.mask, (bool)flag) & w.mask;
        const unsigned int later = all >> w.first & (begins ? ~1u << w.lane : ~0u << w.lane);
        return later ? __ffs((int)later) - 1 - begins : threads - 1;
    }

  public:
    struct TempStorage {
    };
    __device__ __forceinline__ WarpReduce(TempStorage &)
    {
    }

    template <class Op> __device__ __forceinline__ T Reduce(T v, Op op)
    {
        return qn_reduce_warp<threads>(v, op, threads - 1);
    }
    template <class Op> __device__ __forceinline__ T Reduce(T v, Op op, int n)
    {
        return qn_reduce_warp<threads>(v, op, n - 1);
    }
    template <int N, class Op> __device__ __forceinline__ T Reduce(const T (&v)[N], Op op)
    {
        return Reduce(qn_reduce_items<T>(v, op), op);
    }
    __device__ __forceinline__ T Sum(T v)
    {
        return Reduce(v, cub::Sum());
    }
    __device__ __forceinline__ T Sum(T v, int n)
    {
        return Reduce(v, cub::Sum(), n);
    }
    template <int N> __device__ __forceinline__ T Sum(const T (&v)[N])
    {
        return Reduce(v, cub::Sum());
    }
    __device__ __forceinline__ T Max(T v)
    {
        return Reduce(v, cub::Max());
    }
    __device__ __forceinline__ T Max(T v, int n)
    {
        return Reduce(v, cub::Max(), n);
    }
    template <int N> __device__ __forceinline__ T Max(const T (&v)[N])
    {
        return Reduce(v, cub::Max());
    }
    __device__ __forceinline__ T Min(T v)
    {
        return Reduce(v, cub::Min());
    }
    __device__ __forceinline__ T Min(T v, int n)
    {
        return Reduce(v, cub::Min(), n);
    }
    template <int N> __device__ __forceinline__ T Min(const T (&v)[N])
    {
        return Reduce(v, cub::Min());
    }
    template <class Op, class Flag>
    __device__ __forceinline__ T HeadSegmentedReduce(T v, Flag head, Op op)
    {
        return qn_reduce_warp<threads>(v, op, last_of_segment(head, true));
    }
    template <class Op, class Flag>
    __device__ __forceinline__ T TailSegmentedReduce(T v, Flag tail, Op op)
    {
        return qn_reduce_warp<threads>(v, op, last_of_segment(tail, false));
    }
    template <class Flag> __device__ __forceinline__ T HeadSegmentedSum(T v, Flag head)
    {
        return HeadSegmentedReduce(v, head, cub::Sum());
    }
    template <class Flag> __device__ __forceinline__ T TailSegmentedSum(T v, Flag tail)
    {
        return TailSegmentedReduce(v, tail, cub::Sum());
    }
};

} // namespace cub

#endif
