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

/* expr_call.c: a call of a builtin as an expression. */
struct qn__expr qn__call(struct qn__function *f, LLVMValueRef call);
/* The hidden argument for a failed assertion's words: the runtime knows it by its name. */
struct qn__var *qn__fault_buffer(struct qn__function *f);
/* "file.cu", 12u */
void qn__position(struct qn__unit *u, LLVMValueRef at, const struct qn__node *file_and_line[2]);

/* expr_constant.c: numbers, and initialisers of program-scope tables. */
struct qn__expr qn__constant(struct qn__function *f, LLVMValueRef v);
const struct qn__node *qn__initializer(struct qn__unit *u, LLVMValueRef v);

/* The characters of a constant string; NULL where the pointer is none. */
const char *qn__string_at(struct qn__unit *u, LLVMValueRef pointer);

/* expr_place.c, expr_place_step.c */
/* What a pointer points to, as an object: "x[i]", "p->mass", "*q". */
struct qn__place {
    const struct qn__node *node;
    const struct qn__type *type;
    enum qn__space space;
    bool is_const;  /* reached through a pointer to const */
    bool is_packed; /* part of a packed struct, by its name: C knows how aligned it is */
    const struct qn__node *deref; /* "*p": the p; else NULL */
    struct qn__bare bare;         /* and when p is a cast: what was cast */
    const struct qn__node *base;  /* "x[i]": the x; else NULL, */
    struct qn__expr index;        /* and the i */
    bool is_component;            /* part of an OpenCL vector: has no address */
    struct qn__expr whole;        /* then: the vector's address as a pointer to its elements */
    uint64_t component;
};
struct qn__place qn__place(struct qn__function *f, LLVMValueRef pointer);
/* The same seen as an object of LLVM's type. */
struct qn__place qn__place_as(struct qn__function *f, struct qn__place p, LLVMTypeRef t,
                              LLVMValueRef where, bool is_volatile);
struct qn__expr qn__place_address(struct qn__function *f, struct qn__place p);
struct qn__expr qn__pointer_expr(struct qn__function *f, LLVMValueRef pointer);
/* The address a getelementptr computes, also when it lives in a variable. */
struct qn__expr qn__gep_expr(struct qn__function *f, LLVMValueRef gep);
struct qn__expr qn__load(struct qn__function *f, LLVMValueRef load);
/* The whole statement of a store. */
const struct qn__node *qn__store(struct qn__function *f, struct qn__value *store);

/* expr_memory.c: variables that have an address. */
struct qn__var *qn__memory_var(struct qn__function *f, LLVMValueRef alloca_);
/* "float a[8] __attribute__((aligned(16)))" */
const char *qn__var_declaration(struct qn__unit *u, const struct qn__var *v, const char *name);
struct qn__var *qn__shared_var(struct qn__function *f, LLVMValueRef global);
/* A local-memory variable the source does not have. */
struct qn__var *qn__shared_scratch(struct qn__function *f, const char *wish,
                                   const struct qn__type *type);
/* The array of one uint or ulong per work-item that warp operations exchange values through. */
struct qn__var *qn__scratch(struct qn__function *f, unsigned bits);
struct qn__var *qn__hidden_var(struct qn__function *f, LLVMValueRef global);
struct qn__var *qn__table_var(struct qn__function *f, LLVMValueRef global);
const char *qn__table_name(struct qn__unit *u, uint32_t i);
const char *qn__variable_name(struct qn__unit *u, LLVMValueRef global);
bool qn__is_constant_variable(LLVMValueRef global); /* __constant__ */

#endif
