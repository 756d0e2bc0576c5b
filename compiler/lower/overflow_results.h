/* SPDX-License-Identifier: Apache-2.0
 *
 * A look at the users of a signed operation (overflow_uses.c), and what is known of its results
 * (overflow_results.c). */
#ifndef QN_COMPILER_LOWER_OVERFLOW_RESULTS_H
#define QN_COMPILER_LOWER_OVERFLOW_RESULTS_H

#include "compiler/lower/int_range.h"

enum { MOST_VALUES = 96, LARGE = 1 << 30, SUMS = 4 /* of sums */ };

struct walk {
    struct qn__int_facts *f;
    LLVMValueRef origin; /* the operation */
    LLVMValueRef todo[MOST_VALUES];
    bool is_sum[MOST_VALUES];  /* the origin with numbers added or multiplied */
    bool is_high[MOST_VALUES]; /* shifted right: its low bits are high ones of the origin */
    bool high;                 /* so is the value that is looked at */
    unsigned n;
    bool seen;
    bool index_counts; /* an address sees it, too */
};

/* Do the results that do not overflow have more in common than their sign? */
bool qn__overflow_leaves_little(struct qn__int_facts *f, LLVMValueRef v);
bool qn__overflow_is_constant(LLVMValueRef v);
/* Is the sign of a value known where the operation does not overflow? What is made of a negative
 * number may be negative, too. */
bool qn__overflow_has_sign(struct walk *w, LLVMValueRef v);
/* x - 2147483647 is at most 0, so that it is negated and divided as an unsigned number, and
 * (x + 2147483647) / 11 is at least 0: known where the operation does not overflow, and only there.
 * A sum of such large numbers is meant to wrap; of (x + dx + w) % w that is not taken. */
bool qn__overflow_quotient_has_sign(struct walk *w, LLVMValueRef v, LLVMValueRef by,
                                    LLVMBasicBlockRef at);
/* A constant whose highest bit is set, or what is masked with one. */
bool qn__overflow_has_highest_bit(LLVMValueRef v);
/* INT_MIN: the sum with it is taken for the `or`. */
bool qn__overflow_is_highest_bit(LLVMValueRef v);
/* All bits below the highest, or down to some bit: what the mask takes away but the sign is 0. */
bool qn__overflow_masks_sign(LLVMValueRef mask);
/* x + x */
bool qn__overflow_doubles(LLVMValueRef operation);
bool qn__overflow_has_constant(LLVMValueRef operation);

/* The kind of the note that an operation is a signed one and not yet settled. */
unsigned qn__signed_note(struct qn__unit *u);

#endif
