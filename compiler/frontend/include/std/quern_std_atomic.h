/* SPDX-License-Identifier: Apache-2.0
 *
 * std::atomic and std::atomic_ref in kernels, where cuda::std is std: as cuda::atomic with the
 * system's scope. */
#pragma clang system_header
#ifndef QN_STANDIN_STD_ATOMIC
#define QN_STANDIN_STD_ATOMIC

#include <quern_atomic_object.h>
#include <quern_std_misc.h>

namespace std
{

template <class T> class atomic
{
    T value;
    typedef typename __qn_atomics::step<T>::type Step;
    static constexpr int Scope = __qn_atomics::SYSTEM;

  public:
    typedef T value_type;
    atomic() = default;
    constexpr __host__ __device__ atomic(T v) : value(v)
    {
    }
    atomic(const atomic &) = delete;
#define QN__ATOMIC_CONST
    QN__ATOMIC_MEMBERS((T *)&value)
#undef QN__ATOMIC_CONST
};
template <class T> class atomic_ref
{
    T *value;
    typedef typename __qn_atomics::step<T>::type Step;
    static constexpr int Scope = __qn_atomics::SYSTEM;

  public:
    typedef T value_type;
    QN__ATOMIC_METHOD explicit atomic_ref(T &v) : value(&v)
    {
    }
#define QN__ATOMIC_CONST const
    QN__ATOMIC_MEMBERS(value)
#undef QN__ATOMIC_CONST
};
QN__BOTH void atomic_thread_fence(memory_order order)
{
    if (order != memory_order_relaxed)
        __threadfence_system();
}
template <class T> void atomic_init(atomic<T> *, T);
class atomic_flag
{
    unsigned int value;
    static constexpr int Scope = __qn_atomics::SYSTEM;

  public:
    atomic_flag() = default;
    constexpr __host__ __device__ atomic_flag(bool v) : value(v)
    {
    }
    atomic_flag(const atomic_flag &) = delete;
    QN__ATOMIC_METHOD bool test(memory_order order = memory_order_seq_cst) const
    {
        const unsigned int v = __qn_atomics::load(&value);
        __qn_atomics::after<Scope>((int)order);
        return v != 0;
    }
    QN__ATOMIC_METHOD bool test_and_set(memory_order order = memory_order_seq_cst)
    {
        __qn_atomics::before<Scope>((int)order);
        const unsigned int old = __qn_atomics::exchange(&value, 1u);
        __qn_atomics::after<Scope>((int)order);
        return old != 0;
    }
    QN__ATOMIC_METHOD void clear(memory_order order = memory_order_seq_cst)
    {
        __qn_atomics::before<Scope>((int)order);
        __qn_atomics::store(&value, 0u);
    }
    QN__ATOMIC_METHOD void wait(bool old, memory_order order = memory_order_seq_cst) const
    {
        while (test(order) == old)
            ;
    }
    QN__ATOMIC_METHOD void notify_one()
    {
    }
    QN__ATOMIC_METHOD void notify_all()
    {
    }
};
#define ATOMIC_FLAG_INIT       {false}
#define ATOMIC_VAR_INIT(value) (value)

typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<long> atomic_long;

} // namespace std

#endif
