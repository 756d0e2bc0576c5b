/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of device functions (builtins.def) and of LLVM's own intrinsics, looked up by name. */
#ifndef QN_COMPILER_MODEL_BUILTINS_H
#define QN_COMPILER_MODEL_BUILTINS_H

#include "compiler/core/unit.h"

enum qn__builtin_status { QN__NATIVE, QN__LOWERED, QN__REFUSED };
enum qn__builtin_traits {
    QN__PURE,
    QN__READ,
    QN__WRITE,
    QN__FENCE,
    QN__BARRIER,
    QN__WARP,
    QN__WARP_LOCAL, /* through local memory: the whole group must reach it */
};

struct qn__builtin {
    const char *name;
    enum qn__builtin_status status;
    enum qn__builtin_traits traits;
    const char *signature; /* "" for intrinsics: the types of the call, with the sign of `sign` */
    const char *form, *needs;
    double ulp;
    const char *note;
    char sign; /* intrinsics: 's', 'u', or 0 where the sign does not matter */
};

enum { QN__BUILTIN_SLOTS = 8192 }; /* of the hash table; a test holds the rows below half of it */
uint32_t qn__name_hash(const char *name);

/* The row to use for a callee under the unit's profile: the first whose needs are met, else the
 * last row of that name (its needs are then refused at the call). NULL for an unknown name. */
const struct qn__builtin *qn__builtin_find(struct qn__unit *u, const char *name);

/* Every row of builtins.def in order, for documents and tests. */
const struct qn__builtin *qn__builtin_rows(size_t *n);

/* Does a builtin take this argument as unsigned (1), as signed (-1), or does it not matter (0)? */
int qn__argument_sign(struct qn__unit *u, LLVMValueRef call, LLVMValueRef argument);
/* The same of what it returns. */
int qn__result_sign(struct qn__unit *u, LLVMValueRef call);

/* LLVM's minimum or maximum of two integers? */
bool qn__is_min_max(LLVMValueRef call);

/* Does the profile meet a row's needs? With `where`, note them as used, and refuse what is missing.
 */
bool qn__needs_met(struct qn__unit *u, const char *needs);
void qn__needs_use(struct qn__unit *u, LLVMValueRef where, const struct qn__builtin *b);

#endif
