/* SPDX-License-Identifier: Apache-2.0
 *
 * Makers of statements, and random statements: declarations, assignments, branches and loops. Every
 * loop is bounded by a counter of its own that the body cannot write. */
#include "tests/compiler/generator/random.h"

/* ---- Makers ---- */

struct gen_stmt *gen_stmt_new(struct generator *g, enum gen_stmt_kind kind)
{
    struct gen_stmt *s = gen_new(g, 1, sizeof *s);
    s->kind = kind;
    return s;
}

void gen_append(struct gen_list *list, struct gen_stmt *s)
{
    if (s && list->n < GEN_MAX_LIST)
        list->items[list->n++] = s;
}

struct gen_stmt *gen_block(struct generator *g, const struct gen_list *list)
{
    struct gen_stmt *s = gen_stmt_new(g, GEN_BLOCK);
    s->list = gen_new(g, list->n, sizeof(struct gen_stmt *));
    s->n = list->n;
    for (uint32_t i = 0; i < list->n; i++)
        s->list[i] = list->items[i];
    return s;
}

struct gen_stmt *gen_declare(struct generator *g, struct gen_var *v, struct gen_expr *value)
{
    struct gen_stmt *s = gen_stmt_new(g, GEN_DECLARE);
    s->var = v;
    s->value = value;
    return s;
}

struct gen_stmt *gen_assign(struct generator *g, struct gen_expr *place, struct gen_expr *value)
{
    struct gen_stmt *s = gen_stmt_new(g, GEN_ASSIGN);
    s->op = GEN_EQ;
    s->place = place;
    s->value = value;
    return s;
}

struct gen_stmt *gen_if(struct generator *g, struct gen_expr *condition, struct gen_stmt *body)
{
    struct gen_stmt *s = gen_stmt_new(g, GEN_IF);
    s->value = condition;
    s->body = body;
    return s;
}

/* ---- Declarations ---- */

const struct gen_type *gen_random_type(struct generator *g)
{
    const uint32_t roll = gen_below(g, 100);
    if (roll < 20)
        return &gen_vectors[gen_below(g, gen_n_vectors)];
    if (roll < 35 && g->p->n_structs)
        return g->p->structs[gen_below(g, g->p->n_structs)];
    return &gen_scalars[gen_random_scalar(g)];
}

/* Initialisers for the scalars of a type, in order. */
static void add_initialisers(struct generator *g, struct gen_stmt *s, const struct gen_type *type)
{
    if (type->kind == GEN_SCALAR) {
        s->values[s->n_values++] = gen_random_expr(g, type->scalar, 1);
        return;
    }
    for (uint32_t i = 0; i < type->n; i++)
        add_initialisers(g, s, type->kind == GEN_STRUCT ? type->members[i].type : type->element);
}

static struct gen_stmt *declare_aggregate(struct generator *g, struct gen_var *v)
{
    struct gen_stmt *s = gen_declare(g, v, NULL);
    if (v->type->kind != GEN_ARRAY && gen_chance(g, 40))
        s->value = gen_random_place(g, v->type, false);
    if (!s->value) {
        s->values = gen_new(g, v->type->size_bytes, sizeof(struct gen_expr *));
        add_initialisers(g, s, v->type);
    }
    return s;
}

/* T *p = array + k, to be read and moved by small steps inside the array. */
static struct gen_stmt *declare_pointer(struct generator *g)
{
    for (int tries = 0; tries < 10 && g->n_scope; tries++) {
        struct gen_var *a = g->scope[gen_below(g, g->n_scope)];
        const bool is_array = a->type->kind == GEN_ARRAY;
        if ((!is_array && a->type->kind != GEN_POINTER) || a->is_hidden || a->is_atomic ||
            a->is_volatile || a->storage == GEN_SHARED)
            continue;
        const uint32_t n = is_array ? a->type->n : a->extent;
        const uint32_t left = 1 + gen_below(g, n < 8 ? n : 8);
        struct gen_var *v = gen_local(g, gen_pointer_to(g, a->type->element), "p");
        v->extent = left;
        v->is_const = a->is_const;
        struct gen_expr *at = gen_index(g, gen_use(g, a), gen_random_index(g, n - left + 1));
        struct gen_stmt *s = gen_declare(g, v, gen_fixed(gen_address(g, gen_fixed(at))));
        gen_see(g, v);
        return s;
    }
    return NULL;
}

static struct gen_stmt *declare_reference(struct generator *g)
{
    const struct gen_type *type = gen_random_type(g);
    struct gen_expr *at = gen_random_target(g, type);
    if (!at)
        return NULL;
    struct gen_var *v = gen_local(g, type, "r");
    v->is_reference = true;
    struct gen_stmt *s = gen_declare(g, v, gen_fixed(at));
    gen_see(g, v);
    return s;
}

struct gen_stmt *gen_random_declare(struct generator *g)
{
    const uint32_t roll = gen_below(g, 100);
    struct gen_stmt *s = NULL;
    if (roll < 8)
        s = declare_pointer(g);
    else if (roll < 14)
        s = declare_reference(g);
    if (s)
        return s;
    const struct gen_type *type = gen_random_type(g);
    if (roll < 30)
        type = gen_array_of(g, &gen_scalars[gen_random_scalar(g)], 1 + gen_below(g, 9));
    const bool is_uniform = g->flow == GEN_FLOW_BLOCK && type->kind == GEN_SCALAR && roll > 85;
    struct gen_var *v = gen_local(g, type, is_uniform ? "u" : "v");
    v->is_const = v->is_uniform = is_uniform;
    v->is_volatile = gen_has(g, GEN_SHAPE_VOLATILE) && gen_chance(g, 40) &&
                     (type->kind == GEN_SCALAR || type->kind == GEN_ARRAY);
    g->uniform_only = is_uniform;
    s = type->kind == GEN_SCALAR ? gen_declare(g, v, gen_random_expr(g, type->scalar, 3))
                                 : declare_aggregate(g, v);
    g->uniform_only = false;
    if (!is_uniform && roll > 80)
        v->is_const = true;
    gen_see(g, v);
    return s;
}

/* ---- Assignments ---- */

struct gen_expr *gen_output_place(struct generator *g, const struct gen_buffer *b, uint32_t i)
{
    const uint32_t k = b->n / gen_all_threads(g->p);
    struct gen_expr *at =
        gen_binary(g, GEN_MUL, gen_fixed(gen_use(g, g->gid)), gen_fixed(gen_const(g, GEN_U32, k)));
    at = gen_binary(g, GEN_ADD, gen_fixed(at), gen_fixed(gen_const(g, GEN_U32, i % k)));
    return gen_fixed(gen_index(g, gen_use(g, b->var), gen_fixed(at)));
}

static struct gen_expr *random_output(struct generator *g)
{
    if (!g->gid)
        return NULL;
    const struct gen_buffer *b = &g->p->buffers[gen_below(g, g->p->n_buffers)];
    return b->role == GEN_OUTPUT ? gen_output_place(g, b, gen_below(g, 4)) : NULL;
}

static struct gen_stmt *random_assign(struct generator *g)
{
    static const enum gen_op ops[] = {GEN_ADD, GEN_SUB, GEN_MUL, GEN_AND, GEN_OR, GEN_XOR};
    struct gen_expr *to = gen_chance(g, 15) ? random_output(g) : NULL;
    if (!to)
        to = gen_random_place(g, gen_random_type(g), true);
    if (!to)
        return NULL;
    gen_fixed(to);
    if (to->type->kind != GEN_SCALAR) {
        struct gen_expr *from = gen_random_place(g, to->type, false);
        return from ? gen_assign(g, to, gen_fixed(from)) : NULL;
    }
    const enum gen_scalar type = to->type->scalar;
    struct gen_stmt *s = gen_assign(g, to, gen_random_expr(g, type, 3));
    const bool wraps = gen_is_float(type) || type == GEN_U32 || type == GEN_U64 ||
                       (type != GEN_BOOL && gen_has(g, GEN_SHAPE_WRAP));
    if (wraps && gen_chance(g, 40))
        s->op = ops[gen_below(g, gen_is_float(type) ? 3 : 6)];
    return s;
}

static struct gen_stmt *random_move(struct generator *g) /* x = *p; through a moving pointer */
{
    for (int tries = 0; tries < 6 && g->n_scope; tries++) {
        struct gen_var *p = g->scope[gen_below(g, g->n_scope)];
        if (p->type->kind != GEN_POINTER || p->is_atomic || p->is_dynamic || p->is_hidden ||
            p->extent < 2 || p->extent > 8 || p->type->element->kind != GEN_SCALAR)
            continue;
        /* T sum = *p; const T *q = p; for (i < extent) { sum = sum + *q; q += 1; } */
        const enum gen_scalar type = p->type->element->scalar;
        struct gen_list list = {0}, body = {0};
        struct gen_var *sum = gen_local(g, p->type->element, "sum");
        struct gen_var *q = gen_local(g, p->type, "q");
        struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR);
        loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
        loop->value = gen_fixed(gen_const(g, GEN_I32, p->extent));
        q->is_const = p->is_const;
        struct gen_expr *zero = gen_fixed(gen_const(g, GEN_U32, 0));
        struct gen_expr *there = gen_fixed(gen_index(g, gen_use(g, q), zero));
        if (type == GEN_BOOL)
            gen_append(&body, gen_assign(g, gen_use(g, sum), there));
        else
            gen_append(&body, gen_assign(g, gen_use(g, sum),
                                         gen_binary(g, GEN_ADD, gen_use(g, sum), there)));
        struct gen_stmt *step = gen_assign(g, gen_use(g, q), gen_fixed(gen_const(g, GEN_U32, 1)));
        step->op = GEN_ADD;
        gen_append(&body, step);
        loop->body = gen_block(g, &body);
        gen_append(&list, gen_declare(g, sum, gen_random_const(g, type)));
        gen_append(&list, gen_declare(g, q, gen_fixed(gen_use(g, p))));
        gen_append(&list, loop);
        gen_see(g, sum);
        struct gen_stmt *all = gen_block(g, &list);
        all->is_fixed = true;
        return all;
    }
    return NULL;
}

static struct gen_stmt *random_call(struct generator *g)
{
    if (!g->n_callable)
        return NULL;
    const struct gen_function *f = g->p->helpers[gen_below(g, g->n_callable)];
    if (f->is_collective)
        return NULL;
    struct gen_stmt *s = gen_stmt_new(g, GEN_CALL_STMT);
    s->function = f;
    s->n_values = f->n_params;
    s->place = f->result ? gen_random_place(g, f->result, true) : NULL;
    s->values = gen_random_args(g, f);
    if (!s->values || (f->result && !s->place))
        return NULL;
    if (s->place)
        gen_fixed(s->place);
    return s;
}

static struct gen_stmt *random_atomic(struct generator *g)
{
    for (uint32_t i = 0; g->gid && i < g->p->n_buffers; i++) {
        const struct gen_buffer *b = &g->p->buffers[i];
        if ((g->without & GEN_WITHOUT_ATOMIC) || b->role != GEN_ACCUMULATOR || gen_chance(g, 40))
            continue;
        struct gen_stmt *s = gen_stmt_new(g, GEN_ATOMIC);
        const enum gen_scalar type = b->element->scalar;
        s->op = b->var->extent; /* one operation per buffer: different ones do not commute */
        s->place = gen_fixed(gen_index(g, gen_use(g, b->var), gen_random_index(g, b->n)));
        s->value = gen_random_expr(g, gen_is_float(type) ? GEN_U32 : type, 2);
        if (gen_is_float(type)) /* small whole numbers: their sum is exact in any order */
            s->value = gen_fixed(gen_cast(
                g, type,
                gen_fixed(gen_binary(g, GEN_AND, s->value, gen_fixed(gen_const(g, GEN_U32, 15))))));
        return s;
    }
    return NULL;
}

/* ---- Control flow ---- */

/* A condition, and where its branch leaves us: with a uniform one the whole block stays together,
 * with one on the warp's number the warp. */
static struct gen_expr *branch_condition(struct generator *g, enum gen_flow *inside)
{
    if (g->flow == GEN_FLOW_BLOCK && g->gid && gen_has_whole_warps(g) && gen_chance(g, 15)) {
        struct gen_expr *warp = gen_binary(g, GEN_SHR, gen_fixed(gen_use(g, g->tid)),
                                           gen_fixed(gen_const(g, GEN_U32, 5)));
        *inside = GEN_FLOW_WARP;
        return gen_fixed(gen_binary(g, gen_chance(g, 50) ? GEN_EQ : GEN_LT, gen_fixed(warp),
                                    gen_fixed(gen_const(g, GEN_U32, gen_below(g, 3)))));
    }
    g->uniform_only = g->flow == GEN_FLOW_BLOCK && gen_chance(g, 50);
    *inside = g->uniform_only ? GEN_FLOW_BLOCK : GEN_FLOW_DIVERGENT;
    struct gen_expr *e = gen_random_expr(g, GEN_BOOL, 2);
    g->uniform_only = false;
    return e;
}

static struct gen_stmt *nested(struct generator *g, enum gen_flow flow, uint32_t n)
{
    const enum gen_flow outer = g->flow;
    const uint32_t n_scope = g->n_scope;
    g->flow = flow;
    g->depth++;
    struct gen_stmt *s = gen_random_block(g, n);
    g->depth--;
    g->flow = outer;
    g->n_scope = n_scope;
    return s;
}

static struct gen_stmt *random_if(struct generator *g)
{
    enum gen_flow inside;
    struct gen_expr *condition = branch_condition(g, &inside);
    struct gen_stmt *s = gen_if(g, condition, nested(g, inside, 1 + gen_below(g, 4)));
    if (gen_chance(g, 45))
        s->otherwise = nested(g, inside, 1 + gen_below(g, 3));
    return s;
}

static struct gen_stmt *random_switch(struct generator *g)
{
    const uint32_t n = 2 + gen_below(g, 4);
    struct gen_stmt *s = gen_stmt_new(g, GEN_SWITCH);
    const bool is_uniform = g->flow == GEN_FLOW_BLOCK && gen_chance(g, 40);
    g->uniform_only = is_uniform;
    s->value = gen_fixed(gen_binary(g, GEN_REM, gen_random_expr(g, GEN_U32, 2),
                                    gen_fixed(gen_const(g, GEN_U32, n))));
    g->uniform_only = false;
    s->list = gen_new(g, n, sizeof(struct gen_stmt *));
    s->n = n;
    const enum gen_leave leave = g->leave;
    g->leave = GEN_STAY; /* break would leave the switch */
    for (uint32_t i = 0; i < n; i++)
        s->list[i] =
            nested(g, is_uniform ? GEN_FLOW_BLOCK : GEN_FLOW_DIVERGENT, 1 + gen_below(g, 2));
    g->leave = leave;
    for (uint32_t i = 0; i + 1 < n; i++)
        s->op |= (uint32_t)gen_chance(g, 20) << i;
    return s;
}

/* In a uniform loop every thread makes the same iterations, so collectives may stand inside. */
static struct gen_stmt *random_loop(struct generator *g)
{
    static const enum gen_stmt_kind kinds[] = {GEN_FOR, GEN_FOR, GEN_WHILE, GEN_DO};
    struct gen_stmt *s = gen_stmt_new(g, kinds[gen_below(g, 4)]);
    const bool is_uniform = g->flow == GEN_FLOW_BLOCK && gen_chance(g, 50);
    const uint32_t most = g->depth ? 3 : 6, n_scope = g->n_scope;
    s->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    s->var->is_const = true;
    s->var->is_uniform = is_uniform;
    s->count = 1 + gen_below(g, most);
    g->uniform_only = is_uniform;
    if (s->kind != GEN_FOR)
        s->value = gen_random_expr(g, GEN_BOOL, 2);
    else if (gen_chance(g, 50))
        s->value = gen_const(g, GEN_I32, s->count);
    else
        s->value = gen_fixed(gen_cast(g, GEN_I32, gen_random_index(g, s->count + 1)));
    g->uniform_only = false;
    const enum gen_leave leave = g->leave;
    const bool in_loop = g->in_loop;
    g->leave = is_uniform ? GEN_LEAVE_UNIFORM : GEN_LEAVE_FREELY;
    g->in_loop = true;
    gen_see(g, s->var);
    s->body = nested(g, is_uniform ? GEN_FLOW_BLOCK : GEN_FLOW_DIVERGENT, 1 + gen_below(g, 4));
    g->leave = leave;
    g->in_loop = in_loop;
    g->n_scope = n_scope;
    return s;
}

static struct gen_stmt *random_leave(struct generator *g)
{
    if (g->leave == GEN_STAY)
        return NULL;
    g->uniform_only = g->leave == GEN_LEAVE_UNIFORM;
    struct gen_expr *condition = gen_random_expr(g, GEN_BOOL, 2);
    g->uniform_only = false;
    /* a uniform exit under a divergent branch would not be uniform */
    if (g->leave == GEN_LEAVE_UNIFORM && g->flow != GEN_FLOW_BLOCK)
        return NULL;
    return gen_if(g, condition, gen_stmt_new(g, gen_chance(g, 50) ? GEN_BREAK : GEN_CONTINUE));
}

static struct gen_stmt *random_return(struct generator *g)
{
    const bool in_kernel = g->gid != NULL;
    if (in_kernel && (g->in_loop || (g->without & GEN_WITHOUT_RETURN) || !gen_chance(g, 25)))
        return NULL;
    struct gen_stmt *leave = gen_stmt_new(g, GEN_RETURN);
    const struct gen_type *type = g->function->result;
    if (type && type->kind != GEN_SCALAR)
        return NULL;
    if (type)
        leave->value = gen_random_expr(g, type->scalar, 2);
    struct gen_expr *condition = gen_random_expr(g, GEN_BOOL, 2);
    if (in_kernel)
        g->has_exited = true;
    return gen_if(g, condition, leave);
}

static struct gen_stmt *random_stmt(struct generator *g)
{
    const uint32_t roll = gen_below(g, 100);
    const bool may_nest = g->depth < 3;
    if (g->shapes && gen_chance(g, 35)) {
        struct gen_stmt *s = gen_chance(g, 50) ? gen_raw_stmt(g) : gen_memory_stmt(g);
        if (s)
            return s;
    }
    if (g->flow != GEN_FLOW_DIVERGENT && gen_chance(g, 30))
        return gen_random_collective(g);
    if (roll < 22)
        return gen_random_declare(g);
    if (roll < 52)
        return random_assign(g);
    if (roll < 56)
        return random_move(g);
    if (roll < 61)
        return random_call(g);
    if (roll < 66)
        return random_atomic(g);
    if (roll < 72)
        return random_leave(g);
    if (roll < 75)
        return random_return(g);
    if (!may_nest)
        return random_assign(g);
    return roll < 86 ? random_if(g) : roll < 95 ? random_loop(g) : random_switch(g);
}

struct gen_stmt *gen_random_block(struct generator *g, uint32_t n)
{
    struct gen_list list = {0};
    for (uint32_t i = 0; i < n && g->budget; i++) {
        struct gen_stmt *s = NULL;
        g->budget--;
        for (int tries = 0; tries < 4 && !s; tries++) /* what does not fit here gives none */
            s = random_stmt(g);
        gen_append(&list, s);
    }
    return gen_block(g, &list);
}
