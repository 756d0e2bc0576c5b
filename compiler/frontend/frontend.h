/* SPDX-License-Identifier: Apache-2.0
 *
 * From the request's files to LLVM IR. */
#ifndef QN_COMPILER_FRONTEND_FRONTEND_H
#define QN_COMPILER_FRONTEND_FRONTEND_H

#include "compiler/core/unit.h"

qn_status qn__frontend(struct qn__unit *u);

#endif
