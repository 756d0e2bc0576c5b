/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of a block's threads in order, values along with them. Bit by bit from the lowest: those
 * without the bit go first, in the order they have; a scan counts them. The template's choices
 * about how to sort make no difference. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_RADIX_SORT
#define QN_STANDIN_CUB_BLOCK_RADIX_SORT

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/radix_rank_sort_operations.cuh>

namespace cub
{

template <class K, int X, int N, class V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort
{
    enum { THREADS = X * Y * Z };
    typedef BlockScan<int, X, BLOCK_SCAN_WARP_SCANS, Y, Z> Scan;
    typedef BlockExchange<K, X, N, false, Y, Z> Keys;
    typedef BlockExchange<V, X, N, false, Y, Z> Values;
    static constexpr bool HAS_VALUES = !std::is_same<V, NullType>::value;
    static constexpr int BITS = (int)sizeof(K) * 8;

  public:
    struct TempStorage {
        typename Scan::TempStorage scan;
        union {
            typename Keys::TempStorage keys;
            typename Values::TempStorage values;
        };
    };
    QN__CUB_STORAGE(BlockRadixSort)

  private:
    /* Where the items go that this bit decides about. */
    template <class Part>
    __device__ __forceinline__ void rank(K (&keys)[N], int (&ranks)[N], int bit, Part part,
                                         bool descending)
    {
        int n = 0, before, all;
        for (int i = 0; i < N; i++) {
            ranks[i] = part.bit(keys[i], bit, descending) == descending;
            n += ranks[i];
        }
        Scan(storage.scan).ExclusiveSum(n, before, all);
        for (int i = 0; i < N; i++) {
            const bool first = ranks[i];
            ranks[i] = first ? before : all + tid * N + i - before;
            before += first;
        }
    }
    template <class Part>
    __device__ __forceinline__ void sort(K (&keys)[N], V (*values)[N], int begin, int end,
                                         Part part, bool descending, bool striped)
    {
        int ranks[N];
        for (int bit = begin; bit < end; bit++) {
            rank(keys, ranks, bit, part, descending);
            Keys(storage.keys).ScatterToBlocked(keys, ranks);
            if constexpr (HAS_VALUES) {
                __syncthreads();
                Values(storage.values).ScatterToBlocked(*values, ranks);
            }
        }
        if (striped) {
            __syncthreads();
            Keys(storage.keys).BlockedToStriped(keys);
            if constexpr (HAS_VALUES) {
                __syncthreads();
                Values(storage.values).BlockedToStriped(*values);
            }
        }
    }

  public:
#define QN__CUB_SORT(name, descending, striped)                                                    \
    __device__ __forceinline__ void name(K(&keys)[N], int begin = 0, int end = BITS)               \
    {                                                                                              \
        sort(keys, (V(*)[N]) nullptr, begin, end, qn_whole_key(), descending, striped);            \
    }                                                                                              \
    __device__ __forceinline__ void name(K(&keys)[N], V(&values)[N], int begin = 0,                \
                                         int end = BITS)                                           \
    {                                                                                              \
        sort(keys, &values, begin, end, qn_whole_key(), descending, striped);                      \
    }                                                                                              \
    template <class D>                                                                             \
    __device__ __forceinline__ std::enable_if_t<!std::is_convertible<D, int>::value> name(         \
        K(&keys)[N], D decomposer, int begin = 0,                                                  \
        int end = qn_decomposed_key<D>::template bits<K>())                                        \
    {                                                                                              \
        sort(keys, (V(*)[N]) nullptr, begin, end, qn_decomposed_key<D>{decomposer}, descending,    \
             striped);                                                                             \
    }                                                                                              \
    template <class D>                                                                             \
    __device__ __forceinline__ std::enable_if_t<!std::is_convertible<D, int>::value> name(         \
        K(&keys)[N], V(&values)[N], D decomposer, int begin = 0,                                   \
        int end = qn_decomposed_key<D>::template bits<K>())                                        \
    {                                                                                              \
        sort(keys, &values, begin, end, qn_decomposed_key<D>{decomposer}, descending, striped);    \
    }
    QN__CUB_SORT(Sort, false, false)
    QN__CUB_SORT(SortDescending, true, false)
    QN__CUB_SORT(SortBlockedToStriped, false, true)
    QN__CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef QN__CUB_SORT
};

} // namespace cub

#endif
