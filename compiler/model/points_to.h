/* SPDX-License-Identifier: Apache-2.0
 *
 * Which addresses lie where in private and shared memory (points_to.c). */
#ifndef QN_COMPILER_MODEL_POINTS_TO_H
#define QN_COMPILER_MODEL_POINTS_TO_H

#include "compiler/model/address_space.h"

struct qn__held;

struct qn__held *qn__held_new(struct qn__function *f);

/* Where a pointer leads, by what its operands do now; is that new? Pointers lead nowhere before. */
bool qn__held_follow(struct qn__held *h, const struct qn__value *pointer);

/* So many bytes from `offset` on behind `pointer`, which points to private or shared memory;
 * QN__HELD_REST: to the end of the variable. */
struct qn__held_bytes {
    LLVMValueRef pointer;
    uint64_t offset, bytes;
};
#define QN__HELD_REST UINT64_MAX

/* The space of what a load from there may find. */
enum qn__space qn__held_find(const struct qn__held *h, struct qn__held_bytes from);
/* An address of that space goes there; does that tell anything new? `pointer`: it is this one; NULL
 * for a number or a struct. */
bool qn__held_put(struct qn__held *h, struct qn__held_bytes to, enum qn__space s,
                  LLVMValueRef pointer);
/* The addresses behind `from`, each to the same place behind `to`. */
bool qn__held_copy(struct qn__held *h, LLVMValueRef to, LLVMValueRef from, uint64_t bytes);

#endif
