/* SPDX-License-Identifier: Apache-2.0
 *
 * A struct passed by value whose memory is not the work-item's own: what is written goes to a copy.
 */
#ifndef QN_COMPILER_MODEL_COPY_PARAMETER_H
#define QN_COMPILER_MODEL_COPY_PARAMETER_H

#include "compiler/core/unit.h"

/* If kernel `f` writes to parameter `i`, a struct passed by value, it writes to a copy now.
 *
 *     void k(struct s a) { a.x = 1; }   ->   void k(struct s a) { struct s a_1 = a; a_1.x = 1; } */
void qn__copy_written_parameter(struct qn__unit *u, LLVMValueRef f, unsigned i);

#endif
