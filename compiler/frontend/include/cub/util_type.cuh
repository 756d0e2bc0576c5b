/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's small types. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_TYPE
#define QN_STANDIN_CUB_TYPE

#include <quern_prelude.h>

#include <type_traits>

#define CUB_VERSION                  200300
#define CUB_MAJOR_VERSION            2
#define CUB_MINOR_VERSION            3
#define CUB_SUBMINOR_VERSION         0
#define CUB_PTX_WARP_THREADS         32
#define CUB_PTX_LOG_WARP_THREADS     5
#define CUB_WARP_THREADS(arch)       32
#define CUB_LOG_WARP_THREADS(arch)   5
#define CUB_RUNTIME_FUNCTION         __host__
#define CUB_MIN(a, b)                ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b)                ((b) > (a) ? (b) : (a))
#define CUB_ABS(a)                   ((a) < 0 ? -(a) : (a))
#define CUB_QUOTIENT_FLOOR(x, y)     ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y)   (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y)   (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) ((x) / (y) * (y))
#define CUB_IS_TORN(x)

namespace cub
{

struct NullType {
    template <class T> __host__ __device__ NullType &operator=(const T &)
    {
        return *this;
    }
    __host__ __device__ bool operator==(const NullType &) const
    {
        return true;
    }
    __host__ __device__ bool operator!=(const NullType &) const
    {
        return false;
    }
};

template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v)
    {
    }
    __host__ __device__ bool operator==(const KeyValuePair &b) const
    {
        return key == b.key && value == b.value;
    }
    __host__ __device__ bool operator!=(const KeyValuePair &b) const
    {
        return !(*this == b);
    }
};

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __host__ __device__ DoubleBuffer() : d_buffers{}, selector(0)
    {
    }
    __host__ __device__ DoubleBuffer(T *current, T *alternate)
        : d_buffers{current, alternate}, selector(0)
    {
    }
    __host__ __device__ T *Current()
    {
        return d_buffers[selector];
    }
    __host__ __device__ T *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};

/* Room for a T that nobody constructs. */
template <class T> struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    __host__ __device__ T &Alias()
    {
        return reinterpret_cast<T &>(*this);
    }
};

template <int n> struct Log2 {
    static constexpr int VALUE = n <= 1 ? 0 : 32 - __builtin_clz((unsigned)n - 1);
};
template <int n> struct PowerOfTwo {
    static constexpr int VALUE = n > 0 && (n & (n - 1)) == 0;
};
template <bool choice, class A, class B> struct If {
    typedef std::conditional_t<choice, A, B> Type;
};
template <class A, class B> struct Equals {
    static constexpr int VALUE = std::is_same<A, B>::value;
    static constexpr int NEGATE = !VALUE;
};
template <int n> struct Int2Type {
    static constexpr int VALUE = n;
};

} // namespace cub

#endif
