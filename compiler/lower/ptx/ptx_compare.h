/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons, choices and moves of inline PTX (ptx_compare.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_COMPARE_H
#define QN_COMPILER_LOWER_PTX_PTX_COMPARE_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_compare(struct qn__ptx *x);

#endif
