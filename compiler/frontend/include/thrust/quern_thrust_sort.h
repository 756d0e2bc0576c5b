/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's sorts, all of them stable, merges, and searches in what is sorted. */
#pragma clang system_header
#ifndef QN_THRUST_SORT
#define QN_THRUST_SORT

#include <thrust/functional.h>
#include <thrust/quern_thrust_transform.h>
#include <wide/quern_wide_sort.h>

#include <algorithm>
#include <vector>

namespace thrust
{

namespace __qn
{
/* On the host by the standard library; a thread of a kernel sorts by insertion. */
template <class K, class V, class Less>
QN__HD inline void sort_here(K keys, V values, size_t n, Less less)
{
    constexpr bool has_values = !std::is_same_v<V, __qn_wide::no_value>;
    typedef val<K> Key;
#ifdef __CUDA_ARCH__
    for (size_t i = 1; i < n; i++)
        for (size_t at = i; at > 0 && less(keys[at], keys[at - 1]); at--) {
            const Key key = keys[at];
            keys[at] = keys[at - 1];
            keys[at - 1] = key;
            if constexpr (has_values) {
                const val<V> value = values[at];
                values[at] = values[at - 1];
                values[at - 1] = value;
            }
        }
#else
    typedef std::pair<Key, size_t> Place;
    std::vector<Place> places;
    places.reserve(n);
    for (size_t i = 0; i < n; i++)
        places.push_back(Place((Key)keys[i], i));
    std::stable_sort(places.begin(), places.end(),
                     [&](const Place &a, const Place &b) { return less(a.first, b.first); });
    if constexpr (has_values) {
        std::vector<val<V>> old(values, values + n);
        for (size_t i = 0; i < n; i++)
            values[i] = old[places[i].second];
    }
    for (size_t i = 0; i < n; i++)
        keys[i] = places[i].first;
#endif
}
template <class V> struct value_type_of {
    typedef val<V> type;
};
template <> struct value_type_of<__qn_wide::no_value> {
    typedef __qn_wide::no_value type;
};
template <class P, class K, class V, class Less>
inline void sort_there(const P &p, K keys, V values, size_t n, Less less)
{
    using namespace __qn_wide;
    typedef val<K> Key;
    typedef typename value_type_of<V>::type Value;
    workspace sizes(nullptr);
    (void)sort_room<Key, Value>(sizes, n);
    const temporary<char> room(sizes.bytes());
    workspace parts(room.get());
    const sort_room<Key, Value> both(parts, n);
    check(sort_copy<Key, Value>(p.stream, both, n, keys, values, keys, values, less),
          "thrust: a sort");
    wait(p);
}
} // namespace __qn

template <QN__POLICY, class Keys, class Values, class Less>
QN__HD inline void stable_sort_by_key(QnPolicy p, Keys first, Keys last, Values values, Less less)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    __qn::sort_there(p, __qn::raw(first), __qn::raw(values), n, less);
    else __qn::sort_here(first, values, n, less);
}
template <QN__POLICY, class It, class Less>
QN__HD inline void stable_sort(QnPolicy p, It first, It last, Less less)
{
    const size_t n = (size_t)(last - first);
    QN__ON_DEVICE
    __qn::sort_there(p, __qn::raw(first), __qn_wide::no_value(), n, less);
    else __qn::sort_here(first, __qn_wide::no_value(), n, less);
}
template <QN__POLICY, class Keys, class Values>
QN__HD inline void stable_sort_by_key(QnPolicy p, Keys first, Keys last, Values values)
{
    thrust::stable_sort_by_key(p, first, last, values, std::less<>());
}
template <QN__POLICY, class It> QN__HD inline void stable_sort(QnPolicy p, It first, It last)
{
    thrust::stable_sort(p, first, last, std::less<>());
}
template <QN__POLICY, class... A> QN__HD inline void sort_by_key(QnPolicy p, A... a)
{
    thrust::stable_sort_by_key(p, a...);
}
template <QN__POLICY, class... A> QN__HD inline void sort(QnPolicy p, A... a)
{
    thrust::stable_sort(p, a...);
}
QN__WITHOUT_POLICY(stable_sort_by_key)
QN__WITHOUT_POLICY(stable_sort)
QN__WITHOUT_POLICY(sort_by_key)
QN__WITHOUT_POLICY(sort)

/* ---- merges ---- */

template <QN__POLICY, class A, class B, class Out, class Less>
QN__HD inline Out merge(QnPolicy p, A first1, A last1, B first2, B last2, Out out, Less less)
{
    const size_t n1 = (size_t)(last1 - first1), n2 = (size_t)(last2 - first2);
    QN__ON_DEVICE
    {
        auto a = __qn::raw(first1);
        auto b = __qn::raw(first2);
        auto to = __qn::raw(out);
        __qn::run(p, n1 + n2, [=] __device__(size_t d) mutable {
            const size_t i = __qn_wide::merge_split(a, n1, b, n2, d, less), j = d - i;
            if (i < n1 && (j == n2 || !less(b[j], a[i])))
                to[d] = a[i];
            else
                to[d] = b[j];
        });
    }
    else
    {
        size_t i = 0, j = 0;
        for (size_t d = 0; d < n1 + n2; d++)
            if (i < n1 && (j == n2 || !less(first2[j], first1[i])))
                out[d] = first1[i++];
            else
                out[d] = first2[j++];
    }
    return out + (n1 + n2);
}
template <QN__POLICY, class A, class B, class Out>
QN__HD inline Out merge(QnPolicy p, A first1, A last1, B first2, B last2, Out out)
{
    return thrust::merge(p, first1, last1, first2, last2, out, std::less<>());
}
QN__WITHOUT_POLICY(merge)

/* ---- searches: of one value, or of each of a range ---- */

namespace __qn
{
template <class It, class T, class Less>
QN__HD inline size_t lower_of(It it, size_t n, const T &v, Less &less)
{
    size_t low = 0;
    while (low < n) {
        const size_t middle = low + (n - low) / 2;
        if (less(it[middle], v))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}
template <class It, class T, class Less>
QN__HD inline size_t upper_of(It it, size_t n, const T &v, Less &less)
{
    size_t low = 0;
    while (low < n) {
        const size_t middle = low + (n - low) / 2;
        if (less(v, it[middle]))
            n = middle;
        else
            low = middle + 1;
    }
    return low;
}
struct find_lower {
    template <class It, class T, class Less>
    QN__HD size_t operator()(It it, size_t n, const T &v, Less &less) const
    {
        return lower_of(it, n, v, less);
    }
};
struct find_upper {
    template <class It, class T, class Less>
    QN__HD size_t operator()(It it, size_t n, const T &v, Less &less) const
    {
        return upper_of(it, n, v, less);
    }
};
struct find_any {
    template <class It, class T, class Less>
    QN__HD bool operator()(It it, size_t n, const T &v, Less &less) const
    {
        const size_t at = lower_of(it, n, v, less);
        return at < n && !less(v, it[at]);
    }
};
template <class How, class P, class It, class Values, class Out, class Less>
QN__HD inline Out search_all(P p, It first, It last, Values values, Values values_last, Out out,
                             Less less)
{
    const size_t n = (size_t)(last - first), n_values = (size_t)(values_last - values);
    if constexpr (P::is_device) {
        auto it = raw(first);
        auto v = raw(values);
        auto to = raw(out);
        run(p, n_values, [=] __device__(size_t i) mutable { to[i] = How()(it, n, v[i], less); });
    } else
        for (size_t i = 0; i < n_values; i++)
            out[i] = How()(first, n, values[i], less);
    return out + n_values;
}
template <class How, class P, class It, class T, class Less>
QN__HD inline size_t search_one(P p, It first, It last, const T &value, Less less)
{
    const size_t n = (size_t)(last - first);
    if constexpr (P::is_device) {
        const temporary<size_t> room(1);
        size_t *const to = room.get();
        auto it = raw(first);
        const T v = value;
        check(__qn_wide::for_each(
                  p.stream, 1,
                  [=] __device__(size_t) mutable { *to = (size_t)How()(it, n, v, less); }),
              "thrust: a search");
        return room.fetch(p);
    } else
        return (size_t)How()(first, n, value, less);
}
} // namespace __qn

#define QN__SEARCH(name, how)                                                                      \
    template <QN__POLICY, class It, class T, class Less>                                           \
    QN__HD inline It name(QnPolicy p, It first, It last, const T &value, Less less)                \
    {                                                                                              \
        return first + __qn::search_one<how>(p, first, last, value, less);                         \
    }                                                                                              \
    template <QN__POLICY, class It, class T>                                                       \
    QN__HD inline It name(QnPolicy p, It first, It last, const T &value)                           \
    {                                                                                              \
        return thrust::name(p, first, last, value, std::less<>());                                 \
    }                                                                                              \
    template <QN__POLICY, class It, class Values, class Out, class Less>                           \
    QN__HD inline Out name(QnPolicy p, It first, It last, Values values, Values values_last,       \
                           Out out, Less less)                                                     \
    {                                                                                              \
        return __qn::search_all<how>(p, first, last, values, values_last, out, less);              \
    }                                                                                              \
    template <QN__POLICY, class It, class Values, class Out>                                       \
    QN__HD inline Out name(QnPolicy p, It first, It last, Values values, Values values_last,       \
                           Out out)                                                                \
    {                                                                                              \
        return thrust::name(p, first, last, values, values_last, out, std::less<>());              \
    }                                                                                              \
    QN__WITHOUT_POLICY(name)
QN__SEARCH(lower_bound, __qn::find_lower)
QN__SEARCH(upper_bound, __qn::find_upper)
#undef QN__SEARCH

template <QN__POLICY, class It, class T, class Less>
QN__HD inline bool binary_search(QnPolicy p, It first, It last, const T &value, Less less)
{
    return __qn::search_one<__qn::find_any>(p, first, last, value, less) != 0;
}
template <QN__POLICY, class It, class T>
QN__HD inline bool binary_search(QnPolicy p, It first, It last, const T &value)
{
    return thrust::binary_search(p, first, last, value, std::less<>());
}
template <QN__POLICY, class It, class Values, class Out, class Less>
QN__HD inline Out binary_search(QnPolicy p, It first, It last, Values values, Values values_last,
                                Out out, Less less)
{
    return __qn::search_all<__qn::find_any>(p, first, last, values, values_last, out, less);
}
template <QN__POLICY, class It, class Values, class Out>
QN__HD inline Out binary_search(QnPolicy p, It first, It last, Values values, Values values_last,
                                Out out)
{
    return thrust::binary_search(p, first, last, values, values_last, out, std::less<>());
}
QN__WITHOUT_POLICY(binary_search)
template <QN__POLICY, class It, class T>
QN__HD inline std::pair<It, It> equal_range(QnPolicy p, It first, It last, const T &value)
{
    return std::pair<It, It>(thrust::lower_bound(p, first, last, value),
                             thrust::upper_bound(p, first, last, value));
}
QN__WITHOUT_POLICY(equal_range)

} // namespace thrust

#endif
