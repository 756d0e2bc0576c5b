/* SPDX-License-Identifier: Apache-2.0
 *
 * What clang says, taken apart. */
#ifndef QN_COMPILER_FRONTEND_CLANG_LOG_H
#define QN_COMPILER_FRONTEND_CLANG_LOG_H

#include "compiler/core/unit.h"

struct qn__clang_place {
    uint32_t file, line, column;
};

struct qn__clang_error {
    const char *message; /* without "error: " */
    const char *where;   /* "main.cu:3:14" in the user's names; "" where it is in no file of hers */
    uint32_t file;       /* of the request; n_files where it is in none of them */
    uint32_t line, column;
    struct qn__clang_place in_macro; /* of the user's, that led to it; line 0: there is none */
    bool by_include; /* it is in a header; the place is the #include that led there */
};

/* The errors of a log, in its order. One that is in a header of ours or the machine's is where the
 * user's code led to it: where a note says that something was asked for, else at the #include.
 *
 *   source   the folder in which the request's files lie; their names in the log begin with it */
struct qn__clang_error *qn__clang_errors(struct qn__unit *u, const char *log, const char *source,
                                         uint32_t *n);

/* Where a place is in a file's text; n where it has no such line. */
size_t qn__clang_offset(const char *text, size_t n, uint32_t line, uint32_t column);

/* Why what clang refuses stays refused, for what NVIDIA's compiler takes; else NULL. */
const char *qn__clang_error_reason(const char *message);

#endif
