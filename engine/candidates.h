/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokens that a choice is still between, and the steps that make them fewer or less likely:
 * what a sampler (sampler.c) does one after the other. Each is the published definition.
 *
 * A list is in order of rising token number until a step sorts it; from then on likelier ones come
 * first, equal ones by rising number. */
#ifndef QN_ENGINE_CANDIDATES_H
#define QN_ENGINE_CANDIDATES_H

#include <stdbool.h>
#include <stdint.h>

struct qn__candidate {
    float logit;
    float p; /* of qn__candidates_softmax() */
    int32_t id;
};

struct qn__candidates {
    struct qn__candidate *items; /* (n); NaN and -inf are not among them */
    uint32_t n;
    uint32_t n_sorted; /* so many of the likeliest stand first, in order */
};

/* Likelier first; equal logits by lower id, so that the order is one on every machine. */
int qn__candidate_compare(const void *a, const void *b);

/* The k likeliest of n logits, 0 < k <= n, in order, in place of what the list had; it has room for
 * k, `keys` for n. */
void qn__candidates_take(struct qn__candidates *c, const float *logits, uint32_t n, uint32_t k,
                         uint64_t *keys);

/* The first m in order, m <= n. */
void qn__candidates_sort(struct qn__candidates *c, uint32_t m);
/* Probabilities of all; the likeliest logit is returned. n > 0. */
float qn__candidates_softmax(struct qn__candidates *c);

/* The k likeliest. */
void qn__candidates_top_k(struct qn__candidates *c, uint32_t k);
/* The fewest of the likeliest that have at least p together (Holtzman and others, 2019). */
void qn__candidates_top_p(struct qn__candidates *c, float p);
/* Those with at least the share p of the likeliest's probability (Nguyen and others, 2024). */
void qn__candidates_min_p(struct qn__candidates *c, float p);
/* The fewest, nearest to the entropy in what they tell, with at least p together (Meister and
 * others, 2022). `scratch` has room for n. */
void qn__candidates_typical(struct qn__candidates *c, float p, struct qn__candidate *scratch);
/* Logits of at least the largest minus n standard deviations (Tang and others, 2024). */
void qn__candidates_top_n_sigma(struct qn__candidates *c, float n);
/* Of those with at least `threshold`, only the least likely, if there are two or more. */
void qn__candidates_exclude_top(struct qn__candidates *c, float threshold);
/* Logits by t > 0. */
void qn__candidates_divide(struct qn__candidates *c, float t);
/* The temperature between low and high where the entropy is, as a share of the largest possible, to
 * the power of exponent. */
float qn__candidates_temperature(struct qn__candidates *c, float low, float high, float exponent);

/* How many candidates mirostat 1 (Basu and others, 2020) keeps at this mu, of a vocabulary of
 * n_vocab. Sorts the first 100. */
uint32_t qn__candidates_mirostat_k(struct qn__candidates *c, float mu, uint32_t n_vocab);
/* Those whose surprise is at most mu bits, at least one (mirostat 2). */
void qn__candidates_surprise(struct qn__candidates *c, float mu);

/* The place drawn by `at`, from 0 to below 1, after a softmax. */
uint32_t qn__candidates_draw(const struct qn__candidates *c, double at);

#endif
