/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding and running clang. */
#ifndef QN_COMPILER_FRONTEND_H
#define QN_COMPILER_FRONTEND_H

#include "compiler/unit.h"

/* Absolute name of the clang to use: `wanted`, else $QUERN_CLANG, else the best one in PATH.
 * QN_E_COMPILER */
qn_status qn__clang_find(const char **out, struct qn__arena *arena, const char *wanted);

/* "19.1.7". QN_E_COMPILER */
qn_status qn__clang_version(const char **out, struct qn__arena *arena, const char *clang);

/* spellings.c: the file's text as clang takes it, as long as it was. */
const char *qn__source_spelled(struct qn__unit *u, const struct qn__translate_file *f);

#endif
