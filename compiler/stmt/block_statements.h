/* SPDX-License-Identifier: Apache-2.0
 *
 * What the blocks of the control-flow graph and its edges do, for structure.c. */
#ifndef QN_COMPILER_STMT_BLOCK_STATEMENTS_H
#define QN_COMPILER_STMT_BLOCK_STATEMENTS_H

#include "compiler/stmt/stmt.h"

/* A block's instructions, at the end of a list. */
void qn__block_statements(struct qn__function *f, struct qn__stmt *list, struct qn__block *b);
/* An edge's copies into the variables of phis. */
void qn__edge_copies(struct qn__function *f, struct qn__stmt *list, struct qn__block *from,
                     struct qn__block *to);

#endif
