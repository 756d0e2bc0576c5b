/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's prefix sums. */
#pragma clang system_header
#ifndef QN_THRUST_SCAN
#define QN_THRUST_SCAN

#include <thrust/quern_thrust_transform.h>
#include <wide/quern_wide_scan.h>

namespace thrust
{

namespace __qn
{
template <class T, class P, class Load, class Op, class Store>
inline void scanned(const P &p, size_t n, Load load, Op op, Store store)
{
    const temporary<T> tiles(n / __qn_wide::SCAN_TILE + 1);
    check(__qn_wide::scan<T>(p.stream, tiles.get(), n, load, op, store), "thrust: a scan");
    wait(p);
}
} // namespace __qn

template <QN__POLICY, class In, class Out, class Op>
QN__HD inline Out inclusive_scan(QnPolicy p, In first, In last, Out out, Op op)
{
    typedef __qn::val<In> T;
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        auto from = __qn::raw(first);
        auto to = __qn::raw(out);
        __qn::scanned<T>(p, n, __qn_wide::load_as<T, decltype(from)>{from}, op,
                         __qn_wide::store_inclusive<T, decltype(to)>{to});
    }
    else if (n)
    {
        T sum = *first;
        for (size_t i = 0; i < n; i++) {
            if (i)
                sum = op(sum, first[i]);
            out[i] = sum;
        }
    }
    return out + n;
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out inclusive_scan(QnPolicy p, In first, In last, Out out)
{
    return thrust::inclusive_scan(p, first, last, out, std::plus<>());
}
template <QN__POLICY, class In, class Out, class T, class Op>
QN__HD inline Out exclusive_scan(QnPolicy p, In first, In last, Out out, T init, Op op)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        auto from = __qn::raw(first);
        auto to = __qn::raw(out);
        __qn::scanned<T>(p, n, __qn_wide::load_as<T, decltype(from)>{from}, op,
                         __qn_wide::store_exclusive<T, decltype(to), Op>{to, op, init});
    }
    else
    {
        T sum = init;
        for (size_t i = 0; i < n; i++) {
            const T v = first[i];
            out[i] = sum;
            sum = op(sum, v);
        }
    }
    return out + n;
}
template <QN__POLICY, class In, class Out, class T>
QN__HD inline Out exclusive_scan(QnPolicy p, In first, In last, Out out, T init)
{
    return thrust::exclusive_scan(p, first, last, out, init, std::plus<>());
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out exclusive_scan(QnPolicy p, In first, In last, Out out)
{
    return thrust::exclusive_scan(p, first, last, out, __qn::val<In>(), std::plus<>());
}
template <QN__POLICY, class In, class Out, class F, class Op>
QN__HD inline Out transform_inclusive_scan(QnPolicy p, In first, In last, Out out, F f, Op op)
{
    return thrust::inclusive_scan(p, thrust::make_transform_iterator(first, f),
                                  thrust::make_transform_iterator(last, f), out, op);
}
template <QN__POLICY, class In, class Out, class F, class T, class Op>
QN__HD inline Out transform_exclusive_scan(QnPolicy p, In first, In last, Out out, F f, T init,
                                           Op op)
{
    return thrust::exclusive_scan(p, thrust::make_transform_iterator(first, f),
                                  thrust::make_transform_iterator(last, f), out, init, op);
}
QN__WITHOUT_POLICY(inclusive_scan)
QN__WITHOUT_POLICY(exclusive_scan)
QN__WITHOUT_POLICY(transform_inclusive_scan)
QN__WITHOUT_POLICY(transform_exclusive_scan)

/* ---- by key ---- */

template <QN__POLICY, class Keys, class In, class Out, class Equal, class Op>
QN__HD inline Out inclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out,
                                        Equal equal, Op op)
{
    typedef __qn::val<In> T;
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        using namespace __qn_wide;
        auto keys = __qn::raw(first);
        auto from = __qn::raw(in);
        auto to = __qn::raw(out);
        typedef is_head<decltype(keys), Equal> Head;
        __qn::scanned<headed<T>>(p, n,
                                 load_headed<T, Head, decltype(from)>{Head{keys, equal}, from},
                                 headed_op<T, Op>{op}, store_inclusive_headed<T, decltype(to)>{to});
    }
    else if (n)
    {
        T sum = *in;
        for (size_t i = 0; i < n; i++) {
            const T v = in[i];
            sum = i && equal(first[i - 1], first[i]) ? (T)op(sum, v) : v;
            out[i] = sum;
        }
    }
    return out + n;
}
template <QN__POLICY, class Keys, class In, class Out, class T, class Equal, class Op>
QN__HD inline Out exclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out, T init,
                                        Equal equal, Op op)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    {
        using namespace __qn_wide;
        auto keys = __qn::raw(first);
        auto from = __qn::raw(in);
        auto to = __qn::raw(out);
        typedef is_head<decltype(keys), Equal> Head;
        __qn::scanned<headed<T>>(
            p, n, load_headed<T, Head, decltype(from)>{Head{keys, equal}, from},
            headed_op<T, Op>{op}, store_exclusive_headed<T, decltype(to), Op>{to, op, init});
    }
    else
    {
        T sum = init;
        for (size_t i = 0; i < n; i++) {
            const T v = in[i];
            if (i && !equal(first[i - 1], first[i]))
                sum = init;
            out[i] = sum;
            sum = op(sum, v);
        }
    }
    return out + n;
}
template <QN__POLICY, class Keys, class In, class Out, class Equal>
QN__HD inline Out inclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out,
                                        Equal equal)
{
    return thrust::inclusive_scan_by_key(p, first, last, in, out, equal, std::plus<>());
}
template <QN__POLICY, class Keys, class In, class Out>
QN__HD inline Out inclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out)
{
    return thrust::inclusive_scan_by_key(p, first, last, in, out, std::equal_to<>());
}
template <QN__POLICY, class Keys, class In, class Out, class T, class Equal>
QN__HD inline Out exclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out, T init,
                                        Equal equal)
{
    return thrust::exclusive_scan_by_key(p, first, last, in, out, init, equal, std::plus<>());
}
template <QN__POLICY, class Keys, class In, class Out, class T>
QN__HD inline Out exclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out, T init)
{
    return thrust::exclusive_scan_by_key(p, first, last, in, out, init, std::equal_to<>());
}
template <QN__POLICY, class Keys, class In, class Out>
QN__HD inline Out exclusive_scan_by_key(QnPolicy p, Keys first, Keys last, In in, Out out)
{
    return thrust::exclusive_scan_by_key(p, first, last, in, out, __qn::val<In>());
}
QN__WITHOUT_POLICY(inclusive_scan_by_key)
QN__WITHOUT_POLICY(exclusive_scan_by_key)

} // namespace thrust

#endif
