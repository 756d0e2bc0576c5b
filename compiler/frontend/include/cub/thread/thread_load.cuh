/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads with a hint about caches, through pointers and iterators. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_THREAD_LOAD
#define QN_STANDIN_CUB_THREAD_LOAD

#include <cub/util_type.cuh>

namespace cub
{

enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};

template <CacheLoadModifier modifier, class In> __device__ __forceinline__ auto ThreadLoad(In in)
{
    typedef std::remove_cv_t<std::remove_reference_t<decltype(*in)>> T;
    if constexpr ((modifier == LOAD_VOLATILE || modifier == LOAD_CV) &&
                  std::is_pointer<In>::value && std::is_arithmetic<T>::value)
        return (T) * (const volatile T *)in;
    else
        return (T)*in;
}

} // namespace cub

#endif
