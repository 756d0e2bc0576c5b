/* SPDX-License-Identifier: Apache-2.0
 *
 * What recent tokens lose (recent_tokens.h). */
#include "engine/recent_tokens.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

qn_status qn__recent_init(struct qn__recent *r, uint32_t capacity)
{
    *r = (struct qn__recent){.ids = qn__alloc(2 * (size_t)capacity, sizeof *r->ids),
                             .capacity = capacity};
    return r->ids ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for %u recent tokens", capacity);
}

void qn__recent_release(struct qn__recent *r)
{
    free(r->ids);
    *r = (struct qn__recent){0};
}

void qn__recent_add(struct qn__recent *r, int32_t id)
{
    if (r->n == 2 * r->capacity) { /* seldom: the newer half moves to the front */
        memcpy(r->ids, r->ids + r->capacity, r->capacity * sizeof *r->ids);
        r->n = r->capacity;
    }
    r->ids[r->n++] = id;
}

const int32_t *qn__recent_last(const struct qn__recent *r, uint32_t *n)
{
    const uint32_t kept = r->n < r->capacity ? r->n : r->capacity;
    if (*n > kept)
        *n = kept;
    return r->ids + (r->n - *n);
}

static bool is_token(int32_t id, uint32_t n_vocab)
{
    return id >= 0 && (uint32_t)id < n_vocab;
}

void qn__penalise_recent(float *logits, uint32_t n_vocab, const int32_t *ids, uint32_t n,
                         const struct qn__repeat_penalties *p, uint32_t *counts)
{
    for (uint32_t i = 0; i < n; i++)
        if (is_token(ids[i], n_vocab))
            counts[ids[i]]++;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_token(ids[i], n_vocab) || !counts[ids[i]])
            continue;
        float *x = &logits[ids[i]];
        *x *= *x > 0.0f ? p->shrink : p->grow;
        *x -= p->presence + p->frequency * (float)counts[ids[i]];
        counts[ids[i]] = 0;
    }
}

static bool is_breaker(const struct qn__dry *d, int32_t id)
{
    for (uint32_t i = 0; i < d->n_breakers; i++)
        if (d->breakers[i] == id)
            return true;
    return false;
}

/* lengths[i]: how many tokens up to the one i before the last are the same as the last ones (the Z
 * function of the tokens backwards; Gusfield 1997). */
static void match_lengths(uint32_t *lengths, const int32_t *ids, uint32_t n)
{
    uint32_t left = 0, right = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t k = 0;
        if (i < right)
            k = lengths[i - left] < right - i ? lengths[i - left] : right - i;
        while (i + k < n && ids[n - 1 - k] == ids[n - 1 - i - k])
            k++;
        lengths[i] = k;
        if (i + k > right) {
            left = i;
            right = i + k;
        }
    }
}

void qn__penalise_repetitions(float *logits, uint32_t n_vocab, const int32_t *ids, uint32_t n,
                              const struct qn__dry *d, uint32_t *lengths, uint32_t *longest)
{
    uint32_t limit = 0; /* tokens since the last breaker */
    while (limit < n && !is_breaker(d, ids[n - 1 - limit]))
        limit++;
    if (limit < d->allowed)
        return;
    match_lengths(lengths, ids, n);
    for (uint32_t i = 1; i < n; i++) {
        const int32_t next = ids[n - i];
        const uint32_t length = lengths[i] < limit ? lengths[i] : limit;
        if (length >= d->allowed && is_token(next, n_vocab) && !is_breaker(d, next) &&
            length > longest[next])
            longest[next] = length;
    }
    for (uint32_t i = 1; i < n; i++) {
        const int32_t next = ids[n - i];
        if (!is_token(next, n_vocab) || !longest[next])
            continue;
        const double loss =
            (double)d->multiplier * pow((double)d->base, (double)(longest[next] - d->allowed));
        logits[next] -= (float)fmin(loss, 1e30);
        longest[next] = 0;
    }
}
