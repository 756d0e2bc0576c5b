/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads do together: phases on shared memory between barriers, warp operations, and the
 * idioms around them. Shared arrays are written here only, always as
 *
 *     barrier; write; barrier
 *
 * so that they may be read anywhere else, in divergent code too: a thread that runs ahead waits at
 * the first barrier of the next phase. While a phase writes an array, it is hidden from
 * expressions. */
#include "tests/compiler/generator/random.h"

#define U32(g, v) gen_fixed(gen_const((g), GEN_U32, (v)))

static struct gen_stmt *barrier(struct generator *g)
{
    g->p->n_barriers++;
    return gen_stmt_new(g, GEN_BARRIER);
}

static struct gen_expr *tid(struct generator *g)
{
    return gen_fixed(gen_use(g, g->tid));
}

static struct gen_stmt *finish(struct generator *g, const struct gen_list *list)
{
    struct gen_stmt *s = gen_block(g, list);
    s->is_fixed = true;
    return s;
}

/* A shared array that is big enough, or NULL. Per-thread arrays have an element for each thread. */
static struct gen_var *pick_shared(struct generator *g, bool per_thread, bool is_scalar)
{
    for (int tries = 0; tries < 8 && g->p->n_globals; tries++) {
        struct gen_var *v = g->p->globals[gen_below(g, g->p->n_globals)];
        const uint32_t n = v->is_dynamic ? v->extent : v->type->n;
        if (v->storage == GEN_SHARED && !v->is_table &&
            (n >= gen_block_threads(g->p)) == per_thread &&
            (!is_scalar || v->type->element->kind == GEN_SCALAR))
            return v;
    }
    return NULL;
}

/* ---- Phases on shared memory ---- */

static struct gen_stmt *exchange(struct generator *g)
{
    struct gen_var *s = pick_shared(g, true, false);
    if (!s)
        return NULL;
    struct gen_list list = {0};
    const struct gen_type *type = s->type->element;
    gen_append(&list, barrier(g));
    s->is_hidden = true;
    struct gen_expr *slot = gen_fixed(gen_index(g, gen_use(g, s), tid(g)));
    struct gen_expr *value = type->kind == GEN_SCALAR ? gen_random_expr(g, type->scalar, 3)
                                                      : gen_random_place(g, type, false);
    struct gen_stmt *write = value ? gen_assign(g, slot, value) : NULL;
    if (value && type->kind != GEN_SCALAR)
        gen_fixed(value);
    if (write && gen_chance(g, 30)) /* only some threads write */
        write = gen_if(g, gen_random_expr(g, GEN_BOOL, 2), write);
    gen_append(&list, write);
    s->is_hidden = false;
    gen_append(&list, barrier(g));
    return finish(g, &list);
}

/* for (step = n / 2; step > 0; step /= 2) { if (tid < step) s[tid] += s[tid + step]; barrier; },
 * written with the loops the program has: step = n >> (i + 1). */
static struct gen_stmt *tree_reduce(struct generator *g)
{
    const uint32_t n = gen_block_threads(g->p);
    struct gen_var *s = pick_shared(g, true, true);
    if (!s || (n & (n - 1)) || s->type->element->scalar == GEN_BOOL)
        return NULL;
    uint32_t turns = 0;
    while (1u << turns < n)
        turns++;
    struct gen_list list = {0}, body = {0};
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "turn");
    loop->value = gen_fixed(gen_const(g, GEN_I32, turns));
    struct gen_var *step = gen_local(g, &gen_scalars[GEN_U32], "step");
    struct gen_expr *turn = gen_fixed(gen_cast(g, GEN_U32, gen_use(g, loop->var)));
    struct gen_expr *by = gen_fixed(gen_binary(g, GEN_ADD, turn, U32(g, 1)));
    gen_append(&body, gen_declare(g, step, gen_fixed(gen_binary(g, GEN_SHR, U32(g, n), by))));
    struct gen_expr *far = gen_fixed(gen_binary(g, GEN_ADD, tid(g), gen_fixed(gen_use(g, step))));
    struct gen_expr *mine = gen_fixed(gen_index(g, gen_use(g, s), tid(g)));
    struct gen_expr *sum =
        gen_binary(g, GEN_ADD, mine, gen_fixed(gen_index(g, gen_use(g, s), far)));
    gen_append(&body, gen_if(g, gen_fixed(gen_binary(g, GEN_LT, tid(g), gen_use(g, step))),
                             gen_assign(g, mine, gen_fixed(sum))));
    gen_append(&body, barrier(g));
    loop->body = gen_block(g, &body);
    gen_append(&list, barrier(g));
    s->is_hidden = true;
    gen_append(&list, gen_assign(g, mine, gen_random_expr(g, s->type->element->scalar, 2)));
    s->is_hidden = false;
    gen_append(&list, barrier(g));
    gen_append(&list, loop);
    return finish(g, &list);
}

/* Atomics on a few shared words, in divergent code between two barriers. */
static struct gen_stmt *shared_atomics(struct generator *g)
{
    static const enum gen_atomic ops[] = {GEN_ATOMIC_ADD, GEN_ATOMIC_MIN, GEN_ATOMIC_MAX,
                                          GEN_ATOMIC_AND, GEN_ATOMIC_OR,  GEN_ATOMIC_XOR};
    struct gen_var *s = pick_shared(g, false, true);
    if (!s || s->is_volatile) /* CUDA's atomics take no volatile */
        return NULL;
    const enum gen_scalar type = s->type->element->scalar;
    struct gen_list list = {0};
    gen_append(&list, barrier(g));
    s->is_hidden = true;
    /* the words are set by thread t < n, which may have exited: then their old value stays */
    struct gen_expr *slot = gen_fixed(gen_index(g, gen_use(g, s), tid(g)));
    gen_append(&list, gen_if(g, gen_fixed(gen_binary(g, GEN_LT, tid(g), U32(g, s->type->n))),
                             gen_assign(g, slot, gen_random_const(g, type))));
    gen_append(&list, barrier(g));
    struct gen_stmt *atomic = gen_stmt_new(g, GEN_ATOMIC);
    atomic->op = ops[gen_below(g, 6)];
    atomic->place = gen_fixed(gen_index(g, gen_use(g, s), gen_random_index(g, s->type->n)));
    atomic->value = gen_random_expr(g, type, 2);
    gen_append(&list,
               gen_chance(g, 60) ? gen_if(g, gen_random_expr(g, GEN_BOOL, 2), atomic) : atomic);
    s->is_hidden = false;
    gen_append(&list, barrier(g));
    return finish(g, &list);
}

static struct gen_stmt *barrier_vote(struct generator *g)
{
    struct gen_list list = {0};
    struct gen_var *v = gen_local(g, &gen_scalars[GEN_I32], "vote");
    struct gen_stmt *s = gen_stmt_new(g, GEN_BARRIER_VOTE);
    g->p->n_barriers++;
    s->op = gen_below(g, 3);
    s->place = gen_fixed(gen_use(g, v));
    s->value = gen_fixed(gen_cast(g, GEN_I32, gen_random_expr(g, GEN_BOOL, 2)));
    gen_append(&list, gen_declare(g, v, gen_const(g, GEN_I32, 0)));
    gen_append(&list, s);
    gen_see(g, v);
    return finish(g, &list);
}

static struct gen_stmt *collective_call(struct generator *g)
{
    for (uint32_t i = 0; i < g->n_callable; i++) {
        const struct gen_function *f = g->p->helpers[i];
        struct gen_var *scratch = pick_shared(g, true, true);
        if (!f->is_collective || !scratch || scratch->is_dynamic || scratch->is_volatile ||
            scratch->type->element != f->params[0]->type->element)
            continue;
        struct gen_list list = {0};
        struct gen_var *v = gen_local(g, f->result, "sum");
        struct gen_stmt *s = gen_stmt_new(g, GEN_CALL_STMT);
        scratch->is_hidden = true;
        s->function = f;
        s->place = gen_fixed(gen_use(g, v));
        s->values = gen_new(g, 4, sizeof(struct gen_expr *));
        s->n_values = 4;
        s->values[0] = gen_fixed(gen_use(g, scratch));
        s->values[1] = gen_random_expr(g, f->result->scalar, 2);
        s->values[2] = tid(g);
        s->values[3] = U32(g, gen_block_threads(g->p));
        scratch->is_hidden = false;
        gen_append(&list, gen_declare(g, v, gen_random_const(g, f->result->scalar)));
        gen_append(&list, s);
        gen_see(g, v);
        return finish(g, &list);
    }
    return NULL;
}

/* T block_sum(T *scratch, T value, unsigned int tid, unsigned int n): two barriers and a loop. */
struct gen_function *gen_block_sum_helper(struct generator *g)
{
    struct gen_function *f = gen_new(g, 1, sizeof *f);
    const struct gen_type *type = &gen_scalars[gen_chance(g, 50) ? GEN_U32 : GEN_I32];
    const struct gen_type *u32 = &gen_scalars[GEN_U32];
    f->name = qn__arena_printf(g->arena, "k%u_block_sum", g->p->index);
    f->result = type;
    f->is_collective = true;
    f->params = gen_new(g, 4, sizeof(struct gen_var *));
    f->n_params = 4;
    g->function = f;
    f->params[0] = gen_local(g, gen_pointer_to(g, type), "scratch");
    f->params[1] = gen_local(g, type, "value");
    f->params[2] = gen_local(g, u32, "rank");
    f->params[3] = gen_local(g, u32, "n");
    struct gen_var *sum = gen_local(g, type, "sum");
    struct gen_list list = {0}, body = {0};
    struct gen_stmt *loop = gen_stmt_new(g, GEN_FOR), *leave = gen_stmt_new(g, GEN_RETURN);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "i");
    loop->value = gen_fixed(gen_cast(g, GEN_I32, gen_use(g, f->params[3])));
    struct gen_expr *there =
        gen_fixed(gen_index(g, gen_use(g, f->params[0]), gen_fixed(gen_use(g, loop->var))));
    gen_append(&body, gen_assign(g, gen_use(g, sum),
                                 gen_fixed(gen_binary(g, GEN_ADD, gen_use(g, sum), there))));
    loop->body = gen_block(g, &body);
    gen_append(&list, barrier(g));
    gen_append(&list, gen_assign(g,
                                 gen_fixed(gen_index(g, gen_use(g, f->params[0]),
                                                     gen_fixed(gen_use(g, f->params[2])))),
                                 gen_fixed(gen_use(g, f->params[1]))));
    gen_append(&list, barrier(g));
    gen_append(&list, gen_declare(g, sum, gen_const(g, type->scalar, 0)));
    gen_append(&list, loop);
    leave->value = gen_fixed(gen_use(g, sum));
    gen_append(&list, leave);
    f->body = finish(g, &list);
    return f;
}

/* ---- Warp operations ---- */

static struct gen_stmt *warp_op(struct generator *g, enum gen_warp_op op, struct gen_expr *mask,
                                struct gen_var *to, struct gen_expr *value, struct gen_expr *lane)
{
    struct gen_stmt *s = gen_stmt_new(g, GEN_WARP);
    g->p->n_warp_ops++;
    s->op = op;
    s->mask = gen_fixed(mask);
    s->place = gen_fixed(gen_use(g, to));
    s->value = value;
    s->lane = lane ? gen_fixed(lane) : NULL;
    s->width = 32;
    return s;
}

static struct gen_expr *everyone(struct generator *g)
{
    return U32(g, 0xffffffffu);
}

static struct gen_expr *predicate(struct generator *g)
{
    return gen_fixed(gen_cast(g, GEN_I32, gen_random_expr(g, GEN_BOOL, 2)));
}

static struct gen_stmt *shuffle(struct generator *g)
{
    static const enum gen_scalar types[] = {GEN_I32, GEN_U32, GEN_F32, GEN_I64, GEN_U64, GEN_F64};
    const enum gen_scalar type = types[gen_below(g, 6)];
    const enum gen_warp_op op = (enum gen_warp_op)(GEN_SHFL + gen_below(g, 4));
    struct gen_var *v = gen_local(g, &gen_scalars[type], "lane");
    struct gen_expr *lane = gen_const(g, op == GEN_SHFL_XOR ? GEN_I32 : GEN_U32, gen_below(g, 32));
    if (op == GEN_SHFL)
        lane = gen_cast(g, GEN_I32, gen_random_index(g, 32));
    struct gen_stmt *s = warp_op(g, op, everyone(g), v, gen_random_expr(g, type, 2), lane);
    if (gen_chance(g, 30))
        s->width = 4u << gen_below(g, 3);
    if (op == GEN_SHFL_XOR) /* inside the segment, where CUDA and we need not argue */
        lane->bits &= s->width - 1;
    struct gen_list list = {0};
    gen_append(&list, gen_declare(g, v, gen_random_const(g, type)));
    gen_append(&list, s);
    gen_see(g, v);
    return finish(g, &list);
}

static struct gen_stmt *vote(struct generator *g)
{
    static const struct {
        enum gen_warp_op op;
        enum gen_scalar result, value;
    } rows[] = {
        {GEN_BALLOT, GEN_U32, GEN_BOOL},    {GEN_ANY, GEN_I32, GEN_BOOL},
        {GEN_ALL, GEN_I32, GEN_BOOL},       {GEN_MATCH_ANY, GEN_U32, GEN_U32},
        {GEN_MATCH_ANY, GEN_U32, GEN_U64},  {GEN_REDUCE_ADD, GEN_U32, GEN_U32},
        {GEN_REDUCE_ADD, GEN_I32, GEN_I32}, {GEN_REDUCE_MIN, GEN_I32, GEN_I32},
        {GEN_REDUCE_MAX, GEN_U32, GEN_U32},
    };
    const uint32_t i = gen_below(g, sizeof rows / sizeof rows[0]);
    struct gen_var *v = gen_local(g, &gen_scalars[rows[i].result], "vote");
    struct gen_expr *value =
        rows[i].value == GEN_BOOL ? predicate(g) : gen_random_expr(g, rows[i].value, 2);
    struct gen_list list = {0};
    gen_append(&list, gen_declare(g, v, gen_const(g, rows[i].result, 0)));
    gen_append(&list, warp_op(g, rows[i].op, everyone(g), v, value, NULL));
    gen_see(g, v);
    return finish(g, &list);
}

/* mask = ballot(c); if (c) { x = shfl(mask, value, first lane of mask); n = ballot(mask, other) }
 */
static struct gen_stmt *masked_region(struct generator *g)
{
    struct gen_list list = {0}, body = {0};
    struct gen_var *in = gen_local(g, &gen_scalars[GEN_BOOL], "in");
    struct gen_var *mask = gen_local(g, &gen_scalars[GEN_U32], "mask");
    struct gen_var *x = gen_local(g, &gen_scalars[GEN_I32], "lead");
    struct gen_var *votes = gen_local(g, &gen_scalars[GEN_U32], "votes");
    gen_append(&list, gen_declare(g, in, gen_random_expr(g, GEN_BOOL, 2)));
    gen_append(&list, gen_declare(g, mask, U32(g, 0)));
    gen_append(&list, gen_declare(g, x, gen_random_const(g, GEN_I32)));
    gen_append(&list, gen_declare(g, votes, gen_random_const(g, GEN_U32)));
    gen_append(&list, warp_op(g, GEN_BALLOT, everyone(g), mask,
                              gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_use(g, in)))), NULL));
    struct gen_expr *first = gen_fixed(
        gen_builtin(g, GEN_FFS, gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_use(g, mask))))));
    struct gen_expr *leader = gen_binary(g, GEN_SUB, first, gen_fixed(gen_const(g, GEN_I32, 1)));
    leader->is_plain = true;
    gen_append(&body,
               warp_op(g, GEN_SHFL, gen_use(g, mask), x, gen_random_expr(g, GEN_I32, 2), leader));
    gen_append(&body, warp_op(g, gen_chance(g, 50) ? GEN_BALLOT : GEN_REDUCE_ADD, gen_use(g, mask),
                              votes, gen_random_expr(g, GEN_U32, 1), NULL));
    struct gen_stmt *ballot = body.items[1];
    if (ballot->op == GEN_BALLOT)
        ballot->value = predicate(g);
    gen_append(&list, gen_if(g, gen_fixed(gen_use(g, in)), gen_block(g, &body)));
    gen_see(g, x);
    gen_see(g, votes);
    return finish(g, &list);
}

/* One lane after the other: the lowest one left leads, all get its value, until none is left.
 * The number of iterations differs between warps. */
static struct gen_stmt *lane_by_lane(struct generator *g)
{
    struct gen_list list = {0}, body = {0};
    struct gen_var *todo = gen_local(g, &gen_scalars[GEN_BOOL], "todo");
    struct gen_var *left = gen_local(g, &gen_scalars[GEN_U32], "left");
    struct gen_var *leader = gen_local(g, &gen_scalars[GEN_I32], "leader");
    struct gen_var *heard = gen_local(g, &gen_scalars[GEN_U32], "heard");
    struct gen_var *sum = gen_local(g, &gen_scalars[GEN_U32], "sum");
    struct gen_stmt *loop = gen_stmt_new(g, GEN_WHILE);
    loop->var = gen_local(g, &gen_scalars[GEN_I32], "turn");
    loop->count = 32;
    loop->value = gen_fixed(gen_binary(g, GEN_NE, gen_use(g, left), U32(g, 0)));
    gen_append(&list, gen_declare(g, todo, gen_random_expr(g, GEN_BOOL, 2)));
    gen_append(&list, gen_declare(g, left, U32(g, 0)));
    gen_append(&list, gen_declare(g, sum, gen_random_const(g, GEN_U32)));
    gen_append(&list, warp_op(g, GEN_BALLOT, everyone(g), left,
                              gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_use(g, todo)))), NULL));
    struct gen_expr *first = gen_fixed(
        gen_builtin(g, GEN_FFS, gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_use(g, left))))));
    struct gen_expr *lane = gen_binary(g, GEN_SUB, first, gen_fixed(gen_const(g, GEN_I32, 1)));
    lane->is_plain = true;
    gen_append(&body, gen_declare(g, leader, gen_fixed(lane)));
    gen_append(&body, gen_declare(g, heard, U32(g, 0)));
    gen_append(&body, warp_op(g, GEN_SHFL, everyone(g), heard, gen_random_expr(g, GEN_U32, 2),
                              gen_use(g, leader)));
    struct gen_expr *mixed = gen_binary(g, GEN_MUL, gen_use(g, sum), U32(g, 33));
    mixed = gen_binary(g, GEN_XOR, gen_fixed(mixed), gen_use(g, heard));
    gen_append(&body, gen_assign(g, gen_use(g, sum), gen_fixed(mixed)));
    struct gen_expr *my_lane =
        gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_binary(g, GEN_AND, tid(g), U32(g, 31)))));
    gen_append(&body, gen_if(g, gen_fixed(gen_binary(g, GEN_EQ, my_lane, gen_use(g, leader))),
                             gen_assign(g, gen_fixed(gen_use(g, todo)),
                                        gen_fixed(gen_const(g, GEN_BOOL, 0)))));
    gen_append(&body, warp_op(g, GEN_BALLOT, everyone(g), left,
                              gen_fixed(gen_cast(g, GEN_I32, gen_fixed(gen_use(g, todo)))), NULL));
    loop->body = gen_block(g, &body);
    gen_append(&list, loop);
    gen_see(g, sum);
    return finish(g, &list);
}

bool gen_has_whole_warps(const struct generator *g)
{
    return gen_block_threads(g->p) % 32 == 0;
}

static struct gen_stmt *block_collective(struct generator *g)
{
    const uint32_t roll = gen_below(g, 60);
    if (g->without & GEN_WITHOUT_BARRIER)
        return NULL;
    if (roll < 25)
        return exchange(g);
    if (roll < 35)
        return tree_reduce(g);
    if (roll < 47)
        return g->without & GEN_WITHOUT_ATOMIC ? NULL : shared_atomics(g);
    if (roll < 53)
        return g->without & GEN_WITHOUT_VOTE ? NULL : barrier_vote(g);
    return collective_call(g);
}

static struct gen_stmt *warp_collective(struct generator *g)
{
    const uint32_t roll = gen_below(g, 40);
    if ((g->without & GEN_WITHOUT_WARP) || !gen_has_whole_warps(g))
        return NULL;
    if (roll < 18 && !g->has_exited) /* a shuffle may read any lane: all must be there */
        return shuffle(g);
    return roll < 28 ? vote(g) : roll < 34 ? masked_region(g) : lane_by_lane(g);
}

struct gen_stmt *gen_random_collective(struct generator *g)
{
    if (!g->gid) /* helpers are called from anywhere */
        return NULL;
    return g->flow == GEN_FLOW_BLOCK && gen_chance(g, 60) ? block_collective(g)
                                                          : warp_collective(g);
}
