/* SPDX-License-Identifier: Apache-2.0
 *
 * Low-rank adapters (LoRA): what a file adds to a model's matrices, y = W x + scale b (a x).
 *
 * W stays as it is stored, also where it is quantised: the two small products are launches of their
 * own behind the matrix's. Several adapters of a matrix are one: their a's stand below one another,
 * their b's, times what multiplies each, side by side.
 *
 * A *place* is a matrix that may be adapted, by number: those of layer 0, 1, ..., then the
 * embedding, then the head. */
#ifndef QN_ENGINE_ADAPTER_OPEN_H
#define QN_ENGINE_ADAPTER_OPEN_H

#include "engine/opened_model.h"

/* What an adapter adds at a place. */
struct qn__adapter_part {
    uint32_t place;
    const struct qn__tensor *a, *b;
    uint32_t rank;
    uint32_t first_row; /* of b, whose rows may be those of several matrices in one */
    float scale;        /* multiplies b a */
};

struct qn_adapter {
    struct qn__model_file *file;
    const struct qn_model *model;
    struct qn__adapter_part *parts;
    uint32_t n_parts, capacity;
    bool is_peft;
    qn_adapter_info info;
};

uint32_t qn__places_count(const struct qn__config *c);
uint32_t qn__place_of_embedding(const struct qn__config *c);
const struct qn__matrix *qn__place_matrix(const struct qn__weights *w, const struct qn__config *c,
                                          uint32_t place);
/* Are these queries or keys, whose rows GGUF files and safetensors may have in other orders? */
bool qn__place_is_turned(const struct qn__config *c, uint32_t place);

#endif
