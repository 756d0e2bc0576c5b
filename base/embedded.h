/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that travel inside the program: tables made by scripts/embed.sh, ended by a row with name
 * NULL. Each text has a 0 after it. */
#ifndef QN_BASE_EMBEDDED_H
#define QN_BASE_EMBEDDED_H

#include <stddef.h>

struct qn__embedded {
    const char *name;
    const char *text;
    const char *end;
    const char *digest; /* BLAKE2b-256 of the text; NULL: not known */
};

extern const struct qn__embedded qn__kernel_sources[];  /* kernels: *.cu and *.cuh */
extern const struct qn__embedded qn__standin_headers[]; /* compiler/frontend/include */
extern const struct qn__embedded qn__cudart_headers[];  /* cudart/include and cudart/calls.def */

/* The row of that name, or NULL. */
const struct qn__embedded *qn__embedded_find(const struct qn__embedded *table, const char *name);

/* The row whose text begins at that address, or NULL. */
const struct qn__embedded *qn__embedded_at(const struct qn__embedded *table, const char *text);

#endif
