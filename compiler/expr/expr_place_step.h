/* SPDX-License-Identifier: Apache-2.0
 *
 * Places, and steps between them: expr_place.c takes these as LLVM's addresses say. */
#ifndef QN_COMPILER_EXPR_EXPR_PLACE_STEP_H
#define QN_COMPILER_EXPR_EXPR_PLACE_STEP_H

#include "compiler/expr/expr.h"

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

/* The same seen as an object of LLVM's type. */
struct qn__place qn__place_as(struct qn__function *f, struct qn__place p, LLVMTypeRef t,
                              LLVMValueRef where, bool is_volatile);
struct qn__expr qn__place_address(struct qn__function *f, struct qn__place p);

/* *p */
struct qn__place qn__deref(struct qn__function *f, struct qn__expr p);
/* The place's address as a pointer to another type. */
struct qn__expr qn__address_as(struct qn__function *f, struct qn__place p,
                               const struct qn__type *to);
/* The object of another type at the same address, which is LLVM's `pointer`. */
struct qn__place qn__place_cast(struct qn__function *f, struct qn__place p, LLVMValueRef pointer,
                                const struct qn__type *to, bool is_volatile);
/* x[index] of an array x; the object `index` further on of anything else. */
struct qn__place qn__subscript(struct qn__function *f, struct qn__place p, struct qn__expr index);
/* The object `index` places further on, as pointer arithmetic counts: p[index] where the place is
 * *p. An array moves as a whole. */
struct qn__place qn__advance(struct qn__function *f, struct qn__place p, struct qn__expr index);
/* Member i of a struct, component i of a vector. */
struct qn__place qn__member(struct qn__function *f, struct qn__place p, uint64_t i);
/* One step towards byte `*offset` of an object; false when its type goes no further. */
bool qn__descend(struct qn__function *f, struct qn__place *p, uint64_t *offset);
/* The byte that many further on, or further back. */
struct qn__place qn__bytes_at(struct qn__function *f, struct qn__place p,
                              const struct qn__node *offset, bool negative);
/* A constant byte offset from a place. What is wanted there is not known yet, so the walk stops at
 * the outermost object that begins there. */
struct qn__place qn__at_offset(struct qn__function *f, struct qn__place p, int64_t signed_offset);

#endif
