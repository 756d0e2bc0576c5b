/* SPDX-License-Identifier: Apache-2.0
 *
 * The model itself: tokens in, logits out. */
#ifndef QN_ENGINE_FORWARD_H
#define QN_ENGINE_FORWARD_H

#include "engine/buffers.h"

struct qn__forward {
    const struct qn__config *config;
    const struct qn__weights *weights;
    const struct qn__cache *cache;
    const struct qn__activations *activations;
    qn_device *dev;
    const struct qn__pairs_staged *pairs; /* with experts */
};

/* Queue one step: s->n_tokens tokens, whose numbers and positions lie in activations->ids and
 * ->pos, go through every layer into the cache. With `wants_logits` the last one's logits follow,
 * and the likeliest token. */
qn_status qn__forward_queue(const struct qn__forward *f, struct qn__step *s, bool wants_logits);

#endif
