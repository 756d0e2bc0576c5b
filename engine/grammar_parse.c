/* SPDX-License-Identifier: Apache-2.0
 *
 * GBNF to a network (grammar_parse.h).
 *
 *     root  ::= "yes" | "no" | (word ws)+     # a comment
 *     word  ::= [a-zA-Z]{1,12}
 *     ws    ::= [ \t\n]?
 *
 * The text becomes a tree first, because a repetition needs its part more than once; then each rule
 * is laid out from its end to its beginning, so that a node's successor is there when it is made.
 */
#include "engine/grammar_parse.h"

#include "base/arena.h"
#include "base/str.h"
#include "engine/utf8_ranges.h"

#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 16384, REPEATS_MAX = 16 };

enum part_kind { PART_CLASS, PART_RULE, PART_SEQUENCE, PART_CHOICE, PART_REPEAT };

struct range {
    uint32_t low, high;
};

struct part {
    enum part_kind kind;
    struct part *first, *next; /* children; the parent's next child */
    struct range *ranges;      /* CLASS: sorted, not touching */
    uint32_t n_ranges;
    uint32_t rule;     /* RULE */
    uint32_t min, max; /* REPEAT; max UINT32_MAX: no end */
};

struct rule {
    const char *name;
    size_t n_name;
    struct part *body; /* NULL: only used so far */
    const char *used_at;
};

struct parser {
    struct qn__grammar *g;
    struct qn__arena arena;
    const char *begin, *p, *end;
    struct rule *rules;
    uint32_t n_rules, room;
    uint32_t depth;
};

static qn_status fail_at(const struct parser *s, const char *at, qn_status status, const char *what)
{
    uint32_t line = 1, column = 1;
    for (const char *p = s->begin; p < at; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n';
    }
    return qn__fail(status, "grammar, line %u, column %u: %s", line, column, what);
}

static qn_status fail(const struct parser *s, const char *what)
{
    return fail_at(s, s->p, QN_E_INVALID, what);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

static char peek(const struct parser *s)
{
    return s->p < s->end ? *s->p : 0;
}

static void skip_space(struct parser *s, bool lines)
{
    while (s->p < s->end) {
        if (*s->p == '#')
            while (s->p < s->end && *s->p != '\n')
                s->p++;
        else if (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || (lines && *s->p == '\n'))
            s->p++;
        else
            return;
    }
}

static void *take(struct parser *s, size_t n, size_t size)
{
    return qn__arena_alloc(&s->arena, n, size);
}

static qn_status no_memory(void)
{
    return qn__fail(QN_E_MEMORY, "no memory for a grammar");
}

static qn_status new_part(struct part **out, struct parser *s, enum part_kind kind)
{
    *out = take(s, 1, sizeof **out);
    if (!*out)
        return no_memory();
    **out = (struct part){.kind = kind};
    return QN_OK;
}

/* -- rules by name -- */

static qn_status find_rule(uint32_t *out, struct parser *s, const char *name, size_t n)
{
    for (uint32_t i = 0; i < s->n_rules; i++)
        if (s->rules[i].n_name == n && memcmp(s->rules[i].name, name, n) == 0) {
            *out = i;
            return QN_OK;
        }
    if (s->n_rules == RULES_MAX)
        return fail_at(s, name, QN_E_LIMIT, "more than 16384 rules");
    if (s->n_rules == s->room) {
        const uint32_t room = s->room ? 2 * s->room : 64;
        struct rule *grown = realloc(s->rules, room * sizeof *grown);
        if (!grown)
            return no_memory();
        s->rules = grown;
        s->room = room;
    }
    if (qn__grammar_add_rule(s->g) == UINT32_MAX)
        return no_memory();
    s->rules[s->n_rules] = (struct rule){.name = name, .n_name = n, .used_at = name};
    *out = s->n_rules++;
    return QN_OK;
}

static qn_status read_name(const char **name, size_t *n, struct parser *s)
{
    *name = s->p;
    while (is_word(peek(s)))
        s->p++;
    *n = (size_t)(s->p - *name);
    return *n ? QN_OK : fail(s, "a rule's name is missing here");
}

/* -- characters -- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static qn_status read_hex(uint32_t *out, struct parser *s, uint32_t n)
{
    *out = 0;
    for (uint32_t i = 0; i < n; i++, s->p++) {
        const int digit = s->p < s->end ? hex_digit(*s->p) : -1;
        if (digit < 0)
            return fail(s, "a hexadecimal digit is missing here");
        *out = *out << 4 | (uint32_t)digit;
    }
    if (*out > QN__CHARACTER_MAX || (*out >= 0xd800 && *out < 0xe000))
        return fail(s, "the escape before this is no character");
    return QN_OK;
}

static qn_status read_escape(uint32_t *out, struct parser *s)
{
    const char c = peek(s);
    s->p++;
    switch (c) {
    case 'n': *out = '\n'; return QN_OK;
    case 'r': *out = '\r'; return QN_OK;
    case 't': *out = '\t'; return QN_OK;
    case 'x': return read_hex(out, s, 2);
    case 'u': return read_hex(out, s, 4);
    case 'U': return read_hex(out, s, 8);
    case '\\':
    case '"':
    case '[':
    case ']':
    case '-':
    case '^': *out = (uint32_t)c; return QN_OK;
    }
    s->p--;
    return fail(s,
                "no such escape: \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\^ \\xHH \\uHHHH \\UHHHHHHHH");
}

/* One character of a string or class, escaped or not. */
static qn_status read_character(uint32_t *out, struct parser *s)
{
    if (s->p == s->end)
        return fail(s, "the grammar ends within quotes or brackets");
    if (*s->p == '\\') {
        s->p++;
        return read_escape(out, s);
    }
    const uint32_t n = qn__utf8_read(out, s->p, (size_t)(s->end - s->p));
    if (n == 0)
        return fail(s, "this is not UTF-8");
    s->p += n;
    return QN_OK;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Sorted, joined where they touch, and turned round where the class says what is not in it. */
static qn_status set_ranges(struct part *part, struct parser *s, struct range *r, uint32_t n,
                            bool negated)
{
    uint32_t m = 0;
    qsort(r, n, sizeof *r, compare_ranges);
    for (uint32_t i = 0; i < n; i++)
        if (m && r[i].low <= r[m - 1].high + 1)
            r[m - 1].high = r[i].high > r[m - 1].high ? r[i].high : r[m - 1].high;
        else
            r[m++] = r[i];
    struct range *out = take(s, m + 1, sizeof *out);
    if (!out)
        return no_memory();
    part->ranges = out;
    if (!negated) {
        memcpy(out, r, m * sizeof *r);
        part->n_ranges = m;
        return QN_OK;
    }
    uint32_t from = 0, n_out = 0;
    for (uint32_t i = 0; i < m; i++) {
        if (r[i].low > from)
            out[n_out++] = (struct range){from, r[i].low - 1};
        from = r[i].high + 1;
    }
    if (from <= QN__CHARACTER_MAX)
        out[n_out++] = (struct range){from, QN__CHARACTER_MAX};
    part->n_ranges = n_out;
    return QN_OK;
}

static qn_status one_character(struct part **out, struct parser *s, uint32_t low, uint32_t high)
{
    struct range r = {low, high};
    QN_TRY(new_part(out, s, PART_CLASS));
    return set_ranges(*out, s, &r, 1, false);
}

static qn_status read_ranges(struct range **r, uint32_t *n, struct parser *s)
{
    uint32_t room = 0;
    while (peek(s) != ']' || s->p == s->end) {
        struct range now;
        QN_TRY(read_character(&now.low, s));
        now.high = now.low;
        if (peek(s) == '-' && s->p + 1 < s->end && s->p[1] != ']') {
            s->p++;
            QN_TRY(read_character(&now.high, s));
            if (now.high < now.low)
                return fail(s, "the range before this goes backwards");
        }
        if (*n == room) {
            room = room ? 2 * room : 16;
            struct range *grown = realloc(*r, room * sizeof *grown);
            if (!grown)
                return no_memory();
            *r = grown;
        }
        (*r)[(*n)++] = now;
    }
    s->p++;
    return QN_OK;
}

static qn_status read_class(struct part **out, struct parser *s)
{
    struct range *r = NULL;
    uint32_t n = 0;
    s->p++;
    const bool negated = peek(s) == '^';
    s->p += negated;
    const char *at = s->p;
    qn_status status = new_part(out, s, PART_CLASS);
    if (status == QN_OK)
        status = read_ranges(&r, &n, s);
    if (status == QN_OK && n == 0 && !negated)
        status = fail_at(s, at, QN_E_INVALID, "no character is in these brackets");
    if (status == QN_OK)
        status = n ? set_ranges(*out, s, r, n, negated)
                   : set_ranges(*out, s, &(struct range){0, QN__CHARACTER_MAX}, 1, false);
    if (status == QN_OK && (*out)->n_ranges == 0)
        status = fail_at(s, at, QN_E_INVALID, "no character is left by these brackets");
    free(r);
    return status;
}

static qn_status read_string(struct part **out, struct parser *s)
{
    QN_TRY(new_part(out, s, PART_SEQUENCE));
    struct part **last = &(*out)->first;
    s->p++;
    while (peek(s) != '"' || s->p == s->end) {
        uint32_t c;
        QN_TRY(read_character(&c, s));
        QN_TRY(one_character(last, s, c, c));
        last = &(*last)->next;
    }
    s->p++;
    return QN_OK;
}

/* -- expressions -- */

static qn_status read_choice(struct part **out, struct parser *s, bool nested);

static qn_status read_group(struct part **out, struct parser *s)
{
    if (++s->depth > QN__GRAMMAR_DEPTH_MAX)
        return fail_at(s, s->p, QN_E_LIMIT, "more than 256 parentheses within one another");
    s->p++;
    skip_space(s, true);
    QN_TRY(read_choice(out, s, true));
    if (peek(s) != ')')
        return fail(s, "a ')' is missing here");
    s->p++;
    s->depth--;
    return QN_OK;
}

/* *out stays NULL where no item begins. */
static qn_status read_item(struct part **out, struct parser *s)
{
    const char *name;
    size_t n;
    *out = NULL;
    switch (peek(s)) {
    case '"': return read_string(out, s);
    case '[': return read_class(out, s);
    case '(': return read_group(out, s);
    case '.': s->p++; return one_character(out, s, 0, QN__CHARACTER_MAX);
    case '<':
    case '!':
        return fail_at(s, s->p, QN_E_UNSUPPORTED,
                       "tokens in a grammar are not supported: write their text in quotes");
    }
    if (!is_word(peek(s)))
        return QN_OK;
    QN_TRY(read_name(&name, &n, s));
    QN_TRY(new_part(out, s, PART_RULE));
    return find_rule(&(*out)->rule, s, name, n);
}

static qn_status read_number(uint32_t *out, struct parser *s)
{
    const char *at = s->p;
    uint64_t n = 0;
    for (; peek(s) >= '0' && peek(s) <= '9' && n < UINT32_MAX; s->p++)
        n = 10 * n + (uint64_t)(*s->p - '0');
    if (s->p == at)
        return fail(s, "a number is missing here");
    if (n >= QN__GRAMMAR_NODES_MAX)
        return fail_at(s, at, QN_E_LIMIT, "repeated too often: at most 1048575 times");
    *out = (uint32_t)n;
    return QN_OK;
}

/* {m}, {m,}, {m,n}, {,n} */
static qn_status read_times(struct part *r, struct parser *s)
{
    s->p++;
    skip_space(s, false);
    r->min = 0;
    if (peek(s) != ',')
        QN_TRY(read_number(&r->min, s));
    r->max = r->min;
    skip_space(s, false);
    if (peek(s) == ',') {
        s->p++;
        skip_space(s, false);
        r->max = UINT32_MAX;
        if (peek(s) != '}')
            QN_TRY(read_number(&r->max, s));
        skip_space(s, false);
    }
    if (peek(s) != '}')
        return fail(s, "a '}' is missing here");
    s->p++;
    return r->max < r->min ? fail(s, "the repetition before this has fewer at most than at least")
                           : QN_OK;
}

/* What stands behind an item, any number of times. */
static qn_status read_repeats(struct part **item, struct parser *s)
{
    uint32_t n = 0;
    for (char c; (c = peek(s)) && strchr("*+?{", c);) {
        struct part *r;
        if (++n > REPEATS_MAX)
            return fail_at(s, s->p, QN_E_LIMIT, "more than 16 repetitions of one another");
        QN_TRY(new_part(&r, s, PART_REPEAT));
        r->first = *item;
        r->min = c == '+';
        r->max = c == '?' ? 1 : UINT32_MAX;
        if (c == '{')
            QN_TRY(read_times(r, s));
        else
            s->p++;
        *item = r;
        skip_space(s, s->depth > 0);
    }
    return QN_OK;
}

static qn_status read_sequence(struct part **out, struct parser *s, bool nested)
{
    QN_TRY(new_part(out, s, PART_SEQUENCE));
    struct part **last = &(*out)->first;
    for (;;) {
        struct part *item;
        QN_TRY(read_item(&item, s));
        if (!item)
            return QN_OK;
        skip_space(s, nested);
        QN_TRY(read_repeats(&item, s));
        *last = item;
        last = &item->next;
        skip_space(s, nested);
    }
}

static qn_status read_choice(struct part **out, struct parser *s, bool nested)
{
    QN_TRY(new_part(out, s, PART_CHOICE));
    struct part **last = &(*out)->first;
    for (;;) {
        QN_TRY(read_sequence(last, s, nested));
        last = &(*last)->next;
        if (peek(s) != '|')
            return QN_OK;
        s->p++;
        skip_space(s, true);
    }
}

static qn_status read_rule(struct parser *s)
{
    const char *name, *at = s->p;
    size_t n;
    uint32_t rule;
    QN_TRY(read_name(&name, &n, s));
    skip_space(s, false);
    if (s->end - s->p < 3 || memcmp(s->p, "::=", 3) != 0)
        return fail(s, "'::=' is missing here");
    s->p += 3;
    skip_space(s, true);
    QN_TRY(find_rule(&rule, s, name, n));
    if (s->rules[rule].body)
        return fail_at(s, at, QN_E_INVALID, "this rule is there already");
    struct part *body;
    s->depth = 0;
    QN_TRY(read_choice(&body, s, false));
    s->rules[rule].body = body;
    s->rules[rule].used_at = at;
    if (s->p < s->end && *s->p != '\n')
        return fail(s, "what begins here is no part of a rule");
    skip_space(s, true);
    return QN_OK;
}

/* -- layout -- */

struct layout {
    struct parser *s;
    uint32_t to, start;
    bool failed;
};

static uint32_t add(struct parser *s, struct qn__grammar_node node, bool *failed)
{
    const uint32_t n = qn__grammar_add(s->g, node);
    *failed = *failed || n == UINT32_MAX;
    return n;
}

/* A way more to `start`; UINT32_MAX: there was none yet. */
static uint32_t join(struct parser *s, uint32_t start, uint32_t other, bool *failed)
{
    if (start == UINT32_MAX)
        return other;
    return add(s, (struct qn__grammar_node){.kind = QN__NODE_SPLIT, .to = start, .other = other},
               failed);
}

static int add_sequence(const struct qn__utf8_sequence *u, void *payload)
{
    struct layout *l = payload;
    uint32_t to = l->to;
    for (uint32_t i = u->n; i-- > 0 && !l->failed;)
        to = add(
            l->s,
            (struct qn__grammar_node){
                .kind = QN__NODE_BYTE, .low = u->bytes[i].low, .high = u->bytes[i].high, .to = to},
            &l->failed);
    if (!l->failed)
        l->start = join(l->s, l->start, to, &l->failed);
    return !l->failed;
}

static uint32_t lay_out(struct parser *s, struct part *part, uint32_t to, bool *failed);

static uint32_t lay_out_class(struct parser *s, const struct part *part, uint32_t to, bool *failed)
{
    struct layout l = {.s = s, .to = to, .start = UINT32_MAX};
    for (uint32_t i = 0; i < part->n_ranges && !l.failed; i++)
        qn__utf8_ranges(part->ranges[i].low, part->ranges[i].high, add_sequence, &l);
    *failed = *failed || l.failed;
    return l.start;
}

/* Children from the last to the first. */
static uint32_t lay_out_sequence(struct parser *s, const struct part *part, uint32_t to,
                                 bool *failed)
{
    uint32_t n = 0;
    for (struct part *c = part->first; c; c = c->next)
        n++;
    struct part **children = take(s, n ? n : 1, sizeof *children);
    if (!children) {
        *failed = true;
        (void)!no_memory();
        return to;
    }
    n = 0;
    for (struct part *c = part->first; c; c = c->next)
        children[n++] = c;
    while (n-- > 0 && !*failed)
        to = lay_out(s, children[n], to, failed);
    return to;
}

/* A part that is repeated often becomes a rule of its own. */
static struct part *as_rule(struct parser *s, struct part *part, uint32_t times, bool *failed)
{
    enum { OFTEN = 4 };
    if (times < OFTEN || part->kind == PART_RULE)
        return part;
    struct part *use;
    const uint32_t rule = qn__grammar_add_rule(s->g);
    if (rule == UINT32_MAX || new_part(&use, s, PART_RULE) != QN_OK) {
        *failed = true;
        return part;
    }
    const uint32_t end = add(s, (struct qn__grammar_node){.kind = QN__NODE_LEAVE}, failed);
    const uint32_t start = *failed ? 0 : lay_out(s, part, end, failed);
    s->g->starts[rule] = start;
    use->rule = rule;
    return use;
}

static uint32_t lay_out_repeat(struct parser *s, const struct part *r, uint32_t to, bool *failed)
{
    const bool endless = r->max == UINT32_MAX;
    struct part *child = as_rule(s, r->first, endless ? r->min : r->max, failed);
    uint32_t at = to, n = r->min;
    if (endless && !*failed) { /* a way back to where it begins */
        const uint32_t choice =
            add(s, (struct qn__grammar_node){.kind = QN__NODE_SPLIT, .other = to}, failed);
        const uint32_t again = *failed ? 0 : lay_out(s, child, choice, failed);
        if (!*failed)
            s->g->nodes[choice].to = again;
        at = n ? again : choice;
        n -= n > 0;
    }
    for (uint32_t i = r->min; !endless && i < r->max && !*failed; i++)
        at = join(s, lay_out(s, child, at, failed), to, failed);
    for (uint32_t i = 0; i < n && !*failed; i++)
        at = lay_out(s, child, at, failed);
    return at;
}

/* The part's first node, where `to` comes after it. */
static uint32_t lay_out(struct parser *s, struct part *part, uint32_t to, bool *failed)
{
    uint32_t start = UINT32_MAX;
    if (*failed)
        return to;
    switch (part->kind) {
    case PART_CLASS: return lay_out_class(s, part, to, failed);
    case PART_SEQUENCE: return lay_out_sequence(s, part, to, failed);
    case PART_REPEAT: return lay_out_repeat(s, part, to, failed);
    case PART_RULE:
        return add(s,
                   (struct qn__grammar_node){.kind = QN__NODE_CALL, .to = to, .other = part->rule},
                   failed);
    case PART_CHOICE:
        for (struct part *c = part->first; c && !*failed; c = c->next)
            start = join(s, start, lay_out(s, c, to, failed), failed);
        return start;
    }
    return to;
}

static qn_status lay_out_rules(struct parser *s)
{
    const uint32_t n = s->n_rules;
    for (uint32_t i = 0; i < n; i++) {
        const struct rule *r = &s->rules[i];
        bool failed = false;
        if (!r->body)
            return fail_at(s, r->used_at, QN_E_INVALID, "there is no rule of this name");
        const uint32_t end = add(s, (struct qn__grammar_node){.kind = QN__NODE_LEAVE}, &failed);
        const uint32_t start = lay_out(s, r->body, end, &failed);
        if (failed)
            return qn__fail_prefix(QN_E_LIMIT, "grammar");
        s->g->starts[i] = start;
    }
    return QN_OK;
}

static qn_status parse(struct parser *s, const char *root)
{
    uint32_t rule, self;
    QN_TRY(find_rule(&rule, s, root, strlen(root))); /* rule 0 */
    s->rules[0].used_at = s->begin;
    skip_space(s, true);
    while (s->p < s->end)
        QN_TRY(read_rule(s));
    if (!s->rules[0].body)
        return qn__fail(QN_E_INVALID, "grammar: there is no rule '%s', where a text begins", root);
    QN_TRY(lay_out_rules(s));
    const qn_status status = qn__grammar_check(s->g, &self);
    if (status == QN_E_INVALID && self < s->n_rules)
        return fail_at(s, s->rules[self].used_at, QN_E_INVALID,
                       "this rule begins with itself: write what is repeated with * or +");
    if (status == QN_E_INVALID)
        return qn__fail(QN_E_INVALID, "grammar: a repetition begins with the rule it is in");
    return status;
}

qn_status qn__grammar_parse(struct qn__grammar *out, const char *text, size_t n_bytes,
                            const char *root)
{
    struct parser s = {.g = out, .begin = text, .p = text, .end = text + n_bytes};
    memset(out, 0, sizeof *out);
    qn_status status = parse(&s, root);
    free(s.rules);
    qn__arena_release(&s.arena);
    if (status != QN_OK) {
        struct qn__message kept;
        qn__message_save(&kept);
        qn__grammar_release(out);
        qn__message_restore(&kept);
    }
    return status;
}
