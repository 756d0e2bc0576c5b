/* SPDX-License-Identifier: Apache-2.0
 *
 * Shifts of a constant by a constant that is too large, to which clang gives no value. */
#ifndef QN_COMPILER_FRONTEND_CONSTANT_SHIFTS_H
#define QN_COMPILER_FRONTEND_CONSTANT_SHIFTS_H

#include "compiler/frontend/clang_log.h"
#include "compiler/frontend/host_code.h"

/* Is there an integer without a value in what clang made? */
bool qn__loses_shift(LLVMModuleRef module);

/* Change the file of this error, if it is one of such a shift, so that clang does not fold it. */
bool qn__constant_shift_rewrite(struct qn__unit *u, struct qn__host_file *files,
                                const struct qn__clang_error *e);

#endif
