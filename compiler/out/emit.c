/* SPDX-License-Identifier: Apache-2.0
 *
 * The statement tree as text: variables get their names, jumps become break, continue or (for what
 * is irreducible, or leaves several levels at once) goto; long lines are broken at operators. */
#include "compiler/out/emit.h"
#include "compiler/core/diagnose.h"
#include "compiler/lang/language.h"
#include "compiler/out/source_lines.h"

#include <string.h>

enum { INDENT = 4, COLUMNS = 100 };

struct emitter {
    struct qn__function *f;
    struct qn__str *out;
    struct qn__map labels; /* statement or block -> its label's number + 1 */
    uint32_t n_labels;
    struct qn__lines_at lines;
};

static const char *spelled(struct emitter *e, const struct qn__node *n)
{
    return qn__spelled(e->f->u, n);
}

/* Where a long line may be broken: after the last comma, or before the last && || + - ? :, that
 * fits; else after an =; else before the star of a pointer's type. Not inside strings. */
static size_t break_at(const char *line, size_t limit)
{
    size_t best = 0, after_assign = 0, in_type = 0;
    bool quoted = false;
    for (size_t i = 0; line[i] && i < limit; i++) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\'))
            quoted = !quoted;
        if (quoted || line[i] != ' ' || i == 0)
            continue;
        const char before = line[i - 1], after = line[i + 1], then = after ? line[i + 2] : 0;
        const bool is_operator = after && strchr("&|+-?:*/<>", after) && then != '*';
        if (is_operator && after == '*' && then == ')')
            in_type = i;
        else if (before == '=' && i > 1 && line[i - 2] == ' ')
            after_assign = i;
        else if (before == ',' || before == ';' || is_operator)
            best = i;
    }
    return best ? best : after_assign ? after_assign : in_type;
}

static void count_lines(struct emitter *e, size_t from)
{
    for (size_t i = from; i < e->out->len; i++)
        e->lines.at.line += e->out->text[i] == '\n';
}

static void line(struct emitter *e, unsigned depth, const char *text)
{
    const size_t from = e->out->len;
    size_t room = COLUMNS > depth * INDENT + 40 ? COLUMNS - depth * INDENT : 40;
    qn__str_add_repeat(e->out, ' ', depth * INDENT);
    bool first = true;
    while (strlen(text) > room && !strchr(text, '\n')) {
        const size_t at = break_at(text, room);
        if (!at)
            break;
        qn__str_add_bytes(e->out, text, at);
        qn__str_add_char(e->out, '\n');
        qn__str_add_repeat(e->out, ' ', (depth + 1) * INDENT);
        if (first)
            room = room > INDENT + 40 ? room - INDENT : room;
        first = false;
        text += at + 1;
    }
    for (const char *p = text; *p; p++) { /* statements of two lines keep their depth */
        qn__str_add_char(e->out, *p);
        if (*p == '\n')
            qn__str_add_repeat(e->out, ' ', depth * INDENT);
    }
    qn__str_add_char(e->out, '\n');
    if (e->f->u->lines == QN__LINES_DIRECTIVES)
        count_lines(e, from);
}

static const char *assign_text(struct emitter *e, const struct qn__stmt *s)
{
    struct qn__unit *const u = e->f->u;
    const char *const name = s->var->name ? s->var->name : s->var->wish;
    if (s->shape.declares)
        return qn__text(u, "%s = %s", qn__var_declaration(u, s->var, name), spelled(e, s->value));
    if (s->update)
        return spelled(e, s->update);
    return qn__text(u, "%s = %s", name, spelled(e, s->value));
}

static struct qn__stmt *innermost_breakable(struct qn__stmt *s, bool loops_only)
{
    for (s = s->parent; s; s = s->parent)
        if (s->kind == QN__LOOP ||
            (!loops_only && (s->kind == QN__SWITCH || (s->kind == QN__BLOCK && s->shape.once))))
            return s;
    return NULL;
}

static unsigned label_of(struct emitter *e, const void *what)
{
    const uintptr_t known = (uintptr_t)qn__map_get(&e->labels, what);
    if (known)
        return (unsigned)known;
    qn__map_put(e->f->u, &e->labels, what, (void *)(uintptr_t)++e->n_labels);
    return e->n_labels;
}

/* In a loop over the work-items it ends one's turn. */
static const char *return_text(struct emitter *e, struct qn__stmt *s)
{
    const struct qn__stmt *items = s->parent;
    bool is_innermost = true;
    for (; items && items->kind != QN__ITEMS; items = items->parent)
        is_innermost &= items->kind != QN__LOOP && !(items->kind == QN__BLOCK && items->shape.once);
    if (!items)
        return "return;";
    return is_innermost ? "continue;"
                        : qn__text(e->f->u, "goto label%u;", label_of(e, items->body));
}

static const char *jump_text(struct emitter *e, struct qn__stmt *s)
{
    struct qn__unit *const u = e->f->u;
    if (s->kind == QN__RETURN)
        return return_text(e, s);
    if (s->kind == QN__GOTO)
        return qn__text(u, "goto label%u;", label_of(e, s->block));
    struct qn__stmt *const loop = innermost_breakable(s, true);
    if (s->kind == QN__CONTINUE && loop == s->target)
        return "continue;";
    struct qn__stmt *const around = innermost_breakable(s, false);
    if (s->kind == QN__LEAVE && around == s->target)
        return "break;";
    return qn__text(
        u, "goto label%u;",
        label_of(e, s->kind == QN__CONTINUE ? (const void *)s->target->body : s->target));
}

static void emit_list(struct emitter *e, struct qn__stmt *list, unsigned depth);

static const char *loop_head(struct emitter *e, const struct qn__stmt *s)
{
    struct qn__unit *const u = e->f->u;
    switch (s->form) {
    case QN__WHILE: return qn__text(u, "while (%s)", spelled(e, s->value));
    case QN__FOR:
        return qn__text(u, "for (%s; %s; %s)", s->init ? assign_text(e, s->init) : "",
                        spelled(e, s->value), assign_text(e, s->step));
    case QN__DO: return "do";
    default: return "for (;;)";
    }
}

static bool is_single(const struct qn__stmt *list)
{
    const struct qn__stmt *const s = list->first;
    return s && s == list->last &&
           ((s->kind == QN__EFFECT && !(s->value->traits & QN__REPEATS)) ||
            (s->kind == QN__ASSIGN && !s->shape.declares) || s->kind == QN__LEAVE ||
            s->kind == QN__CONTINUE || s->kind == QN__RETURN || s->kind == QN__GOTO);
}

static bool has_label(struct emitter *e, const struct qn__stmt *list)
{
    return qn__map_get(&e->labels, list) != NULL;
}

static void emit_if(struct emitter *e, struct qn__stmt *s, unsigned depth, const char *before)
{
    struct qn__unit *const u = e->f->u;
    const bool has_else = !qn__is_empty(s->other);
    const bool bare = is_single(s->body) && (!has_else || is_single(s->other));
    const char *const remark = s->remark ? qn__text(u, " /* %s */", s->remark) : "";
    line(e, depth,
         qn__text(u, "%sif (%s%s)%s", before, spelled(e, s->value), remark, bare ? "" : " {"));
    emit_list(e, s->body, depth + 1);
    if (!has_else) {
        if (!bare)
            line(e, depth, "}");
        return;
    }
    struct qn__stmt *const only = s->other->first;
    if (only == s->other->last && only->kind == QN__IF) {
        emit_if(e, only, depth, bare ? "else " : "} else ");
        return;
    }
    line(e, depth, bare ? "else" : "} else {");
    emit_list(e, s->other, depth + 1);
    if (!bare)
        line(e, depth, "}");
}

/* Not where a barrier stands in the loop: a CPU driver splits it there and would have to split
 * every copy. */
static void emit_hints(struct emitter *e, struct qn__stmt *s, unsigned depth)
{
    struct qn__str hints = {0};
    if (!s->hints || qn__has_barrier(s->body))
        return;
    e->f->u->language->hints(e->f->u, s->hints, &hints);
    for (const char *p = hints.text; p && *p;) {
        const int n = (int)strcspn(p, "\n");
        line(e, depth, qn__text(e->f->u, "%.*s", n, p));
        p += n + 1;
    }
    qn__str_release(&hints);
}

static void emit_loop(struct emitter *e, struct qn__stmt *s, unsigned depth)
{
    struct qn__unit *const u = e->f->u;
    emit_hints(e, s, depth);
    const bool bare = is_single(s->body) && s->form != QN__DO;
    const char *const head = loop_head(e, s);
    if (qn__is_empty(s->body)) {
        line(e, depth,
             s->form == QN__DO ? qn__text(u, "do {\n} while (%s);", spelled(e, s->value))
                               : qn__text(u, "%s\n    ;", head));
        return;
    }
    line(e, depth, qn__text(u, "%s%s", head, bare ? "" : " {"));
    emit_list(e, s->body, depth + 1);
    if (has_label(e, s->body))
        line(e, depth + 1, qn__text(u, "label%u:;", label_of(e, s->body)));
    if (s->form == QN__DO)
        line(e, depth, qn__text(u, "} while (%s);", spelled(e, s->value)));
    else if (!bare)
        line(e, depth, "}");
}

static void emit_labels(struct emitter *e, const struct qn__stmt *c, unsigned depth, bool opens)
{
    struct qn__unit *const u = e->f->u;
    for (uint32_t i = 0; i < c->n_labels; i++) {
        const bool last = i + 1 == c->n_labels && !c->is_default;
        line(e, depth,
             qn__text(u, "case %s:%s", spelled(e, c->labels[i]), last && opens ? " {" : ""));
    }
    if (c->is_default)
        line(e, depth, opens ? "default: {" : "default:");
}

static void emit_switch(struct emitter *e, struct qn__stmt *s, unsigned depth)
{
    struct qn__unit *const u = e->f->u;
    line(e, depth, qn__text(u, "switch (%s) {", spelled(e, s->value)));
    for (struct qn__stmt *c = s->first; c; c = c->next) {
        if (qn__is_empty(c) && c->is_default && !c->n_labels &&
            !(c->prev && c->prev->falls_through))
            continue;
        bool declares = false;
        for (const struct qn__stmt *i = c->first; i; i = i->next)
            declares |= i->kind == QN__DECLARE || i->shape.declares;
        emit_labels(e, c, depth, declares);
        emit_list(e, c, depth + 1);
        if (!qn__ends_in_jump(c) && (c->next || qn__is_empty(c)) && !c->falls_through)
            line(e, depth + 1, "break;");
        if (declares)
            line(e, depth, "}");
    }
    line(e, depth, "}");
}

static void emit_statement(struct emitter *e, struct qn__stmt *s, unsigned depth)
{
    struct qn__unit *const u = e->f->u;
    switch (s->kind) {
    case QN__EFFECT: line(e, depth, qn__text(u, "%s;", spelled(e, s->value))); break;
    case QN__ASSIGN: line(e, depth, qn__text(u, "%s;", assign_text(e, s))); break;
    case QN__DECLARE:
        line(e, depth,
             qn__text(u, "%s%s%s;", qn__var_declaration(u, s->var, s->var->name),
                      s->value ? " = " : "", s->value ? spelled(e, s->value) : ""));
        break;
    case QN__IF: emit_if(e, s, depth, ""); break;
    case QN__LOOP: emit_loop(e, s, depth); break;
    case QN__SWITCH: emit_switch(e, s, depth); break;
    case QN__BLOCK: /* left by breaks, else by gotos; its names are its own */
        line(e, depth, s->shape.once ? "do {" : "{");
        emit_list(e, s->body, depth + 1);
        line(e, depth, s->shape.once ? "} while (false);" : "}");
        break;
    case QN__LABEL: line(e, depth, qn__text(u, "label%u:;", label_of(e, s->block))); break;
    case QN__ITEMS:
        line(e, depth, "QN_ITEMS {");
        emit_list(e, s->body, depth + 1);
        if (has_label(e, s->body))
            line(e, depth + 1, qn__text(u, "label%u:;", label_of(e, s->body)));
        line(e, depth, "}");
        break;
    default: line(e, depth, jump_text(e, s)); break;
    }
    if ((s->kind == QN__BLOCK || s->kind == QN__LOOP || s->kind == QN__SWITCH) &&
        qn__map_get(&e->labels, s))
        line(e, depth, qn__text(u, "label%u:;", label_of(e, s)));
}

/* A comment stands with the code, a directive at the left; neither is a line of the source. */
static void emit_origin(struct emitter *e, const char *text, unsigned depth)
{
    if (*text != '#')
        qn__str_add_repeat(e->out, ' ', depth * INDENT);
    qn__str_printf(e->out, "%s\n", text);
}

static void emit_list(struct emitter *e, struct qn__stmt *list, unsigned depth)
{
    const struct qn__place_in_source outer = e->lines.at;
    for (struct qn__stmt *s = list->first; s; s = s->next) {
        const char *const from = qn__lines_before(&e->lines, s, &outer);
        if (from)
            emit_origin(e, from, depth);
        emit_statement(e, s, depth);
    }
}

void qn__emit(struct qn__function *f, struct qn__str *out)
{
    struct emitter e = {.f = f, .out = out, .lines = {.u = f->u}};
    const LLVMMetadataRef program = LLVMGetSubprogram(f->llvm);
    if (f->u->lines == QN__LINES_COMMENTS)
        qn__where_begins(f->u, program, &e.lines.at);
    emit_list(&e, f->body, 1);
}
