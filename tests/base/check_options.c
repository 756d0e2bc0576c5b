/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines against option tables: what is understood, what is refused and how, help text.
 *
 * covers: base/options */
#include "base/options.h"

#include <check.h>
#include <string.h>

struct values {
    const char *file, *second, *shell, *output;
    bool json;
    uint64_t repeat;
    struct qn__option_list names;
};

static const struct qn__option options[] = {
    QN__OPERAND(struct values, file, "FILE", "kernel source"),
    QN__OPERAND_OPTIONAL(struct values, second, "KERNEL", "its name"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
    QN__NUMBER(struct values, repeat, 'n', "repeat", 1, 1000, 7, "how often"),
    QN__TEXT(struct values, output, 'o', "output", "DIR", "folder for the results"),
    QN__CHOICE(struct values, shell, 0, "shell", "bash|zsh", "which shell"),
    QN__LIST(struct values, names, 'D', "define", "NAME", "a macro"),
};

static const struct qn__command command = {
    .name = "try",
    .brief = "try things",
    .sample = "try a.cu --json\ntry b.cu",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
};

enum { MAX_WORDS = 8, WORD_BYTES = 32 };

/* The values point into `argv_space`, as they point into main's argv elsewhere. */
static qn_status parse(struct values *out, const char *const *words)
{
    static char argv_space[MAX_WORDS][WORD_BYTES];
    char *argv[MAX_WORDS];
    int n = 0;
    for (; n < MAX_WORDS && words[n]; n++) {
        ck_assert(strlen(words[n]) < WORD_BYTES);
        argv[n] = strcpy(argv_space[n], words[n]);
    }
    return qn__options_parse(out, &command, n, argv);
}

static const struct {
    const char *name;
    const char *words[MAX_WORDS];
    struct values want;
    const char *defines; /* joined by blanks */
} good[] = {
    {"an operand alone leaves the defaults", {"a.cu"}, {.file = "a.cu", .repeat = 7}, ""},
    {"options may stand before operands",
     {"--json", "a.cu"},
     {.file = "a.cu", .json = true, .repeat = 7},
     ""},
    {"a value may be joined by =", {"--repeat=9", "a.cu"}, {.file = "a.cu", .repeat = 9}, ""},
    {"a value may be the next word", {"a.cu", "--repeat", "9"}, {.file = "a.cu", .repeat = 9}, ""},
    {"a letter's value may be joined", {"a.cu", "-n12"}, {.file = "a.cu", .repeat = 12}, ""},
    {"a letter's value may be the next word",
     {"a.cu", "-n", "12"},
     {.file = "a.cu", .repeat = 12},
     ""},
    {"the last of a single value wins", {"a.cu", "-n2", "-n3"}, {.file = "a.cu", .repeat = 3}, ""},
    {"a list keeps its order",
     {"a.cu", "-DX", "--define", "Y=1", "-D", "Z"},
     {.file = "a.cu", .repeat = 7},
     "X Y=1 Z"},
    {"an optional operand is taken",
     {"a.cu", "k"},
     {.file = "a.cu", .second = "k", .repeat = 7},
     ""},
    {"two dashes end the options", {"--", "--json"}, {.file = "--json", .repeat = 7}, ""},
    {"one dash is an operand", {"-"}, {.file = "-", .repeat = 7}, ""},
    {"a value may look like an option",
     {"a.cu", "-o", "-x"},
     {.file = "a.cu", .output = "-x", .repeat = 7},
     ""},
    {"a choice is taken",
     {"a.cu", "--shell", "zsh"},
     {.file = "a.cu", .shell = "zsh", .repeat = 7},
     ""},
    {"an empty value is a value",
     {"a.cu", "--output="},
     {.file = "a.cu", .output = "", .repeat = 7},
     ""},
};

START_TEST(good_lines_are_understood)
{
    struct values v;
    ck_assert_msg(parse(&v, good[_i].words) == QN_OK, "%s: %s", good[_i].name, qn_message());
    const struct values *w = &good[_i].want;
    ck_assert_msg(qn__equal(v.file, w->file), "%s: file %s", good[_i].name, v.file);
    ck_assert_msg(qn__equal(v.second, w->second), "%s: second %s", good[_i].name, v.second);
    ck_assert_msg(qn__equal(v.shell, w->shell), "%s: shell %s", good[_i].name, v.shell);
    ck_assert_msg(qn__equal(v.output, w->output), "%s: output %s", good[_i].name, v.output);
    ck_assert_msg(v.json == w->json, "%s: json", good[_i].name);
    ck_assert_msg(v.repeat == w->repeat, "%s: repeat %d", good[_i].name, (int)v.repeat);
    struct qn__str joined = {0};
    qn__str_add(&joined, "");
    for (uint32_t i = 0; i < v.names.n; i++)
        qn__str_printf(&joined, "%s%s", i ? " " : "", v.names.items[i]);
    ck_assert_msg(qn__equal(joined.text, good[_i].defines), "%s: defines '%s'", good[_i].name,
                  joined.text);
    qn__str_release(&joined);
    qn__options_release(&v, &command);
}
END_TEST

static const struct {
    const char *name;
    const char *words[MAX_WORDS];
    const char *message;
} bad[] = {
    {"an operand is missing", {"--json"}, "FILE is missing: kernel source"},
    {"an option is unknown", {"a.cu", "--frobnicate"}, "--frobnicate: no such option"},
    {"a near miss is named", {"a.cu", "--jsno"}, "--jsno: no such option; did you mean --json?"},
    {"a name is cut short",
     {"a.cu", "--rep", "3"},
     "--rep: no such option; did you mean --repeat?"},
    {"a name is too long",
     {"a.cu", "--repeat-count", "3"},
     "--repeat-count: no such option; did you mean --repeat?"},
    {"a letter is unknown", {"a.cu", "-q"}, "-q: no such option"},
    {"a value is missing", {"a.cu", "--output"}, "--output: a value is missing (DIR)"},
    {"a flag takes none", {"a.cu", "--json=yes"}, "--json=yes: takes no value"},
    {"a number has letters", {"a.cu", "-n", "12x"}, "-n: '12x' is not a whole number"},
    {"a number is negative", {"a.cu", "-n", "-1"}, "-n: -1 is not between 1 and 1000"},
    {"a number is two signs", {"a.cu", "-n", "--1"}, "-n: '--1' is not a whole number"},
    {"a number is empty", {"a.cu", "--repeat="}, "--repeat: '' is not a whole number"},
    {"a number is too small", {"a.cu", "--repeat=0"}, "--repeat: 0 is not between 1 and 1000"},
    {"a number is too large", {"a.cu", "-n1001"}, "-n: 1001 is not between 1 and 1000"},
    {"a number leaves 64 bits",
     {"a.cu", "-n99999999999999999999999"},
     "-n: 99999999999999999999999 is not between 1 and 1000"},
    {"a choice is none of them",
     {"a.cu", "--shell", "fish"},
     "--shell: 'fish' is not one of bash|zsh"},
    {"a choice is a beginning only",
     {"a.cu", "--shell", "ba"},
     "--shell: 'ba' is not one of bash|zsh; did you mean 'bash'?"},
    {"a choice with a letter too many",
     {"a.cu", "--shell", "bashh"},
     "--shell: 'bashh' is not one of bash|zsh; did you mean 'bash'?"},
    {"a choice is empty", {"a.cu", "--shell", ""}, "--shell: '' is not one of bash|zsh"},
    {"there is a word too many", {"a.cu", "k", "z"}, "'z': one word too many"},
};

START_TEST(bad_lines_are_refused_with_the_reason)
{
    struct values v;
    ck_assert_msg(parse(&v, bad[_i].words) == QN_E_INVALID, "%s: accepted", bad[_i].name);
    ck_assert_msg(qn__equal(qn_message(), bad[_i].message), "%s: '%s'", bad[_i].name, qn_message());
    qn__options_release(&v, &command);
}
END_TEST

/* A command whose first word says what to do, and options that are for some of these words only. */
struct verb_values {
    const char *what, *size;
    bool json;
};
static const struct qn__option verb_options[] = {
    QN__OPERAND_CHOICE(struct verb_values, what, "ls|gc|clear", "ls|gc|clear", "what to do"),
    QN__TEXT(struct verb_values, size, 'm', "max", "SIZE", "how much", .only = "gc|clear"),
    QN__FLAG(struct verb_values, json, 0, "json", "print JSON"),
};
static const struct qn__command verb_command = {
    .name = "tend",
    .brief = "tend things",
    .options = verb_options,
    .n_options = sizeof verb_options / sizeof verb_options[0],
    .values_bytes = sizeof(struct verb_values),
};

START_TEST(an_option_for_other_words_is_refused)
{
    struct verb_values v;
    char gc[] = "gc", ls[] = "ls", max[] = "-m", size[] = "5", json[] = "--json";
    char *good_words[] = {max, size, gc, json}, *bad_words[] = {max, size, ls};
    ck_assert(qn__options_parse(&v, &verb_command, 4, good_words) == QN_OK);
    ck_assert_str_eq(v.size, "5");
    ck_assert(qn__options_parse(&v, &verb_command, 3, bad_words) == QN_E_INVALID);
    ck_assert_str_eq(qn_message(), "--max is for gc|clear only, not for ls");
    struct qn__str help = {0};
    qn__options_help(&help, "quern", &verb_command);
    ck_assert(strstr(help.text, "  -m, --max SIZE            gc, clear: how much\n") != NULL);
    qn__str_release(&help);
}
END_TEST

/* Other names of an option, and numbers that may be -1. */
struct named_values {
    uint64_t most, seed;
};
static const struct qn__option named_options[] = {
    QN__NUMBER(struct named_values, most, 'n', "tokens", 0, 1000, 5, "most tokens",
               .also = "predict|n-predict", .minus_one = true),
    QN__NUMBER(struct named_values, seed, 0, "seed", 0, 10, 0, "a seed"),
};
static const struct qn__command named_command = {
    .name = "write",
    .brief = "write",
    .options = named_options,
    .n_options = sizeof named_options / sizeof named_options[0],
    .values_bytes = sizeof(struct named_values),
};

START_TEST(an_option_has_other_names_and_may_take_minus_one)
{
    struct named_values v;
    char predict[] = "--predict", n_predict[] = "--n-predict=7", minus[] = "-1",
         pred[] = "--predic", n[] = "-n", seed[] = "--seed";
    char *const spaced[] = {predict, minus}, *const joined[] = {n_predict},
                *const letter[] = {n, minus}, *const cut[] = {pred, minus},
                *const other[] = {seed, minus};
    ck_assert(qn__options_parse(&v, &named_command, 2, spaced) == QN_OK);
    ck_assert(v.most == UINT64_MAX);
    ck_assert(qn__options_parse(&v, &named_command, 1, joined) == QN_OK);
    ck_assert(v.most == 7);
    ck_assert(qn__options_parse(&v, &named_command, 2, letter) == QN_OK);
    ck_assert(v.most == UINT64_MAX);
    ck_assert(qn__options_parse(&v, &named_command, 2, cut) == QN_E_INVALID);
    ck_assert(qn__options_parse(&v, &named_command, 2, other) == QN_E_INVALID);
    struct qn__str help = {0};
    qn__options_help(&help, "quern", &named_command);
    ck_assert_ptr_nonnull(
        strstr(help.text, "most tokens (default 5) (also --predict, --n-predict)\n"));
    qn__str_release(&help);
}
END_TEST

START_TEST(help_shows_every_option_and_sample)
{
    struct qn__str help = {0};
    qn__options_help(&help, "quern", &command);
    static const char *const wanted[] = {
        "usage: quern try [options] FILE [KERNEL]\n",
        "\ntry things\n",
        "  FILE                      kernel source\n",
        "      --json                print JSON\n",
        "  -n, --repeat N            how often (default 7)\n",
        "      --shell bash|zsh      which shell\n",
        "  -D, --define NAME         a macro (may be repeated)\n",
        "  quern try a.cu --json\n  quern try b.cu\n",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        ck_assert_msg(strstr(help.text, wanted[i]) != NULL, "missing '%s' in:\n%s", wanted[i],
                      help.text);
    qn__str_release(&help);
}
END_TEST

START_TEST(long_text_is_wrapped_at_blanks_and_keeps_line_breaks)
{
    struct qn__str s = {0};
    qn__str_add_wrapped(&s, "one two three four\n\nfive", 0, 2, 9);
    ck_assert_str_eq(s.text, "one two\n  three\n  four\n\n  five");
    qn__str_clear(&s);
    qn__str_add_wrapped(&s, "one two\n  a   table's line\nthree", 0, 0, 5);
    ck_assert_str_eq(s.text, "one\ntwo\n  a   table's line\nthree");
    qn__str_release(&s);
}
END_TEST

static const struct {
    const char *name, *a, *b;
    uint32_t want;
} distances[] = {
    {"equal words", "json", "json", 0},       {"one letter replaced", "json", "jsom", 1},
    {"one letter missing", "jon", "json", 1}, {"two letters swapped", "jsno", "json", 1},
    {"an empty word", "", "abc", 3},          {"words without likeness", "abc", "xyz", 3},
};

START_TEST(word_distance_counts_edits)
{
    const uint32_t got = qn__word_distance(distances[_i].a, distances[_i].b);
    ck_assert_msg(got == distances[_i].want, "%s: %u", distances[_i].name, got);
}
END_TEST

START_TEST(environment_names_are_unique_and_explained)
{
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        ck_assert_msg(qn__environment[i].help[0], "%s has no help", qn__environment[i].name);
        for (uint32_t j = 0; j < i; j++)
            ck_assert_str_ne(qn__environment[i].name, qn__environment[j].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *parsing = tcase_create("parsing");
    tcase_add_loop_test(parsing, good_lines_are_understood, 0, sizeof good / sizeof good[0]);
    tcase_add_loop_test(parsing, bad_lines_are_refused_with_the_reason, 0,
                        sizeof bad / sizeof bad[0]);
    tcase_add_test(parsing, an_option_for_other_words_is_refused);
    tcase_add_test(parsing, an_option_has_other_names_and_may_take_minus_one);
    tcase_add_loop_test(parsing, word_distance_counts_edits, 0,
                        sizeof distances / sizeof distances[0]);
    suite_add_tcase(suite, parsing);
    TCase *printing = tcase_create("printing");
    tcase_add_test(printing, help_shows_every_option_and_sample);
    tcase_add_test(printing, long_text_is_wrapped_at_blanks_and_keeps_line_breaks);
    tcase_add_test(printing, environment_names_are_unique_and_explained);
    suite_add_tcase(suite, printing);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
