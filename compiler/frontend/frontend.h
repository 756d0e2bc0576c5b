/* SPDX-License-Identifier: Apache-2.0
 *
 * From the request's files to LLVM IR. */
#ifndef QN_COMPILER_FRONTEND_FRONTEND_H
#define QN_COMPILER_FRONTEND_FRONTEND_H

#include "compiler/core/unit.h"

/* shared_align.c: the file's text as clang takes it, as long as it was. */
const char *qn__source_spelled(struct qn__unit *u, const struct qn__source_file *f);

#endif
