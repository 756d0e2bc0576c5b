/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_token_f16: one token's attention over a cache of f16. The contract is in
 * quern_attention_token.cuh. */
#include "quern_attention_token.cuh"

QK_TOKEN_KERNEL(attention_token_f16, qk_half)
