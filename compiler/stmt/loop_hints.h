/* SPDX-License-Identifier: Apache-2.0
 *
 * #pragma unroll and the like. */
#ifndef QN_COMPILER_STMT_LOOP_HINTS_H
#define QN_COMPILER_STMT_LOOP_HINTS_H

#include "compiler/model/function.h"

/* The lines to print before the loop of this head, each ended; NULL for none. */
const char *qn__loop_hints(struct qn__function *f, const struct qn__block *header);

#endif
