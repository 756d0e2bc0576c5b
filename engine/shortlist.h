/* SPDX-License-Identifier: Apache-2.0
 *
 * The k likeliest tokens, found on the device (kernels/sample.cu), so that k pairs and not a whole
 * vocabulary of logits come to the host. */
#ifndef QN_ENGINE_SHORTLIST_H
#define QN_ENGINE_SHORTLIST_H

#include "engine/sampler.h"
#include "engine/step.h"

enum {
    QN__SHORTLIST_MAX = 256,         /* k */
    QN__SHORTLIST_RECENT_MAX = 1024, /* tokens with a penalty */
    QN__SHORTLIST_GROUPS_MAX = 1024,
};

/* On the device. */
struct qn__shortlist {
    qn_addr recent;    /* (QN__SHORTLIST_RECENT_MAX) i32 */
    qn_addr penalised; /* (n_vocab) f32 */
    qn_addr best;      /* (QN__SHORTLIST_GROUPS_MAX) i32: the likeliest of each group */
    qn_addr heads;     /* (QN__SHORTLIST_MAX) i32: the likeliest of those */
    qn_addr found;     /* (k) i32 and after them their logits (k) f32 */
};

/* What travels; pinned. */
struct qn__shortlist_staged {
    int32_t recent[QN__SHORTLIST_RECENT_MAX];
    int32_t found[2 * QN__SHORTLIST_MAX]; /* as on the device */
    float logits[QN__SHORTLIST_MAX];      /* the found ones' */
};

/* Is there room for k tokens, and for the penalty's? */
bool qn__shortlist_fits(uint32_t k, const struct qn__penalty *p);

/* Find the k likeliest of n logits and wait for them: staged->found, staged->logits. */
qn_status qn__shortlist_find(const struct qn__shortlist *l, struct qn__shortlist_staged *staged,
                             struct qn__step *s, qn_device *dev, qn_addr logits, uint32_t n,
                             uint32_t k, const struct qn__penalty *p);

#endif
