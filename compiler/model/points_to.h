/* SPDX-License-Identifier: Apache-2.0
 *
 * Which addresses lie where in private and shared memory (points_to.c). */
#ifndef QN_COMPILER_MODEL_POINTS_TO_H
#define QN_COMPILER_MODEL_POINTS_TO_H

#include "compiler/model/address_space.h"

struct qn__points_to;

struct qn__points_to *qn__points_to_new(struct qn__function *f);

/* Compute where a pointer leads from where its operands lead now; true if that is new. At first
 * pointers lead nowhere. */
bool qn__points_to_follow(struct qn__points_to *h, const struct qn__value *pointer);

/* `bytes` bytes from `offset` bytes after `pointer` on, which points to private or shared memory;
 * QN__POINTS_TO_REST: to the end of the variable. */
struct qn__points_to_bytes {
    LLVMValueRef pointer;
    uint64_t offset, bytes;
};
#define QN__POINTS_TO_REST UINT64_MAX

/* The space of what a load from there may find. */
enum qn__space qn__points_to_load(const struct qn__points_to *h, struct qn__points_to_bytes from);
/* An address of that space is stored there; true if that is new. `pointer`: the address; NULL for a
 * number or a struct. */
bool qn__points_to_store(struct qn__points_to *h, struct qn__points_to_bytes to, enum qn__space s,
                         LLVMValueRef pointer);
/* Copy the addresses in the bytes after `from` to those after `to`; true if that is new. */
bool qn__points_to_copy(struct qn__points_to *h, LLVMValueRef to, LLVMValueRef from,
                        uint64_t bytes);

#endif
