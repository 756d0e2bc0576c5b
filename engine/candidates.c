/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a choice (candidates.h).
 *
 * As many as are wanted are found without putting the rest in order, so that a step that needs
 * forty of a hundred thousand costs one pass over these: from logits by comparing whole numbers
 * (select_keys), in a list by a heap. */
#include "engine/candidates.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int qn__candidate_compare(const void *a, const void *b)
{
    const struct qn__candidate *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit > y->logit ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void swap(struct qn__candidate *a, struct qn__candidate *b)
{
    const struct qn__candidate c = *a;
    *a = *b;
    *b = c;
}

/* The heap's top is the candidate to lose first. */
static void sift_down(struct qn__candidate *heap, uint32_t n, uint32_t i)
{
    for (;;) {
        const uint32_t left = 2 * i + 1, right = left + 1;
        uint32_t worst = i;
        if (left < n && qn__candidate_compare(&heap[left], &heap[worst]) > 0)
            worst = left;
        if (right < n && qn__candidate_compare(&heap[right], &heap[worst]) > 0)
            worst = right;
        if (worst == i)
            return;
        swap(&heap[i], &heap[worst]);
        i = worst;
    }
}

void qn__candidates_sort(struct qn__candidates *c, uint32_t m)
{
    if (m <= c->n_sorted)
        return;
    if (m < c->n / 2) {
        for (uint32_t i = m / 2; i-- > 0;)
            sift_down(c->items, m, i);
        for (uint32_t i = m; i < c->n; i++)
            if (c->items[i].logit >= c->items[0].logit &&
                qn__candidate_compare(&c->items[i], &c->items[0]) < 0) {
                swap(&c->items[i], &c->items[0]);
                sift_down(c->items, m, 0);
            }
    } else {
        m = c->n;
    }
    qsort(c->items, m, sizeof *c->items, qn__candidate_compare);
    c->n_sorted = m;
}

/* A candidate as one number: likelier ones are larger, of equal logits the lower id. */
static uint64_t key_of(float logit, uint32_t id)
{
    const float x = logit + 0.0f; /* -0 is 0 */
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= (0u - (bits >> 31)) | 0x80000000u;
    return (uint64_t)bits << 32 | (uint32_t)~id;
}

static uint32_t key_id(uint64_t key)
{
    return ~(uint32_t)key;
}

static void swap_keys(uint64_t *a, uint64_t *b)
{
    const uint64_t key = *a;
    *a = *b;
    *b = key;
}

/* The k largest of n different keys to the front, in no order; 0 < k < n. The inner loop has no
 * branch that depends on a key, which no processor would foresee. */
static void select_keys(uint64_t *keys, uint32_t n, uint32_t k)
{
    uint32_t low = 0, high = n; /* those before low are of the k, those from high on are not */
    while (high - low > 2) {
        const uint64_t a = keys[low], b = keys[low + (high - low) / 2], c = keys[high - 1];
        const uint64_t most = a > b ? a : b, least = a > b ? b : a;
        const uint64_t pivot = c > most ? most : c < least ? least : c; /* in the middle of three */
        uint32_t m = low;
        for (uint32_t i = low; i < high; i++) {
            swap_keys(&keys[i], &keys[m]);
            m += keys[m] >= pivot;
        }
        if (k < m)
            high = m;
        else
            low = m;
        if (k == m)
            return;
    }
    if (high - low == 2 && keys[low] < keys[low + 1])
        swap_keys(&keys[low], &keys[low + 1]);
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

static void sort_keys(uint64_t *keys, uint32_t n)
{
    enum { FEW = 64 };
    if (n > FEW) {
        qsort(keys, n, sizeof *keys, compare_keys);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] < key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

static float least_logit(const uint64_t *keys, uint32_t n, const float *logits)
{
    uint64_t least = keys[0];
    for (uint32_t i = 1; i < n; i++)
        least = keys[i] < least ? keys[i] : least;
    return logits[key_id(least)];
}

enum { LOOKED_AT_ONCE = 16 };

/* Is any of the next ones larger? Without a branch for each, since few are. */
static bool any_above(const float *logits, float least)
{
    int n = 0;
    for (int i = 0; i < LOOKED_AT_ONCE; i++)
        n += logits[i] > least;
    return n > 0;
}

void qn__candidates_take(struct qn__candidates *c, const float *logits, uint32_t n, uint32_t k,
                         uint64_t *keys)
{
    float least = -INFINITY; /* k before it are no less likely; NaN is not above it either */
    uint32_t m = 0;
    for (uint32_t i = 0, end; i < n; i = end) {
        end = n - i < LOOKED_AT_ONCE ? n : i + LOOKED_AT_ONCE;
        if (end - i == LOOKED_AT_ONCE && !any_above(logits + i, least))
            continue;
        for (uint32_t j = i; j < end; j++) {
            keys[m] = key_of(logits[j], j);
            m += logits[j] > least;
        }
        if (m >= 2 * (uint64_t)k) {
            select_keys(keys, m, k);
            m = k;
            least = least_logit(keys, k, logits);
        }
    }
    if (m > k)
        select_keys(keys, m, k);
    c->n = c->n_sorted = m < k ? m : k;
    sort_keys(keys, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t id = key_id(keys[i]);
        c->items[i] = (struct qn__candidate){.logit = logits[id], .id = (int32_t)id};
    }
}

static void keep_first(struct qn__candidates *c, uint32_t n)
{
    c->n = n;
    if (c->n_sorted > n)
        c->n_sorted = n;
}

static float largest(const struct qn__candidates *c)
{
    float best = c->items[0].logit;
    for (uint32_t i = 1; !c->n_sorted && i < c->n; i++)
        best = fmaxf(best, c->items[i].logit);
    return best;
}

float qn__candidates_softmax(struct qn__candidates *c)
{
    const float best = largest(c);
    double sum = 0.0;
    for (uint32_t i = 0; i < c->n; i++) {
        c->items[i].p = expf(c->items[i].logit - best);
        sum += (double)c->items[i].p;
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->items[i].p = (float)((double)c->items[i].p / sum);
    return best;
}

/* Those with a logit of at least `floor`, in the order they have. */
static void keep_above(struct qn__candidates *c, float floor)
{
    uint32_t n = 0, n_sorted = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->items[i].logit >= floor) {
            n_sorted += i < c->n_sorted;
            c->items[n++] = c->items[i];
        }
    c->n = n;
    c->n_sorted = n_sorted;
}

void qn__candidates_top_k(struct qn__candidates *c, uint32_t k)
{
    if (k > c->n)
        k = c->n;
    qn__candidates_sort(c, k); /* also where all stay: a device's list is in order, too */
    keep_first(c, k);
}

void qn__candidates_top_p(struct qn__candidates *c, float p)
{
    enum { FIRST = 256, MORE = 8 };
    double sum = 0.0;
    uint32_t n = 0;
    qn__candidates_softmax(c);
    while (n < c->n && (n == 0 || sum < (double)p)) {
        if (n == c->n_sorted) /* seldom are all of them needed in order */
            qn__candidates_sort(c, n == 0            ? c->n < FIRST ? c->n : FIRST
                                   : n < c->n / MORE ? n * MORE
                                                     : c->n);
        sum += (double)c->items[n++].p;
    }
    keep_first(c, n);
}

void qn__candidates_min_p(struct qn__candidates *c, float p)
{
    keep_above(c, largest(c) + logf(p));
}

/* What each tells, in nats, away from what all of them tell on average; nearest first. */
static int compare_typical(const void *a, const void *b)
{
    const struct qn__candidate *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit < y->logit ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static double entropy(const struct qn__candidates *c)
{
    double h = 0.0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->items[i].p > 0.0f)
            h -= (double)c->items[i].p * log((double)c->items[i].p);
    return h;
}

void qn__candidates_typical(struct qn__candidates *c, float p, struct qn__candidate *scratch)
{
    qn__candidates_softmax(c);
    const double h = entropy(c);
    double sum = 0.0;
    uint32_t n = 0, kept = 0, n_sorted = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const float q = c->items[i].p;
        const float away = q > 0.0f ? (float)fabs(-log((double)q) - h) : INFINITY;
        scratch[i] = (struct qn__candidate){.logit = away, .p = q, .id = (int32_t)i};
    }
    qsort(scratch, c->n, sizeof *scratch, compare_typical);
    while (n < c->n && (n == 0 || sum < (double)p))
        sum += (double)scratch[n++].p;
    for (uint32_t i = 0; i < n; i++)
        c->items[scratch[i].id].p = -1.0f; /* stays */
    for (uint32_t i = 0; i < c->n; i++)
        if (c->items[i].p < 0.0f) {
            n_sorted += i < c->n_sorted;
            c->items[kept++] = c->items[i];
        }
    c->n = kept;
    c->n_sorted = n_sorted;
}

void qn__candidates_top_n_sigma(struct qn__candidates *c, float n)
{
    double sum = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < c->n; i++)
        sum += (double)c->items[i].logit;
    const double mean = sum / c->n;
    for (uint32_t i = 0; i < c->n; i++)
        squares += ((double)c->items[i].logit - mean) * ((double)c->items[i].logit - mean);
    const float best = largest(c);
    keep_above(c, (float)((double)best - (double)n * sqrt(squares / c->n)));
}

void qn__candidates_exclude_top(struct qn__candidates *c, float threshold)
{
    uint32_t n = 0;
    qn__candidates_sort(c, c->n);
    qn__candidates_softmax(c);
    while (n < c->n && c->items[n].p >= threshold)
        n++;
    if (n < 2)
        return;
    memmove(c->items, c->items + n - 1, (c->n - (n - 1)) * sizeof *c->items);
    c->n -= n - 1;
    c->n_sorted = c->n;
}

void qn__candidates_divide(struct qn__candidates *c, float t)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const float x = c->items[i].logit / t;
        c->items[i].logit = fminf(fmaxf(x, -FLT_MAX), FLT_MAX); /* an infinity is no number */
    }
}

float qn__candidates_temperature(struct qn__candidates *c, float low, float high, float exponent)
{
    if (c->n < 2)
        return high;
    qn__candidates_softmax(c);
    const double share = entropy(c) / log((double)c->n);
    return low + (high - low) * (float)pow(share, (double)exponent);
}

uint32_t qn__candidates_mirostat_k(struct qn__candidates *c, float mu, uint32_t n_vocab)
{
    enum { SEEN = 100 };
    const uint32_t m = c->n < SEEN ? c->n : SEEN;
    double ti_bi = 0.0, ti_sq = 0.0;
    qn__candidates_sort(c, m);
    for (uint32_t i = 0; i + 1 < m; i++) {
        const double t = log((double)(i + 2) / (double)(i + 1));
        ti_bi += t * log((double)c->items[i].p / (double)c->items[i + 1].p);
        ti_sq += t * t;
    }
    if (m < 2)
        return 1;
    const double s = ti_bi / ti_sq, e = s - 1.0;
    const double k = pow(e * pow(2.0, (double)mu) / (1.0 - pow((double)n_vocab, -e)), 1.0 / s);
    if (!(k >= 1.0))
        return 1;
    return k < (double)c->n ? (uint32_t)k : c->n;
}

void qn__candidates_surprise(struct qn__candidates *c, float mu)
{
    uint32_t best = 0, n = 0, n_sorted = 0;
    for (uint32_t i = 1; i < c->n; i++)
        if (c->items[i].p > c->items[best].p)
            best = i;
    for (uint32_t i = 0; i < c->n; i++)
        if (i == best || -log2f(c->items[i].p) <= mu) {
            n_sorted += i < c->n_sorted;
            c->items[n++] = c->items[i];
        }
    c->n = n;
    c->n_sorted = n_sorted;
}

uint32_t qn__candidates_draw(const struct qn__candidates *c, double at)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < c->n; i++)
        sum += (double)c->items[i].p;
    at *= sum;
    uint32_t i = 0;
    while (i + 1 < c->n && at >= (double)c->items[i].p)
        at -= (double)c->items[i++].p;
    return i;
}
