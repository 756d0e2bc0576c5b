/* SPDX-License-Identifier: Apache-2.0
 *
 * Where values lie and how they are reached: gathers at masked multiples of the work-item from
 * every kind of memory, indices that wrap, structs of pointers to different memories, unions and
 * bit-fields.
 *
 * A table of shared memory is filled before anything reads it and never written again, so a pointer
 * to it may be kept. Unions of floats are written by these statements alone: the bits of a NaN that
 * was computed are anybody's. */
#include "tests/compiler/generator/random.h"

#define U32(g, v) gen_fixed(gen_const((g), GEN_U32, (v)))

static uint32_t extent(const struct gen_var *v)
{
    return v->type->kind == GEN_ARRAY ? v->type->n : v->extent;
}

/* ---- Tables ---- */

/* for (i < rounds) { at = tid + i * threads; if (at < n) table[at] = at * factor + plus; } */
struct gen_stmt *gen_fill_table(struct generator *g, struct gen_var *table)
{
    const uint32_t n = extent(table), threads = gen_block_threads(g->p);
    const struct gen_type *type = table->type->element;
    struct gen_list list = {0}, body = {0}, stores = {0};
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR);
    struct gen_var *at = gen_local(g, &gen_scalars[GEN_U32], "at");
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    loop->value = gen_const(g, GEN_I32, (n + threads - 1) / threads);
    struct gen_expr *start =
        gen_binary(g, GEN_MUL, gen_cast(g, GEN_U32, gen_use(g, loop->var)), U32(g, threads));
    gen_append(&body, gen_declare(g, at, gen_binary(g, GEN_ADD, gen_use(g, g->tid), start)));
    struct gen_expr *slot = gen_index(g, gen_use(g, table), gen_use(g, at));
    const uint32_t n_parts = type->kind == GEN_VECTOR ? type->n : 1;
    for (uint32_t i = 0; i < n_parts; i++) { /* of a union the first member, which is all of it */
        struct gen_expr *part = type->kind == GEN_SCALAR ? slot : gen_member(g, slot, i);
        struct gen_expr *v =
            gen_binary(g, GEN_MUL, gen_use(g, at), U32(g, (uint32_t)gen_random(g) | 1));
        v = gen_binary(g, GEN_ADD, v, U32(g, gen_below(g, 1000)));
        gen_append(&stores, gen_assign(g, part, gen_cast(g, part->type->scalar, v)));
    }
    gen_append(&body,
               gen_if(g, gen_binary(g, GEN_LT, gen_use(g, at), U32(g, n)), gen_block(g, &stores)));
    loop->body = gen_block(g, &body);
    gen_append(&list, loop);
    struct gen_stmt *s = gen_block(g, &list);
    s->is_fixed = true;
    return s;
}

void gen_shared_tables(struct generator *g)
{
    if (g->p->spaces)
        gen_shared(g, g->p->spaces->members[1].type->element, 64)->is_table = true;
    if (gen_has(g, GEN_SHAPE_GATHER | GEN_SHAPE_BELOW | GEN_SHAPE_NARROW)) {
        const struct gen_type *type =
            gen_has(g, GEN_SHAPE_BELOW) || gen_chance(g, 60) ? &gen_scalars[gen_random_scalar(g)]
            : g->p->overlays[0] && gen_chance(g, 50)         ? g->p->overlays[0]
                                                     : &gen_vectors[gen_below(g, gen_n_vectors)];
        const uint32_t n = 64u << gen_below(g, 4);
        gen_shared(g, type, n + (gen_chance(g, 30) ? 1 + gen_below(g, 60) : 0))->is_table = true;
    }
}

/* T v[n] = {}; for (i < n) v[i] = i * factor + x; in private memory */
static struct gen_stmt *private_table(struct generator *g)
{
    if (!gen_has(g, GEN_SHAPE_GATHER | GEN_SHAPE_NARROW) || g->n_private_tables >= 2 || g->depth)
        return NULL;
    const enum gen_scalar type = gen_random_scalar(g);
    const uint32_t n = 16u << gen_below(g, 3);
    struct gen_list list = {0}, body = {0};
    struct gen_var *v = gen_local(g, gen_array_of(g, &gen_scalars[type], n), "table");
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR), *all = gen_declare(g, v, NULL);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    loop->value = gen_fixed(gen_const(g, GEN_I32, n));
    struct gen_expr *i = gen_fixed(gen_cast(g, GEN_U32, gen_use(g, loop->var)));
    struct gen_expr *x = gen_binary(g, GEN_MUL, i, U32(g, (uint32_t)gen_random(g) | 1));
    x = gen_binary(g, GEN_ADD, x, gen_random_expr(g, GEN_U32, 1));
    struct gen_expr *slot = gen_fixed(gen_index(g, gen_use(g, v), i));
    gen_append(&body, gen_assign(g, slot, gen_fixed(gen_cast(g, type, x))));
    loop->body = gen_block(g, &body);
    gen_append(&list, all);
    gen_append(&list, loop);
    gen_see(g, v);
    g->n_private_tables++;
    return gen_block(g, &list);
}

void gen_shape_buffers(struct generator *g)
{
    const uint32_t threads = gen_all_threads(g->p);
    const uint32_t n = gen_has(g, GEN_SHAPE_GATHER) ? 1 + gen_below(g, 2) : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t elements = 64u << gen_below(g, 7);
        if (gen_chance(g, 40)) /* more than the mask, or enough for strides without one */
            elements += gen_chance(g, 50) ? threads * gen_below(g, 6) : gen_below(g, 60);
        gen_add_buffer(g, GEN_INPUT, gen_random_type(g), elements);
    }
    for (uint32_t i = 0; gen_has(g, GEN_SHAPE_VOLATILE) && i < g->p->n_buffers; i++)
        g->p->buffers[i].var->is_volatile = g->p->buffers[i].role != GEN_ACCUMULATOR &&
                                            g->p->buffers[i].element->kind == GEN_SCALAR &&
                                            gen_chance(g, 40);
    if (g->p->spaces)
        gen_add_buffer(g, GEN_INPUT, g->p->spaces->members[0].type->element, 64 + gen_below(g, 9));
    if (g->p->overlays[0])
        gen_add_buffer(g, GEN_INPUT, g->p->overlays[gen_below(g, 2)], 16 + gen_below(g, 64));
}

/* ---- Gathers ---- */

/* Something of each work-item, and one more than it can be. */
static struct gen_expr *work_item(struct generator *g, uint32_t *end)
{
    const uint32_t roll = gen_below(g, 3);
    *end = roll == 1 ? gen_all_threads(g->p) : gen_block_threads(g->p);
    if (g->tid && roll < 2)
        return gen_fixed(gen_use(g, roll ? g->gid : g->tid));
    *end = g->p->block[0];
    return gen_fixed(gen_thread(g, GEN_THREAD_IDX, 0));
}

/* At most n and at least 2. Often the first that a group's work-items do not pass by themselves: in
 * that many bits a compiler may count them, and overlook that their multiples pass it. */
static uint64_t power_of_two(struct generator *g, uint32_t n)
{
    uint32_t most = 1, enough = 1;
    while (2u << most <= n)
        most++;
    while (1u << enough < g->p->block[0])
        enough++;
    if (enough <= most && gen_chance(g, 50))
        return 1u << (enough + gen_below(g, most > enough ? 2 : 1));
    return 1u << (most - gen_below(g, most));
}

/* Below n, by a mask, a modulus or a cast. */
static struct gen_expr *reduced(struct generator *g, struct gen_expr *e, uint32_t n)
{
    const enum gen_scalar type = e->type->scalar;
    const uint64_t m = power_of_two(g, n);
    switch (gen_below(g, 8)) {
    case 0:
    case 1:
    case 2: return gen_binary(g, GEN_AND, e, gen_fixed(gen_const(g, type, m - 1)));
    case 3: return gen_binary(g, GEN_REM, e, gen_fixed(gen_const(g, type, m)));
    case 4: return gen_binary(g, GEN_REM, e, gen_fixed(gen_const(g, type, n)));
    case 5:
        if (n >= 256)
            return gen_cast(g, GEN_U8, e);
        break;
    default: break;
    }
    const enum gen_scalar narrow = gen_chance(g, 50) ? GEN_U8 : GEN_U16;
    const uint64_t mask = narrow == GEN_U8 && m > 256 ? 255 : m - 1;
    return gen_binary(g, GEN_AND, gen_fixed(gen_cast(g, narrow, e)),
                      gen_fixed(gen_const(g, narrow, mask)));
}

/* work-item * factor [+ c] [+ plus], brought below n; n > 3 */
static struct gen_expr *gather_index(struct generator *g, uint32_t n, struct gen_expr *plus)
{
    const uint32_t roll = gen_below(g, 20);
    const uint32_t factor = gen_chance(g, 40) ? 3 + roll % 3 * 2 /* 3, 5, 7 */
                            : roll < 16       ? 2 + roll
                                              : 15 + roll; /* 2 to 17, 31 to 34 */
    uint32_t end, c = gen_chance(g, 25) ? gen_below(g, n) : 0;
    struct gen_expr *e = work_item(g, &end);
    const bool is_inside = (uint64_t)(end - 1) * factor + c < n && !plus;
    if (gen_chance(g, 40))
        e = gen_fixed(gen_cast(g, GEN_I32, e)); /* it stays far from the end of int */
    const enum gen_scalar type = e->type->scalar;
    e = gen_raw(gen_binary(g, GEN_MUL, e, gen_fixed(gen_const(g, type, factor))));
    if (c)
        e = gen_raw(gen_binary(g, GEN_ADD, gen_fixed(e), gen_fixed(gen_const(g, type, c))));
    if (plus)
        e = gen_raw(gen_binary(g, GEN_ADD, gen_fixed(e), gen_cast(g, type, plus)));
    gen_fixed(e);
    return gen_fixed(is_inside && gen_chance(g, 60) ? e : reduced(g, e, n));
}

/* An array of any memory that may be read here, with enough elements for a gather. */
static struct gen_var *pick_array(struct generator *g)
{
    for (int tries = 0; tries < 12 && g->n_scope; tries++) {
        struct gen_var *v = g->scope[gen_below(g, g->n_scope)];
        const bool is_array = v->type->kind == GEN_ARRAY || v->type->kind == GEN_POINTER;
        if (is_array && !v->is_hidden && !v->is_atomic && !v->is_reference && extent(v) > 3)
            return v;
    }
    return NULL;
}

struct gen_expr *gen_gather(struct generator *g, enum gen_scalar type)
{
    if (!gen_has(g, GEN_SHAPE_GATHER) || g->uniform_only || g->in_index)
        return NULL;
    for (int tries = 0; tries < 4; tries++) {
        struct gen_var *v = pick_array(g);
        if (!v)
            continue;
        const struct gen_type *of = v->type->element, *wanted = &gen_scalars[type];
        const bool is_direct = gen_reaches(of, wanted);
        const bool is_near = of->kind == GEN_SCALAR && type != GEN_BOOL &&
                             (gen_is_float(type) || !gen_is_float(of->scalar));
        if (!is_direct && !is_near)
            continue;
        struct gen_expr *e = gen_index(g, gen_use(g, v), gather_index(g, extent(v), NULL));
        return is_direct ? gen_descend(g, e, wanted) : gen_cast(g, type, e);
    }
    return NULL;
}

/* T sum = 0; for (i < n) sum = sum + a[(work-item * 3 + i * 5) & 63]; */
static struct gen_stmt *gather_sum(struct generator *g)
{
    struct gen_var *a = gen_has(g, GEN_SHAPE_GATHER) ? pick_array(g) : NULL;
    if (!a || a->type->element->kind != GEN_SCALAR || a->type->element->scalar == GEN_BOOL)
        return NULL;
    const struct gen_type *type = a->type->element;
    struct gen_list list = {0}, body = {0};
    struct gen_var *sum = gen_local(g, type, "sum");
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    loop->value = gen_fixed(gen_const(g, GEN_I32, 2 + gen_below(g, 15)));
    struct gen_expr *step = gen_raw(gen_binary(
        g, GEN_MUL, gen_use(g, loop->var), gen_fixed(gen_const(g, GEN_I32, 1 + gen_below(g, 17)))));
    struct gen_expr *there =
        gen_index(g, gen_use(g, a), gather_index(g, extent(a), gen_fixed(step)));
    gen_append(&body, gen_assign(g, gen_fixed(gen_use(g, sum)),
                                 gen_binary(g, GEN_ADD, gen_use(g, sum), there)));
    loop->body = gen_block(g, &body);
    gen_append(&list, gen_declare(g, sum, gen_random_const(g, type->scalar)));
    gen_append(&list, loop);
    gen_see(g, sum);
    return gen_block(g, &list);
}

/* unsigned char at = ...; T v = a[at]; */
static struct gen_stmt *narrow_load(struct generator *g)
{
    struct gen_var *a = gen_has(g, GEN_SHAPE_NARROW) ? pick_array(g) : NULL;
    if (!a || a->type->element->kind != GEN_SCALAR)
        return NULL;
    const uint32_t n = extent(a);
    const bool is_byte = n >= 256 || gen_chance(g, 50);
    const enum gen_scalar type = is_byte ? GEN_U8 : gen_chance(g, 50) ? GEN_I16 : GEN_U16;
    uint64_t mask = 1;
    while (2 * mask + 1 < n && 2 * mask < (is_byte ? 256 : 32768))
        mask = 2 * mask + 1;
    struct gen_list list = {0};
    struct gen_var *at = gen_local(g, &gen_scalars[type], "at");
    struct gen_var *v = gen_local(g, a->type->element, "v");
    struct gen_expr *index = gen_random_expr(g, type, 2);
    if (mask < 255 || !is_byte)
        index = gen_fixed(gen_binary(g, GEN_AND, index, gen_fixed(gen_const(g, type, mask))));
    gen_append(&list, gen_declare(g, at, index));
    gen_append(&list, gen_declare(
                          g, v, gen_fixed(gen_index(g, gen_use(g, a), gen_fixed(gen_use(g, at))))));
    gen_see(g, v);
    return gen_block(g, &list);
}

/* const T *p = &shared[half]; T v = p[~a]; or p[a - b]: the address wraps as the hardware's do */
static struct gen_stmt *below(struct generator *g)
{
    struct gen_var *s = NULL;
    for (uint32_t i = 0; gen_has(g, GEN_SHAPE_BELOW) && g->gid && i < g->p->n_globals; i++) {
        struct gen_var *v = g->p->globals[i];
        if (v->is_table && v->type->element->kind == GEN_SCALAR && extent(v) >= 64)
            s = v;
    }
    if (!s)
        return NULL;
    struct gen_list list = {0};
    struct gen_expr *mask = U32(g, 31);
    struct gen_var *p = gen_local(g, gen_pointer_to(g, s->type->element), "p");
    struct gen_var *v = gen_local(g, s->type->element, "v");
    p->is_const = true;
    struct gen_expr *a = gen_fixed(gen_binary(g, GEN_AND, gen_random_expr(g, GEN_U32, 2), mask));
    struct gen_expr *index = gen_unary(g, GEN_COMPLEMENT, a);
    if (gen_chance(g, 50))
        index = gen_binary(g, GEN_SUB, a,
                           gen_fixed(gen_binary(g, GEN_AND, gen_random_expr(g, GEN_U32, 2), mask)));
    struct gen_expr *middle = gen_index(g, gen_use(g, s), U32(g, 32));
    gen_append(&list, gen_declare(g, p, gen_fixed(gen_address(g, gen_fixed(middle)))));
    struct gen_expr *there = gen_raw(gen_fixed(gen_index(g, gen_use(g, p), gen_fixed(index))));
    gen_append(&list, gen_declare(g, v, there));
    gen_see(g, v);
    return gen_block(g, &list);
}

/* ---- A struct of pointers ---- */

enum { WINDOW = 32 }; /* elements that a helper may reach from either pointer */

static enum gen_scalar not_bool(struct generator *g)
{
    const enum gen_scalar type = gen_random_scalar(g);
    return type == GEN_BOOL ? GEN_I32 : type;
}

static struct gen_expr *reached(struct generator *g, struct gen_expr *spaces, uint32_t member,
                                struct gen_expr *index)
{
    struct gen_expr *at = gen_binary(g, GEN_AND, index, U32(g, WINDOW - 1));
    return gen_fixed(gen_index(g, gen_fixed(gen_member(g, spaces, member)), gen_fixed(at)));
}

/* struct { const T *far; const U *near; unsigned n; }; far is global and near is shared memory */
static void make_spaces(struct generator *g)
{
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    struct gen_member *m = gen_new(g, 3, sizeof *m);
    static const char *const names[] = {"far", "near", "n"};
    for (uint32_t i = 0; i < 3; i++) {
        m[i].name = names[i];
        m[i].offset_bytes = 8 * i;
        m[i].type = &gen_scalars[GEN_U32];
        if (i < 2) {
            struct gen_type *pointer = gen_new(g, 1, sizeof *pointer);
            *pointer = *gen_pointer_to(g, &gen_scalars[not_bool(g)]);
            pointer->to_const = true;
            m[i].type = pointer;
        }
    }
    *t = (struct gen_type){.kind = GEN_STRUCT,
                           .name = qn__arena_printf(g->arena, "k%u_spaces", g->p->index),
                           .members = m,
                           .n = 3,
                           .size_bytes = 24,
                           .align_bytes = 8};
    g->p->spaces = t;
}

/* R reach(spaces m, unsigned i): m.far[i & 31] + m.near[(i ^ m.n) & 31] */
void gen_spaces_helper(struct generator *g)
{
    if (!gen_has(g, GEN_SHAPE_SPACES) || (g->without & GEN_WITHOUT_BARRIER))
        return;
    make_spaces(g);
    const struct gen_member *m = g->p->spaces->members;
    const bool is_real =
        gen_is_float(m[0].type->element->scalar) || gen_is_float(m[1].type->element->scalar);
    const enum gen_scalar type = is_real ? GEN_F64 : GEN_I64;
    struct gen_function *f = gen_new(g, 1, sizeof *f);
    f->name = qn__arena_printf(g->arena, "k%u_reach", g->p->index);
    f->result = &gen_scalars[type];
    f->params = gen_new(g, 2, sizeof(struct gen_var *));
    f->n_params = 2;
    g->function = f;
    struct gen_var *spaces = f->params[0] = gen_local(g, g->p->spaces, "m");
    struct gen_var *i = f->params[1] = gen_local(g, &gen_scalars[GEN_U32], "i");
    struct gen_expr *far = reached(g, gen_use(g, spaces), 0, gen_use(g, i));
    struct gen_expr *other =
        gen_binary(g, GEN_XOR, gen_use(g, i), gen_fixed(gen_member(g, gen_use(g, spaces), 2)));
    struct gen_expr *near = reached(g, gen_use(g, spaces), 1, other);
    struct gen_stmt *leave = gen_stmt_new(g, GEN_RETURN);
    leave->value = gen_binary(g, GEN_ADD, gen_cast(g, type, far), gen_cast(g, type, near));
    f->body = leave;
    g->p->helpers[g->p->n_helpers++] = f;
    g->reach = f; /* nobody else has such a struct to call it with */
}

static struct gen_expr *start_of(struct generator *g, struct gen_var *array)
{
    struct gen_expr *at = gen_index(g, gen_use(g, array), U32(g, gen_below(g, WINDOW / 2)));
    return gen_fixed(gen_address(g, gen_fixed(at)));
}

/* spaces m = {&in[c], &shared[c], n}; m.far += c; R r = reach(m, i) or m.near[i & 31] */
static struct gen_stmt *reach(struct generator *g)
{
    if (!g->p->spaces || !g->gid)
        return NULL;
    const struct gen_member *m = g->p->spaces->members;
    struct gen_var *far = NULL, *near = NULL;
    for (uint32_t i = 0; i < g->p->n_buffers; i++)
        if (g->p->buffers[i].role == GEN_INPUT && g->p->buffers[i].n >= 2 * WINDOW &&
            g->p->buffers[i].element == m[0].type->element && !g->p->buffers[i].var->is_volatile)
            far = g->p->buffers[i].var;
    for (uint32_t i = 0; i < g->p->n_globals; i++)
        if (g->p->globals[i]->is_table && g->p->globals[i]->type->element == m[1].type->element)
            near = g->p->globals[i];
    if (!far || !near)
        return NULL;
    const bool by_helper = gen_chance(g, 60);
    const uint32_t member = gen_below(g, 2);
    struct gen_list list = {0};
    struct gen_var *spaces = gen_local(g, g->p->spaces, "m");
    struct gen_var *r = gen_local(g, by_helper ? g->reach->result : m[member].type->element, "r");
    struct gen_stmt *s = gen_declare(g, spaces, NULL);
    s->values = gen_new(g, 3, sizeof(struct gen_expr *));
    s->n_values = 3;
    s->values[0] = start_of(g, far);
    s->values[1] = start_of(g, near);
    s->values[2] = gen_random_expr(g, GEN_U32, 1);
    gen_append(&list, s);
    if (gen_chance(g, 30)) {
        struct gen_stmt *move = gen_assign(g, gen_member(g, gen_use(g, spaces), gen_below(g, 2)),
                                           U32(g, 1 + gen_below(g, WINDOW / 2)));
        move->op = GEN_ADD;
        gen_append(&list,
                   gen_chance(g, 50) ? gen_if(g, gen_random_expr(g, GEN_BOOL, 1), move) : move);
    }
    struct gen_expr **args = gen_new(g, 2, sizeof(struct gen_expr *));
    args[0] = gen_fixed(gen_use(g, spaces));
    args[1] = gen_random_expr(g, GEN_U32, 2);
    gen_append(&list, gen_declare(g, r,
                                  by_helper ? gen_function_call(g, g->reach, args)
                                            : reached(g, args[0], member, args[1])));
    gen_see(g, r);
    return gen_block(g, &list);
}

/* ---- Unions and bit-fields ---- */

/* The first member is an integer and all of the union. */
static const struct gen_type *make_union(struct generator *g)
{
    const bool is_wide = gen_chance(g, 50);
    static const enum gen_scalar parts[2][5] = {
        {GEN_I32, GEN_F32, GEN_U32, GEN_I16, GEN_U8},
        {GEN_U64, GEN_F64, GEN_F32, GEN_I32, GEN_U16},
    };
    struct gen_member *m = gen_new(g, 5, sizeof *m);
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    t->kind = GEN_STRUCT;
    t->is_union = true;
    t->name = qn__arena_printf(g->arena, "k%u_union", g->p->index);
    t->members = m;
    t->size_bytes = t->align_bytes = is_wide ? 8 : 4;
    t->n = 2 + gen_below(g, 4);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct gen_type *part = &gen_scalars[parts[is_wide][i]];
        const uint32_t n = t->size_bytes / part->size_bytes;
        m[i].name = qn__arena_printf(g->arena, "m%u", i);
        m[i].type = n > 1 ? gen_array_of(g, part, n) : part;
    }
    return t;
}

/* Fields fill 32 bits one after the other, a field that does not fit begins the next. */
static const struct gen_type *make_bit_fields(struct generator *g)
{
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    t->n = 2 + gen_below(g, 4);
    struct gen_member *m = gen_new(g, t->n, sizeof *m);
    uint32_t at = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        m[i].name = qn__arena_printf(g->arena, "m%u", i);
        m[i].type = &gen_scalars[gen_chance(g, 50) ? GEN_I32 : GEN_U32];
        m[i].n_bits = 1 + gen_below(g, gen_chance(g, 70) ? 12 : 31);
        if (at % 32 + m[i].n_bits > 32)
            at = (at + 31) / 32 * 32;
        m[i].offset_bytes = at / 32 * 4;
        m[i].first_bit = at % 32;
        at += m[i].n_bits;
    }
    t->kind = GEN_STRUCT;
    t->name = qn__arena_printf(g->arena, "k%u_bits", g->p->index);
    t->members = m;
    t->size_bytes = (at + 31) / 32 * 4;
    t->align_bytes = 4;
    return t;
}

void gen_overlay_types(struct generator *g)
{
    if (!gen_has(g, GEN_SHAPE_OVERLAY))
        return;
    g->p->overlays[0] = make_union(g);
    g->p->overlays[1] = make_bit_fields(g);
}

static struct gen_expr *part_of(struct generator *g, struct gen_var *v, uint32_t member)
{
    struct gen_expr *e = gen_member(g, gen_use(g, v), member);
    if (e->type->kind == GEN_ARRAY)
        e = gen_index(g, e, gen_random_index(g, e->type->n));
    return gen_fixed(e);
}

/* What may be stored in a union: no NaN. */
static struct gen_expr *no_nan(struct generator *g, enum gen_scalar type)
{
    if (!gen_is_float(type))
        return gen_random_expr(g, type, 2);
    return gen_fixed(gen_cast(g, type, gen_random_expr(g, GEN_I32, 2)));
}

/* union u = {x}; u.m2 = y; T v = u.m1[i]; */
static struct gen_stmt *overlaid(struct generator *g)
{
    const struct gen_type *type = g->p->overlays[0];
    struct gen_list list = {0};
    struct gen_var *u = gen_local(g, type, "u");
    struct gen_stmt *s = gen_declare(g, u, NULL);
    s->values = gen_new(g, 1, sizeof(struct gen_expr *));
    s->values[0] = gen_random_expr(g, type->members[0].type->scalar, 2);
    s->n_values = 1;
    gen_append(&list, s);
    for (uint32_t n = gen_below(g, 3); n > 0; n--) {
        struct gen_expr *part = part_of(g, u, gen_below(g, type->n));
        struct gen_stmt *write = gen_assign(g, part, no_nan(g, part->type->scalar));
        gen_append(&list,
                   gen_chance(g, 30) ? gen_if(g, gen_random_expr(g, GEN_BOOL, 1), write) : write);
    }
    for (uint32_t n = 1 + gen_below(g, 2); n > 0; n--) {
        struct gen_expr *part = part_of(g, u, gen_below(g, type->n));
        struct gen_var *v = gen_local(g, part->type, "v");
        gen_append(&list, gen_declare(g, v, part));
        gen_see(g, v);
    }
    return gen_block(g, &list);
}

/* struct b = {}; b.m0 = x; b.m1 += y; T v = b.m0; */
static struct gen_stmt *bit_fields(struct generator *g)
{
    static const enum gen_op ops[] = {GEN_EQ, GEN_EQ, GEN_EQ, GEN_ADD, GEN_SUB, GEN_XOR, GEN_OR};
    const struct gen_type *type = g->p->overlays[1];
    struct gen_list list = {0};
    struct gen_var *b = gen_local(g, type, "b");
    gen_append(&list, gen_declare(g, b, NULL));
    for (uint32_t n = 2 + gen_below(g, 4); n > 0; n--) {
        struct gen_expr *field = gen_fixed(gen_member(g, gen_use(g, b), gen_below(g, type->n)));
        struct gen_stmt *s = gen_assign(g, field, gen_random_expr(g, field->type->scalar, 2));
        s->op = ops[gen_below(g, sizeof ops / sizeof *ops)];
        gen_append(&list, s);
    }
    for (uint32_t i = 0; i < type->n; i++) {
        struct gen_var *v = gen_local(g, type->members[i].type, "v");
        gen_append(&list, gen_declare(g, v, gen_fixed(gen_member(g, gen_use(g, b), i))));
        gen_see(g, v);
    }
    return gen_block(g, &list);
}

static struct gen_stmt *overlay(struct generator *g)
{
    if (!g->p->overlays[0])
        return NULL;
    return gen_chance(g, 60) ? overlaid(g) : bit_fields(g);
}

struct gen_stmt *gen_memory_stmt(struct generator *g)
{
    static struct gen_stmt *(*const makers[])(struct generator *) = {
        gather_sum, private_table, narrow_load, below, reach, overlay,
    };
    enum { N = sizeof makers / sizeof *makers };
    const uint32_t first = gen_below(g, N);
    for (uint32_t i = 0; i < N; i++) {
        struct gen_stmt *s = makers[(first + i) % N](g);
        if (s)
            return s;
    }
    return NULL;
}
