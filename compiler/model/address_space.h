/* SPDX-License-Identifier: Apache-2.0
 *
 * Address spaces of pointers (address_space.c). */
#ifndef QN_COMPILER_MODEL_ADDRESS_SPACE_H
#define QN_COMPILER_MODEL_ADDRESS_SPACE_H

#include "compiler/model/function.h"

enum qn__space qn__space_of(struct qn__function *f, LLVMValueRef pointer);
/* The space of both: the known one if one is unknown, mixed if they differ. */
enum qn__space qn__space_join(enum qn__space a, enum qn__space b);
/* The space of the address that a constant holds, as a number or in a struct; unknown: it holds
 * none. */
enum qn__space qn__space_of_number(LLVMValueRef constant);
/* The alloca, variable, argument or load a pointer leads back to. */
LLVMValueRef qn__memory_root(LLVMValueRef pointer);
/* A __device__ or __constant__ variable the host can set, or the kernels write. */
bool qn__is_module_variable(LLVMValueRef global);
/* Type of a struct parameter passed by value; NULL for other parameters. */
LLVMTypeRef qn__byval_type(struct qn__unit *u, LLVMValueRef function, unsigned parameter);
/* The type of the object that a getelementptr leads to. */
LLVMTypeRef qn__gep_type(LLVMValueRef gep);
/* Is there a pointer in it, at any depth? */
bool qn__holds_pointers(LLVMTypeRef t);
/* One step of a getelementptr: operand `i` counts objects of *bytes bytes, or (false) selects a
 * field at offset *bytes. *t: the type that the step before led to, then the one that this leads
 * to.
 */
bool qn__gep_counts(struct qn__unit *u, LLVMValueRef gep, unsigned i, LLVMTypeRef *t,
                    uint64_t *bytes);
/* The type of the object a pointer points to, as far as the pointer itself shows; or NULL. */
LLVMTypeRef qn__stated_type(struct qn__function *f, LLVMValueRef pointer);
/* Type of a struct parameter that lies in a buffer (large_arguments.c); NULL for other values. */
LLVMTypeRef qn__buffered_type(struct qn__unit *u, LLVMValueRef parameter);
/* Is this a load of threadIdx.x and the like? *axis is 0 to 2. */
enum qn__work_item qn__work_item(struct qn__unit *u, LLVMValueRef load, unsigned *axis);

#endif
