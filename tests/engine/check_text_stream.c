/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as it is written: whole characters, and stops that begin in one token and end in another.
 * With the bundled model's vocabulary, which has a token for each byte.
 *
 * covers: engine/text_stream */
#include "engine/opened_model.h"
#include "tests/rtc_fixture.h"

static qn_model *model;

static void open_model(void)
{
    char path[4096];
    const char *source = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, path));
}

static void close_model(void)
{
    qn_model_close(model);
}

static int32_t byte_token(unsigned char byte)
{
    char name[8];
    snprintf(name, sizeof name, "<0x%02X>", byte);
    const int32_t id = qn__tokenizer_find(model->tokenizer, name);
    ck_assert_msg(id >= 0, "no token %s", name);
    return id;
}

/* All of `bytes`, a token for each, with a bar where a piece ends. */
static void write_bytes(struct qn__str *out, qn_text *t, const char *bytes)
{
    const char *piece;
    size_t n;
    for (; *bytes; bytes++) {
        must(qn_text_add(t, byte_token((unsigned char)*bytes), &piece, &n));
        ck_assert_uint_eq(strlen(piece), n);
        qn__str_printf(out, "%s%s", piece, n ? "|" : "");
    }
    must(qn_text_end(t, &piece, &n));
    qn__str_printf(out, "%s", piece);
}

static const struct {
    const char *name, *bytes, *stops[3], *want, *stop;
} rows[] = {
    {"without stops every byte comes at once", "abc", {0}, "a|b|c|", NULL},
    {"a stop over three tokens", "xENDy", {"END"}, "x|", "END"},
    {"what only began like one comes with what follows", "xENy", {"END"}, "x|ENy|", NULL},
    {"a beginning within a beginning", "aab!", {"ab!"}, "a|", "ab!"},
    {"the beginning is held to the end", "xEN", {"END"}, "x|EN", NULL},
    {"the first of several", "one two", {"two", "e t", "o"}, "", "o"},
    {"the longest beginning is held", "a\n\nU!", {"\n\nUser:", "\nX"}, "a|\n\nU!|", NULL},
    {"a character in parts", "\xc3\xa9\xe2\x82\xac", {0}, "\xc3\xa9|\xe2\x82\xac|", NULL},
    {"a stop in parts of characters", "a\xe2\x82\xac", {"\xe2\x82\xac"}, "a|", "\xe2\x82\xac"},
    {"bytes that are no text",
     "\xff\xc3(\xe2\x82",
     {0},
     "\xef\xbf\xbd|\xef\xbf\xbd(|\xef\xbf\xbd",
     NULL},
    {"surrogates are no text", "\xed\xa0\x80", {0}, "\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd|", NULL},
};

START_TEST(stops_end_the_text_over_token_borders)
{
    struct qn__str got = {0};
    uint32_t n = 0;
    qn_text *t;
    while (n < 3 && rows[_i].stops[n])
        n++;
    must(qn_text_create(&t, model, true, rows[_i].stops, n));
    write_bytes(&got, t, rows[_i].bytes);
    ck_assert_msg(qn__equal(got.text ? got.text : "", rows[_i].want), "%s: '%s'", rows[_i].name,
                  got.text);
    ck_assert_msg(qn__equal(qn_text_get_stop(t), rows[_i].stop), "%s: stop %s", rows[_i].name,
                  qn_text_get_stop(t));
    qn__str_release(&got);
    qn_text_destroy(t);
}
END_TEST

START_TEST(a_stop_that_begins_in_the_middle_of_a_token_is_found)
{
    static const char text[] = "Once upon a time there was a little dog. They lived happily";
    static const char *const stop = "le dog. They li";
    qn_tokens tokens;
    const char *piece;
    size_t n;
    struct qn__str got = {0};
    qn_text *t;
    must(qn_model_encode(&tokens, model, text, strlen(text), QN_ENCODE_BOS));
    ck_assert_uint_lt(tokens.n, 30);
    must(qn_text_create(&t, model, false, &stop, 1));
    for (uint32_t i = 0; i < tokens.n; i++) {
        must(qn_text_add(t, tokens.ids[i], &piece, &n));
        qn__str_add(&got, piece);
    }
    ck_assert_str_eq(got.text, "Once upon a time there was a litt");
    ck_assert_str_eq(qn_text_get_stop(t), stop);
    free(tokens.ids);
    qn__str_release(&got);
    qn_text_destroy(t);
}
END_TEST

START_TEST(wrong_use_is_refused)
{
    static const char *const empty = "";
    qn_text *t;
    const char *piece;
    size_t n;
    must_not(QN_E_INVALID, qn_text_create(&t, model, false, &empty, 1));
    ck_assert_ptr_null(t);
    must(qn_text_create(&t, model, false, NULL, 0));
    must_not(QN_E_INVALID, qn_text_add(t, 1 << 30, &piece, &n));
    qn_text_destroy(t);
    qn_text_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text_stream");
    TCase *tc = tcase_create("text_stream");
    tcase_add_unchecked_fixture(tc, open_model, close_model);
    tcase_add_loop_test(tc, stops_end_the_text_over_token_borders, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, a_stop_that_begins_in_the_middle_of_a_token_is_found);
    tcase_add_test(tc, wrong_use_is_refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
