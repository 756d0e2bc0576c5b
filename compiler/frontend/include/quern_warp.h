/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers, fences, warp operations, and what else a kernel calls: printf, assert, clocks. A
 * warp is 32 consecutive threads of a block. Shuffles exist for 32 and 64 bits; the overloads for
 * narrower types widen. The forms without a mask act on the whole warp.
 */
#pragma clang system_header
#ifndef QN_STANDIN_WARP
#define QN_STANDIN_WARP

#include <quern_convert.h>

#define QN__CONVERGENT(type, name, parameters)                                                     \
    __device__ __attribute__((convergent)) type name parameters __asm__(#name)

QN__CONVERGENT(void, __syncthreads, ());
QN__CONVERGENT(int, __syncthreads_count, (int));
QN__CONVERGENT(int, __syncthreads_and, (int));
QN__CONVERGENT(int, __syncthreads_or, (int));
QN__CONVERGENT(void, __qn_syncwarp, (unsigned int));
QN__INLINE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    __qn_syncwarp(mask);
}
QN__BUILTIN(void, __threadfence, ());
QN__BUILTIN(void, __threadfence_block, ());
QN__BUILTIN(void, __threadfence_system, ());

QN__CONVERGENT(unsigned int, __ballot_sync, (unsigned int, int));
QN__CONVERGENT(int, __any_sync, (unsigned int, int));
QN__CONVERGENT(int, __all_sync, (unsigned int, int));
QN__CONVERGENT(int, __uni_sync, (unsigned int, int));
QN__CONVERGENT(unsigned int, __activemask, ());
QN__INLINE unsigned int __ballot(int predicate)
{
    return __ballot_sync(0xffffffffu, predicate);
}
QN__INLINE int __any(int predicate)
{
    return __any_sync(0xffffffffu, predicate);
}
QN__INLINE int __all(int predicate)
{
    return __all_sync(0xffffffffu, predicate);
}

#define QN__SHUFFLE_BUILTIN(type, suffix)                                                          \
    QN__CONVERGENT(type, __qn_shfl_##suffix, (unsigned int, type, int, int));                      \
    QN__CONVERGENT(type, __qn_shfl_up_##suffix, (unsigned int, type, unsigned int, int));          \
    QN__CONVERGENT(type, __qn_shfl_down_##suffix, (unsigned int, type, unsigned int, int));        \
    QN__CONVERGENT(type, __qn_shfl_xor_##suffix, (unsigned int, type, int, int));
QN__SHUFFLE_BUILTIN(int, i32)
QN__SHUFFLE_BUILTIN(unsigned int, u32)
QN__SHUFFLE_BUILTIN(long long, i64)
QN__SHUFFLE_BUILTIN(unsigned long long, u64)
QN__SHUFFLE_BUILTIN(float, f32)
QN__SHUFFLE_BUILTIN(double, f64)
#undef QN__SHUFFLE_BUILTIN

#define QN__SHUFFLE(type, suffix)                                                                  \
    QN__INLINE type __shfl_sync(unsigned int mask, type v, int lane, int width = 32)               \
    {                                                                                              \
        return __qn_shfl_##suffix(mask, v, lane, width);                                           \
    }                                                                                              \
    QN__INLINE type __shfl_up_sync(unsigned int mask, type v, unsigned int by, int width = 32)     \
    {                                                                                              \
        return __qn_shfl_up_##suffix(mask, v, by, width);                                          \
    }                                                                                              \
    QN__INLINE type __shfl_down_sync(unsigned int mask, type v, unsigned int by, int width = 32)   \
    {                                                                                              \
        return __qn_shfl_down_##suffix(mask, v, by, width);                                        \
    }                                                                                              \
    QN__INLINE type __shfl_xor_sync(unsigned int mask, type v, int lanes, int width = 32)          \
    {                                                                                              \
        return __qn_shfl_xor_##suffix(mask, v, lanes, width);                                      \
    }                                                                                              \
    QN__INLINE type __shfl(type v, int lane, int width = 32)                                       \
    {                                                                                              \
        return __qn_shfl_##suffix(0xffffffffu, v, lane, width);                                    \
    }                                                                                              \
    QN__INLINE type __shfl_up(type v, unsigned int by, int width = 32)                             \
    {                                                                                              \
        return __qn_shfl_up_##suffix(0xffffffffu, v, by, width);                                   \
    }                                                                                              \
    QN__INLINE type __shfl_down(type v, unsigned int by, int width = 32)                           \
    {                                                                                              \
        return __qn_shfl_down_##suffix(0xffffffffu, v, by, width);                                 \
    }                                                                                              \
    QN__INLINE type __shfl_xor(type v, int lanes, int width = 32)                                  \
    {                                                                                              \
        return __qn_shfl_xor_##suffix(0xffffffffu, v, lanes, width);                               \
    }
QN__SHUFFLE(int, i32)
QN__SHUFFLE(unsigned int, u32)
QN__SHUFFLE(long, i64)
QN__SHUFFLE(unsigned long, u64)
QN__SHUFFLE(long long, i64)
QN__SHUFFLE(unsigned long long, u64)
QN__SHUFFLE(float, f32)
QN__SHUFFLE(double, f64)
#undef QN__SHUFFLE

QN__CONVERGENT(unsigned int, __qn_match_any_u32, (unsigned int, unsigned int));
QN__CONVERGENT(unsigned int, __qn_match_any_u64, (unsigned int, unsigned long long));
/* the mask when all its lanes have one value, else 0 */
QN__CONVERGENT(unsigned int, __qn_match_all_u32, (unsigned int, unsigned int));
QN__CONVERGENT(unsigned int, __qn_match_all_u64, (unsigned int, unsigned long long));
#define QN__MATCH(type, bits, value)                                                               \
    QN__INLINE unsigned int __match_any_sync(unsigned int mask, type v)                            \
    {                                                                                              \
        return __qn_match_any_u##bits(mask, value);                                                \
    }                                                                                              \
    QN__INLINE unsigned int __match_all_sync(unsigned int mask, type v, int *all)                  \
    {                                                                                              \
        const unsigned int same = __qn_match_all_u##bits(mask, value);                             \
        *all = same != 0;                                                                          \
        return same;                                                                               \
    }
QN__MATCH(int, 32, (unsigned int)v)
QN__MATCH(unsigned int, 32, v)
QN__MATCH(float, 32, __float_as_uint(v))
QN__MATCH(long, 64, (unsigned long long)v)
QN__MATCH(unsigned long, 64, v)
QN__MATCH(long long, 64, (unsigned long long)v)
QN__MATCH(unsigned long long, 64, v)
QN__MATCH(double, 64, (unsigned long long)__double_as_longlong(v))
#undef QN__MATCH

#define QN__REDUCE(op, type, suffix)                                                               \
    QN__CONVERGENT(type, __qn_reduce_##op##_##suffix, (unsigned int, type));                       \
    QN__INLINE type __reduce_##op##_sync(unsigned int mask, type v)                                \
    {                                                                                              \
        return __qn_reduce_##op##_##suffix(mask, v);                                               \
    }
QN__REDUCE(add, int, i32)
QN__REDUCE(add, unsigned int, u32)
QN__REDUCE(min, int, i32)
QN__REDUCE(min, unsigned int, u32)
QN__REDUCE(max, int, i32)
QN__REDUCE(max, unsigned int, u32)
QN__REDUCE(and, unsigned int, u32)
QN__REDUCE(or, unsigned int, u32)
QN__REDUCE(xor, unsigned int, u32)
#undef QN__REDUCE

/* printf has a name of its own: clang would pack the arguments of "printf" into a struct. */
__device__ int printf(const char *format, ...) __asm__("__qn_printf");
__device__ __attribute__((noreturn)) void
__assert_fail(const char *expression, const char *file, unsigned int line,
              const char *function) __asm__("__qn_assert_fail");
__device__ __attribute__((noreturn)) void
__assertfail(const char *expression, const char *file, unsigned int line, const char *function,
             size_t char_size) __asm__("__qn_assert_fail");
__device__ __attribute__((noreturn)) void __trap() __asm__("__trap");
QN__INLINE void __brkpt(int = 0)
{
}
QN__INLINE void __prof_trigger(int)
{
}
QN__INLINE void __pm0()
{
}
QN__INLINE void __pm1()
{
}
QN__INLINE void __pm2()
{
}
QN__INLINE void __pm3()
{
}
QN__INLINE void __nanosleep(unsigned int)
{
}
QN__BUILTIN(long, __qn_clock, ());
QN__BUILTIN(long long, clock64, ());
QN__INLINE long clock()
{
    return __qn_clock();
}
QN__INLINE long long wall_clock64()
{
    return clock64();
}
QN__BUILTIN(unsigned long long, __globaltimer, ());

/* The heap of a device. new and delete are known by their symbols. */
__device__ void *malloc(size_t bytes) __asm__("__qn_malloc");
__device__ void free(void *p) __asm__("__qn_free");
QN__BUILTIN(void *, __nv_aligned_device_malloc, (size_t bytes, size_t align));

#undef QN__CONVERGENT
#endif
