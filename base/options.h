/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines from tables, and the one table of environment variables.
 *
 * A command is a row of facts: its name, one line about it, its options, and the function that runs
 * it. The options fill a plain struct that belongs to the caller; each row says at which offset its
 * value lives. Zero is the default of everything but numbers, which carry their default in the row.
 * Usage lines, help pages, the man page and shell completion are all printed from these rows, so
 * they cannot disagree with what the parser does.
 *
 *     struct values { const char *file; bool json; uint64_t repeat; struct qn__option_list names;
 * }; static const struct qn__option options[] = { QN__OPERAND(struct values, file, "FILE", "kernel
 * source"), QN__FLAG(struct values, json, 0, "json", "print JSON"), QN__NUMBER(struct values,
 * repeat, 'n', "repeat", 1, 1000, 1, "how often"), QN__LIST(struct values, names, 0, "name",
 * "EXPR", "kernel to keep"),
 *     };
 *
 * Spellings: --name VALUE, --name=VALUE, -x VALUE, -xVALUE; `--` ends the options.
 */
#ifndef QN_BASE_OPTIONS_H
#define QN_BASE_OPTIONS_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qn__option_list { /* values in the order given; the strings belong to argv */
    const char **items;
    uint32_t n;
};

enum qn__option_kind {
    QN__OPTION_FLAG,     /* bool */
    QN__OPTION_TEXT,     /* const char *, NULL when not given; the last one wins */
    QN__OPTION_NUMBER,   /* uint64_t in [min, max] */
    QN__OPTION_LIST,     /* struct qn__option_list: may be given several times */
    QN__OPTION_OPERAND,  /* const char *: a word without a dash; required unless `optional` */
    QN__OPTION_OPERANDS, /* struct qn__option_list: all further words */
};

struct qn__option {
    enum qn__option_kind kind;
    char letter;                 /* 0: none */
    bool optional;               /* operands only */
    const char *name;            /* "target"; operands: NULL */
    const char *value;           /* what stands for the value in help: "DIR"; NULL for flags */
    const char *choices;         /* "bash|zsh": anything else is refused; NULL: free */
    size_t offset;               /* of the value in the caller's struct */
    uint64_t min, max, fallback; /* numbers only */
    const char *help;            /* one sentence, no full stop */
    const char *only; /* "ls|gc": refused with other choices of the first operand; NULL: free */
    const char *also; /* "predict|-np": other names that mean the same, --predict and -np; NULL */
    bool minus_one;   /* numbers only: -1 is taken, too, and stored as UINT64_MAX */
};

/* In the rows below the last argument is the help; more fields may follow it: .only = "gc" */

#define QN__FLAG(type, member, short_, long_, ...)                                                 \
    {.kind = QN__OPTION_FLAG,                                                                      \
     .letter = (short_),                                                                           \
     .name = (long_),                                                                              \
     .offset = offsetof(type, member),                                                             \
     .help = __VA_ARGS__}
#define QN__TEXT(type, member, short_, long_, value_, ...)                                         \
    {.kind = QN__OPTION_TEXT,                                                                      \
     .letter = (short_),                                                                           \
     .name = (long_),                                                                              \
     .value = (value_),                                                                            \
     .offset = offsetof(type, member),                                                             \
     .help = __VA_ARGS__}
#define QN__CHOICE(type, member, short_, long_, choices_, ...)                                     \
    {.kind = QN__OPTION_TEXT,                                                                      \
     .letter = (short_),                                                                           \
     .name = (long_),                                                                              \
     .value = (choices_),                                                                          \
     .choices = (choices_),                                                                        \
     .offset = offsetof(type, member),                                                             \
     .help = __VA_ARGS__}
#define QN__NUMBER(type, member, short_, long_, min_, max_, fallback_, ...)                        \
    {.kind = QN__OPTION_NUMBER,                                                                    \
     .letter = (short_),                                                                           \
     .name = (long_),                                                                              \
     .value = "N",                                                                                 \
     .offset = offsetof(type, member),                                                             \
     .min = (min_),                                                                                \
     .max = (max_),                                                                                \
     .fallback = (fallback_),                                                                      \
     .help = __VA_ARGS__}
#define QN__LIST(type, member, short_, long_, value_, ...)                                         \
    {.kind = QN__OPTION_LIST,                                                                      \
     .letter = (short_),                                                                           \
     .name = (long_),                                                                              \
     .value = (value_),                                                                            \
     .offset = offsetof(type, member),                                                             \
     .help = __VA_ARGS__}
#define QN__OPERAND(type, member, value_, help_)                                                   \
    {.kind = QN__OPTION_OPERAND,                                                                   \
     .value = (value_),                                                                            \
     .offset = offsetof(type, member),                                                             \
     .help = (help_)}
#define QN__OPERAND_OPTIONAL(type, member, value_, help_)                                          \
    {.kind = QN__OPTION_OPERAND,                                                                   \
     .optional = true,                                                                             \
     .value = (value_),                                                                            \
     .offset = offsetof(type, member),                                                             \
     .help = (help_)}
#define QN__OPERAND_CHOICE(type, member, value_, choices_, help_)                                  \
    {.kind = QN__OPTION_OPERAND,                                                                   \
     .value = (value_),                                                                            \
     .choices = (choices_),                                                                        \
     .offset = offsetof(type, member),                                                             \
     .help = (help_)}

struct qn__command {
    const char *name;   /* "compile" */
    const char *brief;  /* one line for the list of commands */
    const char *about;  /* paragraphs for the help page; NULL: the brief line says it all */
    const char *sample; /* example command lines, one a line, without the program's name; or NULL */
    const struct qn__option *options;
    uint32_t n_options;
    size_t values_bytes;            /* sizeof the struct the options fill */
    int (*run)(const void *values); /* returns the exit status */
    /* Instead of it, for a command that reads its words itself; the options are for help alone. */
    int (*run_words)(int argc, char *const *argv);
};

/* Fill *values (values_bytes of it, any content) from the words after the command's name.
 * Release it with qn__options_release() in every case.
 * QN_E_INVALID  an unknown or incomplete option, one that is for another word than the one given,
 *               a value out of range, a missing or surplus word */
qn_status qn__options_parse(void *values, const struct qn__command *command, int argc,
                            char *const *argv);
void qn__options_release(void *values, const struct qn__command *command);

/* "usage: quern compile [options] FILE" with a newline. */
void qn__options_usage(struct qn__str *out, const char *program, const struct qn__command *command);

/* The whole help page: usage, about, options, samples. */
void qn__options_help(struct qn__str *out, const char *program, const struct qn__command *command);

/* How an option is written in help: "-o, --output DIR", "--json", "FILE". */
void qn__option_spell(struct qn__str *out, const struct qn__option *option);

/* What it is about: for which words, its help, its default, whether it may be repeated. */
void qn__option_explain(struct qn__str *out, const struct qn__option *option);

/* Columns that so many bytes of UTF-8 take in a terminal. */
size_t qn__text_columns(const char *text, size_t n);

/* Add text in columns indent..width, breaking lines at blanks. The first line starts where the
 * builder stands, `column` characters into its line. Line breaks in the text stay, and so do lines
 * that begin with a blank, as they are. */
void qn__str_add_wrapped(struct qn__str *out, const char *text, size_t column, size_t indent,
                         size_t width);

/* How many single-letter edits lie between two words, two neighbours that changed places being one;
 * for "did you mean". */
uint32_t qn__word_distance(const char *a, const char *b);

/* Which of the words "ls|gc|clear" was probably meant: one that begins so, else the nearest; NULL:
 * none is near. As the end of a message: "; did you mean 'gc'?", or "". */
enum { QN__CHOICE_BYTES = 64, QN__MEANT_BYTES = QN__CHOICE_BYTES + 24 };
const char *qn__choice_near(char out[QN__CHOICE_BYTES], const char *choices, const char *word);
const char *qn__did_you_mean(char out[QN__MEANT_BYTES], const char *choices, const char *word);

/* Every environment variable that Quern reads or shows. */
struct qn__variable {
    const char *name;
    const char *owner; /* "quern"; else whose variable it is: "cuda", "rocm", "opencl", "system" */
    const char *help;  /* one sentence, no full stop */
};
extern const struct qn__variable qn__environment[];
extern const uint32_t qn__n_environment;

#endif
