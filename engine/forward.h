/* SPDX-License-Identifier: Apache-2.0
 *
 * The model itself: tokens in, logits out. */
#ifndef QN_ENGINE_FORWARD_H
#define QN_ENGINE_FORWARD_H

#include "engine/buffers.h"
#include "engine/layer_stream.h"

/* Tokens of a step that belong to one sequence, one after the other. */
struct qn__span {
    uint32_t first, n;
    uint64_t cache_offset; /* of the sequence's part of every layer */
};

struct qn__forward {
    const struct qn__config *config;
    const struct qn__weights *weights;
    const struct qn__cache *cache;
    const struct qn__activations *activations;
    qn_device *dev;
    const struct qn__pairs_staged *pairs; /* with experts */
    struct qn__layer_stream *streamed;    /* NULL: all layers stay on the device */
    const struct qn__span *spans; /* (n_spans); NULL: all tokens are of the first sequence */
    uint32_t n_spans;
};

/* Queue one step: s->n_tokens tokens, whose numbers and positions lie in activations->ids and
 * ->pos, go through every layer into the cache. With `wants_logits` the last one's logits follow,
 * and the likeliest token. */
qn_status qn__forward_queue(const struct qn__forward *f, struct qn__step *s, bool wants_logits);

/* Queue what comes behind the layers for n_rows of the tokens, whose numbers within the step lie in
 * activations->row_tokens: the states behind the norm in ->normed, and with `wants_logits` their
 * logits in ->row_logits. */
qn_status qn__forward_queue_rows(const struct qn__forward *f, struct qn__step *s, uint32_t n_rows,
                                 bool wants_logits);

#endif
