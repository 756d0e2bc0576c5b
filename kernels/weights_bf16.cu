/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as bf16: one number after the other. The kernels and their contracts are in
 * quern_weights.cuh. */
#include "quern_weights.cuh"

QK_WEIGHT_KERNELS(bf16, qk_plain<qk_bf16>)
