/* SPDX-License-Identifier: Apache-2.0
 *
 * Name expressions: how a request names a kernel or a variable of a source.
 *
 *     scale<float, 4>             a name, as the source would write it; with a & or without
 *     bump(int *)                 the one of several kernels `bump` that takes an int *
 *     (void (*)(int *))bump       the same as C++ has it, also as a static_cast
 */
#ifndef QN_BASE_NAME_EXPRESSION_H
#define QN_BASE_NAME_EXPRESSION_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>

/* The parts of a C++ expression that is the address of what was named: `before` makes an address of
 * `name`. Compilers report mistakes in `name`, which is the user's own text. */
struct qn__name_expression {
    const char *before; /* "&", "" or "(void (*)(int *))" */
    const char *name;
};

/* QN_E_MEMORY. The parts are in the arena, or in `text`. */
qn_status qn__name_expression_read(struct qn__name_expression *out, struct qn__arena *arena,
                                   const char *text);

/* Append the one spelling that expressions have which differ in blanks or a leading & alone. */
void qn__name_expression_print(struct qn__str *out, const char *text);

/* Is this the plain name of an expression: without namespaces, template arguments, parameters and
 * casts? */
bool qn__name_expression_is_plain(const char *plain, const char *expression);

#endif
