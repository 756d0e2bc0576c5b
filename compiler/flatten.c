/* SPDX-License-Identifier: Apache-2.0
 *
 * Collective flattening: every work-item of a group reaches every barrier, also those that the
 * source had under a condition, behind an early return, or in a loop that work-items leave at
 * different turns. OpenCL demands it; CUDA lets threads that are gone count as arrived.
 *
 *     if (i >= n) return;             bool active = true;
 *     a();                            if (i >= n) active = false;
 *     barrier();                      if (active) a();
 *     b();                            barrier();
 *                                     if (active) b();
 *
 * Flags say who is active: one for the kernel (return), one per loop or block that is left under
 * divergence, one per divergent if with a barrier inside. A jump clears the flags of everything it
 * jumps out of, so the innermost flag always tells. Code between barriers runs under it.
 *
 * What is *uniform* keeps its shape: an if or loop whose condition is the same for all work-items,
 * computed from variables that all of them keep up to date, active or not. Such a variable is
 * assigned only from arguments, group indices and others like it, without reading memory (an
 * inactive work-item may have no right to). A loop without such a condition turns until nobody is
 * active: a vote in local memory.
 */
#include "compiler/stmt.h"

#include <stdlib.h>
#include <string.h>

struct scope {
    struct scope *outer;
    struct qn__stmt *owner; /* the loop or block whose leaving ends it; NULL: kernel, or an if */
    struct qn__var *flag;   /* who is active; NULL: as outside */
    struct qn__var *turn;   /* of a loop: who has not continued */
    bool is_kernel;
    bool armed; /* kernel: some work-item may have cleared the flag by now */
};

struct flatten {
    struct qn__function *f;
    bool *common; /* per variable: kept up to date by all work-items */
    bool changed;
};

/* ---- what is uniform ---- */

/* Nobody divides by what may be zero for an inactive work-item. */
static bool divides_safely(const char *text)
{
    for (const char *p = text; (p = strpbrk(p, "/%")) != NULL; p++) {
        const char *const by = p + 1 + strspn(p + 1, " ");
        if (*by < '1' || *by > '9')
            return false;
    }
    return true;
}

static bool is_common_text(const struct flatten *fl, const char *text)
{
    for (const char *p = text; p && (p = strchr(p, 1)) != NULL; p++) {
        const struct qn__var *const v = fl->f->vars[strtoul(p + 1, NULL, 10)];
        if (!fl->common[v->id])
            return false;
    }
    return divides_safely(text);
}

static bool is_common(const struct flatten *fl, const struct qn__stmt *s)
{
    return !s->varies && !s->loads && s->text && is_common_text(fl, s->text);
}

static bool is_jump(const struct qn__stmt *s)
{
    return s->kind == QN__LEAVE || s->kind == QN__CONTINUE || s->kind == QN__RETURN;
}

static bool loop_is_uniform(const struct flatten *fl, const struct qn__stmt *loop);

/* Do all active work-items take this jump together? Up to `top`, where it leads. */
static bool path_is_uniform(const struct flatten *fl, const struct qn__stmt *jump,
                            const struct qn__stmt *top)
{
    for (const struct qn__stmt *s = jump->parent; s && s != top; s = s->parent) {
        if (s->kind == QN__IF && !is_common(fl, s))
            return false;
        if (s->kind == QN__SWITCH && (!is_common(fl, s) || !s->has_barrier))
            return false;
        if (s->kind == QN__BLOCK && !s->has_barrier)
            return false;
        if (s->kind == QN__LOOP && (!s->has_barrier || !loop_is_uniform(fl, s)))
            return false;
    }
    return true;
}

static bool loop_is_uniform(const struct flatten *fl, const struct qn__stmt *loop)
{
    if (loop->form != QN__FOREVER)
        return is_common(fl, loop);
    bool leaves = false;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LEAVE && s->target == loop) {
            leaves = true;
            if (s->is_flagged || !path_is_uniform(fl, s, loop))
                return false;
        }
    return leaves;
}

/* A jump that all take together would take those along who are only inactive up to a place it jumps
 * over: who continued a loop it leaves, who left a block in it. */
static bool takes_others_along(const struct qn__stmt *jump, const struct qn__stmt *target)
{
    for (const struct qn__stmt *s = jump->parent; s && s != target; s = s->parent)
        if (s->needs_flag || s->needs_turn)
            return true;
    return target && jump->kind == QN__LEAVE && target->needs_turn;
}

static bool jump_is_uniform(const struct flatten *fl, const struct qn__stmt *jump)
{
    const struct qn__stmt *const target = jump->kind == QN__RETURN ? NULL : jump->target;
    if (jump->is_flagged || takes_others_along(jump, target) ||
        (target && target->kind == QN__LOOP && !loop_is_uniform(fl, target)) ||
        (target && target->kind == QN__SWITCH && !is_common(fl, target)))
        return false;
    return path_is_uniform(fl, jump, target);
}

static void not_common(struct flatten *fl, const struct qn__var *v)
{
    fl->changed |= fl->common[v->id];
    fl->common[v->id] = false;
}

/* One round of the greatest fixed point: strike variables out that some work-item may miss. */
static void strike(struct flatten *fl, struct qn__stmt *s, bool uniform)
{
    switch (s->kind) {
    case QN__LIST:
    case QN__CASE:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            strike(fl, c, uniform);
        break;
    case QN__ASSIGN:
        if (!uniform || !is_common(fl, s) || s->is_barrier)
            not_common(fl, s->var);
        break;
    case QN__IF:
        uniform = uniform && is_common(fl, s);
        strike(fl, s->body, uniform);
        strike(fl, s->other, uniform);
        break;
    case QN__LOOP:
        uniform = uniform && s->has_barrier && loop_is_uniform(fl, s);
        if (s->init)
            strike(fl, s->init, uniform);
        strike(fl, s->body, uniform);
        if (s->step)
            strike(fl, s->step, uniform);
        break;
    case QN__BLOCK: strike(fl, s->body, uniform && s->has_barrier); break;
    case QN__SWITCH:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            strike(fl, c, uniform && s->has_barrier && is_common(fl, s));
        break;
    default: break;
    }
}

static void find_common(struct flatten *fl)
{
    struct qn__function *const f = fl->f;
    fl->common = QN__NEED_ARRAY(f->u, bool, f->n_vars);
    for (uint32_t i = 0; i < f->n_vars; i++)
        fl->common[i] = !f->vars[i]->is_memory && !f->vars[i]->is_shared;
    do {
        fl->changed = false;
        strike(fl, f->body, true);
    } while (fl->changed);
}

static void mark_barriers(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->is_barrier)
            for (struct qn__stmt *p = s; p && !p->has_barrier; p = p->parent)
                p->has_barrier = true;
}

/* Decisions first, while the tree is whole: rewriting moves statements about. */
static bool assigns_common(const struct flatten *fl, struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (is_jump(s) || (s->kind == QN__ASSIGN && fl->common[s->var->id]))
            return true;
    return false;
}

/* Jumps that go by flags: more of them make fewer loops uniform and fewer variables common, so this
 * is repeated until there are no more. */
static bool flag_jumps(struct flatten *fl, bool *kernel_flag)
{
    struct qn__stmt *const top = fl->f->body;
    bool more = false;
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (!is_jump(s) || s->is_flagged || jump_is_uniform(fl, s))
            continue;
        more = s->is_flagged = true;
        if (s->kind == QN__RETURN)
            *kernel_flag = true;
        else if (s->kind == QN__LEAVE)
            s->target->needs_flag = true;
        else
            s->target->needs_turn = true;
    }
    return more;
}

static void decide(struct flatten *fl, bool *kernel_flag)
{
    struct qn__stmt *const top = fl->f->body;
    do {
        find_common(fl);
    } while (flag_jumps(fl, kernel_flag));
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind == QN__IF || s->kind == QN__SWITCH)
            s->is_uniform = is_common(fl, s) && (s->has_barrier || assigns_common(fl, s));
        else if (s->kind == QN__LOOP)
            s->is_uniform = s->has_barrier && loop_is_uniform(fl, s);
        else if (s->kind == QN__ASSIGN)
            s->is_uniform = fl->common[s->var->id];
        else if (is_jump(s))
            s->is_uniform = !s->is_flagged;
    }
}

/* ---- rewriting ---- */

static const char *token(struct flatten *fl, const struct qn__var *v)
{
    return qn__var_expr(fl->f->u, v).text;
}

static struct qn__var *new_flag(struct flatten *fl, const char *wish)
{
    return qn__var_new(fl->f, wish, qn__type_bool(fl->f->u));
}

static struct qn__stmt *set_flag(struct flatten *fl, struct qn__var *flag, const char *text)
{
    struct qn__stmt *const s = qn__stmt_new(fl->f, QN__ASSIGN);
    s->var = flag;
    s->text = text;
    return s;
}

static struct qn__var *active(const struct scope *sc)
{
    for (; sc; sc = sc->outer) {
        if (sc->turn)
            return sc->turn;
        if (sc->flag && (!sc->is_kernel || sc->armed))
            return sc->flag;
    }
    return NULL;
}

static struct scope *kernel_of(struct scope *sc)
{
    while (sc->outer)
        sc = sc->outer;
    return sc;
}

/* The kernel's flag begins in front of the first statement in which somebody may return. */
static void arm(struct flatten *fl, struct scope *sc, struct qn__stmt *out, struct qn__stmt *next)
{
    struct scope *const kernel = kernel_of(sc);
    if (!kernel->flag || kernel->armed)
        return;
    for (struct qn__stmt *s = next; s; s = qn__walk_next(s, next))
        if (s->kind == QN__RETURN && !s->is_uniform) {
            kernel->armed = true;
            qn__append(out, set_flag(fl, kernel->flag, "true"));
            return;
        }
}

/* "flag && (text)" */
static const char *also(struct flatten *fl, const struct qn__var *flag, const char *text)
{
    return flag ? qn__text(fl->f->u, "%s && (%s)", token(fl, flag), text) : text;
}

static struct qn__stmt *when(struct flatten *fl, const struct qn__var *flag)
{
    struct qn__stmt *const s = qn__stmt_new(fl->f, QN__IF);
    s->is_guard = true;
    s->text = token(fl, flag);
    s->not_text = qn__text(fl->f->u, "!%s", s->text);
    return s;
}

/* The jump's flags become false: those of every scope it jumps out of. */
static void clear_flags(struct flatten *fl, const struct scope *sc, struct qn__stmt *jump)
{
    for (; sc; sc = sc->outer) {
        const bool last = jump->kind == QN__RETURN ? sc->is_kernel : sc->owner == jump->target;
        if (sc->turn)
            qn__insert_before(jump, set_flag(fl, sc->turn, "false"));
        if (sc->flag && !(last && jump->kind == QN__CONTINUE))
            qn__insert_before(jump, set_flag(fl, sc->flag, "false"));
        if (last)
            break;
    }
}

/* Jumps out of a piece of code without barriers: clear flags, then leave the piece. */
static void convert_jumps(struct flatten *fl, const struct scope *sc, struct qn__stmt *piece)
{
    for (struct qn__stmt *s = piece->body, *next; s; s = next) {
        next = qn__walk_next(s, piece->body);
        if (!is_jump(s))
            continue;
        const struct qn__stmt *p = s->kind == QN__RETURN ? NULL : s->target;
        while (p && p != piece)
            p = p->parent;
        if (p)
            continue; /* its target is inside */
        clear_flags(fl, sc, s);
        if (s->kind == QN__LEAVE)
            s->target->leaves--;
        s->kind = QN__LEAVE;
        s->target = piece;
        piece->leaves++;
    }
}

static void flush(struct flatten *fl, struct scope *sc, struct qn__stmt *out,
                  struct qn__stmt **piece)
{
    if (!*piece)
        return;
    struct qn__var *const flag = active(sc);
    arm(fl, sc, out, *piece);
    convert_jumps(fl, sc, *piece);
    if (flag) {
        struct qn__stmt *const guarded = when(fl, flag);
        qn__append(guarded->body, *piece);
        qn__append(out, guarded);
    } else {
        qn__append(out, *piece);
    }
    *piece = NULL;
}

static void flatten_list(struct flatten *fl, struct scope *sc, struct qn__stmt *from,
                         struct qn__stmt *out);

/* In place: a statement that keeps its shape gets its lists rewritten. */
static void flatten_inside(struct flatten *fl, struct scope *sc, struct qn__stmt *list)
{
    struct qn__stmt *const old = qn__stmt_new(fl->f, QN__LIST);
    qn__move_all(old, list);
    old->parent = list->parent;
    flatten_list(fl, sc, old, list);
}

static void flatten_if(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                       struct qn__stmt *out)
{
    if (s->is_uniform) {
        qn__append(out, s);
        flatten_inside(fl, sc, s->body);
        flatten_inside(fl, sc, s->other);
        return;
    }
    struct qn__var *const outside = active(sc);
    struct scope taken = {.outer = sc, .flag = new_flag(fl, "taken")};
    struct scope other = {.outer = sc, .flag = NULL};
    struct qn__stmt *const set = set_flag(fl, taken.flag, also(fl, outside, s->text));
    set->varies = s->varies;
    set->loads = s->loads;
    qn__append(out, set);
    if (!qn__is_empty(s->other)) {
        other.flag = new_flag(fl, "not_taken");
        qn__append(out,
                   set_flag(fl, other.flag,
                            also(fl, outside, qn__text(fl->f->u, "!%s", token(fl, taken.flag)))));
    }
    s->body->parent = s->other->parent = out;
    flatten_list(fl, &taken, s->body, out);
    if (other.flag)
        flatten_list(fl, &other, s->other, out);
}

static void flatten_uniform_loop(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                                 struct qn__stmt *out)
{
    struct scope in = {.outer = sc, .owner = s};
    struct qn__var *const outside = active(sc);
    if (s->needs_flag) {
        in.flag = new_flag(fl, "in_loop");
        qn__append(out, set_flag(fl, in.flag, outside ? token(fl, outside) : "true"));
    }
    if (s->needs_turn)
        in.turn = new_flag(fl, "in_turn");
    struct qn__var *const at_turn = in.flag ? in.flag : outside;
    qn__append(out, s);
    struct qn__stmt *const old = qn__stmt_new(fl->f, QN__LIST);
    qn__move_all(old, s->body);
    old->parent = s;
    if (in.turn)
        qn__append(s->body, set_flag(fl, in.turn, at_turn ? token(fl, at_turn) : "true"));
    flatten_list(fl, &in, old, s->body);
}

/* in_loop = in_loop && (condition) */
static void test_turn(struct flatten *fl, struct qn__stmt *list, const struct scope *in,
                      const struct qn__stmt *loop)
{
    struct qn__stmt *const s = set_flag(fl, in->flag, also(fl, in->flag, loop->text));
    s->varies = loop->varies;
    s->loads = loop->loads;
    qn__append(list, s);
}

static void guarded(struct flatten *fl, struct qn__stmt *list, const struct qn__var *flag,
                    struct qn__stmt *s)
{
    if (!flag) {
        qn__append(list, s);
        return;
    }
    struct qn__stmt *const w = when(fl, flag);
    qn__append(w->body, s);
    qn__append(list, w);
}

/* A loop that work-items leave when they please: it turns until none of the group is in it.
 *     while (c) { a }  ->  in_loop = c; while (any(in_loop)) { if (in_loop) a; in_loop = in_loop &&
 * c; } The vote is the loop's condition: PoCL 3.1 loses its way in loops that break on one. */
static void flatten_voting_loop(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                                struct qn__stmt *out)
{
    struct qn__unit *const u = fl->f->u;
    struct scope in = {.outer = sc, .owner = s, .flag = new_flag(fl, "in_loop")};
    struct qn__var *const outside = active(sc);
    struct qn__var *const slot = qn__shared_scratch(fl->f, "vote", qn__type_int(u, 32, true));
    struct qn__stmt *const old = qn__stmt_new(fl->f, QN__LIST);
    if (s->init)
        guarded(fl, out, outside, s->init);
    struct qn__stmt *const enter = set_flag(fl, in.flag, outside ? token(fl, outside) : "true");
    if (s->form == QN__WHILE || s->form == QN__FOR) {
        enter->text = also(fl, outside, s->text);
        enter->varies = s->varies;
        enter->loads = s->loads;
    }
    qn__append(out, enter);
    if (s->needs_turn)
        in.turn = new_flag(fl, "in_turn");
    qn__append(out, s);
    qn__move_all(old, s->body);
    old->parent = s;
    if (in.turn)
        qn__append(s->body, set_flag(fl, in.turn, token(fl, in.flag)));
    flatten_list(fl, &in, old, s->body);
    if (s->step)
        guarded(fl, s->body, in.flag, s->step);
    if (s->form != QN__FOREVER)
        test_turn(fl, s->body, &in, s);
    s->form = QN__WHILE;
    s->init = s->step = NULL;
    s->text = qn__text(u, "%s(&%s, %s)", qn__library_use(u, s->where, "qn_any_in_group"),
                       token(fl, slot), token(fl, in.flag));
    s->not_text = qn__text(u, "!%s", s->text);
    s->varies = false;
    s->is_barrier = s->votes = true;
}

/* "selector == 1 || selector == 2" */
static const char *case_condition(struct flatten *fl, const struct qn__stmt *c,
                                  const struct qn__var *selector)
{
    const char *text = "";
    for (const char *p = c->text; *p;) {
        const int n = (int)strcspn(p, "\n");
        text = qn__text(fl->f->u, "%s%s%s == %.*s", text, *text ? " || " : "", token(fl, selector),
                        n, p);
        p += n + (p[n] == '\n');
    }
    return text;
}

/* A switch by a value that differs: one flag per case. Who breaks clears it, who falls through
 * takes it along to the next. */
static void flatten_switch(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                           struct qn__stmt *out)
{
    struct qn__unit *const u = fl->f->u;
    struct qn__var *const outside = active(sc), *const selector =
                                                    qn__var_new(fl->f, "selector", s->value_type);
    struct qn__stmt *const value = set_flag(fl, selector, s->text);
    const char *others = "";
    uint32_t n = 0, k = 0;
    value->varies = s->varies;
    value->loads = s->loads;
    guarded(fl, out, outside, value);
    for (const struct qn__stmt *c = s->first; c; c = c->next, n++)
        if (!c->is_default && *c->text)
            others = qn__text(u, "%s%s%s", others, *others ? " || " : "",
                              case_condition(fl, c, selector));
    struct qn__var **const flags = QN__NEED_ARRAY(u, struct qn__var *, n);
    for (const struct qn__stmt *c = s->first; c; c = c->next, k++) {
        flags[k] = new_flag(fl, "in_case");
        const char *const text = !c->is_default ? case_condition(fl, c, selector)
                                 : *others      ? qn__text(u, "!(%s)", others)
                                                : "true";
        qn__append(out, set_flag(fl, flags[k], also(fl, outside, text)));
    }
    k = 0;
    for (struct qn__stmt *c = s->first; c; c = c->next, k++) {
        struct scope in = {.outer = sc, .owner = s, .flag = flags[k]};
        if (c->prev && c->prev->falls_through)
            qn__append(out, set_flag(fl, flags[k],
                                     qn__text(u, "%s || %s", token(fl, flags[k]),
                                              token(fl, flags[k - 1]))));
        c->parent = out;
        flatten_list(fl, &in, c, out);
    }
}

static void flatten_block(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                          struct qn__stmt *out)
{
    struct scope in = {.outer = sc, .owner = s};
    struct qn__var *const outside = active(sc);
    if (s->needs_flag) {
        in.flag = new_flag(fl, "in_block");
        qn__append(out, set_flag(fl, in.flag, outside ? token(fl, outside) : "true"));
    }
    qn__append(out, s);
    flatten_inside(fl, &in, s->body);
}

/* x = shuffle(y) where some are inactive: all take part, only the active keep the result. */
static void flatten_collective(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                               struct qn__stmt *out)
{
    struct qn__var *const flag = active(sc);
    s->text = qn__with_activity(fl->f->u, s->text, flag ? token(fl, flag) : "true");
    qn__append(out, s);
    if (!flag || s->kind != QN__ASSIGN)
        return;
    struct qn__var *const to = s->var;
    s->var = qn__var_new(fl->f, "result", to->type);
    s->op = s->operand = NULL;
    struct qn__stmt *const keep = set_flag(fl, to, token(fl, s->var));
    guarded(fl, out, flag, keep);
}

/* Is this a statement that is rewritten rather than put under a flag as it is? */
static bool is_structural(const struct qn__stmt *s)
{
    return s->has_barrier || (s->is_uniform && s->kind != QN__LOOP);
}

/* A work-item that returned never reads its variables again, so it may compute them as well. */
static bool is_harmless(const struct scope *sc, const struct qn__stmt *s)
{
    while (sc->outer && !sc->flag && !sc->turn)
        sc = sc->outer;
    return sc->is_kernel && s->kind == QN__ASSIGN && !s->loads && divides_safely(s->text);
}

static void flatten_one(struct flatten *fl, struct scope *sc, struct qn__stmt *s,
                        struct qn__stmt *out)
{
    switch (s->kind) {
    case QN__IF: flatten_if(fl, sc, s, out); break;
    case QN__LOOP:
        if (s->is_uniform)
            flatten_uniform_loop(fl, sc, s, out);
        else
            flatten_voting_loop(fl, sc, s, out);
        break;
    case QN__BLOCK: flatten_block(fl, sc, s, out); break;
    case QN__SWITCH:
        if (!s->is_uniform) {
            flatten_switch(fl, sc, s, out);
            break;
        }
        qn__append(out, s);
        for (struct qn__stmt *c = s->first; c; c = c->next)
            flatten_inside(fl, sc, c);
        break;
    default:
        if (s->is_barrier)
            flatten_collective(fl, sc, s, out);
        else
            qn__append(out, s);
        break;
    }
}

static void flatten_list(struct flatten *fl, struct scope *sc, struct qn__stmt *from,
                         struct qn__stmt *out)
{
    struct qn__stmt *piece = NULL;
    while (from->first) {
        struct qn__stmt *const s = from->first;
        if (is_structural(s) || (!piece && is_harmless(sc, s))) {
            qn__remove(s);
            flush(fl, sc, out, &piece);
            arm(fl, sc, out, s);
            flatten_one(fl, sc, s, out);
            continue;
        }
        qn__remove(s);
        if (!piece)
            piece = qn__stmt_new(fl->f, QN__BLOCK);
        qn__append(piece->body, s);
    }
    flush(fl, sc, out, &piece);
}

void qn__flatten(struct qn__function *f)
{
    struct flatten fl = {.f = f};
    struct scope kernel = {.is_kernel = true};
    bool needs_flag = false;
    mark_barriers(f);
    decide(&fl, &needs_flag);
    struct qn__stmt *const old = qn__stmt_new(f, QN__LIST);
    qn__move_all(old, f->body);
    if (needs_flag)
        kernel.flag = new_flag(&fl, "active");
    flatten_list(&fl, &kernel, old, f->body);
}
