/* SPDX-License-Identifier: Apache-2.0
 *
 * Iterators over what is not in memory, or not as it is there. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_ITERATORS
#define QN_STANDIN_CUB_ITERATORS

#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_store.cuh>

#include <iterator>

namespace cub
{

/* What an iterator has that can be moved along by `place`. */
#define QN__CUB_ITERATOR(self, type, place)                                                        \
    typedef self self_type;                                                                        \
    typedef type value_type;                                                                       \
    typedef type reference;                                                                        \
    typedef type *pointer;                                                                         \
    typedef Offset difference_type;                                                                \
    typedef std::random_access_iterator_tag iterator_category;                                     \
    __host__ __device__ self &operator+=(Offset n)                                                 \
    {                                                                                              \
        place += n;                                                                                \
        return *this;                                                                              \
    }                                                                                              \
    __host__ __device__ self &operator-=(Offset n)                                                 \
    {                                                                                              \
        place -= n;                                                                                \
        return *this;                                                                              \
    }                                                                                              \
    __host__ __device__ self &operator++()                                                         \
    {                                                                                              \
        return *this += 1;                                                                         \
    }                                                                                              \
    __host__ __device__ self operator++(int)                                                       \
    {                                                                                              \
        self old = *this;                                                                          \
        *this += 1;                                                                                \
        return old;                                                                                \
    }                                                                                              \
    __host__ __device__ self operator+(Offset n) const                                             \
    {                                                                                              \
        self other = *this;                                                                        \
        return other += n;                                                                         \
    }                                                                                              \
    __host__ __device__ self operator-(Offset n) const                                             \
    {                                                                                              \
        self other = *this;                                                                        \
        return other -= n;                                                                         \
    }                                                                                              \
    __host__ __device__ Offset operator-(const self &b) const                                      \
    {                                                                                              \
        return (Offset)(place - b.place);                                                          \
    }                                                                                              \
    __host__ __device__ bool operator==(const self &b) const                                       \
    {                                                                                              \
        return place == b.place;                                                                   \
    }                                                                                              \
    __host__ __device__ bool operator!=(const self &b) const                                       \
    {                                                                                              \
        return place != b.place;                                                                   \
    }                                                                                              \
    __host__ __device__ decltype(auto) operator[](Offset n) const                                  \
    {                                                                                              \
        return *(*this + n);                                                                       \
    }

template <class T, class Offset = ptrdiff_t> class CountingInputIterator
{
    T value;

  public:
    __host__ __device__ CountingInputIterator(const T &v) : value(v)
    {
    }
    __host__ __device__ T operator*() const
    {
        return value;
    }
    QN__CUB_ITERATOR(CountingInputIterator, T, value)
};

template <class T, class Offset = ptrdiff_t> class ConstantInputIterator
{
    T value;
    Offset at;

  public:
    __host__ __device__ ConstantInputIterator(const T &v, Offset a = 0) : value(v), at(a)
    {
    }
    __host__ __device__ T operator*() const
    {
        return value;
    }
    QN__CUB_ITERATOR(ConstantInputIterator, T, at)
};

template <class T, class Operator, class Iterator, class Offset = ptrdiff_t>
class TransformInputIterator
{
    Iterator from;
    Operator by;

  public:
    __host__ __device__ TransformInputIterator(Iterator f, Operator o) : from(f), by(o)
    {
    }
    __host__ __device__ T operator*() const
    {
        return Operator(by)(*from);
    }
    QN__CUB_ITERATOR(TransformInputIterator, T, from)
};

template <class Iterator, class Offset = ptrdiff_t,
          class T = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Iterator>())>>>
class ArgIndexInputIterator
{
    Iterator from;
    Offset at;

  public:
    __host__ __device__ ArgIndexInputIterator(Iterator f, Offset a = 0) : from(f), at(a)
    {
    }
    __host__ __device__ KeyValuePair<Offset, T> operator*() const
    {
        return KeyValuePair<Offset, T>(at, from[at]);
    }
    typedef KeyValuePair<Offset, T> Pair;
    QN__CUB_ITERATOR(ArgIndexInputIterator, Pair, at)
};

template <CacheLoadModifier modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedInputIterator
{
  public:
    T *ptr;
    __host__ __device__ CacheModifiedInputIterator(T *p) : ptr(p)
    {
    }
    __device__ T operator*() const
    {
        return ThreadLoad<modifier>(ptr);
    }
    QN__CUB_ITERATOR(CacheModifiedInputIterator, T, ptr)
};

template <CacheStoreModifier modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedOutputIterator
{
    T *ptr;
    struct place {
        T *ptr;
        __device__ T operator=(T v)
        {
            ThreadStore<modifier>(ptr, v);
            return v;
        }
    };

  public:
    __host__ __device__ CacheModifiedOutputIterator(T *p) : ptr(p)
    {
    }
    __device__ place operator*() const
    {
        return place{ptr};
    }
    QN__CUB_ITERATOR(CacheModifiedOutputIterator, T, ptr)
};

template <class Offset = ptrdiff_t> class DiscardOutputIterator
{
    Offset at;
    struct nowhere {
        template <class T> __host__ __device__ nowhere &operator=(const T &)
        {
            return *this;
        }
    };

  public:
    __host__ __device__ DiscardOutputIterator(Offset a = 0) : at(a)
    {
    }
    __host__ __device__ nowhere operator*() const
    {
        return nowhere();
    }
    QN__CUB_ITERATOR(DiscardOutputIterator, void *, at)
};
#undef QN__CUB_ITERATOR

} // namespace cub

#endif
