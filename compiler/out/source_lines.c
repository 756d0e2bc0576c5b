/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the text comes from, beside the text.
 *
 *     comments     a line before each piece of several statements that another function of the
 *                  source holds, and where the text is back: "reduce.cuh:12-20"
 *     directives   #line before each statement that is not on the next line of the source, so that
 *                  a driver's complaints and a debugger's steps name the source
 */
#include "compiler/out/source_lines.h"

#include "compiler/core/line_text.h"

enum { LEAST = 4 }; /* statements; less is no piece of its own */

/* The position of a statement, or of the first one in it that has one. */
static bool origin(struct qn__unit *u, struct qn__stmt *s, struct qn__place_in_source *out)
{
    for (struct qn__stmt *i = s; i; i = qn__walk_next(i, s)) {
        if (qn__where(u, i->where, out))
            return true;
        if (i->init && qn__where(u, i->init->where, out))
            return true;
    }
    return false;
}

static bool same_function(const struct qn__place_in_source *a, const struct qn__place_in_source *b)
{
    return a->call == b->call && a->file == b->file;
}

struct piece {
    unsigned first, last, statements;
};

static void add_to_piece(struct qn__unit *u, struct piece *p, struct qn__stmt *s,
                         const struct qn__place_in_source *of)
{
    struct qn__place_in_source at;
    for (struct qn__stmt *i = s; i; i = qn__walk_next(i, s)) {
        if (!qn__where(u, i->where, &at) || !same_function(&at, of))
            continue;
        p->statements++;
        p->first = at.line < p->first ? at.line : p->first;
        p->last = at.line > p->last ? at.line : p->last;
    }
}

/* What this function holds from the statement on, until the text is back where the list began. */
static struct piece piece_at(struct qn__unit *u, struct qn__stmt *s,
                             const struct qn__place_in_source *of,
                             const struct qn__place_in_source *outer)
{
    struct piece p = {of->line, of->line, 0};
    struct qn__place_in_source at;
    const bool returns = same_function(of, outer);
    for (; s; s = s->next) {
        if (!returns && origin(u, s, &at) && same_function(&at, outer))
            break;
        add_to_piece(u, &p, s, of);
    }
    return p;
}

static const char *comment(struct qn__lines_at *l, struct qn__stmt *s,
                           const struct qn__place_in_source *outer)
{
    struct qn__place_in_source at;
    if (!origin(l->u, s, &at) || same_function(&at, &l->at))
        return NULL;
    const struct piece p = piece_at(l->u, s, &at, outer);
    if (p.statements < LEAST && !same_function(&at, outer))
        return NULL;
    l->at = at;
    if (p.first == p.last)
        return qn__text(l->u, "/* %s:%u */", at.file, p.first);
    return qn__text(l->u, "/* %s:%u-%u */", at.file, p.first, p.last);
}

/* What no line of the source says, as the loads and stores of a loop over work-items, counts as the
 * statement before. */
static const char *directive(struct qn__lines_at *l, struct qn__stmt *s)
{
    struct qn__place_in_source at;
    if (!origin(l->u, s, &at))
        at = l->last;
    l->last = at;
    if (!at.file || (at.file == l->at.file && at.line == l->at.line))
        return NULL;
    l->at = at;
    return qn__line_directive(l->u, at.file, at.line);
}

const char *qn__lines_before(struct qn__lines_at *l, struct qn__stmt *s,
                             const struct qn__place_in_source *outer)
{
    switch (l->u->lines) {
    case QN__LINES_COMMENTS: return comment(l, s, outer);
    case QN__LINES_DIRECTIVES: return directive(l, s);
    default: return NULL;
    }
}
