/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP has arithmetic on vector types, CUDA does not (there programs define their own, so these come
 * with hip_runtime.h only). Element by element; a number stands for a vector of it.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_VECTOR_OPERATORS
#define QN_STANDIN_HIP_VECTOR_OPERATORS

#include <quern_prelude.h>

#define QN__EACH2(op)  a.x op b.x, a.y op b.y
#define QN__EACH3(op)  QN__EACH2(op), a.z op b.z
#define QN__EACH4(op)  QN__EACH3(op), a.w op b.w
#define QN__SPLAT2(op) a.x op b, a.y op b
#define QN__SPLAT3(op) QN__SPLAT2(op), a.z op b
#define QN__SPLAT4(op) QN__SPLAT3(op), a.w op b
#define QN__FRONT2(op) a op b.x, a op b.y
#define QN__FRONT3(op) QN__FRONT2(op), a op b.z
#define QN__FRONT4(op) QN__FRONT3(op), a op b.w

#define QN__OPERATOR(T, S, n, op)                                                                  \
    QN__BOTH T operator op(const T &a, const T &b)                                                 \
    {                                                                                              \
        T r = {QN__EACH##n(op)};                                                                   \
        return r;                                                                                  \
    }                                                                                              \
    QN__BOTH T operator op(const T &a, S b)                                                        \
    {                                                                                              \
        T r = {QN__SPLAT##n(op)};                                                                  \
        return r;                                                                                  \
    }                                                                                              \
    QN__BOTH T operator op(S a, const T &b)                                                        \
    {                                                                                              \
        T r = {QN__FRONT##n(op)};                                                                  \
        return r;                                                                                  \
    }                                                                                              \
    QN__BOTH T &operator op##=(T & a, const T & b)                                                 \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    QN__BOTH T &operator op##=(T & a, S b)                                                         \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
#define QN__ARITHMETIC(name, S, n)                                                                 \
    QN__OPERATOR(name##n, S, n, +)                                                                 \
    QN__OPERATOR(name##n, S, n, -)                                                                 \
    QN__OPERATOR(name##n, S, n, *)                                                                 \
    QN__OPERATOR(name##n, S, n, /)
#define QN__EQUAL(name, n, test)                                                                   \
    QN__BOTH bool operator==(const name##n &a, const name##n &b)                                   \
    {                                                                                              \
        return test;                                                                               \
    }                                                                                              \
    QN__BOTH bool operator!=(const name##n &a, const name##n &b)                                   \
    {                                                                                              \
        return !(a == b);                                                                          \
    }
#define QN__ALL(name, S)                                                                           \
    QN__ARITHMETIC(name, S, 2)                                                                     \
    QN__ARITHMETIC(name, S, 3)                                                                     \
    QN__ARITHMETIC(name, S, 4)                                                                     \
    QN__EQUAL(name, 2, a.x == b.x && a.y == b.y)                                                   \
    QN__EQUAL(name, 3, a.x == b.x && a.y == b.y && a.z == b.z)                                     \
    QN__EQUAL(name, 4, a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w)                       \
    QN__BOTH name##2 operator-(const name##2 & a)                                                  \
    {                                                                                              \
        name##2 r = {-a.x, -a.y};                                                                  \
        return r;                                                                                  \
    }                                                                                              \
    QN__BOTH name##3 operator-(const name##3 & a)                                                  \
    {                                                                                              \
        name##3 r = {-a.x, -a.y, -a.z};                                                            \
        return r;                                                                                  \
    }                                                                                              \
    QN__BOTH name##4 operator-(const name##4 & a)                                                  \
    {                                                                                              \
        name##4 r = {-a.x, -a.y, -a.z, -a.w};                                                      \
        return r;                                                                                  \
    }
QN__ALL(float, float)
QN__ALL(double, double)
QN__ALL(int, int)
QN__ALL(uint, unsigned int)
QN__ALL(longlong, long long)
QN__ALL(ulonglong, unsigned long long)
#undef QN__EACH2
#undef QN__EACH3
#undef QN__EACH4
#undef QN__SPLAT2
#undef QN__SPLAT3
#undef QN__SPLAT4
#undef QN__FRONT2
#undef QN__FRONT3
#undef QN__FRONT4
#undef QN__OPERATOR
#undef QN__ARITHMETIC
#undef QN__EQUAL
#undef QN__ALL

#endif
