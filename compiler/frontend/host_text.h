/* SPDX-License-Identifier: Apache-2.0
 *
 * The form of a file's text: functions, blocks, statements. */
#ifndef QN_COMPILER_FRONTEND_HOST_TEXT_H
#define QN_COMPILER_FRONTEND_HOST_TEXT_H

#include "compiler/core/unit.h"

struct qn__region {
    size_t begin, end;
};

struct qn__host_place {
    bool in_function;            /* else among the declarations of a namespace */
    bool in_class;               /* among the declarations of a class */
    struct qn__region head;      /* of the function: what stands in front of its body */
    struct qn__region body;      /* between its braces */
    struct qn__region statement; /* the smallest one around the position, or the declaration */
    struct qn__region header;    /* for (HERE), where the position is in it; else empty */
    char header_of;              /* 'f'or, 'i'f, 'w'hile, 's'witch */
};

/* A copy in which comments and the preprocessor's lines are blank, and strings hold dots. Positions
 * stay. */
char *qn__host_text_code(struct qn__unit *u, const char *text, size_t n);

/* What stands at a position of such a copy. False where its braces do not match. */
bool qn__host_text_place(struct qn__host_place *out, const char *code, size_t n, size_t at);

#endif
