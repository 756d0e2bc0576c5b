/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library: integral constants, type traits, and what moves a value. Host code must parse,
 * no more; what kernels use is defined. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_TRAITS_H
#define QN_STD_QUERN_STD_TRAITS_H

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
static constexpr nothrow_t nothrow{};

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
} // namespace std

#endif
