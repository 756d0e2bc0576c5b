/* SPDX-License-Identifier: Apache-2.0
 *
 * What NVIDIA's compiler takes and clang does not is written as clang takes it. */
#ifndef QN_COMPILER_FRONTEND_DIALECT_H
#define QN_COMPILER_FRONTEND_DIALECT_H

#include "compiler/core/unit.h"
#include "compiler/frontend/clang_log.h"
#include "compiler/frontend/host_code.h"

struct qn__dialect {
    const char **notes; /* what was done where */
    uint32_t n_notes, notes_capacity, n_rounds;
    uint32_t n_errors; /* that there were before templates were delayed */
    /* Options of clang's (command_line.c): */
    bool allows_jumps;     /* goto past an initialisation */
    bool delays_templates; /* what is in a template matters once somebody asks for it */
    bool asks_shifts;      /* a shift by a number that is too large is an error */
};

/* Change the files where these errors come of it, or what clang is told, and note what was done.
 * False: nothing was. */
bool qn__dialect_rewrite(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                         const struct qn__clang_error *errors, uint32_t n);

/* A warning for each thing that was done. */
void qn__dialect_warn(struct qn__unit *u, const struct qn__dialect *d);

#endif
