/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's iterators over what is not in memory, or not as it is there. */
#pragma clang system_header
#ifndef QN_THRUST_ITERATORS
#define QN_THRUST_ITERATORS

#include <thrust/quern_thrust_pointer.h>
#include <thrust/tuple.h>

namespace thrust
{

struct use_default {
};

template <class T, class System = use_default, class Traversal = use_default,
          class Difference = use_default>
class counting_iterator
    : public __qn_facade<counting_iterator<T, System, Traversal, Difference>, T, T, __qn_any_system>
{
    T value{};

  public:
    QN__HD counting_iterator() = default;
    QN__HD explicit counting_iterator(T v) : value(v)
    {
    }
    QN__HD T base() const
    {
        return value;
    }
    QN__HD T dereference() const
    {
        return value;
    }
    QN__HD void advance(ptrdiff_t n)
    {
        value = (T)(value + n);
    }
    QN__HD ptrdiff_t distance_to(const counting_iterator &o) const
    {
        return (ptrdiff_t)o.value - (ptrdiff_t)value;
    }
};
template <class T> QN__HD inline counting_iterator<T> make_counting_iterator(T v)
{
    return counting_iterator<T>(v);
}

template <class T, class Incrementable = use_default, class System = use_default>
class constant_iterator
    : public __qn_facade<constant_iterator<T, Incrementable, System>, T, T, __qn_any_system>
{
    T value{};
    ptrdiff_t at = 0;

  public:
    QN__HD constant_iterator() = default;
    QN__HD constant_iterator(const T &v, ptrdiff_t i = 0) : value(v), at(i)
    {
    }
    QN__HD const T &dereference() const
    {
        return value;
    }
    QN__HD void advance(ptrdiff_t n)
    {
        at += n;
    }
    QN__HD ptrdiff_t distance_to(const constant_iterator &o) const
    {
        return o.at - at;
    }
};
template <class T> QN__HD inline constant_iterator<T> make_constant_iterator(T v, ptrdiff_t i = 0)
{
    return constant_iterator<T>(v, i);
}

template <class System = use_default>
class discard_iterator
    : public __qn_facade<discard_iterator<System>, size_t, size_t &, __qn_any_system>
{
    ptrdiff_t at = 0;
    struct place {
        template <class T> QN__HD const place &operator=(const T &) const
        {
            return *this;
        }
    };

  public:
    QN__HD discard_iterator(ptrdiff_t i = 0) : at(i)
    {
    }
    QN__HD place dereference() const
    {
        return place();
    }
    QN__HD void advance(ptrdiff_t n)
    {
        at += n;
    }
    QN__HD ptrdiff_t distance_to(const discard_iterator &o) const
    {
        return o.at - at;
    }
};
QN__HD inline discard_iterator<> make_discard_iterator(ptrdiff_t i = 0)
{
    return discard_iterator<>(i);
}

namespace __qn
{
template <class T, class Default>
using given = std::conditional_t<std::is_same_v<T, use_default>, Default, T>;
/* What a function is applied to: a proxy's value on the host, the element itself in kernels. */
template <class It> QN__HD inline decltype(auto) element(const It &it)
{
    return *it;
}
template <class T> QN__HD inline auto element(const device_ptr<T> &p)
{
    return (std::remove_cv_t<T>)*p;
}
template <class F, class It>
using result_of = decltype(std::declval<F &>()(element(std::declval<const It &>())));
} // namespace __qn

template <class F, class It, class Reference = use_default, class Value = use_default>
class transform_iterator
    : public __qn_facade<
          transform_iterator<F, It, Reference, Value>,
          __qn::given<Value, __qn_wide::plain<__qn::given<Reference, __qn::result_of<F, It>>>>,
          __qn::given<Reference, __qn::result_of<F, It>>, typename __qn::system_of<It>::type>
{
    It from;
    F f;

  public:
    QN__HD transform_iterator() = default;
    QN__HD explicit transform_iterator(It i) : from(i), f()
    {
    }
    QN__HD transform_iterator(It i, F function) : from(i), f(function)
    {
    }
    QN__HD It base() const
    {
        return from;
    }
    QN__HD F functor() const
    {
        return f;
    }
    QN__HD __qn::given<Reference, __qn::result_of<F, It>> dereference() const
    {
        F function = f;
        return function(__qn::element(from));
    }
    QN__HD void advance(ptrdiff_t n)
    {
        from += n;
    }
    QN__HD ptrdiff_t distance_to(const transform_iterator &o) const
    {
        return o.from - from;
    }
};
template <class It, class F>
QN__HD inline transform_iterator<F, It> make_transform_iterator(It i, F f)
{
    return transform_iterator<F, It>(i, f);
}

template <class Element, class Index>
class permutation_iterator
    : public __qn_facade<
          permutation_iterator<Element, Index>, typename std::iterator_traits<Element>::value_type,
          typename std::iterator_traits<Element>::reference, __qn::joint_system<Element, Index>>
{
    Element elements;
    Index index;

  public:
    QN__HD permutation_iterator() = default;
    QN__HD permutation_iterator(Element e, Index i) : elements(e), index(i)
    {
    }
    QN__HD Index base() const
    {
        return index;
    }
    QN__HD Element __qn_elements() const
    {
        return elements;
    }
    QN__HD decltype(auto) dereference() const
    {
        return elements[(ptrdiff_t)__qn::element(index)];
    }
    QN__HD void advance(ptrdiff_t n)
    {
        index += n;
    }
    QN__HD ptrdiff_t distance_to(const permutation_iterator &o) const
    {
        return o.index - index;
    }
};
template <class Element, class Index>
QN__HD inline permutation_iterator<Element, Index> make_permutation_iterator(Element e, Index i)
{
    return permutation_iterator<Element, Index>(e, i);
}

template <class It>
class reverse_iterator
    : public __qn_facade<reverse_iterator<It>, typename std::iterator_traits<It>::value_type,
                         typename std::iterator_traits<It>::reference,
                         typename __qn::system_of<It>::type>
{
    It from;

  public:
    QN__HD reverse_iterator() = default;
    QN__HD explicit reverse_iterator(It i) : from(i)
    {
    }
    QN__HD It base() const
    {
        return from;
    }
    QN__HD decltype(auto) dereference() const
    {
        return from[-1];
    }
    QN__HD void advance(ptrdiff_t n)
    {
        from -= n;
    }
    QN__HD ptrdiff_t distance_to(const reverse_iterator &o) const
    {
        return from - o.from;
    }
};
template <class It> QN__HD inline reverse_iterator<It> make_reverse_iterator(It i)
{
    return reverse_iterator<It>(i);
}

template <class Tuple> class zip_iterator;
template <class... It>
class zip_iterator<tuple<It...>>
    : public __qn_facade<
          zip_iterator<tuple<It...>>, tuple<typename std::iterator_traits<It>::value_type...>,
          tuple<typename std::iterator_traits<It>::reference...>, __qn::joint_system<It...>>
{
    tuple<It...> its;
    template <size_t... i> QN__HD auto all(std::index_sequence<i...>) const
    {
        return tuple<decltype(*std::declval<const It &>())...>(*its.template at<i>()...);
    }
    template <size_t... i> QN__HD void move(ptrdiff_t n, std::index_sequence<i...>)
    {
        ((its.template at<i>() += n), ...);
    }

  public:
    QN__HD zip_iterator() = default;
    QN__HD zip_iterator(const tuple<It...> &t) : its(t)
    {
    }
    QN__HD const tuple<It...> &get_iterator_tuple() const
    {
        return its;
    }
    QN__HD auto dereference() const
    {
        return all(std::index_sequence_for<It...>());
    }
    QN__HD void advance(ptrdiff_t n)
    {
        move(n, std::index_sequence_for<It...>());
    }
    QN__HD ptrdiff_t distance_to(const zip_iterator &o) const
    {
        return o.its.template at<0>() - its.template at<0>();
    }
};
template <class... It>
QN__HD inline zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &t)
{
    return zip_iterator<tuple<It...>>(t);
}
template <class First, class... It, std::enable_if_t<!__qn::is_tuple<First>::value, int> = 0>
QN__HD inline zip_iterator<tuple<First, It...>> make_zip_iterator(First first, It... it)
{
    return zip_iterator<tuple<First, It...>>(tuple<First, It...>(first, it...));
}
/* Calls a function of several arguments with the members of a tuple. */
template <class F> class zip_function
{
    F f;
    template <class Tuple, size_t... i>
    QN__HD decltype(auto) call(Tuple &&t, std::index_sequence<i...>) const
    {
        F function = f;
        return function(thrust::get<i>(t)...);
    }

  public:
    QN__HD zip_function(F function) : f(function)
    {
    }
    template <class Tuple> QN__HD decltype(auto) operator()(Tuple &&t) const
    {
        return call(t, std::make_index_sequence<std::tuple_size<__qn_wide::plain<Tuple>>::value>());
    }
};
template <class F> QN__HD inline zip_function<F> make_zip_function(F f)
{
    return zip_function<F>(f);
}

/* ---- without device_ptr in them, for kernels ---- */

namespace __qn
{
template <class F, class It, class R, class V> struct raw_of<transform_iterator<F, It, R, V>> {
    static QN__HD auto of(const transform_iterator<F, It, R, V> &it)
    {
        return transform_iterator<F, decltype(raw(it.base())), R, V>(raw(it.base()), it.functor());
    }
};
template <class E, class I> struct raw_of<permutation_iterator<E, I>> {
    static QN__HD auto of(const permutation_iterator<E, I> &it)
    {
        return thrust::make_permutation_iterator(raw(it.__qn_elements()), raw(it.base()));
    }
};
template <class It> struct raw_of<reverse_iterator<It>> {
    static QN__HD auto of(const reverse_iterator<It> &it)
    {
        return thrust::make_reverse_iterator(raw(it.base()));
    }
};
template <class... It> struct raw_of<zip_iterator<tuple<It...>>> {
    template <size_t... i> static QN__HD auto each(const tuple<It...> &t, std::index_sequence<i...>)
    {
        return thrust::make_zip_iterator(thrust::make_tuple(raw(t.template at<i>())...));
    }
    static QN__HD auto of(const zip_iterator<tuple<It...>> &it)
    {
        return each(it.get_iterator_tuple(), std::index_sequence_for<It...>());
    }
};
} // namespace __qn

} // namespace thrust

#endif
