/* SPDX-License-Identifier: Apache-2.0
 *
 * Makers of nodes, and random expressions of a wanted type. Every expression made here has defined
 * behaviour for every value of its parts: divisors are forced away from zero, shifts are masked,
 * conversions from floating point are guarded by a comparison. shapes_arithmetic.c has the others.
 */
#include "tests/compiler/generator/random.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Chance: splitmix64 ---- */

uint64_t gen_random(struct generator *g)
{
    uint64_t z = g->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t gen_below(struct generator *g, uint32_t n)
{
    return (uint32_t)(gen_random(g) >> 33) % n;
}

bool gen_chance(struct generator *g, uint32_t percent)
{
    return gen_below(g, 100) < percent;
}

/* ---- Makers ---- */

void *gen_new(struct generator *g, size_t count, size_t size)
{
    void *p = qn__arena_alloc(g->arena, count ? count : 1, size);
    if (!p)
        abort();
    return p;
}

const struct gen_type *gen_array_of(struct generator *g, const struct gen_type *element, uint32_t n)
{
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    *t = (struct gen_type){.kind = GEN_ARRAY,
                           .element = element,
                           .n = n,
                           .size_bytes = n * element->size_bytes,
                           .align_bytes = element->align_bytes};
    return t;
}

const struct gen_type *gen_pointer_to(struct generator *g, const struct gen_type *element)
{
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    *t = (struct gen_type){
        .kind = GEN_POINTER, .element = element, .size_bytes = 8, .align_bytes = 8};
    return t;
}

struct gen_var *gen_local(struct generator *g, const struct gen_type *type, const char *prefix)
{
    struct gen_var *v = gen_new(g, 1, sizeof *v);
    v->type = type;
    v->name = qn__arena_printf(g->arena, "%s%u", prefix, g->n_names++);
    v->offset_bytes = g->function->frame_bytes;
    g->function->frame_bytes += (type->size_bytes + 15) & ~15u; /* a reference needs 8 at most */
    return v;
}

struct gen_var *gen_shared(struct generator *g, const struct gen_type *element, uint32_t n)
{
    struct gen_var *v = gen_new(g, 1, sizeof *v);
    v->storage = GEN_SHARED;
    v->type = gen_array_of(g, element, n);
    v->name = qn__arena_printf(g->arena, "shared%u", g->n_names++);
    v->offset_bytes = g->p->shared_bytes;
    v->is_const = true; /* written by the phases of collectives.c alone */
    v->is_uniform = true;
    g->p->shared_bytes += (v->type->size_bytes + 15) & ~15u;
    g->p->globals[g->p->n_globals++] = v;
    return v;
}

void gen_see(struct generator *g, struct gen_var *v)
{
    if (g->n_scope < GEN_MAX_SCOPE)
        g->scope[g->n_scope++] = v;
}

static struct gen_expr *expr_new(struct generator *g, enum gen_expr_kind kind,
                                 const struct gen_type *type)
{
    struct gen_expr *e = gen_new(g, 1, sizeof *e);
    e->kind = kind;
    e->type = type;
    return e;
}

struct gen_expr *gen_const(struct generator *g, enum gen_scalar type, uint64_t v)
{
    struct gen_expr *e = expr_new(g, GEN_CONST, &gen_scalars[type]);
    e->bits = v;
    return e;
}

struct gen_expr *gen_use(struct generator *g, struct gen_var *v)
{
    struct gen_expr *e = expr_new(g, GEN_VAR, v->type);
    e->var = v;
    return e;
}

struct gen_expr *gen_thread(struct generator *g, enum gen_thread_word word, uint32_t axis)
{
    struct gen_expr *e = expr_new(g, GEN_THREAD, &gen_scalars[GEN_U32]);
    e->bits = (uint64_t)word * 4 + axis;
    return e;
}

struct gen_expr *gen_binary(struct generator *g, enum gen_op op, struct gen_expr *a,
                            struct gen_expr *b)
{
    const bool compares = op >= GEN_EQ && op <= GEN_GE;
    struct gen_expr *e = expr_new(g, GEN_BINARY, compares ? &gen_scalars[GEN_BOOL] : a->type);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

struct gen_expr *gen_unary(struct generator *g, enum gen_op op, struct gen_expr *a)
{
    struct gen_expr *e = expr_new(g, GEN_UNARY, a->type);
    e->op = op;
    e->a = a;
    return e;
}

struct gen_expr *gen_cast(struct generator *g, enum gen_scalar to, struct gen_expr *a)
{
    if (a->type->scalar == to)
        return a;
    struct gen_expr *e = expr_new(g, GEN_CAST, &gen_scalars[to]);
    e->a = a;
    return e;
}

struct gen_expr *gen_ternary(struct generator *g, struct gen_expr *a, struct gen_expr *b,
                             struct gen_expr *c)
{
    struct gen_expr *e = expr_new(g, GEN_TERNARY, b->type);
    e->a = a;
    e->b = b;
    e->c = c;
    return e;
}

struct gen_expr *gen_index(struct generator *g, struct gen_expr *array, struct gen_expr *index)
{
    struct gen_expr *e = expr_new(g, GEN_INDEX, array->type->element);
    e->a = array;
    e->b = index;
    return e;
}

struct gen_expr *gen_member(struct generator *g, struct gen_expr *whole, uint32_t member)
{
    const struct gen_type *t = whole->type;
    struct gen_expr *e =
        expr_new(g, GEN_MEMBER, t->kind == GEN_VECTOR ? t->element : t->members[member].type);
    e->a = whole;
    e->member = member;
    return e;
}

struct gen_expr *gen_address(struct generator *g, struct gen_expr *of)
{
    struct gen_expr *e = expr_new(g, GEN_ADDRESS, gen_pointer_to(g, of->type));
    e->a = of;
    return e;
}

struct gen_expr *gen_both(struct generator *g, struct gen_expr *a, struct gen_expr *b)
{
    struct gen_expr *e = expr_new(g, GEN_LOGICAL_AND, &gen_scalars[GEN_BOOL]);
    e->a = a;
    e->b = b;
    return e;
}

struct gen_expr *gen_function_call(struct generator *g, const struct gen_function *f,
                                   struct gen_expr **args)
{
    struct gen_expr *e = expr_new(g, GEN_FUNCTION_CALL, f->result);
    e->function = f;
    e->args = args;
    return e;
}

struct gen_expr *gen_builtin(struct generator *g, enum gen_call call, struct gen_expr *a)
{
    struct gen_expr *e = expr_new(g, GEN_BUILTIN_CALL, &gen_scalars[gen_calls[call].result]);
    e->call = call;
    e->args = gen_new(g, 3, sizeof *e->args);
    e->args[0] = a;
    return e;
}

struct gen_expr *gen_fixed(struct gen_expr *e)
{
    e->is_fixed = true;
    return e;
}

struct gen_expr *gen_raw(struct gen_expr *e)
{
    e->is_raw = true;
    return e;
}

/* ---- Leaves ---- */

enum gen_scalar gen_random_scalar(struct generator *g)
{
    static const enum gen_scalar often[] = {GEN_I32, GEN_I32, GEN_U32, GEN_U32, GEN_F32, GEN_F32};
    return gen_chance(g, 45) ? often[gen_below(g, sizeof often / sizeof often[0])]
                             : (enum gen_scalar)gen_below(g, GEN_N_SCALARS);
}

struct gen_expr *gen_random_const(struct generator *g, enum gen_scalar type)
{
    static const int64_t ints[] = {0,  1,  -1, 2,   3,   5,   7,   8,   15,
                                   16, 31, 32, 100, 127, 128, 255, -128};
    static const double reals[] = {0, 1, -1, 0.5, 2, -2.25, 3.75, 0.125, 10, 1000, -0.1, 1e-3, 1e6};
    uint64_t v;
    if (gen_is_float(type)) {
        const double x = reals[gen_below(g, sizeof reals / sizeof reals[0])];
        return gen_const(g, type, type == GEN_F32 ? gen_of_float((float)x) : gen_of_double(x));
    }
    switch (gen_below(g, 8)) {
    case 0: v = gen_random(g); break;
    case 1: v = (uint64_t)1 << gen_below(g, 64); break;
    case 2: v = ((uint64_t)1 << gen_below(g, 64)) - 1; break;
    default: v = (uint64_t)ints[gen_below(g, sizeof ints / sizeof ints[0])]; break;
    }
    return gen_const(g, type, type == GEN_BOOL ? v & 1 : gen_convert(v, GEN_U64, type));
}

struct gen_expr *gen_random_index(struct generator *g, uint32_t n)
{
    if (n == 1 || g->in_index || gen_chance(g, 25)) /* an index in an index is a literal */
        return gen_fixed(gen_const(g, GEN_U32, gen_below(g, n)));
    g->in_index = true;
    struct gen_expr *e = gen_random_expr(g, GEN_U32, 1);
    g->in_index = false;
    const bool is_power = (n & (n - 1)) == 0;
    e = gen_fixed(gen_binary(g, is_power ? GEN_AND : GEN_REM, e,
                             gen_fixed(gen_const(g, GEN_U32, is_power ? n - 1 : n))));
    if (gen_has(g, GEN_SHAPE_NARROW) && n <= 128 && gen_chance(g, 60))
        e = gen_fixed(gen_cast(g, (enum gen_scalar)(GEN_I8 + gen_below(g, 5)), e));
    return e;
}

/* Does a value of type `from` hold one of type `type`, or is it reached through it? */
bool gen_reaches(const struct gen_type *from, const struct gen_type *type)
{
    if (from == type)
        return true;
    switch (from->kind) {
    case GEN_SCALAR: return false;
    case GEN_VECTOR: return from->element == type;
    case GEN_ARRAY:
    case GEN_POINTER: return gen_reaches(from->element, type);
    case GEN_STRUCT: break;
    }
    for (uint32_t i = 0; i < from->n; i++)
        if (gen_reaches(from->members[i].type, type))
            return true;
    return false;
}

struct gen_expr *gen_descend(struct generator *g, struct gen_expr *e, const struct gen_type *type)
{
    while (e->type != type) {
        const struct gen_type *t = e->type;
        if (t->kind == GEN_POINTER || t->kind == GEN_ARRAY) {
            e = gen_index(g, e, gen_random_index(g, t->kind == GEN_ARRAY ? t->n : e->var->extent));
            continue;
        }
        uint32_t member = gen_below(g, t->n);
        while (t->kind == GEN_STRUCT && !gen_reaches(t->members[member].type, type))
            member = (member + 1) % t->n;
        e = gen_member(g, e, member);
    }
    return e;
}

struct gen_expr *gen_random_place(struct generator *g, const struct gen_type *type, bool to_write)
{
    const uint32_t first = g->n_scope ? gen_below(g, g->n_scope) : 0;
    for (uint32_t i = 0; i < g->n_scope; i++) {
        struct gen_var *v = g->scope[(first + i) % g->n_scope];
        if (v->is_hidden || v->is_atomic || (to_write && v->is_const) ||
            (g->uniform_only && !v->is_uniform) || !gen_reaches(v->type, type))
            continue;
        return gen_descend(g, gen_use(g, v), type);
    }
    return NULL;
}

static struct gen_expr *leaf(struct generator *g, enum gen_scalar type)
{
    static const enum gen_thread_word uniform[] = {GEN_BLOCK_IDX, GEN_BLOCK_DIM, GEN_GRID_DIM};
    if (gen_chance(g, 25))
        return gen_random_const(g, type);
    if (!gen_is_float(type) && type != GEN_BOOL && gen_chance(g, 12)) {
        const enum gen_thread_word word =
            g->uniform_only ? uniform[gen_below(g, 3)] : (enum gen_thread_word)gen_below(g, 4);
        return gen_cast(g, type, gen_thread(g, word, gen_below(g, 3)));
    }
    struct gen_expr *e = gen_random_place(g, &gen_scalars[type], false);
    for (int tries = 0; tries < 3 && !e; tries++) { /* nothing of that type: convert something */
        const enum gen_scalar other = gen_random_scalar(g);
        if (gen_is_float(other) && !gen_is_float(type) && type != GEN_BOOL)
            continue;
        e = gen_random_place(g, &gen_scalars[other], false);
        e = e ? gen_cast(g, type, e) : NULL;
    }
    return e ? e : gen_random_const(g, type);
}

/* ---- Conversions ---- */

/* (x > low && x < high ? (T)x : 0): x is a place, so that it may stand there three times. */
static struct gen_expr *from_float(struct generator *g, enum gen_scalar from, enum gen_scalar to)
{
    static const double limits[][2] = {
        [GEN_I8] = {-100, 100},    [GEN_U8] = {0, 200},     [GEN_I16] = {-30000, 30000},
        [GEN_U16] = {0, 60000},    [GEN_I32] = {-1e9, 1e9}, [GEN_U32] = {0, 4e9},
        [GEN_I64] = {-1e18, 1e18}, [GEN_U64] = {0, 1e18},
    };
    struct gen_expr *x = gen_random_place(g, &gen_scalars[from], false);
    if (!x)
        return gen_random_const(g, to);
    struct gen_expr *bound[2];
    for (int i = 0; i < 2; i++)
        bound[i] = gen_fixed(gen_const(g, from,
                                       from == GEN_F32 ? gen_of_float((float)limits[to][i])
                                                       : gen_of_double(limits[to][i])));
    struct gen_expr *both = gen_both(g, gen_fixed(gen_binary(g, GEN_GT, gen_fixed(x), bound[0])),
                                     gen_fixed(gen_binary(g, GEN_LT, x, bound[1])));
    return gen_fixed(
        gen_ternary(g, gen_fixed(both), gen_fixed(gen_cast(g, to, x)), gen_random_const(g, to)));
}

struct gen_expr *gen_as_int(struct generator *g, struct gen_expr *x)
{
    gen_fixed(x);
    return gen_fixed(gen_ternary(g, gen_fixed(gen_binary(g, GEN_EQ, x, x)),
                                 gen_fixed(gen_builtin(g, GEN_FLOAT_AS_INT, x)),
                                 gen_const(g, GEN_I32, 0)));
}

static struct gen_expr *converted(struct generator *g, enum gen_scalar to, uint32_t depth)
{
    const enum gen_scalar from = gen_random_scalar(g);
    if (gen_is_float(from) && !gen_is_float(to) && to != GEN_BOOL)
        return from_float(g, from, to);
    return gen_cast(g, to, gen_random_expr(g, from, depth - 1));
}

/* ---- Integers ---- */

/* Signed arithmetic as people write it: operands from a narrower type, so it cannot overflow. */
static struct gen_expr *plain_signed(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const enum gen_op ops[] = {GEN_ADD, GEN_SUB, GEN_MUL};
    const enum gen_scalar narrow = type == GEN_I64 ? GEN_I32 : type == GEN_I32 ? GEN_I16 : GEN_I8;
    struct gen_expr *a = gen_cast(g, type, gen_random_expr(g, narrow, depth - 1));
    struct gen_expr *b = gen_cast(g, type, gen_random_expr(g, narrow, depth - 1));
    struct gen_expr *e = gen_binary(g, ops[gen_below(g, 3)], gen_fixed(a), gen_fixed(b));
    e->is_plain = true;
    return e;
}

static struct gen_expr *division(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    const enum gen_op op = gen_chance(g, 50) ? GEN_DIV : GEN_REM;
    struct gen_expr *a = gen_random_expr(g, type, depth - 1);
    struct gen_expr *b = gen_random_expr(g, type, depth - 1);
    if (gen_is_signed(type)) { /* 1 .. 64, so neither zero nor -1 */
        b = gen_fixed(gen_binary(g, GEN_AND, b, gen_fixed(gen_const(g, type, 63))));
        b = gen_fixed(gen_binary(g, GEN_ADD, b, gen_fixed(gen_const(g, type, 1))));
        b->is_plain = true;
    } else {
        b = gen_fixed(gen_binary(g, GEN_OR, b, gen_fixed(gen_const(g, type, 1))));
    }
    return gen_binary(g, op, a, b);
}

static struct gen_expr *shift(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    const uint32_t bits = 8 * gen_scalars[type].size_bytes;
    struct gen_expr *by = gen_random_expr(g, GEN_U32, depth - 1);
    by = gen_chance(g, 50) ? gen_const(g, GEN_U32, gen_below(g, bits))
                           : gen_binary(g, GEN_AND, by, gen_fixed(gen_const(g, GEN_U32, bits - 1)));
    return gen_binary(g, gen_chance(g, 50) ? GEN_SHL : GEN_SHR, gen_random_expr(g, type, depth - 1),
                      gen_fixed(by));
}

static struct gen_expr *builtin_call(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    for (int tries = 0; tries < 20; tries++) {
        const enum gen_call call = (enum gen_call)gen_below(g, GEN_FIRST_BITS_CALL);
        if (gen_calls[call].result != type)
            continue;
        if (call == GEN_FLOAT_AS_INT) {
            struct gen_expr *x = gen_random_place(g, &gen_scalars[GEN_F32], false);
            return x ? gen_as_int(g, x) : gen_random_const(g, type);
        }
        struct gen_expr *e =
            gen_builtin(g, call, gen_random_expr(g, gen_calls[call].operands, depth - 1));
        for (uint32_t i = 1; i < gen_calls[call].n; i++)
            e->args[i] = gen_random_expr(g, gen_calls[call].operands, depth - 1);
        if (call == GEN_ABS) /* not of the smallest number */
            e->args[0] = gen_fixed(gen_cast(g, GEN_I32, gen_random_expr(g, GEN_I16, depth - 1)));
        if (call == GEN_RINTF) /* PoCL 3.1 folds rint(3e9f) to anything: stay inside int */
            e->args[0] = gen_fixed(gen_binary(
                g, GEN_MUL, gen_fixed(gen_cast(g, GEN_F32, gen_random_expr(g, GEN_I16, depth - 1))),
                gen_fixed(gen_const(g, GEN_F32, gen_of_float(0.25f)))));
        return e;
    }
    return gen_random_const(g, type);
}

/* ---- Calls of helpers that only compute ---- */

/* Something the pointer parameter may point at: n elements from there on. */
static struct gen_expr *pointer_arg(struct generator *g, const struct gen_var *param)
{
    const struct gen_type *element = param->type->element;
    for (int tries = 0; tries < 30 && g->n_scope; tries++) {
        struct gen_var *v = g->scope[gen_below(g, g->n_scope)];
        const bool is_array = v->type->kind == GEN_ARRAY;
        if ((!is_array && v->type->kind != GEN_POINTER) || v->type->element != element ||
            v->is_hidden || v->is_atomic || v->is_volatile || (v->is_const && !param->is_const) ||
            (g->uniform_only && !v->is_uniform))
            continue;
        const uint32_t n = is_array ? v->type->n : v->extent;
        if (n < param->extent)
            continue;
        struct gen_expr *at =
            gen_index(g, gen_use(g, v), gen_random_index(g, n - param->extent + 1));
        return gen_fixed(gen_address(g, gen_fixed(at)));
    }
    return NULL;
}

struct gen_expr *gen_random_target(struct generator *g, const struct gen_type *type)
{
    struct gen_expr *place = gen_random_place(g, type, true);
    const struct gen_expr *e = place;
    while (e && e->kind != GEN_VAR)
        e = e->a;
    return e && e->var->is_volatile ? NULL : place;
}

struct gen_expr **gen_random_args(struct generator *g, const struct gen_function *f)
{
    struct gen_expr **args = gen_new(g, f->n_params, sizeof(struct gen_expr *));
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct gen_var *param = f->params[i];
        if (param->type->kind == GEN_POINTER)
            args[i] = pointer_arg(g, param);
        else if (param->is_reference)
            args[i] = gen_random_target(g, param->type);
        else if (param->type->kind == GEN_SCALAR)
            args[i] = gen_random_expr(g, param->type->scalar, 1);
        else
            args[i] = gen_random_place(g, param->type, false);
        if (!args[i])
            return NULL;
        if (param->is_reference || param->type->kind != GEN_SCALAR)
            gen_fixed(args[i]);
    }
    return args;
}

static bool only_computes(const struct gen_function *f)
{
    for (uint32_t i = 0; i < f->n_params; i++)
        if (f->params[i]->is_reference ||
            (f->params[i]->type->kind == GEN_POINTER && !f->params[i]->is_const))
            return false;
    return f->result && !f->is_collective;
}

static struct gen_expr *helper_call(struct generator *g, enum gen_scalar type)
{
    for (uint32_t tries = 0; tries < 4 && g->n_callable; tries++) {
        const struct gen_function *f = g->p->helpers[gen_below(g, g->n_callable)];
        if (!only_computes(f) || f->result != &gen_scalars[type])
            continue;
        struct gen_expr **args = gen_random_args(g, f);
        if (!args)
            continue;
        return gen_function_call(g, f, args);
    }
    return leaf(g, type);
}

/* ---- Expressions ---- */

static struct gen_expr *random_bool(struct generator *g, uint32_t depth)
{
    const enum gen_scalar of = gen_random_scalar(g);
    const uint32_t roll = gen_below(g, 100);
    if (roll < 55 && of != GEN_BOOL) {
        struct gen_expr *a = gen_random_expr(g, of, depth - 1);
        return gen_binary(g, (enum gen_op)(GEN_EQ + gen_below(g, 6)), a,
                          gen_random_expr(g, of, depth - 1));
    }
    if (roll < 80) {
        struct gen_expr *e =
            expr_new(g, roll % 2 ? GEN_LOGICAL_AND : GEN_LOGICAL_OR, &gen_scalars[GEN_BOOL]);
        e->a = gen_random_expr(g, GEN_BOOL, depth - 1);
        e->b = gen_random_expr(g, GEN_BOOL, depth - 1);
        return e;
    }
    if (roll < 90)
        return gen_unary(g, GEN_NOT, gen_random_expr(g, GEN_BOOL, depth - 1));
    return gen_cast(g, GEN_BOOL, gen_random_expr(g, of, depth - 1));
}

static struct gen_expr *random_float(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    const uint32_t roll = gen_below(g, 100);
    if (roll < 60) {
        static const enum gen_op ops[] = {GEN_ADD, GEN_SUB, GEN_MUL, GEN_ADD, GEN_MUL, GEN_DIV};
        struct gen_expr *a = gen_random_expr(g, type, depth - 1);
        return gen_binary(g, ops[gen_below(g, 6)], a, gen_random_expr(g, type, depth - 1));
    }
    if (roll < 70)
        return gen_unary(g, GEN_NEG, gen_random_expr(g, type, depth - 1));
    return roll < 85 ? builtin_call(g, type, depth) : converted(g, type, depth);
}

static struct gen_expr *random_integer(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const enum gen_op ops[] = {GEN_ADD, GEN_SUB, GEN_MUL, GEN_AND, GEN_OR, GEN_XOR};
    const uint32_t roll = gen_below(g, 100);
    if (roll < 40) {
        struct gen_expr *a = gen_random_expr(g, type, depth - 1);
        return gen_binary(g, ops[gen_below(g, 6)], a, gen_random_expr(g, type, depth - 1));
    }
    if (roll < 52 && gen_is_signed(type) && type != GEN_I8)
        return plain_signed(g, type, depth);
    if (roll < 60)
        return division(g, type, depth);
    if (roll < 72)
        return shift(g, type, depth);
    if (roll < 78)
        return gen_unary(g, roll % 2 ? GEN_NEG : GEN_COMPLEMENT,
                         gen_random_expr(g, type, depth - 1));
    return roll < 86 ? builtin_call(g, type, depth) : converted(g, type, depth);
}

struct gen_expr *gen_random_expr(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    if (depth == 0 || gen_chance(g, 15))
        return leaf(g, type);
    if (!g->uniform_only && gen_chance(g, 7)) /* helpers may look at threadIdx */
        return helper_call(g, type);
    if (gen_chance(g, 8)) {
        struct gen_expr *condition = gen_random_expr(g, GEN_BOOL, depth - 1);
        struct gen_expr *a = gen_random_expr(g, type, depth - 1);
        return gen_ternary(g, condition, a, gen_random_expr(g, type, depth - 1));
    }
    if (g->shapes && gen_chance(g, 30)) {
        struct gen_expr *e = gen_chance(g, 40) ? gen_gather(g, type) : NULL;
        e = e ? e : gen_raw_expr(g, type, depth);
        if (e)
            return e;
    }
    if (type == GEN_BOOL)
        return random_bool(g, depth);
    return gen_is_float(type) ? random_float(g, type, depth) : random_integer(g, type, depth);
}
