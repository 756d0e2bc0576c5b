/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel as text (kernel_text.c). */
#ifndef QN_COMPILER_OUT_KERNEL_TEXT_H
#define QN_COMPILER_OUT_KERNEL_TEXT_H

#include "compiler/model/function.h"

void qn__kernel_print(struct qn__function *f, struct qn__str *out);

#endif
