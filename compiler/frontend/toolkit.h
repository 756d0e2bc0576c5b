/* SPDX-License-Identifier: Apache-2.0
 *
 * The headers of CUB, Thrust and libcu++ that a CUDA toolkit or a checkout of CCCL brings. */
#ifndef QN_COMPILER_FRONTEND_TOOLKIT_H
#define QN_COMPILER_FRONTEND_TOOLKIT_H

#include "compiler/core/unit.h"

/* Where the request's files include one, "a.cu:3:1"; NULL: nowhere. */
const char *qn__toolkit_place(struct qn__unit *u);

/* What a kernel that must be there, in the module, would have of one. */
enum qn__toolkit_use {
    QN__TOOLKIT_UNUSED,
    QN__TOOLKIT_PREFERRED, /* it uses an operation of a block or a warp, which ours have as well */
    QN__TOOLKIT_NEEDED     /* ours lack something: code was left out */
};
enum qn__toolkit_use qn__toolkit_use(struct qn__unit *u);

/* Note in the result that they were read. */
void qn__toolkit_was_read(struct qn__unit *u);

/* Say so among the diagnostics, and why, `lacking` being what ours led to or NULL; or that ours
 * were read where one is preferred (`why`: what its own led to, or NULL where none is known); or
 * why it was of no use. */
void qn__toolkit_warn(struct qn__unit *u, const char *lacking);
void qn__toolkit_note_ours(struct qn__unit *u, const char *why);
void qn__toolkit_note_failure(struct qn__unit *u, const char *place, const char *reason);

#endif
