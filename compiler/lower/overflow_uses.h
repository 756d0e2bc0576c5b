/* SPDX-License-Identifier: Apache-2.0
 *
 * Who would see that a signed operation overflowed (overflow_uses.c). */
#ifndef QN_COMPILER_LOWER_OVERFLOW_USES_H
#define QN_COMPILER_LOWER_OVERFLOW_USES_H

#include "compiler/lower/int_range.h"

/* Would some user of `v`, an add, sub, mul or a call of abs(), give something else if `v` were
 * computed with more bits than its type has, as C allows? */
bool qn__overflow_is_seen(struct qn__int_facts *f, LLVMValueRef v);

#endif
