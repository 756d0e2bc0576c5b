/* SPDX-License-Identifier: Apache-2.0
 *
 * The four products of mma.sync.m8n8k4 of halves in inline PTX (ptx_mma_quads.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_MMA_QUADS_H
#define QN_COMPILER_LOWER_PTX_PTX_MMA_QUADS_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_mma_quads(struct qn__ptx *x);

#endif
