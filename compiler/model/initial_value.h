/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variable of the module begins with. */
#ifndef QN_COMPILER_MODEL_INITIAL_VALUE_H
#define QN_COMPILER_MODEL_INITIAL_VALUE_H

#include "compiler/core/unit.h"

/* Its bytes as the device has them; NULL for zeros. Refuses one that holds an address; `name` is
 * the variable's in the source. */
const unsigned char *qn__initial_value(struct qn__unit *u, LLVMValueRef variable, const char *name);

#endif
