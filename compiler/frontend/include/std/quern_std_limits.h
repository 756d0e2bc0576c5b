/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library: numeric_limits. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_LIMITS_H
#define QN_STD_QUERN_STD_LIMITS_H

#include <quern_std_traits.h>

namespace std
{
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
                              has_quiet_NaN = false, has_signaling_NaN = false, is_iec559 = false, \
                              is_bounded = true, is_modulo = !is_signed, traps = false;            \
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
} // namespace std

#endif
