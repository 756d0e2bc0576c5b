/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of simplify.c. */
#ifndef QN_COMPILER_STMT_RECOVER_TERNARIES_H
#define QN_COMPILER_STMT_RECOVER_TERNARIES_H

#include "compiler/stmt/stmt.h"

/* ?:, && and || of the source come back. */
void qn__recover_ternaries(struct qn__function *f);

#endif
