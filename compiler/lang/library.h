/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of library.cl. */
#ifndef QN_COMPILER_LANG_LIBRARY_H
#define QN_COMPILER_LANG_LIBRARY_H

#include "compiler/core/unit.h"

/* Names a library function as used; returns it. */
const char *qn__library_use(struct qn__unit *u, LLVMValueRef where, const char *name);
void qn__library_print(struct qn__unit *u, struct qn__str *out);
/* Is there a library function of that name? Names in forms may end in SPACE. */
bool qn__library_has(const char *name, size_t n);

#endif
