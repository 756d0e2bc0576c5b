/* SPDX-License-Identifier: Apache-2.0
 *
 * #pragma unroll and the like. */
#ifndef QN_COMPILER_STMT_LOOP_HINTS_H
#define QN_COMPILER_STMT_LOOP_HINTS_H

#include "compiler/model/function.h"

/* What the source asks of the loop of this head; NULL for nothing. */
const struct qn__loop_hints *qn__loop_hints(struct qn__function *f, const struct qn__block *header);

#endif
