/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's algorithms that keep some elements and not others. In place they go through a copy. */
#pragma clang system_header
#ifndef QN_THRUST_SELECT
#define QN_THRUST_SELECT

#include <thrust/quern_thrust_scan.h>
#include <wide/quern_wide_select.h>

namespace thrust
{

namespace __qn
{
/* How many elements `load` keeps; they go to `yes`, the others to `no`. */
template <class P, class Load, class In, class Yes, class No>
inline size_t selected(const P &p, size_t n, Load load, In from, Yes yes, No no)
{
    const temporary<size_t> room(n / __qn_wide::SCAN_TILE + 2);
    size_t *const count = room.get() + n / __qn_wide::SCAN_TILE + 1;
    check(__qn_wide::select(
              p.stream, room.get(), n, load,
              __qn_wide::store_selected<In, Yes, No, size_t *>{from, yes, no, count, n}, count),
          "thrust: a selection");
    return room.fetch(p, n / __qn_wide::SCAN_TILE + 1);
}
/* A copy in the device's memory. */
template <class It> class copied
{
    temporary<val<It>> room;

  public:
    template <class P> copied(const P &p, It first, size_t n) : room(n)
    {
        auto from = raw(first);
        val<It> *const to = room.get();
        check(__qn_wide::for_each(
                  p.stream, n,
                  [=] __device__(size_t i) mutable { __qn_wide::put(to + i, (val<It>)from[i]); }),
              "thrust: a copy");
    }
    val<It> *get() const
    {
        return room.get();
    }
};
} // namespace __qn

/* ---- by a predicate ---- */

template <QN__POLICY, class In, class Stencil, class Out, class Predicate>
QN__HD inline Out copy_if(QnPolicy p, In first, In last, Stencil stencil, Out out,
                          Predicate predicate)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        auto s = __qn::raw(stencil);
        return out + __qn::selected(p, n, __qn_wide::load_if<decltype(s), Predicate>{s, predicate},
                                    __qn::raw(first), __qn::raw(out), __qn_wide::nowhere());
    }
    else
    {
        for (size_t i = 0; i < n; i++)
            if (predicate(stencil[i])) {
                *out = first[i];
                ++out;
            }
        return out;
    }
}
template <QN__POLICY, class In, class Out, class Predicate>
QN__HD inline Out copy_if(QnPolicy p, In first, In last, Out out, Predicate predicate)
{
    return thrust::copy_if(p, first, last, first, out, predicate);
}
template <QN__POLICY, class In, class Stencil, class Out, class Predicate>
QN__HD inline Out remove_copy_if(QnPolicy p, In first, In last, Stencil stencil, Out out,
                                 Predicate predicate)
{
    return thrust::copy_if(p, first, last, stencil, out, __qn_wide::negated<Predicate>{predicate});
}
template <QN__POLICY, class In, class Out, class Predicate>
QN__HD inline Out remove_copy_if(QnPolicy p, In first, In last, Out out, Predicate predicate)
{
    return thrust::remove_copy_if(p, first, last, first, out, predicate);
}
template <QN__POLICY, class In, class Out, class T>
QN__HD inline Out remove_copy(QnPolicy p, In first, In last, Out out, const T &value)
{
    return thrust::remove_copy_if(p, first, last, out, __qn::equals<T>{value});
}
template <QN__POLICY, class It, class Stencil, class Predicate>
QN__HD inline It remove_if(QnPolicy p, It first, It last, Stencil stencil, Predicate predicate)
{
    QN__ON_DEVICE
    {
        const size_t n = (size_t)(last - first);
        const __qn::copied<It> from(p, first, n);
        const __qn::copied<Stencil> flags(p, stencil, n);
        return thrust::remove_copy_if(p, from.get(), from.get() + n, flags.get(), first, predicate);
    }
    else return thrust::remove_copy_if(p, first, last, stencil, first, predicate);
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline It remove_if(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::remove_if(p, first, last, first, predicate);
}
template <QN__POLICY, class It, class T>
QN__HD inline It remove(QnPolicy p, It first, It last, const T &value)
{
    return thrust::remove_if(p, first, last, __qn::equals<T>{value});
}
QN__WITHOUT_POLICY(copy_if)
QN__WITHOUT_POLICY(remove_copy_if)
QN__WITHOUT_POLICY(remove_copy)
QN__WITHOUT_POLICY(remove_if)
QN__WITHOUT_POLICY(remove)

/* ---- partitions, stable in each form ---- */

template <QN__POLICY, class In, class Stencil, class Yes, class No, class Predicate>
QN__HD inline std::pair<Yes, No> stable_partition_copy(QnPolicy p, In first, In last,
                                                       Stencil stencil, Yes yes, No no,
                                                       Predicate predicate)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        auto s = __qn::raw(stencil);
        const size_t count =
            __qn::selected(p, n, __qn_wide::load_if<decltype(s), Predicate>{s, predicate},
                           __qn::raw(first), __qn::raw(yes), __qn::raw(no));
        return std::pair<Yes, No>(yes + count, no + (n - count));
    }
    else
    {
        for (size_t i = 0; i < n; i++)
            if (predicate(stencil[i])) {
                *yes = first[i];
                ++yes;
            } else {
                *no = first[i];
                ++no;
            }
        return std::pair<Yes, No>(yes, no);
    }
}
template <QN__POLICY, class In, class Yes, class No, class Predicate>
QN__HD inline std::pair<Yes, No> stable_partition_copy(QnPolicy p, In first, In last, Yes yes,
                                                       No no, Predicate predicate)
{
    return thrust::stable_partition_copy(p, first, last, first, yes, no, predicate);
}
template <QN__POLICY, class It, class Stencil, class Predicate>
QN__HD inline It stable_partition(QnPolicy p, It first, It last, Stencil stencil,
                                  Predicate predicate)
{
    const size_t n = (size_t)(last - first);
    typedef __qn::val<It> T;
    QN__ON_DEVICE
    {
        const __qn::copied<It> from(p, first, n);
        const __qn::copied<Stencil> flags(p, stencil, n);
        const __qn::temporary<T> others(n);
        const T *const in = from.get();
        const auto ends = thrust::stable_partition_copy(p, in, in + n, flags.get(), first,
                                                        others.get(), predicate);
        thrust::copy_n(p, (const T *)others.get(), ends.second - others.get(), ends.first);
        return ends.first;
    }
    else
    {
        size_t kept = 0; /* an element that stays moves in front of those that do not */
        for (size_t i = 0; i < n; i++)
            if (predicate(stencil[i])) {
                const T v = first[i];
                for (size_t k = i; k > kept; k--)
                    first[k] = first[k - 1];
                first[kept++] = v;
            }
        return first + kept;
    }
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline It stable_partition(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::stable_partition(p, first, last, first, predicate);
}
template <QN__POLICY, class... A> QN__HD inline auto partition(QnPolicy p, A... a)
{
    return thrust::stable_partition(p, a...);
}
template <QN__POLICY, class... A> QN__HD inline auto partition_copy(QnPolicy p, A... a)
{
    return thrust::stable_partition_copy(p, a...);
}
QN__WITHOUT_POLICY(stable_partition_copy)
QN__WITHOUT_POLICY(stable_partition)
QN__WITHOUT_POLICY(partition)
QN__WITHOUT_POLICY(partition_copy)

/* ---- the first of each run ---- */

template <QN__POLICY, class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
QN__HD inline std::pair<KeysOut, ValuesOut> unique_by_key_copy(QnPolicy p, Keys first, Keys last,
                                                               Values values, KeysOut keys_out,
                                                               ValuesOut values_out, Equal equal)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        auto keys = __qn::raw(first);
        typedef __qn_wide::is_head<decltype(keys), Equal> Head;
        const size_t count = __qn::selected(
            p, n, Head{keys, equal}, thrust::make_zip_iterator(keys, __qn::raw(values)),
            thrust::make_zip_iterator(__qn::raw(keys_out), __qn::raw(values_out)),
            __qn_wide::nowhere());
        return std::pair<KeysOut, ValuesOut>(keys_out + count, values_out + count);
    }
    else
    {
        size_t count = 0;
        for (size_t i = 0; i < n; i++) /* in place a run's first is still there */
            if (i == 0 || !equal(keys_out[count - 1], first[i])) {
                keys_out[count] = first[i];
                values_out[count++] = values[i];
            }
        return std::pair<KeysOut, ValuesOut>(keys_out + count, values_out + count);
    }
}
template <QN__POLICY, class In, class Out, class Equal>
QN__HD inline Out unique_copy(QnPolicy p, In first, In last, Out out, Equal equal)
{
    return thrust::unique_by_key_copy(p, first, last, counting_iterator<size_t>(0), out,
                                      discard_iterator<>(), equal)
        .first;
}
template <QN__POLICY, class It, class Equal>
QN__HD inline It unique(QnPolicy p, It first, It last, Equal equal)
{
    QN__ON_DEVICE
    {
        const size_t n = (size_t)(last - first);
        const __qn::copied<It> from(p, first, n);
        const __qn::val<It> *const in = from.get();
        return thrust::unique_copy(p, in, in + n, first, equal);
    }
    else return thrust::unique_copy(p, first, last, first, equal);
}
template <QN__POLICY, class Keys, class Values, class Equal>
QN__HD inline std::pair<Keys, Values> unique_by_key(QnPolicy p, Keys first, Keys last,
                                                    Values values, Equal equal)
{
    QN__ON_DEVICE
    {
        const size_t n = (size_t)(last - first);
        const __qn::copied<Keys> keys(p, first, n);
        const __qn::copied<Values> others(p, values, n);
        const __qn::val<Keys> *const in = keys.get();
        const __qn::val<Values> *const in_values = others.get();
        return thrust::unique_by_key_copy(p, in, in + n, in_values, first, values, equal);
    }
    else return thrust::unique_by_key_copy(p, first, last, values, first, values, equal);
}
template <QN__POLICY, class Keys, class Values, class KeysOut, class ValuesOut>
QN__HD inline std::pair<KeysOut, ValuesOut> unique_by_key_copy(QnPolicy p, Keys first, Keys last,
                                                               Values values, KeysOut keys_out,
                                                               ValuesOut values_out)
{
    return thrust::unique_by_key_copy(p, first, last, values, keys_out, values_out,
                                      std::equal_to<>());
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out unique_copy(QnPolicy p, In first, In last, Out out)
{
    return thrust::unique_copy(p, first, last, out, std::equal_to<>());
}
template <QN__POLICY, class It> QN__HD inline It unique(QnPolicy p, It first, It last)
{
    return thrust::unique(p, first, last, std::equal_to<>());
}
template <QN__POLICY, class Keys, class Values>
QN__HD inline std::pair<Keys, Values> unique_by_key(QnPolicy p, Keys first, Keys last,
                                                    Values values)
{
    return thrust::unique_by_key(p, first, last, values, std::equal_to<>());
}
template <QN__POLICY, class It> QN__HD inline ptrdiff_t unique_count(QnPolicy p, It first, It last)
{
    return thrust::unique_copy(p, first, last, discard_iterator<>()) - discard_iterator<>();
}
QN__WITHOUT_POLICY(unique_by_key_copy)
QN__WITHOUT_POLICY(unique_copy)
QN__WITHOUT_POLICY(unique)
QN__WITHOUT_POLICY(unique_by_key)
QN__WITHOUT_POLICY(unique_count)

/* ---- reduce_by_key ---- */

template <QN__POLICY, class Keys, class Values, class KeysOut, class ValuesOut, class Equal,
          class Op>
QN__HD inline std::pair<KeysOut, ValuesOut> reduce_by_key(QnPolicy p, Keys first, Keys last,
                                                          Values values, KeysOut keys_out,
                                                          ValuesOut values_out, Equal equal, Op op)
{
    typedef __qn::val<Values> T;
    const size_t n = (size_t)(last - first);
    size_t count = 0;
    QN__ON_DEVICE
    {
        const __qn::temporary<__qn_wide::headed<T>> tiles(n / __qn_wide::SCAN_TILE + 1);
        const __qn::temporary<size_t> room(1);
        __qn::check(__qn_wide::reduce_runs<T>(p.stream, tiles.get(), n, __qn::raw(first),
                                              __qn::raw(values), __qn::raw(keys_out),
                                              __qn::raw(values_out), room.get(), equal, op),
                    "thrust::reduce_by_key");
        count = room.fetch(p);
    }
    else if (n)
    {
        T sum = *values;
        for (size_t i = 0; i < n; i++) {
            const bool begins = i == 0 || !equal(first[i - 1], first[i]);
            const T v = values[i];
            sum = begins ? v : (T)op(sum, v);
            if (begins)
                keys_out[count++] = first[i];
            values_out[count - 1] = sum;
        }
    }
    return std::pair<KeysOut, ValuesOut>(keys_out + count, values_out + count);
}
template <QN__POLICY, class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
QN__HD inline std::pair<KeysOut, ValuesOut> reduce_by_key(QnPolicy p, Keys first, Keys last,
                                                          Values values, KeysOut keys_out,
                                                          ValuesOut values_out, Equal equal)
{
    return thrust::reduce_by_key(p, first, last, values, keys_out, values_out, equal,
                                 std::plus<>());
}
template <QN__POLICY, class Keys, class Values, class KeysOut, class ValuesOut>
QN__HD inline std::pair<KeysOut, ValuesOut> reduce_by_key(QnPolicy p, Keys first, Keys last,
                                                          Values values, KeysOut keys_out,
                                                          ValuesOut values_out)
{
    return thrust::reduce_by_key(p, first, last, values, keys_out, values_out, std::equal_to<>());
}
QN__WITHOUT_POLICY(reduce_by_key)

} // namespace thrust

#endif
