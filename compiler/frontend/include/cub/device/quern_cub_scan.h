/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's prefix sums of a whole device. */
#pragma clang system_header
#ifndef QN_CUB_DEVICE_SCAN
#define QN_CUB_DEVICE_SCAN

#include <cub/device/quern_cub_reduce.h>

namespace cub
{

namespace __qn
{
template <class T, class Load, class Op, class Store>
inline cudaError_t scanned(void *temp, size_t &bytes, size_t n, Load load, Op op, Store store,
                           cudaStream_t stream)
{
    __qn_wide::workspace w(temp);
    T *const tiles = __qn_wide::scan_partials<T>(w, n);
    cudaError_t error;
    if (is_question(temp, bytes, w, &error))
        return error;
    return __qn_wide::scan<T>(stream, tiles, n, load, op, store);
}
} // namespace __qn

struct DeviceScan {
    template <class In, class Out, class Op, class Init, class N>
    static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, Init init,
                                     N n, cudaStream_t stream = 0)
    {
        typedef __qn::accumulated<Op, Init, __qn::val<In>> T;
        return __qn::scanned<T>(temp, bytes, (size_t)n, __qn_wide::load_as<T, In>{in}, op,
                                __qn_wide::store_exclusive<T, Out, Op>{out, op, (T)init}, stream);
    }
    template <class In, class Out, class Op, class N>
    static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, N n,
                                     cudaStream_t stream = 0)
    {
        typedef __qn::accumulated<Op, __qn::val<In>, __qn::val<In>> T;
        return __qn::scanned<T>(temp, bytes, (size_t)n, __qn_wide::load_as<T, In>{in}, op,
                                __qn_wide::store_inclusive<T, Out>{out}, stream);
    }
    template <class In, class Out, class Op, class Init, class N>
    static cudaError_t InclusiveScanInit(void *temp, size_t &bytes, In in, Out out, Op op,
                                         Init init, N n, cudaStream_t stream = 0)
    {
        typedef __qn::accumulated<Op, Init, __qn::val<In>> T;
        return __qn::scanned<T>(temp, bytes, (size_t)n, __qn_wide::load_as<T, In>{in}, op,
                                __qn_wide::store_inclusive_from<T, Out, Op>{out, op, (T)init},
                                stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, N n,
                                    cudaStream_t stream = 0)
    {
        return ExclusiveScan(temp, bytes, in, out, cub::Sum(), __qn::val<In>{}, n, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, N n,
                                    cudaStream_t stream = 0)
    {
        return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream);
    }
    /* in place */
    template <class It, class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
    static cudaError_t ExclusiveSum(void *temp, size_t &bytes, It it, N n, cudaStream_t stream = 0)
    {
        return ExclusiveSum(temp, bytes, it, it, n, stream);
    }
    template <class It, class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
    static cudaError_t InclusiveSum(void *temp, size_t &bytes, It it, N n, cudaStream_t stream = 0)
    {
        return InclusiveSum(temp, bytes, it, it, n, stream);
    }

    template <class Keys, class In, class Out, class Op, class Init, class N,
              class Equal = cub::Equality>
    static cudaError_t ExclusiveScanByKey(void *temp, size_t &bytes, Keys keys, In in, Out out,
                                          Op op, Init init, N n, Equal equal = Equal(),
                                          cudaStream_t stream = 0)
    {
        using namespace __qn_wide;
        typedef __qn::accumulated<Op, Init, __qn::val<In>> T;
        typedef is_head<Keys, Equal> Head;
        return __qn::scanned<headed<T>>(
            temp, bytes, (size_t)n, load_headed<T, Head, In>{Head{keys, equal}, in},
            headed_op<T, Op>{op}, store_exclusive_headed<T, Out, Op>{out, op, (T)init}, stream);
    }
    template <class Keys, class In, class Out, class Op, class N, class Equal = cub::Equality>
    static cudaError_t InclusiveScanByKey(void *temp, size_t &bytes, Keys keys, In in, Out out,
                                          Op op, N n, Equal equal = Equal(),
                                          cudaStream_t stream = 0)
    {
        using namespace __qn_wide;
        typedef __qn::accumulated<Op, __qn::val<In>, __qn::val<In>> T;
        typedef is_head<Keys, Equal> Head;
        return __qn::scanned<headed<T>>(
            temp, bytes, (size_t)n, load_headed<T, Head, In>{Head{keys, equal}, in},
            headed_op<T, Op>{op}, store_inclusive_headed<T, Out>{out}, stream);
    }
    template <class Keys, class In, class Out, class N, class Equal = cub::Equality>
    static cudaError_t ExclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, N n,
                                         Equal equal = Equal(), cudaStream_t stream = 0)
    {
        return ExclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), __qn::val<In>{}, n, equal,
                                  stream);
    }
    template <class Keys, class In, class Out, class N, class Equal = cub::Equality>
    static cudaError_t InclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, N n,
                                         Equal equal = Equal(), cudaStream_t stream = 0)
    {
        return InclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), n, equal, stream);
    }
};

} // namespace cub

#endif
