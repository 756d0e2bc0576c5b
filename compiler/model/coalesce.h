/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that share one C variable (coalesce.c). */
#ifndef QN_COMPILER_MODEL_COALESCE_H
#define QN_COMPILER_MODEL_COALESCE_H

#include "compiler/model/function.h"

/* Give every value that is not folded a variable; values that flow into a phi share the phi's where
 * their lives do not overlap. */
void qn__coalesce(struct qn__function *f);

#endif
