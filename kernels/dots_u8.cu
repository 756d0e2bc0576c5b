/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with codes of 8 bits. The contract is in quern_dots.cuh. */
#include "quern_dots.cuh"

QK_DOT_KERNEL(dots_u8, qk_codes_u8, false)
