/* SPDX-License-Identifier: Apache-2.0
 *
 * In which format each tensor of a model goes to a file: the format asked for where it can, finer
 * ones where a mixture says so, f32 for what is small and sensitive. */
#ifndef QN_ENGINE_WEIGHT_MIX_H
#define QN_ENGINE_WEIGHT_MIX_H

#include "engine/model_file.h"

struct qn__weight_mix {
    const struct qn__format *format;
    bool is_medium;     /* q4_k_m: some tensors are q6_k */
    uint32_t file_type; /* general.file_type */
    uint32_t n_layers, n_experts;
    bool tied_head; /* the embeddings are the head as well */
};

/* By name: a format of kernels/formats.def, or "q4_k_m".
 * QN_E_INVALID  none of these; the message lists them */
qn_status qn__weight_mix_find(struct qn__weight_mix *out, const char *name);

/* The format of tensor `name`, with rows of n_columns. Vectors and routers stay f32. Where a row is
 * no whole number of blocks the next best format with smaller blocks is taken: those of 256
 * elements become q4_k -> q5_0, q5_k -> q5_1, q6_k -> q8_0, q2_k and q3_k -> iq4_nl; those of 32
 * become f16. */
const struct qn__format *qn__weight_mix_choose(const struct qn__weight_mix *mix, const char *name,
                                               uint32_t n_dims, uint64_t n_columns);

#endif
