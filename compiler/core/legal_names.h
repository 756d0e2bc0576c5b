/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the source as names of OpenCL C (legal_names.c). */
#ifndef QN_COMPILER_CORE_LEGAL_NAMES_H
#define QN_COMPILER_CORE_LEGAL_NAMES_H

#include "compiler/core/unit.h"

/* A name that is legal and free in OpenCL C: "kernel" becomes "kernel_", "a.b" "a_b". */
const char *qn__name_legal(struct qn__unit *u, const char *name);

#endif
