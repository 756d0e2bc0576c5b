// SPDX-License-Identifier: Apache-2.0
// CUB's operations of a whole device, each against a loop on the host, beside a kernel that uses
// one of a block.
#include "check.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

template <class T> class on_device
{
    T *p = nullptr;
    size_t n;

  public:
    explicit on_device(size_t count) : n(count)
    {
        GOOD(cudaMalloc(&p, (n + 1) * sizeof(T)));
    }
    on_device(const std::vector<T> &v) : on_device(v.size())
    {
        GOOD(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    on_device(const on_device &) = delete;
    ~on_device()
    {
        cudaFree(p);
    }
    operator T *()
    {
        return p;
    }
    std::vector<T> read(size_t count) const
    {
        std::vector<T> v(count);
        GOOD(cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    std::vector<T> read() const
    {
        return read(n);
    }
    T first() const
    {
        return read(1)[0];
    }
};

/* Both of a call's forms: how much memory, then the work. */
template <class Call> static void run(Call call)
{
    size_t bytes = 0;
    GOOD(call(nullptr, bytes));
    EXPECT(bytes > 0);
    on_device<char> temp(bytes);
    GOOD(call((char *)temp, bytes));
    size_t few = 0;
    EXPECT(bytes <= 256 || call((char *)temp, few) == cudaErrorInvalidValue);
}
#define RUN(function, ...)                                                                         \
    run([&](void *temp, size_t &bytes) { return cub::function(temp, bytes, __VA_ARGS__); })

struct at_least {
    int least;
    __host__ __device__ bool operator()(int x) const
    {
        return x >= least;
    }
};
struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x & 1;
    }
};
struct product {
    template <class A> __host__ __device__ A operator()(const A &a, const A &b) const
    {
        return a * b;
    }
};

static std::vector<int> numbers(size_t n, unsigned seed, int below)
{
    std::vector<int> v(n);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = (int)((seed >> 8) % (unsigned)below) - below / 3;
    }
    return v;
}

static void reductions(const std::vector<int> &h)
{
    const int n = (int)h.size();
    on_device<int> d(h), out(1);
    RUN(DeviceReduce::Sum, (int *)d, (int *)out, n);
    EXPECT(out.first() == std::accumulate(h.begin(), h.end(), 0));
    RUN(DeviceReduce::Min, (int *)d, (int *)out, n);
    EXPECT(out.first() == *std::min_element(h.begin(), h.end()));
    RUN(DeviceReduce::Max, (int *)d, (int *)out, n);
    EXPECT(out.first() == *std::max_element(h.begin(), h.end()));
    on_device<cub::KeyValuePair<int, int>> place(1);
    RUN(DeviceReduce::ArgMin, (int *)d, (cub::KeyValuePair<int, int> *)place, n);
    EXPECT(place.first().key == std::min_element(h.begin(), h.end()) - h.begin());
    RUN(DeviceReduce::ArgMax, (int *)d, (cub::KeyValuePair<int, int> *)place, n);
    EXPECT(place.first().key == std::max_element(h.begin(), h.end()) - h.begin());
    unsigned factors = 3;
    for (const int x : h)
        factors *= (unsigned)x | 1;
    const auto odd = [] __host__ __device__(int x) { return (unsigned)x | 1; };
    cub::TransformInputIterator<unsigned, decltype(odd), int *> it(d, odd);
    RUN(DeviceReduce::Reduce, it, (unsigned *)(int *)out, n, product(), 3u);
    EXPECT((unsigned)out.first() == factors);
    /* segments of different lengths, one of them empty */
    std::vector<int> ends{0, 0, n / 3, n / 2, n};
    on_device<int> offsets(ends), sums(4);
    RUN(DeviceSegmentedReduce::Sum, (int *)d, (int *)sums, 4, (int *)offsets, (int *)offsets + 1);
    for (int s = 0; s < 4; s++)
        EXPECT(sums.read()[s] == std::accumulate(h.begin() + ends[s], h.begin() + ends[s + 1], 0));
}

static void scans(const std::vector<int> &h)
{
    const int n = (int)h.size();
    on_device<int> d(h), out((size_t)n);
    std::vector<int> expected(n);
    std::partial_sum(h.begin(), h.end(), expected.begin());
    RUN(DeviceScan::InclusiveSum, (int *)d, (int *)out, n);
    EXPECT(out.read() == expected);
    int most = -5;
    for (int i = 0; i < n; i++) {
        expected[i] = most;
        most = std::max(most, h[i]);
    }
    RUN(DeviceScan::ExclusiveScan, (int *)d, (int *)out, cub::Max(), -5, n);
    EXPECT(out.read() == expected);
    std::vector<int> keys(n);
    for (int i = 0; i < n; i++) {
        keys[i] = i / 100;
        expected[i] = i % 100 ? expected[i - 1] + h[i - 1] : 0;
    }
    on_device<int> d_keys(keys);
    RUN(DeviceScan::ExclusiveSumByKey, (int *)d_keys, (int *)d, (int *)out, n);
    EXPECT(out.read() == expected);
}

static void selections(const std::vector<int> &h)
{
    const int n = (int)h.size();
    on_device<int> d(h), out((size_t)n), count(1);
    std::vector<int> expected;
    std::copy_if(h.begin(), h.end(), std::back_inserter(expected), at_least{10});
    RUN(DeviceSelect::If, (int *)d, (int *)out, (int *)count, n, at_least{10});
    EXPECT(count.first() == (int)expected.size() && out.read(expected.size()) == expected);
    std::vector<char> flags(n);
    expected.clear();
    for (int i = 0; i < n; i++)
        if ((flags[i] = i % 7 == 3))
            expected.push_back(i);
    on_device<char> d_flags(flags);
    cub::CountingInputIterator<int> places(0);
    RUN(DeviceSelect::Flagged, places, (char *)d_flags, (int *)out, (int *)count, n);
    EXPECT(count.first() == (int)expected.size() && out.read(expected.size()) == expected);
    /* the others from the end on, the last first */
    expected = h;
    std::stable_partition(expected.begin(), expected.end(), is_odd());
    const int n_odd = (int)std::count_if(h.begin(), h.end(), is_odd());
    std::reverse(expected.begin() + n_odd, expected.end());
    RUN(DevicePartition::If, (int *)d, (int *)out, (int *)count, n, is_odd());
    EXPECT(count.first() == n_odd && out.read() == expected);
    std::vector<int> sorted(h);
    std::sort(sorted.begin(), sorted.end());
    on_device<int> d_sorted(sorted), lengths((size_t)n), sums((size_t)n);
    expected = sorted;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    RUN(DeviceRunLengthEncode::Encode, (int *)d_sorted, (int *)out, (int *)lengths, (int *)count,
        n);
    EXPECT(count.first() == (int)expected.size() && out.read(expected.size()) == expected);
    for (size_t i = 0; i < expected.size(); i++)
        EXPECT(lengths.read()[i] == std::count(sorted.begin(), sorted.end(), expected[i]));
    RUN(DeviceReduce::ReduceByKey, (int *)d_sorted, (int *)out, (int *)d_sorted, (int *)sums,
        (int *)count, cub::Sum(), n);
    for (size_t i = 0; i < expected.size(); i++)
        EXPECT(sums.read()[i] == expected[i] * lengths.read()[i]);
}

static void sorts(const std::vector<int> &h)
{
    const int n = (int)h.size();
    std::vector<int> order(n), expected(h);
    std::iota(order.begin(), order.end(), 0);
    on_device<int> d(h), out((size_t)n), ids(order), ids_out((size_t)n);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] > h[b]; });
    std::sort(expected.begin(), expected.end());
    RUN(DeviceRadixSort::SortKeys, (int *)d, (int *)out, n);
    EXPECT(out.read() == expected);
    RUN(DeviceRadixSort::SortPairsDescending, (int *)d, (int *)out, (int *)ids, (int *)ids_out, n);
    EXPECT(ids_out.read() == order);
    /* by four bits in the middle: the others have no say */
    std::vector<unsigned> bits(n), by_bits;
    for (int i = 0; i < n; i++)
        bits[i] = (unsigned)h[i] * 2654435761u;
    by_bits = bits;
    std::stable_sort(by_bits.begin(), by_bits.end(),
                     [](unsigned a, unsigned b) { return (a >> 8 & 15) < (b >> 8 & 15); });
    on_device<unsigned> d_bits(bits), spare((size_t)n);
    cub::DoubleBuffer<unsigned> both(d_bits, spare);
    RUN(DeviceRadixSort::SortKeys, both, n, 8, 12);
    std::vector<unsigned> result(n);
    GOOD(cudaMemcpy(result.data(), both.Current(), n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    EXPECT(result == by_bits);
    std::vector<float> floats{3, -0.0f, 0.0f, -INFINITY, 1e-40f, -2, INFINITY, -1e-40f};
    on_device<float> f(floats), f_out(floats.size());
    on_device<int> at(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), at_out(8);
    RUN(DeviceRadixSort::SortPairs, (float *)f, (float *)f_out, (int *)at, (int *)at_out, 8);
    EXPECT((at_out.read() == std::vector<int>{3, 5, 7, 1, 2, 4, 0, 6}));
    on_device<int> again(h);
    std::sort(expected.begin(), expected.end(), std::greater<int>());
    RUN(DeviceMergeSort::SortKeys, (int *)again, n, [] __device__(int a, int b) { return a > b; });
    EXPECT(again.read() == expected);
}

static void histograms(const std::vector<int> &h)
{
    const int n = (int)h.size();
    on_device<int> d(h), bins(8);
    std::vector<int> expected(8);
    for (const int x : h)
        if (x >= -20 && x < 60)
            expected[(x + 20) / 10]++;
    RUN(DeviceHistogram::HistogramEven, (int *)d, (int *)bins, 9, -20, 60, n);
    EXPECT(bins.read() == expected);
    const std::vector<int> levels{-30, -5, 0, 1, 40};
    on_device<int> d_levels(levels);
    expected.assign(4, 0);
    for (const int x : h)
        for (int b = 0; b < 4; b++)
            expected[b] += x >= levels[b] && x < levels[b + 1];
    RUN(DeviceHistogram::HistogramRange, (int *)d, (int *)bins, 5, (int *)d_levels, n);
    EXPECT(bins.read(4) == expected);
}

__global__ void sum_of_a_block(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    const int sum = Reduce(temp).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        *out = sum;
}

int main()
{
    const size_t sizes[] = {1, 256, 2049, 5000};
    for (const size_t n : sizes) {
        const std::vector<int> h = numbers(n, (unsigned)n, n < 100 ? 10 : 200);
        reductions(h);
        scans(h);
        selections(h);
        sorts(h);
        histograms(h);
    }
    const std::vector<int> h = numbers(128, 1, 50);
    on_device<int> d(h), out(1);
    sum_of_a_block<<<1, 128>>>(d, out);
    EXPECT(out.first() == std::accumulate(h.begin(), h.end(), 0));
    FINISH();
}
