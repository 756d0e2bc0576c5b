/* SPDX-License-Identifier: Apache-2.0
 *
 * One value from one or more of each thread of a block, in the threads' order. All leave theirs in
 * shared memory; a few threads each make one of a segment, thread 0 one of those. There are about
 * as many segments as threads in one, so that both steps are short, and two barriers, which is what
 * counts on a CPU. The algorithm that is asked for makes no difference. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_REDUCE
#define QN_STANDIN_CUB_BLOCK_REDUCE

#include <cub/thread/thread_reduce.cuh>

namespace cub
{

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int = 0>
class BlockReduce
{
    enum { THREADS = X * Y * Z, SEGMENT = qn_segment<THREADS>::THREADS };

  public:
    struct TempStorage {
        qn_slots<T, THREADS> all;
    };
    QN__CUB_STORAGE(BlockReduce)

    /* Of the first n threads; of all, where n is more than there are. */
    template <class Op> __device__ __forceinline__ T Reduce(T v, Op op, int n)
    {
        n = n < THREADS ? n : THREADS;
        storage.all[tid] = v;
        __syncthreads();
        const int first = tid * SEGMENT;
        if (first < n && first < THREADS) {
            v = storage.all[first];
            for (int i = first + 1; i < first + SEGMENT && i < n; i++) {
                const T other = storage.all[i]; /* a copy: `op` may give back one of the two */
                v = op(v, other);
            }
            storage.all[first] = v;
        }
        __syncthreads();
        if (tid == 0)
            for (int i = SEGMENT; i < n; i += SEGMENT) {
                const T other = storage.all[i];
                v = op(v, other);
            }
        return v;
    }
    template <class Op> __device__ __forceinline__ T Reduce(T v, Op op)
    {
        return Reduce(v, op, (int)THREADS);
    }
    template <int N, class Op> __device__ __forceinline__ T Reduce(T (&v)[N], Op op)
    {
        return Reduce(qn_reduce_items<T>(v, op), op);
    }
    __device__ __forceinline__ T Sum(T v)
    {
        return Reduce(v, cub::Sum());
    }
    template <int N> __device__ __forceinline__ T Sum(T (&v)[N])
    {
        return Reduce(v, cub::Sum());
    }
    __device__ __forceinline__ T Sum(T v, int n)
    {
        return Reduce(v, cub::Sum(), n);
    }
};

} // namespace cub

#endif
