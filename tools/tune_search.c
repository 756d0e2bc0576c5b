/* SPDX-License-Identifier: Apache-2.0
 *
 * The search: see tune_search.h. */
#include "tools/tune_search.h"

#include <math.h>
#include <stdlib.h>

enum { RANDOM_MIN = 16, RANDOM_PART = 16 };

bool qn__tune_search_open(struct qn__tune_search *out, const struct qn__tune_space *space,
                          const struct qn__tune_point *points, uint32_t n, uint32_t exhaustive,
                          uint64_t seed)
{
    *out = (struct qn__tune_search){.space = space,
                                    .points = points,
                                    .n = n,
                                    .ms = malloc((n + (size_t)1) * sizeof(double)),
                                    .exhaustive = exhaustive,
                                    .n_random =
                                        n / RANDOM_PART > RANDOM_MIN ? n / RANDOM_PART : RANDOM_MIN,
                                    .random = seed};
    for (uint32_t i = 0; out->ms && i < n; i++)
        out->ms[i] = -1;
    return out->ms != NULL;
}

void qn__tune_search_close(struct qn__tune_search *s)
{
    free(s->ms);
    *s = (struct qn__tune_search){0};
}

bool qn__tune_is_exhaustive(const struct qn__tune_search *s)
{
    return s->n <= s->exhaustive;
}

/* SplitMix64 (Steele, Lea, Flood 2014) */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The k-th that is not measured yet. */
static uint32_t unseen(const struct qn__tune_search *s, uint32_t k)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->ms[i] < 0 && k-- == 0)
            return i;
    return s->n;
}

static bool are_neighbours(const struct qn__tune_search *s, uint32_t a, uint32_t b)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < s->space->n_parameters; i++) {
        const int d = s->points[a].at[i] - s->points[b].at[i];
        steps += (uint32_t)(d < 0 ? -d : d);
    }
    return steps == 1;
}

uint32_t qn__tune_best(const struct qn__tune_search *s)
{
    uint32_t best = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->ms[i] >= 0 && isfinite(s->ms[i]) && (best == s->n || s->ms[i] < s->ms[best]))
            best = i;
    return best;
}

uint32_t qn__tune_next(struct qn__tune_search *s)
{
    if (s->n_seen == s->n)
        return s->n;
    if (qn__tune_is_exhaustive(s) || s->ms[0] < 0)
        return unseen(s, 0);
    const uint32_t best = qn__tune_best(s);
    for (uint32_t i = 0; s->n_seen >= s->n_random && best < s->n && i < s->n; i++)
        if (s->ms[i] < 0 && are_neighbours(s, i, best))
            return i;
    return unseen(s, (uint32_t)(next_random(&s->random) % (s->n - s->n_seen)));
}

void qn__tune_tell(struct qn__tune_search *s, uint32_t point, double ms)
{
    s->n_seen += s->ms[point] < 0;
    s->ms[point] = ms;
}
