/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the k likeliest tokens (shortlist.h). The logits themselves stay as they are: whoever
 * asks for them, or chooses once more, finds them without a penalty. */
#include "engine/shortlist.h"

#include <string.h>

/* Elements of a group. Many groups cost when their heads are put in order, few when the members of
 * the k chosen ones are; eight for each token wanted is near the least of both. */
static uint32_t group_elems(uint32_t n, uint32_t k)
{
    enum { GROUPS_MIN = 256, GROUPS_PER_TOKEN = 8, STEP = 16 };
    uint32_t groups = k * GROUPS_PER_TOKEN;
    if (groups < GROUPS_MIN)
        groups = GROUPS_MIN;
    if (groups > QN__SHORTLIST_GROUPS_MAX)
        groups = QN__SHORTLIST_GROUPS_MAX;
    const uint32_t elems = (n + groups - 1) / groups;
    return (elems + STEP - 1) / STEP * STEP;
}

static qn_status penalise(const struct qn__shortlist *l, struct qn__shortlist_staged *staged,
                          struct qn__step *s, qn_device *dev, qn_addr logits, uint32_t n,
                          const struct qn__penalty *p)
{
    const uint64_t bytes = p->n_ids * sizeof *p->ids;
    memcpy(staged->recent, p->ids, bytes);
    QN_TRY(qn_memory_upload(dev, l->recent, staged->recent, bytes, s->stream));
    QN_TRY(qn_memory_copy(dev, l->penalised, logits, n * sizeof(float), s->stream));
    return qn__step_penalise(s, l->penalised, logits, l->recent, p->n_ids, n, p->shrink, p->grow);
}

bool qn__shortlist_fits(uint32_t k, const struct qn__penalty *p)
{
    return k <= QN__SHORTLIST_MAX && p->n_ids <= QN__SHORTLIST_RECENT_MAX;
}

qn_status qn__shortlist_find(const struct qn__shortlist *l, struct qn__shortlist_staged *staged,
                             struct qn__step *s, qn_device *dev, qn_addr logits, uint32_t n,
                             uint32_t k, const struct qn__penalty *p)
{
    const uint32_t group = group_elems(n, k);
    if (p->n_ids) {
        QN_TRY(penalise(l, staged, s, dev, logits, n, p));
        logits = l->penalised;
    }
    QN_TRY(qn__step_top_k(s, l->found, l->best, l->heads, logits, n, group, k));
    QN_TRY(
        qn_memory_download(dev, staged->found, l->found, 2 * k * sizeof *staged->found, s->stream));
    QN_TRY(qn_stream_sync(s->stream));
    memcpy(staged->logits, staged->found + k, k * sizeof *staged->logits);
    return QN_OK;
}
