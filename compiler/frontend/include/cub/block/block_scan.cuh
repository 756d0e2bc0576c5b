/* SPDX-License-Identifier: Apache-2.0
 *
 * Running values over the threads of a block, in their order. All leave theirs in shared memory; a
 * few threads each make those of a segment; then each adds what the segments before its own come
 * to. The algorithm that is asked for makes no difference. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_SCAN
#define QN_STANDIN_CUB_BLOCK_SCAN

#include <cub/thread/thread_reduce.cuh>

namespace cub
{

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan
{
    enum { THREADS = X * Y * Z, SEGMENT = qn_segment<THREADS>::THREADS };

  public:
    struct TempStorage {
        qn_slots<T, THREADS> all;
        qn_slots<T, 1> prefix;
    };
    QN__CUB_STORAGE(BlockScan)

  private:
    /* What the threads before this one come to, undefined in thread 0, and what all come to. */
    template <class Op> __device__ __forceinline__ T scan(const T &v, Op op, T &all)
    {
        storage.all[tid] = v;
        __syncthreads();
        const int first = tid * SEGMENT;
        if (first < THREADS) {
            T sum = storage.all[first];
            for (int i = first + 1; i < first + SEGMENT && i < THREADS; i++) {
                const T other = storage.all[i]; /* a copy: `op` may give back one of the two */
                sum = op(sum, other);
                storage.all[i] = sum;
            }
        }
        __syncthreads();
        T before = storage.all[tid > 0 ? tid - 1 : 0];
        all = storage.all[SEGMENT < THREADS ? SEGMENT - 1 : THREADS - 1];
        for (int i = SEGMENT; i < THREADS; i += SEGMENT) {
            if (tid == i)
                before = all;
            else if (tid > i && tid < i + SEGMENT)
                before = op(all, before);
            const T other = storage.all[i + SEGMENT < THREADS ? i + SEGMENT - 1 : THREADS - 1];
            all = op(all, other);
        }
        return before;
    }
    template <class Op>
    __device__ __forceinline__ T scan_after(const T &v, Op op, T &all, const T &initial)
    {
        T before = scan(v, op, all);
        if (tid == 0)
            before = initial;
        else
            before = op(initial, before);
        return before;
    }
    /* The first warp asks what is before the block; what thread 0 is answered counts. */
    template <class Op, class Ask>
    __device__ __forceinline__ T scan_asking(const T &v, Op op, Ask &ask)
    {
        T all, before = scan(v, op, all);
        if (tid < 32) {
            const T answer = ask(all);
            if (tid == 0)
                storage.prefix[0] = answer;
        }
        __syncthreads();
        const T initial = storage.prefix[0];
        if (tid == 0)
            before = initial;
        else
            before = op(initial, before);
        return before;
    }
    template <int N, class Op>
    __device__ __forceinline__ void fill(T (&v)[N], T (&out)[N], Op op, const T &before, bool has,
                                         bool inclusive)
    {
        qn_scan_items(v, out, op, before, has, inclusive);
    }

  public:
    /* ---- one item a thread ---- */
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, Op op)
    {
        T all;
        out = scan(v, op, all);
    }
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, Op op, T &all)
    {
        out = scan(v, op, all);
    }
    template <class Op> __device__ __forceinline__ void ExclusiveScan(T v, T &out, T initial, Op op)
    {
        T all;
        out = scan_after(v, op, all, initial);
    }
    template <class Op>
    __device__ __forceinline__ void ExclusiveScan(T v, T &out, T initial, Op op, T &all)
    {
        out = scan_after(v, op, all, initial);
    }
    template <class Op, class Ask>
    __device__ __forceinline__ void ExclusiveScan(T v, T &out, Op op, Ask &ask)
    {
        out = scan_asking(v, op, ask);
    }
    template <class Op> __device__ __forceinline__ void InclusiveScan(T v, T &out, Op op)
    {
        T all;
        InclusiveScan(v, out, op, all);
    }
    template <class Op> __device__ __forceinline__ void InclusiveScan(T v, T &out, Op op, T &all)
    {
        const T before = scan(v, op, all);
        out = v;
        if (tid)
            out = op(before, v);
    }
    template <class Op, class Ask>
    __device__ __forceinline__ void InclusiveScan(T v, T &out, Op op, Ask &ask)
    {
        out = op(scan_asking(v, op, ask), v);
    }

    /* ---- several ---- */
    template <int N, class Op>
    __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], Op op)
    {
        T all;
        ExclusiveScan(v, out, op, all);
    }
    template <int N, class Op>
    __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, T &all)
    {
        const T before = scan(qn_reduce_items<T>(v, op), op, all);
        fill(v, out, op, before, tid != 0, false);
    }
    template <int N, class Op>
    __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op)
    {
        T all;
        ExclusiveScan(v, out, initial, op, all);
    }
    template <int N, class Op>
    __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, T &all)
    {
        const T before = scan_after(qn_reduce_items<T>(v, op), op, all, initial);
        fill(v, out, op, before, true, false);
    }
    template <int N, class Op, class Ask>
    __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, Ask &ask)
    {
        const T before = scan_asking(qn_reduce_items<T>(v, op), op, ask);
        fill(v, out, op, before, true, false);
    }
    template <int N, class Op>
    __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], Op op)
    {
        T all;
        InclusiveScan(v, out, op, all);
    }
    template <int N, class Op>
    __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], Op op, T &all)
    {
        const T before = scan(qn_reduce_items<T>(v, op), op, all);
        fill(v, out, op, before, tid != 0, true);
    }
    template <int N, class Op>
    __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op)
    {
        T all;
        InclusiveScan(v, out, initial, op, all);
    }
    template <int N, class Op>
    __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, T &all)
    {
        const T before = scan_after(qn_reduce_items<T>(v, op), op, all, initial);
        fill(v, out, op, before, true, true);
    }
    template <int N, class Op, class Ask>
    __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], Op op, Ask &ask)
    {
        const T before = scan_asking(qn_reduce_items<T>(v, op), op, ask);
        fill(v, out, op, before, true, true);
    }

    /* ---- sums ---- */
    __device__ __forceinline__ void ExclusiveSum(T v, T &out)
    {
        ExclusiveScan(v, out, T(), cub::Sum());
    }
    __device__ __forceinline__ void ExclusiveSum(T v, T &out, T &all)
    {
        ExclusiveScan(v, out, T(), cub::Sum(), all);
    }
    template <class Ask> __device__ __forceinline__ void ExclusiveSum(T v, T &out, Ask &ask)
    {
        ExclusiveScan(v, out, cub::Sum(), ask);
    }
    template <int N> __device__ __forceinline__ void ExclusiveSum(T (&v)[N], T (&out)[N])
    {
        ExclusiveScan(v, out, T(), cub::Sum());
    }
    template <int N> __device__ __forceinline__ void ExclusiveSum(T (&v)[N], T (&out)[N], T &all)
    {
        ExclusiveScan(v, out, T(), cub::Sum(), all);
    }
    template <int N, class Ask>
    __device__ __forceinline__ void ExclusiveSum(T (&v)[N], T (&out)[N], Ask &ask)
    {
        ExclusiveScan(v, out, cub::Sum(), ask);
    }
    __device__ __forceinline__ void InclusiveSum(T v, T &out)
    {
        InclusiveScan(v, out, cub::Sum());
    }
    __device__ __forceinline__ void InclusiveSum(T v, T &out, T &all)
    {
        InclusiveScan(v, out, cub::Sum(), all);
    }
    template <class Ask> __device__ __forceinline__ void InclusiveSum(T v, T &out, Ask &ask)
    {
        InclusiveScan(v, out, cub::Sum(), ask);
    }
    template <int N> __device__ __forceinline__ void InclusiveSum(T (&v)[N], T (&out)[N])
    {
        InclusiveScan(v, out, cub::Sum());
    }
    template <int N> __device__ __forceinline__ void InclusiveSum(T (&v)[N], T (&out)[N], T &all)
    {
        InclusiveScan(v, out, cub::Sum(), all);
    }
    template <int N, class Ask>
    __device__ __forceinline__ void InclusiveSum(T (&v)[N], T (&out)[N], Ask &ask)
    {
        InclusiveScan(v, out, cub::Sum(), ask);
    }
};

} // namespace cub

#endif
