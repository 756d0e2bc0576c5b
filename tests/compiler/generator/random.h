/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the generator: chance, scope, and the makers of nodes that random_expr.c, random_stmt.c,
 * collectives.c, shapes_arithmetic.c, shapes_memory.c and random_program.c share. */
#ifndef QN_TESTS_GENERATOR_RANDOM_H
#define QN_TESTS_GENERATOR_RANDOM_H

#include "tests/compiler/generator/program.h"

/* Who is sure to arrive at the statement being made. */
enum gen_flow {
    GEN_FLOW_BLOCK,     /* every live thread of the block: barriers may stand here */
    GEN_FLOW_WARP,      /* every live thread of the warp */
    GEN_FLOW_DIVERGENT, /* anyone */
};
enum gen_leave { GEN_STAY, GEN_LEAVE_UNIFORM, GEN_LEAVE_FREELY }; /* break, continue */

enum { GEN_MAX_SCOPE = 160, GEN_MAX_LIST = 64 };

struct generator {
    struct qn__arena *arena;
    struct gen_program *p;
    uint64_t rng;
    uint32_t without, shapes;      /* enum gen_without, enum gen_shape */
    struct gen_function *function; /* being made */
    struct gen_var *scope[GEN_MAX_SCOPE];
    uint32_t n_scope, n_names, n_callable; /* helpers that may be called: the first ones */
    enum gen_flow flow;
    enum gen_leave leave;
    bool uniform_only; /* expressions must have one value for the block */
    bool has_exited;   /* threads may have returned: their lanes hold nothing */
    bool in_loop, in_index;
    uint32_t depth, budget;           /* nesting; statements left */
    struct gen_var *tid, *gid;        /* of the kernel */
    const struct gen_function *reach; /* takes g->p->spaces and an index */
    uint32_t outputs_per_thread;
    uint32_t n_private_tables, first_result; /* in scope: from there on it goes to the digest */
};

/* A list of statements while it grows. */
struct gen_list {
    struct gen_stmt *items[GEN_MAX_LIST];
    uint32_t n;
};

/* ---- Chance ---- */
uint64_t gen_random(struct generator *g);
uint32_t gen_below(struct generator *g, uint32_t n); /* n > 0 */
bool gen_chance(struct generator *g, uint32_t percent);

/* ---- Makers ---- */
void *gen_new(struct generator *g, size_t count, size_t size);
struct gen_var *gen_local(struct generator *g, const struct gen_type *type, const char *prefix);
struct gen_var *gen_shared(struct generator *g, const struct gen_type *element, uint32_t n);
void gen_see(struct generator *g, struct gen_var *v); /* into scope */
const struct gen_type *gen_array_of(struct generator *g, const struct gen_type *element,
                                    uint32_t n);
const struct gen_type *gen_pointer_to(struct generator *g, const struct gen_type *element);

struct gen_expr *gen_const(struct generator *g, enum gen_scalar type, uint64_t v);
struct gen_expr *gen_use(struct generator *g, struct gen_var *v);
struct gen_expr *gen_thread(struct generator *g, enum gen_thread_word word, uint32_t axis);
struct gen_expr *gen_binary(struct generator *g, enum gen_op op, struct gen_expr *a,
                            struct gen_expr *b);
struct gen_expr *gen_unary(struct generator *g, enum gen_op op, struct gen_expr *a);
struct gen_expr *gen_cast(struct generator *g, enum gen_scalar to, struct gen_expr *a);
struct gen_expr *gen_ternary(struct generator *g, struct gen_expr *a, struct gen_expr *b,
                             struct gen_expr *c);
struct gen_expr *gen_index(struct generator *g, struct gen_expr *array, struct gen_expr *index);
struct gen_expr *gen_member(struct generator *g, struct gen_expr *whole, uint32_t member);
struct gen_expr *gen_address(struct generator *g, struct gen_expr *of);
struct gen_expr *gen_both(struct generator *g, struct gen_expr *a, struct gen_expr *b); /* && */
struct gen_expr *gen_function_call(struct generator *g, const struct gen_function *f,
                                   struct gen_expr **args);
struct gen_expr *gen_builtin(struct generator *g, enum gen_call call, struct gen_expr *a);
struct gen_expr *gen_fixed(struct gen_expr *e); /* not to be shrunk */
struct gen_expr *gen_raw(struct gen_expr *e);   /* printed as it is, whatever comes of it */

struct gen_stmt *gen_stmt_new(struct generator *g, enum gen_stmt_kind kind);
struct gen_stmt *gen_block(struct generator *g, const struct gen_list *list);
struct gen_stmt *gen_declare(struct generator *g, struct gen_var *v, struct gen_expr *value);
struct gen_stmt *gen_assign(struct generator *g, struct gen_expr *place, struct gen_expr *value);
struct gen_stmt *gen_if(struct generator *g, struct gen_expr *condition, struct gen_stmt *body);
void gen_append(struct gen_list *list, struct gen_stmt *s);

/* ---- Random parts ---- */
struct gen_expr *gen_random_const(struct generator *g, enum gen_scalar type);
struct gen_expr *gen_random_expr(struct generator *g, enum gen_scalar type, uint32_t depth);
/* A place of that type in scope, to read or to write; NULL when chance finds none. */
struct gen_expr *gen_random_place(struct generator *g, const struct gen_type *type, bool to_write);
/* From a place whose type reaches that type down to one of it, by a random path. */
struct gen_expr *gen_descend(struct generator *g, struct gen_expr *e, const struct gen_type *type);
/* A place to write that a reference may name. */
struct gen_expr *gen_random_target(struct generator *g, const struct gen_type *type);
bool gen_reaches(const struct gen_type *from, const struct gen_type *type);
/* An index in [0, n), of type unsigned int. */
struct gen_expr *gen_random_index(struct generator *g, uint32_t n);
struct gen_expr *gen_as_int(struct generator *g, struct gen_expr *x); /* a float's bits; NaN is 0 */
/* Arguments for a call of f, or NULL where something it needs is not in scope. */
struct gen_expr **gen_random_args(struct generator *g, const struct gen_function *f);
const struct gen_type *gen_random_type(struct generator *g); /* scalar, vector or struct */
enum gen_scalar gen_random_scalar(struct generator *g);
/* The thread's own element of an output buffer. */
struct gen_expr *gen_output_place(struct generator *g, const struct gen_buffer *b, uint32_t i);

struct gen_stmt *gen_random_declare(struct generator *g);
struct gen_stmt *gen_random_block(struct generator *g, uint32_t n);
/* Something only the whole block or the whole warp can do; NULL when it cannot be done here. */
struct gen_stmt *gen_random_collective(struct generator *g);
bool gen_has_whole_warps(const struct generator *g);
/* A helper that all threads of the block call: it has barriers inside. */
struct gen_function *gen_block_sum_helper(struct generator *g);
/* A buffer for the kernel, filled; its variable is a parameter. */
void gen_add_buffer(struct generator *g, enum gen_buffer_role role, const struct gen_type *element,
                    uint32_t n);

/* ---- The shapes of a program: NULL or nothing where it has none, or none fits here ---- */
static inline bool gen_has(const struct generator *g, uint32_t shapes)
{
    return (g->shapes & shapes) != 0;
}
/* shapes_arithmetic.c: what wraps, divides by anything, shifts by anything */
struct gen_expr *gen_extreme(struct generator *g, enum gen_scalar type, uint32_t depth);
struct gen_expr *gen_raw_expr(struct generator *g, enum gen_scalar type, uint32_t depth);
struct gen_stmt *gen_raw_stmt(struct generator *g);
void gen_division_helpers(struct generator *g);
/* shapes_memory.c: where values lie and how they are reached */
struct gen_expr *gen_gather(struct generator *g, enum gen_scalar type);
struct gen_stmt *gen_memory_stmt(struct generator *g);
void gen_overlay_types(struct generator *g);
void gen_spaces_helper(struct generator *g);
void gen_shared_tables(struct generator *g);
void gen_shape_buffers(struct generator *g);
struct gen_stmt *gen_fill_table(struct generator *g, struct gen_var *table);

#endif
