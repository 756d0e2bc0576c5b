/* SPDX-License-Identifier: Apache-2.0
 *
 * The experts' feed-forward: out of a layer's experts each token goes through the few its router
 * picks. */
#ifndef QN_ENGINE_EXPERTS_H
#define QN_ENGINE_EXPERTS_H

#include "engine/forward.h"

/* activations->normed (n_tokens, dim) through the experts, in place. */
qn_status qn__experts(const struct qn__forward *f, struct qn__step *s, const struct qn__layer *l);
/* activations->shared (n_tokens, dim), and ->share (n_tokens): normed through the expert that every
 * token goes through, and how much of it is added. */
qn_status qn__shared_expert(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l);

#endif
