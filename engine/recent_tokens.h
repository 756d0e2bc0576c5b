/* SPDX-License-Identifier: Apache-2.0
 *
 * The last tokens of a text, and what those that come again lose: the steps of a sampler that look
 * back. */
#ifndef QN_ENGINE_RECENT_TOKENS_H
#define QN_ENGINE_RECENT_TOKENS_H

#include <quern/model.h>

struct qn__recent {
    int32_t *ids; /* the last ones, the newest at the end; room for twice `capacity` */
    uint32_t n, capacity;
};

qn_status qn__recent_init(struct qn__recent *r, uint32_t capacity);
void qn__recent_release(struct qn__recent *r);
void qn__recent_add(struct qn__recent *r, int32_t id);
/* The last n, or as many as there are: *n. */
const int32_t *qn__recent_last(const struct qn__recent *r, uint32_t *n);

/* Logits (n_vocab) of the tokens that are among ids, each once: positive ones times shrink, others
 * times grow, then less `presence`, and `frequency` for each time. `counts` (n_vocab) is all zero
 * before and after. */
struct qn__repeat_penalties {
    float shrink, grow, presence, frequency;
};
void qn__penalise_recent(float *logits, uint32_t n_vocab, const int32_t *ids, uint32_t n,
                         const struct qn__repeat_penalties *p, uint32_t *counts);

/* DRY ("don't repeat yourself", p-e-w 2024): a token that would go on with what stood before the
 * last tokens' earlier occurrence loses multiplier * base^(n - allowed), n tokens long. `lengths`
 * (n) and `longest` (n_vocab, all zero before and after) are scratch. */
struct qn__dry {
    float multiplier, base;
    uint32_t allowed;
    const int32_t *breakers;
    uint32_t n_breakers;
};
void qn__penalise_repetitions(float *logits, uint32_t n_vocab, const int32_t *ids, uint32_t n,
                              const struct qn__dry *d, uint32_t *lengths, uint32_t *longest);

#endif
