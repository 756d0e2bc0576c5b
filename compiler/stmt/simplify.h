/* SPDX-License-Identifier: Apache-2.0
 *
 * What simplify.c and recover_loops.c share. */
#ifndef QN_COMPILER_STMT_SIMPLIFY_H
#define QN_COMPILER_STMT_SIMPLIFY_H

#include "compiler/stmt/stmt.h"

/* Take a jump out of its list; its target loses a leave. */
void qn__drop_jump(struct qn__stmt *s);
/* Does control that comes out of the end of `list` reach what this jump jumps to? */
bool qn__falls_to(const struct qn__stmt *list, const struct qn__stmt *jump);
/* The copies before the only jump out of a loop go behind the loop. */
void qn__copies_behind(struct qn__stmt *loop, struct qn__stmt *exit);
/* Improve a block; true when something changed. */
bool qn__tidy_block(struct qn__stmt *s);

void qn__make_choices(struct qn__function *f); /* ?:, && and || of the source; recover_choices.c */
bool qn__hoist_exits(struct qn__function *f);  /* jumps out of loops: break, then jump */
void qn__shape_loops(struct qn__function *f);  /* while, do, for */
void qn__retarget(struct qn__function *f);     /* jumps that are break or continue say so */

#endif
