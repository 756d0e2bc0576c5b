/* SPDX-License-Identifier: Apache-2.0
 *
 * Layers that do not stay on the device: which they are, and that streaming them changes no bit of
 * what is computed.
 *
 * covers: engine/residency engine/layer_stream engine/weight_upload engine/model_weights */
#include "engine/opened_model.h"
#include "tests/runtime_fixture.h"

#include <quern/model.h>
#include <unistd.h>

enum { MIB = 1 << 20, N_PROMPT = 20, N_SINGLE = 6 };

static qn_model *model;
static uint32_t n_vocab, n_layers;

static void open_model(void)
{
    char bundled[512];
    const char *source = getenv("QN_SOURCE");
    snprintf(bundled, sizeof bundled, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, bundled));
    n_vocab = qn_model_get_info(model)->n_vocab;
    n_layers = qn_model_get_info(model)->n_layers;
}

static void close_model(void)
{
    qn_model_close(model);
}

/* -- which -- */

START_TEST(streamed_layers_are_spread_evenly)
{
    for (uint32_t n = 1; n <= 70; n++)
        for (uint32_t streamed = 0; streamed <= n; streamed++) {
            const struct qn__residency r = {.n_layers = n, .n_streamed = streamed};
            uint32_t seen = 0, stay = 0, longest = 0;
            for (uint32_t i = 0; i < n; i++) {
                if (!qn__residency_is_streamed(&r, i)) {
                    longest = ++stay > longest ? stay : longest;
                    continue;
                }
                ck_assert_uint_eq(qn__residency_number(&r, i), seen);
                seen++;
                stay = 0;
            }
            ck_assert_uint_eq(seen, streamed);
            if (streamed)
                ck_assert_uint_le(longest, n / streamed);
        }
}
END_TEST

START_TEST(bytes_add_up)
{
    const struct qn__weights *plan = &model->plan;
    uint64_t layers = 0, largest = 0;
    for (uint32_t i = 0; i < n_layers; i++) {
        layers += plan->layers[i].n_bytes;
        if (plan->layers[i].n_bytes > largest)
            largest = plan->layers[i].n_bytes;
    }
    const struct qn__residency none = qn__residency_make(plan, n_layers, 0),
                               all = qn__residency_make(plan, n_layers, n_layers);
    ck_assert_uint_eq(qn__residency_device_bytes(&none, plan), plan->n_bytes);
    ck_assert_uint_eq(qn__residency_streamed_bytes(&none, plan), 0);
    ck_assert_uint_eq(qn__residency_streamed_bytes(&all, plan), layers);
    ck_assert_uint_eq(qn__residency_device_bytes(&all, plan),
                      plan->n_bytes - layers + QN__SLOTS * largest);
}
END_TEST

/* -- what is computed -- */

static bool stop_at_once(uint32_t done, uint32_t total, void *payload)
{
    (void)done, (void)total, (void)payload;
    return false;
}

static const int32_t *some_tokens(void)
{
    static int32_t ids[N_PROMPT + N_SINGLE];
    for (uint32_t i = 0; i < N_PROMPT + N_SINGLE; i++)
        ids[i] = (int32_t)(i * 37 % n_vocab);
    return ids;
}

/* Logits behind a prompt and behind each of some single tokens: (1 + N_SINGLE, n_vocab), free(). */
static float *logits_of(const qn_session_options *o)
{
    qn_session *s;
    const int32_t *ids = some_tokens();
    float *out = malloc((size_t)(1 + N_SINGLE) * n_vocab * sizeof *out);
    ck_assert_ptr_nonnull(out);
    must(qn_session_create(&s, model, device, o));
    ck_assert_uint_eq(qn_session_get_info(s)->plan.streamed_layers, o->streamed_layers);
    for (uint32_t i = 0; i <= N_SINGLE; i++) {
        const float *now;
        must(qn_session_feed(s, i ? ids + N_PROMPT + i - 1 : ids, i ? 1 : N_PROMPT));
        must(qn_session_logits(s, &now));
        memcpy(out + (size_t)i * n_vocab, now, n_vocab * sizeof *now);
    }
    qn_session_destroy(s);
    return out;
}

/* With the processor's small integers, in f32, and by fused kernels, which have weights in tiles;
 * layers kept by the host, and read from the file each time. */
static const qn_session_options ways[] = {
    {.context = 64, .batch = 16},
    {.context = 64, .batch = 16, .exact = true, .stream_from_file = true},
    {.context = 64, .batch = 16, .fused_anywhere = true},
    {.context = 64, .batch = 16, .fused_anywhere = true, .stream_from_file = true},
};

START_TEST(streamed_layers_compute_the_same)
{
    const uint32_t numbers[] = {n_layers, 3, 1};
    qn_session_options o = ways[_i];
    float *expected = logits_of(&o);
    for (int n = 0; n < (o.fused_anywhere ? 1 : 3); n++) {
        o.streamed_layers = numbers[n];
        float *got = logits_of(&o);
        for (size_t i = 0; i < (size_t)(1 + N_SINGLE) * n_vocab; i++)
            ck_assert_msg(got[i] == expected[i],
                          "%u streamed, logit %zu behind feed %zu: %g, not %g", numbers[n],
                          i % n_vocab, i / n_vocab, (double)got[i], (double)expected[i]);
        free(got);
    }
    free(expected);
}
END_TEST

/* The slots hold other layers then than a pass begins with. */
START_TEST(a_stopped_prompt_leaves_nothing_wrong)
{
    qn_session_options o = {.context = 64, .batch = 8, .streamed_layers = n_layers};
    const int32_t *ids = some_tokens();
    const float *now;
    qn_session *s;
    must(qn_session_create(&s, model, device, &o));
    must(qn_session_feed(s, ids, 8));
    must(qn_session_logits(s, &now));
    float *expected = malloc(n_vocab * sizeof *expected);
    ck_assert_ptr_nonnull(expected);
    memcpy(expected, now, n_vocab * sizeof *expected);
    qn_session_destroy(s);
    o.prompt_progress = stop_at_once;
    must(qn_session_create(&s, model, device, &o));
    must_not(QN_E_NOT_READY, qn_session_feed(s, ids, N_PROMPT));
    must(qn_session_rewind(s, 0));
    must(qn_session_feed(s, ids, 8));
    must(qn_session_logits(s, &now));
    ck_assert_mem_eq(now, expected, n_vocab * sizeof *now);
    qn_session_destroy(s);
    free(expected);
}
END_TEST

/* Nothing is computed of bytes that are not the model's. */
START_TEST(a_file_that_changes_meanwhile_is_refused)
{
    char path[] = "/tmp/quern-streamed-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *from = fopen(qn_model_get_info(model)->path, "rb"), *to = fdopen(fd, "wb");
    ck_assert(from && to);
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, from)) > 0;)
        ck_assert_uint_eq(fwrite(part, 1, n, to), n);
    fclose(from);
    fclose(to);
    qn_model *m;
    qn_session *s;
    const qn_session_options o = {
        .context = 64, .batch = 8, .streamed_layers = 3, .stream_from_file = true};
    must(qn_model_open(&m, path));
    must(qn_session_create(&s, m, device, &o));
    must(qn_session_feed(s, some_tokens(), 4));
    must(qn_session_rewind(s, 0));
    ck_assert_int_eq(truncate(path, 100000), 0);
    must_not(QN_E_IO, qn_session_feed(s, some_tokens(), 4));
    ck_assert_ptr_nonnull(strstr(qn_message(), "was changed"));
    qn_session_destroy(s);
    qn_model_close(m);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

/* -- how many -- */

START_TEST(a_limit_decides_how_many_are_streamed)
{
    qn_session_options o = {.context = 64, .batch = 16, .exact = true};
    qn_session_plan whole, p;
    must(qn_session_plan_get(&whole, model, device, &o));
    ck_assert_uint_eq(whole.streamed_layers, 0);
    ck_assert_uint_eq(whole.streamed_bytes, 0);
    uint32_t before = 0, n_limits = 0;
    for (uint64_t limit = whole.peak_bytes + whole.reserve_bytes;; limit -= MIB / 4, n_limits++) {
        o.device_bytes = limit;
        must(qn_session_plan_get(&p, model, device, &o));
        ck_assert_uint_le(p.free_bytes, limit);
        ck_assert_uint_ge(p.streamed_layers, before);
        if (!p.fits)
            break;
        ck_assert_uint_le(p.peak_bytes + p.reserve_bytes, limit);
        before = p.streamed_layers;
    }
    ck_assert_uint_gt(n_limits, 0);
    ck_assert_uint_eq(p.streamed_layers, n_layers);
    qn_session *s;
    must_not(QN_E_DEVICE_MEMORY, qn_session_create(&s, model, device, &o));
    const uint64_t least = o.device_bytes + MIB / 4;
    o.device_bytes = MIB;
    must_not(QN_E_DEVICE_MEMORY, qn_session_create(&s, model, device, &o));
    ck_assert_ptr_nonnull(strstr(qn_message(), "all layers streamed"));
    o.device_bytes = least;
    must(qn_session_create(&s, model, device, &o));
    ck_assert_uint_eq(qn_session_get_info(s)->plan.streamed_layers, before);
    must(qn_session_feed(s, some_tokens(), N_PROMPT));
    qn_session_destroy(s);
}
END_TEST

START_TEST(more_layers_than_there_are_means_all)
{
    const qn_session_options o = {.streamed_layers = UINT32_MAX};
    qn_session_plan p;
    must(qn_session_plan_get(&p, model, device, &o));
    ck_assert_uint_eq(p.streamed_layers, n_layers);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {streamed_layers_are_spread_evenly, 1},
        {bytes_add_up, 1},
        {streamed_layers_compute_the_same, sizeof ways / sizeof *ways},
        {a_stopped_prompt_leaves_nothing_wrong, 1},
        {a_file_that_changes_meanwhile_is_refused, 1},
        {a_limit_decides_how_many_are_streamed, 1},
        {more_layers_than_there_are_means_all, 1},
        {NULL, 0},
    };
    return fixture_run("streamed_layers", NULL, open_model, close_model, cases);
}
