/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as C for a whole block. */
#ifndef QN_COMPILER_OUT_BLOCK_TEXT_H
#define QN_COMPILER_OUT_BLOCK_TEXT_H

#include "compiler/model/function.h"

void qn__block_print(struct qn__function *f, struct qn__str *out);
/* Before and after all kernels: variables of the module; the tables that a program finds. */
void qn__block_globals_print(struct qn__unit *u, struct qn__str *out);
void qn__block_tables_print(struct qn__unit *u, struct qn__str *out);

#endif
