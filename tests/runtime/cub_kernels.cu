// SPDX-License-Identifier: Apache-2.0
//
// One kernel for each group of CUB's operations; check_cub.c has what they write. Each runs as one
// block, with the operation `which`, or with all where that is negative. What CUB leaves undefined
// (a reduction in other threads than the first) is not written.
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_store.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/tuple>

struct Pair {
    int a;
    short b;
};
struct LargerPair {
    __device__ Pair operator()(Pair x, Pair y) const
    {
        return y.a > x.a ? y : x;
    }
};
struct Larger {
    template <class T> __device__ T operator()(const T &a, const T &b) const
    {
        return a > b ? a : b;
    }
};
struct Second { // associative, and not commutative
    template <class T> __device__ T operator()(const T &, const T &b) const
    {
        return b;
    }
};
struct Differs {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a != b;
    }
};
struct DiffersEarly {
    __device__ bool operator()(int a, int b, int at) const
    {
        return a != b && at < 9;
    }
};
struct Less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};
struct ByTens {
    __device__ bool operator()(int a, int b) const
    {
        return a / 10 > b / 10;
    }
};
struct Minus {
    __device__ int operator()(int a, int b) const
    {
        return a - b;
    }
};

__device__ int rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// ---- blocks ----

template <int which, class T, cub::BlockReduceAlgorithm algorithm, int X, int Y, int Z>
__global__ void block_reduce(int *out, const int *in)
{
    typedef cub::BlockReduce<T, X, algorithm, Y, Z> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const int t = rank();
    T items[3] = {(T)in[3 * t], (T)in[3 * t + 1], (T)in[3 * t + 2]};
    int n = 0;
#define QN_NEXT(value)                                                                             \
    {                                                                                              \
        const T result = value;                                                                    \
        if (t == 0)                                                                                \
            out[n] = (int)result;                                                                  \
        n++;                                                                                       \
        __syncthreads();                                                                           \
    }
    if constexpr (which < 0 || which == 0) {
        QN_NEXT(Reduce(storage).Sum((T)in[t]))
    }
    if constexpr (which < 0 || which == 1) {
        QN_NEXT(Reduce(storage).Sum((T)in[t], 5))
    }
    if constexpr (which < 0 || which == 2) {
        QN_NEXT(Reduce(storage).Sum((T)in[t], X * Y * Z - 1))
    }
    if constexpr (which < 0 || which == 3) {
        QN_NEXT(Reduce(storage).Sum(items))
    }
    if constexpr (which < 0 || which == 4) {
        QN_NEXT(Reduce(storage).Reduce((T)in[t], Larger()))
    }
    if constexpr (which < 0 || which == 5) {
        QN_NEXT(Reduce(storage).Reduce((T)in[t], Larger(), 3))
    }
    if constexpr (which < 0 || which == 6) {
        QN_NEXT(Reduce(storage).Reduce(items, Larger()))
    }
#undef QN_NEXT
}

__global__ void reduce_in_order(int *out, const int *in)
{
    typedef cub::BlockReduce<int, 40> Reduce;
    typedef cub::BlockReduce<cub::KeyValuePair<int, float>, 40, cub::BLOCK_REDUCE_RAKING> Best;
    __shared__ union {
        Reduce::TempStorage reduce;
        Best::TempStorage best;
    } storage;
    const int t = threadIdx.x;
    const int last = Reduce(storage.reduce).Reduce(in[t], Second());
    __syncthreads();
    const int ninth = Reduce(storage.reduce).Reduce(in[t], Second(), 9);
    __syncthreads();
    const cub::KeyValuePair<int, float> own(t, (float)(in[t] % 7));
    const cub::KeyValuePair<int, float> most = Best(storage.best).Reduce(own, cub::ArgMax());
    __syncthreads();
    const cub::KeyValuePair<int, float> least = Best(storage.best).Reduce(own, cub::ArgMin());
    if (t == 0) {
        out[0] = last;
        out[1] = ninth;
        out[2] = most.key;
        out[3] = (int)most.value;
        out[4] = least.key;
        out[5] = (int)least.value;
    }
}

struct Running { // what was before the block
    int before;
    __device__ int operator()(int all)
    {
        const int old = before;
        before += all;
        return old;
    }
};

template <int which, cub::BlockScanAlgorithm algorithm, int X, int Y>
__global__ void block_scan(int *out, const int *in)
{
    typedef cub::BlockScan<int, X, algorithm, Y> Scan;
    __shared__ typename Scan::TempStorage storage;
    const int t = rank(), n = X * Y;
    int one, all, sum = 0;
    Running running = {1000};
#define QN_NEXT(total)                                                                             \
    out[sum++ * n + t] = one + (total);                                                            \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Scan(storage).ExclusiveSum(in[t], one);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 1) {
        Scan(storage).ExclusiveSum(in[t], one, all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 2) {
        Scan(storage).ExclusiveSum(in[t], one, running);
        QN_NEXT(t == 0 ? running.before : 0)
    }
    if constexpr (which < 0 || which == 3) {
        Scan(storage).InclusiveSum(in[t], one);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 4) {
        Scan(storage).InclusiveSum(in[t], one, all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 5) {
        Scan(storage).InclusiveSum(in[t], one, running);
        QN_NEXT(t == 0 ? running.before : 0)
    }
    if constexpr (which < 0 || which == 6) {
        Scan(storage).ExclusiveScan(in[t], one, -9, Larger());
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 7) {
        Scan(storage).ExclusiveScan(in[t], one, 60, Larger(), all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 8) {
        Scan(storage).ExclusiveScan(in[t], one, Larger(), all);
        one = t ? one : 0;
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 9) {
        Scan(storage).ExclusiveScan(in[t], one, Larger());
        one = t ? one : 0;
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 10) {
        Scan(storage).ExclusiveScan(in[t], one, Second(), running);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 11) {
        Scan(storage).InclusiveScan(in[t], one, Larger());
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 12) {
        Scan(storage).InclusiveScan(in[t], one, Larger(), all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 13) {
        Scan(storage).InclusiveScan(in[t], one, Larger(), running);
        QN_NEXT(0)
    }
#undef QN_NEXT
}

template <int which, cub::BlockScanAlgorithm algorithm>
__global__ void scan_items(int *out, const int *in)
{
    typedef cub::BlockScan<int, 40, algorithm> Scan;
    __shared__ typename Scan::TempStorage storage;
    const int t = threadIdx.x;
    int v[2] = {in[2 * t], in[2 * t + 1]}, one[2], all, sum = 0;
    Running running = {1000};
#define QN_NEXT(total)                                                                             \
    out[sum * 80 + 2 * t] = one[0] + (total);                                                      \
    out[sum++ * 80 + 2 * t + 1] = one[1];                                                          \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Scan(storage).ExclusiveSum(v, one);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 1) {
        Scan(storage).ExclusiveSum(v, one, all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 2) {
        Scan(storage).ExclusiveSum(v, one, running);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 3) {
        Scan(storage).InclusiveSum(v, one);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 4) {
        Scan(storage).InclusiveSum(v, one, all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 5) {
        Scan(storage).InclusiveSum(v, one, running);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 6) {
        Scan(storage).ExclusiveScan(v, one, -9, Larger());
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 7) {
        Scan(storage).ExclusiveScan(v, one, 60, Larger(), all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 8) {
        Scan(storage).ExclusiveScan(v, one, Larger());
        one[0] = t ? one[0] : 0;
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 9) {
        Scan(storage).ExclusiveScan(v, one, Larger(), all);
        one[0] = t ? one[0] : 0;
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 10) {
        Scan(storage).ExclusiveScan(v, one, Larger(), running);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 11) {
        Scan(storage).InclusiveScan(v, one, Larger());
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 12) {
        Scan(storage).InclusiveScan(v, one, Larger(), all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 13) {
        Scan(storage).InclusiveScan(v, one, 20, Larger());
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 14) {
        Scan(storage).InclusiveScan(v, one, 20, Larger(), all);
        QN_NEXT(all)
    }
    if constexpr (which < 0 || which == 15) {
        Scan(storage).InclusiveScan(v, one, Larger(), running);
        QN_NEXT(0)
    }
    if constexpr (which < 0 || which == 16) {
        Scan(storage).InclusiveSum(v, v); // in place
        one[0] = v[0];
        one[1] = v[1];
        QN_NEXT(0)
    }
#undef QN_NEXT
}

template <cub::BlockLoadAlgorithm how_to_load, cub::BlockStoreAlgorithm how_to_store>
__global__ void load_and_store(int *out, const int *in)
{
    typedef cub::BlockLoad<int, 32, 3, how_to_load> Load;
    typedef cub::BlockStore<int, 32, 3, how_to_store> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int v[3];
    Load(storage.load).Load(in, v);
    __syncthreads();
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * 100 + (int)threadIdx.x * 3 + i;
    Store(storage.store).Store(out, v);
    __syncthreads();
    Load(storage.load).Load(in, v, 50, -7);
    __syncthreads();
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * 100 + (int)threadIdx.x * 3 + i;
    Store(storage.store).Store(out + 96, v, 71);
    __syncthreads();
    for (int i = 0; i < 3; i++)
        v[i] = 0;
    Load(storage.load).Load(in, v, 96);
    __syncthreads();
    Store(storage.store).Store(out + 192, v, 96);
}

/* Of fewer threads than the block has, as many, and more: then of all. */
__global__ void reduce_of_first(int *out, const int *in)
{
    typedef cub::BlockReduce<int, 40> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const int counts[] = {1, 7, 39, 40, 41, 4096};
    for (int i = 0; i < 6; i++) {
        const int sum = Reduce(storage).Sum(in[threadIdx.x], counts[i]);
        if (threadIdx.x == 0)
            out[i] = sum;
        __syncthreads();
    }
}

/* What the items are afterwards, too. */
template <cub::BlockStoreAlgorithm how> __global__ void store_and_look(int *out, const int *in)
{
    typedef cub::BlockStore<int, 64, 3, how> Store;
    __shared__ typename Store::TempStorage storage;
    const int t = threadIdx.x;
    int v[3];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 3; i++)
            v[i] = in[3 * t + i] * 1000 + 3 * t + i;
        if (pass)
            Store(storage).Store(out + 192, v, 100);
        else
            Store(storage).Store(out, v);
        for (int i = 0; i < 3; i++)
            out[384 + 192 * pass + 3 * t + i] = v[i];
        __syncthreads();
    }
}

__global__ void load_of_threads(int *out, const int *in)
{
    const int t = threadIdx.x;
    int v[2], sum = 0;
    cub::BlockLoad<int, 64, 2>().Load(in, v); // with shared memory of its own, as it may need some
    sum += v[0] * 3 + v[1];
    cub::LoadDirectBlocked(t, in, v, 70, 1);
    sum += v[0] * 5 + v[1];
    cub::LoadDirectStriped<64>(t, in, v);
    sum += v[0] * 7 + v[1];
    cub::LoadDirectWarpStriped(t, in, v, 100, 2);
    sum += v[0] * 11 + v[1];
    v[0] = sum;
    v[1] = cub::ThreadLoad<cub::LOAD_CS>(in + t) + cub::ThreadLoad<cub::LOAD_LDG>(in + t + 1);
    cub::StoreDirectWarpStriped(t, out, v);
    cub::StoreDirectStriped<64>(t, out + 128, v);
    cub::StoreDirectBlocked(t, out + 256, v, 99);
    cub::ThreadStore<cub::STORE_CG>(out + 384 + t, in[t]);
}

template <int which, int X> __global__ void exchange(int *out, const int *in)
{
    typedef cub::BlockExchange<int, X, 2> Exchange;
    __shared__ typename Exchange::TempStorage storage;
    const int t = threadIdx.x;
    int v[2] = {in[2 * t], in[2 * t + 1]}, w[2], sum = 0;
    int ranks[2] = {(2 * t + X) % (2 * X), (2 * t + 1 + X) % (2 * X)};
#define QN_NEXT                                                                                    \
    out[sum * 2 * X + 2 * t] = w[0];                                                               \
    out[sum++ * 2 * X + 2 * t + 1] = w[1];                                                         \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Exchange(storage).BlockedToStriped(v, w);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 1) {
        Exchange(storage).StripedToBlocked(v, w);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 2) {
        Exchange(storage).BlockedToWarpStriped(v, w);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 3) {
        Exchange(storage).WarpStripedToBlocked(v, w);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 4) {
        Exchange(storage).ScatterToBlocked(v, w, ranks);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 5) {
        Exchange(storage).ScatterToStriped(v, w, ranks);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 6) {
        ranks[0] = t % 2 ? t : -1;
        ranks[1] = t % 2 ? -1 : t;
        Exchange(storage).ScatterToStripedGuarded(v, w, ranks);
        w[1] = 0;
        QN_NEXT
    }
    if constexpr (which < 0 || which == 7) {
        const int flags[2] = {t % 2, !(t % 2)};
        ranks[0] = ranks[1] = t;
        Exchange(storage).ScatterToStripedFlagged(v, w, ranks, flags);
        w[1] = 0;
        QN_NEXT
    }
    if constexpr (which < 0 || which == 8) {
        w[0] = v[0];
        w[1] = v[1];
        Exchange(storage).BlockedToStriped(w);
        QN_NEXT
    }
#undef QN_NEXT
}

template <int which> __global__ void radix_sort(int *out, const int *in)
{
    typedef cub::BlockRadixSort<int, 12, 3> Sort;
    typedef cub::BlockRadixSort<int, 12, 3, short> Pairs;
    __shared__ union {
        Sort::TempStorage sort;
        Pairs::TempStorage pairs;
    } storage;
    const int t = threadIdx.x;
    int k[3], n = 0;
    short v[3];
#define QN_BEGIN                                                                                   \
    for (int i = 0; i < 3; i++) {                                                                  \
        v[i] = (short)(3 * t + i);                                                                 \
        k[i] = in[v[i]];                                                                           \
    }
#define QN_NEXT(of)                                                                                \
    for (int i = 0; i < 3; i++)                                                                    \
        out[n + 3 * t + i] = (int)of[i];                                                           \
    n += 36;                                                                                       \
    __syncthreads();                                                                               \
    QN_BEGIN
    QN_BEGIN
    if constexpr (which < 0 || which == 0) {
        Sort(storage.sort).Sort(k);
        QN_NEXT(k)
    }
    if constexpr (which < 0 || which == 1) {
        Sort(storage.sort).SortDescending(k, 2, 5);
        QN_NEXT(k)
    }
    if constexpr (which < 0 || which == 2) {
        Sort(storage.sort).SortBlockedToStriped(k);
        QN_NEXT(k)
    }
    if constexpr (which < 0 || which == 3) {
        Pairs(storage.pairs).Sort(k, v, 1, 4);
        QN_NEXT(v)
    }
    if constexpr (which < 0 || which == 4) {
        Pairs(storage.pairs).SortDescending(k, v);
        QN_NEXT(v)
    }
    if constexpr (which < 0 || which == 5) {
        Pairs(storage.pairs).SortBlockedToStriped(k, v, 3, 6);
        QN_NEXT(v)
    }
#undef QN_NEXT
#undef QN_BEGIN
}

template <class K> __global__ void sort_types(int *out, const int *in)
{
    typedef cub::BlockRadixSort<K, 40, 2, short> Sort;
    __shared__ typename Sort::TempStorage storage;
    const int t = threadIdx.x;
    K k[2] = {(K)in[2 * t], (K)in[2 * t + 1]};
    short v[2] = {(short)(2 * t), (short)(2 * t + 1)};
    Sort(storage).SortDescendingBlockedToStriped(k, v);
    for (int i = 0; i < 2; i++) {
        out[2 * t + i] = (int)k[i];
        out[80 + 2 * t + i] = v[i];
    }
}

__global__ void sort_specials(int *out, const int *in)
{
    typedef cub::BlockRadixSort<float, 12, 1, int> Sort;
    __shared__ Sort::TempStorage storage;
    const unsigned specials[12] = {0x7fc00000, 0x00000000, 0xff800000, 0x80000000,
                                   0x7f800000, 0x3f800000, 0xffc00000, 0x80000000,
                                   0x00000000, 0x00000001, 0x80000001, 0xbf800000};
    const int t = threadIdx.x;
    float k[1] = {__uint_as_float(specials[t])};
    int v[1] = {t};
    Sort(storage).Sort(k, v);
    out[t] = v[0];
    __syncthreads();
    k[0] = __uint_as_float(specials[t]);
    v[0] = t;
    Sort(storage).SortDescending(k, v);
    out[12 + t] = v[0];
    out[24 + t] = __float_as_int(k[0]);
}

struct Parts {
    __host__ __device__ cuda::std::tuple<short &, int &> operator()(Pair &p) const
    {
        return {p.b, p.a};
    }
};
__global__ void sort_structs(int *out, const int *in)
{
    typedef cub::BlockRadixSort<Pair, 16, 2> Sort;
    __shared__ Sort::TempStorage storage;
    const int t = threadIdx.x;
    Pair k[2];
    for (int i = 0; i < 2; i++) {
        k[i].a = in[2 * t + i];
        k[i].b = (short)(in[2 * t + i] % 3);
    }
    Sort(storage).Sort(k, Parts());
    for (int i = 0; i < 2; i++) {
        out[2 * t + i] = k[i].a;
        out[32 + 2 * t + i] = k[i].b;
    }
    __syncthreads();
    Sort(storage).SortDescending(k, Parts(), 32, 48);
    for (int i = 0; i < 2; i++)
        out[64 + 2 * t + i] = k[i].a;
}

template <int which, int X> __global__ void merge_sort(int *out, const int *in)
{
    typedef cub::BlockMergeSort<int, X, 3> Sort;
    typedef cub::BlockMergeSort<int, X, 3, short> Pairs;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Pairs::TempStorage pairs;
    } storage;
    const int t = threadIdx.x;
    int k[3], n = 0;
    short v[3];
#define QN_BEGIN                                                                                   \
    for (int i = 0; i < 3; i++) {                                                                  \
        v[i] = (short)(3 * t + i);                                                                 \
        k[i] = in[v[i]];                                                                           \
    }
#define QN_NEXT(of, end)                                                                           \
    for (int i = 0; i < 3; i++)                                                                    \
        out[n + 3 * t + i] = 3 * t + i < end ? (int)of[i] : 0;                                     \
    n += 3 * X;                                                                                    \
    __syncthreads();                                                                               \
    QN_BEGIN
    QN_BEGIN
    if constexpr (which < 0 || which == 0) {
        Sort(storage.sort).Sort(k, Less());
        QN_NEXT(k, 3 * X)
    }
    if constexpr (which < 0 || which == 1) {
        Sort(storage.sort).StableSort(k, ByTens());
        QN_NEXT(k, 3 * X)
    }
    if constexpr (which < 0 || which == 2) {
        Pairs(storage.pairs).Sort(k, v, ByTens());
        QN_NEXT(v, 3 * X)
    }
    if constexpr (which < 0 || which == 3) {
        Sort(storage.sort).Sort(k, Less(), 2 * X - 1, 10000);
        QN_NEXT(k, 2 * X - 1)
    }
    if constexpr (which < 0 || which == 4) {
        Pairs(storage.pairs).StableSort(k, v, Less(), X + 1, 10000);
        QN_NEXT(v, X + 1)
    }
#undef QN_NEXT
#undef QN_BEGIN
}

template <int which> __global__ void shuffle(int *out, const int *in)
{
    typedef cub::BlockShuffle<int, 40> Shuffle;
    __shared__ Shuffle::TempStorage storage;
    const int t = threadIdx.x;
    int v[2] = {in[2 * t], in[2 * t + 1]}, w[2] = {-1, -2}, edge = -100, one = -3, n = 0;
#define QN_NEXT(value)                                                                             \
    out[n + t] = value;                                                                            \
    n += 40;                                                                                       \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Shuffle(storage).Offset(in[t], one, 3);
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 1) {
        one = -3;
        Shuffle(storage).Offset(in[t], one, -2);
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 2) {
        Shuffle(storage).Rotate(in[t], one, 5);
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 3) {
        Shuffle(storage).Up(v, w, edge);
        QN_NEXT(w[0])
        QN_NEXT(w[1])
        QN_NEXT(edge)
    }
    if constexpr (which < 0 || which == 4) {
        Shuffle(storage).Down(v, w, edge);
        QN_NEXT(w[0])
        QN_NEXT(t < 39 ? w[1] : 0)
        QN_NEXT(edge)
    }
    if constexpr (which < 0 || which == 5) {
        Shuffle(storage).Up(v, v);
        QN_NEXT(t ? v[0] * 2 + v[1] : v[1])
    }
#undef QN_NEXT
}

template <class T, cub::BlockHistogramAlgorithm algorithm>
__global__ void histogram(int *out, const int *in)
{
    typedef cub::BlockHistogram<T, 40, 2, 16, algorithm> Histogram;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned counts[16];
    const int t = threadIdx.x;
    T v[2] = {(T)(in[2 * t] & 15), (T)(in[2 * t + 1] * 7 & 15)};
    Histogram(storage).Histogram(v, counts);
    __syncthreads();
    if (t < 16)
        out[t] = (int)counts[t];
    __syncthreads();
    Histogram(storage).Composite(v, counts);
    __syncthreads();
    if (t < 16)
        out[16 + t] = (int)counts[t];
}

template <int which> __global__ void discontinuity(int *out, const int *in)
{
    typedef cub::BlockDiscontinuity<int, 20> Flags;
    __shared__ Flags::TempStorage storage;
    const int t = threadIdx.x;
    int v[2] = {in[2 * t] / 16, in[2 * t + 1] / 16}, h[2], e[2], before[2], n = 0;
#define QN_NEXT(of)                                                                                \
    out[n + 2 * t] = of[0];                                                                        \
    out[n + 2 * t + 1] = of[1];                                                                    \
    n += 40;                                                                                       \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Flags(storage).FlagHeads(h, v, Differs());
        QN_NEXT(h)
    }
    if constexpr (which < 0 || which == 1) {
        Flags(storage).FlagHeads(h, v, Differs(), v[0]);
        QN_NEXT(h)
    }
    if constexpr (which < 0 || which == 2) {
        Flags(storage).FlagHeads(h, v, before, DiffersEarly(), 77);
        QN_NEXT(h)
        QN_NEXT(before)
    }
    if constexpr (which < 0 || which == 3) {
        Flags(storage).FlagTails(h, v, Differs());
        QN_NEXT(h)
    }
    if constexpr (which < 0 || which == 4) {
        Flags(storage).FlagTails(h, v, DiffersEarly(), 77);
        QN_NEXT(h)
    }
    if constexpr (which < 0 || which == 5) {
        Flags(storage).FlagHeadsAndTails(h, e, v, Differs());
        QN_NEXT(h)
        QN_NEXT(e)
    }
    if constexpr (which < 0 || which == 6) {
        Flags(storage).FlagHeadsAndTails(h, 0, e, 0, v, Differs());
        QN_NEXT(h)
        QN_NEXT(e)
    }
    if constexpr (which < 0 || which == 7) {
        Flags(storage).FlagHeadsAndTails(h, e, 1, v, Differs());
        QN_NEXT(e)
    }
    if constexpr (which < 0 || which == 8) {
        Flags(storage).FlagHeadsAndTails(h, 1, e, v, Differs());
        QN_NEXT(h)
    }
#undef QN_NEXT
}

template <int which> __global__ void adjacent_difference(int *out, const int *in)
{
    typedef cub::BlockAdjacentDifference<int, 20> Difference;
    __shared__ Difference::TempStorage storage;
    const int t = threadIdx.x;
    int v[2] = {in[2 * t], in[2 * t + 1]}, w[2], n = 0;
#define QN_NEXT                                                                                    \
    out[n + 2 * t] = w[0];                                                                         \
    out[n + 2 * t + 1] = w[1];                                                                     \
    n += 40;                                                                                       \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Difference(storage).SubtractLeft(v, w, Minus());
        QN_NEXT
    }
    if constexpr (which < 0 || which == 1) {
        Difference(storage).SubtractLeft(v, w, Minus(), 500);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 2) {
        Difference(storage).SubtractLeftPartialTile(v, w, Minus(), 17);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 3) {
        Difference(storage).SubtractLeftPartialTile(v, w, Minus(), 17, 500);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 4) {
        Difference(storage).SubtractRight(v, w, Minus());
        QN_NEXT
    }
    if constexpr (which < 0 || which == 5) {
        Difference(storage).SubtractRight(v, w, Minus(), 500);
        QN_NEXT
    }
    if constexpr (which < 0 || which == 6) {
        Difference(storage).SubtractRightPartialTile(v, w, Minus(), 17);
        QN_NEXT
    }
#undef QN_NEXT
}

__global__ void run_lengths(int *out, const int *in)
{
    typedef cub::BlockRunLengthDecode<int, 8, 2, 3> Decode;
    __shared__ Decode::TempStorage storage;
    const int t = threadIdx.x;
    int values[2] = {in[2 * t], in[2 * t + 1]}, items[3];
    unsigned lengths[2] = {(unsigned)(t % 3 + 1), 2}, total = 0, places[3];
    Decode decode(storage, values, lengths, total);
    for (unsigned from = 0; from < 24; from += 12) {
        decode.RunLengthDecode(items, places, from);
        for (int i = 0; i < 3; i++) {
            out[from * 2 + 3 * t + i] = from + 3 * t + i < total ? items[i] : 0;
            out[64 + from * 2 + 3 * t + i] = from + 3 * t + i < total ? (int)places[i] : 0;
        }
    }
    out[128 + t] = (int)total;
}

// ---- warps: two of 32 threads, and smaller ones ----

template <int which, class T, int width> __global__ void warp_reduce(int *out, const int *in)
{
    typedef cub::WarpReduce<T, width> Reduce;
    __shared__ typename Reduce::TempStorage storage[64];
    const int t = threadIdx.x, own = t / width, lane = t % width;
    const bool head = t % 3 == 0 || !lane, tail = t % 5 == 2;
    int n = 0;
#define QN_NEXT(is_valid, value)                                                                   \
    {                                                                                              \
        const T result = value;                                                                    \
        out[n + t] = is_valid ? (int)result : 0;                                                   \
        n += 64;                                                                                   \
        __syncthreads();                                                                           \
    }
    if constexpr (which < 0 || which == 0) {
        QN_NEXT(!lane, Reduce(storage[own]).Sum((T)in[t]))
    }
    if constexpr (which < 0 || which == 1) {
        QN_NEXT(!lane, Reduce(storage[own]).Sum((T)in[t], width / 2 + 1))
    }
    if constexpr (which < 0 || which == 2) {
        QN_NEXT(!lane, Reduce(storage[own]).Reduce((T)in[t], Larger()))
    }
    if constexpr (which < 0 || which == 3) {
        QN_NEXT(!lane, Reduce(storage[own]).Reduce((T)in[t], Second(), width / 2 + 1))
    }
    if constexpr (which < 0 || which == 4) {
        QN_NEXT(head, Reduce(storage[own]).HeadSegmentedSum((T)in[t], t % 3 == 0))
    }
    if constexpr (which < 0 || which == 5) {
        QN_NEXT(!lane, Reduce(storage[own]).HeadSegmentedReduce((T)in[t], t % 3 == 0, Larger()))
    }
    if constexpr (which < 0 || which == 6) {
        QN_NEXT(!lane, Reduce(storage[own]).TailSegmentedSum((T)in[t], tail))
    }
    if constexpr (which < 0 || which == 7) {
        QN_NEXT(t % 5 == 3 || !lane,
                Reduce(storage[own]).TailSegmentedReduce((T)in[t], tail, Second()))
    }
#undef QN_NEXT
}

__global__ void warp_structs(int *out, const int *in)
{
    typedef cub::WarpReduce<Pair> Reduce;
    typedef cub::WarpScan<Pair> Scan;
    __shared__ Reduce::TempStorage reduce[2];
    __shared__ Scan::TempStorage scan[2];
    const int t = threadIdx.x;
    Pair own, after;
    own.a = in[t];
    own.b = (short)t;
    const Pair all = Reduce(reduce[t / 32]).Reduce(own, Second());
    Scan(scan[t / 32]).InclusiveScan(own, after, LargerPair());
    out[t] = t % 32 ? 0 : all.a + all.b;
    out[64 + t] = after.a * 100 + after.b;
}

template <int which, class T, int width> __global__ void warp_scan(int *out, const int *in)
{
    typedef cub::WarpScan<T, width> Scan;
    __shared__ typename Scan::TempStorage storage[64];
    const int t = threadIdx.x, own = t / width, lane = t % width;
    T one, other, all;
    int n = 0;
#define QN_NEXT(value)                                                                             \
    out[n + t] = (int)(value);                                                                     \
    n += 64;                                                                                       \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Scan(storage[own]).InclusiveSum((T)in[t], one);
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 1) {
        Scan(storage[own]).InclusiveSum((T)in[t], one, all);
        QN_NEXT(one + all)
    }
    if constexpr (which < 0 || which == 2) {
        Scan(storage[own]).ExclusiveSum((T)in[t], one);
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 3) {
        Scan(storage[own]).ExclusiveSum((T)in[t], one, all);
        QN_NEXT(one + all)
    }
    if constexpr (which < 0 || which == 4) {
        Scan(storage[own]).InclusiveScan((T)in[t], one, Larger());
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 5) {
        Scan(storage[own]).InclusiveScan((T)in[t], one, Larger(), all);
        QN_NEXT(one * 2 + all)
    }
    if constexpr (which < 0 || which == 6) {
        Scan(storage[own]).ExclusiveScan((T)in[t], one, Larger());
        QN_NEXT(lane ? one : 0)
    }
    if constexpr (which < 0 || which == 7) {
        Scan(storage[own]).ExclusiveScan((T)in[t], one, Larger(), all);
        QN_NEXT((lane ? one : 0) + all)
    }
    if constexpr (which < 0 || which == 8) {
        Scan(storage[own]).ExclusiveScan((T)in[t], one, (T)-3, Larger());
        QN_NEXT(one)
    }
    if constexpr (which < 0 || which == 9) {
        Scan(storage[own]).ExclusiveScan((T)in[t], one, (T)60, Larger(), all);
        QN_NEXT(one + all)
    }
    if constexpr (which < 0 || which == 10) {
        Scan(storage[own]).Scan((T)in[t], one, other, Larger());
        QN_NEXT(one * 3 + (lane ? other : 0))
    }
    if constexpr (which < 0 || which == 11) {
        Scan(storage[own]).Scan((T)in[t], one, other, (T)20, Larger());
        QN_NEXT(one * 3 + other)
    }
    if constexpr (which < 0 || which == 12) {
        QN_NEXT(Scan(storage[own]).Broadcast((T)in[t], width - 2))
    }
#undef QN_NEXT
}

template <int which, int width> __global__ void warp_moves(int *out, const int *in)
{
    typedef cub::WarpExchange<int, 2, width> Exchange;
    typedef cub::WarpLoad<int, 2, cub::WARP_LOAD_TRANSPOSE, width> Load;
    typedef cub::WarpLoad<int, 2, cub::WARP_LOAD_STRIPED, width> LoadStriped;
    typedef cub::WarpStore<int, 2, cub::WARP_STORE_TRANSPOSE, width> Store;
    typedef cub::WarpStore<int, 2, cub::WARP_STORE_STRIPED, width> StoreStriped;
    __shared__ union {
        typename Exchange::TempStorage exchange;
        typename Load::TempStorage load;
        typename LoadStriped::TempStorage load_striped;
        typename Store::TempStorage store;
        typename StoreStriped::TempStorage store_striped;
    } storage[64 / width];
    const int t = threadIdx.x, own = t / width, lane = t % width;
    int v[2] = {in[2 * t], in[2 * t + 1]}, w[2], n = 0;
#define QN_NEXT(of)                                                                                \
    out[n + 2 * t] = of[0];                                                                        \
    out[n + 2 * t + 1] = of[1];                                                                    \
    n += 128;                                                                                      \
    __syncthreads();
    if constexpr (which < 0 || which == 0) {
        Load(storage[own].load).Load(in + own * width * 2, v);
        QN_NEXT(v)
    }
    if constexpr (which < 0 || which == 1) {
        LoadStriped(storage[own].load_striped).Load(in + own * width * 2, w);
        QN_NEXT(w)
    }
    if constexpr (which < 0 || which == 2) {
        Load(storage[own].load).Load(in + own * width * 2, w, width + 1, -5);
        QN_NEXT(w)
    }
    if constexpr (which < 0 || which == 3) {
        Exchange(storage[own].exchange).BlockedToStriped(v, w);
        QN_NEXT(w)
    }
    if constexpr (which < 0 || which == 4) {
        Exchange(storage[own].exchange).StripedToBlocked(v, w);
        QN_NEXT(w)
    }
    if constexpr (which < 0 || which == 5) {
        int ranks[2] = {2 * width - 1 - 2 * lane, 2 * width - 2 - 2 * lane};
        Exchange(storage[own].exchange).ScatterToStriped(v, w, ranks);
        QN_NEXT(w)
    }
    if constexpr (which < 0 || which == 6) {
        Store(storage[own].store).Store(out + n + own * width * 2, v);
        StoreStriped(storage[own].store_striped).Store(out + n + 128 + own * width * 2, v);
        StoreStriped(storage[own].store_striped)
            .Store(out + n + 256 + own * width * 2, v, width + 1);
    }
#undef QN_NEXT
}

template <int width> __global__ void warp_sort(int *out, const int *in)
{
    typedef cub::WarpMergeSort<int, 2, width> Sort;
    typedef cub::WarpMergeSort<int, 2, width, short> Pairs;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Pairs::TempStorage pairs;
    } storage[64 / width];
    const int t = threadIdx.x, own = t / width;
    int k[2] = {in[2 * t], in[2 * t + 1]};
    short v[2] = {(short)(2 * t), (short)(2 * t + 1)};
    Sort(storage[own].sort).Sort(k, Less());
    out[2 * t] = k[0];
    out[2 * t + 1] = k[1];
    __syncthreads();
    k[0] = in[2 * t];
    k[1] = in[2 * t + 1];
    Pairs(storage[own].pairs).StableSort(k, v, ByTens());
    out[128 + 2 * t] = v[0];
    out[128 + 2 * t + 1] = v[1];
}
