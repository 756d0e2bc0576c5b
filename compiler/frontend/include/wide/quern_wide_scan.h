/* SPDX-License-Identifier: Apache-2.0
 *
 * One scan for all: prefix sums, and everything whose place in the output depends on what comes
 * before it. Tiles are reduced, one block scans what they gave, and each tile is gone through again
 * with what comes before it. The order is kept, so the operator need only be associative.
 *
 *   load(i)                            the element, asked for more than once
 *   store(i, has, before, inclusive)   called once for each; before: all elements in front of it,
 *                                      where there are any */
#pragma clang system_header
#ifndef QN_WIDE_SCAN
#define QN_WIDE_SCAN

#include <wide/quern_wide_launch.h>

namespace __qn_wide
{

enum { SCAN_ITEMS = 8, SCAN_TILE = THREADS * SCAN_ITEMS };

/* x[t] becomes the sum of x[0] to x[t], for t < count. */
template <class T, class Op> __device__ inline void scan_slots(slot<T> *x, unsigned count, Op &op)
{
    const unsigned t = threadIdx.x;
    __syncthreads();
    for (unsigned d = 1; d < count; d *= 2) {
        slot<T> sum;
        const bool adds = t >= d && t < count;
        if (adds)
            put(&sum.v, op(x[t - d].v, x[t].v));
        __syncthreads();
        if (adds)
            x[t].v = sum.v;
        __syncthreads();
    }
}

/* The sum of the thread's elements, into its slot. */
template <class T, class Load, class Op>
__device__ inline unsigned sum_items(slot<T> *x, Load &load, Op &op, size_t n)
{
    const size_t tile = blockIdx.x * (size_t)SCAN_TILE;
    const size_t first = tile + threadIdx.x * (size_t)SCAN_ITEMS;
    if (first < n) {
        const size_t end = n - first < SCAN_ITEMS ? n : first + SCAN_ITEMS;
        T v = load(first);
        for (size_t i = first + 1; i < end; i++)
            v = op(v, (T)load(i));
        put(&x[threadIdx.x].v, v);
    }
    const size_t left = (n - tile + SCAN_ITEMS - 1) / SCAN_ITEMS;
    return left < THREADS ? (unsigned)left : (unsigned)THREADS;
}

template <class T, class Load, class Op>
__global__ void __launch_bounds__(THREADS) scan_tiles(T *tiles, Load load, Op op, size_t n)
{
    __shared__ slot<T> x[THREADS];
    const unsigned count = sum_items(x, load, op, n);
    scan_slots(x, count, op);
    if (threadIdx.x == 0)
        put(tiles + blockIdx.x, x[count - 1].v);
}

/* In place, by one block. */
template <class T, class Op>
__global__ void __launch_bounds__(THREADS) scan_sums(T *tiles, Op op, size_t n)
{
    __shared__ slot<T> x[THREADS];
    __shared__ slot<T> carry;
    const unsigned t = threadIdx.x;
    for (size_t first = 0; first < n; first += THREADS) {
        const unsigned count = n - first < THREADS ? (unsigned)(n - first) : (unsigned)THREADS;
        if (t < count)
            put(&x[t].v, tiles[first + t]);
        scan_slots(x, count, op);
        if (t < count) {
            if (first)
                tiles[first + t] = op(carry.v, x[t].v);
            else
                tiles[first + t] = x[t].v;
        }
        __syncthreads();
        if (t == 0)
            put(&carry.v, tiles[first + count - 1]);
        __syncthreads();
    }
}

template <class T, class Load, class Op, class Store>
__global__ void __launch_bounds__(THREADS)
    scan_write(const T *tiles, Load load, Op op, Store store, size_t n)
{
    __shared__ slot<T> x[THREADS];
    const unsigned t = threadIdx.x;
    const size_t first = blockIdx.x * (size_t)SCAN_TILE + t * (size_t)SCAN_ITEMS;
    const unsigned count = sum_items(x, load, op, n);
    scan_slots(x, count, op);
    if (first >= n)
        return;
    slot<T> before;
    bool has = blockIdx.x > 0;
    if (has && t > 0)
        put(&before.v, op(tiles[blockIdx.x - 1], x[t - 1].v));
    else if (has)
        put(&before.v, tiles[blockIdx.x - 1]);
    else if (t > 0)
        put(&before.v, x[t - 1].v);
    has = has || t > 0;
    const size_t end = n - first < SCAN_ITEMS ? n : first + SCAN_ITEMS;
    for (size_t i = first; i < end; i++) {
        slot<T> sum;
        if (has)
            put(&sum.v, op(before.v, (T)load(i)));
        else
            put(&sum.v, (T)load(i));
        store(i, has, before.v, sum.v);
        put(&before.v, sum.v);
        has = true;
    }
}

template <class T> inline T *scan_partials(workspace &w, size_t n)
{
    return w.take<T>((n + SCAN_TILE - 1) / SCAN_TILE);
}

template <class T, class Load, class Op, class Store>
inline cudaError_t scan(cudaStream_t stream, T *tiles, size_t n, Load load, Op op, Store store)
{
    const size_t n_tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    if (n == 0)
        return cudaSuccess;
    if (n_tiles > 1) {
        scan_tiles<T><<<(unsigned)n_tiles, THREADS, 0, stream>>>(tiles, load, op, n);
        scan_sums<T><<<1, THREADS, 0, stream>>>(tiles, op, n_tiles);
    }
    scan_write<T><<<(unsigned)n_tiles, THREADS, 0, stream>>>((const T *)tiles, load, op, store, n);
    return refused();
}

/* ---- prefix sums ---- */

template <class T, class It> struct load_as {
    It from;
    __device__ T operator()(size_t i)
    {
        return (T)from[i];
    }
};
template <class T, class Out> struct store_inclusive {
    Out to;
    __device__ void operator()(size_t i, bool, const T &, const T &sum)
    {
        to[i] = sum;
    }
};
template <class T, class Out, class Op> struct store_inclusive_from {
    Out to;
    Op op;
    T init;
    __device__ void operator()(size_t i, bool, const T &, const T &sum)
    {
        to[i] = op(init, sum);
    }
};
template <class T, class Out, class Op> struct store_exclusive {
    Out to;
    Op op;
    T init;
    __device__ void operator()(size_t i, bool has, const T &before, const T &)
    {
        if (has)
            to[i] = op(init, before);
        else
            to[i] = init;
    }
};

/* ---- by key: sums start over where a key begins ---- */

template <class T> struct headed {
    T v;
    int head;
};
template <class T, class Op> struct headed_op {
    Op op;
    __device__ headed<T> operator()(const headed<T> &a, const headed<T> &b)
    {
        headed<T> both = b;
        both.head = a.head + b.head;
        if (!b.head)
            both.v = op(a.v, b.v);
        return both;
    }
};
template <class Keys, class Equal> struct is_head {
    Keys keys;
    Equal equal;
    __device__ int operator()(size_t i)
    {
        return i == 0 || !equal(keys[i - 1], keys[i]);
    }
};
template <class T, class Head, class It> struct load_headed {
    Head head;
    It from;
    __device__ headed<T> operator()(size_t i)
    {
        return headed<T>{(T)from[i], head(i)};
    }
};
template <class T, class Out> struct store_inclusive_headed {
    Out to;
    __device__ void operator()(size_t i, bool, const headed<T> &, const headed<T> &sum)
    {
        to[i] = sum.v;
    }
};
template <class T, class Out, class Op> struct store_exclusive_headed {
    Out to;
    Op op;
    T init;
    __device__ void operator()(size_t i, bool has, const headed<T> &before, const headed<T> &sum)
    {
        if (has && before.head == sum.head)
            to[i] = op(init, before.v);
        else
            to[i] = init;
    }
};

} // namespace __qn_wide

#endif
