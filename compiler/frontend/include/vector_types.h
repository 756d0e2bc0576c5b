/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's vector types as plain structs: trivially copyable, aggregates, usable in unions and as
 * __shared__ arrays. Sizes and alignments are CUDA's: three-element types have no padding (float3
 * is 12 bytes), two- and four-element types are aligned to their size, at most 16 bytes.
 */
#pragma clang system_header
#ifndef QN_STANDIN_VECTOR_TYPES
#define QN_STANDIN_VECTOR_TYPES

#define QN__VECTOR(base, name, align2, align4)                                                     \
    struct name##1                                                                                 \
    {                                                                                              \
        base x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(align2))) name##2                                                \
    {                                                                                              \
        base x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        base x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(align4))) name##4                                                \
    {                                                                                              \
        base x, y, z, w;                                                                           \
    };
QN__VECTOR(signed char, char, 2, 4)
QN__VECTOR(unsigned char, uchar, 2, 4)
QN__VECTOR(short, short, 4, 8)
QN__VECTOR(unsigned short, ushort, 4, 8)
QN__VECTOR(int, int, 8, 16)
QN__VECTOR(unsigned int, uint, 8, 16)
QN__VECTOR(long, long, 16, 16)
QN__VECTOR(unsigned long, ulong, 16, 16)
QN__VECTOR(long long, longlong, 16, 16)
QN__VECTOR(unsigned long long, ulonglong, 16, 16)
QN__VECTOR(float, float, 8, 16)
QN__VECTOR(double, double, 16, 16)
#undef QN__VECTOR

struct dim3 {
    unsigned int x, y, z;
    __attribute__((host, device)) constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                                 unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __attribute__((host, device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __attribute__((host, device)) constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};

#endif
