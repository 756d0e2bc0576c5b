/* SPDX-License-Identifier: Apache-2.0
 *
 * From a symbol of C++ back to what a source calls it. */
#ifndef QN_BASE_SYMBOL_EXPRESSION_H
#define QN_BASE_SYMBOL_EXPRESSION_H

#include "base/arena.h"

#include <stdbool.h>

/* "ns::scale<float, 64>" of "_ZN2ns5scaleIfLi64EEEvPT_", in the arena: the name expression of a
 * kernel. A namespace without a name is left out, as the source leaves it out. NULL where no
 * expression names it (a lambda's type, one that is local to a function), for symbols that are not
 * C++'s, and where there is no memory. */
const char *qn__symbol_expression(struct qn__arena *arena, const char *symbol);

/* Is it an instance of a template, which a compiler makes only if it is asked for? */
bool qn__symbol_is_instance(const char *symbol);

#endif
