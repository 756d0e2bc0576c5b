/* SPDX-License-Identifier: Apache-2.0
 *
 * printf's format, with the widths and precisions that are known. */
#ifndef QN_COMPILER_MODEL_PRINTF_FORMAT_H
#define QN_COMPILER_MODEL_PRINTF_FORMAT_H

#include "compiler/core/unit.h"

/* The characters of a constant string; NULL where the pointer is none. */
const char *qn__string_at(struct qn__unit *u, LLVMValueRef pointer);

struct qn__printf_format {
    const char *text; /* NULL: not known */
    bool *in_text;    /* per argument of the call: it stands in the text now */
};

/* `written`, the call's format, with each * whose number is a constant as that number. */
struct qn__printf_format qn__printf_format(struct qn__unit *u, LLVMValueRef call,
                                           const char *written);

#endif
