/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing a token from logits: no model, no device. And from a list of the likeliest, which is
 * what a device hands over; here the reference of kernels/sample.cu makes it.
 *
 * covers: engine/sampler */
#include "engine/sampler.h"
#include "kernels/ref/ref.h"

#include <check.h>
#include <math.h>
#include <quern/model.h>
#include <stdlib.h>
#include <string.h>

enum { N = 32, DRAWS = 40000 };

static float logits[N];

/* Likely ones at both ends, two equal ones in front. */
static void fill(void)
{
    for (int i = 0; i < N; i++)
        logits[i] = (float)((i * 7) % 11) * 0.5f;
    logits[3] = logits[17] = 6.0f;
}

static qn_sampler *make(const qn_sampler_options *o)
{
    qn_sampler *s;
    ck_assert_int_eq(qn_sampler_create(&s, o), QN_OK);
    return s;
}

static int32_t choose(qn_sampler *s)
{
    int32_t id = -1;
    ck_assert_msg(qn_sampler_choose(&id, s, logits, N) == QN_OK, "%s", qn_message());
    ck_assert(id >= 0 && id < N);
    return id;
}

START_TEST(greedy_takes_the_first_of_the_largest)
{
    fill();
    qn_sampler *s = make(NULL);
    ck_assert_int_eq(choose(s), 3);
    logits[3] = NAN;
    ck_assert_int_eq(choose(s), 17);
    qn_sampler_destroy(s);
}
END_TEST

START_TEST(logits_that_are_all_nan_are_an_error)
{
    int32_t id;
    const qn_sampler_options rows[] = {{0}, {.temperature = 1.0f}};
    for (int i = 0; i < 2; i++) {
        qn_sampler *s = make(&rows[i]);
        for (int j = 0; j < N; j++)
            logits[j] = j % 2 ? NAN : -INFINITY;
        ck_assert_int_eq(qn_sampler_choose(&id, s, logits, N), QN_E_INVALID);
        ck_assert_ptr_nonnull(strstr(qn_message(), "NaN"));
        qn_sampler_destroy(s);
    }
}
END_TEST

static const qn_logit_bias endless = {.id = 1, .bias = INFINITY};

static const struct {
    const char *name;
    qn_sampler_options options;
    const char *message;
} refused[] = {
    {"negative temperature", {.temperature = -1.0f}, "temperature"},
    {"NaN temperature", {.temperature = NAN}, "temperature"},
    {"top_p above 1", {.temperature = 1.0f, .top_p = 1.5f}, "top_p"},
    {"min_p of 1", {.temperature = 1.0f, .min_p = 1.0f}, "min_p"},
    {"negative penalty", {.repeat_penalty = -2.0f}, "repeat_penalty"},
    {"endless memory", {.repeat_last = 1u << 20}, "repeat_last"},
    {"NaN presence penalty", {.presence_penalty = NAN}, "presence_penalty"},
    {"a third mirostat", {.mirostat = 3}, "mirostat"},
    {"an unknown step", {.order = "top_k;best"}, "best"},
    {"an endless bias", {.biases = &endless, .n_biases = 1}, "bias"},
};

START_TEST(values_out_of_range_are_refused_by_name)
{
    qn_sampler *s = NULL;
    ck_assert_msg(qn_sampler_create(&s, &refused[_i].options) == QN_E_INVALID, "%s",
                  refused[_i].name);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(qn_message(), refused[_i].message) != NULL, "%s: %s", refused[_i].name,
                  qn_message());
}
END_TEST

START_TEST(the_same_seed_draws_the_same_and_another_does_not)
{
    const qn_sampler_options a = {.temperature = 1.0f, .seed = 7};
    const qn_sampler_options b = {.temperature = 1.0f, .seed = 8};
    qn_sampler *s[3] = {make(&a), make(&a), make(&b)};
    int differs = 0;
    fill();
    for (int i = 0; i < 200; i++) {
        const int32_t first = choose(s[0]);
        ck_assert_int_eq(first, choose(s[1]));
        differs += first != choose(s[2]);
    }
    ck_assert_int_gt(differs, 20);
    for (int i = 0; i < 3; i++)
        qn_sampler_destroy(s[i]);
}
END_TEST

/* Draws of every id, of DRAWS in all. */
static void count(uint32_t counts[N], const qn_sampler_options *o)
{
    qn_sampler *s = make(o);
    memset(counts, 0, N * sizeof *counts);
    fill();
    for (int i = 0; i < DRAWS; i++)
        counts[choose(s)]++;
    qn_sampler_destroy(s);
}

START_TEST(draws_follow_the_softmax)
{
    static const float temperatures[] = {0.5f, 1.0f, 2.0f};
    const float t = temperatures[_i];
    uint32_t counts[N];
    double sum = 0.0;
    count(counts, &(qn_sampler_options){.temperature = t, .seed = 11});
    for (int i = 0; i < N; i++)
        sum += exp((double)(logits[i] / t));
    for (int i = 0; i < N; i++) {
        const double p = exp((double)(logits[i] / t)) / sum;
        const double expected = p * DRAWS, spread = 5.0 * sqrt(expected * (1.0 - p)) + 1.0;
        ck_assert_msg(fabs(counts[i] - expected) <= spread,
                      "temperature %g, id %d: %u draws, not %g", (double)t, i, counts[i], expected);
    }
}
END_TEST

START_TEST(top_k_leaves_k)
{
    uint32_t counts[N], n = 0;
    count(counts, &(qn_sampler_options){.temperature = 5.0f, .top_k = 5, .seed = 3});
    for (int i = 0; i < N; i++)
        n += counts[i] > 0;
    ck_assert_uint_eq(n, 5);
    ck_assert_uint_gt(counts[3], 0);
    ck_assert_uint_gt(counts[17], 0);
}
END_TEST

START_TEST(top_p_leaves_the_likeliest_that_make_it_up)
{
    uint32_t counts[N];
    double sum = 0.0, kept = 0.0;
    const double p = 0.3;
    count(counts, &(qn_sampler_options){.temperature = 1.0f, .top_p = 0.3f, .seed = 3});
    for (int i = 0; i < N; i++)
        sum += exp((double)logits[i]);
    double least = 0.0;
    for (int i = 0; i < N; i++)
        if (counts[i]) {
            const double share = exp((double)logits[i]) / sum;
            kept += share;
            least = least == 0.0 || share < least ? share : least;
        }
    ck_assert_msg(kept >= p && kept - least < p, "kept %g, the least of them %g", kept, least);
}
END_TEST

START_TEST(min_p_leaves_those_near_the_likeliest)
{
    uint32_t counts[N];
    count(counts, &(qn_sampler_options){.temperature = 1.0f, .min_p = 0.3f, .seed = 3});
    for (int i = 0; i < N; i++) {
        const bool is_near = exp((double)(logits[i] - 6.0f)) >= 0.3;
        ck_assert_msg((counts[i] > 0) == is_near, "id %d: %u draws", i, counts[i]);
    }
}
END_TEST

START_TEST(recent_tokens_are_penalised_and_then_forgotten)
{
    const qn_sampler_options o = {.repeat_penalty = 2.0f, .repeat_last = 2};
    qn_sampler *s = make(&o);
    const int32_t others[] = {0, 1};
    fill();
    ck_assert_int_eq(choose(s), 3);  /* 6 becomes 3 */
    ck_assert_int_eq(choose(s), 17); /* and so does this one */
    const int32_t third = choose(s);
    ck_assert(third != 3 && third != 17);
    qn_sampler_accept(s, others, 2);
    ck_assert_int_eq(choose(s), 3);
    qn_sampler_destroy(s);
}
END_TEST

START_TEST(negative_logits_of_recent_tokens_grow_smaller_not_larger)
{
    const qn_sampler_options o = {.repeat_penalty = 2.0f};
    qn_sampler *s = make(&o);
    for (int i = 0; i < N; i++)
        logits[i] = -4.0f;
    logits[5] = -1.0f;
    logits[9] = -1.5f;
    ck_assert_int_eq(choose(s), 5);
    ck_assert_int_eq(choose(s), 9);
    qn_sampler_destroy(s);
}
END_TEST

/* How many tokens are drawn from. */
static uint32_t drawn_from(const qn_sampler_options *o)
{
    uint32_t counts[N], n = 0;
    count(counts, o);
    for (int i = 0; i < N; i++)
        n += counts[i] > 0;
    return n;
}

/* The ten likeliest are 6, 6, 5, 5, 5, 4.5 three times, 4 twice: at a temperature of 5 nearly
 * equal, so what comes before the temperature is much less than what comes after it. */
START_TEST(the_temperature_comes_last_unless_another_order_is_asked_for)
{
    qn_sampler_options o = {.temperature = 5.0f, .min_p = 0.5f, .seed = 9};
    ck_assert_uint_eq(drawn_from(&o), 2); /* e^(5 - 6) is less than a half */
    o.order = "temperature;min_p";
    const uint32_t after = drawn_from(&o); /* (x - 6) / 5 >= ln .5: x >= 2.53 */
    uint32_t wanted = 0;
    fill();
    for (int i = 0; i < N; i++)
        wanted += logits[i] > 6.0f + 5.0f * logf(0.5f);
    ck_assert_uint_eq(after, wanted);
    o.order = "temperature";
    ck_assert_uint_eq(drawn_from(&o), N);
}
END_TEST

START_TEST(biases_come_before_everything)
{
    const qn_logit_bias b[] = {{3, -INFINITY}, {0, 100.0f}, {N, 1.0f}};
    qn_sampler *s = make(&(qn_sampler_options){.biases = b, .n_biases = 1});
    fill();
    ck_assert_int_eq(choose(s), 17);
    qn_sampler_destroy(s);
    s = make(&(qn_sampler_options){.biases = b, .n_biases = 3, .temperature = 1.0f, .top_k = 5});
    ck_assert_int_eq(choose(s), 0);
    qn_sampler_destroy(s);
}
END_TEST

START_TEST(xtc_takes_the_likeliest_away_also_greedily)
{
    qn_sampler *s = make(&(qn_sampler_options){.xtc_probability = 1.0f, .xtc_threshold = 0.1f});
    fill();
    ck_assert_int_eq(choose(s), 17); /* 3 and 17 have a fifth each; the last one of them stays */
    ck_assert(!qn__sampler_is_plain(s));
    qn_sampler_destroy(s);
}
END_TEST

START_TEST(mirostat_keeps_the_surprise_near_tau)
{
    for (uint32_t version = 1; version <= 2; version++) {
        const qn_sampler_options o = {
            .temperature = 1.0f, .mirostat = version, .mirostat_tau = 3.0f, .seed = 5};
        qn_sampler *s = make(&o);
        double sum = 0.0, mean = 0.0;
        fill();
        for (int i = 0; i < N; i++)
            sum += exp((double)logits[i]);
        for (int i = 0; i < DRAWS; i++)
            mean -= log2(exp((double)logits[choose(s)]) / sum) / DRAWS;
        ck_assert_msg(fabs(mean - 3.0) < 0.6, "mirostat %u: %g bits a token", version, mean);
        qn_sampler_destroy(s);
    }
}
END_TEST

START_TEST(what_a_device_may_do_is_the_beginning_of_the_steps)
{
    static const struct {
        qn_sampler_options options;
        uint32_t wanted;
        bool is_plain;
    } rows[] = {
        {{.top_k = 5, .top_p = 0.5f}, 1, true},
        {{.temperature = 1.0f, .top_k = 5}, 5, false},
        {{.temperature = 1.0f, .top_k = 5, .repeat_penalty = 2.0f}, 5, false},
        {{.temperature = 1.0f, .top_k = 5, .presence_penalty = 2.0f}, N, false},
        {{.temperature = 1.0f, .top_k = 5, .dry_multiplier = 1.0f}, N, false},
        {{.temperature = 1.0f, .top_k = 5, .top_n_sigma = 1.0f}, N, false},
        {{.temperature = 1.0f, .top_k = 5, .mirostat = 2}, N, false},
        {{.temperature = 1.0f, .top_k = 5, .biases = &endless, .n_biases = 0}, 5, false},
        {{.temperature = 2.0f, .top_k = 5, .order = "temperature;top_k"}, N, false},
        {{.temperature = 2.0f, .top_k = 5, .repeat_penalty = 2.0f, .order = "top_k;penalties"},
         N,
         false},
        {{.repeat_penalty = 2.0f}, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        qn_sampler *s = make(&rows[i].options);
        ck_assert_msg(qn__sampler_wanted(s, N) == rows[i].wanted, "row %zu: %u", i,
                      qn__sampler_wanted(s, N));
        ck_assert_msg(qn__sampler_is_plain(s) == rows[i].is_plain, "row %zu: plain", i);
        qn_sampler_destroy(s);
    }
}
END_TEST

static const qn_sampler_options listed[] = {
    {0},
    {.repeat_penalty = 1.7f},
    {.temperature = 1.0f, .top_k = 5, .seed = 1},
    {.temperature = 0.3f, .top_k = N, .min_p = 0.1f, .seed = 2},
    {.temperature = 2.0f, .top_k = 12, .top_p = 0.7f, .repeat_penalty = 1.7f, .seed = 3},
    {.temperature = 4.0f, .top_k = 1000, .repeat_penalty = 0.5f, .repeat_last = 5, .seed = 4},
    {.temperature = 3.0f, .top_k = 20, .typical_p = 0.8f, .min_p = 0.01f, .seed = 5},
    {.temperature = 3.0f, .top_k = 20, .xtc_probability = 0.5f, .xtc_threshold = 0.1f, .seed = 6},
};

/* The likeliest of the logits behind the penalty. */
static void list(int32_t *ids, float *values, uint32_t k, const qn_sampler *s)
{
    const struct qn__penalty p = qn__sampler_penalty(s);
    float x[N];
    double changed[N], places[N], unused[N];
    qn__ref_repeat_penalty(changed, logits, p.ids, p.n_ids, N, p.shrink, p.grow);
    for (int i = 0; i < N; i++)
        x[i] = isnan(changed[i]) ? logits[i] : (float)changed[i];
    qn__ref_top_k(places, unused, x, N, k);
    for (uint32_t i = 0; i < k; i++) {
        ids[i] = (int32_t)places[i];
        values[i] = x[ids[i]];
    }
}

START_TEST(a_list_of_the_likeliest_gives_the_same_draws_as_all_logits)
{
    qn_sampler *whole = make(&listed[_i]), *from_list = make(&listed[_i]);
    const uint32_t k = qn__sampler_wanted(from_list, N);
    fill();
    logits[4] = NAN;
    logits[9] = -INFINITY;
    for (int i = 0; i < 1000; i++) {
        int32_t ids[N], got;
        float values[N];
        list(ids, values, k, from_list);
        ck_assert_int_eq(qn__sampler_choose_among(&got, from_list, ids, values, k), QN_OK);
        ck_assert_int_eq(got, choose(whole));
        logits[i % N] += (float)(i % 5 - 2) * 0.25f;
    }
    qn_sampler_destroy(whole);
    qn_sampler_destroy(from_list);
}
END_TEST

START_TEST(a_list_without_a_number_is_an_error)
{
    static const float values[] = {-INFINITY, NAN};
    static const int32_t ids[] = {1, 0};
    int32_t id;
    qn_sampler *s = make(&(qn_sampler_options){.temperature = 1.0f});
    ck_assert_int_eq(qn__sampler_choose_among(&id, s, ids, values, 2), QN_E_INVALID);
    ck_assert_ptr_nonnull(strstr(qn_message(), "NaN"));
    qn_sampler_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sampler");
    TCase *tc = tcase_create("sampler");
    tcase_add_test(tc, greedy_takes_the_first_of_the_largest);
    tcase_add_test(tc, logits_that_are_all_nan_are_an_error);
    tcase_add_loop_test(tc, values_out_of_range_are_refused_by_name, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(tc, the_same_seed_draws_the_same_and_another_does_not);
    tcase_add_loop_test(tc, draws_follow_the_softmax, 0, 3);
    tcase_add_test(tc, top_k_leaves_k);
    tcase_add_test(tc, top_p_leaves_the_likeliest_that_make_it_up);
    tcase_add_test(tc, min_p_leaves_those_near_the_likeliest);
    tcase_add_test(tc, recent_tokens_are_penalised_and_then_forgotten);
    tcase_add_test(tc, negative_logits_of_recent_tokens_grow_smaller_not_larger);
    tcase_add_test(tc, the_temperature_comes_last_unless_another_order_is_asked_for);
    tcase_add_test(tc, biases_come_before_everything);
    tcase_add_test(tc, xtc_takes_the_likeliest_away_also_greedily);
    tcase_add_test(tc, mirostat_keeps_the_surprise_near_tau);
    tcase_add_test(tc, what_a_device_may_do_is_the_beginning_of_the_steps);
    tcase_add_loop_test(tc, a_list_of_the_likeliest_gives_the_same_draws_as_all_logits, 0,
                        sizeof listed / sizeof *listed);
    tcase_add_test(tc, a_list_without_a_number_is_an_error);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
