/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel as text (kernel_text.c). */
#ifndef QN_COMPILER_OUT_KERNEL_TEXT_H
#define QN_COMPILER_OUT_KERNEL_TEXT_H

#include "compiler/model/function.h"

/* The head up to its brace, with a parameter of its own before the source's, or NULL: then hidden
 * ones follow those. */
void qn__head_print(struct qn__function *f, const char *name, const char *first,
                    struct qn__str *out);
/* Where the kernel comes from, as a comment or a directive. */
void qn__origin_print(struct qn__function *f, struct qn__str *out);
void qn__kernel_print(struct qn__function *f, struct qn__str *out);

#endif
