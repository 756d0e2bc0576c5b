/* SPDX-License-Identifier: Apache-2.0
 *
 * Warnings about loops that wait for another thread. */
#ifndef QN_COMPILER_MODEL_SPIN_WARNING_H
#define QN_COMPILER_MODEL_SPIN_WARNING_H

#include "compiler/model/function.h"

/* After the address spaces are known. */
void qn__waits_warn(struct qn__function *f);

#endif
