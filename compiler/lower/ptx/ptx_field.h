/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit fields of inline PTX (ptx_field.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_FIELD_H
#define QN_COMPILER_LOWER_PTX_PTX_FIELD_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_field(struct qn__ptx *x);

#endif
