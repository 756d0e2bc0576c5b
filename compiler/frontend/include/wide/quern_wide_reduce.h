/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions: blocks reduce what they come by, one block reduces what they found. The operator has
 * to be associative and commutative; the order of the additions depends on the number of elements
 * alone, so sums of floats are the same each time. */
#pragma clang system_header
#ifndef QN_WIDE_REDUCE
#define QN_WIDE_REDUCE

#include <wide/quern_wide_launch.h>

namespace __qn_wide
{

enum { REDUCE_BLOCKS = 256 };

/* The first `count` of the block's slots into the first. */
template <class T, class Op> __device__ inline void reduce_slots(slot<T> *x, unsigned count, Op &op)
{
    const unsigned t = threadIdx.x;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half && t + half < count)
            x[t].v = op(x[t].v, x[t + half].v);
        __syncthreads();
    }
}

/* Of n > 0 elements; each block has one. */
template <class T, class Load, class Op, class Store>
__global__ void __launch_bounds__(THREADS) reduce(Load load, Op op, Store store, size_t n)
{
    __shared__ slot<T> x[THREADS];
    const size_t first = blockIdx.x * (size_t)THREADS, stride = gridDim.x * (size_t)THREADS;
    const unsigned t = threadIdx.x;
    const unsigned count = n - first < THREADS ? (unsigned)(n - first) : (unsigned)THREADS;
    if (t < count) {
        T v = load(first + t);
        for (size_t i = first + t + stride; i < n; i += stride)
            v = op(v, (T)load(i));
        put(&x[t].v, v);
    }
    reduce_slots(x, count, op);
    if (t == 0)
        store(blockIdx.x, x[0].v);
}

template <class T> struct store_partial {
    T *to;
    __device__ void operator()(size_t i, const T &v) const
    {
        put(to + i, v);
    }
};
template <class T> struct load_partial {
    const T *from;
    __device__ T operator()(size_t i) const
    {
        return from[i];
    }
};

/* *to = op(init, the reduction). */
template <class T, class Out, class Op> struct store_total {
    Out to;
    Op op;
    T init;
    __device__ void operator()(size_t, const T &v)
    {
        *to = op(init, v);
    }
};
template <class T, class Out> struct store_bare {
    Out to;
    __device__ void operator()(size_t, const T &v)
    {
        *to = v;
    }
};
template <class T, class Out> struct store_init {
    Out to;
    T init;
    __device__ void operator()(size_t)
    {
        *to = init;
    }
};

template <class T> inline T *reduce_partials(workspace &w)
{
    return w.take<T>(REDUCE_BLOCKS);
}

/* Of n > 0 elements; `partials` has room for REDUCE_BLOCKS. */
template <class T, class Load, class Op, class Store>
inline cudaError_t reduce_to(cudaStream_t stream, T *partials, size_t n, Load load, Op op,
                             Store store)
{
    size_t blocks = (n + THREADS - 1) / THREADS;
    if (blocks == 1) {
        reduce<T><<<1, THREADS, 0, stream>>>(load, op, store, n);
        return refused();
    }
    if (blocks > REDUCE_BLOCKS)
        blocks = REDUCE_BLOCKS;
    reduce<T><<<(unsigned)blocks, THREADS, 0, stream>>>(load, op, store_partial<T>{partials}, n);
    reduce<T><<<1, THREADS, 0, stream>>>(load_partial<T>{partials}, op, store, blocks);
    return refused();
}

/* *out = op(init, ...), init alone where n is 0. */
template <class T, class Load, class Op, class Out>
inline cudaError_t reduce_from(cudaStream_t stream, T *partials, size_t n, Load load, Op op, T init,
                               Out out)
{
    if (n == 0)
        return for_each(stream, 1, store_init<T, Out>{out, init});
    return reduce_to<T>(stream, partials, n, load, op, store_total<T, Out, Op>{out, op, init});
}

/* ---- segments: a block each ---- */

template <class T, class It, class Begin, class End, class Out, class Op, class Load>
__global__ void __launch_bounds__(THREADS)
    reduce_segments(It from, Begin begin, End end, Out out, Op op, T init, Load load)
{
    __shared__ slot<T> x[THREADS];
    const size_t first = (size_t)begin[blockIdx.x], last = (size_t)end[blockIdx.x];
    const unsigned t = threadIdx.x;
    const size_t n = last > first ? last - first : 0;
    const unsigned count = n < THREADS ? (unsigned)n : (unsigned)THREADS;
    if (t < count) {
        T v = load(from, first, t);
        for (size_t i = t + (size_t)THREADS; i < n; i += THREADS)
            v = op(v, (T)load(from, first, i));
        put(&x[t].v, v);
    }
    reduce_slots(x, count, op);
    if (t == 0) {
        if (n == 0)
            out[blockIdx.x] = init;
        else
            out[blockIdx.x] = op(init, x[0].v);
    }
}

} // namespace __qn_wide

#endif
