/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's own passes, by the names that `opt -passes=` knows.
 *
 * Those that passes.def lists are gentle on purpose: instcombine and clang's own -O1 merge pointers
 * of different address spaces into one select or phi, and blur the loops. */
#include "compiler/lower/llvm_passes.h"

#include <llvm-c/Transforms/PassBuilder.h>

qn_status qn__llvm_passes_run(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return QN_OK;
    char *const text = LLVMGetErrorMessage(error);
    const qn_status s = qn__fail(QN_E_COMPILER, "LLVM passes: %s", text);
    LLVMDisposeErrorMessage(text);
    return s;
}
