/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations and expressions: see tune_space.h. */
#define _GNU_SOURCE
#include "tools/tune_space.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char marker[] = "quern tune";

enum { DEPTH_MAX = 64 };

static bool fail(struct qn__str *error, const char *what, const char *where)
{
    if (!error->len)
        qn__str_printf(error, "%s: '%.80s'", what, where);
    return false;
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r");
}

/* ---- expressions ---- */

struct reader {
    const char *p;
    const struct qn__tune_space *space;
    const struct qn__tune_point *point;
    struct qn__str *error;
    uint32_t depth;
};

static bool read_binary(struct reader *r, int64_t *out, int level);

static bool read_name(struct reader *r, int64_t *out)
{
    size_t n = 0;
    while (isalnum((unsigned char)r->p[n]) || r->p[n] == '_')
        n++;
    for (uint32_t i = 0; i < r->space->n_parameters; i++) {
        const struct qn__tune_parameter *p = &r->space->parameters[i];
        if (strlen(p->name) == n && !memcmp(p->name, r->p, n)) {
            *out = p->values[r->point->at[i]];
            r->p += n;
            return true;
        }
    }
    return fail(r->error, "no parameter of that name", r->p);
}

static bool read_one(struct reader *r, int64_t *out)
{
    bool good;
    r->p = skip_blanks(r->p);
    if (++r->depth > DEPTH_MAX)
        return fail(r->error, "nested too deeply", r->p);
    if (*r->p == '(') {
        r->p++;
        good = read_binary(r, out, 0);
        r->p = skip_blanks(r->p);
        if (good && *r->p != ')')
            return fail(r->error, "a ) is missing", r->p);
        r->p += good;
    } else if (*r->p == '-') {
        r->p++;
        good = read_one(r, out);
        if (good && __builtin_sub_overflow((int64_t)0, *out, out))
            return fail(r->error, "overflow", r->p);
    } else if (*r->p == '!' && r->p[1] != '=') {
        r->p++;
        good = read_one(r, out);
        *out = good && !*out;
    } else if (isdigit((unsigned char)*r->p)) {
        char *end;
        const unsigned long long v = strtoull(r->p, &end, 10);
        if (end - r->p > 18 || isalpha((unsigned char)*end) || *end == '_')
            return fail(r->error, "no number that fits", r->p);
        *out = (int64_t)v;
        r->p = end;
        good = true;
    } else if (isalpha((unsigned char)*r->p) || *r->p == '_') {
        good = read_name(r, out);
    } else {
        return fail(r->error, "a number, a parameter or ( is missing", r->p);
    }
    r->depth--;
    return good;
}

static const struct {
    const char *text;
    int level;
} operators[] = {
    /* longer ones first */
    {"||", 0}, {"&&", 1}, {"==", 2}, {"!=", 2}, {"<=", 3}, {">=", 3}, {"<", 3},
    {">", 3},  {"+", 4},  {"-", 4},  {"*", 5},  {"/", 5},  {"%", 5},
};
enum { N_OPERATORS = sizeof operators / sizeof operators[0], LEVELS = 6 };

static bool apply(int64_t *out, const char *op, int64_t a, int64_t b, const struct reader *r)
{
    bool overflows = false;
    if ((*op == '/' || *op == '%') && (b == 0 || (a == INT64_MIN && b == -1)))
        return fail(r->error, "a division by 0", r->p);
    switch (*op) {
    case '|': *out = a || b; break;
    case '&': *out = a && b; break;
    case '=': *out = a == b; break;
    case '!': *out = a != b; break;
    case '<': *out = op[1] ? a <= b : a < b; break;
    case '>': *out = op[1] ? a >= b : a > b; break;
    case '+': overflows = __builtin_add_overflow(a, b, out); break;
    case '-': overflows = __builtin_sub_overflow(a, b, out); break;
    case '*': overflows = __builtin_mul_overflow(a, b, out); break;
    case '/': *out = a / b; break;
    default: *out = a % b; break;
    }
    return !overflows || fail(r->error, "overflow", r->p);
}

/* Operators of that level and of those that bind more tightly. */
static bool read_binary(struct reader *r, int64_t *out, int level)
{
    if (level == LEVELS)
        return read_one(r, out);
    if (!read_binary(r, out, level + 1))
        return false;
    for (;;) {
        const char *op = NULL;
        int64_t right;
        r->p = skip_blanks(r->p);
        for (int i = 0; i < N_OPERATORS && !op; i++)
            if (qn__starts_with(r->p, operators[i].text)) {
                if (operators[i].level != level)
                    return true;
                op = operators[i].text;
            }
        if (!op)
            return true;
        r->p += strlen(op);
        if (!read_binary(r, &right, level + 1) || !apply(out, op, *out, right, r))
            return false;
    }
}

bool qn__tune_evaluate(int64_t *out, struct qn__str *error, const struct qn__tune_space *space,
                       const struct qn__tune_point *point, const char *expression)
{
    struct reader r = {.p = expression, .space = space, .point = point, .error = error};
    *out = 0;
    if (!read_binary(&r, out, 0))
        return false;
    r.p = skip_blanks(r.p);
    return !*r.p || fail(error, "what is this?", r.p);
}

/* ---- declarations ---- */

/* "NAME = 1, 2, 4" */
static bool parse_parameter(struct qn__tune_space *s, struct qn__str *error, const char *text)
{
    struct qn__tune_parameter *p = &s->parameters[s->n_parameters];
    const char *at = skip_blanks(text);
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    if (!n || isdigit((unsigned char)*at) || n >= sizeof p->name)
        return fail(error, "a name is missing", at);
    if (s->n_parameters == QN__TUNE_PARAMETERS)
        return fail(error, "more than 16 parameters", at);
    memset(p, 0, sizeof *p);
    memcpy(p->name, at, n);
    for (uint32_t i = 0; i < s->n_parameters; i++)
        if (!strcmp(s->parameters[i].name, p->name))
            return fail(error, "declared twice", p->name);
    at = skip_blanks(at + n);
    if (*at++ != '=')
        return fail(error, "a = is missing after the name", p->name);
    for (;; at++) {
        char *end;
        at = skip_blanks(at);
        const long long v = strtoll(at, &end, 10);
        if (end == at || end - at > 18)
            return fail(error, "a whole number is missing", at);
        if (p->n == QN__TUNE_VALUES)
            return fail(error, "more than 32 values", p->name);
        for (uint32_t i = 0; i < p->n; i++)
            if (p->values[i] == v)
                return fail(error, "a value twice", at);
        p->values[p->n++] = v;
        at = skip_blanks(end);
        if (*at != ',')
            break;
    }
    if (*at)
        return fail(error, "what is this?", at);
    s->n_parameters++;
    return true;
}

static bool keep(char out[QN__TUNE_EXPRESSION_BYTES], struct qn__str *error, const char *text)
{
    text = skip_blanks(text);
    if (!*text)
        return fail(error, "an expression is missing", text);
    if (strlen(text) >= QN__TUNE_EXPRESSION_BYTES)
        return fail(error, "the expression is too long", text);
    if (*out)
        return fail(error, "said twice", text);
    snprintf(out, QN__TUNE_EXPRESSION_BYTES, "%s", text);
    return true;
}

typedef bool parse_part(struct qn__tune_space *s, struct qn__str *error, const char *text,
                        uint32_t index);

static bool part_of_parameters(struct qn__tune_space *s, struct qn__str *error, const char *text,
                               uint32_t index)
{
    (void)index;
    return parse_parameter(s, error, text);
}

static bool part_of_where(struct qn__tune_space *s, struct qn__str *error, const char *text,
                          uint32_t index)
{
    (void)index;
    if (s->n_where == QN__TUNE_CONSTRAINTS)
        return fail(error, "more than 16 constraints", text);
    return keep(s->where[s->n_where++], error, text);
}

static bool part_of_block(struct qn__tune_space *s, struct qn__str *error, const char *text,
                          uint32_t index)
{
    return index < 3 ? keep(s->block[index], error, text)
                     : fail(error, "a block has three sides at most", text);
}

static bool part_of_items(struct qn__tune_space *s, struct qn__str *error, const char *text,
                          uint32_t index)
{
    return index == 0 ? keep(s->items, error, text) : fail(error, "one number only", text);
}

/* Parts between semicolons; the last may be empty. */
static bool parse_parts(struct qn__tune_space *s, struct qn__str *error, char *text,
                        parse_part *part)
{
    uint32_t index = 0;
    for (char *one; (one = strsep(&text, ";"));)
        if ((*skip_blanks(one) || index == 0) && !part(s, error, one, index++))
            return false;
    return true;
}

/* `line` is behind "quern tune" and is cut up. */
static bool parse_line(struct qn__tune_space *s, struct qn__str *error, char *line)
{
    static const struct {
        const char *word;
        parse_part *part;
    } kinds[] = {{":", part_of_parameters},
                 {" where:", part_of_where},
                 {" block:", part_of_block},
                 {" items:", part_of_items}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (qn__starts_with(line, kinds[i].word))
            return parse_parts(s, error, line + strlen(kinds[i].word), kinds[i].part);
    return fail(error, "expected `quern tune:`, `where:`, `block:` or `items:`", line);
}

bool qn__tune_parse(struct qn__tune_space *out, struct qn__str *error, const char *text)
{
    uint32_t number = 1;
    memset(out, 0, sizeof *out);
    for (const char *p = text; *p; number++) {
        const size_t n = strcspn(p, "\n");
        const char *at = skip_blanks(p);
        const bool is_comment = at[0] == '/' && at[1] == '/';
        at = is_comment ? skip_blanks(at + 2) : at;
        if (is_comment && qn__starts_with(at, marker)) {
            char *line =
                strndup(at + sizeof marker - 1, n - (size_t)(at - p) - (sizeof marker - 1));
            struct qn__str why = {0};
            const bool good = line && parse_line(out, &why, line);
            if (!good)
                qn__str_printf(error, "line %u: %s", number, why.text ? why.text : "out of memory");
            free(line);
            qn__str_release(&why);
            if (!good)
                return false;
        }
        p += n + (p[n] == '\n');
    }
    return true;
}

/* ---- points ---- */

static bool holds(bool *out, struct qn__str *error, const struct qn__tune_space *s,
                  const struct qn__tune_point *point)
{
    *out = true;
    for (uint32_t i = 0; i < s->n_where && *out; i++) {
        int64_t v;
        if (!qn__tune_evaluate(&v, error, s, point, s->where[i]))
            return false;
        *out = v != 0;
    }
    return true;
}

/* The next point; false after the last. */
static bool advance(struct qn__tune_point *p, const struct qn__tune_space *s)
{
    for (uint32_t i = s->n_parameters; i > 0; i--) {
        if (++p->at[i - 1] < s->parameters[i - 1].n)
            return true;
        p->at[i - 1] = 0;
    }
    return false;
}

struct qn__tune_point *qn__tune_points(uint32_t *n, struct qn__str *error,
                                       const struct qn__tune_space *s)
{
    struct qn__tune_point point = {{0}}, *points = calloc(QN__TUNE_POINTS, sizeof *points);
    uint64_t all = 1;
    bool good = points != NULL, fits;
    *n = 0;
    for (uint32_t i = 0; i < s->n_parameters && all <= QN__TUNE_POINTS * 16; i++)
        all *= s->parameters[i].n;
    if (all > QN__TUNE_POINTS * 16)
        good = fail(error, "more than a million combinations", "fewer values, please");
    do {
        good = good && holds(&fits, error, s, &point);
        if (good && fits && *n == QN__TUNE_POINTS)
            good = fail(error, "more than 65536 combinations", "constrain them with `where:`");
        if (good && fits)
            points[(*n)++] = point;
    } while (good && advance(&point, s));
    if (good && *n == 0)
        good = fail(error, "no combination is left by", s->where[0]);
    if (good)
        return points;
    free(points);
    return NULL;
}

bool qn__tune_shape(uint32_t block[3], uint64_t *items, struct qn__str *error,
                    const struct qn__tune_space *s, const struct qn__tune_point *point)
{
    int64_t v = 1, threads = 1;
    for (int i = 0; i < 3; i++) {
        const char *said = s->block[i][0] ? s->block[i] : i == 0 && !s->block[0][0] ? "BLOCK" : "1";
        if (!qn__tune_evaluate(&v, error, s, point, said))
            return false;
        if (v < 1 || v > UINT32_MAX || threads > INT64_MAX / v)
            return fail(error, "a block's side is not above 0", said);
        block[i] = (uint32_t)v;
        threads *= v;
    }
    if (s->items[0] && !qn__tune_evaluate(&threads, error, s, point, s->items))
        return false;
    *items = (uint64_t)threads;
    return threads > 0 || fail(error, "the items of a block are not above 0", s->items);
}

void qn__tune_values_of(struct qn__tune_values *out, const struct qn__tune_space *s,
                        const struct qn__tune_point *point)
{
    out->n = s->n_parameters;
    for (uint32_t i = 0; i < s->n_parameters; i++) {
        const struct qn__tune_parameter *p = &s->parameters[i];
        snprintf(out->text[i], sizeof out->text[i], "%s=%lld", p->name,
                 (long long)p->values[point->at[i]]);
        out->list[i] = out->text[i];
    }
}

void qn__tune_point_text(struct qn__str *out, const struct qn__tune_space *s,
                         const struct qn__tune_point *point)
{
    for (uint32_t i = 0; i < s->n_parameters; i++)
        qn__str_printf(out, "%s%s=%lld", i ? " " : "", s->parameters[i].name,
                       (long long)s->parameters[i].values[point->at[i]]);
}
