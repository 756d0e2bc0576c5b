/* SPDX-License-Identifier: Apache-2.0
 *
 * Includes that lead nowhere, or to what clang does not understand. */
#ifndef QN_COMPILER_FRONTEND_ABSENT_HEADERS_H
#define QN_COMPILER_FRONTEND_ABSENT_HEADERS_H

#include "base/machine_files.h"
#include "compiler/frontend/host_code.h"

/* Is it about an include that was not found? */
bool qn__is_absent_header(const struct qn__clang_error *e);

/* Take #includes out of the files that led nowhere, or into headers that clang does not
 * understand; `machine` has the folders that were searched. False: no error is of that kind, they
 * are in no file of the request, or there have been too many. */
bool qn__absent_header_leave_out(struct qn__unit *u, struct qn__host_code *h,
                                 const struct qn__machine_files *machine,
                                 const struct qn__clang_error *errors, uint32_t n);

/* Why names are unknown: a note for each that was taken out. The first one's message, or NULL. */
const char *qn__absent_headers_note(struct qn__unit *u, const struct qn__host_code *h);

#endif
