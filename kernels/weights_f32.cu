/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as f32: one number after the other. The kernels and their contracts are in
 * quern_weights.cuh. */
#include "quern_weights.cuh"

QK_WEIGHT_KERNELS(f32, qk_plain<float>)
