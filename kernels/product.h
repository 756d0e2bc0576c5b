/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the kernels that tensor cores make fast: products of many tokens
 * (quern_product.cuh), and a prompt's attention (quern_attention_tensor.cuh). */
#ifndef QN_KERNELS_PRODUCT_H
#define QN_KERNELS_PRODUCT_H

#include "kernels/tiles.h"

/* Of the format's weights there is a kernel, and the device has the shared memory for it. Rows and
 * n are those of qn__tiles_accept(). */
bool qn__product_accepts(const struct qn__format *f, const qn_device_info *dev);
/* Of a ring: as many as leave room for a second block on a unit, or, where there are no more blocks
 * than units, for the rings of both groups of a block; 0: there is too little shared memory. */
uint32_t qn__product_stages(const struct qn__format *f, uint64_t rows, uint64_t tokens,
                            const qn_device_info *dev);
qn_dims qn__product_plan(const struct qn__format *f, uint64_t rows, uint64_t tokens,
                         const qn_device_info *dev);
/* Inputs are in the order of tiles. */
bool qn__product_in_fours(const struct qn__format *f);

bool qn__tensor_attention_accepts(uint32_t head_dim, const qn_device_info *dev);
qn_dims qn__tensor_attention_plan(uint32_t head_dim, uint64_t tokens, uint64_t heads,
                                  const qn_device_info *dev);

#endif
