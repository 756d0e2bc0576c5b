/* SPDX-License-Identifier: Apache-2.0
 *
 * The meaning of a program: one block after the other, all its threads in lockstep.
 *
 * exec() takes the set of threads that reach a statement and returns the set that continues after
 * it; those that left through break or continue wait in their loop's record, those that returned
 * take no part until the function ends. An address is a number: space, buffer and offset, so that a
 * pointer may travel through variables and every access is checked against its bounds. Rules that
 * the generator promises (a shuffle reads an active lane, an index is inside its array) are checked
 * here: breaking one is a fault of the generator, reported through `why`. */
#include "tests/compiler/generator/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 16384, ARGUMENT_BYTES = 1024, MASK_WORDS = GEN_MAX_THREADS / 64, WARP = 32 };
static const uint64_t max_steps = 3000000;

struct mask {
    uint64_t w[MASK_WORDS];
};

enum space { SPACE_GLOBAL = 1, SPACE_SHARED, SPACE_CONSTANT, SPACE_PRIVATE };

struct loop {
    struct mask broke, continued;
};

struct run {
    const struct gen_program *p;
    unsigned char *const *buffers;
    unsigned char *shared, *constants, *frames; /* frames: FRAME_BYTES per thread */
    uint32_t base[GEN_MAX_THREADS];             /* of each thread's current frame */
    uint32_t thread_idx[GEN_MAX_THREADS][3], block_idx[3];
    uint64_t result[GEN_MAX_THREADS]; /* of the function that returned last */
    struct mask live;                 /* threads that have not left the kernel */
    const struct gen_function *function;
    struct loop *loop;
    enum gen_unwritten unwritten;
    uint64_t steps;
    const char *why; /* first broken rule; then everything stops */
};

static struct mask exec(struct run *r, const struct gen_stmt *s, struct mask m);
static uint64_t eval(struct run *r, const struct gen_expr *e, uint32_t t);

/* ---- Sets of threads ---- */

static bool has(const struct mask *m, uint32_t t)
{
    return m->w[t / 64] >> (t % 64) & 1;
}
static void add(struct mask *m, uint32_t t)
{
    m->w[t / 64] |= (uint64_t)1 << (t % 64);
}
static struct mask join(struct mask a, struct mask b)
{
    for (int i = 0; i < MASK_WORDS; i++)
        a.w[i] |= b.w[i];
    return a;
}
static bool is_empty(const struct mask *m)
{
    uint64_t any = 0;
    for (int i = 0; i < MASK_WORDS; i++)
        any |= m->w[i];
    return !any;
}
#define EACH(t, mask)                                                                              \
    for (uint32_t t = 0; t < GEN_MAX_THREADS; t++)                                                 \
        if (has(&(mask), t))

static void broken(struct run *r, const char *why)
{
    if (!r->why)
        r->why = why;
}

/* What nobody has written. `salt` makes it another content each time. */
static void fill(const struct run *r, unsigned char *to, size_t n_bytes, uint64_t salt)
{
    if (r->unwritten == GEN_UNWRITTEN_ZERO) {
        memset(to, 0, n_bytes);
        return;
    }
    for (size_t i = 0; i < n_bytes; i++) {
        salt = salt * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        to[i] = (unsigned char)(salt >> 56);
    }
}

/* ---- Addresses: space in the top byte, buffer in the next, offset below ---- */

static uint64_t address(enum space space, uint64_t buffer, uint64_t offset)
{
    return (uint64_t)space << 56 | buffer << 48 | offset;
}

static unsigned char *resolve(struct run *r, uint64_t at, uint32_t bytes, uint32_t t)
{
    static unsigned char nowhere[256];
    const uint64_t offset = at & 0xffffffffffff;
    const uint32_t buffer = (uint32_t)(at >> 48) & 0xff;
    unsigned char *memory = NULL;
    uint64_t size = 0;
    switch ((enum space)(at >> 56)) {
    case SPACE_GLOBAL:
        memory = r->buffers[buffer];
        size = (uint64_t)r->p->buffers[buffer].n * r->p->buffers[buffer].element->size_bytes;
        break;
    case SPACE_SHARED:
        memory = r->shared;
        size = r->p->shared_bytes + r->p->dynamic_bytes;
        break;
    case SPACE_CONSTANT:
        memory = r->constants;
        size = r->p->constant_bytes;
        break;
    case SPACE_PRIVATE:
        memory = r->frames + (size_t)t * FRAME_BYTES;
        size = FRAME_BYTES;
        break;
    }
    if (!memory || offset + bytes > size) {
        broken(r, "an address out of bounds");
        return nowhere;
    }
    return memory + offset;
}

static uint64_t var_address(const struct run *r, const struct gen_var *v, uint32_t t)
{
    switch (v->storage) {
    case GEN_SHARED: return address(SPACE_SHARED, 0, v->offset_bytes);
    case GEN_CONSTANT: return address(SPACE_CONSTANT, 0, v->offset_bytes);
    case GEN_LOCAL: break;
    }
    return address(SPACE_PRIVATE, 0, r->base[t] + v->offset_bytes);
}

static uint64_t load_pointer(struct run *r, uint64_t at, uint32_t t)
{
    uint64_t v;
    memcpy(&v, resolve(r, at, sizeof v, t), sizeof v);
    return v;
}

/* Where a place lies. */
static uint64_t place(struct run *r, const struct gen_expr *e, uint32_t t)
{
    switch (e->kind) {
    case GEN_VAR: {
        const uint64_t at = var_address(r, e->var, t);
        return e->var->is_reference ? load_pointer(r, at, t) : at;
    }
    case GEN_INDEX: {
        const uint64_t index = eval(r, e->b, t);
        const bool is_view = e->a->kind == GEN_VAR && e->a->var->is_dynamic;
        uint64_t base;
        if (e->a->type->kind == GEN_POINTER && !is_view) {
            base = eval(r, e->a, t);
        } else {
            base = place(r, e->a, t);
            if (!is_view && index >= e->a->type->n)
                broken(r, "an index outside its array");
        }
        if (e->is_raw)
            return base + (uint64_t)(int64_t)(int32_t)index * e->type->size_bytes;
        return base + index * e->type->size_bytes;
    }
    case GEN_MEMBER: {
        const struct gen_type *whole = e->a->type;
        const uint32_t offset = whole->kind == GEN_VECTOR ? e->member * whole->element->size_bytes
                                                          : whole->members[e->member].offset_bytes;
        return place(r, e->a, t) + offset;
    }
    default: break;
    }
    broken(r, "an expression that is no place");
    return 0;
}

/* ---- Functions ---- */

/* Arguments of one call for one thread, laid out like the start of the callee's frame. */
static void eval_args(struct run *r, unsigned char *frame, const struct gen_function *f,
                      struct gen_expr *const *args, uint32_t t)
{
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct gen_var *param = f->params[i];
        const struct gen_type *type = param->type;
        unsigned char *slot = frame + param->offset_bytes;
        if (param->is_reference || type->kind == GEN_POINTER) {
            const uint64_t v = param->is_reference ? place(r, args[i], t) : eval(r, args[i], t);
            memcpy(slot, &v, sizeof v);
        } else if (type->kind == GEN_SCALAR) {
            gen_store(slot, type->scalar, eval(r, args[i], t));
        } else {
            memcpy(slot, resolve(r, place(r, args[i], t), type->size_bytes, t), type->size_bytes);
        }
    }
}

/* Put the arguments of the threads in m into frames above the caller's, run, and take the frames
 * back. Results are left in r->result. An argument may itself call, and so write above the
 * caller's frame: hence the copy. */
static void call(struct run *r, const struct gen_function *f, struct gen_expr *const *args,
                 struct mask m)
{
    const struct gen_function *caller = r->function;
    struct loop *loop = r->loop;
    EACH(t, m)
    {
        unsigned char frame[ARGUMENT_BYTES];
        const uint32_t base = r->base[t] + caller->frame_bytes;
        const struct gen_var *last = f->params[f->n_params - 1];
        const uint32_t bytes = last->offset_bytes + ((last->type->size_bytes + 15) & ~15u);
        if (base + f->frame_bytes > FRAME_BYTES || bytes > sizeof frame) {
            broken(r, "too many or too large frames");
            return;
        }
        eval_args(r, frame, f, args, t);
        unsigned char *const to = r->frames + (size_t)t * FRAME_BYTES + base;
        fill(r, to, f->frame_bytes, r->steps + t);
        memcpy(to, frame, bytes);
    }
    EACH(t, m)
    r->base[t] += caller->frame_bytes;
    r->function = f;
    r->loop = NULL;
    exec(r, f->body, m);
    r->loop = loop;
    r->function = caller;
    EACH(t, m)
    r->base[t] -= caller->frame_bytes;
}

/* ---- Expressions ---- */

bool gen_is_literal(const struct gen_expr *e)
{
    switch (e->kind) {
    case GEN_CONST: return true;
    case GEN_UNARY:
    case GEN_CAST: return gen_is_literal(e->a);
    case GEN_BINARY: return gen_is_literal(e->a) && gen_is_literal(e->b);
    case GEN_TERNARY: return gen_is_literal(e->a) && (gen_is_literal(e->b) || gen_is_literal(e->c));
    case GEN_LOGICAL_AND:
    case GEN_LOGICAL_OR: return gen_is_literal(e->a) || gen_is_literal(e->b);
    case GEN_BUILTIN_CALL:
        for (uint32_t i = 0; i < gen_calls[e->call].n; i++)
            if (!gen_is_literal(e->args[i]))
                return false;
        return true;
    default: return false;
    }
}

static uint64_t eval_thread_word(const struct run *r, uint64_t bits, uint32_t t)
{
    const uint32_t axis = (uint32_t)bits % 4;
    switch ((enum gen_thread_word)(bits / 4)) {
    case GEN_THREAD_IDX: return r->thread_idx[t][axis];
    case GEN_BLOCK_IDX: return r->block_idx[axis];
    case GEN_BLOCK_DIM: return r->p->block[axis];
    case GEN_GRID_DIM: return r->p->grid[axis];
    }
    return 0;
}

static uint64_t eval_binary(struct run *r, const struct gen_expr *e, uint32_t t)
{
    const uint64_t a = eval(r, e->a, t), b = eval(r, e->b, t);
    if (e->type->kind == GEN_POINTER)
        return a + (uint64_t)((int64_t)b * (int64_t)e->type->element->size_bytes);
    const enum gen_scalar s = e->a->type->scalar;
    if ((e->op == GEN_DIV || e->op == GEN_REM) && !gen_is_float(s) && b == 0 && !e->is_raw) {
        broken(r, "division by zero");
        return 0;
    }
    if (e->is_raw && e->op != GEN_ADD && e->op != GEN_SUB && e->op != GEN_MUL && gen_is_literal(e))
        broken(r, "a literal that C leaves undefined");
    const uint64_t v = gen_apply(e->op, s, a, b);
    if (e->is_plain && gen_is_signed(s)) { /* the claim that printing relies on */
        int64_t exact = 0;
        const bool over =
            e->op == GEN_ADD   ? __builtin_add_overflow((int64_t)a, (int64_t)b, &exact)
            : e->op == GEN_SUB ? __builtin_sub_overflow((int64_t)a, (int64_t)b, &exact)
            : e->op == GEN_MUL ? __builtin_mul_overflow((int64_t)a, (int64_t)b, &exact)
                               : false;
        const bool has_sum = e->op == GEN_ADD || e->op == GEN_SUB || e->op == GEN_MUL;
        if (over || (has_sum && (s == GEN_I32 || s == GEN_I64) && exact != (int64_t)v))
            broken(r, "signed overflow");
    }
    return v;
}

/* The bit-field that a place is, or NULL. */
static const struct gen_member *bit_field(const struct gen_expr *e)
{
    if (e->kind != GEN_MEMBER || e->a->type->kind != GEN_STRUCT)
        return NULL;
    const struct gen_member *m = &e->a->type->members[e->member];
    return m->n_bits ? m : NULL;
}

static uint64_t get_bits(const struct gen_member *m, uint64_t unit)
{
    const uint64_t mask = (UINT64_C(1) << m->n_bits) - 1, v = unit >> m->first_bit & mask;
    const bool is_negative = gen_is_signed(m->type->scalar) && v >> (m->n_bits - 1);
    return is_negative ? v | ~mask : v;
}

static uint64_t put_bits(const struct gen_member *m, uint64_t unit, uint64_t v)
{
    const uint64_t mask = ((UINT64_C(1) << m->n_bits) - 1) << m->first_bit;
    return (unit & ~mask) | (v << m->first_bit & mask);
}

static uint64_t eval_call(struct run *r, const struct gen_expr *e, uint32_t t)
{
    struct mask one = {{0}};
    add(&one, t);
    call(r, e->function, e->args, one);
    return r->result[t];
}

static uint64_t eval(struct run *r, const struct gen_expr *e, uint32_t t)
{
    uint64_t v[3] = {0};
    if (r->why || ++r->steps > max_steps) {
        broken(r, "too many steps");
        return 1;
    }
    switch (e->kind) {
    case GEN_VAR:
        if (e->var->is_dynamic) /* the view itself: its first element's address */
            return var_address(r, e->var, t);
        if (e->type->kind == GEN_POINTER)
            return load_pointer(r, place(r, e, t), t);
        if (e->type->kind == GEN_ARRAY)
            return place(r, e, t);
        return gen_load(resolve(r, place(r, e, t), e->type->size_bytes, t), e->type->scalar);
    case GEN_INDEX:
    case GEN_MEMBER:
        if (e->type->kind == GEN_POINTER)
            return load_pointer(r, place(r, e, t), t);
        v[0] = gen_load(resolve(r, place(r, e, t), e->type->size_bytes, t), e->type->scalar);
        return bit_field(e) ? get_bits(bit_field(e), v[0]) : v[0];
    case GEN_CONST: return e->bits;
    case GEN_THREAD: return eval_thread_word(r, e->bits, t);
    case GEN_BINARY: return eval_binary(r, e, t);
    case GEN_UNARY: return gen_apply(e->op, e->type->scalar, eval(r, e->a, t), 0);
    case GEN_CAST: return gen_convert(eval(r, e->a, t), e->a->type->scalar, e->type->scalar);
    case GEN_TERNARY: return eval(r, e->a, t) ? eval(r, e->b, t) : eval(r, e->c, t);
    case GEN_LOGICAL_AND: return eval(r, e->a, t) && eval(r, e->b, t);
    case GEN_LOGICAL_OR: return eval(r, e->a, t) || eval(r, e->b, t);
    case GEN_BUILTIN_CALL:
        for (uint32_t i = 0; i < gen_calls[e->call].n; i++)
            v[i] = eval(r, e->args[i], t);
        return gen_apply_call(e->call, v);
    case GEN_FUNCTION_CALL: return eval_call(r, e, t);
    case GEN_ADDRESS: return place(r, e->a, t);
    }
    return 0;
}

/* ---- Statements ---- */

static void assign(struct run *r, const struct gen_expr *to, uint64_t v, uint32_t t)
{
    unsigned char *at = resolve(r, place(r, to, t), to->type->size_bytes, t);
    if (bit_field(to))
        v = put_bits(bit_field(to), gen_load(at, GEN_U32), v);
    gen_store(at, to->type->scalar, v);
}

static void copy(struct run *r, uint64_t to, const struct gen_expr *from, uint32_t t)
{
    unsigned char bytes[256];
    assert(from->type->size_bytes <= sizeof bytes);
    memcpy(bytes, resolve(r, place(r, from, t), from->type->size_bytes, t), from->type->size_bytes);
    memcpy(resolve(r, to, from->type->size_bytes, t), bytes, from->type->size_bytes);
}

/* Initialisers fill the scalars and pointers of an aggregate in order, a union's first member
 * alone; what is left is zero. */
static uint32_t init_aggregate(struct run *r, const struct gen_type *type, uint64_t at,
                               const struct gen_stmt *s, uint32_t next, uint32_t t)
{
    if (type->kind == GEN_SCALAR) {
        const uint64_t v = next < s->n_values ? eval(r, s->values[next], t) : 0;
        gen_store(resolve(r, at, type->size_bytes, t), type->scalar, v);
        return next + 1;
    }
    if (type->kind == GEN_POINTER) {
        const uint64_t v = eval(r, s->values[next], t);
        memcpy(resolve(r, at, sizeof v, t), &v, sizeof v);
        return next + 1;
    }
    const uint32_t n = type->is_union ? 1 : type->n;
    for (uint32_t i = 0; i < n; i++) {
        const bool is_struct = type->kind == GEN_STRUCT;
        const struct gen_type *part = is_struct ? type->members[i].type : type->element;
        const uint32_t offset = is_struct ? type->members[i].offset_bytes : i * part->size_bytes;
        next = init_aggregate(r, part, at + offset, s, next, t);
    }
    return next;
}

static void exec_declare(struct run *r, const struct gen_stmt *s, uint32_t t)
{
    const uint64_t at = var_address(r, s->var, t);
    const struct gen_type *type = s->var->type;
    if (s->var->is_reference || type->kind == GEN_POINTER) {
        const uint64_t v = s->var->is_reference ? place(r, s->value, t) : eval(r, s->value, t);
        memcpy(resolve(r, at, sizeof v, t), &v, sizeof v);
    } else if (!s->value) {
        init_aggregate(r, type, at, s, 0, t);
    } else if (type->kind == GEN_SCALAR) {
        gen_store(resolve(r, at, type->size_bytes, t), type->scalar, eval(r, s->value, t));
    } else {
        copy(r, at, s->value, t);
    }
}

static void exec_assign(struct run *r, const struct gen_stmt *s, uint32_t t)
{
    const struct gen_type *type = s->place->type;
    if (type->kind == GEN_POINTER) { /* p += n */
        const uint64_t at = place(r, s->place, t);
        const uint64_t v =
            load_pointer(r, at, t) + eval(r, s->value, t) * type->element->size_bytes;
        memcpy(resolve(r, at, sizeof v, t), &v, sizeof v);
    } else if (type->kind != GEN_SCALAR) {
        copy(r, place(r, s->place, t), s->value, t);
    } else {
        uint64_t v = eval(r, s->value, t);
        if (s->op != GEN_EQ)
            v = gen_apply((enum gen_op)s->op, type->scalar, eval(r, s->place, t), v);
        assign(r, s->place, v, t);
    }
}

/* Every thread of the block that still lives must be here. */
static void exec_barrier(struct run *r, const struct mask *m)
{
    if (memcmp(&r->live, m, sizeof *m))
        broken(r, "a barrier that not every live thread reaches");
}

static void exec_barrier_vote(struct run *r, const struct gen_stmt *s, const struct mask *m)
{
    uint64_t count = 0, n = 0;
    exec_barrier(r, m);
    EACH(t, *m)
    {
        count += eval(r, s->value, t) != 0;
        n++;
    }
    const uint64_t v = s->op == GEN_VOTE_COUNT ? count
                       : s->op == GEN_VOTE_AND ? (uint64_t)(count == n)
                                               : (uint64_t)(count > 0);
    EACH(t, *m)
    assign(r, s->place, v, t);
}

static uint64_t warp_value(struct run *r, const struct gen_stmt *s, uint32_t lanes,
                           const uint64_t *values, const uint64_t *where, uint32_t lane)
{
    const enum gen_scalar type = s->value->type->scalar;
    const uint32_t width = s->width ? s->width : WARP, first = lane & ~(width - 1);
    const uint32_t by = (uint32_t)where[lane];
    uint32_t from = lane;
    switch ((enum gen_warp_op)s->op) {
    case GEN_SHFL: from = first + (by & (width - 1)); break;
    case GEN_SHFL_UP: from = lane >= first + by ? lane - by : lane; break;
    case GEN_SHFL_DOWN: from = lane + by < first + width ? lane + by : lane; break;
    case GEN_SHFL_XOR: from = (lane ^ by) < first + width ? lane ^ by : lane; break;
    default: {
        uint64_t ballot = 0, same = 0, total = values[lane];
        for (uint32_t i = 0; i < WARP; i++) {
            if (!(lanes >> i & 1))
                continue;
            ballot |= (uint64_t)(values[i] != 0) << i;
            same |= (uint64_t)(values[i] == values[lane]) << i;
            if (i == lane)
                continue;
            const bool less = gen_apply(GEN_LT, type, values[i], total);
            total = s->op == GEN_REDUCE_ADD             ? gen_apply(GEN_ADD, type, total, values[i])
                    : (s->op == GEN_REDUCE_MIN) == less ? values[i]
                                                        : total;
        }
        return s->op == GEN_BALLOT      ? ballot
               : s->op == GEN_ANY       ? ballot != 0
               : s->op == GEN_ALL       ? ballot == lanes
               : s->op == GEN_MATCH_ANY ? same
                                        : total;
    }
    }
    if (!(lanes >> from & 1))
        broken(r, "a shuffle from a lane that is not there");
    return values[from];
}

static void exec_warp(struct run *r, const struct gen_stmt *s, const struct mask *m)
{
    for (uint32_t warp = 0; warp < GEN_MAX_THREADS / WARP; warp++) {
        uint64_t values[WARP] = {0}, where[WARP] = {0};
        uint32_t lanes = (uint32_t)(m->w[warp / 2] >> (warp % 2 * WARP));
        const uint32_t all = lanes;
        for (uint32_t i = 0; i < WARP; i++) {
            if (!(all >> i & 1))
                continue;
            const uint32_t t = warp * WARP + i;
            values[i] = eval(r, s->value, t);
            where[i] = s->lane ? eval(r, s->lane, t) : 0;
            const uint32_t named = (uint32_t)eval(r, s->mask, t);
            if ((named & all) != all || !(named >> i & 1))
                broken(r, "a warp operation reached by lanes outside its mask");
        }
        for (uint32_t i = 0; i < WARP; i++)
            if (all >> i & 1)
                assign(r, s->place, warp_value(r, s, lanes, values, where, i), warp * WARP + i);
    }
}

static void exec_atomic(struct run *r, const struct gen_stmt *s, uint32_t t)
{
    const enum gen_scalar type = s->place->type->scalar;
    const uint64_t old = eval(r, s->place, t), v = eval(r, s->value, t);
    uint64_t result = old;
    switch ((enum gen_atomic)s->op) {
    case GEN_ATOMIC_ADD: result = gen_apply(GEN_ADD, type, old, v); break;
    case GEN_ATOMIC_MIN: result = gen_apply(GEN_LT, type, v, old) ? v : old; break;
    case GEN_ATOMIC_MAX: result = gen_apply(GEN_GT, type, v, old) ? v : old; break;
    case GEN_ATOMIC_AND: result = old & v; break;
    case GEN_ATOMIC_OR: result = old | v; break;
    case GEN_ATOMIC_XOR: result = old ^ v; break;
    }
    assign(r, s->place, result, t);
}

/* Threads of m for which the loop's condition holds. */
static struct mask loop_test(struct run *r, const struct gen_stmt *s, struct mask m)
{
    struct mask on = {{0}};
    EACH(t, m)
    {
        const uint64_t i = gen_load(resolve(r, var_address(r, s->var, t), 4, t), GEN_I32);
        const bool goes_on = s->kind == GEN_FOR ? (int64_t)i < (int64_t)eval(r, s->value, t)
                                                : i < s->count && eval(r, s->value, t);
        if (goes_on)
            add(&on, t);
    }
    return on;
}

static void loop_count(struct run *r, const struct gen_stmt *s, struct mask m, bool from_zero)
{
    EACH(t, m)
    {
        unsigned char *at = resolve(r, var_address(r, s->var, t), 4, t);
        gen_store(at, GEN_I32, from_zero ? 0 : gen_load(at, GEN_I32) + 1);
    }
}

static struct mask exec_loop(struct run *r, const struct gen_stmt *s, struct mask m)
{
    struct loop here = {0}, *outer = r->loop;
    struct mask done = {{0}}; /* left by the condition */
    r->loop = &here;
    loop_count(r, s, m, true);
    struct mask on = s->kind == GEN_DO ? m : loop_test(r, s, m);
    for (int i = 0; i < MASK_WORDS; i++)
        done.w[i] = m.w[i] & ~on.w[i];
    while (!is_empty(&on) && !r->why) {
        if (s->kind != GEN_FOR)
            loop_count(r, s, on, false);
        here.continued = (struct mask){{0}};
        struct mask next = join(exec(r, s->body, on), here.continued);
        if (s->kind == GEN_FOR)
            loop_count(r, s, next, false);
        on = loop_test(r, s, next);
        for (int i = 0; i < MASK_WORDS; i++)
            done.w[i] |= next.w[i] & ~on.w[i];
    }
    r->loop = outer;
    return join(done, here.broke);
}

static struct mask exec_switch(struct run *r, const struct gen_stmt *s, struct mask m)
{
    struct mask behind = {{0}}, falling = {{0}};
    struct mask entering[16] = {{{0}}};
    EACH(t, m)
    {
        const uint64_t v = eval(r, s->value, t);
        add(&entering[v < s->n - 1 ? v : s->n - 1], t);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        const struct mask after = exec(r, s->list[i], join(entering[i], falling));
        falling = (struct mask){{0}};
        if (s->op >> i & 1)
            falling = after;
        else
            behind = join(behind, after);
    }
    return join(behind, falling);
}

static struct mask exec_if(struct run *r, const struct gen_stmt *s, struct mask m)
{
    struct mask yes = {{0}}, no = {{0}};
    EACH(t, m)
    add(eval(r, s->value, t) ? &yes : &no, t);
    yes = exec(r, s->body, yes);
    if (s->otherwise)
        no = exec(r, s->otherwise, no);
    return join(yes, no);
}

static void exec_call(struct run *r, const struct gen_stmt *s, struct mask m)
{
    call(r, s->function, s->values, m);
    if (!s->place)
        return;
    EACH(t, m)
    assign(r, s->place, r->result[t], t);
}

static void exec_return(struct run *r, const struct gen_stmt *s, struct mask m)
{
    EACH(t, m)
    if (s->value)
        r->result[t] = eval(r, s->value, t);
    for (int i = 0; r->function == r->p->kernel && i < MASK_WORDS; i++)
        r->live.w[i] &= ~m.w[i];
}

static struct mask exec(struct run *r, const struct gen_stmt *s, struct mask m)
{
    static const struct mask none;
    if (is_empty(&m) || r->why)
        return m;
    switch (s->kind) {
    case GEN_BLOCK:
        for (uint32_t i = 0; i < s->n; i++)
            m = exec(r, s->list[i], m);
        return m;
    case GEN_DECLARE: EACH(t, m) exec_declare(r, s, t); return m;
    case GEN_ASSIGN: EACH(t, m) exec_assign(r, s, t); return m;
    case GEN_ATOMIC: EACH(t, m) exec_atomic(r, s, t); return m;
    case GEN_IF: return exec_if(r, s, m);
    case GEN_FOR:
    case GEN_WHILE:
    case GEN_DO: return exec_loop(r, s, m);
    case GEN_SWITCH: return exec_switch(r, s, m);
    case GEN_BREAK: r->loop->broke = join(r->loop->broke, m); return none;
    case GEN_CONTINUE: r->loop->continued = join(r->loop->continued, m); return none;
    case GEN_RETURN: exec_return(r, s, m); return none;
    case GEN_BARRIER: exec_barrier(r, &m); return m;
    case GEN_BARRIER_VOTE: exec_barrier_vote(r, s, &m); return m;
    case GEN_WARP: exec_warp(r, s, &m); return m;
    case GEN_CALL_STMT: exec_call(r, s, m); return m;
    }
    return m;
}

/* ---- Blocks ---- */

static void enter_kernel(struct run *r, uint32_t t)
{
    const struct gen_program *p = r->p;
    unsigned char *frame = r->frames + (size_t)t * FRAME_BYTES;
    r->base[t] = 0;
    fill(r, frame, p->kernel->frame_bytes, r->steps + t);
    r->thread_idx[t][0] = t % p->block[0];
    r->thread_idx[t][1] = t / p->block[0] % p->block[1];
    r->thread_idx[t][2] = t / p->block[0] / p->block[1];
    for (uint32_t i = 0; i < p->kernel->n_params; i++) {
        const struct gen_var *param = p->kernel->params[i];
        const uint64_t at = address(SPACE_GLOBAL, i, 0);
        if (i < p->n_buffers)
            memcpy(frame + param->offset_bytes, &at, sizeof at);
        else
            memcpy(frame + param->offset_bytes, p->arguments[i - p->n_buffers],
                   param->type->size_bytes);
    }
}

static void run_block(struct run *r)
{
    struct mask m = {{0}};
    fill(r, r->shared, r->p->shared_bytes + r->p->dynamic_bytes, ~r->steps);
    for (uint32_t t = 0; t < gen_block_threads(r->p); t++) {
        enter_kernel(r, t);
        add(&m, t);
    }
    r->function = r->p->kernel;
    r->live = m;
    exec(r, r->p->kernel->body, m);
}

static void fill_constants(struct run *r)
{
    for (uint32_t g = 0; g < r->p->n_globals; g++) {
        const struct gen_var *v = r->p->globals[g];
        for (uint32_t i = 0; v->storage == GEN_CONSTANT && i < v->type->n; i++)
            gen_store(r->constants + v->offset_bytes + i * v->type->element->size_bytes,
                      v->type->element->scalar, v->init[i].bits);
    }
}

bool gen_interpret(unsigned char *const *results, const struct gen_program *p,
                   enum gen_unwritten unwritten, const char **why)
{
    struct run r = {.p = p, .buffers = results, .unwritten = unwritten};
    r.shared = malloc(p->shared_bytes + p->dynamic_bytes + 1);
    r.constants = calloc(1, p->constant_bytes + 1);
    r.frames = malloc((size_t)GEN_MAX_THREADS * FRAME_BYTES);
    if (!r.shared || !r.constants || !r.frames)
        abort();
    fill_constants(&r);
    for (uint32_t z = 0; z < p->grid[2]; z++)
        for (uint32_t y = 0; y < p->grid[1]; y++)
            for (uint32_t x = 0; x < p->grid[0]; x++) {
                r.block_idx[0] = x;
                r.block_idx[1] = y;
                r.block_idx[2] = z;
                run_block(&r);
            }
    free(r.shared);
    free(r.constants);
    free(r.frames);
    *why = r.why;
    return !r.why;
}

bool gen_accepts(const struct gen_program *p, const char **why)
{
    static const enum gen_unwritten fills[2] = {GEN_UNWRITTEN_ZERO, GEN_UNWRITTEN_RANDOM};
    unsigned char *results[2][GEN_MAX_BUFFERS] = {{NULL}};
    bool good = true;
    for (uint32_t k = 0; k < 2 && good; k++) {
        for (uint32_t i = 0; i < p->n_buffers; i++)
            results[k][i] = gen_buffer_copy(&p->buffers[i]);
        good = gen_interpret(results[k], p, fills[k], why);
    }
    for (uint32_t i = 0; i < p->n_buffers && good; i++)
        for (uint32_t e = 0; e < p->buffers[i].n && good; e++) {
            const struct gen_type *const type = p->buffers[i].element;
            const size_t at = (size_t)e * type->size_bytes;
            good = gen_same(type, results[0][i] + at, results[1][i] + at);
            *why = "a result that depends on what nobody has written";
        }
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < p->n_buffers; i++)
            free(results[k][i]);
    return good;
}
