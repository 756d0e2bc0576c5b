/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole text (unit_text.c). */
#ifndef QN_COMPILER_OUT_UNIT_TEXT_H
#define QN_COMPILER_OUT_UNIT_TEXT_H

#include "compiler/core/unit.h"

qn_status qn__print_unit(struct qn__unit *u);

#endif
