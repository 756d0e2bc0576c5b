/* SPDX-License-Identifier: Apache-2.0
 *
 * block_merge_sort.cuh for a warp. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_WARP_MERGE_SORT
#define QN_STANDIN_CUB_WARP_MERGE_SORT

#include <cub/block/block_merge_sort.cuh>

namespace cub
{

template <class K, int N, int threads = 32, class V = NullType, int = 0>
class WarpMergeSort
    : public BlockMergeSortStrategy<K, V, threads, N, WarpMergeSort<K, N, threads, V>>
{
    typedef BlockMergeSortStrategy<K, V, threads, N, WarpMergeSort> Strategy;
    friend Strategy;
    const unsigned int mask;

    __device__ __forceinline__ void SyncImplementation() const
    {
        __syncwarp(mask);
    }

  public:
    __device__ __forceinline__ WarpMergeSort(typename Strategy::TempStorage &s)
        : Strategy(s, (unsigned int)qn_logical_warp<threads>().lane),
          mask(qn_logical_warp<threads>().mask)
    {
    }
    __device__ __forceinline__ unsigned int get_member_mask() const
    {
        return mask;
    }
};

} // namespace cub

#endif
