/* SPDX-License-Identifier: Apache-2.0
 *
 * Which matrices a token streams by fused kernels (kernels/quern_tiles.cuh), and turning them into
 * tiles once they lie on the device. Experts are not among them yet. */
#ifndef QN_ENGINE_WEIGHT_TILES_H
#define QN_ENGINE_WEIGHT_TILES_H

#include "engine/step.h"

/* Are the fused kernels the fastest here? GPUs with mma.sync and cp.async: sm_80 and later. */
bool qn__weight_tiles_suit(const qn_device_info *device);

/* Set is_fused and is_tiled of the matrices that can be; *why_not is of the first that cannot, or
 * "". */
void qn__weight_tiles_choose(struct qn__weights *w, const struct qn__config *c,
                             const qn_device_info *device, const char **why_not);

/* Has a prompt products for which there is no kernel on tensor cores, and which the vendor's
 * library would make, or any of f16 where `takes_f16`? It costs its start. */
bool qn__weight_tiles_want_library(const struct qn__weights *w, const struct qn__config *c,
                                   const qn_device_info *device, bool takes_f16);

/* Matrices m[0], m[1] ... that lie one after the other, as one: how many of n were joined. */
uint32_t qn__weight_tiles_join(struct qn__matrix *out, const struct qn__matrix *const *m,
                               uint32_t n);

/* Queue the turn into tiles of all that are to be of a streamed layer, or (QN__STAYS) of all that
 * stays, by way of scratch. */
qn_status qn__weight_tiles_turn(const struct qn__weights *w, uint32_t layer,
                                const struct qn__config *c, struct qn__step *s, qn_device *dev,
                                qn_addr scratch);

#endif
