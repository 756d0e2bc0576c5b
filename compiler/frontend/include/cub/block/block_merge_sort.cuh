/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of a block's or a warp's threads in the order of a comparison, values along with them.
 * Each thread sorts its own; then runs of threads are joined in pairs: an item's place is its own
 * in its run and what of the other run is before it, which a binary search tells. Equal items keep
 * their order. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_BLOCK_MERGE_SORT
#define QN_STANDIN_CUB_BLOCK_MERGE_SORT

#include <cub/thread/thread_sort.cuh>
#include <cub/util_ptx.cuh>

namespace cub
{

/* `Sync` has tid() and sync(). */
template <class K, class V, int threads, int N, class Sync> class BlockMergeSortStrategy
{
    static constexpr bool HAS_VALUES = !std::is_same<V, NullType>::value;

  public:
    union TempStorage {
        qn_slots<K, threads * N> keys;
        qn_slots<V, threads * N> values;
        TempStorage() = default;
    };

  private:
    TempStorage &storage;
    const unsigned int tid;

    __device__ __forceinline__ void sync() const
    {
        static_cast<const Sync *>(this)->SyncImplementation();
    }

    /* How many of the keys from `first` up to `end` come before `key`; equal ones, too? */
    template <class Before>
    __device__ __forceinline__ int before(const K &key, int first, int end, bool equal, Before op)
    {
        int low = first;
        while (low < end) {
            const int middle = (low + end) / 2;
            const K other = storage.keys[middle];
            if (equal ? !op(key, other) : op(other, key))
                low = middle + 1;
            else
                end = middle;
        }
        return low - first;
    }
    template <class T, class Slots>
    __device__ __forceinline__ void move(T (&v)[N], Slots &slots, const int (&places)[N])
    {
        sync();
        for (int i = 0; i < N; i++)
            slots[places[i]] = v[i];
        sync();
        for (int i = 0; i < N; i++)
            v[i] = slots[(int)tid * N + i];
    }
    template <class Before>
    __device__ __forceinline__ void sort(K (&keys)[N], V (&values)[N], Before op)
    {
        StableOddEvenSort(keys, values, op);
        for (int run = N; run < threads * N; run *= 2) {
            int places[N];
            sync();
            for (int i = 0; i < N; i++)
                storage.keys[(int)tid * N + i] = keys[i];
            sync();
            for (int i = 0; i < N; i++) {
                const int own = (int)tid * N + i, begin = own / run * run;
                const bool second = begin / run % 2;
                const int other = second ? begin - run : begin + run;
                const int stop = other + run < threads * N ? other + run : threads * N;
                places[i] = (second ? other : begin) + own - begin +
                            before(keys[i], other, stop, second, op);
            }
            move(keys, storage.keys, places);
            if constexpr (HAS_VALUES)
                move(values, storage.values, places);
        }
        sync();
    }
    __device__ __forceinline__ void pad(K (&keys)[N], int n, const K &beyond)
    {
        for (int i = 0; i < N; i++)
            if ((int)tid * N + i >= n)
                keys[i] = beyond;
    }

  protected:
    __device__ __forceinline__ BlockMergeSortStrategy(TempStorage &s, unsigned int t)
        : storage(s), tid(t)
    {
    }

  public:
    __device__ __forceinline__ unsigned int get_linear_tid() const
    {
        return tid;
    }
    template <class Before> __device__ __forceinline__ void Sort(K (&keys)[N], Before op)
    {
        V none[N];
        sort(keys, none, op);
    }
    template <class Before>
    __device__ __forceinline__ void Sort(K (&keys)[N], V (&values)[N], Before op)
    {
        sort(keys, values, op);
    }
    /* Only the first `n` keys count, and nothing comes after `beyond`. */
    template <class Before>
    __device__ __forceinline__ void Sort(K (&keys)[N], Before op, int n, K beyond)
    {
        V none[N];
        pad(keys, n, beyond);
        sort(keys, none, op);
    }
    template <class Before, bool = true>
    __device__ __forceinline__ void Sort(K (&keys)[N], V (&values)[N], Before op, int n, K beyond)
    {
        pad(keys, n, beyond);
        sort(keys, values, op);
    }
    template <class Before> __device__ __forceinline__ void StableSort(K (&keys)[N], Before op)
    {
        Sort(keys, op);
    }
    template <class Before>
    __device__ __forceinline__ void StableSort(K (&keys)[N], V (&values)[N], Before op)
    {
        Sort(keys, values, op);
    }
    template <class Before>
    __device__ __forceinline__ void StableSort(K (&keys)[N], Before op, int n, K beyond)
    {
        Sort(keys, op, n, beyond);
    }
    template <class Before, bool = true>
    __device__ __forceinline__ void StableSort(K (&keys)[N], V (&values)[N], Before op, int n,
                                               K beyond)
    {
        Sort(keys, values, op, n, beyond);
    }
};

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort
    : public BlockMergeSortStrategy<K, V, X * Y * Z, N, BlockMergeSort<K, X, N, V, Y, Z>>
{
    typedef BlockMergeSortStrategy<K, V, X * Y * Z, N, BlockMergeSort> Strategy;
    friend Strategy;

    __device__ static typename Strategy::TempStorage &qn_private_storage()
    {
        static __shared__ typename Strategy::TempStorage storage;
        return storage;
    }
    __device__ __forceinline__ void SyncImplementation() const
    {
        __syncthreads();
    }

  public:
    __device__ __forceinline__ BlockMergeSort()
        : Strategy(qn_private_storage(), (unsigned int)RowMajorTid(X, Y, Z))
    {
    }
    __device__ __forceinline__ explicit BlockMergeSort(typename Strategy::TempStorage &s)
        : Strategy(s, (unsigned int)RowMajorTid(X, Y, Z))
    {
    }
};

} // namespace cub

#endif
