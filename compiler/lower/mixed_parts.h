/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose pointers are being split (mixed_pointers.c), and what its pointers become
 * (mixed_parts.c). */
#ifndef QN_COMPILER_LOWER_MIXED_PARTS_H
#define QN_COMPILER_LOWER_MIXED_PARTS_H

#include "compiler/model/infer_spaces.h"

enum { QN__N_SPACES = QN__CONSTANT + 1 };

/* What a mixed pointer becomes. */
struct qn__parts {
    LLVMValueRef tag; /* i1: is it `first`? Of more than two spaces i32: its number */
    LLVMValueRef pointer[QN__N_SPACES]; /* by space; NULL: it is never there */
};

struct qn__replaced {
    LLVMValueRef old, now;
};

struct qn__split {
    struct qn__unit *u;
    struct qn__function *f; /* as it was before */
    LLVMBuilderRef b;
    unsigned char *spaces; /* by value: a bit for each space it may be in */
    unsigned all,
        in_memory; /* of all mixed pointers; of addresses that lie in memory or are numbers */
    bool has_tags; /* addresses in memory and numbers say their space */
    enum qn__space first;
    struct qn__map parts; /* mixed value -> struct qn__parts */
    struct qn__map dead;  /* what is replaced in the end */
    struct qn__replaced *replaced;
    uint32_t n_replaced, replaced_capacity;
};

bool qn__split_is_mixed(const struct qn__split *s, LLVMValueRef v);
/* The spaces of any pointer of the function as it was. */
unsigned qn__split_spaces(const struct qn__split *s, LLVMValueRef pointer);

/* New instructions go where the builder is. */
LLVMValueRef qn__split_tag(struct qn__split *s, LLVMValueRef pointer);
LLVMValueRef qn__split_part(struct qn__split *s, LLVMValueRef pointer, enum qn__space where);
LLVMValueRef qn__split_is(struct qn__split *s, LLVMValueRef tag, enum qn__space where);
/* The address as a number whose two highest bits are its space. */
LLVMValueRef qn__split_number(struct qn__split *s, LLVMValueRef pointer);
LLVMValueRef qn__split_untagged(struct qn__split *s, LLVMValueRef number, enum qn__space where);
/* The parts of every mixed pointer, in the order of the function. */
void qn__split_make_parts(struct qn__split *s);

#endif
