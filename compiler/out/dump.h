/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern translate --dump-after` shows: the module, a kernel's values, a kernel's statements
 * as a pass left them (dump.c). For people; nothing reads it again. */
#ifndef QN_COMPILER_OUT_DUMP_H
#define QN_COMPILER_OUT_DUMP_H

#include "compiler/model/function.h"

void qn__dump_module(struct qn__unit *u, const char *pass, struct qn__str *out);
void qn__dump_values(struct qn__function *f, struct qn__str *out);
void qn__dump_tree(struct qn__function *f, struct qn__str *out);

/* Make the dump the text of the result. */
qn_status qn__print_dump(struct qn__unit *u);

#endif
