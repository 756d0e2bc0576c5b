/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices in inline PTX (ptx_mma.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_MMA_H
#define QN_COMPILER_LOWER_PTX_PTX_MMA_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_mma(struct qn__ptx *x);

#endif
