/* SPDX-License-Identifier: Apache-2.0
 *
 * ldmatrix, stmatrix, movmatrix of inline PTX (ptx_matrix.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_MATRIX_H
#define QN_COMPILER_LOWER_PTX_PTX_MATRIX_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_matrix(struct qn__ptx *x);

#endif
