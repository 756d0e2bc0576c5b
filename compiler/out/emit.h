/* SPDX-License-Identifier: Apache-2.0
 *
 * The statements of a kernel as text. */
#ifndef QN_COMPILER_OUT_EMIT_H
#define QN_COMPILER_OUT_EMIT_H

#include "compiler/model/function.h"

void qn__emit(struct qn__function *f, struct qn__str *out);

#endif
