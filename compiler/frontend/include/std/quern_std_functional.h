/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library: function objects and references as values. Host code must parse, no more; what
 * kernels use is defined. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_FUNCTIONAL_H
#define QN_STD_QUERN_STD_FUNCTIONAL_H

#include <quern_std_traits.h>

namespace std
{
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

#endif
