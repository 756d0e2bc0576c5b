/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases of one token (quern_phase.cuh): what a launch needs, and the host's way of making a vector
 * ready for one, by which the kernels' own is checked. */
#ifndef QN_KERNELS_PHASE_H
#define QN_KERNELS_PHASE_H

#include "kernels/tiles.h"

enum { QN__READY = 16 }; /* elements that share a scale */

/* May a kernel begin before the one in front of it has ended? */
bool qn__starts_early(const qn_device_info *dev);

/* Do its kernels multiply by mma.sync what they read from memory (quern_phase_direct.cuh)? */
bool qn__phase_is_direct(const qn_device_info *dev);

/* Tiles of a wave on their way in the plan below; 0: the device has too little shared memory for a
 * row. */
uint32_t qn__phase_depth(const struct qn__tile_work *w, const qn_device_info *dev);
qn_dims qn__phase_plan(const struct qn__tile_work *w, const qn_device_info *dev, uint32_t threads);

/* The same of two matrices that read the same x (phases_q4_k_q6_k). */
uint32_t qn__phases_depth(const struct qn__tile_work *first, const struct qn__tile_work *second,
                          const qn_device_info *dev);
qn_dims qn__phases_plan(const struct qn__tile_work *first, const struct qn__tile_work *second,
                        const qn_device_info *dev, uint32_t threads);

/* Shared memory with which a unit has one block at a time: where two would fit, those of the next
 * kernel would crowd on the units that end first. */
uint32_t qn__alone_bytes(const qn_device_info *dev);

/* codes (2 n) f16, numbers (3, n / 16): x (n) times norm, or x where that is NULL. */
void qn__ready_pack(uint16_t *codes, float *numbers, const float *x, const float *norm, uint32_t n);

#endif
