/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls through pointers of which only some functions can be the target (dispatch_calls.c). */
#ifndef QN_COMPILER_LOWER_DISPATCH_CALLS_H
#define QN_COMPILER_LOWER_DISPATCH_CALLS_H

#include "compiler/core/unit.h"

/* Make choices among direct calls of them, in the kernels. False: there is none. */
bool qn__dispatch_calls(struct qn__unit *u);

#endif
