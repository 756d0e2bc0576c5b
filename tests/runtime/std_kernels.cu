// SPDX-License-Identifier: Apache-2.0
//
// What a block of 64 threads does with libcu++, the standard library and Thrust's types; check_std.c
// has the results. With WITH_TOOLKIT each kernel also uses what Quern's headers lack, so that a CUDA
// toolkit's are read in their place.
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/latch>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/semaphore>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <cooperative_groups.h>
#ifndef __CUDACC_RTC__
#include <algorithm>
#include <numeric>
#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/swap.h>
#include <thrust/tuple.h>
#endif

namespace cg = cooperative_groups;
namespace cs = cuda::std;

#ifdef WITH_TOOLKIT
#include <cuda/std/mdspan>
#define USE_TOOLKIT static_assert(cs::extents<int, 3>::rank() == 1)
#else
#define USE_TOOLKIT
#endif

/* ---- waiting ---- */

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <class T> __global__ void barrier_of_a_block(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ block_barrier b;
    __shared__ int s[64];
    const int i = threadIdx.x;
    static_assert(sizeof b == 8);
    if (i == 0)
        init(&b, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        cuda::memcpy_async(&s[i], &in[(i + k) % 64], sizeof(int), b);
        b.arrive_and_wait();
        sum = sum * 10 + s[63 - i];
        block_barrier::arrival_token t = b.arrive();
        sum += k;
        b.wait(cs::move(t));
    }
    out[i] = sum;
}

/* Half of the threads fill a buffer and go on, the other half wait for it and give it back. */
template <class T> __global__ void barriers_of_producers_and_consumers(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ block_barrier full, empty;
    __shared__ int s[32];
    const int i = threadIdx.x;
    if (i == 0) {
        new (&full) block_barrier(64);
        new (&empty) block_barrier(64);
    }
    __syncthreads();
    if (i >= 32)
        (void)empty.arrive();
    for (int k = 0; k < 2; k++) {
        if (i < 32) {
            empty.arrive_and_wait();
            s[i] = in[32 * k + i];
            (void)full.arrive();
        } else {
            full.arrive_and_wait();
            out[32 * k + i - 32] = s[63 - i];
            (void)empty.arrive();
        }
    }
}

struct count_phases {
    int *phases;
    __host__ __device__ void operator()() noexcept
    {
        ++*phases;
    }
};

template <class T> __global__ void barrier_that_threads_drop_out_of(T *out, const T *in)
{
    USE_TOOLKIT;
    using counted = cs::barrier<count_phases>;
    __shared__ alignas(counted) char room[sizeof(counted)];
    __shared__ int phases;
    counted *const b = reinterpret_cast<counted *>(room);
    const int i = threadIdx.x;
    if (i == 0) {
        phases = 0;
        new (b) counted(64, count_phases{&phases});
    }
    __syncthreads();
    bool dropped = false;
    for (int k = 0; k < 4; k++) {
        if (dropped)
            continue;
        dropped = k == i / 16;
        if (dropped) {
            out[i] = phases * 10 + k;
            b->arrive_and_drop();
        } else {
            b->arrive_and_wait();
        }
    }
    __syncthreads();
    out[i] += phases * 100 + in[0];
}

template <class T> __global__ void barrier_waited_for_by_parity(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ block_barrier b;
    __shared__ int s[64];
    const int i = threadIdx.x;
    if (i == 0)
        init(&b, 64);
    __syncthreads();
    int sum = 0;
    b.wait_parity(true); /* the phase before the first */
    for (int k = 0; k < 4; k++) {
        s[i] = in[i] + k;
        (void)b.arrive();
        b.wait_parity(k % 2 != 0);
        sum += s[(i + k) % 64];
        __syncthreads();
    }
    out[i] = sum;
}

template <class T> __global__ void latches(T *out, const T *in)
{
    USE_TOOLKIT;
    using latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(latch) char room[sizeof(latch)], room_of_all[sizeof(cs::latch)];
    latch &filled = *reinterpret_cast<latch *>(room);
    cs::latch &all = *reinterpret_cast<cs::latch *>(room_of_all);
    __shared__ int s[64];
    const int i = threadIdx.x;
    if (i == 0) {
        new (&filled) latch(32);
        new (&all) cs::latch(64);
    }
    __syncthreads();
    if (i < 32) {
        s[i] = in[i];
        filled.count_down();
    } else {
        filled.wait();
        s[i] = s[63 - i] + 1;
    }
    all.arrive_and_wait();
    out[i] = s[63 - i] + 1000 * all.try_wait();
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
__device__ int guarded[2];

/* What the lanes of a warp contend for must be given back where the loop that asks for it still
 * runs: behind such a loop NVIDIA's compiler lets the lanes of a warp meet (BSYNC), and the one that
 * holds the lock waits for those that ask for it. So acquire() is for one lane of each warp. */
template <class T> __global__ void semaphores(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ cs::counting_semaphore<8> places;
    __shared__ int taken;
    const int i = threadIdx.x;
    if (i == 0) {
        new (&places) cs::counting_semaphore<8>(5);
        taken = 0;
    }
    for (bool done = false; !done;)
        if (lock.try_acquire()) {
            const int v = *(volatile int *)&guarded[0];
            *(volatile int *)&guarded[0] = v + in[i];
            lock.release();
            done = true;
        }
    if (i % 32 == 0) {
        lock.acquire();
        int v = *(volatile int *)&guarded[1];
        for (int k = 0; k < 32; k++)
            v += in[i + k];
        *(volatile int *)&guarded[1] = v;
        lock.release();
    }
    __syncthreads();
    if (places.try_acquire())
        atomicAdd(&taken, 1);
    __syncthreads();
    if (i == 0)
        places.release(3);
    __syncthreads();
    if (i < 3)
        places.acquire();
    __syncthreads();
    out[i] = taken + 100 * places.try_acquire();
    __syncthreads();
    if (i == 0) {
        const int sum = *(volatile int *)&guarded[0];
        out[63] = sum == *(volatile int *)&guarded[1] ? sum : -sum - 1;
        guarded[0] = guarded[1] = 0;
    }
}

/* What waits for an arrival further down: only where threads run independently of each other. */
template <class T> __global__ void barrier_of_two_branches(T *out, const T *in)
{
    __shared__ block_barrier b;
    const int i = threadIdx.x;
    if (i == 0)
        init(&b, 64);
    __syncthreads();
    if (i < 32)
        b.arrive_and_wait(); /* waits here */
    else
        b.arrive_and_wait();
    out[i] = in[i];
}
template <class T> __global__ void semaphore_released_further_down(T *out, const T *in)
{
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> s;
    const int i = threadIdx.x;
    if (i == 0)
        new (&s) cuda::binary_semaphore<cuda::thread_scope_block>(0);
    __syncthreads();
    if (i == 0)
        s.acquire(); /* waits here */
    else if (i == 32)
        s.release();
    out[i] = in[i];
}

/* ---- pipelines ---- */

template <class T> __global__ void pipeline_of_a_thread(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ alignas(16) int s[2][64];
    const int i = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        if (i < 16)
            cuda::memcpy_async(&s[k][4 * i], &in[4 * i], cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
    }
    for (int k = 0; k < 2; k++) {
        pipe.consumer_wait();
        __syncthreads();
        sum += s[k][(i + k) % 64];
        pipe.consumer_release();
    }
    out[i] = sum;
}

template <class T> __global__ void pipeline_of_a_block(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][64];
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int i = threadIdx.x;
    int sum = 0;
    for (int used = 0, filled = 0; used < 5; used++) {
        for (; filled < 5 && filled < used + 2; filled++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[filled % 2], in, sizeof(int) * (64 - filled), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 3 + s[used % 2][(63 - i) / 2];
        pipe.consumer_release();
    }
    out[i] = sum;
}

template <class T> __global__ void pipeline_of_producers_and_consumers(T *out, const T *in)
{
    USE_TOOLKIT;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][32];
    const auto block = cg::this_thread_block();
    const int i = threadIdx.x;
    const auto role = i < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[k % 2][i], &in[(32 * k + i) % 64], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 3 + s[k % 2][63 - i];
            pipe.consumer_release();
        }
    }
    out[i] = sum;
}

/* ---- values ---- */

__device__ int total(cs::span<const int> s)
{
    int n = 0;
    for (int v : s)
        n += v;
    return n;
}

template <class T> __global__ void spans(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    cs::span<const int> all(in, 64);
    cs::array<int, 4> a = {in[i], in[i] + 1, in[i] + 2, in[i] + 3};
    cs::span<int, 4> four(a);
    cs::span<int> tail = four.subspan(2);
    auto two = four.first<2>();
    static_assert(decltype(two)::extent == 2);
    tail[0] += (int)(two.size() + tail.size_bytes());
    __shared__ int s[64];
    cs::span<int> shared{s};
    shared[i] = in[i];
    __syncthreads();
    int c[3] = {1, 2, i};
    out[i] = total(all.subspan(i % 8, 5)) + total(a) * 3 + total(shared.last(i % 4 + 1)) +
             four.back() + all.front() + total(c) + (cs::span<int>{}.empty() ? 1000 : 0);
}

struct sum_of_all {
    template <class... T> __device__ int operator()(T... v) const
    {
        return (int)(0 + ... + (float)v);
    }
};

template <class T> __global__ void tuples(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    auto t = cs::make_tuple(in[i], (short)2, 0.5f);
    auto [a, b, c] = t;
    int x, y;
    cs::tie(x, cs::ignore, y) = cs::make_tuple(i, 5, in[i]);
    auto joined = cs::tuple_cat(cs::make_tuple(x), t, cs::make_tuple(y, 7));
    static_assert(cs::tuple_size<decltype(joined)>::value == 6);
    int sum = cs::apply(sum_of_all(), joined);
    cs::pair<int, int> p = cs::make_pair(i, -i);
    cs::swap(p.first, p.second);
    const bool less = cs::tuple<int, int>(1, i) < cs::tuple<int, int>(1, 7);
    const bool after = cs::make_pair(2, i) >= cs::make_pair(2, 9);
    cs::tuple<long, double> w = cs::tuple<int, float>(i, 1.5f);
    out[i] = a + b + (int)(2 * c) + sum + p.first + less * 1000 + after * 2000 +
             (int)cs::get<0>(w) + (int)(cs::get<double>(w) * 2);
}

struct shape {
    int kind, v;
};
struct visitor {
    __device__ int operator()(int a) const
    {
        return a;
    }
    __device__ int operator()(float a) const
    {
        return (int)(a * 2);
    }
    __device__ int operator()(const shape &s) const
    {
        return s.kind * 100 + s.v;
    }
};

template <class T> __global__ void variants(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    cs::variant<int, float, shape> v;
    if (i % 3 == 1)
        v = 1.5f * i;
    else if (i % 3 == 2)
        v = shape{i, in[i]};
    else
        v = in[i];
    out[i] = cs::visit(visitor(), v) + 1000 * (int)v.index();
    if (auto *p = cs::get_if<float>(&v))
        out[i] += (int)*p;
    if (cs::holds_alternative<shape>(v))
        out[i] += cs::get<shape>(v).kind;
    v.emplace<1>(0.5f);
    cs::variant<int, float> u = i;
    out[i] += cs::visit(sum_of_all(), cs::variant<int, float>(cs::get<1>(v)), u);
}

template <class T> __global__ void optionals(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    cs::optional<int> o;
    if (i & 1)
        o = in[i];
    const auto twice = o.transform([](int q) { return q * 2; });
    out[i] = o.value_or(-1) + twice.value_or(5) + (o == cs::nullopt) +
             10 * (o == cs::optional<int>(in[i])) + 100 * (o < cs::make_optional(7));
    o.emplace(3);
    out[i] += o ? *o : 1000;
    o.reset();
    out[i] += o.has_value();
}

/* In 1,024ths, so that a last bit makes no difference. */
template <class T> __global__ void complex_numbers(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    cs::complex<float> z(0.25f * in[i], 0.25f), w = z * z + 2.0f * z - cs::complex<float>(1.0f);
    z /= 2.0f;
    const cs::complex<double> d = cs::exp(cs::complex<double>(0.125, 0.0625 * in[i]));
    const float sum = cs::abs(w) + cs::arg(w) + cs::norm(z) + cs::conj(w).imag() +
                      cs::sqrt(w).real() + cs::polar(2.0f, 0.5f).imag() + (w / z).real() +
                      (float)(d * d).real();
    out[i] = (int)floorf(sum * 1024.0f + 0.5f) / 4;
}

template <class T> __device__ int of_type(T)
{
    if constexpr (cs::is_integral_v<T>)
        return cs::numeric_limits<T>::digits;
    else if constexpr (cs::is_floating_point<T>::value)
        return cs::numeric_limits<T>::max_exponent;
    else
        return cs::is_invocable_v<T, int> + 2 * cs::is_trivially_copyable_v<T>;
}

template <class T> __global__ void bits_and_limits(T *out, const T *in)
{
    USE_TOOLKIT;
    int i = threadIdx.x;
    const unsigned u = in[i] * 2654435761u;
    out[i] = cs::popcount(u) + cs::countl_zero(u) * 2 + cs::countr_one(u) +
             (int)(cs::rotl(u, i) & 0xff) + (int)cs::bit_width(u) + cs::has_single_bit(u) +
             (cs::bit_cast<int>(1.5f) >> 20) + (int)cs::bit_ceil((unsigned)i) + of_type(1) +
             of_type(1ull) + of_type(1.0f) + of_type([](int) {}) +
             (cs::numeric_limits<float>::max() > 1e38f) + cs::gcd(i + 12, 18) + cs::plus<>()(i, 2);
    const int before = cs::exchange(i, 3);
    out[before] += before + i;
}

#ifndef __CUDACC_RTC__

template <class T> __global__ void types_of_thrust(T *out, const T *in)
{
    USE_TOOLKIT;
    const int i = threadIdx.x;
    thrust::tuple<int, float> t(in[i], 2.5f);
    thrust::get<0>(t) += 3;
    thrust::pair<int, int> p = thrust::make_pair(i, 4);
    int x = 0;
    float y = 0;
    thrust::tie(x, y) = t;
    thrust::swap(x, p.first);
    thrust::complex<float> z(0.5f * i, 1.0f);
    z = z * thrust::conj(z) + 2.0f;
    out[i] = thrust::plus<int>()(x, p.first) + thrust::maximum<int>()(i, 9) +
             thrust::square<int>()(3) + thrust::project2nd<int, int>()(1, i) + (int)(y * 2) +
             thrust::logical_not<bool>()(i & 1) + thrust::multiplies<>()(i, 2) +
             thrust::negate<int>()(i) + thrust::modulus<int>()(i, 3) +
             thrust::minimum<>()(i, 4) * 100 + (int)z.real();
}

/* Their own headers have none for kernels: C++20's of the standard library. */
template <class T> __global__ void algorithms(T *out, const T *in)
{
    const int i = threadIdx.x;
    int a[8], c[8];
    for (int k = 0; k < 8; k++)
        a[k] = in[(i * 7 + k * 5) % 64] % 13;
    cs::array<int, 8> b;
    std::copy(a, a + 8, b.data());
    std::sort(a, a + 8);
    std::stable_sort(b.begin(), b.end(), cs::greater<>());
    const int n = (int)(std::lower_bound(a, a + 8, 6) - a);
    const int u = (int)(std::unique(a, a + 8) - a);
    int sum = n + 10 * u + 100 * std::accumulate(a, a + u, 0) +
              1000 * (int)std::count_if(b.begin(), b.end(), [](int v) { return v > 5; }) +
              10000 * b[2] + *std::max_element(a, a + u) +
              std::inner_product(a, a + u, b.begin(), 0);
    std::iota(c, c + 8, i);
    std::reverse(c, c + 8);
    std::rotate(c, c + 3, c + 8);
    std::transform(c, c + 8, b.begin(), c, cs::plus<>());
    std::exclusive_scan(c, c + 8, c, 0);
    sum += c[7] + std::midpoint(i, 63) + 7 * std::binary_search(a, a + u, 4);
    std::nth_element(c, c + 4, c + 8, cs::greater<>());
    int *const end = std::remove_if(a, a + u, [](int v) { return v % 2 == 0; });
    int *const middle = std::partition(b.data(), b.data() + 8, [](int v) { return v % 3 == 0; });
    out[i] = sum + c[4] + (int)(end - a) + 10 * (int)(middle - b.data());
}

#endif
