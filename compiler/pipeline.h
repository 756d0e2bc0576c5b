/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of passes.def, run in their order (pipeline.c). */
#ifndef QN_COMPILER_PIPELINE_H
#define QN_COMPILER_PIPELINE_H

#include "compiler/core/unit.h"

qn_status qn__pipeline(struct qn__unit *u);

#endif
