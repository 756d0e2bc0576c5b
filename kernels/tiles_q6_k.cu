/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused phase over weights of q6_k in tiles. The contract is in quern_tiles.cuh. */
#include "quern_tiles_q6_k.cuh"

QK_TILE_KERNELS(q6_k, tiles_q6_k)
QK_PHASE_KERNEL(q6_k, tiles_q6_k)
