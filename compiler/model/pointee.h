/* SPDX-License-Identifier: Apache-2.0
 *
 * What pointers that live in variables point to (pointee.c). */
#ifndef QN_COMPILER_MODEL_POINTEE_H
#define QN_COMPILER_MODEL_POINTEE_H

#include "compiler/model/function.h"

/* C type of a pointer value that gets a variable: what is read and written through it shows what it
 * points to. */
const struct qn__type *qn__pointer_type(struct qn__function *f, struct qn__value *v);

#endif
