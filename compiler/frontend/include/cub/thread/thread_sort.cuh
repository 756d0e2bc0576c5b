/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of one thread in order, values along with them. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_THREAD_SORT
#define QN_STANDIN_CUB_THREAD_SORT

#include <cub/util_type.cuh>

namespace cub
{

/* Neighbours change places until none has to; equal ones never do. */
template <class K, class V, class Before, int N>
__device__ __forceinline__ void StableOddEvenSort(K (&keys)[N], V (&values)[N], Before op)
{
    for (int round = 0; round < N; round++)
        for (int i = round % 2; i < N - 1; i += 2)
            if (op(keys[i + 1], keys[i])) {
                const K key = keys[i];
                keys[i] = keys[i + 1];
                keys[i + 1] = key;
                if constexpr (!std::is_same<V, NullType>::value) {
                    const V value = values[i];
                    values[i] = values[i + 1];
                    values[i + 1] = value;
                }
            }
}

} // namespace cub

#endif
