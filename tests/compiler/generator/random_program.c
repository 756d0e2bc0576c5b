/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program from a seed: shape of the launch, structs, tables, buffers, helpers, and the
 * kernel, whose last statements store what its variables have become. */
#include "tests/compiler/generator/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- Launch shape ---- */

static void choose_shape(struct generator *g)
{
    static const uint32_t blocks[][3] = {
        {32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {64, 1, 1}, {256, 1, 1}, {16, 4, 1}, {8, 4, 2},
        {37, 1, 1}, {96, 1, 1}, {1, 1, 1},   {5, 7, 1},  {3, 5, 2},   {32, 2, 1}, {4, 32, 1},
    };
    static const uint32_t grids[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {1, 2, 2}};
    memcpy(g->p->block, blocks[gen_below(g, sizeof blocks / sizeof blocks[0])], sizeof g->p->block);
    memcpy(g->p->grid, grids[gen_below(g, sizeof grids / sizeof grids[0])], sizeof g->p->grid);
    if (gen_has(g, GEN_SHAPE_SMALL)) {
        const uint32_t flat[] = {32u << gen_below(g, 4), 1, 1},
                       rows[] = {1 + gen_below(g, 2), 1, 1};
        memcpy(g->p->block, flat, sizeof flat);
        memcpy(g->p->grid, rows, sizeof rows);
    }
}

/* ---- Types and tables ---- */

static const struct gen_type *make_struct(struct generator *g, uint32_t index)
{
    const uint32_t n = 1 + gen_below(g, 4);
    struct gen_member *members = gen_new(g, n, sizeof *members);
    struct gen_type *t = gen_new(g, 1, sizeof *t);
    t->kind = GEN_STRUCT;
    t->name = qn__arena_printf(g->arena, "k%u_struct%u", g->p->index, index);
    t->members = members;
    t->n = n;
    t->align_bytes = 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct gen_type *type = gen_random_type(g); /* structs nest: earlier ones only */
        if (gen_chance(g, 20))
            type = gen_array_of(g, &gen_scalars[gen_random_scalar(g)], 2 + gen_below(g, 3));
        const uint32_t align = type->align_bytes;
        members[i].name = qn__arena_printf(g->arena, "m%u", i);
        members[i].type = type;
        members[i].offset_bytes = (t->size_bytes + align - 1) / align * align;
        t->size_bytes = members[i].offset_bytes + type->size_bytes;
        t->align_bytes = align > t->align_bytes ? align : t->align_bytes;
    }
    t->size_bytes = (t->size_bytes + t->align_bytes - 1) / t->align_bytes * t->align_bytes;
    return t;
}

static void make_table(struct generator *g)
{
    const enum gen_scalar type = gen_random_scalar(g);
    struct gen_var *v = gen_new(g, 1, sizeof *v);
    v->storage = GEN_CONSTANT;
    v->type = gen_array_of(g, &gen_scalars[type], 3 + gen_below(g, 14));
    if (gen_has(g, GEN_SHAPE_GATHER))
        v->type = gen_array_of(g, &gen_scalars[type], 16u << gen_below(g, 6));
    v->name = qn__arena_printf(g->arena, "k%u_table", g->p->index);
    v->is_const = v->is_uniform = true;
    v->init = gen_new(g, v->type->n, sizeof *v->init);
    for (uint32_t i = 0; i < v->type->n; i++)
        v->init[i] = *gen_random_const(g, type);
    g->p->constant_bytes = v->type->size_bytes;
    g->p->globals[g->p->n_globals++] = v;
}

static void make_shared(struct generator *g)
{
    const bool is_small = gen_has(g, GEN_SHAPE_SMALL);
    const uint32_t threads = gen_block_threads(g->p), n_arrays = is_small ? 0 : gen_below(g, 3);
    for (uint32_t i = 0; i < n_arrays; i++)
        gen_shared(g, gen_chance(g, 50) ? &gen_scalars[i ? GEN_U32 : GEN_I32] : gen_random_type(g),
                   threads);
    if (gen_chance(g, 50) && threads > 8 && !is_small) /* words for atomics */
        gen_shared(g, &gen_scalars[gen_chance(g, 50) ? GEN_U32 : GEN_I32], 1 + gen_below(g, 8));
    for (uint32_t i = 0; i < g->p->n_globals; i++) {
        struct gen_var *v = g->p->globals[i];
        v->is_volatile = gen_has(g, GEN_SHAPE_VOLATILE) && v->storage == GEN_SHARED &&
                         v->type->element->kind == GEN_SCALAR && gen_chance(g, 40);
    }
    if (!is_small || gen_chance(g, 50))
        gen_shared_tables(g);
    if (!gen_chance(g, 30) || is_small)
        return;
    const bool is_table = gen_has(g, GEN_SHAPE_GATHER) && gen_chance(g, 60);
    const uint32_t n = is_table ? 64u << gen_below(g, 4) : threads;
    struct gen_var *v = gen_shared(g, &gen_scalars[gen_random_scalar(g)], n);
    const uint32_t bytes = v->type->size_bytes; /* the last one, and moved after the static ones */
    g->p->shared_bytes = v->offset_bytes;
    g->p->dynamic_bytes = (bytes + 15) & ~15u;
    v->type = gen_pointer_to(g, v->type->element);
    v->is_dynamic = true;
    v->is_table = is_table;
    v->extent = n;
}

/* ---- Parameters ---- */

static void fill_scalar(struct generator *g, enum gen_scalar type, unsigned char *to)
{
    uint64_t v = gen_random_const(g, type)->bits;
    if (g->shapes && gen_chance(g, 20)) {
        gen_store(to, type, gen_extreme(g, type, 0)->bits);
        return;
    }
    if (gen_chance(g, 60) && type != GEN_BOOL) {
        const double x = ((double)gen_below(g, 4001) - 2000) / 16;
        v = gen_is_float(type) ? gen_convert(gen_of_double(x), GEN_F64, type)
                               : gen_convert(gen_random(g), GEN_U64, type);
    }
    gen_store(to, type, v);
}

static void fill(struct generator *g, const struct gen_type *type, unsigned char *to)
{
    if (type->kind == GEN_SCALAR) {
        fill_scalar(g, type->scalar, to);
        return;
    }
    for (uint32_t i = 0; i < type->n; i++) {
        const bool is_struct = type->kind == GEN_STRUCT;
        fill(g, is_struct ? type->members[i].type : type->element,
             to + (is_struct ? type->members[i].offset_bytes : i * type->element->size_bytes));
    }
}

void gen_add_buffer(struct generator *g, enum gen_buffer_role role, const struct gen_type *element,
                    uint32_t n)
{
    static const char *const prefixes[] = {"in", "out", "total"};
    struct gen_buffer *b = &g->p->buffers[g->p->n_buffers++];
    b->var = gen_local(g, gen_pointer_to(g, element), prefixes[role]);
    b->var->extent = n;
    b->var->is_const = b->var->is_uniform = role == GEN_INPUT;
    b->element = element;
    b->role = role;
    b->n = n;
    b->initial = gen_new(g, n, element->size_bytes);
    for (uint32_t i = 0; i < n; i++)
        if (role == GEN_ACCUMULATOR)
            gen_store(b->initial + i * element->size_bytes, element->scalar,
                      gen_convert(i + 3, GEN_U64, element->scalar));
        else
            fill(g, element, b->initial + i * element->size_bytes);
}

static void make_buffers(struct generator *g)
{
    static const enum gen_scalar atomic_types[] = {GEN_I32, GEN_U32, GEN_U64, GEN_F32};
    const uint32_t threads = gen_all_threads(g->p);
    const bool is_small = gen_has(g, GEN_SHAPE_SMALL);
    uint32_t n = 1 + gen_below(g, 2);
    gen_add_buffer(g, GEN_OUTPUT, &gen_scalars[GEN_U64], threads); /* the digest */
    for (uint32_t i = 0; i < n; i++)
        gen_add_buffer(g, GEN_OUTPUT, gen_random_type(g),
                       threads * (is_small ? 1 : 1 + gen_below(g, 3)));
    n = 1 + gen_below(g, 3);
    for (uint32_t i = 0; i < n; i++)
        gen_add_buffer(g, GEN_INPUT, gen_random_type(g), 16 + gen_below(g, threads + 50));
    n = is_small ? 0 : gen_below(g, 3);
    for (uint32_t i = 0; i < n; i++) {
        const enum gen_scalar type = atomic_types[gen_below(g, 4)];
        const bool adds = gen_is_float(type);
        gen_add_buffer(g, GEN_ACCUMULATOR, &gen_scalars[type], 1 + gen_below(g, 5));
        struct gen_var *v = g->p->buffers[g->p->n_buffers - 1].var;
        v->is_atomic = true;
        v->extent = adds ? GEN_ATOMIC_ADD : gen_below(g, GEN_ATOMIC_XOR + 1);
    }
    gen_shape_buffers(g);
}

static void make_parameters(struct generator *g)
{
    struct gen_program *p = g->p;
    make_buffers(g);
    p->n_arguments = gen_below(g, GEN_MAX_SCALARS + 1);
    p->kernel->n_params = p->n_buffers + p->n_arguments;
    p->kernel->params = gen_new(g, p->kernel->n_params, sizeof(struct gen_var *));
    for (uint32_t i = 0; i < p->n_buffers; i++)
        p->kernel->params[i] = p->buffers[i].var;
    for (uint32_t i = 0; i < p->n_arguments; i++) {
        const struct gen_type *type = gen_random_type(g);
        struct gen_var *v = gen_local(g, type, "arg");
        v->is_uniform = v->is_const = gen_chance(g, 70);
        p->kernel->params[p->n_buffers + i] = v;
        p->arguments[i] = gen_new(g, 1, type->size_bytes);
        fill(g, type, p->arguments[i]);
    }
}

/* ---- Helpers ---- */

static struct gen_function *make_helper(struct generator *g, uint32_t index)
{
    struct gen_function *f = gen_new(g, 1, sizeof *f);
    const uint32_t n = 1 + gen_below(g, 4);
    f->name = qn__arena_printf(g->arena, "k%u_helper%u", g->p->index, index);
    f->params = gen_new(g, n, sizeof(struct gen_var *));
    g->function = f;
    g->flow = GEN_FLOW_DIVERGENT;
    g->n_scope = 0;
    g->depth = 1;
    g->budget = 8;
    for (; f->n_params < n; f->n_params++) {
        const struct gen_type *type = gen_random_type(g);
        const uint32_t roll = gen_below(g, 100);
        const bool is_pointer = roll < 30;
        struct gen_var *v = gen_local(g, is_pointer ? gen_pointer_to(g, type) : type, "a");
        v->extent = is_pointer ? 1 + gen_below(g, 4) : 0;
        v->is_const = is_pointer && roll < 22;
        v->is_reference = !is_pointer && roll < 45;
        f->params[f->n_params] = v;
        gen_see(g, v);
    }
    const bool is_scalar_first =
        !f->params[0]->is_reference && f->params[0]->type->kind == GEN_SCALAR;
    f->is_template = is_scalar_first && gen_chance(g, 25);
    f->result = gen_chance(g, 85) ? &gen_scalars[gen_random_scalar(g)] : NULL;
    struct gen_list list = {0};
    gen_append(&list, gen_random_block(g, 2 + gen_below(g, 4)));
    if (f->result) {
        struct gen_stmt *leave = gen_stmt_new(g, GEN_RETURN);
        leave->value = gen_random_expr(g, f->result->scalar, 3);
        gen_append(&list, leave);
    }
    f->body = gen_block(g, &list);
    g->n_scope = 0;
    g->depth = 0;
    return f;
}

static void make_helpers(struct generator *g)
{
    const uint32_t n = gen_has(g, GEN_SHAPE_SMALL) ? 0 : gen_below(g, 4);
    g->p->helpers = gen_new(g, n + 5, sizeof(struct gen_function *));
    if (!(g->without & GEN_WITHOUT_BARRIER) && gen_chance(g, 40))
        g->p->helpers[g->p->n_helpers++] = gen_block_sum_helper(g);
    g->n_callable = g->p->n_helpers;
    for (uint32_t i = 0; i < n; i++) {
        g->p->helpers[g->p->n_helpers++] = make_helper(g, i);
        g->n_callable = g->p->n_helpers;
    }
    gen_division_helpers(g);
    gen_spaces_helper(g);
}

/* ---- The kernel ---- */

/* word.x + size.x * (word.y + size.y * word.z); all fixed: each thread must keep its own element */
static struct gen_expr *linear(struct generator *g, enum gen_thread_word word,
                               enum gen_thread_word size)
{
    struct gen_expr *e = gen_fixed(gen_thread(g, word, 2));
    for (int axis = 1; axis >= 0; axis--) {
        struct gen_expr *here = gen_fixed(gen_thread(g, word, (uint32_t)axis));
        struct gen_expr *by = gen_fixed(gen_thread(g, size, (uint32_t)axis));
        e = gen_fixed(gen_binary(g, GEN_ADD, here, gen_fixed(gen_binary(g, GEN_MUL, by, e))));
    }
    return e;
}

static void make_preamble(struct generator *g, struct gen_list *list)
{
    const bool is_flat = g->p->block[1] == 1 && g->p->block[2] == 1;
    g->tid = gen_local(g, &gen_scalars[GEN_U32], "tid");
    g->gid = gen_local(g, &gen_scalars[GEN_U32], "gid");
    g->tid->is_const = g->gid->is_const = true;
    struct gen_expr *rank =
        is_flat ? gen_thread(g, GEN_THREAD_IDX, 0) : linear(g, GEN_THREAD_IDX, GEN_BLOCK_DIM);
    gen_append(list, gen_declare(g, g->tid, gen_fixed(rank)));
    struct gen_expr *size = gen_fixed(gen_thread(g, GEN_BLOCK_DIM, 0));
    for (uint32_t axis = 1; axis < 3 && !is_flat; axis++)
        size =
            gen_fixed(gen_binary(g, GEN_MUL, size, gen_fixed(gen_thread(g, GEN_BLOCK_DIM, axis))));
    struct gen_expr *group = gen_has(g, GEN_SHAPE_SMALL)
                                 ? gen_fixed(gen_thread(g, GEN_BLOCK_IDX, 0))
                                 : linear(g, GEN_BLOCK_IDX, GEN_GRID_DIM);
    struct gen_expr *before = gen_fixed(gen_binary(g, GEN_MUL, group, gen_fixed(size)));
    gen_append(list, gen_declare(
                         g, g->gid,
                         gen_fixed(gen_binary(g, GEN_ADD, before, gen_fixed(gen_use(g, g->tid))))));
    gen_see(g, g->tid);
    gen_see(g, g->gid);
}

/* Every shared element gets a value before anybody may read it. */
static void init_shared(struct generator *g, struct gen_list *list)
{
    const uint32_t threads = gen_block_threads(g->p);
    bool any = false;
    for (uint32_t i = 0; i < g->p->n_globals; i++) {
        struct gen_var *v = g->p->globals[i];
        if (v->storage != GEN_SHARED)
            continue;
        any = true;
        if (v->is_table) {
            gen_append(list, gen_fill_table(g, v));
            continue;
        }
        struct gen_expr *slot =
            gen_fixed(gen_index(g, gen_use(g, v), gen_fixed(gen_use(g, g->tid))));
        struct gen_stmt *s = NULL;
        if (slot->type->kind == GEN_SCALAR) {
            s = gen_assign(g, slot, gen_random_const(g, slot->type->scalar));
        } else {
            struct gen_var *first = gen_local(g, slot->type, "first");
            gen_append(list, gen_declare(g, first, NULL)); /* all zero */
            s = gen_assign(g, slot, gen_fixed(gen_use(g, first)));
        }
        const uint32_t n = v->is_dynamic ? v->extent : v->type->n;
        if (n < threads)
            s = gen_if(g,
                       gen_fixed(gen_binary(g, GEN_LT, gen_fixed(gen_use(g, g->tid)),
                                            gen_fixed(gen_const(g, GEN_U32, n)))),
                       s);
        s->is_fixed = true;
        gen_append(list, s);
    }
    if (any)
        gen_append(list, gen_stmt_new(g, GEN_BARRIER));
    for (uint32_t i = 0; i < list->n; i++)
        list->items[i]->is_fixed = true;
}

/* digest = digest * 31 + x for one scalar; floats by their bits, NaN as 0 */
static void digest_scalar(struct generator *g, struct gen_list *list, struct gen_var *digest,
                          struct gen_expr *x)
{
    gen_fixed(x);
    if (x->type->scalar == GEN_F64)
        x = gen_fixed(gen_cast(g, GEN_F32, x));
    if (x->type->scalar == GEN_F32)
        x = gen_as_int(g, x);
    struct gen_expr *e = gen_binary(g, GEN_MUL, gen_use(g, digest), gen_const(g, GEN_U64, 31));
    e = gen_binary(g, GEN_ADD, e, gen_cast(g, GEN_U64, x));
    gen_append(list, gen_assign(g, gen_fixed(gen_use(g, digest)), e));
}

static void digest_place(struct generator *g, struct gen_list *list, struct gen_var *digest,
                         struct gen_expr *place)
{
    const struct gen_type *type = place->type;
    if (type->kind == GEN_SCALAR) {
        digest_scalar(g, list, digest, place);
        return;
    }
    for (uint32_t i = 0; i < type->n; i++)
        digest_place(g, list, digest,
                     type->kind == GEN_ARRAY
                         ? gen_index(g, place, gen_fixed(gen_const(g, GEN_U32, i)))
                         : gen_member(g, place, i));
}

static struct gen_expr *output_value(struct generator *g, enum gen_scalar type)
{
    struct gen_expr *e = gen_has(g, GEN_SHAPE_SMALL) ? gen_gather(g, type) : NULL;
    return e ? e : gen_random_expr(g, type, 3);
}

static void make_results(struct generator *g, struct gen_list *list)
{
    struct gen_list parts = {0}, stores = {0};
    struct gen_var *digest = gen_local(g, &gen_scalars[GEN_U64], "digest");
    gen_append(&parts, gen_declare(g, digest, gen_const(g, GEN_U64, 17)));
    for (uint32_t i = g->n_scope; i-- > g->first_result && parts.n < GEN_MAX_LIST / 2;) {
        struct gen_var *v = g->scope[i];
        const bool is_large = v->type->kind == GEN_ARRAY && v->type->n > 16;
        if (v->storage == GEN_LOCAL && v->type->kind != GEN_POINTER && !v->is_uniform && !is_large)
            digest_place(g, &parts, digest, gen_use(g, v));
    }
    for (uint32_t i = 0; i < g->p->n_buffers; i++) {
        const struct gen_buffer *b = &g->p->buffers[i];
        const uint32_t k = b->n / gen_all_threads(g->p);
        for (uint32_t c = 0; b->role == GEN_OUTPUT && c < k; c++) {
            const struct gen_type *type = b->element;
            struct gen_expr *value = i == 0                     ? gen_use(g, digest)
                                     : type->kind == GEN_SCALAR ? output_value(g, type->scalar)
                                                                : gen_random_place(g, type, false);
            if (value && type->kind != GEN_SCALAR)
                gen_fixed(value);
            if (value)
                gen_append(&stores, gen_assign(g, gen_output_place(g, b, c), value));
        }
    }
    gen_append(list, gen_block(g, &parts));
    gen_append(list, gen_block(g, &stores));
}

/* Straight code, which PoCL's loop over the work-items leaves to LLVM's vectoriser. */
static void make_small_body(struct generator *g, struct gen_list *list)
{
    g->flow = GEN_FLOW_DIVERGENT; /* nothing together */
    g->first_result = g->n_scope;
    for (uint32_t n = gen_below(g, 4); n > 0; n--) {
        const enum gen_scalar type = gen_random_scalar(g);
        const uint32_t roll = gen_below(g, 100);
        struct gen_expr *e = roll < 60 ? gen_gather(g, type) : NULL;
        struct gen_stmt *s = NULL;
        if (!e && roll < 85)
            s = roll % 2 ? gen_raw_stmt(g) : gen_memory_stmt(g);
        if (!s) {
            struct gen_var *v = gen_local(g, &gen_scalars[type], "v");
            s = gen_declare(g, v, e ? e : gen_random_expr(g, type, 2));
            gen_see(g, v);
        }
        gen_append(list, s);
    }
}

static void make_kernel(struct generator *g)
{
    struct gen_list list = {0};
    g->function = g->p->kernel;
    g->flow = GEN_FLOW_BLOCK;
    g->budget = 30;
    for (uint32_t i = 0; i < g->p->n_globals; i++)
        gen_see(g, g->p->globals[i]);
    for (uint32_t i = 0; i < g->p->kernel->n_params; i++)
        if (i >= g->p->n_buffers || g->p->buffers[i].role == GEN_INPUT)
            gen_see(g, g->p->kernel->params[i]);
    make_preamble(g, &list);
    init_shared(g, &list);
    if (gen_has(g, GEN_SHAPE_SMALL)) {
        make_small_body(g, &list);
    } else {
        for (int i = 0; i < 4; i++)
            gen_append(&list, gen_random_declare(g));
        gen_append(&list, gen_random_block(g, 8 + gen_below(g, 10)));
    }
    make_results(g, &list);
    g->p->kernel->body = gen_block(g, &list);
}

/* By a sequence of its own, so that a seed without shapes is the program it was before there were
 * any. Indices that wrap are right only where a compiler computes 32-bit addresses, which no
 * unoptimised compile does, and that is what the undefined shapes are measured by. */
static uint32_t choose_shapes(uint64_t seed, const struct gen_choice *choice)
{
    struct generator g = {.rng = seed * 0x9fb21c651e98df25u + 7};
    uint32_t chosen = 0;
    if (choice->how == GEN_EXACTLY)
        return choice->shapes;
    if (choice->how == GEN_BY_SEED && gen_chance(&g, 40))
        return 0;
    while (!chosen && choice->shapes)
        for (uint32_t bit = 1; bit < GEN_SHAPES; bit <<= 1)
            if ((choice->shapes & bit) && gen_chance(&g, 35))
                chosen |= bit;
    if ((chosen & GEN_SHAPE_BELOW) && (chosen & GEN_SHAPES_UNDEFINED))
        chosen &= gen_chance(&g, 70) ? ~(uint32_t)GEN_SHAPE_BELOW : ~(uint32_t)GEN_SHAPES_UNDEFINED;
    return chosen;
}

struct gen_program *gen_generate(struct qn__arena *arena, uint64_t seed, uint32_t index,
                                 const struct gen_choice *choice)
{
    const uint32_t without = choice->without;
    struct generator g = {
        .arena = arena, .rng = seed * 0x2545f4914f6cdd1du + 1, .without = without};
    g.shapes = choose_shapes(seed, choice);
    struct gen_program *p = gen_new(&g, 1, sizeof *p);
    g.p = p;
    p->seed = seed;
    p->without = without;
    p->shapes = g.shapes;
    p->index = index;
    p->kernel = gen_new(&g, 1, sizeof *p->kernel);
    p->kernel->name = qn__arena_printf(arena, "k%u", index);
    p->globals = gen_new(&g, 16, sizeof(struct gen_var *));
    choose_shape(&g);
    const uint32_t n_structs = gen_below(&g, 3);
    struct gen_type const **structs = gen_new(&g, n_structs, sizeof *structs);
    p->structs = structs;
    for (uint32_t i = 0; i < n_structs; i++) {
        structs[i] = make_struct(&g, i);
        p->n_structs = i + 1;
    }
    gen_overlay_types(&g);
    make_helpers(&g);
    if (gen_chance(&g, 40) || gen_has(&g, GEN_SHAPE_GATHER))
        make_table(&g);
    if (!(without & GEN_WITHOUT_BARRIER))
        make_shared(&g);
    g.function = p->kernel;
    make_parameters(&g);
    make_kernel(&g);
    return p;
}

size_t gen_buffer_bytes(const struct gen_buffer *b)
{
    return (size_t)b->n * b->element->size_bytes;
}

unsigned char *gen_buffer_copy(const struct gen_buffer *b)
{
    unsigned char *const p = malloc(gen_buffer_bytes(b));
    if (!p)
        abort();
    return memcpy(p, b->initial, gen_buffer_bytes(b));
}
