// SPDX-License-Identifier: Apache-2.0
// Thrust's algorithms on the device, each against a loop on the host, for sizes around those of the
// blocks and tiles.
#include "check.h"

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>
#include <vector>

struct square {
    __host__ __device__ long long operator()(int x) const
    {
        return (long long)x * x;
    }
};
struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x & 1;
    }
};
struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a % 10 < b % 10;
    }
};
/* Associative and not commutative: places of affine maps x -> a x + b. */
struct affine {
    unsigned a, b;
};
struct compose {
    __host__ __device__ affine operator()(const affine &f, const affine &g) const
    {
        return affine{f.a * g.a, f.b * g.a + g.b};
    }
};
struct add_fields {
    template <class Tuple> __host__ __device__ void operator()(Tuple t) const
    {
        thrust::get<2>(t) = thrust::get<0>(t) + (int)thrust::get<1>(t);
    }
};
struct older {
    typedef thrust::tuple<int, int> pair;
    __host__ __device__ bool operator()(const pair &a, const pair &b) const
    {
        return thrust::get<1>(a) > thrust::get<1>(b);
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
template <class A, class B> static bool same(const A &device, const B &host)
{
    if (device.size() != host.size())
        return false;
    thrust::host_vector<typename A::value_type> h(device);
    for (size_t i = 0; i < host.size(); i++)
        if (!(h[i] == host[i]))
            return false;
    return true;
}

static void reductions(const std::vector<int> &h)
{
    const thrust::device_vector<int> d(h);
    EXPECT(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
    EXPECT(thrust::reduce(d.begin(), d.end(), -9, thrust::maximum<int>()) ==
           std::accumulate(h.begin(), h.end(), -9, [](int a, int b) { return std::max(a, b); }));
    long long squares = 5;
    for (const int x : h)
        squares += (long long)x * x;
    EXPECT(thrust::transform_reduce(d.begin(), d.end(), square(), 5ll, thrust::plus<long long>()) ==
           squares);
    EXPECT(thrust::inner_product(d.begin(), d.end(), d.begin(), 5ll) ==
           std::inner_product(h.begin(), h.end(), h.begin(), 5ll));
    EXPECT(thrust::count_if(d.begin(), d.end(), is_odd()) ==
           std::count_if(h.begin(), h.end(), is_odd()));
    EXPECT(thrust::count(d.begin(), d.end(), 3) == std::count(h.begin(), h.end(), 3));
    EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() ==
           std::min_element(h.begin(), h.end()) - h.begin());
    EXPECT(thrust::max_element(d.begin(), d.end()) - d.begin() ==
           std::max_element(h.begin(), h.end()) - h.begin());
    EXPECT(thrust::find(d.begin(), d.end(), 7) - d.begin() ==
           std::find(h.begin(), h.end(), 7) - h.begin());
    EXPECT(thrust::is_sorted(d.begin(), d.end()) == std::is_sorted(h.begin(), h.end()));
    EXPECT(thrust::equal(d.begin(), d.end(), d.begin()));
}

static void scans(const std::vector<int> &h)
{
    const size_t n = h.size();
    thrust::device_vector<int> d(h), out(n);
    std::vector<int> expected(n);
    std::partial_sum(h.begin(), h.end(), expected.begin());
    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    EXPECT(same(out, expected));
    int sum = 4;
    for (size_t i = 0; i < n; i++) {
        expected[i] = sum;
        sum += h[i];
    }
    thrust::exclusive_scan(d.begin(), d.end(), d.begin(), 4); /* in place */
    EXPECT(same(d, expected));
    d = h;
    std::vector<affine> maps(n), joined(n);
    for (size_t i = 0; i < n; i++)
        joined[i] = maps[i] = affine{(unsigned)h[i] * 2 + 1, (unsigned)i};
    for (size_t i = 1; i < n; i++)
        joined[i] = compose()(joined[i - 1], maps[i]);
    thrust::device_vector<affine> d_maps(maps);
    thrust::inclusive_scan(thrust::device, d_maps.begin(), d_maps.end(), d_maps.begin(), compose());
    thrust::host_vector<affine> h_maps(d_maps);
    bool equal = true;
    for (size_t i = 0; i < n; i++)
        equal &= h_maps[i].a == joined[i].a && h_maps[i].b == joined[i].b;
    EXPECT(equal);
    std::vector<int> keys(n), by_key(n), before(n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = (int)(i / 37);
        const bool begins = i == 0 || keys[i] != keys[i - 1];
        by_key[i] = h[i] + (begins ? 0 : by_key[i - 1]);
        before[i] = begins ? 2 : before[i - 1] + h[i - 1];
    }
    const thrust::device_vector<int> d_keys(keys);
    thrust::inclusive_scan_by_key(d_keys.begin(), d_keys.end(), d.begin(), out.begin());
    EXPECT(same(out, by_key));
    thrust::exclusive_scan_by_key(d_keys.begin(), d_keys.end(), d.begin(), out.begin(), 2);
    EXPECT(same(out, before));
}

static void selections(const std::vector<int> &h)
{
    const size_t n = h.size();
    const thrust::device_vector<int> d(h);
    thrust::device_vector<int> out(n);
    std::vector<int> expected(n);
    expected.resize(std::copy_if(h.begin(), h.end(), expected.begin(), is_odd()) -
                    expected.begin());
    out.resize(thrust::copy_if(d.begin(), d.end(), out.begin(), is_odd()) - out.begin());
    EXPECT(same(out, expected));
    out = d;
    expected = h;
    expected.erase(std::remove_if(expected.begin(), expected.end(), is_odd()), expected.end());
    out.erase(thrust::remove_if(out.begin(), out.end(), is_odd()), out.end());
    EXPECT(same(out, expected));
    out = d;
    expected = h;
    std::stable_partition(expected.begin(), expected.end(), is_odd());
    EXPECT(thrust::stable_partition(out.begin(), out.end(), is_odd()) - out.begin() ==
           std::count_if(h.begin(), h.end(), is_odd()));
    EXPECT(same(out, expected));
    std::vector<int> sorted(h);
    std::sort(sorted.begin(), sorted.end());
    expected = sorted;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    out = sorted;
    out.erase(thrust::unique(out.begin(), out.end()), out.end());
    EXPECT(same(out, expected));
    const thrust::device_vector<int> keys(sorted);
    thrust::device_vector<int> runs(n), counts(n), firsts(n);
    const auto ends = thrust::reduce_by_key(
        keys.begin(), keys.end(), thrust::constant_iterator<int>(1), runs.begin(), counts.begin());
    runs.resize(ends.first - runs.begin());
    counts.resize(ends.second - counts.begin());
    EXPECT(same(runs, expected));
    std::vector<int> expected_counts, expected_firsts;
    for (const int v : expected) {
        expected_counts.push_back((int)std::count(sorted.begin(), sorted.end(), v));
        expected_firsts.push_back(
            (int)(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin()));
    }
    EXPECT(same(counts, expected_counts));
    out = sorted;
    thrust::sequence(firsts.begin(), firsts.end());
    firsts.resize(thrust::unique_by_key(out.begin(), out.end(), firsts.begin()).second -
                  firsts.begin());
    EXPECT(same(firsts, expected_firsts));
}

static void sorts(const std::vector<int> &h)
{
    const size_t n = h.size();
    thrust::device_vector<int> d(h), places(n);
    std::vector<int> sorted(h), order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] < h[b]; });
    std::sort(sorted.begin(), sorted.end());
    thrust::sequence(thrust::device, places.begin(), places.end());
    thrust::stable_sort_by_key(d.begin(), d.end(), places.begin());
    EXPECT(same(d, sorted));
    EXPECT(same(places, order));
    thrust::device_vector<int> at(n);
    std::vector<int> expected(n);
    for (size_t i = 0; i < n; i++)
        expected[i] = (int)(std::upper_bound(sorted.begin(), sorted.end(), h[i]) - sorted.begin());
    const thrust::device_vector<int> values(h);
    thrust::upper_bound(d.begin(), d.end(), values.begin(), values.end(), at.begin());
    EXPECT(same(at, expected));
    EXPECT(thrust::lower_bound(d.begin(), d.end(), 5) - d.begin() ==
           std::lower_bound(sorted.begin(), sorted.end(), 5) - sorted.begin());
    EXPECT(thrust::binary_search(d.begin(), d.end(), 5) ==
           std::binary_search(sorted.begin(), sorted.end(), 5));
    thrust::device_vector<int> joined(2 * n);
    std::vector<int> other(sorted);
    for (int &x : other)
        x += 3;
    const thrust::device_vector<int> d_other(other);
    expected.resize(2 * n);
    std::merge(sorted.begin(), sorted.end(), other.begin(), other.end(), expected.begin());
    thrust::merge(d.begin(), d.end(), d_other.begin(), d_other.end(), joined.begin());
    EXPECT(same(joined, expected));
    std::vector<int> digits(h);
    for (int &x : digits)
        x &= 0xffff;
    d = digits;
    std::stable_sort(digits.begin(), digits.end(), by_last_digit());
    thrust::stable_sort(thrust::cuda::par.on((cudaStream_t)0), d.begin(), d.end(), by_last_digit());
    EXPECT(same(d, digits));
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    std::sort(digits.begin(), digits.end(), std::greater<int>());
    EXPECT(same(d, digits));
}

static void iterators(const std::vector<int> &h)
{
    const size_t n = h.size();
    thrust::device_vector<int> a(h), c(n);
    thrust::device_vector<float> b(n, 2.5f);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())),
                     add_fields());
    std::vector<int> expected(h);
    for (int &x : expected)
        x += 2;
    EXPECT(same(c, expected));
    EXPECT(thrust::reduce(
               thrust::make_transform_iterator(thrust::counting_iterator<int>(0), square()),
               thrust::make_transform_iterator(thrust::counting_iterator<int>(100), square())) ==
           328350);
    thrust::reverse(c.begin(), c.end());
    std::reverse(expected.begin(), expected.end());
    EXPECT(same(c, expected));
    thrust::device_vector<int> map(n), out(n);
    thrust::sequence(map.begin(), map.end(), (int)n - 1, -1);
    thrust::gather(map.begin(), map.end(), a.begin(), out.begin());
    std::vector<int> back(h.rbegin(), h.rend());
    EXPECT(same(out, back));
    thrust::scatter(out.begin(), out.end(), map.begin(), c.begin());
    EXPECT(same(c, h));
    thrust::copy(thrust::make_permutation_iterator(a.begin(), map.begin()),
                 thrust::make_permutation_iterator(a.begin(), map.end()), out.begin());
    EXPECT(same(out, back));
    /* pairs, sorted by the second; the others keep their order */
    thrust::device_vector<int> ids(n);
    thrust::sequence(ids.begin(), ids.end());
    const auto pairs = thrust::make_zip_iterator(ids.begin(), a.begin());
    thrust::stable_sort(pairs, pairs + n, older());
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return h[x] > h[y]; });
    EXPECT(same(ids, order));
    thrust::transform(a.begin(), a.end(), ids.begin(), out.begin(), thrust::minus<int>());
    const int bias = 11;
    thrust::transform(out.begin(), out.end(), out.begin(),
                      [bias] __device__(int x) { return x + bias; });
    thrust::transform(out.begin(), out.end(), ids.begin(), out.begin(), thrust::plus<int>());
    std::sort(expected.begin(), expected.end(), std::greater<int>());
    for (size_t i = 0; i < n; i++)
        expected[i] += 9;
    EXPECT(same(out, expected));
    thrust::replace(out.begin(), out.end(), expected[0], -1);
    EXPECT((int)out[0] == -1);
}

/* What a vector does. */
static void vectors()
{
    thrust::device_vector<int> v;
    for (int i = 0; i < 10; i++)
        v.push_back(i * i);
    EXPECT(v.size() == 10 && v[9] == 81 && v.back() == 81 && v.front() == 0);
    v[3] = 7;
    v[3] += 1;
    v.insert(v.begin() + 2, 100);
    v.erase(v.begin());
    const std::vector<int> expected{1, 100, 4, 8, 16, 25, 36, 49, 64, 81};
    EXPECT(same(v, expected));
    v.resize(12);
    EXPECT(v.size() == 12 && v[11] == 0 && v[9] == 81);
    thrust::host_vector<int> h = v;
    std::vector<long long> wide(12);
    thrust::copy(v.begin(), v.end(), wide.begin()); /* down, into another type */
    EXPECT(wide[1] == 100 && h[1] == 100);
    int *const raw = thrust::raw_pointer_cast(v.data());
    EXPECT(thrust::reduce(thrust::device, raw, raw + 12) ==
           1 + 100 + 4 + 8 + 16 + 25 + 36 + 49 + 64 + 81);
    EXPECT(thrust::device_pointer_cast(raw)[1] == 100);
    thrust::device_vector<int> copy(v), moved(std::move(v));
    EXPECT(copy == moved && v.empty());
    thrust::fill(copy.begin(), copy.end(), 6);
    EXPECT(copy != moved && thrust::reduce(copy.begin(), copy.end()) == 72);
    thrust::sort(h.begin(), h.end()); /* on the host */
    EXPECT(h[0] == 0 && h[11] == 100);
}

__global__ void sort_in_a_thread(int *p, int n)
{
    thrust::sort(thrust::seq, p, p + n, thrust::greater<int>());
}

int main()
{
    vectors();
    const size_t sizes[] = {1, 2, 255, 257, 2048, 2049, 5000, 600001};
    for (const size_t n : sizes) {
        const std::vector<int> h = numbers(n, (unsigned)n, n < 100 ? 10 : 200);
        reductions(h);
        scans(h);
        selections(h);
        sorts(h);
        iterators(h);
    }
    const thrust::device_vector<int> none;
    EXPECT(thrust::reduce(none.begin(), none.end(), 3) == 3);
    thrust::device_vector<int> few{3, 9, 1};
    sort_in_a_thread<<<1, 1>>>(thrust::raw_pointer_cast(few.data()), 3);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(few[0] == 9 && few[2] == 1);
    FINISH();
}
