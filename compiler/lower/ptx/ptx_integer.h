/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer and bit instructions of inline PTX (ptx_integer.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_INTEGER_H
#define QN_COMPILER_LOWER_PTX_PTX_INTEGER_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_integer(struct qn__ptx *x);

#endif
