/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files behind expr.h share: expr.c (arithmetic), expr_compare.c, expr_convert.c,
 * expr_vector.c. */
#ifndef QN_COMPILER_EXPR_OPERATORS_H
#define QN_COMPILER_EXPR_OPERATORS_H

#include "compiler/expr/expr.h"

/* a op b, with what C's usual conversions make of the operands. */
struct qn__expr qn__infix(struct qn__unit *u, enum qn__op op, struct qn__expr a, struct qn__expr b,
                          const struct qn__type *t);
struct qn__expr qn__prefix(struct qn__unit *u, enum qn__op op, struct qn__expr a,
                           const struct qn__type *t);
/* A number where its context gives it its type. */
struct qn__expr qn__plain(struct qn__unit *u, uint64_t value, const struct qn__type *t);
/* x != 0 */
struct qn__expr qn__is_not_zero(struct qn__unit *u, struct qn__expr e);
struct qn__expr qn__number(struct qn__unit *u, LLVMValueRef v, const struct qn__type *t);
/* expr_usual.c. Both operands as C's conversions allow: the result's type does not change.
 * `compares`: only their values matter, whatever the width they are computed in. */
void qn__usual(struct qn__unit *u, struct qn__expr *a, struct qn__expr *b, bool compares);
/* (float4)(x): a vector whose components are all x. */
struct qn__expr qn__same_components(struct qn__unit *u, const struct qn__type *vector,
                                    struct qn__expr x);
/* `e`, which is a op b: also in 64 bits where an operand is a size_t. */
struct qn__expr qn__with_bare(struct qn__unit *u, struct qn__expr e, struct qn__expr a,
                              enum qn__op op, struct qn__expr b);
/* Is it one of C's operators, which computes in int what is narrower? */
bool qn__is_operator(const struct qn__node *n);
const struct qn__type *qn__signed_as(struct qn__unit *u, const struct qn__type *t,
                                     bool is_unsigned);
bool qn__is_unsigned(const struct qn__type *t);
struct qn__expr qn__with_sign_of(struct qn__function *f, LLVMValueRef v, bool unsigned_);
struct qn__expr qn__negated(struct qn__unit *u, struct qn__expr e);
/* && and ||, or their negation where it needs no ! in front of an operand. False: v is neither. */
bool qn__logical(struct qn__function *f, LLVMValueRef v, bool negate, struct qn__expr *out);
struct qn__expr qn__compare_integers(struct qn__function *f, LLVMValueRef in, bool negate);
struct qn__expr qn__compare_floats(struct qn__function *f, LLVMValueRef in, bool negate);
struct qn__expr qn__choose(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__truncate(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__extend(struct qn__function *f, LLVMValueRef in, bool zero);
struct qn__expr qn__to_float(struct qn__function *f, LLVMValueRef in, bool from_unsigned);
struct qn__expr qn__to_integer(struct qn__function *f, LLVMValueRef in, bool to_unsigned);
struct qn__expr qn__reinterpret(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__from_integer(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__extract_element(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__insert_element(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__shuffle(struct qn__function *f, LLVMValueRef in);
struct qn__expr qn__extract_value(struct qn__function *f, LLVMValueRef in);

#endif
