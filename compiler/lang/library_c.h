/* SPDX-License-Identifier: Apache-2.0
 *
 * The library of C: functions of library_c.inc, and those of library.cl as C. */
#ifndef QN_COMPILER_LANG_LIBRARY_C_H
#define QN_COMPILER_LANG_LIBRARY_C_H

#include "compiler/core/unit.h"

/* What the kernels' text mentions, and what that mentions. */
void qn__library_c_print(struct qn__unit *u, const char *kernels, struct qn__str *out);

#endif
