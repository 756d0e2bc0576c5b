/* SPDX-License-Identifier: Apache-2.0
 *
 * One value from an array of one thread, and running ones: from the first to the last. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_THREAD_REDUCE
#define QN_STANDIN_CUB_THREAD_REDUCE

#include <cub/util_ptx.cuh>

namespace cub
{

template <class T, int N, class V, class Op>
__device__ __forceinline__ T qn_reduce_items(const V (&v)[N], Op op)
{
    T all = v[0];
    for (int i = 1; i < N; i++)
        all = op(all, v[i]);
    return all;
}

/* Each item becomes what is before it, or that with it; `before` is before the first one, where
 * `has` says there is something. The last running value. */
template <class T, int N, class Op>
__device__ __forceinline__ T qn_scan_items(const T (&in)[N], T (&out)[N], Op op, T before, bool has,
                                           bool inclusive)
{
    for (int i = 0; i < N; i++) {
        const T item = in[i];
        T with = item;
        if (has)
            with = op(before, item);
        out[i] = inclusive ? with : before;
        before = with;
        has = true;
    }
    return before;
}

#define QN__CUB_THREAD                                                                             \
    template <int N, class T, class Op>                                                            \
    __device__ __forceinline__ T ThreadReduce(const T(&v)[N], Op op)                               \
    {                                                                                              \
        return qn_reduce_items<T>(v, op);                                                          \
    }                                                                                              \
    template <int N, class T, class Op, class P>                                                   \
    __device__ __forceinline__ T ThreadReduce(const T(&v)[N], Op op, P prefix)                     \
    {                                                                                              \
        T all = prefix;                                                                            \
        for (int i = 0; i < N; i++)                                                                \
            all = op(all, v[i]);                                                                   \
        return all;                                                                                \
    }                                                                                              \
    template <int N, class T, class Op>                                                            \
    __device__ __forceinline__ T ThreadScanExclusive(T(&in)[N], T(&out)[N], Op op, T prefix,       \
                                                     bool apply = true)                            \
    {                                                                                              \
        return qn_scan_items(in, out, op, prefix, apply, false);                                   \
    }                                                                                              \
    template <int N, class T, class Op>                                                            \
    __device__ __forceinline__ T ThreadScanInclusive(T(&in)[N], T(&out)[N], Op op)                 \
    {                                                                                              \
        return qn_scan_items(in, out, op, in[0], false, true);                                     \
    }                                                                                              \
    template <int N, class T, class Op>                                                            \
    __device__ __forceinline__ T ThreadScanInclusive(T(&in)[N], T(&out)[N], Op op, T prefix,       \
                                                     bool apply = true)                            \
    {                                                                                              \
        return qn_scan_items(in, out, op, prefix, apply, true);                                    \
    }

QN__CUB_THREAD
namespace internal /* where CUB 2 has them */
{
QN__CUB_THREAD
}
namespace detail /* and CUB 3 */
{
QN__CUB_THREAD
}
#undef QN__CUB_THREAD

} // namespace cub

#endif
