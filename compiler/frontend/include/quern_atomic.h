/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics. The three scopes (_block, none, _system) become one: OpenCL 1.2 atomics are device wide.
 * Each overload ends in a builtin named for its type, __qn_atomic_<operation>_<type>.
 */
#pragma clang system_header
#ifndef QN_STANDIN_ATOMIC
#define QN_STANDIN_ATOMIC

#define QN__ATOMIC(public_name, op, type, suffix)                                                  \
    QN__BUILTIN(type, __qn_atomic_##op##_##suffix, (type *, type));                                \
    QN__INLINE type public_name(type *p, type v)                                                   \
    {                                                                                              \
        return __qn_atomic_##op##_##suffix(p, v);                                                  \
    }                                                                                              \
    QN__INLINE type public_name##_block(type *p, type v)                                           \
    {                                                                                              \
        return __qn_atomic_##op##_##suffix(p, v);                                                  \
    }                                                                                              \
    QN__INLINE type public_name##_system(type *p, type v)                                          \
    {                                                                                              \
        return __qn_atomic_##op##_##suffix(p, v);                                                  \
    }
#define QN__ATOMIC_CAS(type, suffix)                                                               \
    QN__BUILTIN(type, __qn_atomic_cas_##suffix, (type *, type, type));                             \
    QN__INLINE type atomicCAS(type *p, type seen, type v)                                          \
    {                                                                                              \
        return __qn_atomic_cas_##suffix(p, seen, v);                                               \
    }                                                                                              \
    QN__INLINE type atomicCAS_block(type *p, type seen, type v)                                    \
    {                                                                                              \
        return __qn_atomic_cas_##suffix(p, seen, v);                                               \
    }                                                                                              \
    QN__INLINE type atomicCAS_system(type *p, type seen, type v)                                   \
    {                                                                                              \
        return __qn_atomic_cas_##suffix(p, seen, v);                                               \
    }

QN__BUILTIN(unsigned char, __qn_atomic_cas_u8,
            (unsigned char *, unsigned char, unsigned char)); /* of atomic objects alone */
QN__ATOMIC(atomicAdd, add, int, i32)
QN__ATOMIC(atomicAdd, add, unsigned int, u32)
QN__ATOMIC(atomicAdd, add, unsigned long long, u64)
QN__ATOMIC(atomicAdd, add, float, f32)
QN__ATOMIC(atomicAdd, add, double, f64)
QN__ATOMIC(atomicSub, sub, int, i32)
QN__ATOMIC(atomicSub, sub, unsigned int, u32)
QN__ATOMIC(atomicExch, exch, int, i32)
QN__ATOMIC(atomicExch, exch, unsigned int, u32)
QN__ATOMIC(atomicExch, exch, unsigned long long, u64)
QN__ATOMIC(atomicExch, exch, float, f32)
QN__ATOMIC(atomicMin, min, int, i32)
QN__ATOMIC(atomicMin, min, unsigned int, u32)
QN__ATOMIC(atomicMin, min, long long, i64)
QN__ATOMIC(atomicMin, min, unsigned long long, u64)
QN__ATOMIC(atomicMax, max, int, i32)
QN__ATOMIC(atomicMax, max, unsigned int, u32)
QN__ATOMIC(atomicMax, max, long long, i64)
QN__ATOMIC(atomicMax, max, unsigned long long, u64)
QN__ATOMIC(atomicInc, inc, unsigned int, u32)
QN__ATOMIC(atomicDec, dec, unsigned int, u32)
QN__ATOMIC(atomicAnd, and, int, i32)
QN__ATOMIC(atomicAnd, and, unsigned int, u32)
QN__ATOMIC(atomicAnd, and, unsigned long long, u64)
QN__ATOMIC(atomicOr, or, int, i32)
QN__ATOMIC(atomicOr, or, unsigned int, u32)
QN__ATOMIC(atomicOr, or, unsigned long long, u64)
QN__ATOMIC(atomicXor, xor, int, i32)
QN__ATOMIC(atomicXor, xor, unsigned int, u32)
QN__ATOMIC(atomicXor, xor, unsigned long long, u64)
QN__ATOMIC_CAS(int, i32)
QN__ATOMIC_CAS(unsigned int, u32)
QN__ATOMIC_CAS(unsigned long long, u64)
QN__ATOMIC_CAS(unsigned short, u16)

/* Vectors: each number by itself is added atomically, as CUDA has it. */
#define QN__ATOMIC_VECTOR(name)                                                                    \
    QN__INLINE float2 name(float2 *p, float2 v)                                                    \
    {                                                                                              \
        const float x = name(&p->x, v.x);                                                          \
        return float2{x, name(&p->y, v.y)};                                                        \
    }                                                                                              \
    QN__INLINE float4 name(float4 *p, float4 v)                                                    \
    {                                                                                              \
        const float x = name(&p->x, v.x), y = name(&p->y, v.y), z = name(&p->z, v.z);              \
        return float4{x, y, z, name(&p->w, v.w)};                                                  \
    }
QN__ATOMIC_VECTOR(atomicAdd)
QN__ATOMIC_VECTOR(atomicAdd_block)
QN__ATOMIC_VECTOR(atomicAdd_system)
#undef QN__ATOMIC_VECTOR

/* __nv_atomic_*, the typed atomics with an order: relaxed and device wide as the others are */
enum {
    __NV_ATOMIC_RELAXED = 0,
    __NV_ATOMIC_CONSUME = 1,
    __NV_ATOMIC_ACQUIRE = 2,
    __NV_ATOMIC_RELEASE = 3,
    __NV_ATOMIC_ACQ_REL = 4,
    __NV_ATOMIC_SEQ_CST = 5
};
enum {
    __NV_THREAD_SCOPE_THREAD = 0,
    __NV_THREAD_SCOPE_BLOCK = 1,
    __NV_THREAD_SCOPE_CLUSTER = 2,
    __NV_THREAD_SCOPE_DEVICE = 3,
    __NV_THREAD_SCOPE_SYSTEM = 4
};
template <class T> QN__INLINE T __nv_atomic_load_n(const T *p, int, int = 0)
{
    return *(const volatile T *)p;
}
template <class T> QN__INLINE void __nv_atomic_store_n(T *p, T value, int, int = 0)
{
    *(volatile T *)p = value;
}
template <class T> QN__INLINE T __nv_atomic_fetch_add(T *p, T value, int, int = 0)
{
    return atomicAdd(p, value);
}

#endif
