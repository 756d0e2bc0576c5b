/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of inline PTX on memory (ptx_memory.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_MEMORY_H
#define QN_COMPILER_LOWER_PTX_PTX_MEMORY_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_memory(struct qn__ptx *x);

/* A fence of the scope that the statement names. */
bool qn__ptx_fence(struct qn__ptx *x);

#endif
