/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: LLVM's values as trees of C's operations (model/node.h).
 *
 * Every expression has its C type, so casts appear only where C's own conversions would not give
 * the IR's result.
 */
#ifndef QN_COMPILER_EXPR_EXPR_H
#define QN_COMPILER_EXPR_EXPR_H

#include "compiler/model/builtins.h"
#include "compiler/model/node.h"

/* An expression without its outermost cast: for where C converts by itself (expr_usual.c), and of
 * pointers, for where another cast follows. */
struct qn__bare {
    const struct qn__node *node; /* NULL: there is none */
    const struct qn__type *type;
    bool exact; /* the same value; else only the same low bits */
};

struct qn__expr {
    const struct qn__node *node;
    const struct qn__type *type; /* what it counts as here; the node has the type it has in C */
    struct qn__bare bare;
    LLVMValueRef number; /* an integer constant: may be spelled with another sign */
    bool loose;          /* C promotes it to this type by itself: overloads need a cast */
};

static inline struct qn__expr qn__as(const struct qn__node *node, const struct qn__type *type)
{
    return (struct qn__expr){.node = node, .type = type};
}

static inline struct qn__expr qn__of(const struct qn__node *node)
{
    return qn__as(node, node->type);
}

struct qn__expr qn__expr(struct qn__function *f, LLVMValueRef v);
/* What an instruction computes, also when its value lives in a variable; an empty expression for
 * what is left out. */
struct qn__expr qn__definition(struct qn__function *f, LLVMValueRef instruction);
/* Converted to a type: a cast only where C's implicit conversion in an assignment differs. */
struct qn__expr qn__convert(struct qn__function *f, struct qn__expr e, const struct qn__type *to);
/* As the right side of an assignment to that type: C converts by itself where it means the same. */
const struct qn__node *qn__assignable(struct qn__function *f, LLVMValueRef v,
                                      const struct qn__type *to);
/* The y of x += y (or -=, *=): unsigned where the result may wrap, so that C computes it so. */
const struct qn__node *qn__compound_operand(struct qn__function *f, LLVMValueRef operation,
                                            LLVMValueRef y, const struct qn__type *x);
/* One arm of a ?: whose result has that type. *exact: so has the arm. */
const struct qn__node *qn__choice_arm(struct qn__function *f, LLVMValueRef v,
                                      const struct qn__type *to, bool *exact);
/* The right side of an assignment to an integer of the same width. */
const struct qn__node *qn__bare_node(struct qn__expr e);
/* A truth value, and its negation. */
struct qn__expr qn__condition(struct qn__function *f, LLVMValueRef v, bool negate);
struct qn__expr qn__cast(struct qn__unit *u, struct qn__expr e, const struct qn__type *to);
/* The expression with exactly its type, for overloaded functions and as_type(). */
struct qn__expr qn__exact(struct qn__unit *u, struct qn__expr e);
struct qn__expr qn__var_expr(struct qn__unit *u, const struct qn__var *v);

#endif
