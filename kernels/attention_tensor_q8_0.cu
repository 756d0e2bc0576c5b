/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_tensor_q8_0: the tokens of a prompt over a cache of q8_0, on tensor cores. The contract is
 * in quern_attention_tensor.cuh. */
#include "quern_attention_tensor.cuh"

QK_ATTENTION_TENSOR(q8_0)
