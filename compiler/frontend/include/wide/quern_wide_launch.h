/* SPDX-License-Identifier: Apache-2.0
 *
 * Device-wide algorithms for programs that `quern cc` builds: what Thrust's and CUB's have in
 * common. All of them are kernels over functors; both halves of a program read this and make the
 * same instances. Nothing here allocates, and nothing waits. */
#pragma clang system_header
#ifndef QN_WIDE_LAUNCH
#define QN_WIDE_LAUNCH

#include <quern_prelude.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace __qn_wide
{

enum { THREADS = 256 };

template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class It> using value_of = plain<decltype(*std::declval<It>())>;

/* Room for a T that need not be constructed, in shared memory too. */
template <class T> union slot {
    T v;
    __host__ __device__ slot()
    {
    }
    __host__ __device__ slot(const slot &o) : v(o.v)
    {
    }
    __host__ __device__ slot &operator=(const slot &o)
    {
        v = o.v;
        return *this;
    }
    __host__ __device__ ~slot()
    {
    }
};

/* An element of raw memory comes to life. */
template <class T, class U> __host__ __device__ inline void put(T *at, const U &v)
{
    ::new ((void *)at) T(v);
}

template <class F> __global__ void __launch_bounds__(THREADS) each(F f, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i < n)
        f(i);
}

inline cudaError_t refused()
{
    return cudaPeekAtLastError();
}

/* Call f(0) to f(n - 1), in any order. */
template <class F> inline cudaError_t for_each(cudaStream_t stream, size_t n, F f)
{
    if (n == 0)
        return cudaSuccess;
    each<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(f, n);
    return refused();
}

/* Parts of one allocation of the caller's, as CUB has it: without `base`, `bytes` is told. */
class workspace
{
    char *base;
    size_t used = 0;

  public:
    explicit workspace(void *b) : base((char *)b)
    {
    }
    template <class T> T *take(size_t n)
    {
        const size_t align = 256;
        used = (used + align - 1) / align * align;
        T *const p = base ? (T *)(void *)(base + used) : nullptr;
        used += n * sizeof(T);
        return p;
    }
    size_t bytes() const
    {
        return used ? used : 1;
    }
};

} // namespace __qn_wide

#endif
