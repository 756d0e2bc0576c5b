/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies of inline PTX (ptx_copy.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_COPY_H
#define QN_COMPILER_LOWER_PTX_PTX_COPY_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_copy(struct qn__ptx *x);

#endif
