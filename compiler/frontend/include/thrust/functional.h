/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's function objects. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_FUNCTIONAL
#define QN_STANDIN_THRUST_FUNCTIONAL

#include <cuda/functional>

namespace thrust
{

using ::cuda::maximum;
using ::cuda::minimum;
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::not_fn;
using std::plus;

#define QN__FUNCTOR template <class T = void> struct
#define QN__CALL    __host__ __device__ constexpr
QN__FUNCTOR square{QN__CALL T operator()(const T &a) const {return a * a;
} // namespace thrust
}
;
template <> struct square<void> {
    template <class T> QN__CALL auto operator()(const T &a) const
    {
        return a * a;
    }
};
QN__FUNCTOR identity{QN__CALL const T & operator()(const T &a) const {return a;
}
}
;
template <> struct identity<void> {
    template <class T> QN__CALL T &&operator()(T &&v) const
    {
        return static_cast<T &&>(v);
    }
};
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
template <class T = void, class U = void> struct project1st {
    QN__CALL const T &operator()(const T &a, const U &) const
    {
        return a;
    }
};
template <> struct project1st<void, void> {
    template <class T, class U> QN__CALL const T &operator()(const T &a, const U &) const
    {
        return a;
    }
};
template <class T = void, class U = void> struct project2nd {
    QN__CALL const U &operator()(const T &, const U &b) const
    {
        return b;
    }
};
template <> struct project2nd<void, void> {
    template <class T, class U> QN__CALL const U &operator()(const T &, const U &b) const
    {
        return b;
    }
};
#undef QN__CALL
#undef QN__FUNCTOR

} // namespace thrust

#endif
