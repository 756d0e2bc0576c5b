/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels: one program in three forms. random_*.c and collectives.c make a program,
 * cuda_text.c writes it as CUDA source, lockstep.c computes what it must leave in its buffers. The
 * device's answer to the printed text and the interpreter's answer have to agree bit for bit, so a
 * program holds defined behaviour only: no data race, no floating-point result that depends on
 * contraction or on the order of a sum (NaN payloads are not compared). What C leaves undefined and
 * every GPU defines (sums that wrap, x / 0, wide shifts, casts of NaN) has the meaning of the GPU's
 * instruction, and stands in a program only where it has the shape for it (enum gen_shape).
 *
 * A program is a tree of typed nodes. Statements run in *lockstep*: the interpreter executes each
 * one for all threads of a block that have reached it before it goes on to the next. That makes
 * barriers trivial and gives warp operations their operands; a program without races behaves the
 * same in lockstep as in any other order.
 *
 * Where a statement stands decides what it may hold (the `flow` of random.h): barriers only where
 * every live thread of the block arrives, warp operations where every thread of the warp does, or
 * with a mask of those that do.
 */
#ifndef QN_TESTS_GENERATOR_PROGRAM_H
#define QN_TESTS_GENERATOR_PROGRAM_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Types ---- */

enum gen_scalar {
    GEN_BOOL,
    GEN_I8,
    GEN_U8,
    GEN_I16,
    GEN_U16,
    GEN_I32,
    GEN_U32,
    GEN_I64,
    GEN_U64,
    GEN_F32,
    GEN_F64,
    GEN_N_SCALARS,
};

enum gen_type_kind { GEN_SCALAR, GEN_VECTOR, GEN_STRUCT, GEN_ARRAY, GEN_POINTER };

struct gen_type {
    enum gen_type_kind kind;
    enum gen_scalar scalar;         /* of a scalar or of a vector's elements */
    const char *name;               /* "float4", "k3_pair"; arrays and pointers: NULL */
    const struct gen_type *element; /* of an array or pointer */
    uint32_t n;                     /* elements of an array or vector, members of a struct */
    const struct gen_member *members;
    uint32_t size_bytes, align_bytes;
    bool is_union; /* a struct whose members share their place */
    bool to_const; /* of a pointer that is a member: what it points at is not written */
};

struct gen_member {
    const char *name;
    const struct gen_type *type;
    uint32_t offset_bytes;
    uint32_t n_bits, first_bit; /* of a bit-field, in the 32 bits at the offset; else 0 */
};

extern const struct gen_type gen_scalars[GEN_N_SCALARS];
extern const struct gen_type gen_vectors[]; /* CUDA's own, with CUDA's alignment */
extern const uint32_t gen_n_vectors;
extern const char gen_lanes[4][2]; /* "x", "y", "z", "w" */

static inline bool gen_is_float(enum gen_scalar s)
{
    return s >= GEN_F32;
}
static inline bool gen_is_signed(enum gen_scalar s)
{
    return s == GEN_I8 || s == GEN_I16 || s == GEN_I32 || s == GEN_I64;
}

/* ---- Values: a scalar in 64 bits. Integers are extended to 64 bits by their own sign, float has
 * its pattern in the low half; a pointer is an address of the interpreter. scalar.c ---- */

enum gen_op {
    GEN_ADD,
    GEN_SUB,
    GEN_MUL,
    GEN_DIV,
    GEN_REM,
    GEN_AND,
    GEN_OR,
    GEN_XOR,
    GEN_SHL,
    GEN_SHR,
    GEN_EQ,
    GEN_NE,
    GEN_LT,
    GEN_LE,
    GEN_GT,
    GEN_GE,
    GEN_NEG, /* from here: one operand */
    GEN_COMPLEMENT,
    GEN_NOT,
};

/* Functions CUDA has built in, with exact results. Rows: gen_calls in scalar.c. */
enum gen_call {
    GEN_POPC,
    GEN_POPCLL,
    GEN_CLZ,
    GEN_FFS,
    GEN_BREV,
    GEN_UMULHI,
    GEN_MIN_I32,
    GEN_MAX_I32,
    GEN_MIN_U32,
    GEN_MAX_U64,
    GEN_ABS,
    GEN_FABSF,
    GEN_FLOORF,
    GEN_TRUNCF,
    GEN_RINTF,
    GEN_SQRTF,
    GEN_FMAF,
    GEN_FMA,
    GEN_FLOAT_AS_INT, /* generated only where NaN is excluded */
    GEN_INT_AS_FLOAT,
    GEN_FIRST_BITS_CALL, /* from here: only in programs with GEN_SHAPE_BITS */
    GEN_CLZLL = GEN_FIRST_BITS_CALL,
    GEN_FFSLL,
    GEN_LLABS,
    GEN_MULHI,
    GEN_FUNNEL_L,
    GEN_FUNNEL_R,
    GEN_FUNNEL_LC,
    GEN_FUNNEL_RC,
    GEN_N_CALLS,
};

struct gen_call_info {
    const char *name;
    uint32_t n;
    enum gen_scalar result, operands; /* all operands have one type */
};
extern const struct gen_call_info gen_calls[GEN_N_CALLS];

uint64_t gen_convert(uint64_t v, enum gen_scalar from, enum gen_scalar to);
uint64_t gen_apply(enum gen_op op, enum gen_scalar type, uint64_t a, uint64_t b);
uint64_t gen_apply_call(enum gen_call call, const uint64_t *operands);
uint64_t gen_load(const void *from, enum gen_scalar type);
void gen_store(void *to, enum gen_scalar type, uint64_t v);
float gen_float(uint64_t v);
uint64_t gen_of_float(float x);
double gen_double(uint64_t v);
uint64_t gen_of_double(double x);

/* Are two values of that type in memory the same? NaN equals NaN. */
bool gen_same(const struct gen_type *type, const void *a, const void *b);

/* ---- Variables and functions ---- */

enum gen_storage { GEN_LOCAL, GEN_SHARED, GEN_CONSTANT };

struct gen_var {
    const char *name;
    const struct gen_type *type;
    enum gen_storage storage;
    uint32_t offset_bytes; /* in the frame, the block's shared memory, or the constants */
    uint32_t extent;       /* of a pointer: elements that may be reached */
    bool is_reference;     /* the slot holds an address */
    bool is_const;         /* never assigned after its declaration */
    bool is_uniform;       /* one value for the whole block */
    bool is_hidden;        /* not to be read or written here: others are writing it */
    bool is_dynamic;       /* a view of the dynamic shared memory */
    bool is_atomic;        /* global memory that only atomics touch */
    bool is_volatile;
    bool is_table;         /* shared memory that is filled once and then only read */
    struct gen_expr *init; /* of a constant table: n literals */
};

struct gen_function {
    const char *name;
    const struct gen_type *result; /* NULL: void */
    struct gen_var **params;
    uint32_t n_params;
    struct gen_stmt *body;
    uint32_t frame_bytes;
    bool is_collective; /* called where the whole block arrives */
    bool is_quotient;   /* of its two parameters; the second may be 0 */
    bool is_template;   /* printed as a template on its first parameter's type */
};

/* ---- Expressions. The first four kinds are places: they can be assigned to and pointed at. ----
 */

enum gen_expr_kind {
    GEN_VAR,
    GEN_INDEX,  /* a[b]; a is an array or a pointer */
    GEN_MEMBER, /* a.member, also a vector's lane */
    GEN_CONST,
    GEN_THREAD, /* threadIdx.x ...: bits = which * 4 + axis */
    GEN_BINARY, /* operator op */
    GEN_UNARY,
    GEN_CAST,
    GEN_TERNARY,
    GEN_LOGICAL_AND,
    GEN_LOGICAL_OR,
    GEN_BUILTIN_CALL,
    GEN_FUNCTION_CALL,
    GEN_ADDRESS, /* &a */
};
enum gen_thread_word { GEN_THREAD_IDX, GEN_BLOCK_IDX, GEN_BLOCK_DIM, GEN_GRID_DIM };

struct gen_expr {
    enum gen_expr_kind kind;
    const struct gen_type *type;
    enum gen_op op;
    bool is_plain; /* signed arithmetic that cannot overflow: printed as it is */
    bool is_raw;   /* printed as it is, and means what the GPU's instruction does; of an index of
                      shared memory: it wraps modulo 2^32 */
    bool is_fixed; /* the shrinker leaves it alone: safety depends on it */
    enum gen_call call;
    uint64_t bits;   /* constant, thread word */
    uint32_t member; /* index */
    struct gen_var *var;
    const struct gen_function *function;
    struct gen_expr *a, *b, *c;
    struct gen_expr **args;
};

/* ---- Statements ---- */

enum gen_stmt_kind {
    GEN_BLOCK,
    GEN_DECLARE, /* var = value, or member by member from `values` */
    GEN_ASSIGN,  /* place op= value; GEN_EQ: plain assignment, also of whole structs and vectors */
    GEN_IF,
    GEN_FOR,   /* for (int var = 0; var < count; var++) body */
    GEN_WHILE, /* while (value && var < count) { var++; body } */
    GEN_DO,    /* do { var++; body } while (value && var < count) */
    GEN_SWITCH,
    GEN_BREAK,
    GEN_CONTINUE,
    GEN_RETURN,
    GEN_BARRIER,
    GEN_BARRIER_VOTE, /* place = __syncthreads_count/and/or(value) */
    GEN_WARP,         /* place = warp operation */
    GEN_ATOMIC,       /* atomic op on place with value */
    GEN_CALL_STMT,    /* [place =] function(args) */
};

enum gen_warp_op {
    GEN_SHFL,
    GEN_SHFL_UP,
    GEN_SHFL_DOWN,
    GEN_SHFL_XOR,
    GEN_BALLOT,
    GEN_ANY,
    GEN_ALL,
    GEN_MATCH_ANY,
    GEN_REDUCE_ADD,
    GEN_REDUCE_MIN,
    GEN_REDUCE_MAX,
};
enum gen_vote { GEN_VOTE_COUNT, GEN_VOTE_AND, GEN_VOTE_OR };
enum gen_atomic {
    GEN_ATOMIC_ADD,
    GEN_ATOMIC_MIN,
    GEN_ATOMIC_MAX,
    GEN_ATOMIC_AND,
    GEN_ATOMIC_OR,
    GEN_ATOMIC_XOR
};

struct gen_stmt {
    enum gen_stmt_kind kind;
    bool is_fixed; /* the shrinker removes it whole or not at all */
    uint32_t op; /* gen_op, gen_warp_op, gen_vote or gen_atomic; switch: cases that fall through */
    struct gen_var *var;
    struct gen_expr *place, *value, *lane, *mask;
    struct gen_expr **values; /* initialisers, arguments */
    uint32_t n_values, count, width;
    const struct gen_function *function;
    struct gen_stmt *body, *otherwise;
    struct gen_stmt **list; /* of a block; of a switch: n cases, the last is the default */
    uint32_t n;
};

/* ---- Programs ---- */

enum gen_buffer_role { GEN_INPUT, GEN_OUTPUT, GEN_ACCUMULATOR };

struct gen_buffer {
    struct gen_var *var; /* the kernel's parameter */
    const struct gen_type *element;
    enum gen_buffer_role role;
    uint32_t n;
    unsigned char *initial; /* n elements */
};
size_t gen_buffer_bytes(const struct gen_buffer *b);
unsigned char *gen_buffer_copy(const struct gen_buffer *b); /* of `initial`, by malloc */

enum { GEN_MAX_BUFFERS = 12, GEN_MAX_SCALARS = 4, GEN_MAX_THREADS = 256 };

/* What C leaves undefined and GPUs define, and what compilers were found to get wrong: a program is
 * made with a set of these. */
enum gen_shape {
    GEN_SHAPE_GATHER = 1,   /* loads at (work-item * factor + c) & mask, of every memory */
    GEN_SHAPE_DIVISION = 2, /* divisors that may be 0 or -1, tested before, after or nowhere */
    GEN_SHAPE_WRAP = 4,     /* signed sums that wrap and are widened, divided, compared */
    GEN_SHAPE_SHIFT = 8,    /* counts of the width and more */
    GEN_SHAPE_CAST = 16,    /* floats out of range and NaN to integers */
    GEN_SHAPE_BITS = 32,    /* abs of the smallest number, clz of 0, funnel shifts */
    GEN_SHAPE_NARROW = 64,  /* indices of 8 and 16 bits */
    GEN_SHAPE_BELOW = 128,  /* p[~a] of shared memory: 32-bit indices that wrap */
    GEN_SHAPE_VOLATILE = 256,
    GEN_SHAPE_SPACES = 512,   /* a struct of a global and a shared pointer */
    GEN_SHAPE_OVERLAY = 1024, /* unions and bit-fields */
    GEN_SHAPE_SMALL = 2048,   /* few statements, as compilers like to vectorise them */
    GEN_SHAPES = 4095,
    /* what an optimiser may take for something else where C leaves it undefined */
    GEN_SHAPES_UNDEFINED =
        GEN_SHAPE_DIVISION | GEN_SHAPE_WRAP | GEN_SHAPE_SHIFT | GEN_SHAPE_CAST | GEN_SHAPE_BITS,
};

struct gen_program {
    uint64_t seed;
    uint32_t without, shapes; /* the sets it was made with */
    uint32_t index;           /* its names begin with k<index>_ */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, dynamic_bytes, constant_bytes;
    struct gen_function *kernel;
    struct gen_function **helpers;
    uint32_t n_helpers;
    const struct gen_type **structs;
    uint32_t n_structs;
    const struct gen_type *overlays[2]; /* a union, a struct of bit-fields; or NULL */
    const struct gen_type *spaces;      /* a struct of pointers, or NULL */
    struct gen_var **globals;           /* shared and constant variables */
    uint32_t n_globals;
    struct gen_buffer buffers[GEN_MAX_BUFFERS];
    uint32_t n_buffers;
    /* parameters after the buffers, passed by value; bytes of each argument */
    unsigned char *arguments[GEN_MAX_SCALARS];
    uint32_t n_arguments;
    uint32_t n_barriers, n_warp_ops; /* what it exercises, for the report */
};

static inline uint32_t gen_block_threads(const struct gen_program *p)
{
    return p->block[0] * p->block[1] * p->block[2];
}
static inline uint32_t gen_all_threads(const struct gen_program *p)
{
    return p->grid[0] * p->grid[1] * p->grid[2] * gen_block_threads(p);
}

/* What a program may be made without, to see past a known fault: a set of these. */
enum gen_without {
    GEN_WITHOUT_WARP = 1,    /* warp operations */
    GEN_WITHOUT_VOTE = 2,    /* __syncthreads_count and its kin */
    GEN_WITHOUT_RETURN = 4,  /* threads that leave the kernel early */
    GEN_WITHOUT_BARRIER = 8, /* shared memory and whatever the block does together */
    GEN_WITHOUT_ATOMIC = 16,
};

enum gen_how {
    GEN_BY_SEED, /* four seeds of ten have none of the shapes, the others some of them */
    GEN_SOME,    /* at least one */
    GEN_EXACTLY,
};
struct gen_choice {
    uint32_t without, shapes;
    enum gen_how how;
};

/* The program of that seed; everything in the arena. Never fails (out of memory aborts). */
struct gen_program *gen_generate(struct qn__arena *arena, uint64_t seed, uint32_t index,
                                 const struct gen_choice *choice);

/* What every source begins with, and one program as CUDA source. */
void gen_print_head(struct qn__str *out);
void gen_print(struct qn__str *out, const struct gen_program *p);

/* Would a compiler's front end compute it? Each does that in its own way where C defines none. */
bool gen_is_literal(const struct gen_expr *e);

/* What is in shared memory and in variables before anybody writes there. */
enum gen_unwritten { GEN_UNWRITTEN_ZERO, GEN_UNWRITTEN_RANDOM };

/* Run the program: results[i] has buffers[i].n elements and holds the initial content before.
 * False when the program takes too long, or breaks a rule of the generator (*why says which). */
bool gen_interpret(unsigned char *const *results, const struct gen_program *p,
                   enum gen_unwritten unwritten, const char **why);

/* Does it run to its end, and to the same one whatever stood in memory that nobody has written? */
bool gen_accepts(const struct gen_program *p, const char **why);

/* Make the program smaller while it still fails. `fails` answers for the program as it is now. */
typedef bool (*gen_fails)(const struct gen_program *p, void *payload);
uint32_t gen_shrink(struct gen_program *p, struct qn__arena *arena, uint32_t max_tries,
                    gen_fails fails, void *payload);

#endif
