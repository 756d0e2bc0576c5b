/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB, declared as far as programs name it. Its operations of warps and blocks are refused in the
 * kernels that use them, and nowhere else; its operations of a whole device are host calls. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB
#define QN_STANDIN_CUB

#include <quern_host.h>
#include <quern_prelude.h>

#define CUB_VERSION              200300
#define CUB_MAJOR_VERSION        2
#define CUB_MINOR_VERSION        3
#define CUB_PTX_WARP_THREADS     32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_RUNTIME_FUNCTION     __host__

QN__BUILTIN(void, __qn_cub, ());

namespace cub
{

/* ---- Types and operators ---- */
struct NullType {
};
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v)
    {
    }
};
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __host__ __device__ DoubleBuffer() : d_buffers{}, selector(0)
    {
    }
    __host__ __device__ DoubleBuffer(T *current, T *alternate)
        : d_buffers{current, alternate}, selector(0)
    {
    }
    __host__ __device__ T *Current()
    {
        return d_buffers[selector];
    }
    __host__ __device__ T *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};
#define QN__CUB_OPERATOR(name, expression)                                                         \
    struct name {                                                                                  \
        template <class T> __host__ __device__ auto operator()(const T &a, const T &b) const       \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
QN__CUB_OPERATOR(Sum, a + b)
QN__CUB_OPERATOR(Difference, a - b)
QN__CUB_OPERATOR(Max, a < b ? b : a)
QN__CUB_OPERATOR(Min, b < a ? b : a)
QN__CUB_OPERATOR(Equality, a == b)
QN__CUB_OPERATOR(Inequality, a != b)
QN__CUB_OPERATOR(ArgMax, (b.value > a.value || (a.value == b.value && b.key < a.key)) ? b : a)
QN__CUB_OPERATOR(ArgMin, (b.value < a.value || (a.value == b.value && b.key < a.key)) ? b : a)
#undef QN__CUB_OPERATOR

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm {
    WARP_LOAD_DIRECT,
    WARP_LOAD_STRIPED,
    WARP_LOAD_VECTORIZE,
    WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
    WARP_STORE_DIRECT,
    WARP_STORE_STRIPED,
    WARP_STORE_VECTORIZE,
    WARP_STORE_TRANSPOSE
};
enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

/* ---- Iterators, as host code makes them ---- */
template <class T, class Offset = ptrdiff_t> struct CountingInputIterator {
    T value;
    __host__ __device__ CountingInputIterator(const T &v) : value(v)
    {
    }
};
template <class T, class Offset = ptrdiff_t> struct ConstantInputIterator {
    T value;
    __host__ __device__ ConstantInputIterator(const T &v, Offset = 0) : value(v)
    {
    }
};
template <class T, class Operator, class Iterator, class Offset = ptrdiff_t>
struct TransformInputIterator {
    Iterator from;
    Operator by;
    __host__ __device__ TransformInputIterator(Iterator f, Operator o) : from(f), by(o)
    {
    }
};
template <class Iterator, class Offset = ptrdiff_t, class T = void> struct ArgIndexInputIterator {
    Iterator from;
    __host__ __device__ ArgIndexInputIterator(Iterator f, Offset = 0) : from(f)
    {
    }
};

/* ---- Operations of a block or a warp: refused where a kernel calls them ---- */
#define QN__CUB_RESULT(name)                                                                       \
    template <class... Arguments> __device__ T name(Arguments &&...)                               \
    {                                                                                              \
        __qn_cub();                                                                                \
        return T();                                                                                \
    }
#define QN__CUB_NONE(name)                                                                         \
    template <class... Arguments> __device__ void name(Arguments &&...)                            \
    {                                                                                              \
        __qn_cub();                                                                                \
    }
#define QN__CUB_BEGIN(name)                                                                        \
  public:                                                                                          \
    struct TempStorage {                                                                           \
        T qn_value;                                                                                \
    };                                                                                             \
    __device__ name()                                                                              \
    {                                                                                              \
    }                                                                                              \
    template <class... Arguments> __device__ name(TempStorage &, Arguments &&...)                  \
    {                                                                                              \
    }
#define QN__CUB_REDUCE(name)                                                                       \
    template <class T, int...> class name                                                          \
    {                                                                                              \
        QN__CUB_BEGIN(name)                                                                        \
        QN__CUB_RESULT(Reduce)                                                                     \
        QN__CUB_RESULT(Sum)                                                                        \
        QN__CUB_RESULT(HeadSegmentedReduce)                                                        \
        QN__CUB_RESULT(HeadSegmentedSum)                                                           \
        QN__CUB_RESULT(TailSegmentedReduce)                                                        \
        QN__CUB_RESULT(TailSegmentedSum)                                                           \
    };
#define QN__CUB_SCAN(name)                                                                         \
    template <class T, int...> class name                                                          \
    {                                                                                              \
        QN__CUB_BEGIN(name)                                                                        \
        QN__CUB_NONE(ExclusiveSum)                                                                 \
        QN__CUB_NONE(InclusiveSum)                                                                 \
        QN__CUB_NONE(ExclusiveScan)                                                                \
        QN__CUB_NONE(InclusiveScan)                                                                \
        QN__CUB_NONE(Scan)                                                                         \
        QN__CUB_RESULT(Broadcast)                                                                  \
    };
#define QN__CUB_MOVE(name, one, two)                                                               \
    template <class T, int...> class name                                                          \
    {                                                                                              \
        QN__CUB_BEGIN(name)                                                                        \
        QN__CUB_NONE(one)                                                                          \
        QN__CUB_NONE(two)                                                                          \
    };
#define QN__CUB_SORT(name)                                                                         \
    template <class T, int block, int items, class V = NullType, int...> class name                \
    {                                                                                              \
        QN__CUB_BEGIN(name)                                                                        \
        QN__CUB_NONE(Sort)                                                                         \
        QN__CUB_NONE(SortBlockedToStriped)                                                         \
        QN__CUB_NONE(SortDescending)                                                               \
        QN__CUB_NONE(SortDescendingBlockedToStriped)                                               \
        QN__CUB_NONE(StableSort)                                                                   \
    };
QN__CUB_REDUCE(BlockReduce)
QN__CUB_REDUCE(WarpReduce)
QN__CUB_SCAN(BlockScan)
QN__CUB_SCAN(WarpScan)
QN__CUB_MOVE(BlockLoad, Load, load)
QN__CUB_MOVE(BlockStore, Store, store)
QN__CUB_MOVE(WarpLoad, Load, load)
QN__CUB_MOVE(WarpStore, Store, store)
QN__CUB_MOVE(BlockHistogram, Histogram, Composite)
QN__CUB_MOVE(BlockAdjacentDifference, SubtractLeft, SubtractRight)
QN__CUB_MOVE(BlockShuffle, Up, Down)
QN__CUB_SORT(BlockRadixSort)
QN__CUB_SORT(BlockMergeSort)
QN__CUB_SORT(WarpMergeSort)
#define QN__CUB_EXCHANGE(name)                                                                     \
    template <class T, int...> class name                                                          \
    {                                                                                              \
        QN__CUB_BEGIN(name)                                                                        \
        QN__CUB_NONE(BlockedToStriped)                                                             \
        QN__CUB_NONE(StripedToBlocked)                                                             \
        QN__CUB_NONE(BlockedToWarpStriped)                                                         \
        QN__CUB_NONE(WarpStripedToBlocked)                                                         \
        QN__CUB_NONE(ScatterToBlocked)                                                             \
        QN__CUB_NONE(ScatterToStriped)                                                             \
    };
QN__CUB_EXCHANGE(BlockExchange)
QN__CUB_EXCHANGE(WarpExchange)
template <class T, int...> class BlockDiscontinuity
{
    QN__CUB_BEGIN(BlockDiscontinuity)
    QN__CUB_NONE(FlagHeads)
    QN__CUB_NONE(FlagTails)
    QN__CUB_NONE(FlagHeadsAndTails)
};
#undef QN__CUB_EXCHANGE
#undef QN__CUB_SORT
#undef QN__CUB_MOVE
#undef QN__CUB_SCAN
#undef QN__CUB_REDUCE
#undef QN__CUB_BEGIN
#undef QN__CUB_NONE
#undef QN__CUB_RESULT

/* ---- Operations of a device: calls of host code have to parse ---- */
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
