/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a step of many tokens, where there are kernels for tensor cores: products of f16
 * inputs, which are made of an activation once for all matrices that follow one another and read
 * it, and attention. */
#ifndef QN_ENGINE_STEP_PROMPT_H
#define QN_ENGINE_STEP_PROMPT_H

#include "engine/step.h"

/* Up to this many tokens the weights are streamed once for every few of them (qn__step_fused()). */
enum { QN__FUSED_TOKENS = 16 };

static inline bool qn__step_is_prompt(const struct qn__step *s)
{
    return s->n_tokens > QN__FUSED_TOKENS;
}

/* Up to three matrices that lie one after the other as one, each with an y of its own. */
struct qn__joined {
    struct qn__matrix matrix;
    qn_addr y[3];
    uint32_t rows[2]; /* of the first two */
};

/* y = then(matrix norm(x) + bias): norm and bias may be 0. The matrix has_product. */
qn_status qn__step_product(struct qn__step *s, const struct qn__joined *j, qn_addr x, qn_addr norm,
                           qn_addr bias, enum qn__then then);

/* Is this product left to a library? Then matrices are not joined, and there is no bias and no
 * activation. */
bool qn__step_is_for_library(const struct qn__step *s, const struct qn__matrix *m);

/* Attention of several tokens. `next` reads what comes out: if it has_product and this is a prompt,
 * out is left unwritten and is there as its inputs. */
qn_status qn__step_attend_tensor(struct qn__step *s, qn_addr out, qn_addr q,
                                 const struct qn__cache_layer *cache, qn_addr pos,
                                 const struct qn__matrix *next);

#endif
