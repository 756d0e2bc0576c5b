/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions of a module are kernels. */
#ifndef QN_COMPILER_CORE_KERNEL_LIST_H
#define QN_COMPILER_CORE_KERNEL_LIST_H

#include "compiler/core/unit.h"

/* `n` of them, in the module's order of them. */
LLVMValueRef *qn__kernel_list(struct qn__unit *u, uint32_t *n);

#endif
