/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that a float may have (float_range.c). */
#ifndef QN_COMPILER_LOWER_FLOAT_RANGE_H
#define QN_COMPILER_LOWER_FLOAT_RANGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Every value that a float can have in a block lies in [low, high], or is NaN. */
struct qn__range {
    double low, high;
    bool nan; /* may be NaN */
};
struct qn__range qn__float_range(LLVMValueRef v, LLVMBasicBlockRef at);

#endif
