/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::tuple of both halves of a program: its members lie in the order they are written in. */
#pragma clang system_header
#ifndef QN_THRUST_TUPLE
#define QN_THRUST_TUPLE

#include <thrust/pair.h>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust
{

template <class... T> class tuple;
struct null_type {
};

namespace __qn
{

template <size_t i, class T> struct leaf {
    T value;
};
template <class, class...> struct leaves;
template <size_t... i, class... T> struct leaves<std::index_sequence<i...>, T...> : leaf<i, T>... {
    __host__ __device__ constexpr leaves() : leaf<i, T>()...
    {
    }
    template <class... U>
    __host__ __device__ constexpr leaves(int, U &&...v)
        : leaf<i, T>{static_cast<T>(std::forward<U>(v))}...
    {
    }
    template <class... U>
    __host__ __device__ constexpr leaves(const leaves<std::index_sequence<i...>, U...> &o)
        : leaf<i, T>{static_cast<T>(static_cast<const leaf<i, U> &>(o).value)}...
    {
    }
    template <class Other> __host__ __device__ constexpr void assign(const Other &o)
    {
        ((static_cast<leaf<i, T> &>(*this).value = o.template at<i>()), ...);
    }
    template <class Other> __host__ __device__ constexpr bool equals(const Other &o) const
    {
        return ((static_cast<const leaf<i, T> &>(*this).value == o.template at<i>()) && ...);
    }
};
template <size_t i, class T> __host__ __device__ constexpr T &value_in(leaf<i, T> &l)
{
    return l.value;
}
template <size_t i, class T> __host__ __device__ constexpr const T &value_in(const leaf<i, T> &l)
{
    return l.value;
}
template <class T> struct is_tuple : std::false_type {
};
template <class... T> struct is_tuple<tuple<T...>> : std::true_type {
};

} // namespace __qn

template <class... T> class tuple : public __qn::leaves<std::index_sequence_for<T...>, T...>
{
    typedef __qn::leaves<std::index_sequence_for<T...>, T...> base;

  public:
    __host__ __device__ constexpr tuple() = default;
    constexpr tuple(const tuple &) = default;
    template <class... U, std::enable_if_t<sizeof...(U) == sizeof...(T) && sizeof...(U) != 0 &&
                                               (std::is_convertible_v<U &&, T> && ...),
                                           int> = 0>
    __host__ __device__ constexpr tuple(U &&...v) : base(0, std::forward<U>(v)...)
    {
    }
    template <class... U, std::enable_if_t<sizeof...(U) == sizeof...(T) &&
                                               !std::is_same_v<tuple<U...>, tuple<T...>>,
                                           int> = 0>
    __host__ __device__ constexpr tuple(const tuple<U...> &o)
        : base(static_cast<const __qn::leaves<std::index_sequence_for<U...>, U...> &>(o))
    {
    }
    template <class A, class B, size_t n = sizeof...(T), std::enable_if_t<n == 2, int> = 0>
    __host__ __device__ constexpr tuple(const std::pair<A, B> &p) : base(0, p.first, p.second)
    {
    }
    __host__ __device__ constexpr tuple &operator=(const tuple &o)
    {
        this->assign(o);
        return *this;
    }
    template <class... U> __host__ __device__ constexpr tuple &operator=(const tuple<U...> &o)
    {
        this->assign(o);
        return *this;
    }
    template <class A, class B>
    __host__ __device__ constexpr tuple &operator=(const std::pair<A, B> &p)
    {
        this->template at<0>() = p.first;
        this->template at<1>() = p.second;
        return *this;
    }
    template <size_t i> __host__ __device__ constexpr decltype(auto) at()
    {
        return __qn::value_in<i>(*this);
    }
    template <size_t i> __host__ __device__ constexpr decltype(auto) at() const
    {
        return __qn::value_in<i>(*this);
    }
    template <size_t i> __host__ __device__ constexpr decltype(auto) get()
    {
        return at<i>();
    }
    template <size_t i> __host__ __device__ constexpr decltype(auto) get() const
    {
        return at<i>();
    }
};
template <class... T> tuple(T...) -> tuple<T...>;

template <size_t i, class... T> __host__ __device__ constexpr decltype(auto) get(tuple<T...> &t)
{
    return t.template at<i>();
}
template <size_t i, class... T>
__host__ __device__ constexpr decltype(auto) get(const tuple<T...> &t)
{
    return t.template at<i>();
}
template <size_t i, class... T>
__host__ __device__ constexpr auto get(tuple<T...> &&t) -> __type_pack_element<i, T...> &&
{
    return static_cast<__type_pack_element<i, T...> &&>(t.template at<i>());
}
template <class... T> __host__ __device__ constexpr tuple<std::decay_t<T>...> make_tuple(T &&...v)
{
    return tuple<std::decay_t<T>...>(std::forward<T>(v)...);
}
template <class... T> __host__ __device__ constexpr tuple<T &...> tie(T &...v)
{
    return tuple<T &...>(v...);
}
struct __qn_ignore {
    template <class T> __host__ __device__ constexpr const __qn_ignore &operator=(const T &) const
    {
        return *this;
    }
};
inline constexpr __qn_ignore ignore{};

template <class... T, class... U>
__host__ __device__ constexpr bool operator==(const tuple<T...> &a, const tuple<U...> &b)
{
    return a.equals(b);
}
template <class... T, class... U>
__host__ __device__ constexpr bool operator!=(const tuple<T...> &a, const tuple<U...> &b)
{
    return !a.equals(b);
}
namespace __qn
{
template <size_t i, class A, class B>
__host__ __device__ constexpr bool less_from(const A &a, const B &b, size_t n)
{
    if constexpr (i < std::tuple_size<A>::value)
        return a.template at<i>() < b.template at<i>() ||
               (!(b.template at<i>() < a.template at<i>()) && less_from<i + 1>(a, b, n));
    else
        return false;
}
} // namespace __qn
template <class... T, class... U>
__host__ __device__ constexpr bool operator<(const tuple<T...> &a, const tuple<U...> &b);
template <class... T, class... U>
__host__ __device__ constexpr bool operator>(const tuple<T...> &a, const tuple<U...> &b)
{
    return b < a;
}
template <class... T, class... U>
__host__ __device__ constexpr bool operator<=(const tuple<T...> &a, const tuple<U...> &b)
{
    return !(b < a);
}
template <class... T, class... U>
__host__ __device__ constexpr bool operator>=(const tuple<T...> &a, const tuple<U...> &b)
{
    return !(a < b);
}

} // namespace thrust

namespace std
{
template <class... T>
struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {
};
template <size_t i, class... T> struct tuple_element<i, thrust::tuple<T...>> {
    typedef __type_pack_element<i, T...> type;
};
} // namespace std

namespace thrust
{
template <class... T, class... U>
__host__ __device__ constexpr bool operator<(const tuple<T...> &a, const tuple<U...> &b)
{
    return __qn::less_from<0>(a, b, 0);
}
} // namespace thrust

#endif
