/* SPDX-License-Identifier: Apache-2.0
 *
 * What integers can be (int_range.c), as far as the instructions and conditions before them show.
 */
#ifndef QN_COMPILER_LOWER_INT_RANGE_H
#define QN_COMPILER_LOWER_INT_RANGE_H

#include "compiler/lower/dominators.h"

/* Of an integer of up to 64 bits, read as signed or as unsigned. An unsigned one of 64 bits whose
 * `high` is INT64_MAX may be larger as well. */
struct qn__int_range {
    int64_t low, high;
    bool zero, minus_one; /* may be 0; may be -1 */
};

/* One function while it is asked about. */
struct qn__int_facts {
    struct qn__unit *u;
    struct qn__dominators dominators;
    unsigned steps; /* that the current question may still take */
    struct {
        LLVMValueRef phi;
        struct qn__int_range range; /* what it is taken to be meanwhile */
    } open[16];                     /* phis being looked at */
    unsigned n_open;
    struct qn__map loops; /* int_counter.c: a header -> which blocks its loop has */
};

/* Those of a function, kept in a map as long as its control flow stays the same. */
struct qn__int_facts *qn__int_facts_of(struct qn__unit *u, struct qn__map *known,
                                       LLVMValueRef function);

/* The range of `v` where control is in block `at`. */
struct qn__int_range qn__int_range(struct qn__int_facts *f, LLVMValueRef v, bool is_unsigned,
                                   LLVMBasicBlockRef at);
/* Can this add, sub or mul leave the range of its type, read as signed? Not the step of a counter
 * that its loop's own condition bounds. */
bool qn__may_overflow(struct qn__int_facts *f, LLVMValueRef operation);
/* What the operation, one of these or abs(), gives where it does not overflow. */
struct qn__int_range qn__range_without_overflow(struct qn__int_facts *f, LLVMValueRef operation);

/* ---- for the parts of it ---- */

enum { QN__RANGE_DEPTH = 10 };

struct qn__int_range qn__range_whole(unsigned bits, bool is_unsigned);
struct qn__int_range qn__range_make(int64_t low, int64_t high);
struct qn__int_range qn__range_at(struct qn__int_facts *f, LLVMValueRef v, bool is_unsigned,
                                  LLVMBasicBlockRef at, int depth);
/* int_condition.c: narrowed by a condition that is known to be `taken`, or by those on the way to
 * a block. */
struct qn__int_range qn__range_where(struct qn__int_facts *f, struct qn__int_range r,
                                     LLVMValueRef v, bool is_unsigned, LLVMValueRef condition,
                                     bool taken, int depth);
struct qn__int_range qn__range_on_path(struct qn__int_facts *f, struct qn__int_range r,
                                       LLVMValueRef v, bool is_unsigned, LLVMBasicBlockRef at,
                                       int depth);
/* Of a < b: a >= b, which is its contrary, and b > a, which says the same. */
LLVMIntPredicate qn__predicate_inverse(LLVMIntPredicate p);
LLVMIntPredicate qn__predicate_swapped(LLVMIntPredicate p);
/* int_counter.c: what flows around a loop. */
struct qn__int_range qn__range_of_phi(struct qn__int_facts *f, LLVMValueRef phi, bool is_unsigned,
                                      int depth);
bool qn__is_bounded_step(struct qn__int_facts *f, LLVMValueRef operation);

#endif
