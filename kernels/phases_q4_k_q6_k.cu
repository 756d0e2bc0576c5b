/* SPDX-License-Identifier: Apache-2.0
 *
 * phases_q4_k_q6_k: y = factor W x + bias of two matrices in one launch, the rows of q4_k first and
 * then those of q6_k (quern_phase.cuh).
 *
 *   y          (rows + rows2) f32
 *   w, w2      (rows, n) of q4_k and (rows2, n) of q6_k in tiles, on 16 bytes
 *   bias       (rows + rows2) f32 or null
 *   rows, rows2, n, is_normed, depth, computes, tolerance  as in quern_phase.cuh
 *   grid       at least two; block a multiple of the wave, at most 512; dynamic shared:
 *              qn__phases_plan()
 *   source     the definition */
#include "quern_tiles_q4_k.cuh"
#include "quern_tiles_q6_k.cuh"

QK_PHASES_KERNEL(phases_q4_k_q6_k, tiles_q4_k, tiles_q6_k)
