/* SPDX-License-Identifier: Apache-2.0
 *
 * Pre-tokenisers as a table of regular expressions, and the loop that applies them.
 *
 * White space is written out, for PCRE2's own \s counts U+180E, which Unicode no longer does. A
 * text is checked to be UTF-8 once, before the expressions see it: PCRE2 would check the rest of it
 * at every match. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "engine/pretokenize.h"

#include "base/arena.h"
#include "base/str.h"
#include "engine/pretokenizer_rules.h"
#include "engine/utf8.h"
#include "engine/vocabulary.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#define SPACE "\\x09-\\x0d\\x{85}\\p{Z}"

struct qn__pretokenizer {
    const struct qn__pretokenizer_rules *rules;
    char name[32];
    pcre2_code *codes[QN__EXPRESSIONS_MAX];
    uint32_t n;
};

/* -- making -- */

static qn_status fail_unknown(const char *name)
{
    struct qn__str ours = {0};
    for (uint32_t i = 0; i < qn__n_pretokenizer_rules; i++) {
        const char *names = qn__pretokenizer_rules[i].names;
        qn__str_printf(&ours, "%s%.*s", i ? ", " : "", (int)strcspn(names, " "), names);
    }
    const qn_status s =
        qn__fail(QN_E_UNSUPPORTED, "the pre-tokeniser '%.64s' (tokenizer.ggml.pre); Quern has %s",
                 name, ours.text ? ours.text : "");
    qn__str_release(&ours);
    return s;
}

/* The expression with white space written out. */
static void write_out(struct qn__str *out, const char *expression)
{
    bool in_set = false;
    for (const char *p = expression; *p; p++) {
        if (*p == '\\' && (p[1] == 's' || p[1] == 'S')) {
            qn__str_add(out, in_set ? SPACE : p[1] == 's' ? "[" SPACE "]" : "[^" SPACE "]");
            p++;
            continue;
        }
        if (*p == '\\' && p[1])
            qn__str_add_char(out, *p++);
        else if (*p == '[' || *p == ']')
            in_set = *p == '[';
        qn__str_add_char(out, *p);
    }
}

static qn_status compile(pcre2_code **out, const char *published)
{
    struct qn__str expression = {0};
    int error;
    PCRE2_SIZE at;
    *out = NULL;
    write_out(&expression, published);
    qn_status s = qn__str_check(&expression);
    if (s == QN_OK)
        *out = pcre2_compile((PCRE2_SPTR)expression.text, expression.len, PCRE2_UTF | PCRE2_UCP,
                             &error, &at, NULL);
    if (s == QN_OK && !*out)
        s = qn__fail_code(QN_E_MEMORY, error, "PCRE2 refuses an expression at %zu: %s", at,
                          expression.text);
    qn__str_release(&expression);
    if (s == QN_OK)
        (void)pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE); /* where it cannot, it interprets */
    return s;
}

qn_status qn__pretokenizer_create(struct qn__pretokenizer **out, const char *name)
{
    *out = NULL;
    const struct qn__pretokenizer_rules *rules = qn__pretokenizer_rules_find(name);
    if (!rules)
        return fail_unknown(name);
    struct qn__pretokenizer *p = qn__alloc(1, sizeof *p);
    if (!p)
        return qn__fail(QN_E_MEMORY, "no memory for a pre-tokeniser");
    p->rules = rules;
    strncat(p->name, rules->names, strcspn(rules->names, " "));
    qn_status s = QN_OK;
    while (p->n < QN__EXPRESSIONS_MAX && rules->expressions[p->n] && s == QN_OK) {
        const char *instead = rules->instead[p->n];
        s = compile(&p->codes[p->n], instead ? instead : rules->expressions[p->n]);
        p->n++;
    }
    if (s != QN_OK) {
        qn__pretokenizer_destroy(p);
        return s;
    }
    *out = p;
    return QN_OK;
}

void qn__pretokenizer_destroy(struct qn__pretokenizer *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        pcre2_code_free(p->codes[i]);
    free(p);
}

const char *qn__pretokenizer_name(const struct qn__pretokenizer *p)
{
    return p->name;
}

bool qn__pretokenizer_takes_words(const struct qn__pretokenizer *p)
{
    return p->rules->takes_words;
}

bool qn__pretokenizer_adds_bos(const struct qn__pretokenizer *p)
{
    return p->rules->adds_bos;
}

/* -- cutting -- */

static qn_status add_span(struct qn__spans *s, size_t start, size_t n_bytes)
{
    if (n_bytes == 0)
        return QN_OK;
    if (s->n == s->capacity) {
        const size_t wanted = s->capacity ? s->capacity * 2 : 64;
        struct qn__span *more =
            wanted <= SIZE_MAX / sizeof *more ? realloc(s->items, wanted * sizeof *more) : NULL;
        if (!more)
            return qn__fail(QN_E_MEMORY, "no memory for a text of %zu pieces", wanted);
        s->items = more;
        s->capacity = wanted;
    }
    s->items[s->n++] = (struct qn__span){start, n_bytes};
    return QN_OK;
}

static qn_status cut(struct qn__spans *out, const pcre2_code *code, pcre2_match_data *match,
                     const char *text, struct qn__span piece)
{
    const PCRE2_SPTR subject = (PCRE2_SPTR)text + piece.start;
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(match);
    size_t done = 0, from = 0; /* what is cut off; where the next match may begin */
    while (from < piece.n_bytes) {
        int n = pcre2_match(code, subject, piece.n_bytes, from, PCRE2_NO_UTF_CHECK, match, NULL);
        if (n == PCRE2_ERROR_JIT_STACKLIMIT) /* the interpreter has the heap */
            n = pcre2_match(code, subject, piece.n_bytes, from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                            match, NULL);
        if (n == PCRE2_ERROR_NOMATCH)
            break;
        if (n < 0 || ends[1] < from)
            return qn__fail_code(QN_E_LIMIT, n, "PCRE2 gave up on a text of %zu bytes (error %d)",
                                 piece.n_bytes, n);
        QN_TRY(add_span(out, piece.start + done, ends[0] - done));
        QN_TRY(add_span(out, piece.start + ends[0], ends[1] - ends[0]));
        done = from = ends[1];
        if (ends[0] == ends[1] && from < piece.n_bytes) /* a place alone: look behind it */
            from += qn__utf8_bytes((const char *)subject + from, piece.n_bytes - from);
    }
    return add_span(out, piece.start + done, piece.n_bytes - done);
}

/* Runs of UTF-8 and of everything else, by turns. */
static qn_status split_by_validity(struct qn__spans *out, const char *text, size_t n_bytes)
{
    for (size_t at = 0; at < n_bytes;) {
        const size_t start = at;
        for (uint32_t n; at < n_bytes && (n = qn__utf8_bytes(text + at, n_bytes - at)) > 0;)
            at += n;
        QN_TRY(add_span(out, start, at - start));
        const size_t bad = at;
        while (at < n_bytes && qn__utf8_bytes(text + at, n_bytes - at) == 0)
            at++;
        QN_TRY(add_span(out, bad, at - bad));
    }
    return QN_OK;
}

qn_status qn__pretokenize(struct qn__spans *out, const struct qn__pretokenizer *p, const char *text,
                          size_t n_bytes)
{
    struct qn__spans pieces = {0}, finer = {0};
    pcre2_match_data *match = pcre2_match_data_create(1, NULL);
    qn_status s = match ? split_by_validity(&pieces, text, n_bytes)
                        : qn__fail(QN_E_MEMORY, "no memory for a match");
    for (uint32_t e = 0; e < p->n && s == QN_OK; e++) {
        finer.n = 0;
        for (size_t i = 0; i < pieces.n && s == QN_OK; i++) {
            const struct qn__span piece = pieces.items[i];
            s = qn__utf8_bytes(text + piece.start, piece.n_bytes)
                    ? cut(&finer, p->codes[e], match, text, piece)
                    : add_span(&finer, piece.start, piece.n_bytes);
        }
        const struct qn__spans swap = pieces;
        pieces = finer;
        finer = swap;
    }
    pcre2_match_data_free(match);
    free(finer.items);
    if (s != QN_OK) {
        free(pieces.items);
        pieces = (struct qn__spans){0};
    }
    *out = pieces;
    return s;
}
