/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of simplify.c that deal with loops. */
#ifndef QN_COMPILER_STMT_RECOVER_LOOPS_H
#define QN_COMPILER_STMT_RECOVER_LOOPS_H

#include "compiler/stmt/stmt.h"

/* The copies before the only jump out of a loop go after the loop. */
void qn__move_copies_after(struct qn__stmt *loop, struct qn__stmt *exit);
/* Jumps out of loops: break, then jump. True when something changed. */
bool qn__hoist_exits(struct qn__function *f);
/* while, do, for */
void qn__shape_loops(struct qn__function *f);
/* Jumps that are break or continue say so. */
void qn__retarget_jumps(struct qn__function *f);

#endif
