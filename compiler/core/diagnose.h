/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors, warnings and explanations at positions of the source (diagnose.c). */
#ifndef QN_COMPILER_CORE_DIAGNOSE_H
#define QN_COMPILER_CORE_DIAGNOSE_H

#include "compiler/core/unit.h"

/* Record an error at the source position of `where` (an instruction, or NULL for none):
 * "file:line:col: error: ...", the source line, a caret, and where it was inlined from. */
void qn__refuse(struct qn__unit *u, LLVMValueRef where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* At the end, where only kernels that were left out had errors. */
void qn__refusals_become_warnings(struct qn__unit *u);
void qn__warn(struct qn__unit *u, LLVMValueRef where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A kernel is left out, and why: the text may not say so elsewhere, as the same place is named
 * once.
 */
void qn__warn_left_out(struct qn__unit *u, const struct qn__kernel_source *k, const char *name);
/* One lowering that was applied, for --explain. */
void qn__explain(struct qn__unit *u, LLVMValueRef where, const char *what);

/* File and line of an instruction in the user's names; false where there is none. */
struct qn__place_in_source {
    const char *file;
    unsigned line, column;
    LLVMMetadataRef call; /* where the code there was inlined; NULL in the kernel's own */
};
bool qn__where(struct qn__unit *u, LLVMValueRef instruction, struct qn__place_in_source *out);
/* The same of a function, by its debug information. */
bool qn__where_begins(struct qn__unit *u, LLVMMetadataRef function,
                      struct qn__place_in_source *out);

/* Note that the text uses an ability; refuse where the profile lacks it. */
void qn__use_ability(struct qn__unit *u, LLVMValueRef where, enum qn__ability a);

#endif
