/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions as trees: what is computed, not how a language writes it.
 *
 * A node has an operation, the type of its result, operands, and traits: what the operation and
 * everything below it do. Stages decide by operations and traits and by which variables a node
 * mentions; only a language (lang/) makes text of it. Nodes never change once they are made and may
 * be shared: to change one is to make another, with qn__node_replace() or the constructors.
 *
 * Operators have C's meaning and C's types, so casts are nodes too. What languages write in
 * different ways (work-item functions, builtins, conversions, vectors, atomics, barriers) are
 * operations of their own.
 */
#ifndef QN_COMPILER_MODEL_NODE_H
#define QN_COMPILER_MODEL_NODE_H

#include "compiler/model/function.h"

enum qn__op {
    /* leaves */
    QN__OP_NUMBER, /* an integer: value (sign-extended where the type is signed), base, is_plain */
    QN__OP_REAL,   /* a float: real; the type has its width */
    QN__OP_TRUTH,  /* true or false: value */
    QN__OP_VARIABLE, /* var */
    QN__OP_STRING,   /* name: the characters; value 1: a format of C's printf; a: its second line */
    QN__OP_ACTIVE,   /* is this work-item one that the source has here? flatten.c says */
    /* C's operators */
    QN__OP_ADDRESS,
    QN__OP_DEREF,
    QN__OP_NEGATE,
    QN__OP_COMPLEMENT,
    QN__OP_NOT,
    QN__OP_CAST,
    QN__OP_MULTIPLY,
    QN__OP_DIVIDE,
    QN__OP_REMAINDER,
    QN__OP_ADD,
    QN__OP_SUBTRACT,
    QN__OP_SHIFT_LEFT,
    QN__OP_SHIFT_RIGHT,
    QN__OP_LESS,
    QN__OP_LESS_EQUAL,
    QN__OP_GREATER,
    QN__OP_GREATER_EQUAL,
    QN__OP_EQUAL,
    QN__OP_NOT_EQUAL,
    QN__OP_AND,
    QN__OP_XOR,
    QN__OP_OR,
    QN__OP_LOGICAL_AND,
    QN__OP_LOGICAL_OR,
    QN__OP_CHOOSE,    /* a ? b : c */
    QN__OP_SUBSCRIPT, /* a[b] */
    QN__OP_MEMBER,    /* a.name */
    QN__OP_ARROW,     /* a->name */
    QN__OP_AGGREGATE, /* {a, b, ...}: the initialiser of an array or struct */
    /* effects, only as a whole statement */
    QN__OP_ASSIGN,    /* a = b */
    QN__OP_ASSIGN_BY, /* a op= b, the operation in `by`; a++ and a-- where b is the number 1 */
    /* loops, only as a whole statement: REPEATS */
    QN__OP_COPY,  /* c elements of the pointer b to the pointer a */
    QN__OP_MOVE,  /* the same where they may overlap */
    QN__OP_FILL,  /* c elements of the pointer a become b */
    QN__OP_CLEAR, /* `count` elements of the array a, which may be arrays, become 0 */
    /* what each language writes in its own way */
    QN__OP_WORK_ITEM,    /* work_item, value: what is asked, and its axis */
    QN__OP_BARRIER,      /* all work-items of the group, local memory; value 1: global memory, too;
                          * builtin: the source's, or NULL */
    QN__OP_ANY_IN_GROUP, /* is the last true for one of the group? a: a word of local memory */
    QN__OP_SYNC,         /* sync: work-items that are loops meet; a: the array of what each left */
    QN__OP_FAIL,         /* the work-item says d, at file b and line c, in the buffer a, and ends */
    QN__OP_FENCE,        /* orders this work-item's accesses to local and global memory */
    QN__OP_CONVERT,      /* a vector's components to other ones; value 1: saturating */
    QN__OP_REINTERPRET,  /* the same bits as another type */
    QN__OP_VECTOR,       /* of its components, or of one that all are */
    QN__OP_COMPONENTS,   /* of a vector: value has 4 bits for each, the first one's lowest */
    QN__OP_VECTOR_LOAD,  /* from a pointer to elements, aligned as they are */
    QN__OP_VECTOR_STORE, /* a to the pointer b; a whole statement */
    QN__OP_ATOMIC,       /* atomic; pointer and values */
    QN__OP_FUNCTION,     /* name: one of C's and OpenCL's mathematical functions */
    QN__OP_BUILTIN, /* builtin, value: a row of builtins.def, and the space that its form names;
                     * operands are what stands at each place of the form (lang/form.h) */
};

/* What an expression does, anywhere in it. */
enum qn__trait {
    QN__DIVIDES = 1 << 0,         /* by what may be zero */
    QN__CHOOSES = 1 << 1,         /* has a ?: */
    QN__LOGICAL_ORS = 1 << 2,     /* has a || */
    QN__LOGICAL_ANDS = 1 << 3,    /* has a && */
    QN__CALLS = 1 << 4,           /* a function of ours, which may branch */
    QN__ASKS_ACTIVE = 1 << 5,     /* has a QN__OP_ACTIVE */
    QN__READS = 1 << 6,           /* memory that others may write */
    QN__VARIES = 1 << 7,          /* reads what differs between work-items, beside variables */
    QN__NAMES_WORK_ITEM = 1 << 8, /* asks for its index in the group */
    QN__REPEATS = 1 << 9,         /* an effect that is a loop: computes its operands repeatedly */
    QN__BRANCHES = QN__CHOOSES | QN__LOGICAL_ORS | QN__LOGICAL_ANDS,
};

/* Where work-items are loops a loop's end is the meeting, and this says which one it is. */
enum qn__sync {
    QN__SYNC_GROUP,      /* the source's barrier */
    QN__SYNC_WARP,       /* and that of a warp */
    QN__SYNC_GRID,       /* and that of all blocks: the group waits there for the others */
    QN__SYNC_SHARE_WARP, /* a warp operation: lanes read what others of the warp left in an array */
    QN__SYNC_SHARE_GROUP, /* a barrier with a result, and of an array of the whole group */
};

enum qn__number_base { QN__DECIMAL, QN__HEXADECIMAL };

enum qn__atomic {
    QN__ATOMIC_EXCHANGE,
    QN__ATOMIC_ADD,
    QN__ATOMIC_SUBTRACT,
    QN__ATOMIC_AND,
    QN__ATOMIC_OR,
    QN__ATOMIC_XOR,
    QN__ATOMIC_MAX,
    QN__ATOMIC_MIN,
    QN__ATOMIC_COMPARE_EXCHANGE, /* pointer, what is expected, what to store */
};

struct qn__builtin;

struct qn__node {
    enum qn__op op;
    enum qn__op by; /* QN__OP_ASSIGN_BY */
    const struct qn__type *type;
    unsigned traits; /* enum qn__trait */
    const struct qn__var *var;
    uint64_t value;
    double real;
    uint64_t count; /* of QN__OP_COMPONENTS: how many the vector has; of QN__OP_CLEAR */
    enum qn__number_base base;
    bool is_plain; /* QN__OP_NUMBER: what stands around it gives it its type */
    enum qn__atomic atomic;
    enum qn__sync sync;
    enum qn__work_item work_item;
    const struct qn__builtin *builtin;
    const char *name;
    uint32_t n;
    const struct qn__node *const *operands; /* n of them */
};

/* Constructors: traits are those of the operation and of all operands. */
const struct qn__node *qn__node_new(struct qn__unit *u, enum qn__op op, const struct qn__type *type,
                                    uint32_t n, const struct qn__node *const *operands);
const struct qn__node *qn__node_unary(struct qn__unit *u, enum qn__op op,
                                      const struct qn__type *type, const struct qn__node *a);
const struct qn__node *qn__node_binary(struct qn__unit *u, enum qn__op op,
                                       const struct qn__type *type, const struct qn__node *a,
                                       const struct qn__node *b);
const struct qn__node *qn__node_var(struct qn__unit *u, const struct qn__var *v);
const struct qn__node *qn__node_truth(struct qn__unit *u, bool value);
const struct qn__node *qn__node_number(struct qn__unit *u, uint64_t value,
                                       const struct qn__type *type);
/* A number where the context gives it its type. */
const struct qn__node *qn__node_plain(struct qn__unit *u, const struct qn__node *n);
const struct qn__node *qn__node_plain_number(struct qn__unit *u, uint64_t value,
                                             const struct qn__type *type);
const struct qn__node *qn__node_real(struct qn__unit *u, double value, const struct qn__type *type);
const struct qn__node *qn__node_string(struct qn__unit *u, const char *characters, bool is_format);
const struct qn__node *qn__node_active(struct qn__unit *u);
const struct qn__node *qn__node_function(struct qn__unit *u, const char *name,
                                         const struct qn__type *type, uint32_t n,
                                         const struct qn__node *const *operands);
const struct qn__node *qn__node_member(struct qn__unit *u, enum qn__op op,
                                       const struct qn__type *type, const struct qn__node *a,
                                       const char *name);
/* Components of a vector that has `count`; 4 bits for each. */
const struct qn__node *qn__node_components(struct qn__unit *u, const struct qn__type *type,
                                           const struct qn__node *a, uint64_t count,
                                           uint64_t which);
/* a op= b */
const struct qn__node *qn__node_assign_by(struct qn__unit *u, enum qn__op op,
                                          const struct qn__node *a, const struct qn__node *b);
const struct qn__node *qn__node_work_item(struct qn__unit *u, enum qn__work_item what,
                                          unsigned axis);
const struct qn__node *qn__node_barrier(struct qn__unit *u, bool global);
/* Any other node: a copy of `n` with the traits of its operation and operands. */
const struct qn__node *qn__node_make(struct qn__unit *u, struct qn__node n);
const struct qn__node *qn__node_not(struct qn__unit *u, const struct qn__node *a);
/* a && b, a || b: where b is such itself, one chain from the left, as C has it. */
const struct qn__node *qn__node_and(struct qn__unit *u, const struct qn__node *a,
                                    const struct qn__node *b);
const struct qn__node *qn__node_or(struct qn__unit *u, const struct qn__node *a,
                                   const struct qn__node *b);
/* The same node with more traits. */
const struct qn__node *qn__node_with(struct qn__unit *u, const struct qn__node *n, unsigned traits);

bool qn__node_mentions(const struct qn__node *n, const struct qn__var *v);
/* Calls `visit` for each mention of a variable, in order; ends early when it returns false, and
 * then returns false. */
bool qn__node_each_var(const struct qn__node *n, bool (*visit)(void *user, const struct qn__var *v),
                       void *user);
/* How many nodes are in it? */
uint32_t qn__node_size(const struct qn__node *n);
/* The same tree? */
bool qn__node_equal(const struct qn__node *a, const struct qn__node *b);
/* The tree with `by` in every place of the variable, or of QN__OP_ACTIVE where `v` is NULL. */
const struct qn__node *qn__node_replace(struct qn__unit *u, const struct qn__node *n,
                                        const struct qn__var *v, const struct qn__node *by);

static inline bool qn__node_is_var(const struct qn__node *n, const struct qn__var *v)
{
    return n && n->op == QN__OP_VARIABLE && n->var == v;
}

/* Is it an integer below zero? */
static inline bool qn__node_is_negative(const struct qn__node *n)
{
    return n->op == QN__OP_NUMBER && n->type->kind == QN__INT && !n->type->is_unsigned &&
           (int64_t)n->value < 0;
}

static inline bool qn__node_is_number(const struct qn__node *n, uint64_t value)
{
    return n && n->op == QN__OP_NUMBER && n->value == value;
}

static inline bool qn__node_is_truth(const struct qn__node *n, bool value)
{
    return n && n->op == QN__OP_TRUTH && (n->value != 0) == value;
}

#endif
