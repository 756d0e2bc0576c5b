/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokenizers: vocabularies of real models against the encodings expected of them (from the folder
 * QN_DATA, else ../shared/data beside the sources), and small vocabularies made here, in which the
 * right answer can be seen.
 *
 * covers: engine/tokenizer engine/bpe engine/spm engine/unigram engine/merge engine/vocabulary
 * engine/utf8 engine/pretokenize engine/pretokenizer_rules engine/token_list */
#include "engine/model_open.h"
#include "engine/pretokenize.h"
#include "engine/pretokenizer_rules.h"
#include "engine/tokenizer.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/rtc_fixture.h"

static const char separator[] = "\n__ggml_vocab_test__\n";

/* -- real vocabularies -- */

static const struct {
    const char *name, *model, *pre;
    bool add_bos, lacks_bytes; /* some bytes are no token, which UTF-8 seldom or never needs */
} real[] = {
    {"gpt-2", "bpe", "gpt-2", false, false}, {"falcon", "bpe", "falcon", false, true},
    {"qwen2", "bpe", "qwen2", false, false}, {"llama-spm", "spm", "", true, false},
    {"phi-3", "spm", "", true, false},
};
enum { REAL = sizeof real / sizeof real[0], CASES = 47 };

static const char *data_path(const char *ending, int vocabulary)
{
    static char path[4][4096];
    static int turn;
    turn = (turn + 1) % 4;
    const char *folder = getenv("QN_DATA"), *source = getenv("QN_SOURCE");
    if (folder)
        snprintf(path[turn], sizeof path[turn], "%s/tokenizers/ggml-vocab-%s.gguf%s", folder,
                 real[vocabulary].name, ending);
    else
        snprintf(path[turn], sizeof path[turn], "%s/../shared/data/tokenizers/ggml-vocab-%s.gguf%s",
                 source ? source : ".", real[vocabulary].name, ending);
    return path[turn];
}

struct opened {
    struct qn__model_file *file;
    struct qn__tokenizer *tokenizer;
};

static struct opened open_real(int vocabulary)
{
    struct opened o;
    must(qn__model_file_open(&o.file, data_path("", vocabulary)));
    must(qn__tokenizer_create(&o.tokenizer, o.file));
    return o;
}

static void close_opened(struct opened o)
{
    qn__tokenizer_destroy(o.tokenizer);
    qn__model_file_close(o.file);
}

static struct qn__str ids_text(const struct qn__tokens *tokens)
{
    struct qn__str s = {0};
    for (uint32_t i = 0; i < tokens->n; i++)
        qn__str_printf(&s, " %d", tokens->ids[i]);
    if (!tokens->n)
        qn__str_add(&s, "");
    return s;
}

static struct qn__str decode_all(const struct qn__tokenizer *t, const struct qn__tokens *tokens)
{
    struct qn__str s = {0};
    qn__str_add(&s, "");
    for (uint32_t i = 0; i < tokens->n; i++)
        must(qn__tokenizer_decode(&s, t, tokens->ids[i], i == 0, false));
    return s;
}

START_TEST(every_expected_encoding_of_a_real_vocabulary)
{
    char *texts, *expected;
    size_t n_texts, n_expected;
    const struct opened o = open_real(_i);
    const struct qn__token_facts *facts = qn__tokenizer_facts(o.tokenizer);
    ck_assert_str_eq(facts->model, real[_i].model);
    ck_assert_str_eq(facts->pre, real[_i].pre);
    ck_assert_int_eq(facts->add_bos, real[_i].add_bos);
    must(qn__file_read(&texts, &n_texts, data_path(".inp", _i), 1 << 20));
    must(qn__file_read(&expected, &n_expected, data_path(".out", _i), 1 << 20));
    uint32_t n = 0; /* the last text is empty, and has no line */
    for (char *text = texts, *line = expected; text <= texts + n_texts; n++) {
        char *text_end = strstr(text, separator), *line_end = strchr(line, '\n');
        if (!text_end)
            text_end = texts + n_texts;
        ck_assert(line_end || text == text_end);
        if (line_end)
            *line_end = '\0';
        struct qn__tokens tokens;
        must(qn__tokenizer_encode(&tokens, o.tokenizer, text, (size_t)(text_end - text), 0));
        struct qn__str ours = ids_text(&tokens), again = decode_all(o.tokenizer, &tokens);
        ck_assert_msg(!strcmp(ours.text, line), "%s: '%.*s': expected%s, got%s", real[_i].name,
                      (int)(text_end - text), text, line, ours.text);
        ck_assert_uint_eq(again.len, (size_t)(text_end - text));
        ck_assert_int_eq(memcmp(again.text, text, again.len), 0);
        qn__str_release(&ours);
        qn__str_release(&again);
        free(tokens.ids);
        text = text_end + strlen(separator);
        line = line_end ? line_end + 1 : line;
    }
    ck_assert_uint_eq(n, CASES);
    free(texts);
    free(expected);
    close_opened(o);
}
END_TEST

/* Any characters, with runs of spaces, letters and digits among them. U+2581 is left out: it is how
 * SentencePiece writes a space, so it cannot come back. */
static void random_text(struct qn__str *out, uint64_t *state, uint32_t n_characters)
{
    qn__str_clear(out);
    qn__str_add(out, "");
    for (uint32_t i = 0; i < n_characters; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t r = (uint32_t)(*state >> 33), kind = r & 7;
        uint32_t c = kind < 2    ? (uint32_t)"  \n\tabe'st.,!09"[(r >> 3) % 15]
                     : kind == 2 ? (r >> 3) % 0x80
                     : kind == 3 ? (r >> 3) % 0x800
                     : kind < 6  ? (r >> 3) % 0x10000
                                 : (r >> 3) % 0x110000;
        if ((c >= 0xd800 && c < 0xe000) || c == 0x2581)
            c = ' ';
        if (c < 0x80) {
            qn__str_add_char(out, (char)c);
        } else if (c < 0x800) {
            qn__str_add_char(out, (char)(0xc0 | c >> 6));
            qn__str_add_char(out, (char)(0x80 | (c & 0x3f)));
        } else {
            if (c < 0x10000)
                qn__str_add_char(out, (char)(0xe0 | c >> 12));
            else
                qn__str_add_char(out, (char)(0xf0 | c >> 18));
            if (c >= 0x10000)
                qn__str_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
            qn__str_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
            qn__str_add_char(out, (char)(0x80 | (c & 0x3f)));
        }
    }
}

/* Encoded and decoded it is the same again; or (false) refused for a byte that is no token. */
static bool must_come_back(const struct qn__tokenizer *t, int vocabulary, const char *text,
                           size_t n_bytes)
{
    const char *name = real[vocabulary].name;
    struct qn__tokens tokens;
    const qn_status s = qn__tokenizer_encode(&tokens, t, text, n_bytes, 0);
    if (s == QN_E_UNSUPPORTED && real[vocabulary].lacks_bytes) {
        says(qn_message(), "no token for the byte");
        return false;
    }
    ck_assert_msg(s == QN_OK, "%s: %s", name, qn_message());
    struct qn__str again = decode_all(t, &tokens);
    ck_assert_msg(again.len == n_bytes && memcmp(again.text, text, n_bytes) == 0,
                  "%s: '%.*s' came back as '%s'", name, (int)n_bytes, text, again.text);
    qn__str_release(&again);
    free(tokens.ids);
    return true;
}

START_TEST(random_unicode_comes_back)
{
    uint32_t n_back = 0;
    const struct opened o = open_real(_i);
    struct qn__str text = {0};
    uint64_t state = (uint64_t)_i + 1;
    for (uint32_t round = 0; round < 200; round++) {
        random_text(&text, &state, round % 97);
        n_back += must_come_back(o.tokenizer, _i, text.text, text.len);
    }
    ck_assert_uint_ge(n_back, real[_i].lacks_bytes ? 20 : 200);
    qn__str_release(&text);
    close_opened(o);
}
END_TEST

START_TEST(bytes_that_are_no_utf8_come_back)
{
    static const char *const broken[] = {
        "\xff",
        "a\x80z",
        "\xc3",
        "\xe2\x96",
        "\xed\xa0\x80",
        "\xc0\xaf x",
        "\xf5\x80\x80\x80",
        "\xc3\xc3\xa9",
        " \xf0\x9f\x98 \n",
        "\x80\x80\x80 caf\xc3\xa9",
    };
    const struct opened o = open_real(_i);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        must_come_back(o.tokenizer, _i, broken[i], strlen(broken[i]));
    must_come_back(o.tokenizer, _i, "a\0b", 3);
    close_opened(o);
}
END_TEST

START_TEST(long_texts_without_a_cut_are_encoded)
{
    const struct opened o = open_real(_i);
    const size_t n = 60000; /* a quadratic loop would not end */
    char *text = malloc(n);
    static const char *const patterns[] = {"a", " ", "ab", "\n", "!", "7", "\xc3\xa9", "\xff"};
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        for (size_t i = 0; i < n; i++)
            text[i] = patterns[p][i % strlen(patterns[p])];
        must_come_back(o.tokenizer, _i, text, n);
    }
    free(text);
    close_opened(o);
}
END_TEST

START_TEST(special_tokens_are_found_only_where_asked_for)
{
    static const struct {
        const char *text, *with, *without;
    } cases[] = {
        {"<|im_start|>a<|im_end|>", " 151644 64 151645",
         " 27 91 318 4906 91 29 64 27 91 318 6213 91 29"},
    };
    const struct opened o = open_real(2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct qn__tokens tokens;
        must(qn__tokenizer_encode(&tokens, o.tokenizer, cases[i].text, strlen(cases[i].text),
                                  QN__ENCODE_SPECIAL));
        struct qn__str ours = ids_text(&tokens), plain = decode_all(o.tokenizer, &tokens);
        ck_assert_str_eq(ours.text, cases[i].with);
        ck_assert_str_eq(plain.text, "a"); /* special tokens stand for no text */
        free(tokens.ids);
        qn__str_release(&ours);
        qn__str_release(&plain);
        must(qn__tokenizer_encode(&tokens, o.tokenizer, cases[i].text, strlen(cases[i].text), 0));
        ours = ids_text(&tokens);
        ck_assert_str_eq(ours.text, cases[i].without);
        free(tokens.ids);
        qn__str_release(&ours);
    }
    ck_assert(qn__tokenizer_is_end(o.tokenizer, 151645));
    ck_assert(qn__tokenizer_is_end(o.tokenizer, 151643));
    ck_assert(!qn__tokenizer_is_end(o.tokenizer, 64));
    ck_assert(!qn__tokenizer_is_end(o.tokenizer, -1));
    ck_assert_int_eq(qn__tokenizer_facts(o.tokenizer)->eot, 151645);
    struct qn__str piece = {0};
    must(qn__tokenizer_decode(&piece, o.tokenizer, 151644, false, true));
    ck_assert_str_eq(piece.text, "<|im_start|>");
    must_not(QN_E_INVALID, qn__tokenizer_decode(&piece, o.tokenizer, 151646, false, true));
    must_not(QN_E_INVALID, qn__tokenizer_decode(&piece, o.tokenizer, -1, false, true));
    qn__str_release(&piece);
    close_opened(o);
}
END_TEST

/* -- small vocabularies -- */

struct word {
    const char *text;
    int score; /* as a float */
    int type;
};

/* A file with this vocabulary; merges "a b|ab c", or NULL for none. */
static struct opened make(const char *model, const char *pre, const struct word *words, uint32_t n,
                          const char *merges, qn_status expected)
{
    static struct qn__str w; /* outlives the file */
    struct opened o = {0};
    qn__str_clear(&w);
    gguf_head(&w, 3, 0, 4 + (pre != NULL) + (merges != NULL));
    gguf_fact_text(&w, "tokenizer.ggml.model", model);
    if (pre)
        gguf_fact_text(&w, "tokenizer.ggml.pre", pre);
    gguf_fact_array(&w, "tokenizer.ggml.tokens", GGUF_TEXT, n);
    for (uint32_t i = 0; i < n; i++)
        gguf_text(&w, words[i].text);
    gguf_fact_array(&w, "tokenizer.ggml.scores", GGUF_F32, n);
    for (uint32_t i = 0; i < n; i++) {
        const float score = (float)words[i].score;
        uint32_t bits;
        memcpy(&bits, &score, sizeof bits);
        gguf_number(&w, bits, 4);
    }
    gguf_fact_array(&w, "tokenizer.ggml.token_type", GGUF_I32, n);
    for (uint32_t i = 0; i < n; i++)
        gguf_number(&w, (uint32_t)words[i].type, 4);
    if (merges) {
        uint32_t n_merges = 1;
        for (const char *p = merges; *p; p++)
            n_merges += *p == '|';
        gguf_fact_array(&w, "tokenizer.ggml.merges", GGUF_TEXT, n_merges);
        for (const char *p = merges; n_merges--; p += strcspn(p, "|") + 1) {
            gguf_number(&w, strcspn(p, "|"), 8);
            qn__str_add_bytes(&w, p, strcspn(p, "|"));
        }
    }
    must(qn__model_file_open_bytes(&o.file, w.text, w.len));
    const qn_status s = qn__tokenizer_create(&o.tokenizer, o.file);
    ck_assert_msg(s == expected, "%s: %s", qn_status_name(s), qn_message());
    return o;
}

static void check_ids(const struct qn__tokenizer *t, const char *text, unsigned flags,
                      const char *expected)
{
    struct qn__tokens tokens;
    must(qn__tokenizer_encode(&tokens, t, text, strlen(text), flags));
    struct qn__str ours = ids_text(&tokens);
    ck_assert_msg(!strcmp(ours.text, expected), "'%s': expected%s, got%s", text, expected,
                  ours.text);
    qn__str_release(&ours);
    free(tokens.ids);
}

#define SPM_WORDS                                                                                  \
    {"<unk>", 0, 2}, {"<s>", 0, 3}, {"</s>", 0, 3}, {"\xe2\x96\x81", -9, 1}, {"a", -9, 1},         \
        {"b", -9, 1}, {"c", -9, 1}, {"ab", -3, 1}, {"bc", -2, 1}, {"abc", -4, 1},                  \
        {"<0x21>", 0, 6}, {"bb", -5, 1}, {"[X]", 0, 4}
static const struct word spm_words[] = {SPM_WORDS};
enum { SPM_N = sizeof spm_words / sizeof spm_words[0] };

/* In OpenAI's harmony an answer is several messages. */
START_TEST(the_end_of_a_message_ends_no_answer_of_several)
{
    static const struct word words[] = {
        {"<unk>", 0, 2},   {"<s>", 0, 3},      {"</s>", 0, 3},        {"a", -9, 1},
        {"<|end|>", 0, 3}, {"<|call|>", 0, 3}, {"<|channel|>", 0, 3}, {"<|return|>", 0, 3}};
    for (uint32_t n = 7; n <= 8; n++) { /* without and with <|return|> */
        const struct opened o = make("llama", NULL, words, n, NULL, QN_OK);
        ck_assert(qn__tokenizer_is_end(o.tokenizer, 4) == (n == 7));
        qn__tokenizer_add_end(o.tokenizer, "<|end|>", 7); /* as after what a template writes */
        ck_assert(qn__tokenizer_is_end(o.tokenizer, 4) == (n == 7));
        ck_assert(qn__tokenizer_is_end(o.tokenizer, 5));
        ck_assert(!qn__tokenizer_is_end(o.tokenizer, 6));
        ck_assert(qn__tokenizer_is_end(o.tokenizer, 7) == (n == 8));
        close_opened(o);
    }
}
END_TEST

START_TEST(spm_joins_the_best_score_first)
{
    const struct opened o = make("llama", NULL, spm_words, SPM_N, NULL, QN_OK);
    const struct qn__tokenizer *t = o.tokenizer;
    check_ids(t, "ab", 0, " 3 7");
    check_ids(t, "abc", 0, " 3 9"); /* bc first, then a with bc */
    check_ids(t, "abb", 0, " 3 7 5");
    check_ids(t, "bbb", 0, " 3 11 5"); /* equal pairs from the left */
    check_ids(t, "", 0, "");
    check_ids(t, "a!", 0, " 3 4 10");
    check_ids(t, "a?", 0, " 3 4 0"); /* no byte token */
    check_ids(t, "a", QN__ENCODE_BOS, " 1 3 4");
    check_ids(t, "a[X]b", 0, " 3 4 12 3 5"); /* the author's tokens are always found */
    check_ids(t, "<s>", QN__ENCODE_SPECIAL, " 1");
    ck_assert(qn__tokenizer_is_end(t, 2));
    close_opened(o);
}
END_TEST

START_TEST(unigram_takes_the_largest_sum)
{
    static const struct word words[] = {
        {"<unk>", 0, 2}, {"<s>", 0, 3},  {"</s>", 0, 3}, {"\xe2\x96\x81", -1, 1},
        {"a", -5, 1},    {"b", -5, 1},   {"ab", -6, 1},  {"bc", -2, 1},
        {"c", -9, 1},    {"abc", -8, 1},
    };
    const struct opened o = make("t5", NULL, words, 10, NULL, QN_OK);
    check_ids(o.tokenizer, "ab", 0, " 3 6");
    check_ids(o.tokenizer, "abc", 0, " 3 4 7"); /* -5 - 2 is more than -8 and than -6 - 9 */
    check_ids(o.tokenizer, "xab", 0, " 3 0 6");
    check_ids(o.tokenizer, "a", QN__ENCODE_BOS, " 1 3 4 2");
    close_opened(o);
}
END_TEST

START_TEST(bpe_joins_by_rank_inside_a_piece)
{
    static const struct word words[] = {{"a", 0, 1},
                                        {"b", 0, 1},
                                        {"\xc4\xa0", 0, 1},
                                        {"ab", 0, 1},
                                        {"ba", 0, 1},
                                        {"\xc4\xa0"
                                         "ab",
                                         0, 1},
                                        {"aba", 0, 1}};
    const struct opened o = make("gpt2", "gpt-2", words, 7, "b a|a b|\xc4\xa0 ab|ab a", QN_OK);
    check_ids(o.tokenizer, "ab", 0, " 3");
    check_ids(o.tokenizer, "aba", 0, " 0 4");
    check_ids(o.tokenizer, " ab", 0, " 5");
    check_ids(o.tokenizer, "b ab", 0, " 1 5"); /* no merge across the cut */
    struct qn__tokens tokens;
    must_not(QN_E_UNSUPPORTED, qn__tokenizer_encode(&tokens, o.tokenizer, "c", 1, 0));
    says(qn_message(), "0x63");
    close_opened(o);
    const struct opened words_first =
        make("gpt2", "llama-bpe", words, 7, "b a|a b|\xc4\xa0 ab|ab a", QN_OK);
    check_ids(words_first.tokenizer, "aba", 0, " 6"); /* a piece that is a token */
    close_opened(words_first);
}
END_TEST

/* "\xe2\x96\x81" is a space. The pair of two spaces is no merge, though its token exists. */
START_TEST(bpe_of_characters_marks_spaces_and_has_bytes)
{
    static const struct word words[] = {{"<unk>", 0, 2},
                                        {"a", 0, 1},
                                        {"b", 0, 1},
                                        {"\xe2\x96\x81", 0, 1},
                                        {"ab", 0, 1},
                                        {"\xe2\x96\x81"
                                         "ab",
                                         0, 1},
                                        {"\n", 0, 1},
                                        {"\n\n", 0, 1},
                                        {"<0xC3>", 0, 6},
                                        {"<0xA9>", 0, 6},
                                        {"\xe2\x96\x81\xe2\x96\x81", 0, 1},
                                        {"ba", 0, 1}};
    static const char merges[] = "b a|a b|\xe2\x96\x81 ab";
    static const struct {
        const char *model, *pre;
    } names[] = {{"gemma4", NULL}, {"gpt2", "gemma4"}, {"gpt2", "granite-embed-multi-311m"}};
    for (int i = 0; i < 3; i++) {
        const struct opened o = make(names[i].model, names[i].pre, words, 12, merges, QN_OK);
        check_ids(o.tokenizer, " ab", 0, " 5");
        check_ids(o.tokenizer, "aba", 0, " 1 11");
        check_ids(o.tokenizer, "  ab", 0, " 3 5");
        check_ids(o.tokenizer, "a\n\nb", 0, " 1 7 2"); /* a whole run, without a merge */
        check_ids(o.tokenizer, "\n\n\n", 0, " 6 6 6");
        check_ids(o.tokenizer, "a\xc3\xa9", 0, " 1 8 9");
        struct qn__tokens tokens;
        must_not(QN_E_UNSUPPORTED, qn__tokenizer_encode(&tokens, o.tokenizer, "\xc3\xa8", 2, 0));
        says(qn_message(), "0xa8");
        must(qn__tokenizer_encode(&tokens, o.tokenizer, " ab\n\xc3\xa9", 6, 0));
        struct qn__str text = decode_all(o.tokenizer, &tokens);
        ck_assert_str_eq(text.text, " ab\n\xc3\xa9");
        qn__str_release(&text);
        free(tokens.ids);
        close_opened(o);
    }
    close_opened(make("gemma4", NULL, words, 12, NULL, QN_E_CORRUPT));
    says(qn_message(), "tokenizer.ggml.merges");
}
END_TEST

/* Names that llama.cpp knows and Quern does not compute, encoders' but for one. */
START_TEST(other_ways_to_cut_are_refused_by_name)
{
    static const struct word words[] = {{"a", 0, 1}};
    static const char *const names[] = {"sarvam-moe", "jina-v1-en", "jina-v2-code", "roberta-bpe",
                                        "whitespace"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        close_opened(make("gpt2", names[i], words, 1, "a a", QN_E_UNSUPPORTED));
        says(qn_message(), names[i]);
    }
}
END_TEST

START_TEST(what_does_not_fit_together_is_refused)
{
    static const struct word words[] = {{"a", 0, 1}, {"b", 0, 1}, {"ab", 0, 1}};
    static const struct word bad_type[] = {{"a", 0, 7}};
    close_opened(make("gpt2", "gpt-2", words, 3, "a c", QN_E_CORRUPT));
    says(qn_message(), "merge 0 ('a c')");
    close_opened(make("gpt2", "gpt-2", words, 3, "ab", QN_E_CORRUPT));
    close_opened(make("gpt2", "gpt-2", words, 3, NULL, QN_E_CORRUPT));
    says(qn_message(), "tokenizer.ggml.merges");
    close_opened(make("gpt2", "gpt-9", words, 3, "a b", QN_E_UNSUPPORTED));
    says(qn_message(), "gpt-9");
    says(qn_message(), "llama-bpe");
    close_opened(make("rwkv", NULL, words, 3, NULL, QN_E_UNSUPPORTED));
    says(qn_message(), "rwkv");
    close_opened(make("llama", NULL, bad_type, 1, NULL, QN_E_CORRUPT));
    says(qn_message(), "token 0 is of the unknown type 7");
    struct qn__str w = {0};
    gguf_head(&w, 3, 0, 0);
    struct opened o = {0};
    must(qn__model_file_open_bytes(&o.file, w.text, w.len));
    must_not(QN_E_NOT_FOUND, qn__tokenizer_create(&o.tokenizer, o.file));
    close_opened(o);
    qn__str_release(&w);
}
END_TEST

/* -- pre-tokenisers -- */

/* What the tokenizers package cuts the text into with the expressions of published models. */
static const char cut_text[] =
    "It'S 1234567 iPhones, na\303\257ve x=y;\r\n\n   "
    "\346\227\245\346\234\254\350\252\236\343\201\262 a\314\243b -- ok!!/ \t\n";
static const struct {
    const char *name, *pieces; /* with | between */
} cuts[] = {
    {"gpt-2", "It|'|S| 1234567| iPhones|,| na\303\257ve| x|=|y|;|\r\n\n  | "
              "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243|b| --| ok|!!/| \t\n"},
    {"llama-bpe",
     "It|'S| |123|456|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"dbrx", "It|'S| |123|456|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
             "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"qwen2", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
              "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"qwen35", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"smollm", "It|'|S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=|y|;|\r\n\n  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243|b| --| ok|!!/| \t\n"},
    {"gpt-4o", "It'S| |123|456|7| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"granite-embed-multi-97m",
     "It'S| |123|456|7| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"tiny_aya", "It'S| |1|234|567| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|  | "
                 "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"tekken", "It|'S| |1|2|3|4|5|6|7| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"deepseek-v3",
     "It|'S| |123|456|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|   "
     "|\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"spark2_5", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;|\r|\n|\n|   "
                 "|\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"deepseek-coder",
     "It|'|S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=|y|;|\r|\n|\n|  | "
     "|\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243|b| --| ok|!!/| \t|\n"},
    {"youtu", "It'S| |1|2|3|4|5|6|7| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|   "
              "|\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"afmoe", "It|'S| |1|234|567| iPhones|,| na\303\257ve| x|=y|;\r\n\n|   "
              "|\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"poro-chat",
     "It'S| 1234567| iPhones|,| na\303\257ve| x=y;|\r\n\n  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!|/| \t\n"},
    {"viking", "It'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x=y;|\r\n\n  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a\314\243b| --| ok|!!|/| \t\n"},
    {"chameleon",
     "It|'|S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=|y|;|\r|\n|\n|  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243|b| |-|-| ok|!|!|/| |\t|\n"},
    {"jais-2", "It|'S| |123|456|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"kimi-k2", "It'S| |123|456|7| i|Phones|,| na\303\257ve| x|=y|;\r\n\n|  | "
                "|\346\227\245\346\234\254\350\252\236|\343\201\262| a\314\243b| --| ok|!!/| \t\n"},
    {"superbpe", "It'S |1|234|567| iPhones, na\303\257ve x=y;\r\n\n   "
                 "\346\227\245\346\234\254\350\252\236\343\201\262 a\314\243b -- ok!!/ \t\n"},
    {"bailingmoe",
     "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"seed-coder",
     "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;|\r\n\n|  | "
     "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"ufakzeka", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
                 "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
    {"laguna", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve| x|=y|;\r|\n\n|  | "
               "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t|\n"},
    {"exaone-moe", "It|'S| |1|2|3|4|5|6|7| iPhones|,| na\303\257ve x|=y|;\r|\n\n|  | "
                   "\346\227\245\346\234\254\350\252\236\343\201\262 a\314\243b| --| ok|!!/| \t\n"},
    {"minicpm5", "It|'S| |123|456|7| iPhones|,| na\303\257ve| x|=y|;\r\n\n|  | "
                 "\346\227\245\346\234\254\350\252\236\343\201\262| a|\314\243b| --| ok|!!/| \t\n"},
};

START_TEST(a_pretokenizer_cuts_as_its_model_was_trained)
{
    struct qn__pretokenizer *p;
    struct qn__spans spans;
    struct qn__str out = {0};
    must(qn__pretokenizer_create(&p, cuts[_i].name));
    must(qn__pretokenize(&spans, p, cut_text, strlen(cut_text)));
    for (size_t i = 0; i < spans.n; i++) {
        qn__str_add(&out, i ? "|" : "");
        qn__str_add_bytes(&out, cut_text + spans.items[i].start, spans.items[i].n_bytes);
    }
    ck_assert_msg(!strcmp(out.text, cuts[_i].pieces), "%s:\n%s\nis not\n%s", cuts[_i].name,
                  out.text, cuts[_i].pieces);
    qn__str_release(&out);
    free(spans.items);
    qn__pretokenizer_destroy(p);
}
END_TEST

/* A word, a number, white space, signs: each may be as long as a text, with any pre-tokeniser. */
START_TEST(long_texts_of_one_kind_are_cut)
{
    static const char *const kinds[] = {"a",  "A", "\xc3\xa9",     "1",  " ",
                                        "\n", "-", "\xe6\x97\xa5", "a ", "a1"};
    const char *names = qn__pretokenizer_rules[_i].names;
    struct qn__pretokenizer *p;
    struct qn__spans spans;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(names, " "), names);
    must(qn__pretokenizer_create(&p, name));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct qn__str text = {0};
        size_t n = 0;
        for (int i = 0; i < 8000; i++)
            qn__str_add(&text, kinds[k]);
        must(qn__pretokenize(&spans, p, text.text, text.len));
        for (size_t i = 0; i < spans.n; i++)
            n += spans.items[i].n_bytes;
        ck_assert_uint_eq(n, text.len);
        free(spans.items);
        qn__str_release(&text);
    }
    qn__pretokenizer_destroy(p);
}
END_TEST

START_TEST(every_name_of_a_pretokenizer_can_be_made)
{
    for (uint32_t i = 0; i < qn__n_pretokenizer_rules; i++) {
        struct qn__pretokenizer *p;
        char name[64];
        for (const char *at = qn__pretokenizer_rules[i].names; *at; at += *at == ' ') {
            const int n = (int)strcspn(at, " ");
            snprintf(name, sizeof name, "%.*s", n, at);
            must(qn__pretokenizer_create(&p, name));
            ck_assert(qn__pretokenizer_rules_find(name) == &qn__pretokenizer_rules[i]);
            qn__pretokenizer_destroy(p);
            at += n;
        }
    }
    struct qn__pretokenizer *p;
    must_not(QN_E_UNSUPPORTED, qn__pretokenizer_create(&p, "gpt-"));
    says(qn_message(), "llama-bpe");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tokenizer");
    TCase *small = tcase_create("small");
    tcase_add_loop_test(small, a_pretokenizer_cuts_as_its_model_was_trained, 0,
                        (int)(sizeof cuts / sizeof cuts[0]));
    tcase_add_test(small, every_name_of_a_pretokenizer_can_be_made);
    tcase_add_loop_test(small, long_texts_of_one_kind_are_cut, 0, (int)qn__n_pretokenizer_rules);
    tcase_add_test(small, spm_joins_the_best_score_first);
    tcase_add_test(small, the_end_of_a_message_ends_no_answer_of_several);
    tcase_add_test(small, unigram_takes_the_largest_sum);
    tcase_add_test(small, bpe_joins_by_rank_inside_a_piece);
    tcase_add_test(small, bpe_of_characters_marks_spaces_and_has_bytes);
    tcase_add_test(small, other_ways_to_cut_are_refused_by_name);
    tcase_add_test(small, what_does_not_fit_together_is_refused);
    suite_add_tcase(suite, small);
    TCase *large = tcase_create("real");
    tcase_set_timeout(large, 60);
    if (qn__file_exists(data_path("", 0))) {
        tcase_add_loop_test(large, every_expected_encoding_of_a_real_vocabulary, 0, REAL);
        tcase_add_loop_test(large, random_unicode_comes_back, 0, REAL);
        tcase_add_loop_test(large, bytes_that_are_no_utf8_come_back, 0, REAL);
        tcase_add_loop_test(large, long_texts_without_a_cut_are_encoded, 0, REAL);
        tcase_add_test(large, special_tokens_are_found_only_where_asked_for);
    } else {
        printf("skip: vocabularies of real models: no %s (QN_DATA names the folder)\n",
               data_path("", 0));
    }
    suite_add_tcase(suite, large);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
