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
    QN__OP_NUMBER,   /* an integer: value, base */
    QN__OP_REAL,     /* a float: real; the type has its width */
    QN__OP_TRUTH,    /* true or false: value */
    QN__OP_VARIABLE, /* var */
    QN__OP_STRING,   /* name: the characters, without quotes */
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
    /* effects, only as a whole statement */
    QN__OP_ASSIGN,    /* a = b */
    QN__OP_ASSIGN_BY, /* a op= b, the operation in `by`; a++ and a-- where b is the number 1 */
    /* what each language writes in its own way */
    QN__OP_WORK_ITEM, /* name, value: the work-item function and its axis */
    QN__OP_BARRIER,   /* all work-items of the group, local memory; value 1: global memory, too */
    QN__OP_RAW,       /* name: text of OpenCL C, with a byte 1 for each operand */
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
    QN__BRANCHES = QN__CHOOSES | QN__LOGICAL_ORS | QN__LOGICAL_ANDS,
};

enum qn__number_base { QN__DECIMAL, QN__HEXADECIMAL };

struct qn__node {
    enum qn__op op;
    enum qn__op by; /* QN__OP_ASSIGN_BY */
    const struct qn__type *type;
    unsigned traits; /* enum qn__trait */
    const struct qn__var *var;
    uint64_t value;
    double real;
    enum qn__number_base base;
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
const struct qn__node *qn__node_not(struct qn__unit *u, const struct qn__node *a);
/* The same node with more traits. */
const struct qn__node *qn__node_with(struct qn__unit *u, const struct qn__node *n, unsigned traits);
/* Text that an expression printer made, with variables as \x01<id>\x02 and \x03 for
 * QN__OP_ACTIVE. */
const struct qn__node *qn__node_raw(struct qn__function *f, const char *text);

bool qn__node_mentions(const struct qn__node *n, const struct qn__var *v);
/* Calls `visit` for each mention of a variable, in order; ends early when it returns false, and
 * then returns false. */
bool qn__node_each_var(const struct qn__node *n, bool (*visit)(void *user, const struct qn__var *v),
                       void *user);
/* The same tree? */
bool qn__node_equal(const struct qn__node *a, const struct qn__node *b);
/* The tree with `by` in every place of the variable, or of QN__OP_ACTIVE where `v` is NULL. */
const struct qn__node *qn__node_replace(struct qn__unit *u, const struct qn__node *n,
                                        const struct qn__var *v, const struct qn__node *by);

static inline bool qn__node_is_var(const struct qn__node *n, const struct qn__var *v)
{
    return n && n->op == QN__OP_VARIABLE && n->var == v;
}

static inline bool qn__node_is_truth(const struct qn__node *n, bool value)
{
    return n && n->op == QN__OP_TRUTH && (n->value != 0) == value;
}

#endif
