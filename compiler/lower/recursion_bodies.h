/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of a kernel that call themselves (recursion_bodies.c). */
#ifndef QN_COMPILER_LOWER_RECURSION_BODIES_H
#define QN_COMPILER_LOWER_RECURSION_BODIES_H

#include "compiler/lower/recursion_machine.h"

/* The function that an instruction calls, where it has a body; else NULL. */
LLVMValueRef qn__recursion_callee(LLVMValueRef in);

/* The entry of a function, or of the stand-in for one; NULL: it is none of them. */
struct deep *qn__recursion_deep(struct machine *m, LLVMValueRef f, bool by_stand_in);
/* All functions that the kernel comes to. */
void qn__recursion_find(struct machine *m, LLVMValueRef kernel);
/* Which of its arguments every call inside gives on. */
void qn__recursion_passed_on(struct machine *m, struct deep *d);
/* Calls of the function become calls of a stand-in, so that its body may be inlined once. */
void qn__recursion_stand_in(struct machine *m, struct deep *d);
/* Each body once in the kernel, behind blocks that nothing leads to yet. */
void qn__recursion_bodies(struct machine *m);
/* A new variable of the machine, which is no value that a call keeps. */
LLVMValueRef qn__recursion_variable(struct machine *m, LLVMTypeRef t, const char *name);
LLVMValueRef qn__recursion_number(struct machine *m, uint64_t n);

#endif
