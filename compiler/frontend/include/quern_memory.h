/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores with cache hints: the plain access; OpenCL C has no hints. Address-space
 * questions, which the translator answers at translation time. memcpy and memset in kernels.
 */
#pragma clang system_header
#ifndef QN_STANDIN_MEMORY
#define QN_STANDIN_MEMORY

#define QN__LOAD(name)                                                                             \
    template <class T> QN__INLINE T name(const T *p)                                               \
    {                                                                                              \
        return *p;                                                                                 \
    }
QN__LOAD(__ldg)
QN__LOAD(__ldca)
QN__LOAD(__ldcg)
QN__LOAD(__ldcs)
QN__LOAD(__ldlu)
#undef QN__LOAD
/* Vectors have no volatile copies in C++: their members are read, or the words of another struct.
 */
template <class T> QN__INLINE auto __qn_ldcv(const T *p, int) -> decltype(p->x * 2, T())
{
    constexpr size_t n = sizeof(T) / sizeof(p->x);
    const volatile decltype(T::x) *const from = &p->x;
    T v;
    v.x = from[0];
    if constexpr (n > 1)
        v.y = from[1];
    if constexpr (n > 2)
        v.z = from[2];
    if constexpr (n > 3)
        v.w = from[3];
    return v;
}
template <class T> QN__INLINE T __qn_ldcv(const T *p, long)
{
    if constexpr (__is_class(T)) {
        static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a half or a pair of them");
        if constexpr (sizeof(T) == 2)
            return __builtin_bit_cast(T, *(const volatile unsigned short *)p);
        else
            return __builtin_bit_cast(T, *(const volatile unsigned int *)p);
    } else {
        return *(const volatile T *)p;
    }
}
template <class T> QN__INLINE T __ldcv(const T *p)
{
    return __qn_ldcv(p, 0);
}
template <class T> struct __qn_stored {
    typedef T type;
};
#define QN__STORE(name)                                                                            \
    template <class T> QN__INLINE void name(T *p, typename __qn_stored<T>::type value)             \
    {                                                                                              \
        *p = value;                                                                                \
    }
QN__STORE(__stwb)
QN__STORE(__stcg)
QN__STORE(__stcs)
QN__STORE(__stwt)
#undef QN__STORE

QN__PURE(unsigned int, __qn_is_global, (const void *));
QN__PURE(unsigned int, __qn_is_shared, (const void *));
QN__PURE(unsigned int, __qn_is_constant, (const void *));
QN__PURE(unsigned int, __qn_is_local, (const void *));
QN__INLINE unsigned int __isGlobal(const void *p)
{
    return __qn_is_global(p);
}
QN__INLINE unsigned int __isShared(const void *p)
{
    return __qn_is_shared(p);
}
QN__INLINE unsigned int __isConstant(const void *p)
{
    return __qn_is_constant(p);
}
QN__INLINE unsigned int __isLocal(const void *p)
{
    return __qn_is_local(p);
}
/* Addresses for PTX: those of shared memory are numbers (lower/ptx/ptx_shared.c). */
QN__BUILTIN(size_t, __cvta_generic_to_shared, (const void *));
QN__BUILTIN(void *, __cvta_shared_to_generic, (size_t));
QN__INLINE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)p;
}
QN__INLINE void *__cvta_global_to_generic(size_t address)
{
    return (void *)address;
}

QN__INLINE void *memcpy(void *to, const void *from, size_t n)
{
    return __builtin_memcpy(to, from, n);
}
QN__INLINE void *memset(void *to, int byte, size_t n)
{
    return __builtin_memset(to, byte, n);
}

#endif
