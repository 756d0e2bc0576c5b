/* SPDX-License-Identifier: Apache-2.0
 *
 * Items of other threads of a block. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_SHUFFLE
#define QN_STANDIN_CUB_BLOCK_SHUFFLE

#include <cub/util_ptx.cuh>

namespace cub
{

template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockShuffle
{
    enum { THREADS = X * Y * Z };

  public:
    struct TempStorage {
        qn_slots<T, THREADS> items;
    };
    QN__CUB_STORAGE(BlockShuffle)

  private:
    __device__ __forceinline__ void put(const T &v)
    {
        storage.items[tid] = v;
        __syncthreads();
    }

  public:
    /* Unchanged where there is no such thread. */
    __device__ __forceinline__ void Offset(T v, T &out, int distance = 1)
    {
        put(v);
        const int from = tid + distance;
        if (from >= 0 && from < THREADS)
            out = storage.items[from];
    }
    __device__ __forceinline__ void Rotate(T v, T &out, unsigned int distance = 1)
    {
        put(v);
        const unsigned int from = (unsigned int)tid + distance;
        out = storage.items[(int)(from >= THREADS ? from - THREADS : from)];
    }
    /* The item before each; the first one of all stays. */
    template <int N> __device__ __forceinline__ void Up(T (&v)[N], T (&before)[N])
    {
        put(v[N - 1]);
        for (int i = N - 1; i > 0; i--)
            before[i] = v[i - 1];
        if (tid > 0)
            before[0] = storage.items[tid - 1];
    }
    template <int N> __device__ __forceinline__ void Up(T (&v)[N], T (&before)[N], T &last)
    {
        Up(v, before);
        last = storage.items[THREADS - 1];
    }
    /* The item after each; the last one of all stays. */
    template <int N> __device__ __forceinline__ void Down(T (&v)[N], T (&after)[N])
    {
        put(v[0]);
        for (int i = 0; i < N - 1; i++)
            after[i] = v[i + 1];
        if (tid < THREADS - 1)
            after[N - 1] = storage.items[tid + 1];
    }
    template <int N> __device__ __forceinline__ void Down(T (&v)[N], T (&after)[N], T &first)
    {
        Down(v, after);
        first = storage.items[0];
    }
};

} // namespace cub

#endif
