/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of inline PTX for the lanes of a warp (ptx_warp.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_WARP_H
#define QN_COMPILER_LOWER_PTX_PTX_WARP_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_answer qn__ptx_warp(struct qn__ptx *x);

#endif
