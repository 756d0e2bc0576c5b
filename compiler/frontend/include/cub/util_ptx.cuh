/* SPDX-License-Identifier: Apache-2.0
 *
 * Who a thread is, and what CUB's algorithms are made of: shuffles of values of any type, and
 * shared memory for values of any type. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_PTX
#define QN_STANDIN_CUB_PTX

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

namespace cub
{

QN__INLINE int RowMajorTid(int x, int y, int z)
{
    return ((z == 1 ? 0 : (int)threadIdx.z * x * y) + (y == 1 ? 0 : (int)threadIdx.y * x)) +
           (int)threadIdx.x;
}
QN__INLINE unsigned int qn_linear_tid()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
QN__INLINE unsigned int LaneId()
{
    return qn_linear_tid() & 31;
}
QN__INLINE unsigned int WarpId()
{
    return qn_linear_tid() / 32;
}
QN__INLINE unsigned int LaneMaskLt()
{
    return (1u << LaneId()) - 1;
}
QN__INLINE unsigned int LaneMaskLe()
{
    return LaneMaskLt() << 1 | 1;
}
QN__INLINE unsigned int LaneMaskGt()
{
    return ~LaneMaskLe();
}
QN__INLINE unsigned int LaneMaskGe()
{
    return ~LaneMaskLt();
}
QN__INLINE void CTA_SYNC()
{
    __syncthreads();
}
template <class T> QN__INLINE int CTA_SYNC_AND(T v)
{
    return __syncthreads_and(v);
}
template <class T> QN__INLINE int CTA_SYNC_OR(T v)
{
    return __syncthreads_or(v);
}
QN__INLINE void WARP_SYNC(unsigned int mask)
{
    __syncwarp(mask);
}
QN__INLINE int WARP_ANY(int v, unsigned int mask)
{
    return __any_sync(mask, v);
}
QN__INLINE int WARP_ALL(int v, unsigned int mask)
{
    return __all_sync(mask, v);
}
QN__INLINE int WARP_BALLOT(int v, unsigned int mask)
{
    return (int)__ballot_sync(mask, v);
}
template <class T> QN__INLINE unsigned int BFE(T source, unsigned int begin, unsigned int n)
{
    return (unsigned int)(source >> begin) & (n < 32 ? (1u << n) - 1 : ~0u);
}

/* The lanes of a logical warp. A warp of a number of threads that is no power of two begins at
 * lane 0, and there is one in 32. */
template <int threads> __host__ __device__ inline unsigned int WarpMask(unsigned int warp)
{
    const unsigned int first = threads & (threads - 1) ? 0 : warp * threads;
    return (threads < 32 ? (1u << (threads & 31)) - 1 : ~0u) << first;
}

template <int threads> struct qn_logical_warp {
    static_assert(threads >= 1 && threads <= 32, "a logical warp has 1 to 32 threads");
    static constexpr bool DIVIDES = (threads & (threads - 1)) == 0;
    int lane, first; /* the lane in the logical warp; the lane of 32 where that begins */
    unsigned int mask;
    __device__ __forceinline__ qn_logical_warp()
    {
        const int of_32 = (int)LaneId();
        lane = DIVIDES ? of_32 % threads : of_32;
        first = of_32 - lane;
        mask = WarpMask<threads>(DIVIDES ? of_32 / threads : 0);
    }
};

/* ---- shuffles ---- */

/* `v` of lane `from` of 32. */
template <class T> __device__ __forceinline__ T qn_shuffle(const T &v, int from, unsigned int mask)
{
    enum { N = (sizeof(T) + 3) / 4 };
    if constexpr (std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) >= 4)) {
        return __shfl_sync(mask, v, from);
    } else if constexpr (std::is_integral_v<T>) {
        return (T)__shfl_sync(mask, (int)v, from);
    } else {
        T result = v;
        unsigned int words[N] = {};
        __builtin_memcpy(words, &v, sizeof(T));
        for (int i = 0; i < N; i++)
            words[i] = __shfl_sync(mask, words[i], from);
        __builtin_memcpy((void *)&result, words, sizeof(T));
        return result;
    }
}
template <int threads, class T>
__device__ __forceinline__ T ShuffleUp(T v, int by, int first, unsigned int mask)
{
    const qn_logical_warp<threads> w;
    return qn_shuffle(v, w.first + (w.lane - by < first ? w.lane : w.lane - by), mask);
}
template <int threads, class T>
__device__ __forceinline__ T ShuffleDown(T v, int by, int last, unsigned int mask)
{
    const qn_logical_warp<threads> w;
    return qn_shuffle(v, w.first + (w.lane + by > last ? w.lane : w.lane + by), mask);
}
template <int threads, class T>
__device__ __forceinline__ T ShuffleIndex(T v, int lane, unsigned int mask)
{
    const qn_logical_warp<threads> w;
    return qn_shuffle(v, w.first + lane % threads, mask);
}

/* ---- shared memory ---- */

/* `n` values that nobody constructs. */
template <class T, int n, bool plain = __is_trivially_constructible(T)> struct qn_slots {
    T slots[n];
    __device__ __forceinline__ T &operator[](int i)
    {
        return slots[i];
    }
};
template <class T, int n> struct qn_slots<T, n, false> {
    alignas(T) unsigned char slots[n * sizeof(T)];
    __device__ __forceinline__ T &operator[](int i)
    {
        return *(reinterpret_cast<T *>(slots) + i);
    }
};

/* How many threads of a block of `n` are one of its segments: about the square root. */
template <int n> struct qn_segment {
    enum { THREADS = n <= 4 ? 2 : n <= 16 ? 4 : n <= 64 ? 8 : n <= 256 ? 16 : 32 };
};

/* What a class without shared memory of its user's has. */
#define QN__CUB_STORAGE(name)                                                                      \
  private:                                                                                         \
    __device__ static TempStorage &qn_private_storage()                                            \
    {                                                                                              \
        static __shared__ TempStorage storage;                                                     \
        return storage;                                                                            \
    }                                                                                              \
    TempStorage & storage;                                                                         \
    const int tid;                                                                                 \
                                                                                                   \
  public:                                                                                          \
    __device__ __forceinline__ name() : storage(qn_private_storage()), tid(RowMajorTid(X, Y, Z))   \
    {                                                                                              \
    }                                                                                              \
    __device__ __forceinline__ name(TempStorage &s) : storage(s), tid(RowMajorTid(X, Y, Z))        \
    {                                                                                              \
    }

} // namespace cub

#endif
