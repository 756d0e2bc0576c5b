/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators that CUB's algorithms are given. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_OPERATORS
#define QN_STANDIN_CUB_OPERATORS

#include <cub/util_type.cuh>
#include <cuda/functional>

namespace cub
{

#define QN__CUB_OPERATOR(name, expression)                                                         \
    struct name {                                                                                  \
        template <class A, class B>                                                                \
        __host__ __device__ auto operator()(const A &a, const B &b) const                          \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
QN__CUB_OPERATOR(Sum, a + b)
QN__CUB_OPERATOR(Difference, a - b)
QN__CUB_OPERATOR(Division, a / b)
QN__CUB_OPERATOR(Max, b > a ? b : a)
QN__CUB_OPERATOR(Min, b < a ? b : a)
QN__CUB_OPERATOR(Equality, a == b)
QN__CUB_OPERATOR(Inequality, a != b)
#undef QN__CUB_OPERATOR

/* Of pairs of a position and a value; of equal values the first position. */
struct ArgMax {
    template <class K, class V>
    __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                      const KeyValuePair<K, V> &b) const
    {
        if (b.value > a.value || (a.value == b.value && b.key < a.key))
            return b;
        return a;
    }
};
struct ArgMin {
    template <class K, class V>
    __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                      const KeyValuePair<K, V> &b) const
    {
        if (b.value < a.value || (a.value == b.value && b.key < a.key))
            return b;
        return a;
    }
};

template <class Operator> struct InequalityWrapper {
    Operator op;
    __host__ __device__ InequalityWrapper(Operator o) : op(o)
    {
    }
    template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b)
    {
        return !op(a, b);
    }
};
template <class T> struct CastOp {
    template <class A> __host__ __device__ T operator()(const A &a) const
    {
        return (T)a;
    }
};
template <class Operator> class SwizzleScanOp
{
    Operator op;

  public:
    __host__ __device__ SwizzleScanOp(Operator o) : op(o)
    {
    }
    template <class T> __host__ __device__ T operator()(const T &a, const T &b)
    {
        return op(b, a);
    }
};

/* Pairs of a count of segments that begin, and a value: a begin starts over. */
template <class Operator> struct ReduceBySegmentOp {
    Operator op;
    __host__ __device__ ReduceBySegmentOp(Operator o = Operator()) : op(o)
    {
    }
    template <class Pair> __host__ __device__ Pair operator()(const Pair &a, const Pair &b)
    {
        Pair both = b;
        both.key = a.key + b.key;
        if (!b.key)
            both.value = op(a.value, b.value);
        return both;
    }
};
template <class Operator> struct ScanBySegmentOp {
    Operator op;
    __host__ __device__ ScanBySegmentOp(Operator o = Operator()) : op(o)
    {
    }
    template <class Pair> __host__ __device__ Pair operator()(const Pair &a, const Pair &b)
    {
        Pair both = b;
        both.key = a.key | b.key;
        if (!b.key)
            both.value = op(a.value, b.value);
        return both;
    }
};
template <class Operator> struct ReduceByKeyOp {
    Operator op;
    __host__ __device__ ReduceByKeyOp(Operator o = Operator()) : op(o)
    {
    }
    template <class Pair> __host__ __device__ Pair operator()(const Pair &a, const Pair &b)
    {
        Pair both = b;
        if (a.key == b.key)
            both.value = op(a.value, b.value);
        return both;
    }
};

} // namespace cub

#endif
