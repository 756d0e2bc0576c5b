/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with codes of 4 bits; _min: of formats whose blocks have an offset. The contract is in
 * quern_dots.cuh. */
#include "quern_dots.cuh"

QK_DOT_KERNEL(dots_u4, qk_codes_u4, false)
QK_DOT_KERNEL(dots_u4_min, qk_codes_u4, true)
