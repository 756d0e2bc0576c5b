/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a statement of inline PTX: the words of its name, its operands, the type that the name
 * ends in.
 *
 *     mad.lo.u32 d, a, b, c    ->   words "mad" "lo" "u32"; operands d, a, b, c
 */
#include "compiler/lower/ptx/ptx_statement.h"

#include <ctype.h>
#include <string.h>

bool qn__ptx_unknown(struct qn__ptx *x, const char *why)
{
    if (!x->reason)
        x->reason = qn__text(x->u, "%s: %s", x->text, why);
    return false;
}

bool qn__ptx_has(const struct qn__ptx *x, const char *word)
{
    for (unsigned i = 1; i < x->n_words; i++)
        if (qn__equal(x->words[i], word))
            return true;
    return false;
}

bool qn__ptx_only(struct qn__ptx *x, const char *allowed)
{
    for (unsigned i = 1; i + 1 < x->n_words; i++) {
        const size_t n = strlen(x->words[i]);
        bool known = false;
        for (const char *p = allowed; *p && !known; p += strspn(p, " ")) {
            const size_t m = strcspn(p, " ");
            known = m == n && memcmp(p, x->words[i], n) == 0;
            p += m;
        }
        if (!known)
            return qn__ptx_unknown(x, qn__text(x->u, ".%s has no OpenCL form", x->words[i]));
    }
    return true;
}

bool qn__ptx_type(struct qn__ptx_type *out, const char *word)
{
    *out = (struct qn__ptx_type){0};
    if (qn__equal(word, "pred")) {
        *out = (struct qn__ptx_type){.bits = 1, .is_predicate = true};
        return true;
    }
    static const char *const sizes[] = {"8", "16", "32", "64"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (*word && strchr("busf", *word) && qn__equal(word + 1, sizes[i])) {
            out->bits = 8u << i;
            out->is_signed = *word == 's';
            out->is_float = *word == 'f';
            return !out->is_float || out->bits >= 32; /* halves are integers to PTX's registers */
        }
    return false;
}

bool qn__ptx_last_type(struct qn__ptx *x, struct qn__ptx_type *out)
{
    return (x->n_words > 1 && qn__ptx_type(out, x->words[x->n_words - 1])) ||
           qn__ptx_unknown(x, "no OpenCL form of this type is known");
}

/* ---- reading ---- */

static const char *trimmed(struct qn__unit *u, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return qn__text(u, "%.*s", (int)(to - from), from);
}

static bool read_operand(struct qn__ptx *x, const char *from, const char *to)
{
    struct qn__ptx_operand *const o = &x->operands[x->n_operands];
    if (x->n_operands == QN__PTX_OPERANDS)
        return qn__ptx_unknown(x, "too many operands");
    *o = (struct qn__ptx_operand){0};
    const char *whole = trimmed(x->u, from, to);
    const size_t n = strlen(whole);
    if (!n)
        return qn__ptx_unknown(x, "an operand is missing");
    x->n_operands++;
    if ((*whole == '{' && whole[n - 1] == '}') || (*whole == '[' && whole[n - 1] == ']')) {
        o->is_address = *whole == '[';
        for (const char *p = whole + 1, *end; p < whole + n - 1; p = end + 1) {
            end = p + strcspn(p, o->is_address ? "]" : ",}");
            if (o->n == QN__PTX_PARTS)
                return qn__ptx_unknown(x, "a vector of more than eight");
            o->parts[o->n++] = trimmed(x->u, p, end);
        }
        return o->n > 0 || qn__ptx_unknown(x, "an operand is missing");
    }
    const char *const bar = strchr(whole, '|');
    if (bar) {
        o->second = trimmed(x->u, bar + 1, whole + n);
        whole = trimmed(x->u, whole, bar);
    }
    o->parts[o->n++] = whole;
    return true;
}

bool qn__ptx_statement_read(struct qn__ptx *x, const char *p)
{
    const char *const name_end = p + strcspn(p, " \t\n\r");
    x->text = qn__text(x->u, "%.*s", (int)(name_end - p), p);
    x->n_words = x->n_operands = 0;
    for (const char *w = p; w < name_end;) {
        const size_t n = strcspn(w, ". \t\n\r");
        if (x->n_words == QN__PTX_WORDS)
            return qn__ptx_unknown(x, "no instruction that is known");
        x->words[x->n_words++] = qn__text(x->u, "%.*s", (int)n, w);
        w += n + (w[n] == '.');
    }
    int depth = 0;
    const char *from = name_end;
    const char *q = from;
    for (;; q++) {
        depth += *q == '{' || *q == '[' ? 1 : *q == '}' || *q == ']' ? -1 : 0;
        if ((*q == ',' && depth == 0) || *q == 0) {
            const bool empty = *q == 0 && x->n_operands == 0 && !*trimmed(x->u, from, q);
            if (!empty && !read_operand(x, from, q))
                return false;
            from = q + 1;
        }
        if (!*q)
            return true;
    }
}
