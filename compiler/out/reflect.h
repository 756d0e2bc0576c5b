/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels take and need (base/signature.h), and the same as JSON. */
#ifndef QN_COMPILER_OUT_REFLECT_H
#define QN_COMPILER_OUT_REFLECT_H

#include "compiler/model/function.h"

/* The name that a program finds a variable of the module by. */
const char *qn__global_name(struct qn__unit *u, const struct qn__module_var *v);
void qn__reflect_kernel(struct qn__function *f); /* after its body was printed */
qn_status qn__reflect_unit(struct qn__unit *u);  /* after all kernels: fills the result */

#endif
