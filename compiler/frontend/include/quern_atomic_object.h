/* SPDX-License-Identifier: Apache-2.0
 *
 * What objects that are atomic are made of: cuda::atomic, cuda::atomic_ref and, in kernels,
 * std::atomic. An order is a fence before or after a relaxed operation. What CUDA has no function
 * for is a loop of compare-and-swap.
 */
#pragma clang system_header
#ifndef QN_STANDIN_ATOMIC_OBJECT
#define QN_STANDIN_ATOMIC_OBJECT

#include <quern_atomic.h>

namespace __qn_atomics
{

#define QN__HELPER static __host__ __device__ inline __attribute__((always_inline))

/* Both enumerations of orders: relaxed, consume, acquire, release, acq_rel, seq_cst. Scopes as
 * libcu++ numbers them. */
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum { SYSTEM = 0, DEVICE = 1, BLOCK = 2, THREAD = 10 };

template <int Scope> QN__HELPER void fence()
{
    if constexpr (Scope == SYSTEM)
        __threadfence_system();
    else if constexpr (Scope == DEVICE)
        __threadfence();
    else if constexpr (Scope == BLOCK)
        __threadfence_block();
}
template <int Scope> QN__HELPER void before(int order)
{
    if (order >= RELEASE)
        fence<Scope>();
}
template <int Scope> QN__HELPER void after(int order)
{
    if (order == CONSUME || order == ACQUIRE || order >= ACQ_REL)
        fence<Scope>();
}

template <size_t Size> struct word_of_size {
    static_assert(Size == 4 || Size == 8, "an atomic operation is on 1, 2, 4 or 8 bytes");
};
template <> struct word_of_size<1> {
    typedef unsigned char type;
};
template <> struct word_of_size<2> {
    typedef unsigned short type;
};
template <> struct word_of_size<4> {
    typedef unsigned int type;
};
template <> struct word_of_size<8> {
    typedef unsigned long long type;
};
template <class T> using word = typename word_of_size<sizeof(T)>::type;

/* What is added: a number, or elements to a pointer. */
template <class T> struct step {
    typedef T type;
};
template <class T> struct step<T *> {
    typedef ptrdiff_t type;
};

template <class T> QN__HELPER T load(const T *p)
{
    if constexpr (__is_class(T))
        return __builtin_bit_cast(T, *(const volatile word<T> *)p);
    else
        return *(const volatile T *)p;
}
template <class T> QN__HELPER void store(T *p, T v)
{
    if constexpr (__is_class(T))
        *(volatile word<T> *)p = __builtin_bit_cast(word<T>, v);
    else
        *(volatile T *)p = v;
}
template <class W> QN__HELPER W swap_word(W *p, W expected, W v)
{
    return atomicCAS(p, expected, v);
}
QN__HELPER unsigned char swap_word(unsigned char *p, unsigned char expected, unsigned char v)
{
#ifdef __CUDA_ARCH__
    return __qn_atomic_cas_u8(p, expected, v);
#else
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
#endif
}
template <class T> QN__HELPER bool swap_if(T *p, T &seen, T v)
{
    const word<T> expected = __builtin_bit_cast(word<T>, seen);
    const word<T> old = swap_word((word<T> *)p, expected, __builtin_bit_cast(word<T>, v));
    seen = __builtin_bit_cast(T, old);
    return old == expected;
}
template <class T, class F> QN__HELPER T modify(T *p, F change)
{
    T old = load(p);
    while (!swap_if(p, old, change(old)))
        ;
    return old;
}

template <class T> constexpr bool is_i32 = __is_same(T, int);
template <class T> constexpr bool is_u32 = __is_same(T, unsigned int);
template <class T> constexpr bool is_i64 = __is_same(T, long) || __is_same(T, long long);
template <class T>
constexpr bool is_u64 = __is_same(T, unsigned long) || __is_same(T, unsigned long long);
template <class T> constexpr bool is_float = __is_same(T, float) || __is_same(T, double);

template <class T> QN__HELPER T exchange(T *p, T v)
{
    if constexpr (is_i32<T> || is_u32<T> || __is_same(T, float))
        return atomicExch(p, v);
    else if constexpr (sizeof(T) <= 2)
        return modify(p, [=](T) __attribute__((host, device, always_inline)) { return v; });
    else
        return __builtin_bit_cast(T, atomicExch((word<T> *)p, __builtin_bit_cast(word<T>, v)));
}
template <class T> QN__HELPER T fetch_add(T *p, typename step<T>::type v)
{
    if constexpr (is_i32<T> || is_u32<T> || is_float<T>)
        return atomicAdd(p, v);
    else if constexpr (is_i64<T> || is_u64<T>)
        return (T)atomicAdd((unsigned long long *)p, (unsigned long long)v);
    else
        return modify(p, [=](T old)
                             __attribute__((host, device, always_inline)) { return (T)(old + v); });
}
template <class T> QN__HELPER T fetch_sub(T *p, typename step<T>::type v)
{
    if constexpr (is_i32<T> || is_u32<T>)
        return atomicSub(p, v);
    else
        return fetch_add(p, (typename step<T>::type) - v);
}
#define QN__BITS(name, function, op)                                                               \
    template <class T> QN__HELPER T name(T *p, T v)                                                \
    {                                                                                              \
        if constexpr (is_i32<T> || is_u32<T>)                                                      \
            return function(p, v);                                                                 \
        else if constexpr (is_i64<T> || is_u64<T>)                                                 \
            return (T)function((unsigned long long *)p, (unsigned long long)v);                    \
        else                                                                                       \
            return modify(p, [=](T old) __attribute__((host, device, always_inline)) {             \
                return (T)(old op v);                                                              \
            });                                                                                    \
    }
QN__BITS(fetch_and, atomicAnd, &)
QN__BITS(fetch_or, atomicOr, |)
QN__BITS(fetch_xor, atomicXor, ^)
#undef QN__BITS
#define QN__EXTREME(name, function, less)                                                          \
    template <class T> QN__HELPER T name(T *p, T v)                                                \
    {                                                                                              \
        if constexpr (is_i32<T> || is_u32<T>)                                                      \
            return function(p, v);                                                                 \
        else if constexpr (is_i64<T>)                                                              \
            return (T)function((long long *)p, (long long)v);                                      \
        else if constexpr (is_u64<T>)                                                              \
            return (T)function((unsigned long long *)p, (unsigned long long)v);                    \
        else                                                                                       \
            return modify(p, [=](T old) __attribute__((host, device, always_inline)) {             \
                return v less old ? v : old;                                                       \
            });                                                                                    \
    }
QN__EXTREME(fetch_min, atomicMin, <)
QN__EXTREME(fetch_max, atomicMax, >)
#undef QN__EXTREME
#undef QN__HELPER

} // namespace __qn_atomics

/* The members of an atomic object of T, whose value is at `place`. */
#define QN__ATOMIC_MEMBERS(place)                                                                  \
    static constexpr bool is_always_lock_free = true;                                              \
    QN__ATOMIC_METHOD bool is_lock_free() const                                                    \
    {                                                                                              \
        return true;                                                                               \
    }                                                                                              \
    QN__ATOMIC_METHOD T load(memory_order order = memory_order_seq_cst) const                      \
    {                                                                                              \
        if (order == memory_order_seq_cst)                                                         \
            __qn_atomics::fence<Scope>();                                                          \
        const T v = __qn_atomics::load(place);                                                     \
        __qn_atomics::after<Scope>((int)order);                                                    \
        return v;                                                                                  \
    }                                                                                              \
    QN__ATOMIC_METHOD void store(T v, memory_order order = memory_order_seq_cst) QN__ATOMIC_CONST  \
    {                                                                                              \
        __qn_atomics::before<Scope>((int)order);                                                   \
        __qn_atomics::store(place, v);                                                             \
        if (order == memory_order_seq_cst)                                                         \
            __qn_atomics::fence<Scope>();                                                          \
    }                                                                                              \
    QN__ATOMIC_METHOD bool compare_exchange_strong(T &seen, T v, memory_order order, memory_order) \
        QN__ATOMIC_CONST                                                                           \
    {                                                                                              \
        return compare_exchange_strong(seen, v, order);                                            \
    }                                                                                              \
    QN__ATOMIC_METHOD bool compare_exchange_strong(                                                \
        T &seen, T v, memory_order order = memory_order_seq_cst) QN__ATOMIC_CONST                  \
    {                                                                                              \
        __qn_atomics::before<Scope>((int)order);                                                   \
        const bool done = __qn_atomics::swap_if(place, seen, v);                                   \
        __qn_atomics::after<Scope>((int)order);                                                    \
        return done;                                                                               \
    }                                                                                              \
    QN__ATOMIC_METHOD bool compare_exchange_weak(T &seen, T v, memory_order order, memory_order)   \
        QN__ATOMIC_CONST                                                                           \
    {                                                                                              \
        return compare_exchange_strong(seen, v, order);                                            \
    }                                                                                              \
    QN__ATOMIC_METHOD bool compare_exchange_weak(                                                  \
        T &seen, T v, memory_order order = memory_order_seq_cst) QN__ATOMIC_CONST                  \
    {                                                                                              \
        return compare_exchange_strong(seen, v, order);                                            \
    }                                                                                              \
    QN__ATOMIC_METHOD void wait(T old, memory_order order = memory_order_seq_cst) const            \
    {                                                                                              \
        while (load(order) == old)                                                                 \
            ;                                                                                      \
    }                                                                                              \
    QN__ATOMIC_METHOD void notify_one() QN__ATOMIC_CONST                                           \
    {                                                                                              \
    }                                                                                              \
    QN__ATOMIC_METHOD void notify_all() QN__ATOMIC_CONST                                           \
    {                                                                                              \
    }                                                                                              \
    QN__ATOMIC_METHOD operator T() const                                                           \
    {                                                                                              \
        return load();                                                                             \
    }                                                                                              \
    QN__ATOMIC_METHOD T operator=(T v) QN__ATOMIC_CONST                                            \
    {                                                                                              \
        store(v);                                                                                  \
        return v;                                                                                  \
    }                                                                                              \
    QN__ATOMIC_FETCH(place, exchange, T)                                                           \
    QN__ATOMIC_FETCH(place, fetch_add, Step)                                                       \
    QN__ATOMIC_FETCH(place, fetch_sub, Step)                                                       \
    QN__ATOMIC_FETCH(place, fetch_and, T)                                                          \
    QN__ATOMIC_FETCH(place, fetch_or, T)                                                           \
    QN__ATOMIC_FETCH(place, fetch_xor, T)                                                          \
    QN__ATOMIC_FETCH(place, fetch_min, T)                                                          \
    QN__ATOMIC_FETCH(place, fetch_max, T)                                                          \
    QN__ATOMIC_ASSIGN(+=, fetch_add, Step, +)                                                      \
    QN__ATOMIC_ASSIGN(-=, fetch_sub, Step, -)                                                      \
    QN__ATOMIC_ASSIGN(&=, fetch_and, T, &)                                                         \
    QN__ATOMIC_ASSIGN(|=, fetch_or, T, |)                                                          \
    QN__ATOMIC_ASSIGN(^=, fetch_xor, T, ^)                                                         \
    QN__ATOMIC_METHOD T operator++() QN__ATOMIC_CONST                                              \
    {                                                                                              \
        return (T)(fetch_add(1) + 1);                                                              \
    }                                                                                              \
    QN__ATOMIC_METHOD T operator++(int) QN__ATOMIC_CONST                                           \
    {                                                                                              \
        return fetch_add(1);                                                                       \
    }                                                                                              \
    QN__ATOMIC_METHOD T operator--() QN__ATOMIC_CONST                                              \
    {                                                                                              \
        return (T)(fetch_sub(1) - 1);                                                              \
    }                                                                                              \
    QN__ATOMIC_METHOD T operator--(int) QN__ATOMIC_CONST                                           \
    {                                                                                              \
        return fetch_sub(1);                                                                       \
    }
#define QN__ATOMIC_METHOD __host__ __device__ inline __attribute__((always_inline))
#define QN__ATOMIC_FETCH(place, name, type)                                                        \
    QN__ATOMIC_METHOD T name(type v, memory_order order = memory_order_seq_cst) QN__ATOMIC_CONST   \
    {                                                                                              \
        __qn_atomics::before<Scope>((int)order);                                                   \
        const T old = __qn_atomics::name(place, v);                                                \
        __qn_atomics::after<Scope>((int)order);                                                    \
        return old;                                                                                \
    }
#define QN__ATOMIC_ASSIGN(assign, name, type, op)                                                  \
    QN__ATOMIC_METHOD T operator assign(type v) QN__ATOMIC_CONST                                   \
    {                                                                                              \
        return (T)(name(v) op v);                                                                  \
    }

#endif
