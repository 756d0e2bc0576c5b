/* SPDX-License-Identifier: Apache-2.0
 *
 * The parser of command lines and the printer of help, both driven by the tables of options.h. */
#include "base/options.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_HELP = 28, WIDTH = 92 };

const struct qn__variable qn__environment[] = {
#define QN__VARIABLE(name, owner, help) {name, owner, help},
#include "base/environment.def"
#undef QN__VARIABLE
};
const uint32_t qn__n_environment = sizeof qn__environment / sizeof qn__environment[0];

/* ---- values ---- */

static void *value_of(void *values, const struct qn__option *o)
{
    return (char *)values + o->offset;
}

static bool is_operand(const struct qn__option *o)
{
    return o->kind == QN__OPTION_OPERAND || o->kind == QN__OPTION_OPERANDS;
}

static qn_status list_add(struct qn__option_list *list, const char *item)
{
    const char **grown = realloc(list->items, (list->n + 1) * sizeof *grown);
    if (!grown)
        return qn__fail(QN_E_MEMORY, "out of memory at %u values", list->n);
    grown[list->n] = item;
    list->items = grown;
    list->n++;
    return QN_OK;
}

static bool is_choice(const char *choices, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = choices; p; p = strchr(p, '|'), p = p ? p + 1 : NULL)
        if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == 0))
            return n > 0;
    return false;
}

const char *qn__choice_near(char out[QN__CHOICE_BYTES], const char *choices, const char *word)
{
    char one[QN__CHOICE_BYTES];
    uint32_t best = 3; /* further away is no help */
    out[0] = 0;
    for (const char *p = choices; *p && best; p += strcspn(p, "|"), p += *p == '|') {
        const size_t n = strcspn(p, "|");
        if (n >= sizeof one)
            continue;
        memcpy(one, p, n);
        one[n] = 0;
        const uint32_t d =
            strlen(word) > 1 && qn__starts_with(one, word) ? 0 : qn__word_distance(word, one);
        if (d >= best || d * 2 >= n) /* half of its letters differ */
            continue;
        best = d;
        memcpy(out, one, n + 1);
    }
    return out[0] ? out : NULL;
}

const char *qn__did_you_mean(char out[QN__MEANT_BYTES], const char *choices, const char *word)
{
    char near[QN__CHOICE_BYTES];
    out[0] = 0;
    if (qn__choice_near(near, choices, word))
        snprintf(out, QN__MEANT_BYTES, "; did you mean '%s'?", near);
    return out;
}

static qn_status fail_choice(const char *shown, const char *choices, const char *word)
{
    char meant[QN__MEANT_BYTES];
    return qn__fail(QN_E_INVALID, "%s: '%s' is not one of %s%s", shown, word, choices,
                    qn__did_you_mean(meant, choices, word));
}

/* `shown` is the option as the user wrote it, for the message. */
static qn_status store(void *values, const struct qn__option *o, const char *shown,
                       const char *word)
{
    void *at = value_of(values, o);
    if (o->choices && !is_choice(o->choices, word))
        return fail_choice(shown, o->choices, word);
    switch (o->kind) {
    case QN__OPTION_FLAG: *(bool *)at = true; return QN_OK;
    case QN__OPTION_TEXT:
    case QN__OPTION_OPERAND: *(const char **)at = word; return QN_OK;
    case QN__OPTION_LIST:
    case QN__OPTION_OPERANDS: return list_add(at, word);
    case QN__OPTION_NUMBER: break;
    }
    if (o->minus_one && strcmp(word, "-1") == 0) {
        *(uint64_t *)at = UINT64_MAX;
        return QN_OK;
    }
    char *end;
    errno = 0;
    const bool is_negative = word[0] == '-';
    const char *digits = word + is_negative;
    const unsigned long long number = strtoull(digits, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end)
        return qn__fail(QN_E_INVALID, "%s: '%s' is not a whole number", shown, word);
    if (errno || is_negative || number < o->min || number > o->max)
        return qn__fail(QN_E_INVALID, "%s: %s is not between %llu and %llu", shown, word,
                        (unsigned long long)o->min, (unsigned long long)o->max);
    *(uint64_t *)at = number;
    return QN_OK;
}

/* ---- parser ---- */

uint32_t qn__word_distance(const char *a, const char *b)
{
    enum { MAX = 32 };
    const size_t n = strlen(a), m = strlen(b);
    if (n > MAX || m > MAX)
        return MAX;
    /* distances from a's first i letters to every beginning of b; rows i - 2, i - 1 and i in turn
     */
    uint32_t rows[3][MAX + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        const uint32_t *before = rows[(i + 1) % 3], *last = rows[(i + 2) % 3];
        uint32_t *row = rows[i % 3];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; j++) {
            const uint32_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            const uint32_t shorter = last[j] < row[j - 1] ? last[j] : row[j - 1];
            row[j] = replace < shorter + 1 ? replace : shorter + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

/* The option that was probably meant: one of which more or less was written, else the nearest. */
static const char *find_near(const struct qn__command *command, const char *word)
{
    const char *near = NULL;
    uint32_t best = 3; /* further away is no help */
    for (uint32_t i = 0; i < command->n_options; i++) {
        const char *name = command->options[i].name;
        if (!name)
            continue;
        if (*word && (qn__starts_with(word, name) || qn__starts_with(name, word)))
            return name;
        const uint32_t d = qn__word_distance(word, name);
        if (d < best) {
            best = d;
            near = name;
        }
    }
    return near;
}

static qn_status fail_unknown(const struct qn__command *command, const char *word)
{
    const char *near = word[1] == '-' ? find_near(command, word + 2) : NULL;
    if (near)
        return qn__fail(QN_E_INVALID, "%s: no such option; did you mean --%s?", word, near);
    return qn__fail(QN_E_INVALID, "%s: no such option", word);
}

static bool is_named(const struct qn__option *o, const char *word, size_t n)
{
    if (strlen(o->name) == n && memcmp(o->name, word, n) == 0)
        return true;
    for (const char *p = o->also; p; p = strchr(p, '|'), p = p ? p + 1 : NULL)
        if (strcspn(p, "|") == n && memcmp(p, word, n) == 0)
            return n > 0;
    return false;
}

/* The option of "--name" or "--name=value" (*value NULL or after '='), or of "-x", "-xvalue". */
static const struct qn__option *find_option(const struct qn__command *command, const char *word,
                                            const char **value)
{
    const bool is_long = word[1] == '-';
    const size_t n = is_long ? strcspn(word + 2, "=") : 1;
    for (uint32_t i = 0; !is_long && word[2] && i < command->n_options; i++)
        if (!is_operand(&command->options[i]) && is_named(&command->options[i], word, strlen(word)))
            return &command->options[i]; /* "-ngl", and no letter with its value */
    for (uint32_t i = 0; i < command->n_options; i++) {
        const struct qn__option *o = &command->options[i];
        if (is_operand(o))
            continue;
        if (is_long && is_named(o, word + 2, n)) {
            *value = word[2 + n] ? word + 3 + n : NULL;
            return o;
        }
        if (!is_long && o->letter && o->letter == word[1]) {
            *value = word[2] ? word + 2 : NULL;
            return o;
        }
    }
    return NULL;
}

enum { OPTIONS_MAX = 128 };

/* given[] gets the option's index. */
static qn_status parse_option(bool given[OPTIONS_MAX], void *values,
                              const struct qn__command *command, char *const *argv, int argc,
                              int *i)
{
    const char *word = argv[*i], *value = NULL;
    const struct qn__option *o = find_option(command, word, &value);
    if (!o)
        return fail_unknown(command, word);
    given[o - command->options] = true;
    char shown[64] = {'-', o->letter};
    if (word[1] == '-' || o->letter != word[1])
        strncpy(shown, word, sizeof shown - 1);
    shown[strcspn(shown, "=")] = 0;
    if (o->kind == QN__OPTION_FLAG && value)
        return qn__fail(QN_E_INVALID, "%s: takes no value", word);
    if (o->kind != QN__OPTION_FLAG && !value) {
        if (*i + 1 >= argc)
            return qn__fail(QN_E_INVALID, "%s: a value is missing (%s)", shown, o->value);
        value = argv[++*i];
    }
    return store(values, o, shown, value ? value : "");
}

static qn_status parse_operand(void *values, const struct qn__command *command, const char *word,
                               uint32_t *n_seen)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < command->n_options; i++) {
        const struct qn__option *o = &command->options[i];
        if (!is_operand(o))
            continue;
        if (index++ == *n_seen) {
            if (o->kind == QN__OPTION_OPERAND)
                ++*n_seen;
            return store(values, o, o->value, word);
        }
    }
    return qn__fail(QN_E_INVALID, "'%s': one word too many", word);
}

static qn_status check_operands(void *values, const struct qn__command *command)
{
    for (uint32_t i = 0; i < command->n_options; i++) {
        const struct qn__option *o = &command->options[i];
        if (o->kind == QN__OPTION_OPERAND && !o->optional &&
            !*(const char *const *)value_of(values, o))
            return qn__fail(QN_E_INVALID, "%s is missing: %s", o->value, o->help);
    }
    return QN_OK;
}

/* Options that were given, but are for another of the words that the first operand may be. */
static qn_status check_only(const void *values, const struct qn__command *command,
                            const bool given[OPTIONS_MAX])
{
    const char *verb = NULL;
    for (uint32_t i = 0; i < command->n_options && !verb; i++) {
        const struct qn__option *o = &command->options[i];
        if (is_operand(o) && o->choices)
            verb = *(const char *const *)((const char *)values + o->offset);
    }
    for (uint32_t i = 0; i < command->n_options && verb; i++) {
        const struct qn__option *o = &command->options[i];
        if (given[i] && o->only && !is_choice(o->only, verb))
            return qn__fail(QN_E_INVALID, "--%s is for %s only, not for %s", o->name, o->only,
                            verb);
    }
    return QN_OK;
}

qn_status qn__options_parse(void *values, const struct qn__command *command, int argc,
                            char *const *argv)
{
    memset(values, 0, command->values_bytes);
    for (uint32_t i = 0; i < command->n_options; i++)
        if (command->options[i].kind == QN__OPTION_NUMBER)
            *(uint64_t *)value_of(values, &command->options[i]) = command->options[i].fallback;

    bool given[OPTIONS_MAX] = {false};
    uint32_t n_operands = 0;
    bool options_end = false;
    assert(command->n_options <= OPTIONS_MAX);
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!options_end && strcmp(word, "--") == 0)
            options_end = true;
        else if (!options_end && word[0] == '-' && word[1])
            QN_TRY(parse_option(given, values, command, argv, argc, &i));
        else
            QN_TRY(parse_operand(values, command, word, &n_operands));
    }
    QN_TRY(check_operands(values, command));
    return check_only(values, command, given);
}

void qn__options_release(void *values, const struct qn__command *command)
{
    for (uint32_t i = 0; i < command->n_options; i++) {
        const struct qn__option *o = &command->options[i];
        if (o->kind == QN__OPTION_LIST || o->kind == QN__OPTION_OPERANDS) {
            struct qn__option_list *list = value_of(values, o);
            free(list->items);
            *list = (struct qn__option_list){0};
        }
    }
}

/* ---- help ---- */

/* Bytes of the character, 1 for what is no UTF-8, and the columns it takes: those of Chinese,
 * Japanese and Korean take two. */
static size_t character(const char *text, size_t n, size_t *columns)
{
    const unsigned char c = (unsigned char)*text;
    size_t bytes = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
    bytes = bytes > n ? n : bytes;
    *columns = bytes == 3 && (c >= 0xe3 || (c == 0xe2 && (unsigned char)text[1] >= 0xba)) ? 2 : 1;
    return bytes;
}

size_t qn__text_columns(const char *text, size_t n)
{
    size_t all = 0, columns;
    for (size_t at = 0; at < n; all += columns)
        at += character(text + at, n - at, &columns);
    return all;
}

/* A word; where it is wider than a line and has characters of two columns, these may begin a line.
 */
static size_t add_word(struct qn__str *out, const char *word, size_t n, size_t column,
                       size_t indent, size_t width)
{
    for (size_t at = 0; at < n;) {
        size_t columns;
        const size_t bytes = character(word + at, n - at, &columns);
        if (columns == 2 && column + columns > width) {
            qn__str_add_char(out, '\n');
            qn__str_add_repeat(out, ' ', indent);
            column = indent;
        }
        qn__str_add_bytes(out, word + at, bytes);
        column += columns;
        at += bytes;
    }
    return column;
}

void qn__str_add_wrapped(struct qn__str *out, const char *text, size_t column, size_t indent,
                         size_t width)
{
    bool line_is_empty = true;
    while (*text) {
        if (*text == '\n') { /* the author's own line break stays */
            qn__str_add_char(out, '\n');
            text++;
            if (*text && *text != '\n')
                qn__str_add_repeat(out, ' ', indent);
            column = indent;
            line_is_empty = true;
        } else if (line_is_empty && *text == ' ') { /* and so do lines that begin with a blank */
            const size_t n = strcspn(text, "\n");
            qn__str_add_bytes(out, text, n);
            text += n;
        } else {
            const size_t n = strcspn(text, " \n");
            const size_t columns = qn__text_columns(text, n);
            const bool divides = columns < n && indent + columns > width; /* no blanks: Chinese */
            if (!line_is_empty && !divides && column + 1 + columns > width) {
                qn__str_add_char(out, '\n');
                qn__str_add_repeat(out, ' ', indent);
                column = indent;
            } else if (!line_is_empty) {
                qn__str_add_char(out, ' ');
                column++;
            }
            column = add_word(out, text, n, column, indent, width);
            line_is_empty = false;
            text += n;
            text += strspn(text, " ");
        }
    }
}

void qn__option_spell(struct qn__str *out, const struct qn__option *o)
{
    if (is_operand(o)) {
        qn__str_printf(out, "%s%s", o->value, o->kind == QN__OPTION_OPERANDS ? " ..." : "");
        return;
    }
    if (o->letter)
        qn__str_printf(out, "-%c, ", o->letter);
    qn__str_printf(out, "--%s", o->name);
    if (o->value)
        qn__str_printf(out, " %s", o->value);
}

void qn__option_explain(struct qn__str *out, const struct qn__option *o)
{
    for (const char *p = o->only; p && *p; p++)
        if (*p == '|')
            qn__str_add(out, ", ");
        else
            qn__str_add_char(out, *p);
    qn__str_printf(out, "%s%s", o->only ? ": " : "", o->help);
    if (o->kind == QN__OPTION_NUMBER && o->fallback == UINT64_MAX && o->minus_one)
        qn__str_add(out, " (default -1)");
    else if (o->kind == QN__OPTION_NUMBER && o->fallback)
        qn__str_printf(out, " (default %llu)", (unsigned long long)o->fallback);
    if (o->kind == QN__OPTION_LIST)
        qn__str_add(out, " (may be repeated)");
    for (const char *p = o->also; p; p = strchr(p, '|'), p = p ? p + 1 : NULL)
        qn__str_printf(out, "%s%s%.*s%s", p == o->also ? " (also " : ", ", *p == '-' ? "" : "--",
                       (int)strcspn(p, "|"), p, strchr(p, '|') ? "" : ")");
}

void qn__options_usage(struct qn__str *out, const char *program, const struct qn__command *command)
{
    qn__str_printf(out, "usage: %s %s", program, command->name);
    bool has_options = false;
    for (uint32_t i = 0; i < command->n_options; i++)
        has_options |= !is_operand(&command->options[i]);
    if (has_options)
        qn__str_add(out, " [options]");
    for (uint32_t i = 0; i < command->n_options; i++) {
        const struct qn__option *o = &command->options[i];
        if (!is_operand(o))
            continue;
        const bool may_lack = o->optional || o->kind == QN__OPTION_OPERANDS;
        qn__str_add(out, may_lack ? " [" : " ");
        qn__option_spell(out, o);
        qn__str_add(out, may_lack ? "]" : "");
    }
    qn__str_add_char(out, '\n');
}

static void add_option_line(struct qn__str *out, const struct qn__option *o)
{
    const size_t start = out->len;
    qn__str_add(out, "  ");
    if (!is_operand(o) && !o->letter)
        qn__str_add(out, "    ");
    qn__option_spell(out, o);
    size_t column = out->len - start;
    if (column + 2 > COLUMN_HELP) {
        qn__str_add_char(out, '\n');
        column = 0;
    }
    qn__str_add_repeat(out, ' ', COLUMN_HELP - column);
    struct qn__str help = {0};
    qn__option_explain(&help, o);
    qn__str_add_wrapped(out, help.failed ? o->help : help.text, COLUMN_HELP, COLUMN_HELP, WIDTH);
    qn__str_release(&help);
    qn__str_add_char(out, '\n');
}

void qn__options_help(struct qn__str *out, const char *program, const struct qn__command *command)
{
    qn__options_usage(out, program, command);
    qn__str_add_char(out, '\n');
    qn__str_add_wrapped(out, command->about ? command->about : command->brief, 0, 0, WIDTH);
    qn__str_add(out, "\n\n");
    for (uint32_t i = 0; i < command->n_options; i++)
        if (is_operand(&command->options[i]))
            add_option_line(out, &command->options[i]);
    for (uint32_t i = 0; i < command->n_options; i++)
        if (!is_operand(&command->options[i]))
            add_option_line(out, &command->options[i]);
    qn__str_add(out, "  -h, --help                this page\n");
    if (command->sample) {
        qn__str_add(out, "\nexamples:\n");
        for (const char *line = command->sample; *line;) {
            const size_t n = strcspn(line, "\n");
            qn__str_printf(out, "  %s %.*s\n", program, (int)n, line);
            line += n + (line[n] == '\n');
        }
    }
}
