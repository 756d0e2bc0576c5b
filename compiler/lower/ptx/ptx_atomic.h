/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations of inline PTX (ptx_atomic.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_ATOMIC_H
#define QN_COMPILER_LOWER_PTX_PTX_ATOMIC_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_atomic(struct qn__ptx *x);

#endif
