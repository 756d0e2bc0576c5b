/* SPDX-License-Identifier: Apache-2.0
 *
 * A call of one of several functions, by a number (choose_call.c). */
#ifndef QN_COMPILER_LOWER_CHOOSE_CALL_H
#define QN_COMPILER_LOWER_CHOOSE_CALL_H

#include "compiler/core/unit.h"

/* The function that a number stands for; several numbers may stand for one. */
struct qn__choice {
    uint64_t number;
    LLVMValueRef function;
};

/* The call becomes one of what the number, an integer in front of it, says. */
void qn__choose_call(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef number,
                     const struct qn__choice *choices, uint32_t n);

#endif
