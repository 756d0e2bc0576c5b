/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): a switch in a kernel with a barrier becomes a chain of ifs.
 *
 *     switch (v) {                        do {
 *     case 1: a(); break;                     if (v == 1) {
 *     default: b();                               a();
 *     }                                       } else {
 *                                                 b();
 *                                             }
 *                                         } while (false);    (where a or b breaks in the middle)
 *
 * PoCL miscompiles switches there: cases run for values that are not theirs, or not at all.
 * A case that falls through sets `falls` for the next one. */
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

static bool falls_anywhere(const struct qn__stmt *sw)
{
    for (const struct qn__stmt *c = sw->first; c; c = c->next)
        if (c->falls_through)
            return true;
    return false;
}

/* The selector in a variable of its own, unless it is one and no case comes after another. */
static const struct qn__node *selector_of(struct qn__function *f, struct qn__stmt *list,
                                          const struct qn__stmt *sw, bool falls)
{
    if (!falls && sw->value->op == QN__OP_VARIABLE)
        return sw->value;
    struct qn__var *const var = qn__var_new(f, "selector", sw->value_type);
    qn__append(list, qn__assign_new(f, var, sw->value));
    return qn__node_var(f->u, var);
}

/* Breaks out of the switch leave the block instead. */
static void retarget(struct qn__stmt *sw, struct qn__stmt *block)
{
    for (struct qn__stmt *s = sw; s; s = qn__walk_next(s, sw))
        if (s->kind == QN__LEAVE && s->target == sw) {
            s->target = block;
            sw->leaves--;
            block->leaves++;
        }
}

/* What remains for the last else. A test of the last value that there is has an else that LLVM
 * knows nothing reaches, which PoCL takes for a return. */
static struct qn__stmt *rest_of(struct qn__stmt *sw)
{
    struct qn__stmt *c = sw->first;
    while (c && !c->is_default)
        c = c->next;
    return c || !sw->is_complete ? c : sw->last;
}

/* if (v == 1) { } else if (v == 2) { } else { } */
static void chain(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *sw,
                  const struct qn__node *selector)
{
    struct qn__stmt *const rest = rest_of(sw);
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        if (c == rest)
            continue;
        struct qn__stmt *const test = qn__case_test(f, c, selector);
        test->where = sw->where;
        qn__append(list, test);
        qn__move_all(test->body, c);
        list = test->other;
    }
    if (rest)
        qn__move_all(list, rest);
}

/* No case has the value. NULL: there is none but the default's. */
static const struct qn__node *no_case(struct qn__function *f, const struct qn__stmt *sw,
                                      const struct qn__node *selector)
{
    const struct qn__node *none = NULL;
    for (const struct qn__stmt *c = sw->first; c; c = c->next) {
        if (c->is_default || !c->n_labels)
            continue;
        const struct qn__node *const other = qn__case_test(f, c, selector)->negated;
        none = none ? qn__node_and(f->u, none, other) : other;
    }
    return none;
}

/* falls = false; if (v == 1) { ...; falls = true; } if (falls || v == 2) { ... } */
static void row(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *sw,
                const struct qn__node *selector)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const truth = qn__type_bool(u);
    struct qn__var *const falls = qn__var_new(f, "falls", truth);
    const struct qn__node *const none = no_case(f, sw, selector);
    qn__append(list, qn__assign_new(f, falls, qn__node_truth(u, false)));
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        const bool is_fallen_into = c->prev && c->prev->falls_through;
        struct qn__stmt *const test = qn__case_test(f, c, selector);
        if (c->is_default)
            test->value = none ? none : qn__node_truth(u, true);
        if (is_fallen_into)
            test->value = qn__node_or(u, qn__node_var(u, falls), test->value);
        test->negated = qn__node_not(u, test->value);
        test->where = sw->where;
        qn__append(list, test);
        const bool ends = qn__ends_in_jump(c);
        qn__move_all(test->body, c);
        if ((c->falls_through || is_fallen_into) && !ends)
            qn__append(test->body, qn__assign_new(f, falls, qn__node_truth(u, c->falls_through)));
    }
}

static struct qn__stmt *make_ifs(struct qn__function *f, struct qn__stmt *sw)
{
    struct qn__stmt *const block = qn__stmt_new(f, QN__BLOCK);
    const bool falls = falls_anywhere(sw);
    qn__insert_before(sw, block);
    qn__remove(sw);
    retarget(sw, block);
    const struct qn__node *const selector = selector_of(f, block->body, sw, falls);
    if (falls)
        row(f, block->body, sw, selector);
    else
        chain(f, block->body, sw, selector);
    return block;
}

void qn__quirk_switch(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__SWITCH)
            s = make_ifs(f, s);
}
