/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding and running clang. */
#ifndef QN_COMPILER_FRONTEND_CLANG_H
#define QN_COMPILER_FRONTEND_CLANG_H

#include "base/arena.h"
#include "base/error.h"

/* Absolute name of the clang to use: `wanted`, else $QUERN_CLANG, else the best one in PATH.
 * QN_E_COMPILER */
qn_status qn__clang_find(const char **out, struct qn__arena *arena, const char *wanted);

/* "19.1.7". QN_E_COMPILER */
qn_status qn__clang_version(const char **out, struct qn__arena *arena, const char *clang);

/* Run argv with both outputs into the file `log`. *code is the exit status, 128 + signal for a
 * crash. */
qn_status qn__clang_run(int *code, char *const *argv, const char *log);

#endif
