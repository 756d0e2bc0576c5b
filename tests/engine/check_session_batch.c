/* SPDX-License-Identifier: Apache-2.0
 *
 * Several texts in one session, and results of any position: the same as those of each text alone.
 * With the bundled model.
 *
 * covers: engine/session_batch */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>

static qn_model *model;
static uint32_t n_vocab;

static void open_model(void)
{
    static char path[512];
    const char *source = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, path));
    n_vocab = qn_model_get_info(model)->n_vocab;
}

static void close_model(void)
{
    qn_model_close(model);
}

static qn_session *make(uint32_t sequences, uint32_t rows)
{
    qn_session *s;
    must(qn_session_create(
        &s, model, device,
        &(qn_session_options){.context = 128, .batch = 64, .sequences = sequences, .rows = rows}));
    return s;
}

static qn_tokens encode(const char *text)
{
    qn_tokens tokens;
    must(qn_model_encode(&tokens, model, text, strlen(text), QN_ENCODE_BOS));
    ck_assert_uint_gt(tokens.n, 4);
    return tokens;
}

/* Logits behind the first n tokens, one after the other. */
static float *alone(const int32_t *ids, uint32_t n)
{
    qn_session *s = make(1, 0);
    const float *logits;
    float *kept = malloc(n_vocab * sizeof *kept);
    for (uint32_t i = 0; i < n; i++)
        must(qn_session_feed(s, &ids[i], 1));
    must(qn_session_logits(s, &logits));
    memcpy(kept, logits, n_vocab * sizeof *kept);
    qn_session_destroy(s);
    return kept;
}

static void same(const float *a, const float *b, const char *what)
{
    float worst = 0.0f, low = INFINITY, high = -INFINITY;
    uint32_t best_a = 0, best_b = 0;
    for (uint32_t i = 0; i < n_vocab; i++) {
        ck_assert(isfinite(a[i]));
        worst = fmaxf(worst, fabsf(a[i] - b[i]));
        low = fminf(low, b[i]);
        high = fmaxf(high, b[i]);
        best_a = a[i] > a[best_a] ? i : best_a;
        best_b = b[i] > b[best_b] ? i : best_b;
    }
    ck_assert_msg(worst < 2e-3f * (high - low), "%s: %g of %g away", what, (double)worst,
                  (double)(high - low));
    ck_assert_msg(best_a == best_b, "%s: another likeliest token", what);
}

static const char *const texts[] = {"Once upon a time, there was a dog", "One day, a little fox",
                                    "The river was cold and the wind"};

START_TEST(texts_side_by_side_are_as_each_alone)
{
    qn_session *s = make(3, 0);
    qn_tokens t[3];
    qn_batch_item items[3];
    const float *row;
    for (uint32_t i = 0; i < 3; i++) {
        t[i] = encode(texts[i]);
        items[i] =
            (qn_batch_item){.sequence = 2 - i, .ids = t[i].ids, .n = t[i].n - i, .n_rows = 1};
    }
    must(qn_session_feed_batch(s, items, 3, QN_ROWS_LOGITS));
    for (uint32_t i = 0; i < 3; i++) {
        float *want = alone(t[i].ids, t[i].n - i);
        must(qn_session_row(s, i, &row));
        same(row, want, texts[i]);
        free(want);
        ck_assert_uint_eq(qn_session_get_past(s, 2 - i), t[i].n - i);
    }
    /* one token each, and one text rests */
    items[0] = (qn_batch_item){.sequence = 0, .ids = &t[2].ids[t[2].n - 2], .n = 1, .n_rows = 1};
    items[1] = (qn_batch_item){.sequence = 1, .ids = &t[1].ids[t[1].n - 1], .n = 1, .n_rows = 1};
    must(qn_session_feed_batch(s, items, 2, QN_ROWS_LOGITS));
    for (uint32_t i = 0; i < 2; i++) {
        float *want = alone(t[2 - i].ids, qn_session_get_past(s, i));
        must(qn_session_row(s, i, &row));
        same(row, want, "a token more");
        free(want);
    }
    must_not(QN_E_INVALID, qn_session_row(s, 2, &row));
    ck_assert_uint_eq(qn_session_get_info(s)->n_allocations, 3);
    for (uint32_t i = 0; i < 3; i++)
        free(t[i].ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(every_position_has_its_logits)
{
    qn_session *s = make(1, 32);
    qn_tokens t = encode(texts[0]);
    const float *row;
    const qn_batch_item first = {.ids = t.ids, .n = 3, .n_rows = 0};
    const qn_batch_item rest = {.ids = t.ids + 3, .n = t.n - 3, .n_rows = t.n - 3};
    must(qn_session_feed_batch(s, &first, 1, QN_ROWS_LOGITS));
    must(qn_session_feed_batch(s, &rest, 1, QN_ROWS_LOGITS));
    for (uint32_t i = 0; i < rest.n; i++) {
        float *want = alone(t.ids, 4 + i);
        must(qn_session_row(s, i, &row));
        same(row, want, "a position");
        free(want);
    }
    free(t.ids);
    qn_session_destroy(s);
}
END_TEST

/* Also what comes after them, so what is in the cache. */
START_TEST(rows_may_be_those_of_tokens_fed_alone_to_the_last_bit)
{
    static const uint32_t sizes[] = {4, 1, 3};
    qn_session *one, *many;
    const qn_session_options o = {
        .context = 128, .batch = 64, .rows = 8, .as_alone = true, .exact = _i};
    qn_tokens t = encode(texts[0]);
    const float *want, *row;
    uint32_t at = 2;
    if (qn_device_get_info(device)->device_class != QN_DEVICE_CPU) {
        must_not(QN_E_UNSUPPORTED, qn_session_create(&one, model, device, &o));
        free(t.ids);
        return;
    }
    must(qn_session_create(&one, model, device, &o));
    must(qn_session_create(&many, model, device, &o));
    must(qn_session_feed(one, t.ids, at));
    must(qn_session_feed(many, t.ids, at));
    for (uint32_t i = 0; i < 3; at += sizes[i++]) {
        const qn_batch_item item = {.ids = t.ids + at, .n = sizes[i], .n_rows = sizes[i]};
        ck_assert_uint_le(at + sizes[i], t.n);
        must(qn_session_feed_batch(many, &item, 1, QN_ROWS_LOGITS));
        for (uint32_t j = 0; j < sizes[i]; j++) {
            must(qn_session_feed(one, &t.ids[at + j], 1));
            must(qn_session_logits(one, &want));
            must(qn_session_row(many, j, &row));
            ck_assert_msg(memcmp(row, want, n_vocab * sizeof *row) == 0, "position %u", at + j);
        }
    }
    free(t.ids);
    qn_session_destroy(one);
    qn_session_destroy(many);
}
END_TEST

START_TEST(feeding_and_batches_may_take_turns)
{
    qn_session *s = make(2, 0);
    qn_tokens t = encode(texts[1]);
    const float *logits;
    qn_sampler *sampler;
    int32_t id, again;
    must(qn_sampler_create(&sampler, NULL));
    float *want = alone(t.ids, t.n);
    must(qn_session_feed(s, t.ids, 2));
    const qn_batch_item item = {.ids = t.ids + 2, .n = t.n - 3, .n_rows = 1};
    must(qn_session_feed_batch(s, &item, 1, QN_ROWS_LOGITS));
    must_not(QN_E_INVALID, qn_session_logits(s, &logits));
    must(qn_session_sample_row(&id, s, 0, sampler));
    must(qn_session_feed(s, t.ids + t.n - 1, 1));
    must_not(QN_E_INVALID, qn_session_sample_row(&id, s, 0, sampler));
    must(qn_session_logits(s, &logits));
    same(logits, want, "turns");
    must(qn_session_sample(&id, s, sampler));
    must(qn_session_rewind_sequence(s, 0, t.n - 1));
    const qn_batch_item last = {.ids = t.ids + t.n - 1, .n = 1, .n_rows = 1};
    must(qn_session_feed_batch(s, &last, 1, QN_ROWS_LOGITS));
    must(qn_session_sample_row(&again, s, 0, sampler));
    ck_assert_int_eq(id, again);
    ck_assert_uint_eq(qn_session_get_past(s, 1), 0);
    free(want);
    free(t.ids);
    qn_sampler_destroy(sampler);
    qn_session_destroy(s);
}
END_TEST

START_TEST(states_are_behind_the_norm)
{
    qn_session *s = make(1, 8);
    qn_tokens t = encode(texts[2]);
    const uint32_t dim = qn_model_get_info(model)->dim;
    const qn_batch_item item = {.ids = t.ids, .n = t.n, .n_rows = 2};
    const float *row;
    int32_t id;
    double squares = 0.0;
    qn_sampler *sampler;
    must(qn_sampler_create(&sampler, NULL));
    must(qn_session_feed_batch(s, &item, 1, QN_ROWS_STATES));
    must(qn_session_row(s, 1, &row));
    for (uint32_t i = 0; i < dim; i++) {
        ck_assert(isfinite(row[i]));
        squares += (double)row[i] * (double)row[i];
    }
    ck_assert(squares > 0.01 * dim);
    must_not(QN_E_INVALID, qn_session_sample_row(&id, s, 1, sampler));
    qn_sampler_destroy(sampler);
    free(t.ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(wrong_batches_change_nothing)
{
    qn_session *s = make(2, 4);
    int32_t ids[130] = {1, 2, 3}, bad[] = {1, 1 << 30};
    const struct {
        qn_batch_item items[2];
        uint32_t n;
        int kind;
        qn_status status;
    } rows[] = {
        {{{0}}, 0, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.ids = ids, .n = 0}}, 1, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.sequence = 2, .ids = ids, .n = 1}}, 1, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.ids = ids, .n = 1}, {.ids = ids, .n = 1}}, 2, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.ids = ids, .n = 1, .n_rows = 2}}, 1, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.ids = ids, .n = 5, .n_rows = 5}}, 1, QN_ROWS_LOGITS, QN_E_LIMIT},
        {{{.ids = ids, .n = 65}}, 1, QN_ROWS_LOGITS, QN_E_LIMIT},
        {{{.ids = ids, .n = 129}}, 1, QN_ROWS_LOGITS, QN_E_LIMIT},
        {{{.ids = bad, .n = 2}}, 1, QN_ROWS_LOGITS, QN_E_INVALID},
        {{{.ids = ids, .n = 1}}, 1, 7, QN_E_INVALID},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const qn_status got = qn_session_feed_batch(s, rows[i].items, rows[i].n, rows[i].kind);
        ck_assert_msg(got == rows[i].status, "row %zu: %d", i, got);
        ck_assert_uint_eq(qn_session_get_past(s, 0) + qn_session_get_past(s, 1), 0);
    }
    must_not(QN_E_INVALID, qn_session_rewind_sequence(s, 1, 1));
    must_not(QN_E_INVALID, qn_session_rewind_sequence(s, 2, 0));
    ck_assert_uint_eq(qn_session_get_past(s, 9), 0);
    qn_session_destroy(s);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {texts_side_by_side_are_as_each_alone, 1},
        {every_position_has_its_logits, 1},
        {feeding_and_batches_may_take_turns, 1},
        {states_are_behind_the_norm, 1},
        {wrong_batches_change_nothing, 1},
        {rows_may_be_those_of_tokens_fed_alone_to_the_last_bit, 2},
        {NULL, 0},
    };
    return fixture_run("session_batch", NULL, open_model, close_model, cases);
}
