/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: values as OpenCL C text.
 *
 * Every text carries its precedence, so parentheses appear only where C needs them, and its C
 * type, so casts appear only where C's own conversions would not give the IR's result.
 * A variable appears in a text as \x01<id>\x02: names are chosen when all scopes are known.
 */
#ifndef QN_COMPILER_EXPR_EXPR_H
#define QN_COMPILER_EXPR_EXPR_H

#include "compiler/model/builtins.h"
#include "compiler/model/function.h"

/* In a collective's text: is this work-item one that the source has here? flatten.c fills it in; it
 * is true where nothing was flattened. */
#define QN__ACTIVE "\x03"

enum qn__prec {
    QN__PREC_COMMA = 1,
    QN__PREC_ASSIGN, /* what an argument may be */
    QN__PREC_CONDITION,
    QN__PREC_LOGICAL_OR,
    QN__PREC_LOGICAL_AND,
    QN__PREC_OR,
    QN__PREC_XOR,
    QN__PREC_AND,
    QN__PREC_EQUAL,
    QN__PREC_RELATION,
    QN__PREC_SHIFT,
    QN__PREC_ADD,
    QN__PREC_MULTIPLY,
    QN__PREC_UNARY,
    QN__PREC_POSTFIX,
};

/* An expression without its outermost cast: for where C converts by itself (expr_usual.c), and of
 * pointers, for where another cast follows. */
struct qn__bare {
    const char *text; /* NULL: there is none */
    enum qn__prec prec;
    const struct qn__type *type;
    bool exact; /* the same value; else only the same low bits */
};

struct qn__expr {
    const char *text;
    enum qn__prec prec;
    const struct qn__type *type;
    struct qn__bare bare;
    LLVMValueRef number; /* an integer constant: may be spelled with another sign */
    bool loose;          /* C promotes it to this type by itself: overloads need a cast */
};

static inline struct qn__expr qn__spell(const char *text, enum qn__prec prec,
                                        const struct qn__type *type)
{
    return (struct qn__expr){.text = text, .prec = prec, .type = type};
}

struct qn__expr qn__expr(struct qn__function *f, LLVMValueRef v);
/* What an instruction computes, also when its value lives in a variable. */
struct qn__expr qn__definition(struct qn__function *f, LLVMValueRef instruction);
/* The text, in parentheses when it binds weaker than `least`. */
const char *qn__wrap(struct qn__unit *u, struct qn__expr e, enum qn__prec least);
/* Converted to a type: a cast only where C's implicit conversion in an assignment differs. */
struct qn__expr qn__convert(struct qn__function *f, struct qn__expr e, const struct qn__type *to);
/* As the right side of an assignment to that type: C converts by itself where it means the same. */
const char *qn__assignable(struct qn__function *f, LLVMValueRef v, const struct qn__type *to);
/* The y of x += y (or -=, *=): unsigned where the result may wrap, so that C computes it so. */
const char *qn__compound_operand(struct qn__function *f, LLVMValueRef operation, LLVMValueRef y,
                                 const struct qn__type *x);
/* One arm of a ?: whose result has that type. *exact: so has the arm. */
const char *qn__choice_arm(struct qn__function *f, LLVMValueRef v, const struct qn__type *to,
                           bool *exact);
/* The text for the right side of an assignment to an integer of the same width. */
const char *qn__bare_text(struct qn__expr e);
/* A truth value, and its negation. */
struct qn__expr qn__condition(struct qn__function *f, LLVMValueRef v, bool negate);
struct qn__expr qn__cast(struct qn__unit *u, struct qn__expr e, const struct qn__type *to);
/* The expression with exactly its type, for overloaded functions and as_type(). */
struct qn__expr qn__exact(struct qn__unit *u, struct qn__expr e);
struct qn__expr qn__var_expr(struct qn__unit *u, const struct qn__var *v);

/* expr_call.c: a call of a builtin as an expression. */
struct qn__expr qn__call(struct qn__function *f, LLVMValueRef call);

/* expr_constant.c: numbers, and initialisers of program-scope tables. */
struct qn__expr qn__constant(struct qn__function *f, LLVMValueRef v);
const char *qn__initializer(struct qn__unit *u, LLVMValueRef v);

/* "text" in quotes when the pointer is a constant string, one of printf's formats with OpenCL's
 * length letters; else NULL. */
const char *qn__string_literal(struct qn__unit *u, LLVMValueRef pointer, bool is_format);

/* expr_place.c, expr_place_step.c */
/* What a pointer points to, as an object: "x[i]", "p->mass", "*q". */
struct qn__place {
    const char *text;
    enum qn__prec prec;
    const struct qn__type *type;
    enum qn__space space;
    bool is_const;         /* reached through a pointer to const */
    bool is_packed;        /* part of a packed struct, by its name: C knows how aligned it is */
    const char *deref;     /* "*p": the p, ready for [] and ->; else NULL */
    struct qn__bare bare;  /* and when p is a cast: what was cast */
    const char *base;      /* "x[i]": the x; else NULL, */
    struct qn__expr index; /* and the i */
    bool is_component;     /* part of an OpenCL vector: has no address */
    struct qn__expr whole; /* then: the vector's address as a pointer to its elements */
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
/* The whole statement of a store, without the semicolon. */
const char *qn__store(struct qn__function *f, struct qn__value *store);

/* alignment.c: what is sure of a load's or store's address, in bytes; is that what its type has in
 * OpenCL C? */
uint64_t qn__alignment_of(struct qn__unit *u, LLVMValueRef access);
bool qn__is_aligned(struct qn__unit *u, LLVMValueRef access, uint64_t natural);
/* What the accesses to a variable need beyond its type's own alignment, in bytes; or 0. */
uint32_t qn__alignment_beyond(struct qn__unit *u, LLVMValueRef memory, const struct qn__type *type);

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

/* Names a library function as used; returns it. library.c */
const char *qn__library_use(struct qn__unit *u, LLVMValueRef where, const char *name);
void qn__library_print(struct qn__unit *u, struct qn__str *out);

#endif
