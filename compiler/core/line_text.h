/* SPDX-License-Identifier: Apache-2.0
 *
 * #line directives (line_text.c). */
#ifndef QN_COMPILER_CORE_LINE_TEXT_H
#define QN_COMPILER_CORE_LINE_TEXT_H

#include "compiler/core/unit.h"

/* '#line 12 "a.cu"', without an end of line. */
const char *qn__line_directive(struct qn__unit *u, const char *file, unsigned line);

#endif
