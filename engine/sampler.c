/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing a token from logits (quern/model.h), on the host.
 *
 * Biases come first. Then the steps, in the sampler's order: those that look back change logits
 * (recent_tokens.h), the others a list of candidates (candidates.h), which is made when the first
 * of them comes. Repeat penalty and top-k a device may have done already (sampler.h). At the end
 * one draw. Random numbers: SplitMix64 (Steele, Lea and Flood, 2014), one per token, and one more
 * where XTC is on. */
#include "engine/sampler.h"

#include "base/arena.h"
#include "base/error.h"
#include "engine/candidates.h"
#include "engine/recent_tokens.h"
#include "engine/sampler_order.h"
#include "engine/token_grammar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_LAST = 64, DRY_LAST = 1024, RECENT_MAX = 1 << 16 };

struct qn_sampler {
    qn_sampler_options options; /* defaults filled in; lists are ours */
    enum qn__sampling_step steps[QN__N_SAMPLING_STEPS];
    uint32_t n_steps;
    uint64_t state;
    float mu; /* of mirostat */
    struct qn__recent recent;
    qn_grammar *grammar; /* the caller's; NULL: any token */
    int32_t *breakers;
    qn_logit_bias *biases;

    /* for `capacity` tokens */
    struct qn__candidate *items, *scratch;
    uint64_t *keys;
    float *changed;   /* a copy of the logits */
    uint32_t *counts; /* all zero between choices */
    uint32_t capacity;
    uint32_t *lengths; /* (recent.capacity) */
};

/* -- making one -- */

static qn_status check_range(const char *name, float value, float least, float most)
{
    if (value >= least && value <= most)
        return QN_OK;
    return qn__fail(QN_E_INVALID, "%s %g: not from %g to %g", name, (double)value, (double)least,
                    (double)most);
}

static qn_status check(const qn_sampler_options *o)
{
    const struct {
        const char *name;
        float value, least, most;
    } rows[] = {
        {"temperature", o->temperature, 0.0f, 100.0f},
        {"dynatemp_range", o->dynatemp_range, 0.0f, 100.0f},
        {"dynatemp_exponent", o->dynatemp_exponent, 0.0f, 100.0f},
        {"top_p", o->top_p, 0.0f, 1.0f},
        {"min_p", o->min_p, 0.0f, 1.0f},
        {"typical_p", o->typical_p, 0.0f, 1.0f},
        {"top_n_sigma", o->top_n_sigma, 0.0f, 1000.0f},
        {"xtc_probability", o->xtc_probability, 0.0f, 1.0f},
        {"xtc_threshold", o->xtc_threshold, 0.0f, 1.0f},
        {"repeat_penalty", o->repeat_penalty, 0.0f, 100.0f},
        {"presence_penalty", o->presence_penalty, -100.0f, 100.0f},
        {"frequency_penalty", o->frequency_penalty, -100.0f, 100.0f},
        {"dry_multiplier", o->dry_multiplier, 0.0f, 1000.0f},
        {"dry_base", o->dry_base, 0.0f, 1000.0f},
        {"mirostat_tau", o->mirostat_tau, 0.0f, 100.0f},
        {"mirostat_eta", o->mirostat_eta, 0.0f, 10.0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        QN_TRY(check_range(rows[i].name, rows[i].value, rows[i].least, rows[i].most));
    if (o->min_p == 1.0f)
        return qn__fail(QN_E_INVALID, "min_p 1: not from 0 to below 1");
    if (o->mirostat > 2)
        return qn__fail(QN_E_INVALID, "mirostat %u: 0, 1 or 2", o->mirostat);
    if (o->repeat_last > RECENT_MAX)
        return qn__fail(QN_E_INVALID, "repeat_last %u: more than %d", o->repeat_last, RECENT_MAX);
    if (o->dry_last > RECENT_MAX)
        return qn__fail(QN_E_INVALID, "dry_last %u: more than %d", o->dry_last, RECENT_MAX);
    for (uint32_t i = 0; i < o->n_biases; i++)
        if (isnan(o->biases[i].bias) || o->biases[i].bias == INFINITY)
            return qn__fail(QN_E_INVALID, "bias %g of token %d: not a number below infinity",
                            (double)o->biases[i].bias, o->biases[i].id);
    return QN_OK;
}

static bool is_fraction(float x)
{
    return x > 0.0f && x < 1.0f;
}

/* Would the step change anything? */
static bool is_on(const qn_sampler_options *o, enum qn__sampling_step step)
{
    switch (step) {
    case QN__STEP_PENALTIES:
        return (o->repeat_penalty > 0.0f && o->repeat_penalty != 1.0f) ||
               o->presence_penalty != 0.0f || o->frequency_penalty != 0.0f;
    case QN__STEP_DRY: return o->dry_multiplier > 0.0f;
    case QN__STEP_TOP_N_SIGMA: return !o->mirostat && o->top_n_sigma > 0.0f;
    case QN__STEP_TOP_K: return !o->mirostat && o->top_k > 0;
    case QN__STEP_TYPICAL: return !o->mirostat && is_fraction(o->typical_p);
    case QN__STEP_TOP_P: return !o->mirostat && is_fraction(o->top_p);
    case QN__STEP_MIN_P: return !o->mirostat && o->min_p > 0.0f;
    case QN__STEP_XTC: return !o->mirostat && o->xtc_probability > 0.0f && o->xtc_threshold <= 0.5f;
    case QN__STEP_TEMPERATURE:
        return o->temperature > 0.0f && (o->temperature != 1.0f || o->dynatemp_range > 0.0f);
    case QN__N_SAMPLING_STEPS: break;
    }
    return false;
}

static bool looks_back(enum qn__sampling_step step)
{
    return step == QN__STEP_PENALTIES || step == QN__STEP_DRY;
}

static void set_defaults(qn_sampler_options *o)
{
    if (!o->repeat_last)
        o->repeat_last = REPEAT_LAST;
    if (!o->dry_last)
        o->dry_last = DRY_LAST;
    if (o->dry_base == 0.0f)
        o->dry_base = 1.75f;
    if (!o->dry_allowed_length)
        o->dry_allowed_length = 2;
    if (o->dynatemp_exponent == 0.0f)
        o->dynatemp_exponent = 1.0f;
    if (o->mirostat_tau == 0.0f)
        o->mirostat_tau = 5.0f;
    if (o->mirostat_eta == 0.0f)
        o->mirostat_eta = 0.1f;
}

static qn_status copy(void **out, const void *items, uint32_t n, size_t size)
{
    if (!n)
        return QN_OK;
    *out = qn__alloc(n, size);
    if (!*out)
        return qn__fail(QN_E_MEMORY, "no memory for a sampler");
    memcpy(*out, items, n * size);
    return QN_OK;
}

/* Only steps that change something stay. */
static qn_status choose_steps(qn_sampler *s, const char *order)
{
    const qn_sampler_options *o = &s->options;
    enum qn__sampling_step steps[QN__N_SAMPLING_STEPS];
    uint32_t n;
    /* the others never take the likeliest away */
    const bool only_looks_back =
        o->temperature == 0.0f && !is_on(o, QN__STEP_XTC) && !is_on(o, QN__STEP_TYPICAL);
    QN_TRY(qn__sampling_order_read(steps, &n, order ? order : QN_SAMPLER_ORDER));
    for (uint32_t i = 0; i < n; i++)
        if (is_on(o, steps[i]) && (looks_back(steps[i]) || !only_looks_back))
            s->steps[s->n_steps++] = steps[i];
    return QN_OK;
}

static qn_status fill(qn_sampler *s, const qn_sampler_options *o)
{
    void *breakers = NULL, *biases = NULL;
    s->options = *o;
    set_defaults(&s->options);
    s->state = o->seed;
    s->mu = 2.0f * s->options.mirostat_tau;
    QN_TRY(choose_steps(s, o->order));
    QN_TRY(copy(&breakers, o->dry_breakers, o->n_dry_breakers, sizeof *s->breakers));
    s->options.dry_breakers = s->breakers = breakers;
    QN_TRY(copy(&biases, o->biases, o->n_biases, sizeof *s->biases));
    s->options.biases = s->biases = biases;
    s->options.order = NULL;
    uint32_t capacity = s->options.repeat_last;
    if (is_on(o, QN__STEP_DRY) && s->options.dry_last > capacity)
        capacity = s->options.dry_last;
    QN_TRY(qn__recent_init(&s->recent, capacity));
    s->lengths = qn__alloc(capacity, sizeof *s->lengths);
    return s->lengths ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a sampler");
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
    const qn_status status = fill(s, o);
    if (status != QN_OK) {
        qn_sampler_destroy(s);
        return status;
    }
    *out = s;
    return QN_OK;
}

void qn_sampler_destroy(qn_sampler *s)
{
    if (!s)
        return;
    qn__recent_release(&s->recent);
    free(s->breakers);
    free(s->biases);
    free(s->lengths);
    free(s->items);
    free(s->scratch);
    free(s->keys);
    free(s->changed);
    free(s->counts);
    free(s);
}

void qn_sampler_accept(qn_sampler *s, const int32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        qn__recent_add(&s->recent, ids[i]);
}

static double next_random(qn_sampler *s)
{
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static qn_status make_room(qn_sampler *s, uint32_t n)
{
    if (n <= s->capacity)
        return QN_OK;
    free(s->items);
    free(s->scratch);
    free(s->keys);
    free(s->changed);
    free(s->counts);
    s->capacity = 0;
    s->items = qn__alloc(n, sizeof *s->items);
    s->scratch = qn__alloc(n, sizeof *s->scratch);
    s->keys = qn__alloc(n, sizeof *s->keys);
    s->changed = qn__alloc(n, sizeof *s->changed);
    s->counts = qn__alloc(n, sizeof *s->counts);
    if (!s->items || !s->scratch || !s->keys || !s->changed || !s->counts)
        return qn__fail(QN_E_MEMORY, "no memory for %u candidates", n);
    memset(s->counts, 0, n * sizeof *s->counts);
    memset(s->changed, 0, n * sizeof *s->changed);
    s->capacity = n;
    return QN_OK;
}

/* -- steps that look back -- */

static bool multiplies(const qn_sampler_options *o)
{
    return o->repeat_penalty > 0.0f && o->repeat_penalty != 1.0f;
}

static struct qn__repeat_penalties penalties(const qn_sampler_options *o)
{
    const float by = multiplies(o) ? o->repeat_penalty : 1.0f;
    /* two products, not a division: they are rounded alike on every device */
    return (struct qn__repeat_penalties){.shrink = 1.0f / by,
                                         .grow = by,
                                         .presence = o->presence_penalty,
                                         .frequency = o->frequency_penalty};
}

static void look_back(qn_sampler *s, enum qn__sampling_step step, float *logits, uint32_t n)
{
    const qn_sampler_options *o = &s->options;
    uint32_t n_recent = step == QN__STEP_DRY ? o->dry_last : o->repeat_last;
    const int32_t *recent = qn__recent_last(&s->recent, &n_recent);
    const struct qn__repeat_penalties p = penalties(o);
    const struct qn__dry d = {.multiplier = o->dry_multiplier,
                              .base = o->dry_base,
                              .allowed = o->dry_allowed_length,
                              .breakers = s->breakers,
                              .n_breakers = o->n_dry_breakers};
    if (step == QN__STEP_DRY)
        qn__penalise_repetitions(logits, n, recent, n_recent, &d, s->lengths, s->counts);
    else
        qn__penalise_recent(logits, n, recent, n_recent, &p, s->counts);
}

/* The same on candidates, where another step came before it. */
static void look_back_at(qn_sampler *s, enum qn__sampling_step step, struct qn__candidates *c,
                         uint32_t n_vocab)
{
    for (uint32_t i = 0; i < c->n; i++)
        s->changed[c->items[i].id] = c->items[i].logit;
    look_back(s, step, s->changed, n_vocab);
    for (uint32_t i = 0; i < c->n; i++)
        c->items[i].logit = s->changed[c->items[i].id];
    c->n_sorted = 0;
}

/* -- choosing -- */

static qn_status no_text(void)
{
    return qn__fail(QN_E_INVALID, "every logit is NaN or -inf: the model computes no text");
}

static float temperature(const qn_sampler_options *o, struct qn__candidates *c)
{
    if (o->dynatemp_range <= 0.0f)
        return o->temperature;
    const float low = fmaxf(0.0f, o->temperature - o->dynatemp_range);
    const float t = qn__candidates_temperature(c, low, o->temperature + o->dynatemp_range,
                                               o->dynatemp_exponent);
    return fmaxf(t, 1e-6f);
}

static void narrow(qn_sampler *s, enum qn__sampling_step step, struct qn__candidates *c)
{
    const qn_sampler_options *o = &s->options;
    switch (step) {
    case QN__STEP_TOP_N_SIGMA: qn__candidates_top_n_sigma(c, o->top_n_sigma); break;
    case QN__STEP_TOP_K: qn__candidates_top_k(c, o->top_k); break;
    case QN__STEP_TYPICAL: qn__candidates_typical(c, o->typical_p, s->scratch); break;
    case QN__STEP_TOP_P: qn__candidates_top_p(c, o->top_p); break;
    case QN__STEP_MIN_P: qn__candidates_min_p(c, o->min_p); break;
    case QN__STEP_XTC:
        if (next_random(s) < (double)o->xtc_probability)
            qn__candidates_exclude_top(c, o->xtc_threshold);
        break;
    case QN__STEP_TEMPERATURE: qn__candidates_divide(c, temperature(o, c)); break;
    case QN__STEP_PENALTIES:
    case QN__STEP_DRY:
    case QN__N_SAMPLING_STEPS: break;
    }
}

/* The likeliest; equal ones by the lower number. */
static int32_t first(const struct qn__candidates *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; !c->n_sorted && i < c->n; i++)
        if (qn__candidate_compare(&c->items[i], &c->items[best]) < 0)
            best = i;
    return c->items[best].id;
}

static int32_t draw(qn_sampler *s, struct qn__candidates *c, uint32_t n_vocab)
{
    qn__candidates_softmax(c);
    if (s->options.mirostat == 1)
        qn__candidates_top_k(c, qn__candidates_mirostat_k(c, s->mu, n_vocab));
    if (s->options.mirostat == 2)
        qn__candidates_surprise(c, s->mu);
    if (s->options.mirostat)
        qn__candidates_softmax(c);
    const uint32_t at = qn__candidates_draw(c, next_random(s));
    if (s->options.mirostat)
        s->mu -= s->options.mirostat_eta * (-log2f(c->items[at].p) - s->options.mirostat_tau);
    return c->items[at].id;
}

/* The steps from `step` on, and the draw. */
static int32_t choose_from(qn_sampler *s, struct qn__candidates *c, uint32_t step, uint32_t n_vocab)
{
    for (; step < s->n_steps; step++)
        if (looks_back(s->steps[step]))
            look_back_at(s, s->steps[step], c, n_vocab);
        else
            narrow(s, s->steps[step], c);
    const int32_t id = s->options.temperature > 0.0f ? draw(s, c, n_vocab) : first(c);
    qn_sampler_accept(s, &id, 1);
    return id;
}

/* Logits with biases, and after the steps that look back and come first: *step of them. */
static const float *change(qn_sampler *s, uint32_t *step, const float *logits, uint32_t n)
{
    const qn_sampler_options *o = &s->options;
    *step = 0;
    if (!o->n_biases && !(s->n_steps && looks_back(s->steps[0])))
        return logits;
    memcpy(s->changed, logits, n * sizeof *logits);
    for (uint32_t i = 0; i < o->n_biases; i++)
        if (s->biases[i].id >= 0 && (uint32_t)s->biases[i].id < n)
            s->changed[s->biases[i].id] += s->biases[i].bias;
    for (; *step < s->n_steps && looks_back(s->steps[*step]); ++*step)
        look_back(s, s->steps[*step], s->changed, n);
    return s->changed;
}

void qn_sampler_set_grammar(qn_sampler *sampler, qn_grammar *g)
{
    sampler->grammar = g;
}

/* No candidate is left by the grammar. */
static qn_status no_token(const qn_grammar *g)
{
    if (qn_grammar_is_complete(g))
        return qn__fail(QN_E_NOT_FOUND, "the text is complete by the grammar, and no end token may "
                                        "come");
    return qn__fail(QN_E_NOT_FOUND,
                    "no token of the vocabulary goes on with the text by the grammar");
}

/* Those that have a number and that the grammar allows; *any: it allows some. */
static qn_status collect(struct qn__candidates *c, bool *any, qn_sampler *s, const float *logits,
                         uint32_t n)
{
    const uint32_t *allowed = NULL;
    uint32_t n_allowed = n;
    *any = !s->grammar;
    if (s->grammar)
        QN_TRY(qn__grammar_allowed(&allowed, &n_allowed, s->grammar));
    for (uint32_t i = 0; i < n && i < n_allowed; i++) {
        if (allowed && !(allowed[i / 32] >> i % 32 & 1))
            continue;
        *any = *any || !isinf(logits[i]);
        if (logits[i] > -INFINITY) /* and no NaN */
            c->items[c->n++] = (struct qn__candidate){.logit = logits[i], .id = (int32_t)i};
    }
    return QN_OK;
}

qn_status qn_sampler_choose(int32_t *out, qn_sampler *s, const float *logits, uint32_t n)
{
    struct qn__candidates c = {0};
    uint32_t step;
    bool any;
    QN_TRY(make_room(s, n));
    logits = change(s, &step, logits, n);
    c.items = s->items;
    any = true;
    if (!s->grammar && step < s->n_steps && s->steps[step] == QN__STEP_TOP_K) {
        const uint32_t k = s->options.top_k < n ? s->options.top_k : n;
        qn__candidates_take(&c, logits, n, k, s->keys); /* and not a list of all first */
    } else {
        QN_TRY(collect(&c, &any, s, logits, n));
    }
    if (!c.n)
        return any ? no_text() : no_token(s->grammar);
    *out = choose_from(s, &c, step, n);
    return s->grammar ? qn_grammar_accept(s->grammar, *out) : QN_OK;
}

/* -- with a device -- */

static bool only_multiplies(const qn_sampler_options *o)
{
    return multiplies(o) && o->presence_penalty == 0.0f && o->frequency_penalty == 0.0f;
}

/* How many of the first steps the device can do: a repeat penalty, and top-k or the likeliest. 0
 * where they are others. */
static uint32_t device_steps(const qn_sampler *s, uint32_t *k)
{
    const qn_sampler_options *o = &s->options;
    uint32_t n = 0;
    *k = 0;
    if (o->n_biases || s->grammar)
        return 0;
    if (n < s->n_steps && s->steps[n] == QN__STEP_PENALTIES && only_multiplies(o))
        n++;
    if (n == s->n_steps && o->temperature == 0.0f)
        *k = 1;
    else if (n < s->n_steps && s->steps[n] == QN__STEP_TOP_K)
        *k = o->top_k, n++;
    for (uint32_t i = n; i < s->n_steps; i++)
        if (looks_back(s->steps[i])) /* at tokens that the device has left out */
            *k = 0;
    return *k ? n : 0;
}

struct qn__penalty qn__sampler_penalty(const qn_sampler *s)
{
    const struct qn__repeat_penalties p = penalties(&s->options);
    uint32_t k, n = s->options.repeat_last;
    if (!device_steps(s, &k) || s->steps[0] != QN__STEP_PENALTIES)
        return (struct qn__penalty){0};
    const int32_t *ids = qn__recent_last(&s->recent, &n);
    return (struct qn__penalty){.ids = ids, .n_ids = n, .shrink = p.shrink, .grow = p.grow};
}

qn_status qn__sampler_choose_among(int32_t *out, qn_sampler *s, const int32_t *ids,
                                   const float *logits, uint32_t n)
{
    struct qn__candidates c = {0};
    uint32_t k;
    QN_TRY(make_room(s, n));
    c.items = s->items;
    for (; c.n < n && logits[c.n] > -INFINITY; c.n++)
        c.items[c.n] = (struct qn__candidate){.logit = logits[c.n], .id = ids[c.n]};
    if (!c.n)
        return no_text();
    c.n_sorted = c.n;
    *out = choose_from(s, &c, device_steps(s, &k), n);
    return QN_OK;
}

uint32_t qn__sampler_wanted(const qn_sampler *s, uint32_t n)
{
    uint32_t k;
    device_steps(s, &k);
    return k && k < n ? k : n;
}

bool qn__sampler_is_plain(const qn_sampler *s)
{
    return s->options.temperature == 0.0f && !s->options.n_biases && !s->grammar && !s->n_steps;
}
