/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing a token from logits (quern/model.h), on the host.
 *
 * The order is the usual one: penalty, then the k likeliest, then temperature, min-p, top-p, and a
 * draw. The first two a device may have done already (sampler.h). Here a heap keeps the k
 * likeliest, so that a choice costs one pass over the vocabulary and not a sort of it; without
 * top_k the sort is of those within reach of min_p only. Random numbers: SplitMix64 (Steele, Lea
 * and Flood, 2014), one per token. */
#include "engine/sampler.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

enum { REPEAT_LAST = 64, REPEAT_MAX = 1 << 16 };

struct candidate {
    float logit;
    float share; /* exp((logit - best) / temperature) */
    int32_t id;
};

struct qn_sampler {
    qn_sampler_options options;
    uint64_t state;
    int32_t *recent; /* a ring of repeat_last */
    uint32_t n_recent, next_recent;
    struct candidate *candidates;
    float *penalised; /* a copy of the logits */
    uint32_t capacity;
};

static qn_status check(const qn_sampler_options *o)
{
    if (!(o->temperature >= 0.0f && o->temperature <= 100.0f))
        return qn__fail(QN_E_INVALID, "temperature %g: not from 0 to 100", (double)o->temperature);
    if (!(o->top_p >= 0.0f && o->top_p <= 1.0f))
        return qn__fail(QN_E_INVALID, "top_p %g: not from 0 to 1", (double)o->top_p);
    if (!(o->min_p >= 0.0f && o->min_p < 1.0f))
        return qn__fail(QN_E_INVALID, "min_p %g: not from 0 to below 1", (double)o->min_p);
    if (!(o->repeat_penalty >= 0.0f && o->repeat_penalty <= 100.0f))
        return qn__fail(QN_E_INVALID, "repeat_penalty %g: not from 0 to 100",
                        (double)o->repeat_penalty);
    if (o->repeat_last > REPEAT_MAX)
        return qn__fail(QN_E_INVALID, "repeat_last %u: more than %d", o->repeat_last, REPEAT_MAX);
    return QN_OK;
}

static bool penalises(const qn_sampler *s)
{
    return s->options.repeat_penalty > 0.0f && s->options.repeat_penalty != 1.0f;
}

qn_status qn_sampler_create(qn_sampler **out, const qn_sampler_options *options)
{
    static const qn_sampler_options greedy;
    const qn_sampler_options *o = options ? options : &greedy;
    *out = NULL;
    QN_TRY(check(o));
    qn_sampler *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "no memory for a sampler");
    memset(s, 0, sizeof *s);
    s->options = *o;
    if (!s->options.repeat_last)
        s->options.repeat_last = REPEAT_LAST;
    s->state = o->seed;
    s->recent = qn__alloc(s->options.repeat_last, sizeof *s->recent);
    if (!s->recent) {
        free(s);
        return qn__fail(QN_E_MEMORY, "no memory for a sampler");
    }
    *out = s;
    return QN_OK;
}

void qn_sampler_destroy(qn_sampler *s)
{
    if (!s)
        return;
    free(s->recent);
    free(s->candidates);
    free(s->penalised);
    free(s);
}

void qn_sampler_accept(qn_sampler *s, const int32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s->recent[s->next_recent] = ids[i];
        s->next_recent = (s->next_recent + 1) % s->options.repeat_last;
        if (s->n_recent < s->options.repeat_last)
            s->n_recent++;
    }
}

static uint64_t next_random(qn_sampler *s)
{
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static qn_status make_room(qn_sampler *s, uint32_t n)
{
    if (n <= s->capacity)
        return QN_OK;
    free(s->candidates);
    free(s->penalised);
    s->capacity = 0;
    s->candidates = qn__alloc(n, sizeof *s->candidates);
    s->penalised = qn__alloc(n, sizeof *s->penalised);
    if (!s->candidates || !s->penalised)
        return qn__fail(QN_E_MEMORY, "no memory for %u candidates", n);
    s->capacity = n;
    return QN_OK;
}

struct qn__penalty qn__sampler_penalty(const qn_sampler *s)
{
    if (!penalises(s))
        return (struct qn__penalty){0};
    /* two products, not a division: they are rounded alike on every device */
    return (struct qn__penalty){.ids = s->recent,
                                .n_ids = s->n_recent,
                                .shrink = 1.0f / s->options.repeat_penalty,
                                .grow = s->options.repeat_penalty};
}

/* Each recent token once, as Keskar and others (arXiv:1909.05858) with the sign handled. */
static const float *penalise(qn_sampler *s, const float *logits, uint32_t n)
{
    const struct qn__penalty p = qn__sampler_penalty(s);
    memcpy(s->penalised, logits, n * sizeof *logits);
    for (uint32_t i = 0; i < p.n_ids; i++) {
        const int32_t id = p.ids[i];
        if (id >= 0 && (uint32_t)id < n)
            s->penalised[id] = logits[id] * (logits[id] > 0.0f ? p.shrink : p.grow);
    }
    return s->penalised;
}

static qn_status no_text(void)
{
    return qn__fail(QN_E_INVALID, "every logit is NaN or -inf: the model computes no text");
}

/* NaN never wins. */
static qn_status likeliest(int32_t *out, const float *logits, uint32_t n)
{
    int32_t best = -1;
    for (uint32_t i = 0; i < n; i++)
        if (logits[i] > -INFINITY && (best < 0 || logits[i] > logits[best]))
            best = (int32_t)i;
    if (best < 0)
        return no_text();
    *out = best;
    return QN_OK;
}

/* Likelier first; equal logits by lower id, so that the order is one on every machine. */
static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit > y->logit ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The heap's top is the candidate to lose first. */
static void sift_down(struct candidate *heap, uint32_t n, uint32_t i)
{
    for (;;) {
        const uint32_t left = 2 * i + 1, right = left + 1;
        uint32_t worst = i;
        if (left < n && compare(&heap[left], &heap[worst]) > 0)
            worst = left;
        if (right < n && compare(&heap[right], &heap[worst]) > 0)
            worst = right;
        if (worst == i)
            return;
        const struct candidate c = heap[i];
        heap[i] = heap[worst];
        heap[worst] = c;
        i = worst;
    }
}

/* Those with a logit of at least `floor`, the k likeliest of them, sorted. */
static uint32_t collect(struct candidate *out, const float *logits, uint32_t n, float floor,
                        uint32_t k)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!(logits[i] >= floor))
            continue;
        const struct candidate c = {.logit = logits[i], .id = (int32_t)i};
        if (m < k) {
            out[m++] = c;
            if (m == k)
                for (uint32_t j = k / 2; j-- > 0;)
                    sift_down(out, k, j);
        } else if (compare(&c, &out[0]) < 0) {
            out[0] = c;
            sift_down(out, k, 0);
        }
    }
    qsort(out, m, sizeof *out, compare);
    return m;
}

/* Below this share of the likeliest nothing is ever drawn: e^-30. */
#define REACH 30.0f

/* The least logit that may be drawn where the largest is `best`. */
static float floor_below(const qn_sampler_options *o, float best)
{
    const float reach = o->min_p > 0.0f ? fminf(REACH, -logf(o->min_p)) : REACH;
    return best - reach * o->temperature;
}

/* One of the first m candidates, which are in order. */
static int32_t draw(qn_sampler *s, uint32_t m)
{
    const qn_sampler_options *o = &s->options;
    struct candidate *c = s->candidates;
    double sum = 0.0, kept = 0.0;
    for (uint32_t i = 0; i < m; i++) {
        c[i].share = expf((c[i].logit - c[0].logit) / o->temperature);
        sum += (double)c[i].share;
    }
    uint32_t n_kept = 0;
    const double wanted = o->top_p > 0.0f && o->top_p < 1.0f ? (double)o->top_p * sum : sum;
    while (n_kept < m && (n_kept == 0 || kept < wanted))
        kept += (double)c[n_kept++].share;
    double at = (double)(next_random(s) >> 11) * 0x1p-53 * kept;
    uint32_t i = 0;
    while (i + 1 < n_kept && at >= (double)c[i].share)
        at -= (double)c[i++].share;
    return c[i].id;
}

qn_status qn_sampler_choose(int32_t *out, qn_sampler *s, const float *logits, uint32_t n)
{
    QN_TRY(make_room(s, n));
    if (penalises(s))
        logits = penalise(s, logits, n);
    QN_TRY(likeliest(out, logits, n));
    if (s->options.temperature > 0.0f) {
        const float floor = floor_below(&s->options, logits[*out]);
        *out = draw(s, collect(s->candidates, logits, n, floor, qn__sampler_wanted(s, n)));
    }
    qn_sampler_accept(s, out, 1);
    return QN_OK;
}

qn_status qn__sampler_choose_among(int32_t *out, qn_sampler *s, const int32_t *ids,
                                   const float *logits, uint32_t n)
{
    uint32_t m = 0;
    QN_TRY(make_room(s, n));
    if (!(logits[0] > -INFINITY))
        return no_text();
    *out = ids[0];
    if (s->options.temperature > 0.0f) {
        const float floor = floor_below(&s->options, logits[0]);
        for (; m < n && logits[m] >= floor; m++)
            s->candidates[m] = (struct candidate){.logit = logits[m], .id = ids[m]};
        *out = draw(s, m);
    }
    qn_sampler_accept(s, out, 1);
    return QN_OK;
}

uint32_t qn__sampler_wanted(const qn_sampler *s, uint32_t n)
{
    const uint32_t k = s->options.temperature > 0.0f ? s->options.top_k : 1;
    return k && k < n ? k : n;
}

bool qn__sampler_is_plain(const qn_sampler *s)
{
    return s->options.temperature == 0.0f && !penalises(s);
}
