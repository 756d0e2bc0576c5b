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
/* The kernel as C for a whole block: block_text.c. */
void qn__shared_members(struct qn__function *f); /* names of __shared__ variables, before all others */
void qn__block_print(struct qn__function *f, struct qn__str *out);
/* Before and after all kernels: variables of the module; the tables that a program finds. */
void qn__block_globals_print(struct qn__unit *u, struct qn__str *out);
void qn__block_tables_print(struct qn__unit *u, struct qn__str *out);
void qn__kernel_print(struct qn__function *f, struct qn__str *out);

#endif
