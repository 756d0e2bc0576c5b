/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers into the device's memory, which the host reads and writes by copies. */
#pragma clang system_header
#ifndef QN_THRUST_POINTER
#define QN_THRUST_POINTER

#include <thrust/quern_thrust_core.h>

namespace thrust
{

/* What makes an iterator of `at()`, `advance(n)` and `distance_to(other)`. */
template <class Self, class Value, class Reference, class System> struct __qn_facade {
    typedef Value value_type;
    typedef Reference reference;
    typedef ptrdiff_t difference_type;
    typedef Value *pointer;
    typedef std::random_access_iterator_tag iterator_category;
    typedef System __qn_system;

    QN__HD Self &self()
    {
        return static_cast<Self &>(*this);
    }
    QN__HD const Self &self() const
    {
        return static_cast<const Self &>(*this);
    }
    QN__HD decltype(auto) operator*() const
    {
        return self().dereference();
    }
    QN__HD decltype(auto) operator[](ptrdiff_t n) const
    {
        Self other = self();
        other.advance(n);
        return other.dereference();
    }
    QN__HD Self &operator++()
    {
        self().advance(1);
        return self();
    }
    QN__HD Self &operator--()
    {
        self().advance(-1);
        return self();
    }
    QN__HD Self operator++(int)
    {
        Self old = self();
        self().advance(1);
        return old;
    }
    QN__HD Self operator--(int)
    {
        Self old = self();
        self().advance(-1);
        return old;
    }
    QN__HD Self &operator+=(ptrdiff_t n)
    {
        self().advance(n);
        return self();
    }
    QN__HD Self &operator-=(ptrdiff_t n)
    {
        self().advance(-n);
        return self();
    }
    QN__HD friend Self operator+(Self a, ptrdiff_t n)
    {
        a.advance(n);
        return a;
    }
    QN__HD friend Self operator+(ptrdiff_t n, Self a)
    {
        a.advance(n);
        return a;
    }
    QN__HD friend Self operator-(Self a, ptrdiff_t n)
    {
        a.advance(-n);
        return a;
    }
    QN__HD friend ptrdiff_t operator-(const Self &a, const Self &b)
    {
        return b.distance_to(a);
    }
    QN__HD friend bool operator==(const Self &a, const Self &b)
    {
        return b.distance_to(a) == 0;
    }
    QN__HD friend bool operator!=(const Self &a, const Self &b)
    {
        return b.distance_to(a) != 0;
    }
    QN__HD friend bool operator<(const Self &a, const Self &b)
    {
        return b.distance_to(a) < 0;
    }
    QN__HD friend bool operator>(const Self &a, const Self &b)
    {
        return b.distance_to(a) > 0;
    }
    QN__HD friend bool operator<=(const Self &a, const Self &b)
    {
        return b.distance_to(a) <= 0;
    }
    QN__HD friend bool operator>=(const Self &a, const Self &b)
    {
        return b.distance_to(a) >= 0;
    }
};

template <class T> class device_ptr;

/* An element of the device's memory. */
template <class T> class device_reference
{
    typedef std::remove_cv_t<T> V;
    T *p;

    template <class F> QN__HD V change(F f) const
    {
        V v = *this;
        f(v);
        *this = v;
        return v;
    }

  public:
    typedef V value_type;
    typedef device_ptr<T> pointer;
    QN__HD explicit device_reference(T *at) : p(at)
    {
    }
    QN__HD device_reference(const device_reference &) = default;
    QN__HD device_ptr<T> operator&() const
    {
        return device_ptr<T>(p);
    }
    QN__HD operator V() const
    {
#ifdef __CUDA_ARCH__
        return *p;
#else
        __qn_wide::slot<V> v;
        __qn::check(cudaMemcpy((void *)&v.v, p, sizeof(V), cudaMemcpyDeviceToHost),
                    "thrust: reading an element of the device's memory");
        return v.v;
#endif
    }
    QN__HD const device_reference &operator=(const V &v) const
    {
#ifdef __CUDA_ARCH__
        *p = v;
#else
        __qn::check(cudaMemcpy((void *)p, &v, sizeof(V), cudaMemcpyHostToDevice),
                    "thrust: writing an element of the device's memory");
#endif
        return *this;
    }
    QN__HD const device_reference &operator=(const device_reference &o) const
    {
        return *this = (V)o;
    }
    template <class U> QN__HD const device_reference &operator=(const device_reference<U> &o) const
    {
        return *this = (V)(typename device_reference<U>::value_type)o;
    }
#define QN__CHANGE(op)                                                                             \
    template <class U> QN__HD const device_reference &operator op(const U & b) const               \
    {                                                                                              \
        change([&](V &v) { v op b; });                                                             \
        return *this;                                                                              \
    }
    QN__CHANGE(+=)
    QN__CHANGE(-=)
    QN__CHANGE(*=)
    QN__CHANGE(/=)
    QN__CHANGE(%=)
    QN__CHANGE(&=)
    QN__CHANGE(|=)
    QN__CHANGE(^=)
    QN__CHANGE(<<=)
    QN__CHANGE(>>=)
#undef QN__CHANGE
    QN__HD const device_reference &operator++() const
    {
        return *this += 1;
    }
    QN__HD const device_reference &operator--() const
    {
        return *this -= 1;
    }
    QN__HD V operator++(int) const
    {
        const V v = *this;
        *this += 1;
        return v;
    }
    QN__HD V operator--(int) const
    {
        const V v = *this;
        *this -= 1;
        return v;
    }
    template <class Stream>
    friend auto operator<<(Stream &s, const device_reference &r) -> decltype(s << std::declval<V>())
    {
        return s << (V)r;
    }
};
template <class T> inline void swap(device_reference<T> a, device_reference<T> b)
{
    const std::remove_cv_t<T> v = a;
    a = b;
    b = v;
}

template <class T>
class device_ptr : public __qn_facade<device_ptr<T>, std::remove_cv_t<T>, device_reference<T>,
                                      __qn_device_system>
{
    T *p = nullptr;

  public:
    typedef T element_type;
    typedef T *raw_pointer;
    QN__HD device_ptr() = default;
    QN__HD device_ptr(std::nullptr_t)
    {
    }
    QN__HD explicit device_ptr(T *at) : p(at)
    {
    }
    template <class U, std::enable_if_t<std::is_convertible_v<U *, T *>, int> = 0>
    QN__HD device_ptr(const device_ptr<U> &o) : p(o.get())
    {
    }
    QN__HD T *get() const
    {
        return p;
    }
    QN__HD explicit operator bool() const
    {
        return p != nullptr;
    }
    /* of device_vector's iterators, as they are called in Thrust */
    QN__HD device_ptr base() const
    {
        return *this;
    }
    QN__HD device_reference<T> dereference() const
    {
        return device_reference<T>(p);
    }
    QN__HD void advance(ptrdiff_t n)
    {
        p += n;
    }
    QN__HD ptrdiff_t distance_to(const device_ptr &o) const
    {
        return o.p - p;
    }
};
template <> class device_ptr<void>
{
    void *p = nullptr;

  public:
    QN__HD device_ptr() = default;
    QN__HD explicit device_ptr(void *at) : p(at)
    {
    }
    template <class U> QN__HD device_ptr(const device_ptr<U> &o) : p((void *)o.get())
    {
    }
    QN__HD void *get() const
    {
        return p;
    }
};

template <class T> QN__HD inline T *raw_pointer_cast(device_ptr<T> p)
{
    return p.get();
}
template <class T> QN__HD inline T *raw_pointer_cast(T *p)
{
    return p;
}
template <class T> QN__HD inline device_ptr<T> device_pointer_cast(T *p)
{
    return device_ptr<T>(p);
}
template <class T> QN__HD inline device_ptr<T> device_pointer_cast(device_ptr<T> p)
{
    return p;
}
template <class T> QN__HD inline T &raw_reference_cast(T &v)
{
    return v;
}
template <class T> QN__HD inline T &raw_reference_cast(const device_reference<T> &r)
{
    return *(&r).get();
}

template <class T> inline device_ptr<T> device_malloc(size_t n)
{
    void *p;
    __qn::check(cudaMalloc(&p, n * sizeof(T)), "thrust::device_malloc");
    return device_ptr<T>((T *)p);
}
inline device_ptr<void> device_malloc(size_t n)
{
    return device_malloc<char>(n);
}
template <class T> inline void device_free(device_ptr<T> p)
{
    __qn::check(cudaFree((void *)p.get()), "thrust::device_free");
}
template <class T> inline device_ptr<T> device_new(size_t n)
{
    return device_malloc<T>(n);
}
template <class T> inline void device_delete(device_ptr<T> p, size_t = 0)
{
    device_free(p);
}
template <class T> struct device_allocator {
    typedef T value_type;
};
template <class T> using device_malloc_allocator = device_allocator<T>;

namespace __qn
{
template <class T> struct raw_of<device_ptr<T>> {
    static QN__HD T *of(device_ptr<T> p)
    {
        return p.get();
    }
};
} // namespace __qn

/* ---- iterator_traits ---- */

template <class It> using iterator_traits = std::iterator_traits<It>;
template <class It> struct iterator_value {
    typedef typename std::iterator_traits<It>::value_type type;
};
template <class It> struct iterator_reference {
    typedef typename std::iterator_traits<It>::reference type;
};
template <class It> struct iterator_difference {
    typedef typename std::iterator_traits<It>::difference_type type;
};
template <class It> struct iterator_pointer {
    typedef typename std::iterator_traits<It>::pointer type;
};
template <class It> struct iterator_system {
    typedef typename __qn::system_of<It>::type type;
};
template <class It> QN__HD inline ptrdiff_t distance(It first, It last)
{
    return last - first;
}
template <class It, class N> QN__HD inline void advance(It &it, N n)
{
    it += n;
}
template <class It> QN__HD inline It next(It it, ptrdiff_t n = 1)
{
    return it + n;
}
template <class It> QN__HD inline It prev(It it, ptrdiff_t n = 1)
{
    return it - n;
}

} // namespace thrust

#endif
