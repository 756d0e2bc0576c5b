/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that lowering found. */
#ifndef QN_COMPILER_LOWER_LOWER_H
#define QN_COMPILER_LOWER_LOWER_H

#include "compiler/core/unit.h"

/* The kernel whose LLVM function this is, or NULL. */
struct qn__kernel_source *qn__kernel_of(struct qn__unit *u, LLVMValueRef function);

/* share_byval.c: objects passed by value to functions, before they are inlined; structs passed by
 * value that a kernel writes to become copies. */
void qn__byval_share(struct qn__unit *u);
void qn__byval_copy(struct qn__unit *u);

/* buffer_arguments.c: structs passed by value move into buffers where the arguments are too many
 * bytes. */
void qn__arguments_fit(struct qn__unit *u);

/* Run LLVM's passes of these names. */
qn_status qn__passes_run(LLVMModuleRef module, const char *passes);

/* guard_shifts.c: counts that may be too large give what NVIDIA's hardware gives. Before inlining
 * they go out of LLVM's sight; after it the ones that LLVM cannot prove to be in range are guarded.
 */
void qn__shifts_hide(struct qn__unit *u);
qn_status qn__shifts_guard(struct qn__unit *u);

/* expand_pointer_tables.c: local arrays of addresses take them one by one. */
void qn__tables_expand(struct qn__unit *u);

/* float_to_int.c: floats cast to integers that may be out of range become calls, before any pass
 * runs; after inlining the ones that are known to be in range become casts again. */
void qn__casts_name(struct qn__unit *u);
void qn__casts_settle(struct qn__unit *u);

/* odd_integers.c: integers of a width that C does not have are held in ones of the next that it
 * has. */
void qn__widths_settle(struct qn__unit *u);

/* split_vectors.c: vectors of more than 16 bytes that are less aligned are moved in parts. */
void qn__vectors_split(struct qn__unit *u);

/* fold_aggregates.c: what is taken out of a struct that was just put together is what was put in.
 */
void qn__parts_fold(struct qn__unit *u);

/* float_range.c: every value that a float can have in a block lies in [low, high], or is NaN. */
struct qn__range {
    double low, high;
    bool nan; /* may be NaN */
};
struct qn__range qn__range_of(LLVMValueRef v, LLVMBasicBlockRef at);

/* inline_limit.c: refuse kernels that inlining would make too large to handle.
 * QN_E_UNSUPPORTED  one is, and the others are not to be made without it */
qn_status qn__sizes_check(struct qn__unit *u);

/* recursion.c: functions that call themselves become loops, or end at a depth that is known. */
qn_status qn__recursion_end(struct qn__unit *u);

#endif
