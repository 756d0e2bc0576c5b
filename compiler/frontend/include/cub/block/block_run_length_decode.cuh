/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of equal items, from values and lengths. Where each run begins is kept in shared memory;
 * item by item the run is looked up. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_RUN_LENGTH_DECODE
#define QN_STANDIN_CUB_RUN_LENGTH_DECODE

#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_search.cuh>

namespace cub
{

template <class T, int X, int RUNS, int N, class Offset = unsigned int, int Y = 1, int Z = 1>
class BlockRunLengthDecode
{
    enum { THREADS = X * Y * Z };
    typedef BlockScan<Offset, X, BLOCK_SCAN_RAKING_MEMOIZE, Y, Z> Scan;

  public:
    struct TempStorage {
        typename Scan::TempStorage scan;
        qn_slots<T, THREADS * RUNS> values;
        qn_slots<Offset, THREADS * RUNS> offsets;
    };

  private:
    TempStorage &storage;
    const int tid;

    __device__ static TempStorage &qn_private_storage()
    {
        static __shared__ TempStorage storage;
        return storage;
    }
    template <class From>
    __device__ __forceinline__ void begin(T (&values)[RUNS], From (&offsets)[RUNS])
    {
        for (int i = 0; i < RUNS; i++) {
            storage.values[tid * RUNS + i] = values[i];
            storage.offsets[tid * RUNS + i] = (Offset)offsets[i];
        }
        __syncthreads();
    }
    template <class Length, class Total>
    __device__ __forceinline__ void begin(T (&values)[RUNS], Length (&lengths)[RUNS], Total &total)
    {
        Offset offsets[RUNS], all;
        for (int i = 0; i < RUNS; i++)
            offsets[i] = (Offset)lengths[i];
        Scan(storage.scan).ExclusiveSum(offsets, offsets, all);
        total = (Total)all;
        begin(values, offsets);
    }

  public:
    template <class Length, class Total>
    __device__ __forceinline__ BlockRunLengthDecode(TempStorage &s, T (&values)[RUNS],
                                                    Length (&lengths)[RUNS], Total &total)
        : storage(s), tid(RowMajorTid(X, Y, Z))
    {
        begin(values, lengths, total);
    }
    template <class From>
    __device__ __forceinline__ BlockRunLengthDecode(TempStorage &s, T (&values)[RUNS],
                                                    From (&offsets)[RUNS])
        : storage(s), tid(RowMajorTid(X, Y, Z))
    {
        begin(values, offsets);
    }
    template <class Length, class Total>
    __device__ __forceinline__ BlockRunLengthDecode(T (&values)[RUNS], Length (&lengths)[RUNS],
                                                    Total &total)
        : storage(qn_private_storage()), tid(RowMajorTid(X, Y, Z))
    {
        begin(values, lengths, total);
    }
    template <class From>
    __device__ __forceinline__ BlockRunLengthDecode(T (&values)[RUNS], From (&offsets)[RUNS])
        : storage(qn_private_storage()), tid(RowMajorTid(X, Y, Z))
    {
        begin(values, offsets);
    }

    /* The items from `from` on, blocked, and the place of each in its run. */
    template <class Relative>
    __device__ __forceinline__ void RunLengthDecode(T (&items)[N], Relative (&places)[N],
                                                    Offset from = 0)
    {
        for (int i = 0; i < N; i++) {
            const Offset at = from + (Offset)(tid * N + i);
            const int run = UpperBound(&storage.offsets[0], (int)(THREADS * RUNS), at) - 1;
            items[i] = storage.values[run];
            places[i] = (Relative)(at - storage.offsets[run]);
        }
    }
    __device__ __forceinline__ void RunLengthDecode(T (&items)[N], Offset from = 0)
    {
        Offset places[N];
        RunLengthDecode(items, places, from);
    }
};

} // namespace cub

#endif
