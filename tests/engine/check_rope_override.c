/* SPDX-License-Identifier: Apache-2.0
 *
 * Positions as the caller says, in place of the file: what becomes of the angles, and what is
 * refused.
 *
 * covers: engine/rope_override */
#include "engine/rope_override.h"
#include "tests/rtc_fixture.h"

#include <math.h>

enum { PAIRS = 16 };

/* As a file without a word about positions gives it. */
static struct qn__config plain(void)
{
    return (struct qn__config){.n_rot = 2 * PAIRS,
                               .rope_base = 10000.0f,
                               .scaling_factor = 1.0f,
                               .scaling_context = 2048,
                               .yarn_fast = 32.0f,
                               .yarn_slow = 1.0f,
                               .yarn_share = 1.0f,
                               .angle_scale = 1.0f};
}

static void table(float *angles, float *attention, struct qn__config c, const qn_model_options *o)
{
    must(qn__rope_override(&c, o));
    qn__rope_table(angles, attention, &c, false, NULL);
}

static void close_to(float got, float want)
{
    ck_assert_msg(fabsf(got - want) <= 1e-6f * fabsf(want), "%g, not %g", (double)got,
                  (double)want);
}

START_TEST(angles_are_as_the_options_say)
{
    float before[PAIRS], after[PAIRS], attention;
    table(before, &attention, plain(), &(qn_model_options){0});
    close_to(attention, 1.0f);
    for (int k = 0; k < PAIRS; k++)
        close_to(before[k], powf(10000.0f, -(float)k / PAIRS));

    table(after, &attention, plain(), &(qn_model_options){.rope_freq_base = 500.0f});
    for (int k = 0; k < PAIRS; k++)
        close_to(after[k], powf(500.0f, -(float)k / PAIRS));

    table(after, &attention, plain(), &(qn_model_options){.rope_freq_scale = 0.25f});
    for (int k = 0; k < PAIRS; k++)
        close_to(after[k], before[k] / 4.0f);

    table(after, &attention, plain(), &(qn_model_options){.yarn_attn_factor = 1.5f});
    close_to(attention, 1.5f);
    close_to(after[3], before[3]);

    struct qn__config stretched = plain();
    stretched.scaling = QN__SCALING_LINEAR;
    stretched.scaling_factor = 8.0f;
    table(after, &attention, stretched, &(qn_model_options){.rope_scaling = "none"});
    close_to(after[5], before[5]);
    table(after, &attention, stretched, &(qn_model_options){.rope_freq_scale = 0.5f});
    close_to(after[5], before[5] / 2.0f); /* in place of the file's, not besides it */
}
END_TEST

START_TEST(llama3_and_longrope_are_scaled_on_top)
{
    static const enum qn__rope_scaling kinds[] = {QN__SCALING_LLAMA3, QN__SCALING_LONGROPE};
    float before[PAIRS], after[PAIRS], attention;
    struct qn__config c = plain();
    c.scaling = kinds[_i];
    c.scaling_factor = 8.0f;
    c.scaling_low = 1.0f;
    c.scaling_high = 4.0f;
    table(before, &attention, c, &(qn_model_options){0});
    table(after, &attention, c, &(qn_model_options){.rope_freq_scale = 0.25f});
    for (int k = 0; k < PAIRS; k++)
        close_to(after[k], before[k] / 4.0f);
}
END_TEST

START_TEST(yarn_keeps_fast_pairs_and_stretches_slow_ones)
{
    float before[PAIRS], whole[PAIRS], half[PAIRS], attention;
    const qn_model_options yarn = {
        .rope_scaling = "yarn", .rope_freq_scale = 0.25f, .yarn_orig_ctx = 512};
    qn_model_options less = yarn;
    less.yarn_ext_factor = 0.5f;
    table(before, &attention, plain(), &(qn_model_options){0});
    table(whole, &attention, plain(), &yarn);
    close_to(attention, 1.0f + 0.1f * logf(4.0f));
    close_to(whole[0], before[0]);
    close_to(whole[PAIRS - 1], before[PAIRS - 1] / 4.0f);
    table(half, &attention, plain(), &less);
    close_to(half[0], before[0] * (0.5f + 0.5f / 4.0f));
    close_to(half[PAIRS - 1], before[PAIRS - 1] / 4.0f);

    qn_model_options other = yarn; /* more of them count as slow */
    other.yarn_beta_fast = 80.0f;
    other.yarn_beta_slow = 60.0f;
    table(half, &attention, plain(), &other);
    ck_assert(half[2] < whole[2]);
}
END_TEST

static const struct {
    const char *name;
    qn_model_options o;
    enum qn__rope_scaling scaling;
    qn_status status;
    const char *says;
} refused[] = {
    {"a base below 1", {.rope_freq_base = 0.5f}, 0, QN_E_INVALID, "rope_freq_base 0.5"},
    {"a base that is no number", {.rope_freq_base = NAN}, 0, QN_E_INVALID, "rope_freq_base"},
    {"a negative scale", {.rope_freq_scale = -1.0f}, 0, QN_E_INVALID, "rope_freq_scale -1"},
    {"no such scaling", {.rope_scaling = "ntk"}, 0, QN_E_INVALID, "none, linear or yarn"},
    {"none and a scale",
     {.rope_scaling = "none", .rope_freq_scale = 0.5f},
     0,
     QN_E_INVALID,
     "'none' and a rope_freq_scale"},
    {"yarn that shrinks",
     {.rope_scaling = "yarn", .rope_freq_scale = 2.0f},
     0,
     QN_E_INVALID,
     "yarn stretches"},
    {"yarn's number without yarn",
     {.yarn_beta_fast = 8.0f},
     0,
     QN_E_INVALID,
     "not stretched by it"},
    {"more than all of yarn",
     {.rope_scaling = "yarn", .yarn_ext_factor = 1.5f},
     0,
     QN_E_INVALID,
     "yarn_ext_factor 1.5"},
    {"longrope's tensors by yarn",
     {.rope_scaling = "yarn"},
     QN__SCALING_LONGROPE,
     QN_E_UNSUPPORTED,
     "longrope"},
};

START_TEST(what_means_nothing_is_refused)
{
    struct qn__config c = plain();
    c.scaling = refused[_i].scaling;
    const qn_status got = qn__rope_override(&c, &refused[_i].o);
    ck_assert_msg(got == refused[_i].status, "%s: %s", refused[_i].name, qn_status_name(got));
    ck_assert_msg(strstr(qn_message(), refused[_i].says), "%s: %s", refused[_i].name, qn_message());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rope_override");
    TCase *t = tcase_create("rope_override");
    tcase_add_test(t, angles_are_as_the_options_say);
    tcase_add_loop_test(t, llama3_and_longrope_are_scaled_on_top, 0, 2);
    tcase_add_test(t, yarn_keeps_fast_pairs_and_stretches_slow_ones);
    tcase_add_loop_test(t, what_means_nothing_is_refused, 0, sizeof refused / sizeof *refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
