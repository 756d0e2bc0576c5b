/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with codes of 5 bits; _min: of formats whose blocks have an offset. The contract is in
 * quern_dots.cuh. */
#include "quern_dots.cuh"

QK_DOT_KERNEL(dots_u5, qk_codes_u5, false)
QK_DOT_KERNEL(dots_u5_min, qk_codes_u5, true)
