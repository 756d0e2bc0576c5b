/* SPDX-License-Identifier: Apache-2.0
 *
 * make_float4() and the like.
 */
#pragma clang system_header
#ifndef QN_STANDIN_VECTOR_FUNCTIONS
#define QN_STANDIN_VECTOR_FUNCTIONS

#include <vector_types.h>

#define QN__MAKE(base, name)                                                                       \
    static __attribute__((host, device, always_inline)) inline name##1 make_##name##1(base x)      \
    {                                                                                              \
        return name##1 {x};                                                                        \
    }                                                                                              \
    static                                                                                         \
        __attribute__((host, device, always_inline)) inline name##2 make_##name##2(base x, base y) \
    {                                                                                              \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    static __attribute__((host, device, always_inline)) inline name##3 make_##name##3(             \
        base x, base y, base z)                                                                    \
    {                                                                                              \
        return name##3 {x, y, z};                                                                  \
    }                                                                                              \
    static __attribute__((host, device, always_inline)) inline name##4 make_##name##4(             \
        base x, base y, base z, base w)                                                            \
    {                                                                                              \
        return name##4 {x, y, z, w};                                                               \
    }
QN__MAKE(signed char, char)
QN__MAKE(unsigned char, uchar)
QN__MAKE(short, short)
QN__MAKE(unsigned short, ushort)
QN__MAKE(int, int)
QN__MAKE(unsigned int, uint)
QN__MAKE(long, long)
QN__MAKE(unsigned long, ulong)
QN__MAKE(long long, longlong)
QN__MAKE(unsigned long long, ulonglong)
QN__MAKE(float, float)
QN__MAKE(double, double)
#undef QN__MAKE

#endif
