/* SPDX-License-Identifier: Apache-2.0
 *
 * From a failing program to a small failing program. Every step replaces what one slot of the tree
 * points at by something smaller of the same type, asks whether the program still fails, and puts
 * the old node back when it does not. Nodes marked fixed keep the program's behaviour defined and
 * stay; a fixed block (a phase between barriers, say) goes as a whole. */
#include "tests/compiler/generator/program.h"

#include <stdlib.h>
#include <string.h>

struct shrinker {
    struct gen_program *p;
    struct qn__arena *arena;
    uint32_t tries_left, n_steps;
    gen_fails fails;
    void *payload;
    const struct gen_var *wanted; /* count_uses() */
    uint32_t n_uses;
};

static bool still_fails(struct shrinker *sh)
{
    if (!sh->tries_left)
        return false;
    sh->tries_left--;
    if (!sh->fails(sh->p, sh->payload))
        return false;
    sh->n_steps++;
    return true;
}

static void *new(struct shrinker *sh, size_t count, size_t size)
{
    void *p = qn__arena_alloc(sh->arena, count ? count : 1, size);
    if (!p)
        abort();
    return p;
}

/* ---- Is a variable used anywhere? ---- */

static void count_in_expr(struct shrinker *sh, const struct gen_expr *e)
{
    if (!e)
        return;
    sh->n_uses += e->kind == GEN_VAR && e->var == sh->wanted;
    count_in_expr(sh, e->a);
    count_in_expr(sh, e->b);
    count_in_expr(sh, e->c);
    const uint32_t n = e->kind == GEN_BUILTIN_CALL    ? gen_calls[e->call].n
                       : e->kind == GEN_FUNCTION_CALL ? e->function->n_params
                                                      : 0;
    for (uint32_t i = 0; i < n; i++)
        count_in_expr(sh, e->args[i]);
}

static void count_in_stmt(struct shrinker *sh, const struct gen_stmt *s)
{
    if (!s)
        return;
    count_in_expr(sh, s->place);
    count_in_expr(sh, s->value);
    count_in_expr(sh, s->lane);
    count_in_expr(sh, s->mask);
    for (uint32_t i = 0; i < s->n_values; i++)
        count_in_expr(sh, s->values[i]);
    for (uint32_t i = 0; i < s->n; i++)
        count_in_stmt(sh, s->list[i]);
    count_in_stmt(sh, s->body);
    count_in_stmt(sh, s->otherwise);
}

static uint32_t count_uses(struct shrinker *sh, const struct gen_var *v)
{
    sh->wanted = v;
    sh->n_uses = 0;
    count_in_stmt(sh, sh->p->kernel->body);
    for (uint32_t i = 0; i < sh->p->n_helpers; i++)
        count_in_stmt(sh, sh->p->helpers[i]->body);
    return sh->n_uses;
}

/* ---- Statements ---- */

/* What must stay of a statement that goes: declarations that are used elsewhere. */
static struct gen_stmt *remains(struct shrinker *sh, struct gen_stmt *s)
{
    struct gen_stmt *rest = new (sh, 1, sizeof *rest);
    const bool is_block = s->kind == GEN_BLOCK;
    struct gen_stmt **parts = is_block ? s->list : &s;
    const uint32_t n = is_block ? s->n : 1;
    rest->kind = GEN_BLOCK;
    rest->list = new (sh, n, sizeof(struct gen_stmt *));
    for (uint32_t i = 0; i < n; i++)
        if (parts[i]->kind == GEN_DECLARE && count_uses(sh, parts[i]->var))
            rest->list[rest->n++] = parts[i];
    return rest;
}

static bool may_go(const struct gen_stmt *s)
{
    return s->kind != GEN_RETURN && (!s->is_fixed || s->kind == GEN_BLOCK);
}

static void try_stmt(struct shrinker *sh, struct gen_stmt **slot, struct gen_stmt *smaller)
{
    struct gen_stmt *old = *slot;
    *slot = smaller;
    if (!still_fails(sh))
        *slot = old;
}

/* Take `n` statements of a list away at once. */
static void try_range(struct shrinker *sh, struct gen_stmt *s, uint32_t first, uint32_t n)
{
    struct gen_stmt **old = new (sh, n, sizeof(struct gen_stmt *));
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        old[i] = s->list[first + i];
        if (!may_go(old[i]))
            continue;
        s->list[first + i] = new (sh, 1, sizeof(struct gen_stmt)); /* an empty block */
    }
    for (uint32_t i = n; i-- > 0;) { /* backwards: later uses are gone before their declaration */
        if (s->list[first + i] == old[i])
            continue;
        struct gen_stmt *rest = remains(sh, old[i]);
        any |= old[i]->kind == GEN_DECLARE ? rest->n == 0
                                           : old[i]->kind != GEN_BLOCK || rest->n < old[i]->n;
        s->list[first + i] = old[i]->kind == GEN_DECLARE && rest->n ? old[i] : rest;
    }
    if (any && still_fails(sh))
        return;
    for (uint32_t i = 0; i < n; i++)
        s->list[first + i] = old[i];
}

static void shrink_stmt(struct shrinker *sh, struct gen_stmt **slot);

static void shrink_list(struct shrinker *sh, struct gen_stmt *s)
{
    for (uint32_t n = s->n; n > 0 && !s->is_fixed && s->kind == GEN_BLOCK; n /= 2)
        for (uint32_t end = s->n; end >= n && sh->tries_left; end -= n)
            try_range(sh, s, end - n, n);
    for (uint32_t i = s->n; i-- > 0 && !s->is_fixed;)
        shrink_stmt(sh, &s->list[i]);
}

static void shrink_stmt(struct shrinker *sh, struct gen_stmt **slot)
{
    struct gen_stmt *s = *slot;
    if (s->is_fixed || !sh->tries_left)
        return;
    if (s->kind == GEN_IF) {
        if (s->otherwise)
            try_stmt(sh, slot, s->otherwise);
        if (*slot == s)
            try_stmt(sh, slot, s->body);
        if (*slot == s && s->otherwise)
            try_stmt(sh, &s->otherwise, NULL);
        s = *slot;
    }
    shrink_list(sh, s);
    if (s->body)
        shrink_stmt(sh, &s->body);
    if (s->otherwise)
        shrink_stmt(sh, &s->otherwise);
}

/* ---- Expressions ---- */

static void shrink_expr(struct shrinker *sh, struct gen_expr **slot);

static bool try_expr(struct shrinker *sh, struct gen_expr **slot, struct gen_expr *smaller)
{
    struct gen_expr *old = *slot;
    if (!smaller || smaller->type != old->type || smaller->is_fixed)
        return false;
    *slot = smaller;
    if (still_fails(sh))
        return true;
    *slot = old;
    return false;
}

static void shrink_parts(struct shrinker *sh, struct gen_expr *e)
{
    if (e->a)
        shrink_expr(sh, &e->a);
    if (e->b)
        shrink_expr(sh, &e->b);
    if (e->c)
        shrink_expr(sh, &e->c);
    const uint32_t n = e->kind == GEN_BUILTIN_CALL    ? gen_calls[e->call].n
                       : e->kind == GEN_FUNCTION_CALL ? e->function->n_params
                                                      : 0;
    for (uint32_t i = 0; i < n; i++)
        shrink_expr(sh, &e->args[i]);
}

static void shrink_expr(struct shrinker *sh, struct gen_expr **slot)
{
    struct gen_expr *e = *slot;
    if (!sh->tries_left || e->kind == GEN_CONST || e->kind == GEN_VAR)
        return;
    if (!e->is_fixed && e->type->kind == GEN_SCALAR) {
        struct gen_expr *zero = new (sh, 1, sizeof *zero);
        zero->kind = GEN_CONST;
        zero->type = e->type;
        if (try_expr(sh, slot, zero) || try_expr(sh, slot, e->a) || try_expr(sh, slot, e->b) ||
            try_expr(sh, slot, e->c)) {
            shrink_expr(sh, slot);
            return;
        }
    }
    shrink_parts(sh, e);
}

static void shrink_exprs_of(struct shrinker *sh, struct gen_stmt *s)
{
    if (!s || !sh->tries_left)
        return;
    if (s->value)
        shrink_expr(sh, &s->value);
    for (uint32_t i = 0; i < s->n_values; i++)
        shrink_expr(sh, &s->values[i]);
    for (uint32_t i = 0; i < s->n; i++)
        shrink_exprs_of(sh, s->list[i]);
    shrink_exprs_of(sh, s->body);
    shrink_exprs_of(sh, s->otherwise);
}

/* ---- Programs ---- */

static bool calls_in_expr(const struct gen_expr *e, const struct gen_function *f)
{
    if (!e)
        return false;
    bool found = e->kind == GEN_FUNCTION_CALL && e->function == f;
    const uint32_t n = e->kind == GEN_BUILTIN_CALL    ? gen_calls[e->call].n
                       : e->kind == GEN_FUNCTION_CALL ? e->function->n_params
                                                      : 0;
    for (uint32_t i = 0; i < n && !found; i++)
        found = calls_in_expr(e->args[i], f);
    return found || calls_in_expr(e->a, f) || calls_in_expr(e->b, f) || calls_in_expr(e->c, f);
}

static bool calls(const struct gen_stmt *s, const struct gen_function *f)
{
    if (!s)
        return false;
    bool found = (s->kind == GEN_CALL_STMT && s->function == f) || calls_in_expr(s->value, f) ||
                 calls_in_expr(s->place, f) || calls_in_expr(s->lane, f);
    for (uint32_t i = 0; i < s->n_values && !found; i++)
        found = calls_in_expr(s->values[i], f);
    for (uint32_t i = 0; i < s->n && !found; i++)
        found = calls(s->list[i], f);
    return found || calls(s->body, f) || calls(s->otherwise, f);
}

/* Without the helpers that nothing calls, if it fails without them too. They call only earlier
 * ones, so the last is looked at first. */
static void drop_helpers(struct shrinker *sh)
{
    struct gen_program *p = sh->p;
    for (uint32_t i = p->n_helpers; i-- > 0;) {
        struct gen_function *dropped = p->helpers[i];
        bool is_called = calls(p->kernel->body, dropped);
        for (uint32_t j = i + 1; j < p->n_helpers && !is_called; j++)
            is_called = calls(p->helpers[j]->body, dropped);
        if (is_called)
            continue;
        const uint32_t n_after = --p->n_helpers - i;
        memmove(&p->helpers[i], &p->helpers[i + 1], n_after * sizeof(struct gen_function *));
        if (still_fails(sh))
            continue;
        memmove(&p->helpers[i + 1], &p->helpers[i], n_after * sizeof(struct gen_function *));
        p->helpers[i] = dropped;
        p->n_helpers++;
    }
}

uint32_t gen_shrink(struct gen_program *p, struct qn__arena *arena, uint32_t max_tries,
                    gen_fails fails, void *payload)
{
    struct shrinker sh = {
        .p = p, .arena = arena, .tries_left = max_tries, .fails = fails, .payload = payload};
    uint32_t before;
    do {
        before = sh.n_steps;
        shrink_list(&sh, p->kernel->body);
        for (uint32_t i = 0; i < p->n_helpers; i++)
            shrink_list(&sh, p->helpers[i]->body);
        drop_helpers(&sh);
        shrink_exprs_of(&sh, p->kernel->body);
        for (uint32_t i = 0; i < p->n_helpers; i++)
            shrink_exprs_of(&sh, p->helpers[i]->body);
    } while (sh.n_steps > before && sh.tries_left);
    return sh.n_steps;
}
