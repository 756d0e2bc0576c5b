/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's own headers, where a translation read them. */
#ifndef QN_COMPILER_FRONTEND_MACHINE_HEADERS_H
#define QN_COMPILER_FRONTEND_MACHINE_HEADERS_H

#include "compiler/core/unit.h"

/* Do the request's files include a header that is neither theirs nor CUDA's? */
bool qn__includes_library(struct qn__unit *u);

/* Note in the result where clang looks for the machine's headers, and where it read any, after it
 * wrote them down below <temp>, which. QN_E_COMPILER, QN_E_IO */
qn_status qn__machine_headers(struct qn__unit *u, const char *clang, const char *temp,
                              bool was_read);

/* Say so among the diagnostics, and why: the error that our headers led to, and where. */
void qn__machine_headers_note(struct qn__unit *u, const char *reason, const char *where);

#endif
