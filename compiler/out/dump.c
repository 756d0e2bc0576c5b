/* SPDX-License-Identifier: Apache-2.0
 *
 * The three levels of passes.def as text, between two passes.
 *
 *     MODULE   LLVM's own text
 *     KERNEL   each block with its place in the graph, each of its values with what is known of it
 *     TREE     each statement with its expression and what is marked on it:
 *
 *         loop while i#4 < n  [divergent]
 *             assign sum#3 = sum#3 + in[i#4]  [reads]
 *
 * Names of variables are only settled at the very end, so each is followed by its number. */
#include "compiler/out/dump.h"

#include "compiler/lang/language.h"
#include "compiler/out/reflect.h"
#include "compiler/stmt/stmt.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 4 };

void qn__dump_module(struct qn__unit *u, const char *pass, struct qn__str *out)
{
    const char *const name = u->request->files[0].name; /* LLVM knows the temporary file's */
    LLVMSetModuleIdentifier(u->module, name, strlen(name));
    LLVMSetSourceFileName(u->module, name, strlen(name));
    char *const text = LLVMPrintModuleToString(u->module);
    qn__str_printf(out, "; module after %s\n%s", pass, text);
    LLVMDisposeMessage(text);
}

/* ---- values ---- */

static const char *variable(struct qn__unit *u, const struct qn__var *v)
{
    return qn__text(u, "%s#%u", v->name ? v->name : v->wish, (unsigned)v->id);
}

/* An instruction without its debug position. */
static void add_instruction(LLVMValueRef v, struct qn__str *out)
{
    char *const text = LLVMPrintValueToString(v);
    const char *const from = text + strspn(text, " "), *const debug = strstr(from, ", !dbg ");
    qn__str_printf(out, "%.*s", (int)(debug ? (size_t)(debug - from) : strlen(from)), from);
    LLVMDisposeMessage(text);
}

static void dump_value(struct qn__function *f, const struct qn__value *v, struct qn__str *out)
{
    static const char *const spaces[] = {[QN__PRIVATE] = "private",
                                         [QN__GLOBAL] = "global",
                                         [QN__CONSTANT] = "constant",
                                         [QN__LOCAL] = "local"};
    const bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(v->llvm)) == LLVMPointerTypeKind;
    qn__str_add_repeat(out, ' ', INDENT);
    add_instruction(v->llvm, out);
    if (is_pointer && v->space < sizeof spaces / sizeof *spaces && spaces[v->space])
        qn__str_printf(out, "  [%s]", spaces[v->space]);
    if (v->var)
        qn__str_printf(out, "  [in %s]", variable(f->u, v->var));
    if (v->folded)
        qn__str_add(out, "  [folded]");
    if (v->is_overlooked)
        qn__str_add(out, "  [volatile]");
    qn__str_add_char(out, '\n');
}

static void add_blocks(const char *what, const struct qn__edge_list *list, struct qn__str *out)
{
    if (list->n)
        qn__str_add(out, what);
    for (uint32_t i = 0; i < list->n; i++)
        qn__str_printf(out, " %u", (unsigned)list->items[i]->index);
}

void qn__dump_values(struct qn__function *f, struct qn__str *out)
{
    const unsigned n_arguments = LLVMCountParams(f->llvm);
    for (unsigned i = 0; i < n_arguments; i++)
        dump_value(f, &f->values[i], out);
    uint32_t next = n_arguments; /* values lie in the order of blocks */
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        const struct qn__block *const b = &f->blocks[i];
        qn__str_printf(out, "block %u", (unsigned)i);
        if (*LLVMGetBasicBlockName(b->llvm))
            qn__str_printf(out, " (%s)", LLVMGetBasicBlockName(b->llvm));
        add_blocks(", from", &b->preds, out);
        add_blocks(", to", &b->succs, out);
        if (b->loop)
            qn__str_printf(out, "%s of block %u",
                           b->is_header ? ", head of the loop" : ", in the loop",
                           (unsigned)b->loop->header->index);
        qn__str_add_char(out, '\n');
        for (; next < f->n_values && f->values[next].block == b; next++)
            dump_value(f, &f->values[next], out);
    }
}

/* ---- statements ---- */

/* An expression in one line. */
static const char *spelled(struct qn__function *f, const struct qn__node *n)
{
    f->u->spells_numbers = true;
    const char *const text = n ? qn__spelled(f->u, n) : "";
    f->u->spells_numbers = false;
    struct qn__str s = {0};
    for (const char *p = text; *p; p++)
        qn__str_add_char(&s, *p == '\n' ? ' ' : *p);
    const char *const line = qn__text(f->u, "%s", s.text ? s.text : "");
    qn__str_release(&s);
    return line;
}

static void add_marks(const struct qn__stmt *s, struct qn__str *out)
{
    const struct {
        bool set;
        const char *name;
    } marks[] = {
        {s->shape.declares, "declares"},
        {s->value && s->value->traits & QN__VARIES, "varies"},
        {s->value && s->value->traits & QN__READS, "reads"},
        {s->is_barrier, "barrier"},
        {s->is_vote, "vote"},
        {s->divergent.iterations, "divergent"},
        {s->divergent.exit, "divergent exit"},
        {s->flattening.is_forced, "forced"},
        {s->flattening.is_uniform, "uniform"},
        {s->flattening.is_flagged, "flagged"},
        {s->is_guard, "guard"},
        {s->is_copy, "copy"},
        {s->falls_through, "falls through"},
        {s->shape.once, "once"},
    };
    const char *separator = "  [";
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].set) {
            qn__str_printf(out, "%s%s", separator, marks[i].name);
            separator = ", ";
        }
    if (*separator == ',')
        qn__str_add_char(out, ']');
}

/* Statements that jumps lead to are told apart by their position in the tree. */
static unsigned number_of(struct qn__function *f, const struct qn__stmt *target)
{
    unsigned n = 0;
    for (struct qn__stmt *s = f->body; s && s != target; s = qn__walk_next(s, f->body))
        n += s->kind == QN__LOOP || s->kind == QN__BLOCK || s->kind == QN__SWITCH;
    return n;
}

static const char *case_head(struct qn__function *f, const struct qn__stmt *c)
{
    const char *text = "case";
    for (uint32_t i = 0; i < c->n_labels; i++)
        text = qn__text(f->u, "%s %s", text, spelled(f, c->labels[i]));
    return c->is_default ? qn__text(f->u, "%s default", text) : text;
}

static const char *head(struct qn__function *f, const struct qn__stmt *s)
{
    static const char *const forms[] = {
        [QN__FOREVER] = "forever", [QN__WHILE] = "while", [QN__DO] = "do", [QN__FOR] = "for"};
    struct qn__unit *const u = f->u;
    const char *const text = spelled(f, s->value);
    switch (s->kind) {
    case QN__EFFECT: return qn__text(u, "effect %s", text);
    case QN__ASSIGN:
        return s->update ? qn__text(u, "assign %s", spelled(f, s->update))
                         : qn__text(u, "assign %s = %s", variable(u, s->var), text);
    case QN__DECLARE: return qn__text(u, "declare %s %s", variable(u, s->var), text);
    case QN__IF: return qn__text(u, "if %s", text);
    case QN__LOOP: return qn__text(u, "loop %u %s %s", number_of(f, s), forms[s->form], text);
    case QN__BLOCK: return qn__text(u, "block %u", number_of(f, s));
    case QN__SWITCH: return qn__text(u, "switch %u on %s", number_of(f, s), text);
    case QN__CASE: return case_head(f, s);
    case QN__LEAVE: return qn__text(u, "leave %u", number_of(f, s->target));
    case QN__CONTINUE: return qn__text(u, "continue %u", number_of(f, s->target));
    case QN__RETURN: return "return";
    case QN__GOTO: return qn__text(u, "goto block %u", (unsigned)s->block->index);
    case QN__LABEL: return qn__text(u, "label of block %u", (unsigned)s->block->index);
    case QN__ITEMS: return "items";
    case QN__LIST: break;
    }
    return "list";
}

static void dump_list(struct qn__function *f, const struct qn__stmt *list, unsigned depth,
                      struct qn__str *out);

static void dump_one(struct qn__function *f, const char *before, const struct qn__stmt *s,
                     unsigned depth, struct qn__str *out)
{
    qn__str_add_repeat(out, ' ', (size_t)depth * INDENT);
    qn__str_printf(out, "%s%s", before, head(f, s));
    add_marks(s, out);
    qn__str_add_char(out, '\n');
    if (s->init)
        dump_one(f, "init: ", s->init, depth + 1, out);
    if (s->step)
        dump_one(f, "step: ", s->step, depth + 1, out);
    if (s->body)
        dump_list(f, s->body, depth + 1, out);
    if (s->other && s->other->first) {
        qn__str_add_repeat(out, ' ', (size_t)depth * INDENT);
        qn__str_add(out, "else\n");
        dump_list(f, s->other, depth + 1, out);
    }
    if (s->kind == QN__SWITCH || s->kind == QN__CASE)
        dump_list(f, s, depth + 1, out);
}

static void dump_list(struct qn__function *f, const struct qn__stmt *list, unsigned depth,
                      struct qn__str *out)
{
    for (const struct qn__stmt *s = list->first; s; s = s->next)
        dump_one(f, "", s, depth, out);
}

/* The variables that differ between work-items come first; the others are not worth a line. */
void qn__dump_tree(struct qn__function *f, struct qn__str *out)
{
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i]->divergent)
            qn__str_printf(out, "%s is divergent\n", variable(f->u, f->vars[i]));
    dump_list(f, f->body, 0, out);
}

qn_status qn__print_dump(struct qn__unit *u)
{
    QN_TRY(qn__str_check(&u->dump));
    u->result->text = qn__arena_strndup(u->arena, u->dump.text ? u->dump.text : "", u->dump.len);
    if (!u->result->text)
        return qn__fail(QN_E_MEMORY, "out of memory");
    return qn__reflect_unit(u);
}
