/* SPDX-License-Identifier: Apache-2.0
 *
 * Collective flattening: every work-item of a group reaches every barrier, also those that the
 * source had under a condition, after an early return, or in a loop that work-items leave after
 * different numbers of iterations. OpenCL demands it; in CUDA threads that exited count as arrived.
 *
 *     if (i >= n) return;             bool active = true;
 *     a();                            if (i >= n) active = false;
 *     barrier();                      if (active) a();
 *     b();                            barrier();
 *                                     if (active) b();
 *
 * Flags say which work-items are active: one for the kernel (return), one per loop or block that is
 * left under divergence, one per divergent if with a barrier inside. A jump clears the flags of
 * everything it jumps out of, so the innermost flag always tells. Code between barriers runs under
 * it.
 *
 * What is *uniform* keeps its shape: an if or loop whose condition is the same for all work-items,
 * computed from variables that all of them keep up to date, active or not (flatten_uniform.c). Such
 * a variable is assigned only from arguments, group indices and others like it, without reading
 * memory (an inactive work-item may have no right to). A loop without such a condition runs until
 * no work-item is active: a vote in local memory.
 */
#include "compiler/expr/expr_variable.h"
#include "compiler/stmt/flatten_uniform.h"

#include "compiler/core/diagnose.h"
#include "compiler/lang/language.h"
#include "compiler/passes.h"

struct scope {
    struct scope *outer;
    struct qn__stmt *owner;    /* the loop or block whose leaving ends it; NULL: kernel, or an if */
    struct qn__var *flag;      /* is the work-item active? NULL: as outside */
    struct qn__var *iteration; /* of a loop: has it not continued? */
    bool is_kernel;
    bool armed; /* kernel: some work-item may have cleared the flag by now */
};

static struct qn__var *new_flag(struct qn__function *f, const char *wish)
{
    return qn__var_new(f, wish, qn__type_bool(f->u));
}

/* The flag; true where there is none. */
static const struct qn__node *flag_or_true(struct qn__function *f, const struct qn__var *flag)
{
    return flag ? qn__node_var(f->u, flag) : qn__node_truth(f->u, true);
}

static struct qn__stmt *set_flag(struct qn__function *f, struct qn__var *flag, bool value)
{
    return qn__assign_new(f, flag, qn__node_truth(f->u, value));
}

static struct qn__var *active(const struct scope *sc)
{
    for (; sc; sc = sc->outer) {
        if (sc->iteration)
            return sc->iteration;
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

/* The kernel's flag is set before the first statement in which a work-item may return. */
static void arm(struct qn__function *f, struct scope *sc, struct qn__stmt *out,
                struct qn__stmt *next)
{
    struct scope *const kernel = kernel_of(sc);
    if (!kernel->flag || kernel->armed)
        return;
    for (struct qn__stmt *s = next; s; s = qn__walk_next(s, next))
        if (s->kind == QN__RETURN && !s->flattening.is_uniform) {
            kernel->armed = true;
            qn__append(out, set_flag(f, kernel->flag, true));
            return;
        }
}

/* flag && condition */
static const struct qn__node *also(struct qn__function *f, const struct qn__var *flag,
                                   const struct qn__node *condition)
{
    return flag ? qn__node_and(f->u, qn__node_var(f->u, flag), condition) : condition;
}

static struct qn__stmt *when(struct qn__function *f, const struct qn__var *flag)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__IF);
    s->is_guard = true;
    s->value = qn__node_var(f->u, flag);
    s->negated = qn__node_not(f->u, s->value);
    return s;
}

/* The jump's flags become false: those of every scope it jumps out of. */
static void clear_flags(struct qn__function *f, const struct scope *sc, struct qn__stmt *jump)
{
    for (; sc; sc = sc->outer) {
        const bool last = jump->kind == QN__RETURN ? sc->is_kernel : sc->owner == jump->target;
        if (sc->iteration)
            qn__insert_before(jump, set_flag(f, sc->iteration, false));
        if (sc->flag && !(last && jump->kind == QN__CONTINUE))
            qn__insert_before(jump, set_flag(f, sc->flag, false));
        if (last)
            break;
    }
}

/* Jumps out of a piece of code without barriers: clear flags, then leave the piece. */
static void convert_jumps(struct qn__function *f, const struct scope *sc, struct qn__stmt *piece)
{
    for (struct qn__stmt *s = piece->body, *next; s; s = next) {
        next = qn__walk_next(s, piece->body);
        if (!qn__is_jump(s))
            continue;
        if (s->kind != QN__RETURN && qn__is_inside(s->target, piece))
            continue;
        clear_flags(f, sc, s);
        if (s->kind == QN__LEAVE)
            s->target->leaves--;
        s->kind = QN__LEAVE;
        s->target = piece;
        piece->leaves++;
    }
}

static void flush(struct qn__function *f, struct scope *sc, struct qn__stmt *out,
                  struct qn__stmt **piece)
{
    if (!*piece)
        return;
    struct qn__var *const flag = active(sc);
    arm(f, sc, out, *piece);
    convert_jumps(f, sc, *piece);
    if (flag) {
        struct qn__stmt *const guarded = when(f, flag);
        qn__append(guarded->body, *piece);
        qn__append(out, guarded);
    } else {
        qn__append(out, *piece);
    }
    *piece = NULL;
}

static void flatten_list(struct qn__function *f, struct scope *sc, struct qn__stmt *from,
                         struct qn__stmt *out);

/* In place: a statement that keeps its shape gets its lists rewritten. */
static void flatten_inside(struct qn__function *f, struct scope *sc, struct qn__stmt *list)
{
    struct qn__stmt *const old = qn__stmt_new(f, QN__LIST);
    qn__move_all(old, list);
    old->parent = list->parent;
    flatten_list(f, sc, old, list);
}

static void flatten_if(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                       struct qn__stmt *out)
{
    if (s->flattening.is_uniform) {
        qn__append(out, s);
        flatten_inside(f, sc, s->body);
        flatten_inside(f, sc, s->other);
        return;
    }
    struct qn__var *const outside = active(sc);
    struct scope taken = {.outer = sc, .flag = new_flag(f, "taken")};
    struct scope other = {.outer = sc, .flag = NULL};
    qn__append(out, qn__assign_new(f, taken.flag, also(f, outside, s->value)));
    if (!qn__is_empty(s->other)) {
        other.flag = new_flag(f, "not_taken");
        const struct qn__node *const rest = qn__node_not(f->u, qn__node_var(f->u, taken.flag));
        qn__append(out, qn__assign_new(f, other.flag, also(f, outside, rest)));
    }
    s->body->parent = s->other->parent = out;
    flatten_list(f, &taken, s->body, out);
    if (other.flag)
        flatten_list(f, &other, s->other, out);
}

static void flatten_uniform_loop(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                                 struct qn__stmt *out)
{
    struct scope in = {.outer = sc, .owner = s};
    struct qn__var *const outside = active(sc);
    if (s->flattening.needs_flag) {
        in.flag = new_flag(f, "in_loop");
        qn__append(out, qn__assign_new(f, in.flag, flag_or_true(f, outside)));
    }
    if (s->flattening.needs_iteration_flag)
        in.iteration = new_flag(f, "in_turn");
    struct qn__var *const in_iteration = in.flag ? in.flag : outside;
    qn__append(out, s);
    struct qn__stmt *const old = qn__stmt_new(f, QN__LIST);
    qn__move_all(old, s->body);
    old->parent = s;
    if (in.iteration)
        qn__append(s->body, qn__assign_new(f, in.iteration, flag_or_true(f, in_iteration)));
    flatten_list(f, &in, old, s->body);
}

static void guarded(struct qn__function *f, struct qn__stmt *list, const struct qn__var *flag,
                    struct qn__stmt *s)
{
    if (!flag) {
        qn__append(list, s);
        return;
    }
    struct qn__stmt *const w = when(f, flag);
    qn__append(w->body, s);
    qn__append(list, w);
}

/* A vote in local memory. */
static const struct qn__node *any_in_group(struct qn__function *f, const struct qn__var *flag,
                                           LLVMValueRef where)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const word = qn__type_int(u, 32, true);
    const struct qn__node *arguments[2];
    uint32_t n = 0;
    if (!u->language->in_loops) /* there all flags are in an array */
        arguments[n++] =
            qn__node_unary(u, QN__OP_ADDRESS, qn__type_pointer(u, word, QN__LOCAL, false, false),
                           qn__node_var(u, qn__shared_scratch(f, "vote", word)));
    arguments[n++] = qn__node_var(u, flag);
    const struct qn__node *const any =
        qn__node_new(u, QN__OP_ANY_IN_GROUP, qn__type_bool(u), n, arguments);
    u->language->use(u, where, any);
    return any;
}

/* A loop that work-items leave independently: it runs until none of the group is in it.
 *
 *     while (c) { a }  ->  in_loop = c;
 *                          while (any(in_loop)) {
 *                              if (in_loop) a;
 *                              in_loop = in_loop && c;
 *                              barrier;
 *                          }
 *
 * The vote is the loop's condition, and a barrier ends the iteration: PoCL 3.1 miscompiles loops
 * that break on a vote or have code after their last barrier (quirks/README.md). */
static void flatten_voting_loop(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                                struct qn__stmt *out)
{
    struct qn__unit *const u = f->u;
    struct scope in = {.outer = sc, .owner = s, .flag = new_flag(f, "in_loop")};
    struct qn__var *const outside = active(sc);
    const struct qn__node *const vote = any_in_group(f, in.flag, s->where);
    struct qn__stmt *const old = qn__stmt_new(f, QN__LIST);
    if (s->init)
        guarded(f, out, outside, s->init);
    const bool tests_first = s->form == QN__WHILE || s->form == QN__FOR;
    qn__append(out,
               qn__assign_new(f, in.flag,
                              tests_first ? also(f, outside, s->value) : flag_or_true(f, outside)));
    if (s->flattening.needs_iteration_flag)
        in.iteration = new_flag(f, "in_turn");
    qn__append(out, s);
    qn__move_all(old, s->body);
    old->parent = s;
    if (in.iteration)
        qn__append(s->body, qn__assign_new(f, in.iteration, qn__node_var(u, in.flag)));
    flatten_list(f, &in, old, s->body);
    if (s->step)
        guarded(f, s->body, in.flag, s->step);
    if (s->form != QN__FOREVER)
        qn__append(s->body, qn__assign_new(f, in.flag, also(f, in.flag, s->value)));
    qn__append(s->body, qn__barrier_new(f));
    s->form = QN__WHILE;
    s->init = s->step = NULL;
    s->value = vote;
    s->is_barrier = s->is_vote = true;
}

/* The values of all cases but the default's. */
static const struct qn__node *any_case(struct qn__function *f, const struct qn__stmt *sw,
                                       const struct qn__node *selector)
{
    const struct qn__node *any = NULL;
    for (const struct qn__stmt *c = sw->first; c; c = c->next) {
        if (c->is_default || !c->n_labels)
            continue;
        const struct qn__node *const test = qn__case_test(f, c, selector)->value;
        any = any ? qn__node_or(f->u, any, test) : test;
    }
    return any;
}

/* A switch by a divergent value: one flag per case. A break clears it; a case that falls through
 * passes it on to the next. */
static void flatten_switch(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                           struct qn__stmt *out)
{
    struct qn__unit *const u = f->u;
    struct qn__var *const outside = active(sc), *const variable =
                                                    qn__var_new(f, "selector", s->value_type);
    const struct qn__node *const selector = qn__node_var(u, variable);
    const struct qn__node *const others = any_case(f, s, selector);
    uint32_t n = 0, k = 0;
    guarded(f, out, outside, qn__assign_new(f, variable, s->value));
    for (const struct qn__stmt *c = s->first; c; c = c->next)
        n++;
    struct qn__var **const flags = QN__NEED_ARRAY(u, struct qn__var *, n);
    for (const struct qn__stmt *c = s->first; c; c = c->next, k++) {
        flags[k] = new_flag(f, "in_case");
        const struct qn__node *const test = !c->is_default ? qn__case_test(f, c, selector)->value
                                            : others       ? qn__node_not(u, others)
                                                           : qn__node_truth(u, true);
        qn__append(out, qn__assign_new(f, flags[k], also(f, outside, test)));
    }
    k = 0;
    for (struct qn__stmt *c = s->first; c; c = c->next, k++) {
        struct scope in = {.outer = sc, .owner = s, .flag = flags[k]};
        if (c->prev && c->prev->falls_through)
            qn__append(out, qn__assign_new(f, flags[k],
                                           qn__node_or(u, qn__node_var(u, flags[k]),
                                                       qn__node_var(u, flags[k - 1]))));
        c->parent = out;
        flatten_list(f, &in, c, out);
    }
}

/* A switch by a value that is the same for all keeps its shape; some may leave it before the rest.
 */
static void flatten_uniform_switch(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                                   struct qn__stmt *out)
{
    struct scope in = {.outer = sc, .owner = s};
    struct qn__var *const outside = active(sc);
    if (s->flattening.needs_flag) {
        in.flag = new_flag(f, "in_switch");
        qn__append(out, qn__assign_new(f, in.flag, flag_or_true(f, outside)));
    }
    qn__append(out, s);
    for (struct qn__stmt *c = s->first; c; c = c->next)
        flatten_inside(f, &in, c);
}

static void flatten_block(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                          struct qn__stmt *out)
{
    struct scope in = {.outer = sc, .owner = s};
    struct qn__var *const outside = active(sc);
    if (s->flattening.needs_flag) {
        in.flag = new_flag(f, "in_block");
        qn__append(out, qn__assign_new(f, in.flag, flag_or_true(f, outside)));
    }
    qn__append(out, s);
    flatten_inside(f, &in, s->body);
}

/* x = shuffle(y) where some are inactive: all take part, only the active keep the result. */
static void flatten_collective(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                               struct qn__stmt *out)
{
    struct qn__var *const flag = active(sc);
    s->value = qn__node_replace(f->u, s->value, NULL, flag_or_true(f, flag));
    qn__append(out, s);
    if (!flag || s->kind != QN__ASSIGN)
        return;
    struct qn__var *const to = s->var;
    s->var = qn__var_new(f, "result", to->type);
    s->update = NULL;
    guarded(f, out, flag, qn__assign_new(f, to, qn__node_var(f->u, s->var)));
}

/* Is this a statement that is rewritten rather than put under a flag as it is? */
static bool is_structural(const struct qn__stmt *s)
{
    return qn__has_barrier(s) || (s->flattening.is_uniform && s->kind != QN__LOOP);
}

/* A work-item that returned never reads its variables again, so it may compute them as well. */
static bool is_harmless(const struct scope *sc, const struct qn__stmt *s)
{
    while (sc->outer && !sc->flag && !sc->iteration)
        sc = sc->outer;
    return sc->is_kernel && s->kind == QN__ASSIGN &&
           !(s->value->traits & (QN__READS | QN__DIVIDES));
}

static void flatten_one(struct qn__function *f, struct scope *sc, struct qn__stmt *s,
                        struct qn__stmt *out)
{
    switch (s->kind) {
    case QN__IF: flatten_if(f, sc, s, out); break;
    case QN__LOOP:
        if (s->flattening.is_uniform)
            flatten_uniform_loop(f, sc, s, out);
        else
            flatten_voting_loop(f, sc, s, out);
        break;
    case QN__BLOCK: flatten_block(f, sc, s, out); break;
    case QN__SWITCH:
        if (s->flattening.is_uniform)
            flatten_uniform_switch(f, sc, s, out);
        else
            flatten_switch(f, sc, s, out);
        break;
    default:
        if (s->is_barrier)
            flatten_collective(f, sc, s, out);
        else
            qn__append(out, s);
        break;
    }
}

static void flatten_list(struct qn__function *f, struct scope *sc, struct qn__stmt *from,
                         struct qn__stmt *out)
{
    struct qn__stmt *piece = NULL;
    while (from->first) {
        struct qn__stmt *const s = from->first;
        if (is_structural(s) || (!piece && is_harmless(sc, s))) {
            qn__remove(s);
            flush(f, sc, out, &piece);
            arm(f, sc, out, s);
            flatten_one(f, sc, s, out);
            continue;
        }
        qn__remove(s);
        if (!piece)
            piece = qn__stmt_new(f, QN__BLOCK);
        qn__append(piece->body, s);
    }
    flush(f, sc, out, &piece);
}

void qn__flatten(struct qn__function *f)
{
    struct scope kernel = {.is_kernel = true};
    bool needs_flag = false;
    qn__explain(f->u, NULL, "barriers under divergent control flow: collective flattening");
    qn__flatten_uniform(f, &needs_flag);
    struct qn__stmt *const old = qn__stmt_new(f, QN__LIST);
    qn__move_all(old, f->body);
    if (needs_flag)
        kernel.flag = new_flag(f, "active");
    flatten_list(f, &kernel, old, f->body);
    f->is_flattened = true;
}
