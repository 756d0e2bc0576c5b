/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's operations of a whole device, declared: they are calls of host code, which has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_DEVICE
#define QN_STANDIN_CUB_DEVICE

#include <quern_prelude.h>

namespace cub
{

#define QN__CUB_CALL(name) template <class... Arguments> static cudaError_t name(Arguments &&...);
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
struct DeviceSegmentedRadixSort : DeviceRadixSort {
};
struct DeviceSegmentedSort : DeviceRadixSort {
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
struct DeviceTopK {
    QN__CUB_CALL(MaxKeys)
    QN__CUB_CALL(MinKeys)
    QN__CUB_CALL(MaxPairs)
    QN__CUB_CALL(MinPairs)
};
struct DeviceFor {
    QN__CUB_CALL(Bulk)
    QN__CUB_CALL(ForEach)
    QN__CUB_CALL(ForEachN)
};
struct DeviceMemcpy {
    QN__CUB_CALL(Batched)
};
#undef QN__CUB_CALL

} // namespace cub

#endif
