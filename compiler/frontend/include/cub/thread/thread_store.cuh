/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores with a hint about caches, through pointers and iterators. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_THREAD_STORE
#define QN_STANDIN_CUB_THREAD_STORE

#include <cub/util_type.cuh>

namespace cub
{

enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheStoreModifier modifier, class Out, class T>
__device__ __forceinline__ void ThreadStore(Out out, T v)
{
    typedef std::remove_reference_t<decltype(*out)> To;
    if constexpr (modifier == STORE_VOLATILE && std::is_pointer<Out>::value &&
                  std::is_arithmetic<To>::value)
        *(volatile To *)out = v;
    else
        *out = v;
}

} // namespace cub

#endif
