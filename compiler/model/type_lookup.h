/* SPDX-License-Identifier: Apache-2.0
 *
 * Types by their names. */
#ifndef QN_COMPILER_MODEL_TYPE_LOOKUP_H
#define QN_COMPILER_MODEL_TYPE_LOOKUP_H

#include "compiler/model/types.h"

/* What a signature of builtins.def, "uint(const float *, uint)", has for argument i, or for the
 * result, which is -1; its pointers are in that space. NULL for what is taken as it is. */
const struct qn__type *qn__signature_type(struct qn__unit *u, const char *signature, int i,
                                          enum qn__space space);

/* From C++: "unsigned int". NULL when it is no scalar. */
const struct qn__type *qn__type_named_cpp(struct qn__unit *u, const char *name);

#endif
