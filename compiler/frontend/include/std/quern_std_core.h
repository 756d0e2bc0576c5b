/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library: traits, utility, limits, array, tuple, functional. Host code must parse, no
 * more; what kernels use is defined. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_CORE_H
#define QN_STD_QUERN_STD_CORE_H

#include <stddef.h>
#include <stdint.h>

/* Of functions of the host that depend on a type: without a body clang refuses those of a type
 * without linkage, as a struct in a function or a lambda. */
#define QN__BODY                                                                                   \
    {                                                                                              \
        __builtin_unreachable();                                                                   \
    }

namespace std
{
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef double max_align_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intmax_t;
using ::intptr_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
struct nothrow_t {
};
extern const nothrow_t nothrow;

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    typedef integral_constant type;
    constexpr operator T() const
    {
        return v;
    }
    constexpr T operator()() const
    {
        return v;
    }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool, class T = void> struct enable_if {
};
template <class T> struct enable_if<true, T> {
    typedef T type;
};
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool, class T, class F> struct conditional {
    typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
    typedef F type;
};
template <bool b, class T, class F> using conditional_t = typename conditional<b, T, F>::type;
template <class...> using void_t = void;
template <class T> struct type_identity {
    typedef T type;
};
template <class T> using type_identity_t = typename type_identity<T>::type;
template <size_t> struct in_place_index_t {
};
template <size_t i> inline constexpr in_place_index_t<i> in_place_index{};
template <class> struct in_place_type_t {
};
template <class T> inline constexpr in_place_type_t<T> in_place_type{};

#define QN__TRAIT(name, ...)                                                                       \
    template <class T> struct name : bool_constant<__VA_ARGS__> {                                  \
    };                                                                                             \
    template <class T> inline constexpr bool name##_v = name<T>::value;
QN__TRAIT(is_void, __is_void(T))
QN__TRAIT(is_integral, __is_integral(T))
QN__TRAIT(is_floating_point, __is_floating_point(T))
QN__TRAIT(is_arithmetic, __is_arithmetic(T))
QN__TRAIT(is_signed, __is_signed(T))
QN__TRAIT(is_unsigned, __is_unsigned(T))
QN__TRAIT(is_pointer, __is_pointer(T))
QN__TRAIT(is_reference, __is_reference(T))
QN__TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
QN__TRAIT(is_array, __is_array(T))
QN__TRAIT(is_enum, __is_enum(T))
QN__TRAIT(is_class, __is_class(T))
QN__TRAIT(is_union, __is_union(T))
QN__TRAIT(is_const, __is_const(T))
QN__TRAIT(is_volatile, __is_volatile(T))
QN__TRAIT(is_function, __is_function(T))
QN__TRAIT(is_scalar, __is_scalar(T))
QN__TRAIT(is_object, __is_object(T))
QN__TRAIT(is_fundamental, __is_fundamental(T))
QN__TRAIT(is_empty, __is_empty(T))
QN__TRAIT(is_pod, __is_pod(T))
QN__TRAIT(is_trivial, __is_trivial(T))
QN__TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
QN__TRAIT(is_standard_layout, __is_standard_layout(T))
QN__TRAIT(is_default_constructible, __is_constructible(T))
QN__TRAIT(is_copy_constructible, __is_constructible(T, const T &))
QN__TRAIT(is_move_constructible, __is_constructible(T, T &&))
QN__TRAIT(is_copy_assignable,
          __is_assignable(__add_lvalue_reference(T), __add_lvalue_reference(const T)))
QN__TRAIT(is_move_assignable, __is_assignable(__add_lvalue_reference(T), __add_rvalue_reference(T)))
QN__TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
QN__TRAIT(is_trivially_copy_constructible,
          __is_trivially_constructible(T, __add_lvalue_reference(const T)))
QN__TRAIT(is_trivially_move_constructible,
          __is_trivially_constructible(T, __add_rvalue_reference(T)))
QN__TRAIT(is_trivially_copy_assignable,
          __is_trivially_assignable(__add_lvalue_reference(T), __add_lvalue_reference(const T)))
QN__TRAIT(is_trivially_move_assignable,
          __is_trivially_assignable(__add_lvalue_reference(T), __add_rvalue_reference(T)))
QN__TRAIT(is_trivially_destructible, __is_trivially_destructible(T))
QN__TRAIT(is_polymorphic, __is_polymorphic(T))
QN__TRAIT(is_rvalue_reference, __is_rvalue_reference(T))
QN__TRAIT(is_null_pointer, __is_same(__remove_cv(T), nullptr_t))
QN__TRAIT(is_member_pointer, __is_member_pointer(T))
QN__TRAIT(is_compound, __is_compound(T))
QN__TRAIT(is_aggregate, __is_aggregate(T))
QN__TRAIT(is_final, __is_final(T))
QN__TRAIT(is_bounded_array, __is_bounded_array(T))
QN__TRAIT(is_unbounded_array, __is_unbounded_array(T))
QN__TRAIT(is_destructible, __is_destructible(T))
QN__TRAIT(is_nothrow_default_constructible, __is_nothrow_constructible(T))
QN__TRAIT(is_nothrow_copy_constructible,
          __is_nothrow_constructible(T, __add_lvalue_reference(const T)))
QN__TRAIT(is_nothrow_move_constructible, __is_nothrow_constructible(T, __add_rvalue_reference(T)))
QN__TRAIT(is_nothrow_move_assignable,
          __is_nothrow_assignable(__add_lvalue_reference(T), __add_rvalue_reference(T)))
QN__TRAIT(is_scoped_enum, __is_scoped_enum(T))
QN__TRAIT(has_unique_object_representations, __has_unique_object_representations(T))
QN__TRAIT(is_abstract, __is_abstract(T))
#undef QN__TRAIT
template <class T, class U> struct is_same : bool_constant<__is_same(T, U)> {
};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {
};
template <class B, class D> inline constexpr bool is_base_of_v = is_base_of<B, D>::value;
template <class F, class T> struct is_convertible : bool_constant<__is_convertible(F, T)> {
};
template <class F, class T> inline constexpr bool is_convertible_v = is_convertible<F, T>::value;
template <class T, class... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {
};
template <class T, class... A>
inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T, class U> struct is_assignable : bool_constant<__is_assignable(T, U)> {
};
template <class T, class U> inline constexpr bool is_assignable_v = is_assignable<T, U>::value;
template <class...> struct conjunction : true_type {
};
template <class A, class... B>
struct conjunction<A, B...> : conditional_t<bool(A::value), conjunction<B...>, false_type> {
};
template <class... A> inline constexpr bool conjunction_v = conjunction<A...>::value;
template <class...> struct disjunction : false_type {
};
template <class A, class... B>
struct disjunction<A, B...> : conditional_t<bool(A::value), true_type, disjunction<B...>> {
};
template <class... A> inline constexpr bool disjunction_v = disjunction<A...>::value;
template <class A> struct negation : bool_constant<!bool(A::value)> {
};
template <class A> inline constexpr bool negation_v = negation<A>::value;

#define QN__CHANGE(name, ...)                                                                      \
    template <class T> struct name {                                                               \
        typedef __VA_ARGS__ type;                                                                  \
    };                                                                                             \
    template <class T> using name##_t = typename name<T>::type;
QN__CHANGE(remove_cv, __remove_cv(T))
QN__CHANGE(remove_const, __remove_const(T))
QN__CHANGE(remove_volatile, __remove_volatile(T))
QN__CHANGE(remove_reference, __remove_reference_t(T))
QN__CHANGE(remove_cvref, __remove_cvref(T))
QN__CHANGE(remove_pointer, __remove_pointer(T))
QN__CHANGE(remove_extent, __remove_extent(T))
QN__CHANGE(remove_all_extents, __remove_all_extents(T))
QN__CHANGE(decay, __decay(T))
QN__CHANGE(add_const, const T)
QN__CHANGE(add_volatile, volatile T)
QN__CHANGE(add_cv, const volatile T)
QN__CHANGE(add_pointer, __add_pointer(T))
QN__CHANGE(add_lvalue_reference, __add_lvalue_reference(T))
QN__CHANGE(add_rvalue_reference, __add_rvalue_reference(T))
QN__CHANGE(make_signed, __make_signed(T))
QN__CHANGE(make_unsigned, __make_unsigned(T))
QN__CHANGE(underlying_type, __underlying_type(T))
#undef QN__CHANGE
template <class T> add_rvalue_reference_t<T> declval() noexcept;
template <class, class F, class... A> struct __qn_result {
};
template <class F, class... A>
struct __qn_result<void_t<decltype(declval<F>()(declval<A>()...))>, F, A...> {
    typedef decltype(declval<F>()(declval<A>()...)) type;
};
template <class F, class... A> struct invoke_result : __qn_result<void, F, A...> {
};
template <class, class R, class F, class... A> struct __qn_invocable : false_type {
};
template <class R, class F, class... A>
struct __qn_invocable<void_t<decltype(declval<F>()(declval<A>()...))>, R, F, A...>
    : bool_constant<__is_void(R) || __is_convertible(decltype(declval<F>()(declval<A>()...)), R)> {
};
template <class F, class... A> struct is_invocable : __qn_invocable<void, void, F, A...> {
};
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class R, class F, class... A> struct is_invocable_r : __qn_invocable<void, R, F, A...> {
};
template <class R, class F, class... A>
inline constexpr bool is_invocable_r_v = is_invocable_r<R, F, A...>::value;
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class> struct result_of;
template <class F, class... A> struct result_of<F(A...)> : invoke_result<F, A...> {
};
template <class T> using result_of_t = typename result_of<T>::type;
template <class...> struct common_type {
};
template <class T> struct common_type<T> {
    typedef decay_t<T> type;
};
template <class T, class U> struct common_type<T, U> {
    typedef decay_t<decltype(true ? declval<T>() : declval<U>())> type;
};
template <class T, class U, class... R>
struct common_type<T, U, R...> : common_type<typename common_type<T, U>::type, R...> {
};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class T> inline constexpr size_t alignment_of_v = alignof(T);
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {
};
template <class T> inline constexpr size_t rank_v = __array_rank(T);
template <class T, unsigned n = 0> inline constexpr size_t extent_v = __array_extent(T, n);
template <class T> struct rank : integral_constant<size_t, __array_rank(T)> {
};
template <class T, unsigned n = 0> struct extent : integral_constant<size_t, __array_extent(T, n)> {
};
template <size_t n, size_t align = 16> struct aligned_storage {
    struct type {
        alignas(align) unsigned char bytes[n];
    };
};
template <size_t n, size_t align = 16>
using aligned_storage_t = typename aligned_storage<n, align>::type;

template <class T> constexpr remove_reference_t<T> &&move(T &&v) noexcept
{
    return static_cast<remove_reference_t<T> &&>(v);
}
template <class T> constexpr T &&forward(remove_reference_t<T> &v) noexcept
{
    return static_cast<T &&>(v);
}
template <class T> constexpr T &&forward(remove_reference_t<T> &&v) noexcept
{
    return static_cast<T &&>(v);
}
template <class T> __attribute__((host)) constexpr void swap(T &a, T &b)
{
    T kept = std::move(a);
    a = std::move(b);
    b = std::move(kept);
}
template <class T, class U = T> constexpr T exchange(T &v, U &&next)
{
    T old = std::move(v);
    v = std::forward<U>(next);
    return old;
}
template <class T> constexpr const T &as_const(T &v)
{
    return v;
}
template <class T> constexpr T *addressof(T &v)
{
    return __builtin_addressof(v);
}

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
    template <class... U,
              class = enable_if_t<sizeof...(U) == sizeof...(T) && sizeof...(U) != 0 &&
                                  !(is_same_v<remove_cvref_t<U>, tuple> || ...)>>
    constexpr tuple(U &&...v) : __qn_tuple<index_sequence_for<T...>, T...>(0, std::forward<U>(v)...)
    {
    }
    template <class U> constexpr tuple &operator=(const U &);
    template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) &&
                                              !(is_same_v<U, T> && ...) &&
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

enum float_round_style { round_to_nearest = 1 };
template <class T> struct numeric_limits {
    static constexpr bool is_specialized = false;
    static constexpr T min()
    {
        return T();
    }
    static constexpr T max()
    {
        return T();
    }
    static constexpr T lowest()
    {
        return T();
    }
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {
};
#define QN__INT_LIMITS(T)                                                                          \
    template <> struct numeric_limits<T> {                                                         \
        static constexpr bool is_specialized = true, is_signed = ((T) - 1 < (T)0),                 \
                              is_integer = true, is_exact = true, has_infinity = false,            \
                              has_quiet_NaN = false, has_signaling_NaN = false,                    \
                              is_iec559 = false, is_bounded = true, is_modulo = !is_signed,        \
                              traps = false;                                                       \
        static constexpr int digits = 8 * sizeof(T) - is_signed, digits10 = digits * 3 / 10,       \
                             radix = 2, max_digits10 = 0, max_exponent = 0, min_exponent = 0;      \
        static constexpr T max()                                                                   \
        {                                                                                          \
            return is_signed ? (T)(~(~0ull << (digits & 63))) : (T)(~0ull);                        \
        }                                                                                          \
        static constexpr T min()                                                                   \
        {                                                                                          \
            return is_signed ? (T)(-max() - 1) : (T)0;                                             \
        }                                                                                          \
        static constexpr T lowest()                                                                \
        {                                                                                          \
            return min();                                                                          \
        }                                                                                          \
        static constexpr T epsilon()                                                               \
        {                                                                                          \
            return 0;                                                                              \
        }                                                                                          \
        static constexpr T infinity()                                                              \
        {                                                                                          \
            return 0;                                                                              \
        }                                                                                          \
    };
QN__INT_LIMITS(bool)
QN__INT_LIMITS(char)
QN__INT_LIMITS(signed char)
QN__INT_LIMITS(unsigned char)
QN__INT_LIMITS(short)
QN__INT_LIMITS(unsigned short)
QN__INT_LIMITS(int)
QN__INT_LIMITS(unsigned int)
QN__INT_LIMITS(long)
QN__INT_LIMITS(unsigned long)
QN__INT_LIMITS(long long)
QN__INT_LIMITS(unsigned long long)
#undef QN__INT_LIMITS
#define QN__FLOAT_LIMITS(T, P, nan, inf)                                                           \
    template <> struct numeric_limits<T> {                                                         \
        static constexpr bool is_specialized = true, is_signed = true, is_integer = false,         \
                              is_exact = false, has_infinity = true, has_quiet_NaN = true,         \
                              is_iec559 = true, has_signaling_NaN = true, is_bounded = true,       \
                              is_modulo = false, traps = false;                                    \
        static constexpr int digits = __##P##_MANT_DIG__, digits10 = __##P##_DIG__,                \
                             max_digits10 = __##P##_DECIMAL_DIG__, radix = 2,                      \
                             max_exponent = __##P##_MAX_EXP__, min_exponent = __##P##_MIN_EXP__;   \
        static constexpr T max()                                                                   \
        {                                                                                          \
            return __##P##_MAX__;                                                                  \
        }                                                                                          \
        static constexpr T min()                                                                   \
        {                                                                                          \
            return __##P##_MIN__;                                                                  \
        }                                                                                          \
        static constexpr T lowest()                                                                \
        {                                                                                          \
            return -__##P##_MAX__;                                                                 \
        }                                                                                          \
        static constexpr T epsilon()                                                               \
        {                                                                                          \
            return __##P##_EPSILON__;                                                              \
        }                                                                                          \
        static constexpr T round_error()                                                           \
        {                                                                                          \
            return (T)0.5;                                                                         \
        }                                                                                          \
        static constexpr T denorm_min()                                                            \
        {                                                                                          \
            return __##P##_DENORM_MIN__;                                                           \
        }                                                                                          \
        static constexpr T infinity()                                                              \
        {                                                                                          \
            return inf;                                                                            \
        }                                                                                          \
        static constexpr T quiet_NaN()                                                             \
        {                                                                                          \
            return nan;                                                                            \
        }                                                                                          \
        static constexpr T signaling_NaN()                                                         \
        {                                                                                          \
            return nan;                                                                            \
        }                                                                                          \
    };
QN__FLOAT_LIMITS(float, FLT, __builtin_nanf(""), __builtin_huge_valf())
QN__FLOAT_LIMITS(double, DBL, __builtin_nan(""), __builtin_huge_val())
#undef QN__FLOAT_LIMITS

#define QN__FUNCTOR(name, result, ...)                                                             \
    template <class T = void> struct name {                                                        \
        constexpr result operator()(const T &a, const T &b) const                                  \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class A, class B> constexpr auto operator()(const A &a, const B &b) const        \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
QN__FUNCTOR(plus, T, a + b)
QN__FUNCTOR(minus, T, a - b)
QN__FUNCTOR(multiplies, T, a *b)
QN__FUNCTOR(divides, T, a / b)
QN__FUNCTOR(modulus, T, a % b)
QN__FUNCTOR(equal_to, bool, a == b)
QN__FUNCTOR(not_equal_to, bool, a != b)
QN__FUNCTOR(less, bool, a < b)
QN__FUNCTOR(greater, bool, b < a)
QN__FUNCTOR(less_equal, bool, !(b < a))
QN__FUNCTOR(greater_equal, bool, !(a < b))
QN__FUNCTOR(bit_and, T, a &b)
QN__FUNCTOR(bit_or, T, a | b)
QN__FUNCTOR(bit_xor, T, a ^ b)
QN__FUNCTOR(logical_and, bool, a &&b)
QN__FUNCTOR(logical_or, bool, a || b)
#undef QN__FUNCTOR
#define QN__FUNCTOR(name, result, ...)                                                             \
    template <class T = void> struct name {                                                        \
        constexpr result operator()(const T &a) const                                              \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class A> constexpr auto operator()(const A &a) const                             \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
QN__FUNCTOR(negate, T, -a)
QN__FUNCTOR(logical_not, bool, !a)
QN__FUNCTOR(bit_not, T, ~a)
#undef QN__FUNCTOR
template <class T = void> struct hash {
    size_t operator()(const T &) const;
};
template <class> class function;
template <class R, class... A> class function<R(A...)>
{
  public:
    function() QN__BODY;
    function(nullptr_t) QN__BODY;
    template <class F> function(F)
    {
    }
    R operator()(A...) const QN__BODY;
    explicit operator bool() const QN__BODY;
};
template <class T> class reference_wrapper
{
    T *p_;

  public:
    constexpr reference_wrapper(T &v) : p_(&v)
    {
    }
    constexpr operator T &() const
    {
        return *p_;
    }
    constexpr T &get() const
    {
        return *p_;
    }
};
template <class T> constexpr reference_wrapper<T> ref(T &v)
{
    return reference_wrapper<T>(v);
}
template <class T> constexpr reference_wrapper<const T> cref(const T &v)
{
    return reference_wrapper<const T>(v);
}
} // namespace std

void *operator new(size_t, const std::nothrow_t &) noexcept;
void *operator new[](size_t, const std::nothrow_t &) noexcept;
__attribute__((host, device)) inline void *operator new(size_t, void *p) noexcept
{
    return p;
}
inline void *operator new[](size_t, void *p) noexcept
{
    return p;
}

#endif
