/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's algorithms that make one value of many. */
#pragma clang system_header
#ifndef QN_THRUST_REDUCE
#define QN_THRUST_REDUCE

#include <thrust/functional.h>
#include <thrust/quern_thrust_transform.h>
#include <wide/quern_wide_reduce.h>

namespace thrust
{

namespace __qn
{
template <class T, class P, class Load, class Op>
inline T reduced(const P &p, size_t n, Load load, Op op, T init)
{
    const temporary<T> room(__qn_wide::REDUCE_BLOCKS + 1);
    T *const out = room.get() + __qn_wide::REDUCE_BLOCKS;
    check(__qn_wide::reduce_from<T>(p.stream, room.get(), n, load, op, init, out),
          "thrust: a reduction");
    return room.fetch(p, __qn_wide::REDUCE_BLOCKS);
}
} // namespace __qn

template <QN__POLICY, class It, class F, class T, class Op>
QN__HD inline T transform_reduce(QnPolicy p, It first, It last, F f, T init, Op op)
{
    QN__ON_DEVICE
    {
        auto it = __qn::raw(first);
        return __qn::reduced<T>(
            p, (size_t)(last - first), [=] __device__(size_t i) mutable { return (T)f(it[i]); }, op,
            init);
    }
    else
    {
        for (; first != last; ++first)
            init = op(init, f(*first));
        return init;
    }
}
template <QN__POLICY, class It, class T, class Op>
QN__HD inline T reduce(QnPolicy p, It first, It last, T init, Op op)
{
    return thrust::transform_reduce(p, first, last, __qn::itself(), init, op);
}
template <QN__POLICY, class It, class T>
QN__HD inline T reduce(QnPolicy p, It first, It last, T init)
{
    return thrust::reduce(p, first, last, init, std::plus<>());
}
template <QN__POLICY, class It> QN__HD inline auto reduce(QnPolicy p, It first, It last)
{
    return thrust::reduce(p, first, last, __qn::val<It>(), std::plus<>());
}
QN__WITHOUT_POLICY(transform_reduce)
QN__WITHOUT_POLICY(reduce)

template <QN__POLICY, class A, class B, class T, class Plus, class Times>
QN__HD inline T inner_product(QnPolicy p, A first, A last, B second, T init, Plus plus, Times times)
{
    QN__ON_DEVICE
    {
        auto a = __qn::raw(first);
        auto b = __qn::raw(second);
        return __qn::reduced<T>(
            p, (size_t)(last - first),
            [=] __device__(size_t i) mutable { return (T)times(a[i], b[i]); }, plus, init);
    }
    else
    {
        for (; first != last; ++first, ++second)
            init = plus(init, times(*first, *second));
        return init;
    }
}
template <QN__POLICY, class A, class B, class T>
QN__HD inline T inner_product(QnPolicy p, A first, A last, B second, T init)
{
    return thrust::inner_product(p, first, last, second, init, std::plus<>(), std::multiplies<>());
}
QN__WITHOUT_POLICY(inner_product)

/* ---- counting ---- */

namespace __qn
{
template <class Predicate> struct counted {
    Predicate predicate;
    template <class T> QN__HD ptrdiff_t operator()(T &&v)
    {
        return predicate(static_cast<T &&>(v)) ? 1 : 0;
    }
};
} // namespace __qn
template <QN__POLICY, class It, class Predicate>
QN__HD inline ptrdiff_t count_if(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::transform_reduce(p, first, last, __qn::counted<Predicate>{predicate},
                                    (ptrdiff_t)0, std::plus<ptrdiff_t>());
}
template <QN__POLICY, class It, class T>
QN__HD inline ptrdiff_t count(QnPolicy p, It first, It last, const T &value)
{
    return thrust::count_if(p, first, last, __qn::equals<T>{value});
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline bool all_of(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::count_if(p, first, last, predicate) == last - first;
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline bool any_of(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::count_if(p, first, last, predicate) > 0;
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline bool none_of(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::count_if(p, first, last, predicate) == 0;
}
QN__WITHOUT_POLICY(count_if)
QN__WITHOUT_POLICY(count)
QN__WITHOUT_POLICY(all_of)
QN__WITHOUT_POLICY(any_of)
QN__WITHOUT_POLICY(none_of)

/* ---- finding: the first place where something holds ---- */

namespace __qn
{
/* Of n places the first where test(i) holds, else n. */
template <class P, class Test> QN__HD inline size_t first_of(P p, size_t n, Test test)
{
    if constexpr (P::is_device) {
        return reduced<size_t>(
            p, n, [=] __device__(size_t i) mutable { return test(i) ? i : n; },
            ::cuda::minimum<size_t>(), n);
    } else {
        for (size_t i = 0; i < n; i++)
            if (test(i))
                return i;
        return n;
    }
}
template <class It, class Predicate> struct test_one {
    It it;
    Predicate predicate;
    QN__HD bool operator()(size_t i)
    {
        return predicate(it[i]);
    }
};
template <class A, class B, class Equal> struct test_differs {
    A a;
    B b;
    Equal equal;
    QN__HD bool operator()(size_t i)
    {
        return !equal(a[i], b[i]);
    }
};
template <class It, class Less> struct test_falls {
    It it;
    Less less;
    QN__HD bool operator()(size_t i)
    {
        return less(it[i + 1], it[i]);
    }
};
template <class Predicate> struct inverse {
    Predicate predicate;
    template <class T> QN__HD bool operator()(T &&v)
    {
        return !predicate(static_cast<T &&>(v));
    }
};
} // namespace __qn
template <QN__POLICY, class It, class Predicate>
QN__HD inline It find_if(QnPolicy p, It first, It last, Predicate predicate)
{
    auto it = __qn::raw_for(p, first);
    return first + __qn::first_of(p, (size_t)(last - first),
                                  __qn::test_one<decltype(it), Predicate>{it, predicate});
}
template <QN__POLICY, class It, class Predicate>
QN__HD inline It find_if_not(QnPolicy p, It first, It last, Predicate predicate)
{
    return thrust::find_if(p, first, last, __qn::inverse<Predicate>{predicate});
}
template <QN__POLICY, class It, class T>
QN__HD inline It find(QnPolicy p, It first, It last, const T &value)
{
    return thrust::find_if(p, first, last, __qn::equals<T>{value});
}
template <QN__POLICY, class A, class B, class Equal>
QN__HD inline std::pair<A, B> mismatch(QnPolicy p, A first, A last, B second, Equal equal)
{
    auto a = __qn::raw_for(p, first);
    auto b = __qn::raw_for(p, second);
    const size_t i =
        __qn::first_of(p, (size_t)(last - first),
                       __qn::test_differs<decltype(a), decltype(b), Equal>{a, b, equal});
    return std::pair<A, B>(first + i, second + i);
}
template <QN__POLICY, class A, class B>
QN__HD inline std::pair<A, B> mismatch(QnPolicy p, A first, A last, B second)
{
    return thrust::mismatch(p, first, last, second, std::equal_to<>());
}
template <QN__POLICY, class A, class B, class Equal>
QN__HD inline bool equal(QnPolicy p, A first, A last, B second, Equal equal)
{
    return thrust::mismatch(p, first, last, second, equal).first == last;
}
template <QN__POLICY, class A, class B>
QN__HD inline bool equal(QnPolicy p, A first, A last, B second)
{
    return thrust::equal(p, first, last, second, std::equal_to<>());
}
template <QN__POLICY, class It, class Less>
QN__HD inline It is_sorted_until(QnPolicy p, It first, It last, Less less)
{
    auto it = __qn::raw_for(p, first);
    const size_t n = (size_t)(last - first), n_pairs = n ? n - 1 : 0;
    const size_t i = __qn::first_of(p, n_pairs, __qn::test_falls<decltype(it), Less>{it, less});
    return i == n_pairs ? last : first + i + 1;
}
template <QN__POLICY, class It> QN__HD inline It is_sorted_until(QnPolicy p, It first, It last)
{
    return thrust::is_sorted_until(p, first, last, std::less<>());
}
template <QN__POLICY, class It, class Less>
QN__HD inline bool is_sorted(QnPolicy p, It first, It last, Less less)
{
    return thrust::is_sorted_until(p, first, last, less) == last;
}
template <QN__POLICY, class It> QN__HD inline bool is_sorted(QnPolicy p, It first, It last)
{
    return thrust::is_sorted(p, first, last, std::less<>());
}
QN__WITHOUT_POLICY(find_if)
QN__WITHOUT_POLICY(find_if_not)
QN__WITHOUT_POLICY(find)
QN__WITHOUT_POLICY(mismatch)
QN__WITHOUT_POLICY(equal)
QN__WITHOUT_POLICY(is_sorted_until)
QN__WITHOUT_POLICY(is_sorted)

/* ---- smallest and largest: the first of equal ones, as in std ---- */

namespace __qn
{
struct places {
    size_t low, high;
};
/* Of equal ones the first smallest and largest. (std::minmax_element takes the last largest;
 * Thrust says that it takes the first.) */
template <class It, class Less> struct join_places {
    It it;
    Less less;
    QN__HD places operator()(const places &a, const places &b)
    {
        places r = a;
        const bool low_falls = less(it[b.low], it[a.low]);
        if (low_falls || (b.low < a.low && !less(it[a.low], it[b.low])))
            r.low = b.low;
        const bool high_rises = less(it[a.high], it[b.high]);
        if (high_rises || (b.high < a.high && !less(it[b.high], it[a.high])))
            r.high = b.high;
        return r;
    }
};
template <class P, class It, class Less>
QN__HD inline places extremes(P p, It first, It last, Less less)
{
    auto it = raw_for(p, first);
    const size_t n = (size_t)(last - first);
    if (n == 0)
        return places{0, 0};
    join_places<decltype(it), Less> join{it, less};
    if constexpr (P::is_device) {
        return reduced<places>(
            p, n, [=] __device__(size_t i) { return places{i, i}; }, join, places{0, 0});
    } else {
        places r{0, 0};
        for (size_t i = 1; i < n; i++)
            r = join(r, places{i, i});
        return r;
    }
}
} // namespace __qn
template <QN__POLICY, class It, class Less>
QN__HD inline std::pair<It, It> minmax_element(QnPolicy p, It first, It last, Less less)
{
    const __qn::places at = __qn::extremes(p, first, last, less);
    return std::pair<It, It>(first + at.low, first + at.high);
}
template <QN__POLICY, class It>
QN__HD inline std::pair<It, It> minmax_element(QnPolicy p, It first, It last)
{
    return thrust::minmax_element(p, first, last, std::less<>());
}
template <QN__POLICY, class It, class Less>
QN__HD inline It min_element(QnPolicy p, It first, It last, Less less)
{
    return first + __qn::extremes(p, first, last, less).low;
}
template <QN__POLICY, class It> QN__HD inline It min_element(QnPolicy p, It first, It last)
{
    return thrust::min_element(p, first, last, std::less<>());
}
template <QN__POLICY, class It, class Less>
QN__HD inline It max_element(QnPolicy p, It first, It last, Less less)
{
    return first + __qn::extremes(p, first, last, less).high;
}
template <QN__POLICY, class It> QN__HD inline It max_element(QnPolicy p, It first, It last)
{
    return thrust::max_element(p, first, last, std::less<>());
}
QN__WITHOUT_POLICY(minmax_element)
QN__WITHOUT_POLICY(min_element)
QN__WITHOUT_POLICY(max_element)

template <class T> QN__HD inline T min(const T &a, const T &b)
{
    return b < a ? b : a;
}
template <class T> QN__HD inline T max(const T &a, const T &b)
{
    return a < b ? b : a;
}

} // namespace thrust

#endif
