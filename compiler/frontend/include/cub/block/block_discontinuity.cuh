/* SPDX-License-Identifier: Apache-2.0
 *
 * Where items of a block's threads differ from the one before them or after them. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_DISCONTINUITY
#define QN_STANDIN_CUB_BLOCK_DISCONTINUITY

#include <cub/util_ptx.cuh>

namespace cub
{

/* Some operators also take the position of the second item. */
template <class T, class Op, class = void> struct BinaryOpHasIdxParam {
    static constexpr bool value = false;
    static constexpr bool HAS_PARAM = false;
};
template <class T, class Op>
struct BinaryOpHasIdxParam<
    T, Op, std::void_t<decltype(std::declval<Op>()(std::declval<T>(), std::declval<T>(), 0))>> {
    static constexpr bool value = true;
    static constexpr bool HAS_PARAM = true;
};

template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockDiscontinuity
{
    enum { THREADS = X * Y * Z };

  public:
    struct TempStorage {
        qn_slots<T, THREADS> firsts, lasts;
    };
    QN__CUB_STORAGE(BlockDiscontinuity)

  private:
    template <class Op>
    __device__ __forceinline__ static bool differ(const T &a, const T &b, int at, Op op)
    {
        if constexpr (BinaryOpHasIdxParam<T, Op>::value)
            return op(a, b, at);
        else
            return op(a, b);
    }
    template <int N> __device__ __forceinline__ void put(T (&v)[N])
    {
        storage.firsts[tid] = v[0];
        storage.lasts[tid] = v[N - 1];
        __syncthreads();
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void heads(F (&flags)[N], T (&v)[N], T (&before)[N], Op op,
                                          const T *first)
    {
        for (int i = N - 1; i > 0; i--)
            before[i] = v[i - 1];
        if (tid > 0)
            before[0] = storage.lasts[tid - 1];
        else if (first)
            before[0] = *first;
        for (int i = 0; i < N; i++)
            if (tid == 0 && i == 0 && !first)
                flags[i] = 1;
            else
                flags[i] = differ(before[i], v[i], tid * N + i, op);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void tails(F (&flags)[N], T (&v)[N], Op op, const T *last)
    {
        for (int i = 0; i < N - 1; i++)
            flags[i] = differ(v[i], v[i + 1], tid * N + i + 1, op);
        if (tid < THREADS - 1)
            flags[N - 1] = differ(v[N - 1], storage.firsts[tid + 1], tid * N + N, op);
        else if (last)
            flags[N - 1] = differ(v[N - 1], *last, tid * N + N, op);
        else
            flags[N - 1] = 1;
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void both(F (&h)[N], F (&t)[N], T (&v)[N], Op op, const T *first,
                                         const T *last)
    {
        T before[N];
        put(v);
        heads(h, v, before, op, first);
        tails(t, v, op, last);
    }

  public:
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeads(F (&flags)[N], T (&v)[N], T (&before)[N], Op op)
    {
        put(v);
        heads(flags, v, before, op, nullptr);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeads(F (&flags)[N], T (&v)[N], T (&before)[N], Op op,
                                              T first)
    {
        put(v);
        heads(flags, v, before, op, &first);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeads(F (&flags)[N], T (&v)[N], Op op)
    {
        T before[N];
        FlagHeads(flags, v, before, op);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeads(F (&flags)[N], T (&v)[N], Op op, T first)
    {
        T before[N];
        FlagHeads(flags, v, before, op, first);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagTails(F (&flags)[N], T (&v)[N], Op op)
    {
        put(v);
        tails(flags, v, op, nullptr);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagTails(F (&flags)[N], T (&v)[N], Op op, T last)
    {
        put(v);
        tails(flags, v, op, &last);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeadsAndTails(F (&h)[N], F (&t)[N], T (&v)[N], Op op)
    {
        both(h, t, v, op, nullptr, nullptr);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeadsAndTails(F (&h)[N], F (&t)[N], T last, T (&v)[N],
                                                      Op op)
    {
        both(h, t, v, op, nullptr, &last);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeadsAndTails(F (&h)[N], T first, F (&t)[N], T (&v)[N],
                                                      Op op)
    {
        both(h, t, v, op, &first, nullptr);
    }
    template <int N, class F, class Op>
    __device__ __forceinline__ void FlagHeadsAndTails(F (&h)[N], T first, F (&t)[N], T last,
                                                      T (&v)[N], Op op)
    {
        both(h, t, v, op, &first, &last);
    }
};

} // namespace cub

#endif
