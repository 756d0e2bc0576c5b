/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic that C leaves undefined and GPUs define, written as CUDA programs write it: signed
 * sums that wrap and are then widened, divided or compared, divisors that may be zero and are
 * tested before, after or nowhere, shifts by any count, casts of any float, and the smallest
 * number's absolute value. scalar.c says what each means. */
#include "tests/compiler/generator/random.h"

static const enum gen_scalar integers[] = {GEN_I32, GEN_I32, GEN_U32, GEN_I64, GEN_U64,
                                           GEN_I8,  GEN_U8,  GEN_I16, GEN_U16};

static enum gen_scalar random_integer_type(struct generator *g)
{
    return integers[gen_below(g, sizeof integers / sizeof *integers)];
}

/* ---- Values at the ends of a type's range ---- */

static struct gen_expr *extreme_const(struct generator *g, enum gen_scalar type)
{
    static const double reals[] = {2147483647.0, 2147483648.0, -2147483649.0, 4294967296.0,
                                   -0.5,         255.5,        -129.25,       65536.5,
                                   9.3e18,       1.9e19,       -1e19,         3e38};
    static const uint64_t odd32[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 1};
    static const uint64_t odd64[] = {UINT64_C(0x7ff8) << 48, UINT64_C(0x7ff0) << 48,
                                     UINT64_C(0xfff0) << 48, UINT64_C(1) << 63, 1};
    const uint32_t bits = 8 * gen_scalars[type].size_bytes, roll = gen_below(g, 8);
    if (gen_is_float(type)) {
        const bool is_odd = gen_chance(g, 35);
        const double x = reals[gen_below(g, sizeof reals / sizeof *reals)];
        if (type == GEN_F32)
            return gen_const(g, type, is_odd ? odd32[gen_below(g, 5)] : gen_of_float((float)x));
        return gen_const(g, type, is_odd ? odd64[gen_below(g, 5)] : gen_of_double(x));
    }
    if (type == GEN_BOOL)
        return gen_const(g, type, roll & 1);
    const uint64_t top = UINT64_C(1) << (bits - 1);
    const uint64_t values[] = {top, top - 1, top + 1, top - 2, UINT64_MAX, 0, 1, 2};
    return gen_const(g, type, gen_convert(values[roll], GEN_U64, type));
}

struct gen_expr *gen_extreme(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    return depth == 0 || gen_chance(g, 30) ? extreme_const(g, type)
                                           : gen_random_expr(g, type, depth - 1);
}

/* The expression, or something in its place that no front end knows. */
static struct gen_expr *at_run_time(struct generator *g, struct gen_expr *e)
{
    if (!gen_is_literal(e))
        return e;
    struct gen_expr *v = gen_random_place(g, e->type, false);
    return v ? v : gen_cast(g, e->type->scalar, gen_thread(g, GEN_BLOCK_DIM, 0));
}

/* ---- Sums that wrap ---- */

static struct gen_expr *sum(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const enum gen_op ops[] = {GEN_ADD, GEN_SUB, GEN_MUL};
    struct gen_expr *a = at_run_time(g, gen_extreme(g, type, depth));
    if (gen_chance(g, 15))
        return gen_raw(gen_unary(g, GEN_NEG, a));
    struct gen_expr *e =
        gen_raw(gen_binary(g, ops[gen_below(g, 3)], a, gen_extreme(g, type, depth)));
    if (gen_chance(g, 50)) /* x * 31 + 7 */
        e = gen_raw(gen_binary(g, ops[gen_below(g, 3)], e, gen_random_const(g, type)));
    return e;
}

/* What a program then does with it, which shows whether it has wrapped. */
static struct gen_expr *wrapped(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const enum gen_scalar of[] = {GEN_I32, GEN_I32, GEN_I32, GEN_I64, GEN_I16, GEN_I8};
    const enum gen_scalar from = of[gen_below(g, 6)];
    const uint32_t bits = 8 * gen_scalars[from].size_bytes;
    struct gen_expr *e = sum(g, from, depth);
    switch (gen_below(g, 6)) {
    case 0:
        e = gen_binary(g, GEN_DIV, e, gen_fixed(gen_const(g, from, 2 + gen_below(g, 12))));
        break;
    case 1:
        e = gen_binary(g, GEN_REM, e, gen_fixed(gen_const(g, from, 2 + gen_below(g, 99))));
        break;
    case 2:
        e = gen_binary(g, GEN_SHR, e, gen_fixed(gen_const(g, GEN_U32, 1 + gen_below(g, bits - 1))));
        break;
    case 3: e = gen_builtin(g, GEN_ABS, gen_cast(g, GEN_I32, e)); break;
    default: break;
    }
    if (type == GEN_BOOL)
        return gen_binary(g, (enum gen_op)(GEN_EQ + gen_below(g, 6)), e,
                          gen_extreme(g, e->type->scalar, depth));
    return gen_cast(g, type, e);
}

/* ---- Division ---- */

/* Zero, -1 and small numbers more often than others. */
static struct gen_expr *divisor(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    const uint32_t roll = gen_below(g, 100);
    if (roll < 40) {
        struct gen_expr *e = gen_binary(g, GEN_AND, gen_random_expr(g, type, depth ? depth - 1 : 0),
                                        gen_fixed(gen_const(g, type, 3)));
        if (!gen_is_signed(type))
            return e;
        e = gen_binary(g, GEN_SUB, gen_fixed(e), gen_fixed(gen_const(g, type, 1)));
        e->is_plain = true;
        return e;
    }
    return roll < 70 ? gen_extreme(g, type, depth) : gen_random_expr(g, type, depth);
}

static struct gen_expr *quotient(struct generator *g, struct gen_expr *n, struct gen_expr *d)
{
    return gen_raw(
        gen_binary(g, gen_chance(g, 55) ? GEN_DIV : GEN_REM, at_run_time(g, n), at_run_time(g, d)));
}

static struct gen_expr *is_zero(struct generator *g, struct gen_expr *d, bool wanted)
{
    return gen_binary(g, wanted ? GEN_EQ : GEN_NE, d, gen_fixed(gen_const(g, d->type->scalar, 0)));
}

static struct gen_expr *divided(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    const enum gen_scalar of = type == GEN_BOOL ? random_integer_type(g) : type;
    if (gen_is_float(type))
        return NULL;
    struct gen_expr *n = gen_extreme(g, of, depth - 1);
    struct gen_expr *d = gen_random_place(g, &gen_scalars[of], false);
    const bool is_tested = d && gen_chance(g, 50);
    if (type == GEN_BOOL) /* d != 0 && n / d < c */
        return is_tested ? gen_both(g, is_zero(g, d, false),
                                    gen_binary(g, gen_chance(g, 50) ? GEN_LT : GEN_EQ,
                                               quotient(g, n, d), gen_random_const(g, of)))
                         : NULL;
    if (!is_tested)
        return quotient(g, n, divisor(g, of, depth - 1));
    struct gen_expr *c = gen_random_const(g, of), *q = quotient(g, n, d);
    return gen_chance(g, 50) ? gen_ternary(g, is_zero(g, d, true), c, q)
                             : gen_ternary(g, is_zero(g, d, false), q, c);
}

/* T quotient(T n, T d): the test of d before, after, or left to the caller. */
static struct gen_function *quotient_helper(struct generator *g, uint32_t index)
{
    struct gen_function *f = gen_new(g, 1, sizeof *f);
    const enum gen_scalar type = random_integer_type(g);
    f->name = qn__arena_printf(g->arena, "k%u_quotient%u", g->p->index, index);
    f->result = &gen_scalars[type];
    f->is_quotient = true;
    f->params = gen_new(g, 2, sizeof(struct gen_var *));
    f->n_params = 2;
    g->function = f;
    struct gen_var *n = f->params[0] = gen_local(g, f->result, "n");
    struct gen_var *d = f->params[1] = gen_local(g, f->result, "d");
    struct gen_list list = {0};
    struct gen_stmt *leave = gen_stmt_new(g, GEN_RETURN), *early = gen_stmt_new(g, GEN_RETURN);
    struct gen_stmt *test = gen_if(g, is_zero(g, gen_use(g, d), true), early);
    early->value = gen_random_const(g, type);
    leave->value = quotient(g, gen_use(g, n), gen_use(g, d));
    const uint32_t roll = gen_below(g, 3);
    if (roll == 0) {
        struct gen_var *q = gen_local(g, f->result, "q");
        gen_append(&list, gen_declare(g, q, leave->value));
        leave->value = gen_use(g, q);
    }
    if (roll < 2)
        gen_append(&list, test);
    gen_append(&list, leave);
    f->body = gen_block(g, &list);
    return f;
}

void gen_division_helpers(struct generator *g)
{
    const uint32_t n = gen_has(g, GEN_SHAPE_DIVISION) ? 1 + gen_below(g, 2) : 0;
    for (uint32_t i = 0; i < n; i++) {
        g->p->helpers[g->p->n_helpers++] = quotient_helper(g, i);
        g->n_callable = g->p->n_helpers;
    }
}

/* q = n / d, by itself or by a helper */
static struct gen_expr *quotient_of(struct generator *g, struct gen_var *n, struct gen_var *d)
{
    for (uint32_t i = 0; i < g->n_callable; i++) {
        const struct gen_function *f = g->p->helpers[i];
        if (!f->is_quotient || f->result != n->type || gen_chance(g, 30))
            continue;
        struct gen_expr **args = gen_new(g, 2, sizeof(struct gen_expr *));
        args[0] = gen_use(g, n);
        args[1] = gen_use(g, d);
        return gen_function_call(g, f, args);
    }
    return quotient(g, gen_use(g, n), gen_use(g, d));
}

/* T n, d, q = n / d, o = d == 0 ? c : q;   or   T n, d, o = c; if (d != 0) o = n / d; */
static struct gen_stmt *tested_division(struct generator *g)
{
    const enum gen_scalar type = random_integer_type(g);
    const struct gen_type *t = &gen_scalars[type];
    struct gen_list list = {0};
    struct gen_var *n = gen_local(g, t, "n"), *d = gen_local(g, t, "d"), *o = gen_local(g, t, "o");
    gen_append(&list, gen_declare(g, n, gen_extreme(g, type, 2)));
    gen_append(&list, gen_declare(g, d, divisor(g, type, 1)));
    if (gen_chance(g, 60)) {
        struct gen_var *q = gen_local(g, t, "q");
        gen_append(&list, gen_declare(g, q, quotient_of(g, n, d)));
        gen_append(&list, gen_declare(g, o,
                                      gen_ternary(g, is_zero(g, gen_use(g, d), true),
                                                  gen_random_const(g, type), gen_use(g, q))));
    } else {
        gen_append(&list, gen_declare(g, o, gen_random_const(g, type)));
        gen_append(&list, gen_if(g, is_zero(g, gen_use(g, d), false),
                                 gen_assign(g, gen_fixed(gen_use(g, o)), quotient_of(g, n, d))));
    }
    gen_see(g, n);
    gen_see(g, o);
    return gen_block(g, &list);
}

/* ---- Shifts, casts, bits ---- */

static struct gen_expr *any_count(struct generator *g, uint32_t depth)
{
    switch (gen_below(g, 4)) {
    case 0: return gen_const(g, GEN_U32, 30 + gen_below(g, 40));
    case 1:
        return gen_binary(g, GEN_AND, gen_random_expr(g, GEN_U32, depth - 1),
                          gen_const(g, GEN_U32, gen_chance(g, 50) ? 63 : 127));
    case 2: return gen_random_expr(g, GEN_I32, depth - 1); /* negative: as a large one */
    default: return gen_random_expr(g, GEN_U32, depth - 1);
    }
}

static struct gen_expr *shifted(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    if (gen_is_float(type) || type == GEN_BOOL)
        return NULL;
    struct gen_expr *v = at_run_time(g, gen_extreme(g, type, depth - 1));
    return gen_raw(gen_binary(g, gen_chance(g, 50) ? GEN_SHL : GEN_SHR, v, any_count(g, depth)));
}

static struct gen_expr *cut(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const float factors[] = {1e9f, -3e9f, 1e10f, 1e18f, -2e19f, 300, -7e4f, 1e30f};
    const enum gen_scalar from = gen_chance(g, 65) ? GEN_F32 : GEN_F64;
    const float by = factors[gen_below(g, 8)];
    if (gen_is_float(type) || type == GEN_BOOL)
        return NULL;
    struct gen_expr *x = at_run_time(g, gen_extreme(g, from, depth));
    if (gen_chance(g, 20) && from == GEN_F32)
        x = gen_builtin(g, GEN_INT_AS_FLOAT, gen_random_expr(g, GEN_I32, depth - 1));
    else if (gen_chance(g, 60))
        x = gen_binary(g, GEN_MUL, x,
                       gen_const(g, from, from == GEN_F32 ? gen_of_float(by) : gen_of_double(by)));
    return gen_cast(g, type, at_run_time(g, x));
}

static struct gen_expr *bits(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const enum gen_call known[] = {GEN_POPC, GEN_POPCLL, GEN_CLZ, GEN_FFS, GEN_ABS, GEN_ABS};
    enum { N_KNOWN = sizeof known / sizeof *known };
    const uint32_t roll = gen_below(g, N_KNOWN + GEN_N_CALLS - GEN_FIRST_BITS_CALL);
    const enum gen_call call =
        roll < N_KNOWN ? known[roll] : (enum gen_call)(GEN_FIRST_BITS_CALL + roll - N_KNOWN);
    struct gen_expr *e = gen_builtin(g, call, gen_extreme(g, gen_calls[call].operands, depth));
    for (uint32_t i = 1; i < gen_calls[call].n; i++)
        e->args[i] = i == 2 ? gen_cast(g, GEN_U32, any_count(g, depth))
                            : gen_extreme(g, gen_calls[call].operands, depth);
    return gen_cast(g, type, e);
}

struct gen_expr *gen_raw_expr(struct generator *g, enum gen_scalar type, uint32_t depth)
{
    static const struct {
        enum gen_shape shape;
        struct gen_expr *(*make)(struct generator *, enum gen_scalar, uint32_t);
    } rows[] = {
        {GEN_SHAPE_WRAP, wrapped}, {GEN_SHAPE_DIVISION, divided}, {GEN_SHAPE_SHIFT, shifted},
        {GEN_SHAPE_CAST, cut},     {GEN_SHAPE_BITS, bits},
    };
    enum { N = sizeof rows / sizeof *rows };
    const uint32_t first = gen_below(g, N);
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t k = (first + i) % N;
        struct gen_expr *e = gen_has(g, rows[k].shape) ? rows[k].make(g, type, depth) : NULL;
        if (e)
            return e;
    }
    return NULL;
}

/* ---- A hash ---- */

/* T h = c; for (i < n) h = h * 31 + x; and what it is used for: wide, as a float, h % n */
static struct gen_stmt *hash(struct generator *g)
{
    static const enum gen_scalar types[] = {GEN_I32, GEN_I32, GEN_I32, GEN_I64, GEN_I16, GEN_U16};
    static const uint64_t factors[] = {31, 33, 65599, 2, 16777619, 1103515245};
    const enum gen_scalar type = types[gen_below(g, 6)];
    struct gen_list list = {0}, body = {0};
    struct gen_var *h = gen_local(g, &gen_scalars[type], "h");
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    loop->value = gen_fixed(gen_const(g, GEN_I32, 2 + gen_below(g, 20)));
    struct gen_expr *x =
        gen_chance(g, 50) ? gen_cast(g, type, gen_use(g, loop->var)) : gen_random_expr(g, type, 1);
    const uint64_t factor = gen_convert(factors[gen_below(g, 6)], GEN_U64, type);
    struct gen_expr *by =
        gen_raw(gen_binary(g, GEN_MUL, gen_use(g, h), gen_const(g, type, factor)));
    gen_append(&body,
               gen_assign(g, gen_fixed(gen_use(g, h)),
                          gen_raw(gen_binary(g, gen_chance(g, 75) ? GEN_ADD : GEN_SUB, by, x))));
    loop->body = gen_block(g, &body);
    gen_append(&list, gen_declare(g, h, gen_extreme(g, type, 2)));
    gen_append(&list, loop);
    const enum gen_scalar to = gen_chance(g, 60) ? GEN_I64 : GEN_F32;
    struct gen_var *wide = gen_local(g, &gen_scalars[to], "wide");
    struct gen_var *slot = gen_local(g, &gen_scalars[type], "slot");
    gen_append(&list, gen_declare(g, wide, gen_cast(g, to, gen_use(g, h))));
    gen_append(&list, gen_declare(g, slot,
                                  gen_binary(g, GEN_REM, gen_use(g, h),
                                             gen_fixed(gen_const(g, type, 2 + gen_below(g, 99))))));
    gen_see(g, h);
    gen_see(g, wide);
    gen_see(g, slot);
    return gen_block(g, &list);
}

struct gen_stmt *gen_raw_stmt(struct generator *g)
{
    const bool first = gen_chance(g, 50);
    if (gen_has(g, GEN_SHAPE_WRAP) && (first || !gen_has(g, GEN_SHAPE_DIVISION)))
        return hash(g);
    return gen_has(g, GEN_SHAPE_DIVISION) ? tested_division(g) : NULL;
}
