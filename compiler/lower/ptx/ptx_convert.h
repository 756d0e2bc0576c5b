/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt of inline PTX (ptx_convert.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_CONVERT_H
#define QN_COMPILER_LOWER_PTX_PTX_CONVERT_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_convert(struct qn__ptx *x);

#endif
