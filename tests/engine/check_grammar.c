/* SPDX-License-Identifier: Apache-2.0
 *
 * Grammars: which texts follow them, which are refused and where, and that a sampler under one
 * always has a token that fits or an end.
 *
 * covers: engine/grammar_parse engine/grammar_state engine/token_grammar engine/utf8_ranges */
#include "engine/grammar_parse.h"
#include "engine/utf8_ranges.h"
#include "tests/engine/grammar_text.h"
#include "tests/rtc_fixture.h"

#include <math.h>
#include <quern/model.h>

static const struct {
    const char *name, *grammar, *yes[6], *no[6], *begun[4];
} rows[] = {
    {"a word", "root ::= \"yes\"", {"yes"}, {"no", "yesx", "y!"}, {"", "ye"}},
    {"one of two", "root ::= \"yes\" | \"no\"", {"yes", "no"}, {"yno", "maybe"}, {"n"}},
    {"a class", "root ::= [a-cX_] [^0-9]", {"ax", "X\n", "_\xc3\xa9"}, {"d", "a5"}, {"a"}},
    {"any character",
     "root ::= .",
     {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x99"},
     {"\xff", "xx", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"},
     {"\xe2\x82"}},
    {"a class beyond ASCII",
     "root ::= [\xc3\xa0-\xc3\xbf\\u20AC]+",
     {"\xc3\xa0\xc3\xa9", "\xe2\x82\xac"},
     {"e", "\xc4\x80"},
     {"\xc3"}},
    {"repeated",
     "root ::= \"a\"* \"b\"+ \"c\"?",
     {"b", "aab", "abbbc", "bc"},
     {"a!", "c", "bcc"},
     {"aa"}},
    {"so many times",
     "root ::= \"a\"{2} \"b\"{1,3} \"c\"{2,}",
     {"aabcc", "aabbbccccc"},
     {"abcc", "aabbbbcc", "aacc"},
     {"aabc", "aa"}},
    {"so many rules",
     "root ::= w{3,5}\nw ::= [a-z] \";\"",
     {"a;b;c;", "a;b;c;d;e;"},
     {"a;b;c;d;e;f;", "ab"},
     {"a;b;"}},
    {"many that may be missing", "root ::= [0-9]{0,40} \"x\"", {"x", "0123456789x"}, {"y"}, {"1"}},
    {"groups and lines",
     "root ::= (\n  \"a\" # one\n  | \"b\"\n)+\n\n# end\n",
     {"a", "ab"},
     {"c"},
     {""}},
    {"rules in any order",
     "root ::= x \"-\" x\nx ::= y | \"(\" x \")\"\ny ::= [0-9]",
     {"1-2", "((1))-(2)"},
     {"(1-2"},
     {"((3)"}},
    {"recursion at the end",
     "root ::= \"a\" root | \"b\"",
     {"b", "aaab"},
     {"ba"},
     {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
    {"nothing", "root ::= \"\"", {""}, {"a"}, {0}},
    {"nothing in a loop", "root ::= (\"\" | \"a\"?)* \"b\"", {"b", "aab"}, {"c"}, {"a"}},
    {"escapes",
     "root ::= \"\\x41\\u00e9\\n\\\"\\\\\" [\\]\\-]",
     {"A\xc3\xa9\n\"\\]"},
     {"A]"},
     {"A"}},
    {"a loop that takes a part twice",
     "root ::= ((\"a\"+)+)+ \"!\"",
     {"a!", "aaaa!"},
     {"!"},
     {"aa"}},
};

START_TEST(texts_follow_a_grammar_or_do_not)
{
    struct qn__grammar g;
    const char *text = rows[_i].grammar;
    ck_assert_msg(qn__grammar_parse(&g, text, strlen(text), "root") == QN_OK, "%s: %s",
                  rows[_i].name, qn_message());
    for (int j = 0; j < 6 && rows[_i].yes[j]; j++)
        ck_assert_msg(follows(&g, rows[_i].yes[j]) == 2, "%s: '%s' does not follow", rows[_i].name,
                      rows[_i].yes[j]);
    for (int j = 0; j < 6 && rows[_i].no[j]; j++)
        ck_assert_msg(follows(&g, rows[_i].no[j]) == 0, "%s: '%s' follows", rows[_i].name,
                      rows[_i].no[j]);
    for (int j = 0; j < 4 && rows[_i].begun[j]; j++)
        ck_assert_msg(follows(&g, rows[_i].begun[j]) == 1, "%s: '%s' does not go on", rows[_i].name,
                      rows[_i].begun[j]);
    qn__grammar_release(&g);
}
END_TEST

static const struct {
    const char *name, *grammar, *message;
    qn_status status;
} bad[] = {
    {"no rule", "", "there is no rule 'root'", QN_E_INVALID},
    {"another root", "rot ::= \"a\"", "there is no rule 'root'", QN_E_INVALID},
    {"no arrow", "root = \"a\"", "line 1, column 6: '::=' is missing", QN_E_INVALID},
    {"an open string", "root ::= \"a", "ends within quotes", QN_E_INVALID},
    {"an open class", "root ::= [a", "ends within quotes or brackets", QN_E_INVALID},
    {"an open group", "root ::= (\"a\"", "a ')' is missing", QN_E_INVALID},
    {"a missing rule", "root ::= \"a\"\n  b ::= c", "line 2, column 9: there is no rule",
     QN_E_INVALID},
    {"a rule twice", "root ::= \"a\"\nroot ::= \"b\"", "line 2, column 1: this rule is there",
     QN_E_INVALID},
    {"a rule that begins with itself", "root ::= x\nx ::= x \"a\" | \"b\"", "begins with itself",
     QN_E_INVALID},
    {"nothing but itself", "root ::= root ", "line 1, column 1: this rule begins with itself",
     QN_E_INVALID},
    {"over another one", "root ::= \"c\"? y\ny ::= root \"a\"", "begins with itself", QN_E_INVALID},
    {"in a repetition", "root ::= (\"a\"? root)*", "begins with", QN_E_INVALID},
    {"in many of them", "root ::= (\"a\"? root){9}", "begins with", QN_E_INVALID},
    {"an empty class", "root ::= []", "no character is in these", QN_E_INVALID},
    {"a class of none", "root ::= [^\\x00-\\U0010FFFF]", "no character is left", QN_E_INVALID},
    {"backwards", "root ::= [z-a]", "goes backwards", QN_E_INVALID},
    {"an unknown escape", "root ::= \"\\q\"", "no such escape", QN_E_INVALID},
    {"half a surrogate", "root ::= \"\\uD800\"", "is no character", QN_E_INVALID},
    {"fewer than least", "root ::= \"a\"{3,2}", "fewer at most", QN_E_INVALID},
    {"a bare word end", "root ::= \"a\" )", "no part of a rule", QN_E_INVALID},
    {"a token", "root ::= <[1000]>", "tokens in a grammar", QN_E_UNSUPPORTED},
    {"no UTF-8", "root ::= \"\xff\"", "not UTF-8", QN_E_INVALID},
    {"too large", "root ::= ((((\"a\"{500} x){500} x){500} x){500} x){500}\nx ::= \"b\"{0,600000}",
     "too large", QN_E_LIMIT},
    {"too often", "root ::= \"a\"{99999999}", "too often", QN_E_LIMIT},
};

START_TEST(what_is_no_grammar_is_refused_with_the_place)
{
    struct qn__grammar g;
    const char *text = bad[_i].grammar;
    const qn_status s = qn__grammar_parse(&g, text, strlen(text), "root");
    ck_assert_msg(s == bad[_i].status, "%s: status %d: %s", bad[_i].name, s, qn_message());
    ck_assert_msg(strstr(qn_message(), bad[_i].message) != NULL, "%s: %s", bad[_i].name,
                  qn_message());
    ck_assert_ptr_null(g.nodes);
}
END_TEST

static int count_range(const struct qn__utf8_sequence *s, void *payload)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < s->n; i++)
        n *= s->bytes[i].high - s->bytes[i].low + 1u;
    *(uint32_t *)payload += n;
    return 1;
}

START_TEST(ranges_of_bytes_are_as_many_characters)
{
    static const uint32_t ranges[][3] = {
        {0, 0x10ffff, 0x110000 - 0x800}, {0x7f, 0x80, 2},         {0x20, 0x20, 1},
        {0x3ff, 0x1234, 0xe36},          {0xd000, 0xe000, 0x801}, {0xfffe, 0x10001, 4}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        uint32_t n = 0;
        ck_assert(qn__utf8_ranges(ranges[i][0], ranges[i][1], count_range, &n));
        ck_assert_msg(n == ranges[i][2], "range %zu: %u characters", i, n);
    }
}
END_TEST

START_TEST(depth_has_an_end_that_stalls_nothing_else)
{
    static const char text[] = "root ::= \"(\" root \")\" | \"x\"";
    struct qn__grammar g;
    struct qn__grammar_states *s;
    uint32_t state, n = 0;
    ck_assert(qn__grammar_parse(&g, text, strlen(text), "root") == QN_OK);
    ck_assert(qn__grammar_states_create(&s, &g, &state) == QN_OK);
    for (uint32_t next = state; next != QN__STATE_NONE && n < 5000; n++) {
        state = next;
        ck_assert(qn__grammar_step(&next, s, state, '(') == QN_OK);
    }
    ck_assert_uint_gt(n, 1000);
    ck_assert_uint_lt(n, 5000);
    ck_assert(qn__grammar_step(&state, s, state, 'x') == QN_OK);
    ck_assert_uint_ne(state, QN__STATE_NONE);
    qn__grammar_states_destroy(s);
    qn__grammar_release(&g);
}
END_TEST

/* -- with a model's tokens -- */

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

/* Text from logits that mean nothing, up to n tokens; whether the grammar let it end. */
static bool write_random(struct qn__str *out, qn_grammar *g, uint64_t seed, uint32_t n)
{
    const uint32_t n_vocab = qn_model_get_info(model)->n_vocab;
    float *logits = calloc(n_vocab, sizeof *logits);
    qn_sampler *sampler;
    bool ended = false;
    must(qn_sampler_create(&sampler, &(qn_sampler_options){.temperature = 1.0f, .seed = seed}));
    qn_sampler_set_grammar(sampler, g);
    qn_grammar_reset(g);
    for (uint32_t i = 0; i < n && !ended; i++) {
        int32_t id;
        char *text;
        size_t n_bytes;
        for (uint32_t j = 0; j < n_vocab; j++)
            logits[j] = (float)((j * 2654435761u + i * 40503u + (uint32_t)seed) % 1000u) * 0.01f;
        must(qn_sampler_choose(&id, sampler, logits, n_vocab));
        ended = qn_model_is_end(model, id);
        must(qn_model_decode_next(&text, &n_bytes, model, id));
        qn__str_add_bytes(out, text, n_bytes);
        free(text);
    }
    qn_sampler_destroy(sampler);
    free(logits);
    return ended;
}

static const char *const written[] = {
    "root ::= \"yes\" | \"no\"",
    "root ::= [a-z]{3,12} (\" \" [a-z]{3,12}){0,4} \".\"",
    "root ::= \"\xf0\x9f\xa6\x99\"{2}",
    "root ::= o\no ::= \"{\" (p (\",\" p)*)? \"}\"\np ::= \"\\\"\" [a-z]+ \"\\\":\" (o | [0-9]+)",
};

START_TEST(a_sampler_under_a_grammar_writes_what_follows_it)
{
    struct qn__grammar parsed;
    qn_grammar *g;
    uint32_t n_ended = 0;
    must(qn_grammar_create(&g, model, written[_i], strlen(written[_i]), NULL));
    ck_assert(qn__grammar_parse(&parsed, written[_i], strlen(written[_i]), "root") == QN_OK);
    for (uint64_t seed = 1; seed < 12; seed++) {
        struct qn__str text = {0};
        const bool ended = write_random(&text, g, seed, 80);
        const int how = follows(&parsed, text.text ? text.text : "");
        ck_assert_msg(how == 2 || (how == 1 && !ended), "'%s' %d %d", text.text, how, ended);
        n_ended += ended;
        qn__str_release(&text);
    }
    ck_assert(_i == 3 || n_ended == 11);
    qn__grammar_release(&parsed);
    qn_grammar_destroy(g);
}
END_TEST

START_TEST(tokens_are_accepted_or_not)
{
    static const char text[] = "root ::= \"Once upon\" .*";
    qn_grammar *g;
    qn_tokens good, bad_ones;
    must(qn_grammar_create(&g, model, text, strlen(text), NULL));
    must(qn_model_encode(&good, model, "xOnce upon a time", 17, 0));
    must(qn_model_encode(&bad_ones, model, "xOnce two", 9, 0));
    ck_assert(!qn_grammar_is_complete(g));
    uint32_t first = 0; /* behind the tokens that stand for the x */
    while (qn_grammar_accept(g, good.ids[first]) == QN_E_NOT_FOUND && first + 1 < good.n)
        first++;
    for (uint32_t i = first + 1; i < good.n; i++)
        must(qn_grammar_accept(g, good.ids[i]));
    ck_assert(qn_grammar_is_complete(g));
    qn_grammar_reset(g);
    ck_assert(!qn_grammar_is_complete(g));
    must_not(QN_E_NOT_FOUND, qn_grammar_accept(g, bad_ones.ids[bad_ones.n - 1]));
    free(good.ids);
    free(bad_ones.ids);
    qn_grammar_destroy(g);
}
END_TEST

START_TEST(without_a_token_that_fits_it_is_said)
{
    static const char text[] = "root ::= \"a\"";
    qn_grammar *g;
    qn_sampler *s;
    qn_logit_bias *never;
    const uint32_t n_vocab = qn_model_get_info(model)->n_vocab;
    float *logits = calloc(n_vocab, sizeof *logits);
    uint32_t n = 0;
    int32_t id;
    must(qn_grammar_create(&g, model, text, strlen(text), NULL));
    never = calloc(n_vocab, sizeof *never);
    for (uint32_t i = 0; i < n_vocab; i++)
        if (qn_model_is_end(model, (int32_t)i))
            never[n++] = (qn_logit_bias){(int32_t)i, -INFINITY};
    must(qn_sampler_create(&s, &(qn_sampler_options){.biases = never, .n_biases = n}));
    qn_sampler_set_grammar(s, g);
    must(qn_sampler_choose(&id, s, logits, n_vocab));
    ck_assert(qn_grammar_is_complete(g));
    must_not(QN_E_NOT_FOUND, qn_sampler_choose(&id, s, logits, n_vocab));
    ck_assert_ptr_nonnull(strstr(qn_message(), "complete"));
    qn_sampler_set_grammar(s, NULL);
    must(qn_sampler_choose(&id, s, logits, n_vocab));
    qn_sampler_destroy(s);
    qn_grammar_destroy(g);
    free(never);
    free(logits);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grammar");
    TCase *tc = tcase_create("grammar"), *tokens = tcase_create("tokens");
    tcase_add_loop_test(tc, texts_follow_a_grammar_or_do_not, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tc, what_is_no_grammar_is_refused_with_the_place, 0,
                        sizeof bad / sizeof *bad);
    tcase_add_test(tc, ranges_of_bytes_are_as_many_characters);
    tcase_add_test(tc, depth_has_an_end_that_stalls_nothing_else);
    tcase_add_unchecked_fixture(tokens, open_model, close_model);
    tcase_add_loop_test(tokens, a_sampler_under_a_grammar_writes_what_follows_it, 0,
                        sizeof written / sizeof *written);
    tcase_add_test(tokens, tokens_are_accepted_or_not);
    tcase_add_test(tokens, without_a_token_that_fits_it_is_said);
    suite_add_tcase(suite, tc);
    suite_add_tcase(suite, tokens);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
