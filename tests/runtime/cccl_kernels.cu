// SPDX-License-Identifier: Apache-2.0
//
// What a block of 128 threads does with CUB, Thrust and libcu++, four numbers a thread; check_cccl.c
// has the results.
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <thrust/complex.h>
#include <thrust/functional.h>

enum { THREADS = 128, ITEMS = 4 };

template <class T, cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(T *out, const T *in, int n)
{
    using Reduce = cub::BlockReduce<T, THREADS, algorithm>;
    __shared__ typename Reduce::TempStorage storage;
    const T all = Reduce(storage).Sum(in[threadIdx.x]);
    __syncthreads();
    const T some = Reduce(storage).Sum(in[threadIdx.x], n);
    __syncthreads();
    T four[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        four[i] = in[threadIdx.x * ITEMS + i];
    const T most = Reduce(storage).Reduce(four, [](T a, T b) { return a > b ? a : b; });
    if (threadIdx.x == 0) {
        out[0] = all;
        out[1] = some;
        out[2] = most;
    }
}

template <class T, cub::BlockScanAlgorithm algorithm> __global__ void scan(T *out, const T *in, int n)
{
    using Scan = cub::BlockScan<T, THREADS, algorithm>;
    __shared__ typename Scan::TempStorage storage;
    T four[ITEMS], total;
    for (int i = 0; i < ITEMS; i++)
        four[i] = in[threadIdx.x * ITEMS + i];
    Scan(storage).ExclusiveSum(four, four, total);
    __syncthreads();
    T most;
    Scan(storage).InclusiveScan(in[threadIdx.x], most, [](T a, T b) { return a > b ? a : b; });
    for (int i = 0; i < ITEMS; i++)
        out[threadIdx.x * ITEMS + i] = four[i] + (i == 3 ? most : total);
}

template <int width> __global__ void warp(int *out, const int *in, int n)
{
    using Reduce = cub::WarpReduce<int, width>;
    using Scan = cub::WarpScan<int, width>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage[THREADS / width];
    const int t = threadIdx.x, own = t / width;
    int sum = Reduce(storage[own].reduce).Sum(in[t]), up_to, before;
    if (t % width)
        sum = 0; /* the first lane's alone is defined */
    __syncwarp();
    const int partial = Reduce(storage[own].reduce).Sum(in[t], width / 2 + 1);
    __syncwarp();
    Scan(storage[own].scan).InclusiveSum(in[t], up_to);
    __syncwarp();
    Scan(storage[own].scan).ExclusiveScan(in[t], before, 5, [](int a, int b) { return a > b ? a : b; });
    out[t] = sum + up_to * 3 + before * 7 + (t % width ? 0 : partial * 11);
}

template <class T> __global__ void sort(T *out, const T *in, int n)
{
    using Sort = cub::BlockRadixSort<T, THREADS, ITEMS, int>;
    __shared__ typename Sort::TempStorage storage;
    T keys[ITEMS];
    int values[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        values[i] = threadIdx.x * ITEMS + i;
        keys[i] = in[values[i]];
    }
    Sort(storage).Sort(keys, values);
    for (int i = 0; i < ITEMS; i++)
        out[threadIdx.x * ITEMS + i] = in[values[i]] == keys[i] ? keys[i] : T(-1);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        keys[i] = in[threadIdx.x * ITEMS + i];
    Sort(storage).SortDescendingBlockedToStriped(keys, values);
    for (int i = 0; i < ITEMS; i++)
        out[512 + threadIdx.x + i * THREADS] = keys[i];
}

template <cub::BlockLoadAlgorithm how_to_load, cub::BlockStoreAlgorithm how_to_store>
__global__ void move(int *out, const int *in, int n)
{
    using Load = cub::BlockLoad<int, THREADS, ITEMS, how_to_load>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, how_to_store>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int four[ITEMS];
    Load(storage.load).Load(in, four, n, -7);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        four[i] = four[i] * 2 + (int)threadIdx.x * ITEMS + i;
    Store(storage.store).Store(out, four);
}

__global__ void others(int *out, const int *in, int n)
{
    using Histogram = cub::BlockHistogram<unsigned char, THREADS, 1, 16, cub::BLOCK_HISTO_ATOMIC>;
    using Heads = cub::BlockDiscontinuity<int, THREADS>;
    __shared__ typename Histogram::TempStorage histogram;
    __shared__ typename Heads::TempStorage heads;
    __shared__ unsigned counts[16];
    unsigned char bins[1] = {(unsigned char)(in[threadIdx.x] & 15)};
    Histogram(histogram).Histogram(bins, counts);
    int value[1] = {in[threadIdx.x] & 15}, flags[1];
    Heads(heads).FlagHeads(flags, value, cuda::std::not_equal_to<int>());
    __syncthreads();
    out[threadIdx.x] = (int)counts[threadIdx.x & 15] + flags[0] * 1000;
}

__device__ cuda::std::optional<int> above(int a, int limit)
{
    return a > limit ? cuda::std::optional<int>(a) : cuda::std::nullopt;
}

__global__ void standard(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    const cuda::std::array<int, 4> table = {in[t], 2, 3, cuda::std::numeric_limits<int>::max()};
    const auto both = cuda::std::make_tuple(table[t & 3], 2.5f);
    const unsigned bits = (unsigned)in[t];
    int sum = above(in[t], 3).value_or(70) ^ cuda::std::get<0>(both);
    sum ^= cuda::std::popcount(bits) + cuda::std::countl_zero(bits) * 64;
    sum ^= (int)cuda::std::rotl(bits, t) ^ cuda::std::bit_cast<int>(cuda::std::get<1>(both));
    cuda::atomic_ref<int, cuda::thread_scope_device> count(out[t]);
    out[t] = sum;
    count.fetch_add(t, cuda::std::memory_order_relaxed);
    int seen = count.load();
    while (!count.compare_exchange_weak(seen, seen ^ 0x5a5a)) {
    }
    count.fetch_max(-5, cuda::std::memory_order_acq_rel);
}

__global__ void numbers(float *out, const float *in, int n)
{
    const int t = threadIdx.x;
    const thrust::complex<float> a(in[t], in[t + 1]), b = a * a + thrust::complex<float>(1, 2);
    out[t] = thrust::plus<float>()(b.real(), thrust::maximum<float>()(b.imag(), 2));
}
