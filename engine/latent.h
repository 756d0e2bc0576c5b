/* SPDX-License-Identifier: Apache-2.0
 *
 * Latent attention (DeepSeek's MLA): one short vector for each position stands for the keys and
 * values of all heads. Here they are made of it as they come and kept whole, so that attention is
 * that of every other family. */
#ifndef QN_ENGINE_LATENT_H
#define QN_ENGINE_LATENT_H

#include "engine/forward.h"

/* activations->q, ->k, ->v of the normed stream `in`, not turned by positions yet. The part of a
 * head that will be comes first, as the rotation has it. */
qn_status qn__latent_qkv(const struct qn__forward *f, struct qn__step *s, const struct qn__layer *l,
                         qn_addr in);

/* activations->latent.heads (T, n_heads * n_value): what was attended, without the zeros */
qn_status qn__latent_values(const struct qn__forward *f, struct qn__step *s);

#endif
