/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's selections, partitions and runs of a whole device. */
#pragma clang system_header
#ifndef QN_CUB_DEVICE_SELECT
#define QN_CUB_DEVICE_SELECT

#include <cub/device/quern_cub_scan.h>
#include <wide/quern_wide_select.h>

namespace cub
{

namespace __qn
{
template <class Load, class In, class Yes, class No, class Count>
inline cudaError_t selected(void *temp, size_t &bytes, Load load, In in, Yes yes, No no,
                            Count count, size_t n, cudaStream_t stream)
{
    __qn_wide::workspace w(temp);
    size_t *const tiles = __qn_wide::scan_partials<size_t>(w, n);
    cudaError_t error;
    if (is_question(temp, bytes, w, &error))
        return error;
    return __qn_wide::select(stream, tiles, n, load,
                             __qn_wide::store_selected<In, Yes, No, Count>{in, yes, no, count, n},
                             count);
}
template <class T, class Keys, class Values, class KeysOut, class ValuesOut, class Count,
          class Equal, class Op>
inline cudaError_t runs(void *temp, size_t &bytes, Keys keys, Values values, KeysOut keys_out,
                        ValuesOut values_out, Count count, Equal equal, Op op, size_t n,
                        cudaStream_t stream)
{
    __qn_wide::workspace w(temp);
    auto *const tiles = __qn_wide::scan_partials<__qn_wide::headed<T>>(w, n);
    cudaError_t error;
    if (is_question(temp, bytes, w, &error))
        return error;
    return __qn_wide::reduce_runs<T>(stream, tiles, n, keys, values, keys_out, values_out, count,
                                     equal, op);
}
} // namespace __qn

/* In place they are not: input and output must not overlap. */
struct DeviceSelect {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                               N n, cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::load_flag<Flags>{flags}, in, out,
                              __qn_wide::nowhere(), count, (size_t)n, stream);
    }
    template <class In, class Out, class Count, class N, class Predicate>
    static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                          Predicate predicate, cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::load_if<In, Predicate>{in, predicate}, in,
                              out, __qn_wide::nowhere(), count, (size_t)n, stream);
    }
    template <class In, class Flags, class Out, class Count, class N, class Predicate>
    static cudaError_t FlaggedIf(void *temp, size_t &bytes, In in, Flags flags, Out out,
                                 Count count, N n, Predicate predicate, cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::load_if<Flags, Predicate>{flags, predicate},
                              in, out, __qn_wide::nowhere(), count, (size_t)n, stream);
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                              cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::is_head<In, cub::Equality>{in, {}}, in, out,
                              __qn_wide::nowhere(), count, (size_t)n, stream);
    }
    template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class N,
              class Equal = cub::Equality>
    static cudaError_t UniqueByKey(void *temp, size_t &bytes, Keys keys, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Count count, N n,
                                   Equal equal = Equal(), cudaStream_t stream = 0)
    {
        __qn_wide::workspace w(temp);
        size_t *const tiles = __qn_wide::scan_partials<size_t>(w, (size_t)n);
        cudaError_t error;
        if (__qn::is_question(temp, bytes, w, &error))
            return error;
        return __qn_wide::select(stream, tiles, (size_t)n,
                                 __qn_wide::is_head<Keys, Equal>{keys, equal},
                                 __qn_wide::store_pairs<Keys, Values, KeysOut, ValuesOut, Count>{
                                     keys, values, keys_out, values_out, count, (size_t)n},
                                 count);
    }
};

struct DevicePartition {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                               N n, cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::load_flag<Flags>{flags}, in, out,
                              __qn_wide::from_the_end<Out>{out, (size_t)n}, count, (size_t)n,
                              stream);
    }
    template <class In, class Out, class Count, class N, class Predicate>
    static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                          Predicate predicate, cudaStream_t stream = 0)
    {
        return __qn::selected(temp, bytes, __qn_wide::load_if<In, Predicate>{in, predicate}, in,
                              out, __qn_wide::from_the_end<Out>{out, (size_t)n}, count, (size_t)n,
                              stream);
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Lengths, class Count, class N>
    static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Lengths lengths,
                              Count count, N n, cudaStream_t stream = 0)
    {
        return __qn::runs<size_t>(temp, bytes, in, ConstantInputIterator<size_t>(1), unique,
                                  lengths, count, cub::Equality(), __qn_wide::add_counts(),
                                  (size_t)n, stream);
    }
};

template <class Keys, class KeysOut, class Values, class ValuesOut, class Count, class Op, class N>
cudaError_t DeviceReduce::ReduceByKey(void *temp, size_t &bytes, Keys keys, KeysOut keys_out,
                                      Values values, ValuesOut values_out, Count count, Op op, N n,
                                      cudaStream_t stream)
{
    typedef __qn::accumulated<Op, __qn::val<Values>, __qn::val<Values>> T;
    return __qn::runs<T>(temp, bytes, keys, values, keys_out, values_out, count, cub::Equality(),
                         op, (size_t)n, stream);
}

} // namespace cub

#endif
