/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library: pair, initializer_list, integer sequences, tuple and array. Host code must
 * parse, no more; what kernels use is defined. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_TUPLE_H
#define QN_STD_QUERN_STD_TUPLE_H

#include <quern_std_traits.h>

namespace std
{
template <class T, class U> struct pair {
    typedef T first_type;
    typedef U second_type;
    T first;
    U second;
    constexpr pair() : first(), second()
    {
    }
    constexpr pair(const T &a, const U &b) : first(a), second(b)
    {
    }
    template <class A, class B>
    constexpr pair(A &&a, B &&b) : first(std::forward<A>(a)), second(std::forward<B>(b))
    {
    }
    template <class A, class B>
    constexpr pair(const pair<A, B> &o) : first(o.first), second(o.second)
    {
    }
    constexpr pair(const pair &) = default;
    constexpr pair &operator=(const pair &) = default;
};
template <class T, class U> pair(T, U) -> pair<T, U>;
template <class T, class U> constexpr pair<decay_t<T>, decay_t<U>> make_pair(T &&a, U &&b)
{
    return pair<decay_t<T>, decay_t<U>>(std::forward<T>(a), std::forward<U>(b));
}
template <class T, class U> constexpr bool operator==(const pair<T, U> &a, const pair<T, U> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <class T, class U> constexpr bool operator!=(const pair<T, U> &a, const pair<T, U> &b)
{
    return !(a == b);
}
template <class T, class U> constexpr bool operator<(const pair<T, U> &a, const pair<T, U> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <class T, class U> constexpr bool operator>(const pair<T, U> &a, const pair<T, U> &b)
{
    return b < a;
}
template <class T, class U> constexpr bool operator<=(const pair<T, U> &a, const pair<T, U> &b)
{
    return !(b < a);
}
template <class T, class U> constexpr bool operator>=(const pair<T, U> &a, const pair<T, U> &b)
{
    return !(a < b);
}

template <class T> class initializer_list
{
    const T *begin_;
    size_t size_;

  public:
    typedef T value_type;
    constexpr initializer_list() : begin_(nullptr), size_(0)
    {
    }
    constexpr size_t size() const
    {
        return size_;
    }
    constexpr const T *begin() const
    {
        return begin_;
    }
    constexpr const T *end() const
    {
        return begin_ + size_;
    }
};

template <class T, T... i> struct integer_sequence {
    typedef T value_type;
    static constexpr size_t size()
    {
        return sizeof...(i);
    }
};
template <size_t... i> using index_sequence = integer_sequence<size_t, i...>;
template <class T, T n> using make_integer_sequence = __make_integer_seq<integer_sequence, T, n>;
template <size_t n> using make_index_sequence = make_integer_sequence<size_t, n>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class> struct tuple_size;
template <class, class T> struct __qn_const_size {
};
template <class T>
struct __qn_const_size<void_t<decltype(tuple_size<T>::value)>, T> : tuple_size<T> {
};
template <class T> struct tuple_size<const T> : __qn_const_size<void, T> {
};
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t i, class T> struct tuple_element {
    typedef typename T::template __qn_element<i> type;
};
template <size_t i, class T> struct tuple_element<i, const T> {
    typedef const typename tuple_element<i, T>::type type;
};
template <size_t i, class T> using tuple_element_t = typename tuple_element<i, T>::type;
template <size_t i, class T> struct __qn_leaf {
    T value;
};
template <class, class...> struct __qn_tuple;
template <size_t... i, class... T>
struct __qn_tuple<index_sequence<i...>, T...> : __qn_leaf<i, T>... {
    constexpr __qn_tuple() : __qn_leaf<i, T>()...
    {
    }
    template <class... U>
    constexpr __qn_tuple(int, U &&...v) : __qn_leaf<i, T>{static_cast<T>(std::forward<U>(v))}...
    {
    }
};
template <size_t i, class T> constexpr const T &__qn_value_of(const __qn_leaf<i, T> &l)
{
    return l.value;
}
template <class... T> struct tuple : __qn_tuple<index_sequence_for<T...>, T...> {
    template <size_t i> using __qn_element = __type_pack_element<i, T...>;
    constexpr tuple() = default;
    template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) && sizeof...(U) != 0 &&
                                              !(is_same_v<remove_cvref_t<U>, tuple> || ...)>>
    constexpr tuple(U &&...v) : __qn_tuple<index_sequence_for<T...>, T...>(0, std::forward<U>(v)...)
    {
    }
    template <class U> constexpr tuple &operator=(const U &);
    template <class... U,
              class = enable_if_t<sizeof...(U) == sizeof...(T) && !(is_same_v<U, T> && ...) &&
                                  !(is_constructible_v<T, const tuple<U...> &> || ...)>>
    constexpr tuple(const tuple<U...> &o) : tuple(o, index_sequence_for<T...>())
    {
    }

  private:
    template <class O, size_t... i>
    constexpr tuple(const O &o, index_sequence<i...>)
        : __qn_tuple<index_sequence_for<T...>, T...>(0, __qn_value_of<i>(o)...)
    {
    }
};
template <> struct tuple<> {
};
template <class... T> tuple(T...) -> tuple<T...>;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {
};
template <class T, class U> struct tuple_size<pair<T, U>> : integral_constant<size_t, 2> {
};
template <class T, class U> struct tuple_element<0, pair<T, U>> {
    typedef T type;
};
template <class T, class U> struct tuple_element<1, pair<T, U>> {
    typedef U type;
};
template <size_t i, class T> constexpr T &__qn_get(__qn_leaf<i, T> &l)
{
    return l.value;
}
template <size_t i, class T> constexpr const T &__qn_get(const __qn_leaf<i, T> &l)
{
    return l.value;
}
template <size_t i, class... T> constexpr auto &get(tuple<T...> &t)
{
    return __qn_get<i>(t);
}
template <size_t i, class... T> constexpr const auto &get(const tuple<T...> &t)
{
    return __qn_get<i>(t);
}
template <size_t i, class T, class U> constexpr auto &get(pair<T, U> &p)
{
    if constexpr (i == 0)
        return p.first;
    else
        return p.second;
}
template <size_t i, class T, class U> constexpr const auto &get(const pair<T, U> &p)
{
    if constexpr (i == 0)
        return p.first;
    else
        return p.second;
}
template <size_t i, class... T> constexpr auto &&get(tuple<T...> &&t)
{
    return static_cast<typename tuple<T...>::template __qn_element<i> &&>(__qn_get<i>(t));
}
template <size_t i, class T, class U> constexpr auto &&get(pair<T, U> &&p)
{
    if constexpr (i == 0)
        return static_cast<T &&>(p.first);
    else
        return static_cast<U &&>(p.second);
}
template <class T, class U, size_t... i>
constexpr void __qn_assign(T &to, const U &from, index_sequence<i...>)
{
    ((std::get<i>(to) = std::get<i>(from)), ...);
}
template <class... T> template <class U> constexpr tuple<T...> &tuple<T...>::operator=(const U &u)
{
    std::__qn_assign(*this, u, index_sequence_for<T...>());
    return *this;
}
template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T &&...v)
{
    return tuple<decay_t<T>...>(std::forward<T>(v)...);
}
template <class... T> constexpr tuple<T &...> tie(T &...v)
{
    return tuple<T &...>(v...);
}
template <class F, class T, size_t... i>
constexpr decltype(auto) __qn_apply(F &&f, T &&t, index_sequence<i...>)
{
    return f(std::get<i>(t)...);
}
template <class F, class T> constexpr decltype(auto) apply(F &&f, T &&t)
{
    return __qn_apply(f, t, make_index_sequence<tuple_size_v<remove_cvref_t<T>>>());
}

template <class T, size_t n> struct array {
    typedef T value_type;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef size_t size_type;
    typedef T &reference;
    typedef const T &const_reference;
    T _M_elems[n ? n : 1];
    constexpr T &operator[](size_t i)
    {
        return _M_elems[i];
    }
    constexpr const T &operator[](size_t i) const
    {
        return _M_elems[i];
    }
    constexpr T &at(size_t i)
    {
        return _M_elems[i];
    }
    constexpr const T &at(size_t i) const
    {
        return _M_elems[i];
    }
    constexpr T *data()
    {
        return _M_elems;
    }
    constexpr const T *data() const
    {
        return _M_elems;
    }
    constexpr T *begin()
    {
        return _M_elems;
    }
    constexpr const T *begin() const
    {
        return _M_elems;
    }
    constexpr T *end()
    {
        return _M_elems + n;
    }
    constexpr const T *end() const
    {
        return _M_elems + n;
    }
    constexpr T &front()
    {
        return _M_elems[0];
    }
    constexpr const T &front() const
    {
        return _M_elems[0];
    }
    constexpr T &back()
    {
        return _M_elems[n - 1];
    }
    constexpr const T &back() const
    {
        return _M_elems[n - 1];
    }
    static constexpr size_t size()
    {
        return n;
    }
    static constexpr bool empty()
    {
        return n == 0;
    }
    constexpr void fill(const T &v)
    {
        for (size_t i = 0; i < n; i++)
            _M_elems[i] = v;
    }
};
template <class T, size_t n> constexpr bool operator==(const array<T, n> &a, const array<T, n> &b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}
template <class T, size_t n> constexpr bool operator!=(const array<T, n> &a, const array<T, n> &b)
{
    return !(a == b);
}
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t n> struct tuple_size<array<T, n>> : integral_constant<size_t, n> {
};
template <size_t i, class T, size_t n> struct tuple_element<i, array<T, n>> {
    typedef T type;
};
template <size_t i, class T, size_t n> constexpr T &&get(array<T, n> &&a)
{
    return static_cast<T &&>(a[i]);
}
template <size_t i, class T, size_t n> constexpr T &get(array<T, n> &a)
{
    return a[i];
}
template <size_t i, class T, size_t n> constexpr const T &get(const array<T, n> &a)
{
    return a[i];
}
} // namespace std

#endif
