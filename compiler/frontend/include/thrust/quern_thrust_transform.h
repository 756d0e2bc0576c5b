/* SPDX-License-Identifier: Apache-2.0
 *
 * Thrust's algorithms that treat each element by itself, and copies between host and device. */
#pragma clang system_header
#ifndef QN_THRUST_TRANSFORM
#define QN_THRUST_TRANSFORM

#include <thrust/quern_thrust_iterators.h>

namespace thrust
{

/* ---- for_each ---- */

template <QN__POLICY, class It, class N, class F>
QN__HD inline It for_each_n(QnPolicy p, It first, N n, F f)
{
    QN__ON_DEVICE
    {
        auto it = __qn::raw(first);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable { f(it[i]); });
    }
    else for (N i = 0; i < n; i++) f(first[i]);
    return first + n;
}
template <QN__POLICY, class It, class F>
QN__HD inline It for_each(QnPolicy p, It first, It last, F f)
{
    return thrust::for_each_n(p, first, last - first, f);
}
QN__WITHOUT_POLICY(for_each_n)
QN__WITHOUT_POLICY(for_each)

/* ---- copy ---- */

template <QN__POLICY, class In, class N, class Out>
QN__HD inline Out copy_n(QnPolicy p, In first, N n, Out out)
{
    QN__ON_DEVICE
    {
        auto from = __qn::raw(first);
        auto to = __qn::raw(out);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable { to[i] = from[i]; });
    }
    else for (N i = 0; i < n; i++, ++first) out[i] = *first;
    return out + n;
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out copy(QnPolicy p, In first, In last, Out out)
{
    return thrust::copy_n(p, first, last - first, out);
}

namespace __qn
{
/* The host's elements in one piece. */
template <class T, class It> class staged
{
    T *p;
    bool is_own = false;

  public:
    staged(It it, size_t n)
    {
        if constexpr (std::is_pointer_v<It> && std::is_same_v<val<It>, T>)
            p = (T *)(uintptr_t)it;
        else {
            p = (T *)::operator new(n * sizeof(T) + 1);
            is_own = true;
        }
    }
    staged(const staged &) = delete;
    staged &operator=(const staged &) = delete;
    ~staged()
    {
        if (is_own)
            ::operator delete((void *)p);
    }
    T *get() const
    {
        return p;
    }
    bool is_copy() const
    {
        return is_own;
    }
};
template <class T> constexpr bool is_raw = false;
template <class T> constexpr bool is_raw<T *> = true;

template <class In, class Out> inline Out upload(In first, size_t n, Out out)
{
    typedef val<In> T;
    const staged<T, In> host(first, n);
    if (host.is_copy())
        for (size_t i = 0; i < n; i++, ++first)
            __qn_wide::put(host.get() + i, *first);
    auto to = raw(out);
    if constexpr (is_raw<decltype(to)> && std::is_same_v<val<Out>, T>) {
        check(cudaMemcpy((void *)to, host.get(), n * sizeof(T), cudaMemcpyHostToDevice),
              "thrust::copy");
    } else {
        const temporary<T> room(n);
        check(cudaMemcpy((void *)room.get(), host.get(), n * sizeof(T), cudaMemcpyHostToDevice),
              "thrust::copy");
        const T *const from = room.get();
        run(__qn_device_policy(), n, [=] __device__(size_t i) mutable { to[i] = from[i]; });
    }
    return out + n;
}
template <class In, class Out> inline Out download(In first, size_t n, Out out)
{
    typedef val<In> T;
    const staged<T, Out> host(out, n);
    auto from = raw(first);
    if constexpr (is_raw<decltype(from)>) {
        check(cudaMemcpy((void *)host.get(), (const void *)from, n * sizeof(T),
                         cudaMemcpyDeviceToHost),
              "thrust::copy");
    } else {
        const temporary<T> room(n);
        T *const to = room.get();
        run(__qn_device_policy(), n,
            [=] __device__(size_t i) mutable { __qn_wide::put(to + i, (T)from[i]); });
        check(cudaMemcpy((void *)host.get(), to, n * sizeof(T), cudaMemcpyDeviceToHost),
              "thrust::copy");
    }
    if (host.is_copy()) {
        for (size_t i = 0; i < n; i++, ++out)
            *out = host.get()[i];
        return out;
    }
    return out + n;
}
template <class In> inline size_t count_of(In first, In last)
{
    if constexpr (std::is_base_of_v<std::random_access_iterator_tag,
                                    typename std::iterator_traits<In>::iterator_category>)
        return (size_t)(last - first);
    size_t n = 0;
    for (; first != last; ++first)
        n++;
    return n;
}
} // namespace __qn

template <class In, class Out, std::enable_if_t<!__qn::is_policy<In>, int> = 0>
QN__HD inline Out copy(In first, In last, Out out)
{
    if constexpr (__qn::any_on_device<Out> && __qn::any_on_host<In>)
        return __qn::upload(first, __qn::count_of(first, last), out);
    else if constexpr (__qn::any_on_device<In> && __qn::any_on_host<Out>)
        return __qn::download(first, (size_t)(last - first), out);
    else
        return thrust::copy_n(__qn::policy_of<In, Out>(), first, last - first, out);
}
template <class In, class N, class Out, std::enable_if_t<!__qn::is_policy<In>, int> = 0>
QN__HD inline Out copy_n(In first, N n, Out out)
{
    return thrust::copy(first, first + n, out);
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out uninitialized_copy(QnPolicy p, In first, In last, Out out)
{
    return thrust::copy(p, first, last, out);
}
QN__WITHOUT_POLICY(uninitialized_copy)
template <QN__POLICY, class A, class B>
QN__HD inline B swap_ranges(QnPolicy p, A first, A last, B other)
{
    const auto n = last - first;
    auto a = __qn::raw(first);
    auto b = __qn::raw(other);
    thrust::for_each_n(p, counting_iterator<size_t>(0), n,
                       [=] __host__ __device__(size_t i) mutable {
                           const __qn::val<A> v = a[i];
                           a[i] = b[i];
                           b[i] = v;
                       });
    return other + n;
}
QN__WITHOUT_POLICY(swap_ranges)

/* ---- fill, sequence, generate ---- */

template <QN__POLICY, class It, class N, class T>
QN__HD inline It fill_n(QnPolicy p, It first, N n, const T &value)
{
    const __qn::val<It> v = value;
    QN__ON_DEVICE
    {
        auto to = __qn::raw(first);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable { to[i] = v; });
    }
    else for (N i = 0; i < n; i++) first[i] = v;
    return first + n;
}
template <QN__POLICY, class It, class T>
QN__HD inline void fill(QnPolicy p, It first, It last, const T &value)
{
    thrust::fill_n(p, first, last - first, value);
}
template <QN__POLICY, class It, class T>
QN__HD inline void uninitialized_fill(QnPolicy p, It first, It last, const T &value)
{
    thrust::fill_n(p, first, last - first, value);
}
template <QN__POLICY, class It, class F>
QN__HD inline void tabulate(QnPolicy p, It first, It last, F f)
{
    const auto n = last - first;
    QN__ON_DEVICE
    {
        auto to = __qn::raw(first);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable { to[i] = f(i); });
    }
    else for (ptrdiff_t i = 0; i < n; i++) first[i] = f(i);
}
namespace __qn
{
template <class T> struct nth {
    T init, step;
    QN__HD T operator()(size_t i) const
    {
        return (T)(init + step * (T)i);
    }
};
template <class F> struct ignoring {
    F f;
    QN__HD decltype(auto) operator()(size_t)
    {
        return f();
    }
};
} // namespace __qn
template <QN__POLICY, class It, class T>
QN__HD inline void sequence(QnPolicy p, It first, It last, T init, T step)
{
    typedef __qn::val<It> V;
    thrust::tabulate(p, first, last, __qn::nth<V>{(V)init, (V)step});
}
template <QN__POLICY, class It, class T>
QN__HD inline void sequence(QnPolicy p, It first, It last, T init)
{
    typedef __qn::val<It> V;
    thrust::tabulate(p, first, last, __qn::nth<V>{(V)init, (V)1});
}
template <QN__POLICY, class It> QN__HD inline void sequence(QnPolicy p, It first, It last)
{
    typedef __qn::val<It> V;
    thrust::tabulate(p, first, last, __qn::nth<V>{(V)0, (V)1});
}
template <QN__POLICY, class It, class F>
QN__HD inline void generate(QnPolicy p, It first, It last, F f)
{
    if constexpr (QnPolicy::is_device)
        thrust::tabulate(p, first, last, __qn::ignoring<F>{f});
    else
        for (; first != last; ++first)
            *first = f();
}
template <QN__POLICY, class It, class N, class F>
QN__HD inline It generate_n(QnPolicy p, It first, N n, F f)
{
    thrust::generate(p, first, first + n, f);
    return first + n;
}
QN__WITHOUT_POLICY(fill_n)
QN__WITHOUT_POLICY(fill)
QN__WITHOUT_POLICY(uninitialized_fill)
QN__WITHOUT_POLICY(tabulate)
QN__WITHOUT_POLICY(sequence)
QN__WITHOUT_POLICY(generate)
QN__WITHOUT_POLICY(generate_n)

/* ---- transform ---- */

template <QN__POLICY, class In, class Out, class F>
QN__HD inline Out transform(QnPolicy p, In first, In last, Out out, F f)
{
    const auto n = last - first;
    QN__ON_DEVICE
    {
        auto a = __qn::raw(first);
        auto to = __qn::raw(out);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable { to[i] = f(a[i]); });
    }
    else for (ptrdiff_t i = 0; i < n; i++) out[i] = f(first[i]);
    return out + n;
}
namespace __qn
{
template <class P, class A, class B, class Out, class F>
QN__HD inline Out transform2(P p, A first, A last, B second, Out out, F f)
{
    const auto n = last - first;
    if constexpr (P::is_device) {
        auto a = raw(first);
        auto b = raw(second);
        auto to = raw(out);
        run(p, (size_t)n, [=] __device__(size_t i) mutable { to[i] = f(a[i], b[i]); });
    } else
        for (ptrdiff_t i = 0; i < n; i++)
            out[i] = f(first[i], second[i]);
    return out + n;
}
} // namespace __qn
template <QN__POLICY, class A, class B, class Out, class F>
QN__HD inline Out transform(QnPolicy p, A first, A last, B second, Out out, F f)
{
    return __qn::transform2(p, first, last, second, out, f);
}
QN__WITHOUT_POLICY(transform)

namespace __qn
{
template <class P, class N, class Stencil, class Predicate, class Store>
QN__HD inline void store_if(P p, N n, Stencil stencil, Predicate predicate, Store store)
{
    if constexpr (P::is_device) {
        auto s = raw(stencil);
        run(p, (size_t)n, [=] __device__(size_t i) mutable {
            if (predicate(s[i]))
                store(i);
        });
    } else
        for (N i = 0; i < n; i++)
            if (predicate(stencil[i]))
                store((size_t)i);
}
template <class In, class Out, class F> struct store_transformed {
    In from;
    Out to;
    F f;
    QN__HD void operator()(size_t i)
    {
        to[i] = f(from[i]);
    }
};
template <class Out, class T> struct store_value {
    Out to;
    T v;
    QN__HD void operator()(size_t i)
    {
        to[i] = v;
    }
};
template <class P, class It> QN__HD inline auto raw_for(P, It it)
{
    if constexpr (P::is_device)
        return raw(it);
    else
        return it;
}
template <class T> struct equals {
    T v;
    template <class U> QN__HD bool operator()(const U &u) const
    {
        return u == v;
    }
};
} // namespace __qn
template <QN__POLICY, class In, class Out, class F, class Predicate>
QN__HD inline Out transform_if(QnPolicy p, In first, In last, Out out, F f, Predicate predicate)
{
    auto a = __qn::raw_for(p, first);
    auto to = __qn::raw_for(p, out);
    __qn::store_if(p, last - first, first, predicate,
                   __qn::store_transformed<decltype(a), decltype(to), F>{a, to, f});
    return out + (last - first);
}
template <QN__POLICY, class In, class Stencil, class Out, class F, class Predicate>
QN__HD inline Out transform_if(QnPolicy p, In first, In last, Stencil stencil, Out out, F f,
                               Predicate predicate)
{
    auto a = __qn::raw_for(p, first);
    auto to = __qn::raw_for(p, out);
    __qn::store_if(p, last - first, stencil, predicate,
                   __qn::store_transformed<decltype(a), decltype(to), F>{a, to, f});
    return out + (last - first);
}
template <QN__POLICY, class It, class Predicate, class T>
QN__HD inline void replace_if(QnPolicy p, It first, It last, Predicate predicate, const T &value)
{
    typedef __qn::val<It> V;
    auto to = __qn::raw_for(p, first);
    __qn::store_if(p, last - first, first, predicate,
                   __qn::store_value<decltype(to), V>{to, (V)value});
}
template <QN__POLICY, class It, class Stencil, class Predicate, class T,
          std::enable_if_t<!std::is_convertible_v<Predicate, __qn::val<It>>, int> = 0>
QN__HD inline void replace_if(QnPolicy p, It first, It last, Stencil stencil, Predicate predicate,
                              const T &value)
{
    typedef __qn::val<It> V;
    auto to = __qn::raw_for(p, first);
    __qn::store_if(p, last - first, stencil, predicate,
                   __qn::store_value<decltype(to), V>{to, (V)value});
}
template <QN__POLICY, class It, class T>
QN__HD inline void replace(QnPolicy p, It first, It last, const T &old, const T &value)
{
    thrust::replace_if(p, first, last, __qn::equals<T>{old}, value);
}
QN__WITHOUT_POLICY(transform_if)
QN__WITHOUT_POLICY(replace_if)
QN__WITHOUT_POLICY(replace)

/* ---- gather, scatter, reverse ---- */

template <QN__POLICY, class Map, class In, class Out>
QN__HD inline Out gather(QnPolicy p, Map first, Map last, In from, Out out)
{
    return thrust::copy_n(p, thrust::make_permutation_iterator(from, first), last - first, out);
}
template <QN__POLICY, class In, class Map, class Out>
QN__HD inline void scatter(QnPolicy p, In first, In last, Map map, Out out)
{
    thrust::copy_n(p, first, last - first, thrust::make_permutation_iterator(out, map));
}
namespace __qn
{
struct is_true {
    template <class T> QN__HD bool operator()(const T &v) const
    {
        return (bool)v;
    }
};
struct itself {
    template <class T> QN__HD T operator()(const T &v) const
    {
        return v;
    }
};
} // namespace __qn
template <QN__POLICY, class Map, class Stencil, class In, class Out, class Predicate>
QN__HD inline Out gather_if(QnPolicy p, Map first, Map last, Stencil stencil, In from, Out out,
                            Predicate predicate)
{
    auto place = thrust::make_permutation_iterator(from, first);
    return thrust::transform_if(p, place, place + (last - first), stencil, out, __qn::itself(),
                                predicate);
}
template <QN__POLICY, class Map, class Stencil, class In, class Out>
QN__HD inline Out gather_if(QnPolicy p, Map first, Map last, Stencil stencil, In from, Out out)
{
    return thrust::gather_if(p, first, last, stencil, from, out, __qn::is_true());
}
template <QN__POLICY, class In, class Map, class Stencil, class Out, class Predicate>
QN__HD inline void scatter_if(QnPolicy p, In first, In last, Map map, Stencil stencil, Out out,
                              Predicate predicate)
{
    thrust::transform_if(p, first, last, stencil, thrust::make_permutation_iterator(out, map),
                         __qn::itself(), predicate);
}
template <QN__POLICY, class In, class Map, class Stencil, class Out>
QN__HD inline void scatter_if(QnPolicy p, In first, In last, Map map, Stencil stencil, Out out)
{
    thrust::scatter_if(p, first, last, map, stencil, out, __qn::is_true());
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out reverse_copy(QnPolicy p, In first, In last, Out out)
{
    return thrust::copy_n(p, thrust::make_reverse_iterator(last), last - first, out);
}
template <QN__POLICY, class It> QN__HD inline void reverse(QnPolicy p, It first, It last)
{
    thrust::swap_ranges(p, first, first + (last - first) / 2, thrust::make_reverse_iterator(last));
}
QN__WITHOUT_POLICY(gather)
QN__WITHOUT_POLICY(scatter)
QN__WITHOUT_POLICY(gather_if)
QN__WITHOUT_POLICY(scatter_if)
QN__WITHOUT_POLICY(reverse_copy)
QN__WITHOUT_POLICY(reverse)

/* Each but the first with the one before it. */
template <QN__POLICY, class In, class Out, class F>
QN__HD inline Out adjacent_difference(QnPolicy p, In first, In last, Out out, F f)
{
    const ptrdiff_t n = last - first;
    typedef __qn::val<In> T;
    QN__ON_DEVICE
    {
        const __qn::temporary<T> room(n); /* it may be in place */
        T *const to = room.get();
        auto a = __qn::raw(first);
        __qn::run(p, (size_t)n, [=] __device__(size_t i) mutable {
            __qn_wide::put(to + i, i ? (T)f(a[i], a[i - 1]) : (T)a[i]);
        });
        thrust::copy_n(p, (const T *)to, n, out);
    }
    else if (n)
    {
        T before = *first;
        *out = before;
        for (ptrdiff_t i = 1; i < n; i++) {
            const T v = first[i];
            out[i] = f(v, before);
            before = v;
        }
    }
    return out + n;
}
template <QN__POLICY, class In, class Out>
QN__HD inline Out adjacent_difference(QnPolicy p, In first, In last, Out out)
{
    return thrust::adjacent_difference(p, first, last, out, std::minus<>());
}
QN__WITHOUT_POLICY(adjacent_difference)

} // namespace thrust

#endif
