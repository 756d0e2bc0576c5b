/* SPDX-License-Identifier: Apache-2.0
 *
 * A source that is nothing but includes of other sources is a program of so many files, each of
 * which is compiled by itself. */
#ifndef QN_COMPILER_FRONTEND_SOURCE_PROGRAM_H
#define QN_COMPILER_FRONTEND_SOURCE_PROGRAM_H

#include "compiler/core/unit.h"

/* The request for each file of the program: it comes first among the files, and of the name
 * expressions it has those it is asked for (the others are NULL). *n is 0 where the request is for
 * a single source. */
struct qn__translate_request *qn__program_files(struct qn__unit *u, uint32_t *n);

/* Add the unit's module to the program's, which takes its place. NULL is an empty program.
 * QN_E_COMPILE where two files define one kernel */
qn_status qn__program_add(struct qn__unit *u, LLVMModuleRef program);

#endif
