/* SPDX-License-Identifier: Apache-2.0
 *
 * Every step of a sampler against its published definition: what it leaves of ten tokens, and what
 * logits become. The numbers come from the formulas, worked out in double precision elsewhere.
 *
 * covers: engine/candidates engine/recent_tokens engine/sampler_order */
#include "engine/candidates.h"
#include "engine/recent_tokens.h"
#include "engine/sampler_order.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { N = 10 };

/* Probabilities .145984 .053705 .032573 .019757 .007268 .088544 .011983 .396826 .240687 .002674 */
static const float logits[N] = {2.0f, 1.0f, 0.5f, 0.0f, -1.0f, 1.5f, -0.5f, 3.0f, 2.5f, -2.0f};
static struct qn__candidate items[N], scratch[N];

static struct qn__candidates all(void)
{
    for (int i = 0; i < N; i++)
        items[i] = (struct qn__candidate){.logit = logits[i], .id = i};
    return (struct qn__candidates){.items = items, .n = N};
}

/* The tokens that are left, as bits. */
static unsigned left(const struct qn__candidates *c)
{
    unsigned bits = 0;
    for (uint32_t i = 0; i < c->n; i++)
        bits |= 1u << c->items[i].id;
    return bits;
}

enum step { TOP_K, TOP_P, MIN_P, TYPICAL, SIGMA, EXCLUDE, SURPRISE };
enum { ALL = 1023 };
#define IDS(a, b, c, d) (1u << (a) | 1u << (b) | 1u << (c) | 1u << (d))

static const struct {
    const char *name;
    enum step step;
    float value;
    unsigned left;
} rows[] = {
    {"top-k 4", TOP_K, 4.0f, IDS(0, 5, 7, 8)},
    {"top-k 1", TOP_K, 1.0f, 1u << 7},
    {"top-k 10", TOP_K, 10.0f, ALL},
    {"top-p .3", TOP_P, 0.3f, 1u << 7},
    {"top-p .6", TOP_P, 0.6f, IDS(7, 8, 7, 8)},
    {"top-p .9", TOP_P, 0.9f, IDS(0, 5, 7, 8) | 1u << 1},
    {"top-p .99", TOP_P, 0.99f, ALL & ~(1u << 4 | 1u << 9)},
    {"min-p .5", MIN_P, 0.5f, IDS(7, 8, 7, 8)},
    {"min-p .2", MIN_P, 0.2f, IDS(0, 5, 7, 8)},
    {"min-p .05", MIN_P, 0.05f, IDS(0, 5, 7, 8) | 1u << 1 | 1u << 2},
    {"typical .2", TYPICAL, 0.2f, 1u << 8},
    {"typical .5", TYPICAL, 0.5f, IDS(0, 7, 8, 8)},
    {"typical .9", TYPICAL, 0.9f, IDS(0, 5, 7, 8) | 1u << 1},
    {"top-n-sigma .5", SIGMA, 0.5f, IDS(7, 8, 7, 8)},
    {"top-n-sigma 1", SIGMA, 1.0f, IDS(0, 5, 7, 8)},
    {"top-n-sigma 1.5", SIGMA, 1.5f, IDS(0, 5, 7, 8) | 1u << 1},
    {"XTC .05", EXCLUDE, 0.05f, ALL & ~IDS(0, 5, 7, 8)},
    {"XTC .1", EXCLUDE, 0.1f, ALL & ~IDS(7, 8, 7, 8)},
    {"XTC .2", EXCLUDE, 0.2f, ALL & ~(1u << 7)},
    {"XTC .3: one alone stays", EXCLUDE, 0.3f, ALL},
    {"mirostat 2, mu .5: at least one", SURPRISE, 0.5f, 1u << 7},
    {"mirostat 2, mu 1.5", SURPRISE, 1.5f, 1u << 7},
    {"mirostat 2, mu 2.5", SURPRISE, 2.5f, IDS(7, 8, 7, 8)},
    {"mirostat 2, mu 4", SURPRISE, 4.0f, IDS(0, 5, 7, 8)},
};

static void apply(struct qn__candidates *c, enum step step, float value)
{
    switch (step) {
    case TOP_K: qn__candidates_top_k(c, (uint32_t)value); break;
    case TOP_P: qn__candidates_top_p(c, value); break;
    case MIN_P: qn__candidates_min_p(c, value); break;
    case TYPICAL: qn__candidates_typical(c, value, scratch); break;
    case SIGMA: qn__candidates_top_n_sigma(c, value); break;
    case EXCLUDE: qn__candidates_exclude_top(c, value); break;
    case SURPRISE:
        qn__candidates_softmax(c);
        qn__candidates_surprise(c, value);
        break;
    }
}

START_TEST(a_step_leaves_what_its_definition_leaves)
{
    for (int sorted = 0; sorted < 2; sorted++) { /* what was sorted before must not matter */
        struct qn__candidates c = all();
        if (sorted)
            qn__candidates_sort(&c, N);
        apply(&c, rows[_i].step, rows[_i].value);
        ck_assert_msg(left(&c) == rows[_i].left, "%s, sorted %d: %#x, not %#x", rows[_i].name,
                      sorted, left(&c), rows[_i].left);
        for (uint32_t i = 1; i < c.n_sorted; i++)
            ck_assert_msg(qn__candidate_compare(&c.items[i - 1], &c.items[i]) < 0, "%s: order",
                          rows[_i].name);
    }
}
END_TEST

START_TEST(probabilities_are_the_softmax)
{
    static const float p[] = {.145984f, .053705f, .032573f, .019757f, .007268f,
                              .088544f, .011983f, .396826f, .240687f, .002674f};
    struct qn__candidates c = all();
    ck_assert(qn__candidates_softmax(&c) == 3.0f);
    for (int i = 0; i < N; i++)
        ck_assert_float_eq_tol(items[i].p, p[i], 1e-6f);
}
END_TEST

START_TEST(a_part_of_many_is_sorted_as_all_of_them_are)
{
    enum { MANY = 5000, M = 300 };
    static struct qn__candidate some[MANY], whole[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        some[i] = whole[i] =
            (struct qn__candidate){.logit = (float)(i * 7919u % 1013u) * 0.01f, .id = (int32_t)i};
    struct qn__candidates a = {.items = some, .n = MANY}, b = {.items = whole, .n = MANY};
    qn__candidates_sort(&a, M);
    qn__candidates_sort(&b, MANY);
    ck_assert_uint_eq(a.n_sorted, M);
    for (uint32_t i = 0; i < M; i++)
        ck_assert_int_eq(some[i].id, whole[i].id);
    qn__candidates_top_p(&a, 0.9f);
    qn__candidates_top_p(&b, 0.9f);
    ck_assert_uint_eq(a.n, b.n);
    for (uint32_t i = 0; i < a.n; i++)
        ck_assert_int_eq(some[i].id, whole[i].id);
}
END_TEST

START_TEST(the_likeliest_are_taken_from_logits_as_from_a_list)
{
    enum { MANY = 3000 };
    static float some[MANY];
    static struct qn__candidate whole[MANY], taken[MANY];
    static uint64_t keys[MANY];
    for (uint32_t k = 1; k < 2 * MANY; k = 3 * k + 1) {
        struct qn__candidates a = {.items = taken}, b = {.items = whole};
        for (uint32_t i = 0; i < MANY; i++) {
            some[i] = i % 97 == 5   ? NAN
                      : i % 89 == 7 ? -INFINITY
                                    : (float)(i * 7919u % 513u) - 500.0f;
            if (some[i] == 0.0f && i % 2)
                some[i] = -0.0f; /* no less than 0 */
            if (some[i] > -INFINITY)
                whole[b.n++] = (struct qn__candidate){.logit = some[i], .id = (int32_t)i};
        }
        qn__candidates_take(&a, some, MANY, k < MANY ? k : MANY, keys);
        qn__candidates_top_k(&b, k);
        ck_assert_uint_eq(a.n, b.n);
        for (uint32_t i = 0; i < a.n; i++)
            ck_assert_int_eq(taken[i].id, whole[i].id);
    }
}
END_TEST

START_TEST(the_temperature_follows_the_entropy)
{
    struct qn__candidates c = all();
    ck_assert_float_eq_tol(qn__candidates_temperature(&c, 0.5f, 1.5f, 2.0f), 1.0171721f, 1e-5f);
    c.n = 1;
    ck_assert_float_eq_tol(qn__candidates_temperature(&c, 0.5f, 1.5f, 2.0f), 1.5f, 1e-6f);
    c = all();
    qn__candidates_divide(&c, 0.5f);
    ck_assert_float_eq_tol(items[4].logit, -2.0f, 1e-6f);
    items[0].logit = 1e30f;
    qn__candidates_divide(&c, 1e-20f);
    ck_assert(isfinite(items[0].logit) && items[0].logit > items[7].logit);
}
END_TEST

START_TEST(mirostat_1_chooses_k_by_zipfs_law)
{
    static const struct {
        float mu;
        uint32_t k; /* 1.9990, 5.4887, 113.6 */
    } k[] = {{2.0f, 1}, {4.0f, 5}, {10.0f, N}};
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        struct qn__candidates c = all();
        qn__candidates_softmax(&c);
        ck_assert_uint_eq(qn__candidates_mirostat_k(&c, k[i].mu, N), k[i].k);
    }
}
END_TEST

START_TEST(a_draw_is_where_the_sum_reaches_it)
{
    struct qn__candidates c = all();
    qn__candidates_sort(&c, N);
    qn__candidates_softmax(&c);
    ck_assert_int_eq(items[qn__candidates_draw(&c, 0.0)].id, 7);
    ck_assert_int_eq(items[qn__candidates_draw(&c, 0.3968)].id, 7);
    ck_assert_int_eq(items[qn__candidates_draw(&c, 0.3969)].id, 8);
    ck_assert_int_eq(items[qn__candidates_draw(&c, 0.6376)].id, 0);
    ck_assert_int_eq(items[qn__candidates_draw(&c, 0.9999999)].id, 9);
}
END_TEST

/* -- those that look back -- */

START_TEST(penalties_count_recent_tokens)
{
    static const int32_t recent[] = {7, 7, 0, 4, -1, N};
    const struct qn__repeat_penalties p = {
        .shrink = 1.0f / 1.3f, .grow = 1.3f, .presence = 0.4f, .frequency = 0.2f};
    float x[N];
    uint32_t counts[N] = {0};
    memcpy(x, logits, sizeof x);
    qn__penalise_recent(x, N, recent, 6, &p, counts);
    ck_assert_float_eq_tol(x[0], 0.9384615f, 1e-6f);
    ck_assert_float_eq_tol(x[4], -1.9f, 1e-6f);
    ck_assert_float_eq_tol(x[7], 1.5076923f, 1e-6f);
    for (int i = 0; i < N; i++) {
        ck_assert_uint_eq(counts[i], 0);
        if (i != 0 && i != 4 && i != 7)
            ck_assert(x[i] == logits[i]);
    }
}
END_TEST

static const struct {
    const char *name;
    int32_t ids[12];
    uint32_t n;
    int32_t breaker; /* -1: none */
    struct {
        int32_t id;
        float loss;
    } losses[2];
} repeats[] = {
    {"two repetitions, of three and of two",
     {1, 2, 3, 4, 9, 2, 3, 5, 1, 2, 3},
     11,
     -1,
     {{4, 1.4f}, {5, 0.8f}}},
    {"one of three", {1, 2, 3, 4, 9, 1, 2, 3}, 8, -1, {{4, 1.4f}}},
    {"cut short by a breaker", {1, 2, 3, 4, 9, 1, 2, 3}, 8, 2, {{0, 0.0f}}},
    {"a run of one token", {6, 6, 6, 6}, 4, -1, {{6, 1.4f}}},
    {"what would go on is a breaker", {1, 2, 3, 1, 2}, 5, 3, {{0, 0.0f}}},
    {"a breaker within", {8, 1, 2, 3, 0, 8, 1, 2}, 8, 1, {{0, 0.0f}}},
    {"nothing yet", {5}, 1, -1, {{0, 0.0f}}},
};

START_TEST(repetitions_cost_more_the_longer_they_are)
{
    const struct qn__dry d = {.multiplier = 0.8f,
                              .base = 1.75f,
                              .allowed = 2,
                              .breakers = &repeats[_i].breaker,
                              .n_breakers = 1};
    float x[N], want[N];
    uint32_t lengths[12], longest[N] = {0};
    memcpy(x, logits, sizeof x);
    memcpy(want, logits, sizeof x);
    for (int i = 0; i < 2; i++)
        want[repeats[_i].losses[i].id] -= repeats[_i].losses[i].loss;
    qn__penalise_repetitions(x, N, repeats[_i].ids, repeats[_i].n, &d, lengths, longest);
    for (int i = 0; i < N; i++) {
        ck_assert_msg(fabsf(x[i] - want[i]) < 1e-6f, "%s: token %d: %g, not %g", repeats[_i].name,
                      i, (double)x[i], (double)want[i]);
        ck_assert_uint_eq(longest[i], 0);
    }
}
END_TEST

START_TEST(the_last_tokens_are_the_last_ones)
{
    struct qn__recent r;
    ck_assert(qn__recent_init(&r, 3) == QN_OK);
    uint32_t n = 5;
    qn__recent_last(&r, &n);
    ck_assert_uint_eq(n, 0);
    for (int32_t i = 0; i < 20; i++) {
        qn__recent_add(&r, i);
        n = 9;
        const int32_t *last = qn__recent_last(&r, &n);
        ck_assert_uint_eq(n, i < 3 ? (uint32_t)i + 1 : 3);
        for (uint32_t j = 0; j < n; j++)
            ck_assert_int_eq(last[n - 1 - j], i - (int32_t)j);
    }
    qn__recent_release(&r);
}
END_TEST

/* -- the order -- */

START_TEST(an_order_is_read_by_name)
{
    enum qn__sampling_step steps[QN__N_SAMPLING_STEPS];
    uint32_t n;
    ck_assert(qn__sampling_order_read(steps, &n, QN_SAMPLER_ORDER) == QN_OK);
    ck_assert_uint_eq(n, QN__N_SAMPLING_STEPS);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_uint_eq(steps[i], i);
    ck_assert(qn__sampling_order_read(steps, &n, "temp;top-k;typical_p") == QN_OK);
    ck_assert_uint_eq(n, 3);
    ck_assert_uint_eq(steps[0], QN__STEP_TEMPERATURE);
    ck_assert_uint_eq(steps[1], QN__STEP_TOP_K);
    ck_assert_uint_eq(steps[2], QN__STEP_TYPICAL);
    ck_assert(qn__sampling_order_read(steps, &n, "") == QN_OK);
    ck_assert_uint_eq(n, 0);
    ck_assert(qn__sampling_order_read(steps, &n, "top_k;best") == QN_E_INVALID);
    ck_assert_ptr_nonnull(strstr(qn_message(), "'best' is not one of penalties;dry"));
    ck_assert(qn__sampling_order_read(steps, &n, "top_k;min_p;top-k") == QN_E_INVALID);
    ck_assert_ptr_nonnull(strstr(qn_message(), "twice"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("candidates");
    TCase *tc = tcase_create("candidates");
    tcase_add_loop_test(tc, a_step_leaves_what_its_definition_leaves, 0,
                        sizeof rows / sizeof *rows);
    tcase_add_test(tc, probabilities_are_the_softmax);
    tcase_add_test(tc, a_part_of_many_is_sorted_as_all_of_them_are);
    tcase_add_test(tc, the_likeliest_are_taken_from_logits_as_from_a_list);
    tcase_add_test(tc, the_temperature_follows_the_entropy);
    tcase_add_test(tc, mirostat_1_chooses_k_by_zipfs_law);
    tcase_add_test(tc, a_draw_is_where_the_sum_reaches_it);
    tcase_add_test(tc, penalties_count_recent_tokens);
    tcase_add_loop_test(tc, repetitions_cost_more_the_longer_they_are, 0,
                        sizeof repeats / sizeof *repeats);
    tcase_add_test(tc, the_last_tokens_are_the_last_ones);
    tcase_add_test(tc, an_order_is_read_by_name);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
