/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of library.cl, and for C those of library_c.inc. */
#ifndef QN_COMPILER_LANG_LIBRARY_H
#define QN_COMPILER_LANG_LIBRARY_H

#include "compiler/core/unit.h"

/* Names a library function as used; returns it. */
const char *qn__library_use(struct qn__unit *u, LLVMValueRef where, const char *name);
void qn__library_print(struct qn__unit *u, const char *kernels, struct qn__str *out);
/* The text of a function of library.cl or of library_c.inc; NULL: there is none of that name. */
const char *qn__library_function(struct qn__unit *u, const char *name, size_t n, bool of_c);
/* Is there a library function of that name? Names in forms may end in SPACE. */
bool qn__library_has(const char *name, size_t n);

#endif
