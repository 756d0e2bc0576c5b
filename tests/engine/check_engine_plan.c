/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of sessions with the bundled model: they say what is allocated, and what would fit.
 *
 * covers: engine/session_plan engine/buffers */
#include "tests/runtime_fixture.h"

#include <quern/model.h>

static qn_model *model;

static void open_model(void)
{
    char bundled[512];
    const char *source = getenv("QN_SOURCE");
    snprintf(bundled, sizeof bundled, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, bundled));
}

static void close_model(void)
{
    qn_model_close(model);
}

START_TEST(the_plan_is_what_is_allocated)
{
    const qn_session_options o = {.context = 64, .batch = 8};
    qn_session_plan plan, without_device;
    must(qn_session_plan_get(&plan, model, device, &o));
    must(qn_session_plan_get(&without_device, model, NULL, &o));
    qn_session *s;
    must(qn_session_create(&s, model, device, &o));
    const qn_session_plan *made = &qn_session_get_info(s)->plan;
    ck_assert_uint_eq(plan.peak_bytes, made->peak_bytes);
    ck_assert_uint_eq(plan.weights_bytes, without_device.weights_bytes);
    ck_assert_uint_eq(plan.peak_bytes,
                      plan.weights_bytes + plan.cache_bytes + plan.activations_bytes);
    ck_assert(plan.fits && plan.context_max > 64);
    qn_session_destroy(s);
}
END_TEST

/* Of the memory that was free at first: a session made meanwhile changes nothing. */
START_TEST(the_largest_context_that_fits_is_the_largest)
{
    static const uint32_t contexts[] = {1, 16, 512, INT32_MAX};
    static const char *const caches[] = {"f16", "q8_0"};
    for (uint32_t i = 0; i < 8; i++) {
        qn_session_options o = {.context = contexts[i / 2], .cache = caches[i % 2]};
        qn_session_plan first, at, behind;
        must(qn_session_plan_get(&first, model, device, &o));
        o.context = first.context_max;
        must(qn_session_plan_get(&at, model, device, &o));
        ck_assert_uint_le(at.peak_bytes, first.free_bytes);
        o.context = first.context_max + 1;
        must(qn_session_plan_get(&behind, model, device, &o));
        ck_assert_uint_gt(behind.peak_bytes, first.free_bytes);
    }
}
END_TEST

START_TEST(a_context_that_cannot_fit_is_refused_with_one_that_can)
{
    const qn_session_options o = {.context = INT32_MAX};
    qn_session_plan plan;
    qn_session *s;
    must(qn_session_plan_get(&plan, model, device, &o));
    ck_assert(!plan.fits);
    must_not(QN_E_DEVICE_MEMORY, qn_session_create(&s, model, device, &o));
    ck_assert_ptr_null(s);
    ck_assert_ptr_nonnull(strstr(qn_message(), "positions fit"));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {the_plan_is_what_is_allocated, 1},
        {the_largest_context_that_fits_is_the_largest, 1},
        {a_context_that_cannot_fit_is_refused_with_one_that_can, 1},
        {NULL, 0},
    };
    return fixture_run("engine_plan", NULL, open_model, close_model, cases);
}
