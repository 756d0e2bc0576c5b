/* SPDX-License-Identifier: Apache-2.0
 *
 * What the session asks a sampler besides quern/model.h: a device finds the k likeliest tokens
 * (shortlist.h), the sampler chooses among them. Both ways to a token, this one and
 * qn_sampler_choose(), share the steps and the draw, and give the same token for the same logits
 * and seed. */
#ifndef QN_ENGINE_SAMPLER_H
#define QN_ENGINE_SAMPLER_H

#include <quern/model.h>

/* Greedy without anything that changes logits: the device's own choice is the answer. */
bool qn__sampler_is_plain(const qn_sampler *s);

/* How many of the n likeliest tokens a choice needs: n where it may be any. */
uint32_t qn__sampler_wanted(const qn_sampler *s, uint32_t n);

/* Logits of recent tokens are multiplied: positive ones by `shrink`, others by `grow`. */
struct qn__penalty {
    const int32_t *ids; /* (n_ids), the sampler's; some may occur more than once */
    uint32_t n_ids;     /* 0: nothing is penalised */
    float shrink, grow;
};
struct qn__penalty qn__sampler_penalty(const qn_sampler *s);

/* qn_sampler_choose() from the n likeliest tokens, n >= qn__sampler_wanted(): likelier ones first,
 * equal ones by rising number, NaN last; penalised already. */
qn_status qn__sampler_choose_among(int32_t *out, qn_sampler *s, const int32_t *ids,
                                   const float *logits, uint32_t n);

#endif
