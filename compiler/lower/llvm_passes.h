/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's own passes (llvm_passes.c). */
#ifndef QN_COMPILER_LOWER_LLVM_PASSES_H
#define QN_COMPILER_LOWER_LLVM_PASSES_H

#include "base/error.h"

#include <llvm-c/Types.h>

/* Run LLVM's passes of these names: "globaldce,function(sroa)". */
qn_status qn__llvm_passes_run(LLVMModuleRef module, const char *passes);

#endif
