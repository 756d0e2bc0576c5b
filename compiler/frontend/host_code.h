/* SPDX-License-Identifier: Apache-2.0
 *
 * Host code that does not parse is left out: kernels do not need it. So is device code, where a
 * request can do without the kernels that need it. */
#ifndef QN_COMPILER_FRONTEND_HOST_CODE_H
#define QN_COMPILER_FRONTEND_HOST_CODE_H

#include "compiler/core/unit.h"
#include "compiler/frontend/clang_log.h"

/* Declares what stands in place of host code that was left out. */
#define QN__LEFT_OUT_HEADER "quern_left_out.h"

struct qn__host_file {
    const char *text; /* as clang reads it */
    size_t n;
    bool changed; /* in the last round */
};

struct qn__host_code {
    struct qn__host_file *files; /* per file of the request */
    struct qn__clang_error *left_out;
    uint32_t n_left_out, left_out_capacity, n_rounds;
    struct qn__clang_error *absent; /* includes that led nowhere */
    uint32_t n_absent, absent_capacity;
    bool takes_device_code; /* functions of the device lose their bodies too */
};

/* Change the files so that clang, when it reads them again, does not meet these errors. False where
 * that cannot be, because they are not of host code or because it was tried often enough. */
bool qn__host_code_leave_out(struct qn__unit *u, struct qn__host_code *h,
                             const struct qn__clang_error *errors, uint32_t n);

/* A warning for the first few errors whose code was left out, includes first, and a count. */
void qn__host_code_warn(struct qn__unit *u, const struct qn__host_code *h);

#endif
