/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused phase over weights of q4_k in tiles. The contract is in quern_tiles.cuh. */
#include "quern_tiles_q4_k.cuh"

QK_TILE_KERNELS(q4_k, tiles_q4_k)
QK_PHASE_KERNEL(q4_k, tiles_q4_k)
