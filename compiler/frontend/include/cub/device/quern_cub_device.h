/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's operations of a whole device are calls of host code. In a program that `quern cc` builds
 * they run; where kernels alone are translated, host code has to parse, and no more. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_DEVICE
#define QN_STANDIN_CUB_DEVICE

#include <quern_prelude.h>

#ifdef __QUERN_CC__
#include <cub/device/quern_cub_reduce.h>
#include <cub/device/quern_cub_scan.h>
#include <cub/device/quern_cub_select.h>
#include <cub/device/quern_cub_sort.h>
#endif

namespace cub
{

#define QN__CUB_CALL(name) template <class... Arguments> static cudaError_t name(Arguments &&...);
#ifndef __QUERN_CC__
struct DeviceReduce {
    QN__CUB_CALL(Reduce)
    QN__CUB_CALL(ReduceByKey)
    QN__CUB_CALL(Sum)
    QN__CUB_CALL(Max)
    QN__CUB_CALL(Min)
    QN__CUB_CALL(ArgMax)
    QN__CUB_CALL(ArgMin)
    QN__CUB_CALL(TransformReduce)
};
struct DeviceSegmentedReduce : DeviceReduce {
};
struct DeviceScan {
    QN__CUB_CALL(ExclusiveSum)
    QN__CUB_CALL(InclusiveSum)
    QN__CUB_CALL(ExclusiveScan)
    QN__CUB_CALL(InclusiveScan)
    QN__CUB_CALL(ExclusiveSumByKey)
    QN__CUB_CALL(InclusiveSumByKey)
    QN__CUB_CALL(ExclusiveScanByKey)
    QN__CUB_CALL(InclusiveScanByKey)
};
struct DeviceSelect {
    QN__CUB_CALL(Flagged)
    QN__CUB_CALL(If)
    QN__CUB_CALL(Unique)
    QN__CUB_CALL(UniqueByKey)
};
struct DevicePartition : DeviceSelect {
};
struct DeviceRadixSort {
    QN__CUB_CALL(SortPairs)
    QN__CUB_CALL(SortPairsDescending)
    QN__CUB_CALL(SortKeys)
    QN__CUB_CALL(SortKeysDescending)
    QN__CUB_CALL(StableSortPairs)
    QN__CUB_CALL(StableSortPairsDescending)
    QN__CUB_CALL(StableSortKeys)
    QN__CUB_CALL(StableSortKeysDescending)
};
struct DeviceMergeSort : DeviceRadixSort {
};
struct DeviceHistogram {
    QN__CUB_CALL(HistogramEven)
    QN__CUB_CALL(HistogramRange)
    QN__CUB_CALL(MultiHistogramEven)
    QN__CUB_CALL(MultiHistogramRange)
};
struct DeviceRunLengthEncode {
    QN__CUB_CALL(Encode)
    QN__CUB_CALL(NonTrivialRuns)
};
struct DeviceFor {
    QN__CUB_CALL(Bulk)
    QN__CUB_CALL(ForEach)
    QN__CUB_CALL(ForEachN)
};
#endif
/* Only declared in both cases: the linker names what a program calls. */
struct DeviceSegmentedRadixSort {
    QN__CUB_CALL(SortPairs)
    QN__CUB_CALL(SortPairsDescending)
    QN__CUB_CALL(SortKeys)
    QN__CUB_CALL(SortKeysDescending)
};
struct DeviceSegmentedSort : DeviceSegmentedRadixSort {
    QN__CUB_CALL(StableSortPairs)
    QN__CUB_CALL(StableSortPairsDescending)
    QN__CUB_CALL(StableSortKeys)
    QN__CUB_CALL(StableSortKeysDescending)
};
struct DeviceTopK {
    QN__CUB_CALL(MaxKeys)
    QN__CUB_CALL(MinKeys)
    QN__CUB_CALL(MaxPairs)
    QN__CUB_CALL(MinPairs)
};
struct DeviceMemcpy {
    QN__CUB_CALL(Batched)
};
#undef QN__CUB_CALL

} // namespace cub

#endif
