/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of sessions with the bundled model: they say what is allocated, and what would fit.
 *
 * covers: engine/session_plan engine/buffers */
#include "base/control_groups.h"
#include "base/free_memory.h"
#include "tests/runtime_fixture.h"

#include <quern/model.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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
    const qn_session_options o = {.context = 64, .batch = 8, .exact = true};
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
        ck_assert_uint_le(at.peak_bytes + at.reserve_bytes, first.free_bytes);
        o.context = first.context_max + 1;
        must(qn_session_plan_get(&behind, model, device, &o));
        ck_assert_uint_gt(behind.peak_bytes + behind.reserve_bytes, first.free_bytes);
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

/* VmData: private memory that may be written. */
static rlim_t data_bytes(void)
{
    char text[8192];
    ck_assert(qn__small_file_read(text, sizeof text, "/proc/self/status"));
    const char *line = strstr(text, "VmData:");
    return line ? (rlim_t)strtoull(line + 7, NULL, 10) << 10 : 0;
}

/* All that the plan says may be taken is taken, and used. The processor gets a limit of its own, so
 * that the machine does not run out of memory; PoCL's compiler, in this process, would end at it.
 */
START_TEST(a_library_that_is_asked_for_is_there_or_refused)
{
    const qn_session_options asked = {.context = 64, .library = true};
    const qn_session_options both = {.context = 64, .library = true, .no_library = true};
    qn_session_plan plan;
    must_not(QN_E_INVALID, qn_session_plan_get(&plan, model, device, &both));
    if (strcmp(qn_device_get_info(device)->backend, "cuda") != 0) {
        must_not(QN_E_UNSUPPORTED, qn_session_plan_get(&plan, model, device, &asked));
        ck_assert_ptr_nonnull(strstr(qn_message(), qn_device_get_info(device)->id));
    }
    must(qn_session_plan_get(&plan, model, NULL, &asked));
}
END_TEST

START_TEST(the_largest_context_can_be_had)
{
    enum { ALLOWED_BYTES = 256 << 20 };
    struct rlimit before, now;
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &before), 0);
    now = before;
    const qn_device_info *info = qn_device_get_info(device);
    if (strcmp(info->kind, "opencl") == 0 && info->device_class == QN_DEVICE_CPU)
        return;
    if (info->device_class != QN_DEVICE_DISCRETE) {
        now.rlim_cur = data_bytes() + ALLOWED_BYTES;
        ck_assert_int_eq(setrlimit(RLIMIT_DATA, &now), 0);
        ck_assert_uint_le(qn__free_memory().free_bytes, ALLOWED_BYTES);
    }
    qn_session_options o = {.context = 16};
    qn_session_plan plan;
    qn_session *s;
    const int32_t ids[] = {1, 2, 3, 4, 5};
    must(qn_session_plan_get(&plan, model, device, &o));
    o.context = plan.context_max;
    const qn_status at = qn_session_create(&s, model, device, &o);
    const qn_status fed = at == QN_OK ? qn_session_feed(s, ids, 5) : at;
    const qn_status one = fed == QN_OK ? qn_session_feed(s, ids, 1) : fed;
    qn_session_destroy(s);
    o.context = plan.context_max + plan.context_max / 2;
    const qn_status behind = qn_session_create(&s, model, device, &o);
    qn_session_destroy(s);
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &before), 0);
    ck_assert_msg(one == QN_OK, "%u positions: %s", plan.context_max, qn_message());
    ck_assert_msg(behind == QN_E_DEVICE_MEMORY, "half as many more: %s", qn_status_name(behind));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {the_plan_is_what_is_allocated, 1},
        {the_largest_context_that_fits_is_the_largest, 1},
        {a_context_that_cannot_fit_is_refused_with_one_that_can, 1},
        {a_library_that_is_asked_for_is_there_or_refused, 1},
        {the_largest_context_can_be_had, 1},
        {NULL, 0},
    };
    return fixture_run("engine_plan", NULL, open_model, close_model, cases);
}
