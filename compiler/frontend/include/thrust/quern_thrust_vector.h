/* SPDX-License-Identifier: Apache-2.0
 *
 * device_vector and host_vector: one class, and two spaces where its elements lie. */
#pragma clang system_header
#ifndef QN_THRUST_VECTOR
#define QN_THRUST_VECTOR

#include <thrust/quern_thrust_transform.h>

#include <initializer_list>
#include <iostream> /* programs rely on it */
#include <memory>
#include <vector>

namespace thrust
{

namespace __qn
{
template <class T> struct device_space {
    typedef device_ptr<T> pointer;
    typedef device_ptr<const T> const_pointer;
    typedef device_reference<T> reference;
    typedef device_reference<const T> const_reference;
    static pointer allocate(size_t n)
    {
        return device_malloc<T>(n);
    }
    static void release(pointer p)
    {
        cudaFree((void *)p.get()); /* at the program's end there may be no device any more */
    }
    static void fill(pointer p, size_t n, const T &v)
    {
        thrust::fill_n(thrust::device, p, n, v);
    }
    static void move(pointer to, pointer from, size_t n)
    {
        if (n)
            check(cudaMemcpy((void *)to.get(), (const void *)from.get(), n * sizeof(T),
                             cudaMemcpyDeviceToDevice),
                  "thrust::device_vector");
    }
    template <class It> static void copy(pointer to, It first, It last)
    {
        thrust::copy(first, last, to);
    }
    static void destroy(pointer, size_t)
    {
    }
};
template <class T> struct host_space {
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T &reference;
    typedef const T &const_reference;
    static pointer allocate(size_t n)
    {
        return (T *)::operator new(n * sizeof(T));
    }
    static void release(pointer p)
    {
        ::operator delete((void *)p);
    }
    static void fill(pointer p, size_t n, const T &v)
    {
        for (size_t i = 0; i < n; i++)
            __qn_wide::put(p + i, v);
    }
    static void move(pointer to, pointer from, size_t n)
    {
        for (size_t i = 0; i < n; i++) {
            ::new ((void *)(to + i)) T(std::move(from[i]));
            from[i].~T();
        }
    }
    template <class It> static void copy(pointer to, It first, It last)
    {
        if constexpr (any_on_device<It>) {
            fill(to, (size_t)(last - first), T());
            thrust::copy(first, last, to);
        } else
            for (; first != last; ++first, ++to)
                __qn_wide::put(to, *first);
    }
    static void destroy(pointer p, size_t n)
    {
        for (size_t i = 0; i < n; i++)
            p[i].~T();
    }
};

template <class T, class Space> class vector
{
  public:
    typedef T value_type;
    typedef typename Space::pointer pointer, iterator;
    typedef typename Space::const_pointer const_pointer, const_iterator;
    typedef typename Space::reference reference;
    typedef typename Space::const_reference const_reference;
    typedef thrust::reverse_iterator<iterator> reverse_iterator;
    typedef thrust::reverse_iterator<const_iterator> const_reverse_iterator;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;

  private:
    pointer p{};
    size_t n = 0, room = 0;

    /* Room for more, with a gap of `gap` before element `at`. */
    void make_room(size_t at, size_t gap)
    {
        const size_t needed = n + gap;
        if (gap == 0 || (needed <= room && at == n)) {
            n = needed;
            return;
        }
        const size_t twice = room * 2, wanted = needed <= room ? room : needed;
        const size_t next_room = wanted > room && wanted < twice ? twice : wanted;
        const pointer next = Space::allocate(next_room);
        Space::move(next, p, at);
        Space::move(next + (ptrdiff_t)(at + gap), p + (ptrdiff_t)at, n - at);
        if (room)
            Space::release(p);
        p = next;
        room = next_room;
        n = needed;
    }

  public:
    vector() = default;
    explicit vector(size_t count)
    {
        resize(count);
    }
    vector(size_t count, const T &v)
    {
        resize(count, v);
    }
    vector(std::initializer_list<T> list)
    {
        assign(list.begin(), list.end());
    }
    template <class It, std::enable_if_t<!std::is_integral_v<It>, int> = 0>
    vector(It first, It last)
    {
        assign(first, last);
    }
    vector(const vector &o)
    {
        assign(o.begin(), o.end());
    }
    vector(vector &&o) noexcept
    {
        swap(o);
    }
    template <class U, class Other> vector(const vector<U, Other> &o)
    {
        assign(o.begin(), o.end());
    }
    template <class U, class A> vector(const std::vector<U, A> &o)
    {
        assign(o.begin(), o.end());
    }
    ~vector()
    {
        clear();
        if (room)
            Space::release(p);
    }
    vector &operator=(const vector &o)
    {
        if (this != &o)
            assign(o.begin(), o.end());
        return *this;
    }
    vector &operator=(vector &&o) noexcept
    {
        swap(o);
        return *this;
    }
    template <class U, class Other> vector &operator=(const vector<U, Other> &o)
    {
        assign(o.begin(), o.end());
        return *this;
    }
    template <class U, class A> vector &operator=(const std::vector<U, A> &o)
    {
        assign(o.begin(), o.end());
        return *this;
    }
    vector &operator=(std::initializer_list<T> list)
    {
        assign(list.begin(), list.end());
        return *this;
    }

    template <class It, std::enable_if_t<!std::is_integral_v<It>, int> = 0>
    void assign(It first, It last)
    {
        vector fresh;
        fresh.make_room(0, count_of(first, last));
        Space::copy(fresh.p, first, last);
        swap(fresh);
    }
    void assign(size_t count, const T &v)
    {
        clear();
        resize(count, v);
    }
    void swap(vector &o) noexcept
    {
        std::swap(p, o.p);
        std::swap(n, o.n);
        std::swap(room, o.room);
    }
    void resize(size_t count, const T &v)
    {
        const size_t old = n;
        if (count < old)
            Space::destroy(p + (ptrdiff_t)count, old - count);
        if (count <= old) {
            n = count;
            return;
        }
        make_room(old, count - old);
        Space::fill(p + (ptrdiff_t)old, count - old, v);
    }
    void resize(size_t count)
    {
        resize(count, T());
    }
    void reserve(size_t count)
    {
        if (count > room) {
            const size_t old = n;
            make_room(old, count - old);
            n = old;
        }
    }
    void shrink_to_fit()
    {
        vector(*this).swap(*this);
    }
    void clear()
    {
        Space::destroy(p, n);
        n = 0;
    }
    void push_back(const T &v)
    {
        resize(n + 1, T(v));
    }
    template <class... A> void emplace_back(A &&...a)
    {
        push_back(T(std::forward<A>(a)...));
    }
    void pop_back()
    {
        resize(n - 1);
    }
    iterator insert(iterator at, const T &v)
    {
        return insert(at, (size_t)1, T(v));
    }
    iterator insert(iterator at, size_t count, const T &v)
    {
        const size_t place = (size_t)(at - begin());
        make_room(place, count);
        Space::fill(p + (ptrdiff_t)place, count, v);
        return begin() + (ptrdiff_t)place;
    }
    template <class It, std::enable_if_t<!std::is_integral_v<It>, int> = 0>
    iterator insert(iterator at, It first, It last)
    {
        const size_t place = (size_t)(at - begin());
        const vector fresh(first, last); /* they may be elements of this one */
        make_room(place, fresh.n);
        Space::copy(p + (ptrdiff_t)place, fresh.begin(), fresh.end());
        return begin() + (ptrdiff_t)place;
    }
    iterator erase(iterator at)
    {
        return erase(at, at + 1);
    }
    iterator erase(iterator first, iterator last)
    {
        const size_t place = (size_t)(first - begin());
        vector fresh;
        fresh.make_room(0, n - (size_t)(last - first));
        Space::copy(fresh.p, const_iterator(begin()), const_iterator(first));
        Space::copy(fresh.p + (ptrdiff_t)place, const_iterator(last), const_iterator(end()));
        swap(fresh);
        return begin() + (ptrdiff_t)place;
    }

    size_t size() const
    {
        return n;
    }
    size_t capacity() const
    {
        return room;
    }
    size_t max_size() const
    {
        return (size_t)-1 / sizeof(T);
    }
    bool empty() const
    {
        return n == 0;
    }
    pointer data()
    {
        return p;
    }
    const_pointer data() const
    {
        return p;
    }
    iterator begin()
    {
        return p;
    }
    const_iterator begin() const
    {
        return p;
    }
    const_iterator cbegin() const
    {
        return p;
    }
    iterator end()
    {
        return p + (ptrdiff_t)n;
    }
    const_iterator end() const
    {
        return const_iterator(p) + (ptrdiff_t)n;
    }
    const_iterator cend() const
    {
        return end();
    }
    reverse_iterator rbegin()
    {
        return reverse_iterator(end());
    }
    const_reverse_iterator rbegin() const
    {
        return const_reverse_iterator(end());
    }
    reverse_iterator rend()
    {
        return reverse_iterator(begin());
    }
    const_reverse_iterator rend() const
    {
        return const_reverse_iterator(begin());
    }
    reference operator[](size_t i)
    {
        return *(p + (ptrdiff_t)i);
    }
    const_reference operator[](size_t i) const
    {
        return *(const_pointer(p) + (ptrdiff_t)i);
    }
    reference front()
    {
        return (*this)[0];
    }
    const_reference front() const
    {
        return (*this)[0];
    }
    reference back()
    {
        return (*this)[n - 1];
    }
    const_reference back() const
    {
        return (*this)[n - 1];
    }
    operator std::vector<T>() const
    {
        std::vector<T> v(n);
        thrust::copy(begin(), end(), v.begin());
        return v;
    }
};
/* Are they equal? Compared on the host. */
template <class A, class B> inline bool same_elements(const A &a, const B &b)
{
    if (a.size() != b.size())
        return false;
    const vector<typename A::value_type, host_space<typename A::value_type>> x(a);
    const vector<typename B::value_type, host_space<typename B::value_type>> y(b);
    for (size_t i = 0; i < x.size(); i++)
        if (!(x[i] == y[i]))
            return false;
    return true;
}
template <class T, class S, class U, class R>
inline bool operator==(const vector<T, S> &a, const vector<U, R> &b)
{
    return same_elements(a, b);
}
template <class T, class S, class U, class A>
inline bool operator==(const vector<T, S> &a, const std::vector<U, A> &b)
{
    return same_elements(a, b);
}
template <class T, class S, class U, class A>
inline bool operator==(const std::vector<U, A> &a, const vector<T, S> &b)
{
    return same_elements(a, b);
}
template <class T, class S, class U, class R>
inline bool operator!=(const vector<T, S> &a, const vector<U, R> &b)
{
    return !same_elements(a, b);
}
template <class T, class S, class U, class A>
inline bool operator!=(const vector<T, S> &a, const std::vector<U, A> &b)
{
    return !same_elements(a, b);
}
template <class T, class S, class U, class A>
inline bool operator!=(const std::vector<U, A> &a, const vector<T, S> &b)
{
    return !same_elements(a, b);
}
} // namespace __qn

template <class T, class Allocator = device_allocator<T>>
class device_vector : public __qn::vector<T, __qn::device_space<T>>
{
    static_assert(std::is_same_v<Allocator, device_allocator<T>>,
                  "quern cc: device_vector has the runtime's allocator, and no other");
    typedef __qn::vector<T, __qn::device_space<T>> base;

  public:
    using base::base;
    using base::operator=;
    device_vector() = default;
    device_vector(const device_vector &) = default;
    device_vector(device_vector &&) = default;
    device_vector &operator=(const device_vector &) = default;
    device_vector &operator=(device_vector &&) = default;
};
template <class T, class Allocator = std::allocator<T>>
class host_vector : public __qn::vector<T, __qn::host_space<T>>
{
    static_assert(std::is_same_v<Allocator, std::allocator<T>>,
                  "quern cc: host_vector has the standard's allocator, and no other");
    typedef __qn::vector<T, __qn::host_space<T>> base;

  public:
    using base::base;
    using base::operator=;
    host_vector() = default;
    host_vector(const host_vector &) = default;
    host_vector(host_vector &&) = default;
    host_vector &operator=(const host_vector &) = default;
    host_vector &operator=(host_vector &&) = default;
};

} // namespace thrust

#endif
