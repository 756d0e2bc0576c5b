/* SPDX-License-Identifier: Apache-2.0
 *
 * Alignments where NVIDIA's compiler reads them and clang does not (shared_align.c). */
#ifndef QN_COMPILER_FRONTEND_SHARED_ALIGN_H
#define QN_COMPILER_FRONTEND_SHARED_ALIGN_H

#include "compiler/core/unit.h"

/* The file's text as clang takes it; its length stays the same. */
const char *qn__shared_align(struct qn__unit *u, const struct qn__source_file *f);

#endif
