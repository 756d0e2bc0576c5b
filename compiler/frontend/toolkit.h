/* SPDX-License-Identifier: Apache-2.0
 *
 * The headers of CUB, Thrust and libcu++ that a CUDA toolkit or a checkout of CCCL brings. */
#ifndef QN_COMPILER_FRONTEND_TOOLKIT_H
#define QN_COMPILER_FRONTEND_TOOLKIT_H

#include "compiler/core/unit.h"

/* Where the request's files include one, "a.cu:3:1"; NULL: nowhere. */
const char *qn__toolkit_place(struct qn__unit *u);

/* Does a kernel that must be there need what ours refuse, or code that was left out? In the
 * module. */
bool qn__toolkit_is_needed(struct qn__unit *u);
#define QN__TOOLKIT_REFUSED "an operation of a block or a warp that they only declare"

/* Note in the result that they were read. */
void qn__toolkit_was_read(struct qn__unit *u);

/* Say so among the diagnostics, and why; or why it was of no use. */
void qn__toolkit_warn(struct qn__unit *u, const char *reason);
void qn__toolkit_note_failure(struct qn__unit *u, const char *place, const char *reason);

#endif
