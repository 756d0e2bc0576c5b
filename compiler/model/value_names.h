/* SPDX-License-Identifier: Apache-2.0
 *
 * Source names and source types of values, carried through the optimisation passes in the names of
 * LLVM's values: "<name>.q<code><number>@", where code is what the variable is.
 */
#ifndef QN_COMPILER_MODEL_VALUE_NAMES_H
#define QN_COMPILER_MODEL_VALUE_NAMES_H

#include "compiler/core/unit.h"

enum qn__name_kind {
    QN__NAME_NONE = 0,  /* clang's own word ("add", "arrayidx"), or nothing */
    QN__NAME_LOCAL,     /* a variable of the source */
    QN__NAME_PARAMETER, /* a parameter of a device function that was inlined */
};

/* What a value's name holds. */
struct qn__source_name {
    enum qn__name_kind kind;
    const char *name;             /* "" for QN__NAME_NONE */
    bool sign_known, is_unsigned; /* of integers */
    bool is_bool;
    uint32_t variable; /* which variable of the source; 0 for none */
};
/* Name a value after a variable of the source that had no value of its own. */
void qn__name_variable(struct qn__unit *u, LLVMValueRef v, const char *name);
/* Name a value like another one of the same variable. */
void qn__name_like(struct qn__unit *u, LLVMValueRef v, LLVMValueRef model);
struct qn__source_name qn__name_of(struct qn__unit *u, LLVMValueRef v);

#endif
