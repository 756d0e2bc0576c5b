/* SPDX-License-Identifier: Apache-2.0
 *
 * Where variables live when work-items are loops (work_items.c).
 *
 *     in one loop only                      there: each work-item has its own
 *     the same for all, assigned by the     one for the group; where it is assigned in a list of
 * the group, or in a list of its own        group, the assignment moves out of the loop anything
 * else                         an array with an element for each work-item; each loop reads it at
 * its beginning and writes it at its end. What the group asks of it is the first element: all are
 * equal arrays and structs                    the same, used in place
 *
 * A parameter that is assigned is a variable of the work-items, not of the block's function. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/frame.h"
#include "compiler/stmt/stmt.h"

struct place {
    struct qn__stmt *items; /* a loop that mentions it */
    bool several;           /* more than one does */
    bool group;             /* the group does, outside of them */
    bool voted;             /* a vote asks all work-items for it */
    bool carried;           /* from one iteration of a group's loop to the next */
    bool nested;            /* it is assigned where it cannot move out */
    bool assigned;
};

struct places {
    struct qn__function *f;
    struct place *of; /* per variable */
    struct qn__stmt *items;
};

/* ---- replacing ---- */

/* One assignment, without what is below it. */
static void replace_at(struct qn__function *f, struct qn__stmt *s, const struct qn__var *v,
                       const struct qn__node *by, struct qn__var *target)
{
    struct qn__unit *const u = f->u;
    s->value = qn__node_replace(u, s->value, v, by);
    s->update = qn__node_replace(u, s->update, v, by);
    s->arm = qn__node_replace(u, s->arm, v, by);
    s->negated = qn__node_replace(u, s->negated, v, by);
    for (uint32_t i = 0; i < s->n_labels; i++)
        s->labels[i] = qn__node_replace(u, s->labels[i], v, by);
    if (target && s->var == v)
        s->var = target;
    for (uint32_t i = 0; target && i < s->n_carries; i++)
        if (s->carries[i] == v)
            s->carries[i] = target;
    if (s->init)
        replace_at(f, s->init, v, by, target);
    if (s->step)
        replace_at(f, s->step, v, by, target);
}

static void replace_in(struct qn__function *f, struct qn__stmt *top, const struct qn__var *v,
                       const struct qn__node *by, struct qn__var *target)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        replace_at(f, s, v, by, target);
}

static struct qn__var *copy_of(struct qn__function *f, const struct qn__var *v)
{
    struct qn__var *const copy = qn__var_new(f, v->wish, v->type);
    copy->is_named = v->is_named;
    copy->divergent = v->divergent;
    copy->is_volatile = v->is_volatile;
    copy->is_memory = v->is_memory;
    copy->aligned = v->aligned;
    copy->starts_undefined = v->starts_undefined;
    return copy;
}

static bool is_assigned(struct qn__function *f, const struct qn__var *v)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (qn__assigns(s, v) || qn__assigns(s->init, v) || qn__assigns(s->step, v))
            return true;
    return false;
}

/* int n_1 = n; in the first loop. */
static void own_parameters(struct qn__function *f)
{
    const uint32_t n = f->n_vars;
    for (uint32_t i = 0; i < n; i++) {
        struct qn__var *const v = f->vars[i];
        if (!v->is_argument || v == f->item_number || !is_assigned(f, v))
            continue;
        struct qn__var *const own = copy_of(f, v);
        replace_in(f, f->body, v, qn__node_var(f->u, own), own);
        struct qn__stmt *const s = qn__assign_new(f, own, qn__node_var(f->u, v));
        struct qn__stmt *first = f->body->first;
        if (first->kind != QN__ITEMS) {
            first = qn__stmt_new(f, QN__ITEMS);
            qn__insert_before(f->body->first, first);
        }
        if (qn__is_empty(first->body))
            qn__append(first->body, s);
        else
            qn__insert_before(first->body->first, s);
    }
}

/* ---- what mentions what ---- */

static void note(struct places *p, const struct qn__var *v)
{
    struct place *const at = &p->of[v->id];
    if (!p->items)
        at->group = true;
    else if (at->items && at->items != p->items)
        at->several = true;
    else
        at->items = p->items;
}

static bool note_var(void *user, const struct qn__var *v)
{
    note(user, v);
    return true;
}

static bool in_common_loop(const struct qn__stmt *s)
{
    for (s = qn__items_around(s); s; s = s->parent)
        if (s->kind == QN__LOOP)
            return true;
    return false;
}

static bool is_direct(const struct qn__stmt *s)
{
    const struct qn__stmt *const list = s->parent;
    return !qn__items_around(s) || (list->parent && list->parent->kind == QN__ITEMS);
}

static void note_assign(struct places *p, const struct qn__stmt *s)
{
    struct place *const at = &p->of[s->var->id];
    note(p, s->var);
    at->assigned = true;
    at->nested |= !is_direct(s) || (p->items && s->value->traits & QN__VARIES);
}

static bool keep_memory(void *user, const struct qn__var *v)
{
    struct places *const p = user;
    p->of[v->id].carried |= v->is_memory;
    return true;
}

/* An address that is kept in a pointer or a number may be used in another loop. */
static void note_addresses(struct places *p, const struct qn__node *n)
{
    if (!n)
        return;
    const bool stored = n->op == QN__OP_ASSIGN && n->operands[1]->type->kind == QN__POINTER;
    const bool number = n->op == QN__OP_CAST && n->type->kind == QN__INT &&
                        n->operands[0]->type->kind == QN__POINTER;
    if (stored || number)
        qn__node_each_var(n->operands[stored], keep_memory, p);
    for (uint32_t i = 0; i < n->n; i++)
        note_addresses(p, n->operands[i]);
}

static void note_statement(struct places *p, struct qn__stmt *s)
{
    if (s->kind == QN__ASSIGN) {
        note_assign(p, s);
        if (s->var->type->kind == QN__POINTER)
            qn__node_each_var(s->value, keep_memory, p);
    }
    note_addresses(p, s->value);
    qn__node_each_var(s->value, note_var, p);
    for (uint32_t i = 0; i < s->n_labels; i++)
        qn__node_each_var(s->labels[i], note_var, p);
    struct qn__stmt *const parts[] = {s->init, s->step};
    for (unsigned i = 0; i < 2; i++)
        if (parts[i]) {
            note(p, parts[i]->var);
            p->of[parts[i]->var->id].assigned = true;
            p->of[parts[i]->var->id].nested |= p->items != NULL;
            qn__node_each_var(parts[i]->value, note_var, p);
        }
    for (uint32_t i = 0; !p->items && i < s->n_carries; i++)
        p->of[s->carries[i]->id].carried = true;
    if (s->is_vote)
        p->of[s->value->operands[s->value->n - 1]->var->id].voted = true;
}

static void find_places(struct places *p)
{
    struct qn__function *const f = p->f;
    p->of = QN__NEED_ARRAY(f->u, struct place, f->n_vars + 1);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        p->items = qn__items_around(s);
        note_statement(p, s);
        for (uint32_t i = 0; i < f->n_vars; i++) /* memory keeps what it holds */
            if (f->vars[i]->is_memory && p->items && s->value && !p->of[i].carried &&
                qn__node_mentions(s->value, f->vars[i]) && in_common_loop(s))
                p->of[i].carried = true;
    }
}

/* Does it outlive a loop over the work-items? */
static bool crosses(const struct qn__var *v, const struct place *at)
{
    return !v->is_argument && !v->is_shared && at->items &&
           (at->several || at->group || at->carried);
}

/* May there be one for the whole group? */
static bool may_be_common(const struct qn__var *v, const struct place *at)
{
    return !v->divergent && !v->is_memory && !at->nested && !at->voted;
}

/* ---- one for the group ---- */

struct assigned {
    const struct qn__stmt *from, *to; /* statements of one list */
    bool writes;
};

/* Is anything that the value mentions assigned between the two? */
static bool is_changed(void *user, const struct qn__var *v)
{
    const struct assigned *const a = user;
    for (const struct qn__stmt *top = a->from; top != a->to; top = top->next)
        for (struct qn__stmt *s = (struct qn__stmt *)(uintptr_t)top; s; s = qn__walk_next(s, top))
            if (qn__assigns(s, v) || qn__assigns(s->init, v) || qn__assigns(s->step, v))
                return false;
    return true;
}

static bool mentions_in(const struct qn__stmt *from, const struct qn__stmt *to,
                        const struct qn__var *v)
{
    for (const struct qn__stmt *top = from; top != to; top = top->next)
        for (struct qn__stmt *s = (struct qn__stmt *)(uintptr_t)top; s; s = qn__walk_next(s, top))
            if ((s->value && qn__node_mentions(s->value, v)) || qn__assigns(s, v) ||
                (s->init && (s->init->var == v || qn__node_mentions(s->init->value, v))) ||
                (s->step && (s->step->var == v || qn__node_mentions(s->step->value, v))))
                return true;
    return false;
}

static bool writes_memory(const struct qn__stmt *from, const struct qn__stmt *to)
{
    for (const struct qn__stmt *top = from; top != to; top = top->next)
        for (struct qn__stmt *s = (struct qn__stmt *)(uintptr_t)top; s; s = qn__walk_next(s, top))
            if (s->kind == QN__EFFECT)
                return true;
    return false;
}

/* Out of its loop: in front of it where nothing there minds, else between two loops. */
static void move_out(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__stmt *const items = qn__items_around(s), *const first = items->body->first;
    struct assigned before = {.from = first, .to = s};
    const bool may_go_first = qn__node_each_var(s->value, is_changed, &before) &&
                              !mentions_in(first, s, s->var) &&
                              (!(s->value->traits & QN__READS) || !writes_memory(first, s));
    if (!may_go_first) {
        struct qn__stmt *const head = qn__stmt_new(f, QN__ITEMS);
        while (items->body->first != s) {
            struct qn__stmt *const moved = items->body->first;
            qn__remove(moved);
            qn__append(head->body, moved);
        }
        qn__insert_before(items, head);
    }
    qn__remove(s);
    qn__insert_before(items, s);
    if (qn__is_empty(items->body))
        qn__remove(items);
}

static bool move_one(struct places *p)
{
    struct qn__function *const f = p->f;
    find_places(p);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind != QN__ASSIGN || !qn__items_around(s))
            continue;
        const struct place *const at = &p->of[s->var->id];
        if (crosses(s->var, at) && may_be_common(s->var, at)) {
            move_out(f, s);
            return true;
        }
    }
    return false;
}

/* ---- an array ---- */

/* A loop of the group whose counter is one for each work-item: what its head does, all do.
 *
 *     for (i = a; c; i = b) { x; }  ->  i = a; while (c) { { x; } i = b; }
 */
static void open_loop(struct qn__function *f, struct qn__stmt *loop)
{
    struct qn__stmt *const before = qn__stmt_new(f, QN__ITEMS), *const after =
                                                                    qn__stmt_new(f, QN__ITEMS);
    struct qn__stmt *const block = qn__stmt_new(f, QN__BLOCK);
    qn__move_all(block->body, loop->body);
    for (struct qn__stmt *s = block->body; s; s = qn__walk_next(s, block->body))
        if (s->kind == QN__CONTINUE && s->target == loop) {
            s->kind = QN__LEAVE;
            s->target = block;
            block->leaves++;
        }
    qn__append(loop->body, block);
    if (loop->init) {
        qn__append(before->body, loop->init);
        qn__insert_before(loop, before);
    }
    if (loop->step) {
        qn__append(after->body, loop->step);
        qn__append(loop->body, after);
    }
    loop->init = loop->step = NULL;
    loop->form = QN__WHILE;
}

static bool open_one(struct places *p)
{
    struct qn__function *const f = p->f;
    find_places(p);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        const struct qn__stmt *const part = s->init ? s->init : s->step;
        if (!part || qn__items_around(s) || may_be_common(part->var, &p->of[part->var->id]))
            continue;
        open_loop(f, s);
        return true;
    }
    return false;
}

/* Is the variable's first mention here its assignment? */
static bool begins_with(const struct qn__stmt *items, const struct qn__var *v)
{
    for (const struct qn__stmt *s = items->body->first; s; s = s->next) {
        if (qn__assigns(s, v))
            return !qn__node_mentions(s->value, v);
        if (mentions_in(s, s->next, v))
            return false;
    }
    return false;
}

static bool assigns_below(struct qn__stmt *items, const struct qn__var *v)
{
    for (struct qn__stmt *s = items->body; s; s = qn__walk_next(s, items->body))
        if (qn__assigns(s, v) || qn__assigns(s->init, v) || qn__assigns(s->step, v))
            return true;
    return false;
}

/* `last`: nothing asks for the variable any more. */
static void keep_in(struct qn__function *f, struct qn__stmt *items, struct qn__var *v,
                    const struct qn__var *array, bool last)
{
    const struct qn__node *const element = qn__frame_element(f, array, qn__item_number(f));
    if (v->is_memory) {
        for (struct qn__stmt *s = items->body; s; s = qn__walk_next(s, items->body))
            if (qn__assigns(s, v)) { /* a whole copy */
                s->kind = QN__EFFECT;
                s->value = qn__node_binary(f->u, QN__OP_ASSIGN, v->type, element, s->value);
                s->update = NULL;
                s->var = NULL;
            }
        replace_in(f, items->body, v, element, NULL);
        return;
    }
    const bool first = begins_with(items, v), assigned = assigns_below(items, v);
    struct qn__var *const own = copy_of(f, v);
    replace_in(f, items->body, v, qn__node_var(f->u, own), own);
    if (!first)
        qn__insert_before(items->body->first, qn__assign_new(f, own, element));
    if (assigned && !last)
        qn__append(items->body, qn__frame_store(f, array, qn__node_var(f->u, own)));
}

/* The loop over the work-items behind which the variable is not mentioned; NULL: there is none, or
 * a loop of the group comes back to it. */
static const struct qn__stmt *last_to_mention(struct qn__function *f, const struct qn__var *v)
{
    const struct qn__stmt *last = NULL;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind == QN__ITEMS && mentions_in(s->body->first, NULL, v))
            last = s;
        else if (!qn__items_around(s) && s->value && qn__node_mentions(s->value, v))
            last = NULL;
    }
    for (const struct qn__stmt *p = last; p; p = p->parent)
        if (p->kind == QN__LOOP)
            return NULL;
    return last;
}

static void drop_carry(struct qn__stmt *s, const struct qn__var *v)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->n_carries; i++)
        if (s->carries[i] != v)
            s->carries[kept++] = s->carries[i];
    s->n_carries = kept;
}

/* Where the kernel uses it. */
static LLVMValueRef instruction_of(const struct qn__function *f, const struct qn__var *v)
{
    for (uint32_t i = 0; i < f->n_values; i++)
        if (LLVMIsAAllocaInst(f->values[i].llvm) &&
            qn__map_get(&f->memory_of, f->values[i].llvm) == v)
            return f->values[i].llvm;
    return NULL;
}

/* A frame is aligned only so much (out/block_text.c). */
static void check_alignment(struct qn__function *f, const struct qn__var *v)
{
    const uint64_t of = qn__type_align(v->type), align = v->aligned > of ? v->aligned : of;
    if (align > QN__FRAME_ALIGNMENT)
        qn__refuse(
            f->u, instruction_of(f, v),
            "%s is aligned to %llu bytes and needed behind a barrier, where a CPU's frame is "
            "aligned to %d: align it to no more",
            v->wish, (unsigned long long)align, QN__FRAME_ALIGNMENT);
}

static void keep(struct qn__function *f, struct qn__var *v)
{
    struct qn__unit *const u = f->u;
    struct qn__var *const array = qn__frame_array(f, v->wish, v->type);
    const struct qn__node *const common = qn__frame_element(f, array, qn__first_item(f));
    array->aligned = v->aligned;
    check_alignment(f, v);
    const struct qn__stmt *const last = last_to_mention(f, v);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind == QN__ITEMS) {
            if (mentions_in(s->body->first, NULL, v))
                keep_in(f, s, v, array, s == last);
        } else if (!qn__items_around(s)) {
            drop_carry(s, v);
            replace_at(f, s, v, s->is_vote ? qn__node_var(u, array) : common, NULL);
        }
    }
}

/* __shared__ variables are members of a struct at the beginning of the block's memory. */
static void name_shared(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    for (uint32_t i = 0; i < f->n_shared; i++) {
        struct qn__var *const v = f->shared[i];
        if (v->type->kind == QN__POINTER)
            continue;
        const char *name = v->wish;
        for (uint32_t k = 0; k < i; k++)
            if (f->shared[k]->type->kind != QN__POINTER && qn__equal(name, f->shared[k]->wish))
                name = qn__text(u, "%s_%u", v->wish, (unsigned)i);
        v->wish = name;
        v->name = qn__text(u, "qn_shared->%s", name);
    }
}

void qn__item_variables(struct qn__function *f)
{
    struct places p = {.f = f};
    name_shared(f);
    own_parameters(f);
    if (!f->has_barrier || f->is_irreducible)
        return;
    while (open_one(&p))
        ;
    while (move_one(&p))
        ;
    find_places(&p);
    const uint32_t n = f->n_vars;
    for (uint32_t i = 0; i < n; i++)
        if (crosses(f->vars[i], &p.of[i]) && !may_be_common(f->vars[i], &p.of[i]))
            keep(f, f->vars[i]);
}
