/* SPDX-License-Identifier: Apache-2.0
 *
 * Guessing tokens (draft.h). */
#include "tools/draft.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

uint32_t qn__draft_look_up(int32_t *out, uint32_t most, const int32_t *ids, uint32_t n)
{
    enum { LONGEST = 4, SHORTEST = 2 };
    for (uint32_t m = LONGEST; m >= SHORTEST; m--) {
        if (n <= m)
            continue;
        const int32_t *last = ids + n - m;
        for (uint32_t at = n - m; at-- > 0;) { /* the latest one first */
            if (memcmp(ids + at, last, m * sizeof *ids) != 0)
                continue;
            const uint32_t after = n - (at + m), k = after < most ? after : most;
            memcpy(out, ids + at + m, k * sizeof *out);
            return k;
        }
    }
    return 0;
}

qn_status qn__draft_model_open(struct qn__draft_model *d, const char *path, const qn_model *m,
                               qn_device *dev, uint32_t context)
{
    const qn_session_options o = {.context = context};
    QN_TRY(qn_model_open(&d->model, path));
    const uint32_t n = qn_model_get_info(d->model)->n_vocab, want = qn_model_get_info(m)->n_vocab;
    if (n != want)
        return qn__fail(QN_E_INVALID, "%s: a vocabulary of %u tokens, the model's has %u", path, n,
                        want);
    QN_TRY(qn_session_create(&d->session, d->model, dev, &o));
    QN_TRY(qn_sampler_create(&d->sampler, NULL));
    d->fed = calloc(context, sizeof *d->fed);
    return d->fed ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for %u tokens", context);
}

void qn__draft_model_close(struct qn__draft_model *d)
{
    qn_sampler_destroy(d->sampler);
    qn_session_destroy(d->session);
    qn_model_close(d->model);
    free(d->fed);
    *d = (struct qn__draft_model){0};
}

static qn_status feed(struct qn__draft_model *d, const int32_t *ids, uint32_t n)
{
    const qn_session_info *info = qn_session_get_info(d->session);
    memcpy(d->fed + info->n_past, ids, n * sizeof *ids);
    return qn_session_feed(d->session, ids, n);
}

qn_status qn__draft_by_model(int32_t *out, uint32_t *n, uint32_t most, struct qn__draft_model *d,
                             const int32_t *ids, uint32_t n_ids)
{
    const qn_session_info *info = qn_session_get_info(d->session);
    uint32_t same = 0;
    *n = 0;
    if (n_ids + most > info->plan.context)
        return QN_OK;
    while (same < info->n_past && same + 1 < n_ids && d->fed[same] == ids[same])
        same++;
    if (same < info->n_past)
        QN_TRY(qn_session_rewind(d->session, same));
    QN_TRY(feed(d, ids + same, n_ids - same));
    while (*n < most) {
        QN_TRY(qn_session_sample(&out[*n], d->session, d->sampler));
        if (qn_model_is_end(d->model, out[*n]))
            break;
        ++*n;
        if (*n < most)
            QN_TRY(feed(d, &out[*n - 1], 1));
    }
    return QN_OK;
}
