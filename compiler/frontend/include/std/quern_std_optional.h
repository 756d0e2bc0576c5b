/* SPDX-License-Identifier: Apache-2.0
 *
 * std::optional. It is constexpr, so that kernels may use it as with the machine's library; of what
 * cannot be a kernel's host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_OPTIONAL_H
#define QN_STD_QUERN_STD_OPTIONAL_H

#include <quern_std_core.h>

namespace std
{
struct nullopt_t {
    explicit constexpr nullopt_t(int)
    {
    }
};
inline constexpr nullopt_t nullopt(0);
struct in_place_t {
};
inline constexpr in_place_t in_place;
template <class T, bool> class __qn_optional
{
    union {
        char none_;
        T value_;
    };
    bool has_;

  public:
    typedef T value_type;
    constexpr __qn_optional() : none_(), has_(false)
    {
    }
    constexpr __qn_optional(nullopt_t) : none_(), has_(false)
    {
    }
    constexpr __qn_optional(const T &v) : value_(v), has_(true)
    {
    }
    template <class... A>
    constexpr explicit __qn_optional(in_place_t, A &&...a)
        : value_(std::forward<A>(a)...), has_(true)
    {
    }
    constexpr __qn_optional &operator=(nullopt_t)
    {
        has_ = false;
        return *this;
    }
    constexpr __qn_optional &operator=(const T &v)
    {
        value_ = v;
        has_ = true;
        return *this;
    }
    template <class... A> constexpr T &emplace(A &&...a)
    {
        value_ = T(std::forward<A>(a)...);
        has_ = true;
        return value_;
    }
    constexpr void reset()
    {
        has_ = false;
    }
    constexpr T &operator*()
    {
        return value_;
    }
    constexpr const T &operator*() const
    {
        return value_;
    }
    constexpr T *operator->()
    {
        return &value_;
    }
    constexpr const T *operator->() const
    {
        return &value_;
    }
    constexpr T &value()
    {
        return value_;
    }
    constexpr const T &value() const
    {
        return value_;
    }
    template <class U> constexpr T value_or(U &&v) const
    {
        return has_ ? value_ : static_cast<T>(std::forward<U>(v));
    }
    constexpr bool has_value() const
    {
        return has_;
    }
    constexpr explicit operator bool() const
    {
        return has_;
    }
};
/* what cannot be a kernel's: declared */
template <class T> class __qn_optional<T, false>
{
  public:
    typedef T value_type;
    __qn_optional() QN__BODY;
    __qn_optional(nullopt_t) QN__BODY;
    __qn_optional(const T &) QN__BODY;
    template <class... A> explicit __qn_optional(in_place_t, A &&...) QN__BODY;
    __qn_optional &operator=(nullopt_t) QN__BODY;
    __qn_optional &operator=(const T &) QN__BODY;
    template <class... A> T &emplace(A &&...) QN__BODY;
    void reset() QN__BODY;
    T &operator*() QN__BODY;
    const T &operator*() const QN__BODY;
    T *operator->() QN__BODY;
    const T *operator->() const QN__BODY;
    T &value() QN__BODY;
    const T &value() const QN__BODY;
    template <class U> T value_or(U &&) const QN__BODY;
    bool has_value() const QN__BODY;
    explicit operator bool() const QN__BODY;
};
template <class T> class optional : public __qn_optional<T, __is_trivially_copyable(T)>
{
    typedef __qn_optional<T, __is_trivially_copyable(T)> base;

  public:
    using base::base;
    using base::operator=;
    constexpr optional() = default;
    constexpr optional(const T &v) : base(v)
    {
    }
    template <class F> constexpr auto and_then(F &&f) const
    {
        typedef decay_t<decltype(f(**this))> R;
        return this->has_value() ? f(**this) : R();
    }
    template <class F> constexpr auto transform(F &&f) const
    {
        typedef optional<decay_t<decltype(f(**this))>> R;
        return this->has_value() ? R(f(**this)) : R();
    }
    template <class F> constexpr optional or_else(F &&f) const
    {
        return this->has_value() ? *this : f();
    }
    constexpr void swap(optional &o)
    {
        optional kept = *this;
        *this = o;
        o = kept;
    }
};
template <class T> optional(T) -> optional<T>;
template <class T> constexpr bool operator==(const optional<T> &a, nullopt_t)
{
    return !a.has_value();
}
template <class T> constexpr bool operator!=(const optional<T> &a, nullopt_t)
{
    return a.has_value();
}
template <class T, class U> constexpr bool operator==(const optional<T> &a, const U &b)
{
    return a.has_value() && *a == b;
}
template <class T, class U> constexpr bool operator==(const optional<T> &a, const optional<U> &b)
{
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
}
template <class T, class U> constexpr bool operator!=(const optional<T> &a, const optional<U> &b)
{
    return !(a == b);
}
template <class T, class U> constexpr bool operator!=(const optional<T> &a, const U &b)
{
    return !(a == b);
}
template <class T, class U> constexpr bool operator<(const optional<T> &a, const optional<U> &b)
{
    return b.has_value() && (!a.has_value() || *a < *b);
}
template <class T> constexpr optional<decay_t<T>> make_optional(T &&v)
{
    return optional<decay_t<T>>(std::forward<T>(v));
}
} // namespace std

#endif
