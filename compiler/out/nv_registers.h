/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of NVIDIA's GPUs. */
#ifndef QN_COMPILER_OUT_NV_REGISTERS_H
#define QN_COMPILER_OUT_NV_REGISTERS_H

#include "compiler/core/unit.h"

/* What a thread may have of them at most; 0 where the driver decides. */
uint32_t qn__registers_of(struct qn__unit *u);

#endif
