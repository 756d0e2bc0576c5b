/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's reductions of a whole device, histograms and loops. */
#pragma clang system_header
#ifndef QN_CUB_DEVICE_REDUCE
#define QN_CUB_DEVICE_REDUCE

#include <cub/iterator/quern_cub_iterators.h>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>
#include <wide/quern_wide_reduce.h>
#include <wide/quern_wide_scan.h>

#include <chrono> /* programs rely on it */
#include <iterator>
#include <limits>

namespace cub
{

namespace __qn
{
template <class It> using val = std::remove_cv_t<typename std::iterator_traits<It>::value_type>;
template <class Op, class Init, class In>
using accumulated =
    __qn_wide::plain<decltype(std::declval<Op &>()(std::declval<Init>(), std::declval<In>()))>;

/* The first of a call's two forms tells how much memory it wants. */
inline bool is_question(void *given, size_t &bytes, const __qn_wide::workspace &w,
                        cudaError_t *error)
{
    *error = given && bytes < w.bytes() ? cudaErrorInvalidValue : cudaSuccess;
    if (!given)
        bytes = w.bytes();
    return !given || *error != cudaSuccess;
}
template <class T, class It> struct load_pair {
    It from;
    __device__ T operator()(size_t i)
    {
        return T((typename T::Key)i, (typename T::Value)from[i]);
    }
};
template <class T, class It, class F> struct load_transformed {
    It from;
    F f;
    __device__ T operator()(size_t i)
    {
        return (T)f(from[i]);
    }
};
struct segment_item {
    template <class It> __device__ decltype(auto) operator()(It &from, size_t first, size_t i) const
    {
        return from[first + i];
    }
};
struct segment_pair {
    template <class It> __device__ auto operator()(It &from, size_t first, size_t i) const
    {
        return KeyValuePair<int, val<It>>((int)i, from[first + i]);
    }
};
template <class T> constexpr T largest()
{
    return std::numeric_limits<T>::is_specialized ? std::numeric_limits<T>::max() : T();
}
template <class T> constexpr T smallest()
{
    return std::numeric_limits<T>::is_specialized ? std::numeric_limits<T>::lowest() : T();
}

template <class T, class Load, class Out, class Op>
inline cudaError_t reduced(void *given, size_t &bytes, Load load, Out out, size_t n, Op op, T init,
                           cudaStream_t stream)
{
    __qn_wide::workspace w(given);
    T *const partials = __qn_wide::reduce_partials<T>(w);
    cudaError_t error;
    if (is_question(given, bytes, w, &error))
        return error;
    return __qn_wide::reduce_from<T>(stream, partials, n, load, op, init, out);
}
/* Without an initial value; `none` is the result of nothing. */
template <class T, class Load, class Out, class Op>
inline cudaError_t reduced_bare(void *given, size_t &bytes, Load load, Out out, size_t n, Op op,
                                T none, cudaStream_t stream)
{
    __qn_wide::workspace w(given);
    T *const partials = __qn_wide::reduce_partials<T>(w);
    cudaError_t error;
    if (is_question(given, bytes, w, &error))
        return error;
    if (n == 0)
        return __qn_wide::for_each(stream, 1, __qn_wide::store_init<T, Out>{out, none});
    return __qn_wide::reduce_to<T>(stream, partials, n, load, op,
                                   __qn_wide::store_bare<T, Out>{out});
}
} // namespace __qn

struct DeviceReduce {
    template <class In, class Out, class N, class Op, class Init>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, N n, Op op, Init init,
                              cudaStream_t stream = 0)
    {
        typedef __qn::accumulated<Op, Init, __qn::val<In>> T;
        return __qn::reduced<T>(temp, bytes, __qn_wide::load_as<T, In>{in}, out, (size_t)n, op,
                                (T)init, stream);
    }
    template <class In, class Out, class N, class Op, class F, class Init>
    static cudaError_t TransformReduce(void *temp, size_t &bytes, In in, Out out, N n, Op op, F f,
                                       Init init, cudaStream_t stream = 0)
    {
        typedef __qn_wide::plain<decltype(f(std::declval<__qn::val<In>>()))> U;
        typedef __qn::accumulated<Op, Init, U> T;
        return __qn::reduced<T>(temp, bytes, __qn::load_transformed<T, In, F>{in, f}, out,
                                (size_t)n, op, (T)init, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0)
    {
        typedef __qn::val<In> T;
        return Reduce(temp, bytes, in, out, n, cub::Sum(), T{}, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0)
    {
        typedef __qn::val<In> T;
        return __qn::reduced_bare<T>(temp, bytes, __qn_wide::load_as<T, In>{in}, out, (size_t)n,
                                     cub::Min(), __qn::largest<T>(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0)
    {
        typedef __qn::val<In> T;
        return __qn::reduced_bare<T>(temp, bytes, __qn_wide::load_as<T, In>{in}, out, (size_t)n,
                                     cub::Max(), __qn::smallest<T>(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, N n,
                              cudaStream_t stream = 0)
    {
        typedef KeyValuePair<int, __qn::val<In>> T;
        return __qn::reduced_bare<T>(temp, bytes, __qn::load_pair<T, In>{in}, out, (size_t)n,
                                     cub::ArgMin(), T(1, __qn::largest<__qn::val<In>>()), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, N n,
                              cudaStream_t stream = 0)
    {
        typedef KeyValuePair<int, __qn::val<In>> T;
        return __qn::reduced_bare<T>(temp, bytes, __qn::load_pair<T, In>{in}, out, (size_t)n,
                                     cub::ArgMax(), T(1, __qn::smallest<__qn::val<In>>()), stream);
    }
    template <class Keys, class KeysOut, class Values, class ValuesOut, class Count, class Op,
              class N>
    static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, KeysOut keys_out,
                                   Values values, ValuesOut values_out, Count count, Op op, N n,
                                   cudaStream_t stream = 0);
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class Op, class Init>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                              End end, Op op, Init init, cudaStream_t stream = 0)
    {
        typedef __qn::accumulated<Op, Init, __qn::val<In>> T;
        return run<T>(temp, bytes, in, out, segments, begin, end, op, (T)init, stream,
                      __qn::segment_item());
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                           End end, cudaStream_t stream = 0)
    {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Sum(), __qn::val<In>{},
                      stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                           End end, cudaStream_t stream = 0)
    {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Min(),
                      __qn::largest<__qn::val<In>>(), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                           End end, cudaStream_t stream = 0)
    {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Max(),
                      __qn::smallest<__qn::val<In>>(), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                              End end, cudaStream_t stream = 0)
    {
        typedef KeyValuePair<int, __qn::val<In>> T;
        return run<T>(temp, bytes, in, out, segments, begin, end, cub::ArgMin(),
                      T(1, __qn::largest<__qn::val<In>>()), stream, __qn::segment_pair());
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                              End end, cudaStream_t stream = 0)
    {
        typedef KeyValuePair<int, __qn::val<In>> T;
        return run<T>(temp, bytes, in, out, segments, begin, end, cub::ArgMax(),
                      T(1, __qn::smallest<__qn::val<In>>()), stream, __qn::segment_pair());
    }

  private:
    template <class T, class In, class Out, class Begin, class End, class Op, class Load>
    static cudaError_t run(void *temp, size_t &bytes, In in, Out out, int segments, Begin begin,
                           End end, Op op, T init, cudaStream_t stream, Load load)
    {
        __qn_wide::workspace w(temp);
        cudaError_t error;
        if (__qn::is_question(temp, bytes, w, &error) || segments <= 0)
            return error;
        __qn_wide::reduce_segments<T><<<(unsigned)segments, __qn_wide::THREADS, 0, stream>>>(
            in, begin, end, out, op, init, load);
        return __qn_wide::refused();
    }
};

/* ---- histograms ---- */

namespace __qn
{
template <class In, class Counter, class Level> struct count_even {
    In in;
    Counter *bins;
    Level low, high;
    int n_bins;
    size_t row, stride; /* samples of a row, and from one row to the next */
    __device__ void operator()(size_t i)
    {
        const auto v = in[i / row * stride + i % row];
        if (!(v >= low && v < high))
            return;
        int bin;
        if constexpr (std::is_integral_v<Level>)
            bin = (int)((unsigned long long)(v - low) * (unsigned long long)n_bins /
                        (unsigned long long)(high - low));
        else
            bin = (int)((v - low) * ((Level)n_bins / (high - low)));
        atomicAdd(&bins[bin < n_bins ? bin : n_bins - 1], (Counter)1);
    }
};
template <class In, class Counter, class Level> struct count_range {
    In in;
    Counter *bins;
    const Level *levels;
    int n_levels;
    size_t row, stride;
    __device__ void operator()(size_t i)
    {
        const auto v = in[i / row * stride + i % row];
        int low = 0, high = n_levels; /* the first level above it */
        while (low < high) {
            const int middle = (low + high) / 2;
            if (v < levels[middle])
                high = middle;
            else
                low = middle + 1;
        }
        if (low > 0 && low < n_levels)
            atomicAdd(&bins[low - 1], (Counter)1);
    }
};
template <class T> struct clear {
    T *to;
    __device__ void operator()(size_t i)
    {
        to[i] = 0;
    }
};
template <class Counter, class Count>
inline cudaError_t histogram(void *temp, size_t &bytes, Counter *bins, int n_bins, size_t n,
                             Count count, cudaStream_t stream)
{
    __qn_wide::workspace w(temp);
    cudaError_t error;
    if (is_question(temp, bytes, w, &error))
        return error;
    error = __qn_wide::for_each(stream, (size_t)n_bins, clear<Counter>{bins});
    return error == cudaSuccess ? __qn_wide::for_each(stream, n, count) : error;
}
} // namespace __qn

struct DeviceHistogram {
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Counter *bins, int levels,
                                     Level low, Level high, N n, cudaStream_t stream = 0)
    {
        return __qn::histogram(temp, bytes, bins, levels - 1, (size_t)n,
                               __qn::count_even<In, Counter, Level>{in, bins, low, high, levels - 1,
                                                                    (size_t)n ? (size_t)n : 1, 0},
                               stream);
    }
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Counter *bins, int levels,
                                     Level low, Level high, N row, N rows, size_t row_bytes,
                                     cudaStream_t stream = 0)
    {
        return __qn::histogram(temp, bytes, bins, levels - 1, (size_t)row * (size_t)rows,
                               __qn::count_even<In, Counter, Level>{
                                   in, bins, low, high, levels - 1, (size_t)row ? (size_t)row : 1,
                                   row_bytes / sizeof(__qn::val<In>)},
                               stream);
    }
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramRange(void *temp, size_t &bytes, In in, Counter *bins, int levels,
                                      const Level *at, N n, cudaStream_t stream = 0)
    {
        return __qn::histogram(temp, bytes, bins, levels - 1, (size_t)n,
                               __qn::count_range<In, Counter, Level>{in, bins, at, levels,
                                                                     (size_t)n ? (size_t)n : 1, 0},
                               stream);
    }
};

/* ---- loops ---- */

namespace __qn
{
template <class It, class F> struct apply_to {
    It it;
    F f;
    __device__ void operator()(size_t i)
    {
        f(it[i]);
    }
};
} // namespace __qn
struct DeviceFor {
    template <class N, class F> static cudaError_t Bulk(N n, F f, cudaStream_t stream = 0)
    {
        return __qn_wide::for_each(stream, (size_t)n, f);
    }
    template <class It, class N, class F>
    static cudaError_t ForEachN(It it, N n, F f, cudaStream_t stream = 0)
    {
        return __qn_wide::for_each(stream, (size_t)n, __qn::apply_to<It, F>{it, f});
    }
    template <class It, class F>
    static cudaError_t ForEach(It first, It last, F f, cudaStream_t stream = 0)
    {
        return ForEachN(first, last - first, f, stream);
    }
};

} // namespace cub

#endif
