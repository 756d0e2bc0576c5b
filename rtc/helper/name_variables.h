/* SPDX-License-Identifier: Apache-2.0
 *
 * Name expressions for clang and for hipRTC, which finds no overload: one pointer per expression,
 * after the source. It makes the compiler keep what it points to, and its relocation in the code
 * object has the symbol. */
#ifndef QN_RTC_HELPER_NAME_VARIABLES_H
#define QN_RTC_HELPER_NAME_VARIABLES_H

#include "base/arena.h"
#include "base/name_expression.h"
#include "base/str.h"

#include <stdint.h>

/* The lines for the request's i-th expression. */
void qn__name_variable_add(struct qn__str *source, const struct qn__name_expression *e, uint32_t i);

/* The symbol it turned out to be; NULL: none. In the arena. */
const char *qn__name_variable_symbol(struct qn__arena *arena, const void *bytes, size_t n,
                                     uint32_t i);

#endif
