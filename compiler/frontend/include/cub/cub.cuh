/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB. What kernels use of it, operations of threads, warps and blocks, is here in full: one header
 * each below block/, warp/ and thread/, written from CUB's documentation with the simplest
 * algorithms that give what it promises. Operations of a whole device are declared for host code.
 * Where a CUDA toolkit is known, a kernel that uses any of this is read with the toolkit's own
 * headers in place of these (compiler/frontend/toolkit.c). */
#pragma clang system_header
#ifndef QN_STANDIN_CUB
#define QN_STANDIN_CUB

#include <quern_host.h>
#include <quern_prelude.h>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/quern_cub_device.h>
#include <cub/iterator/quern_cub_iterators.h>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_search.cuh>
#include <cub/thread/thread_sort.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

#endif
