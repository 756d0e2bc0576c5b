/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as clang marks them: rows of !nvvm.annotations with "kernel", or (newer LLVM) functions
 * of the PTX kernel calling convention. */
#include "compiler/core/kernel_list.h"

#include <string.h>

LLVMValueRef *qn__kernel_list(struct qn__unit *u, uint32_t *n)
{
    enum { PTX_KERNEL = 71, PARTS = 16 };
    LLVMValueRef *list = NULL;
    uint32_t capacity = 0;
    *n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetFunctionCallConv(f) == PTX_KERNEL && !LLVMIsDeclaration(f))
            QN__PUSH(u, list, *n, capacity, f);
    const unsigned n_rows = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    LLVMValueRef *const rows = QN__NEED_ARRAY(u, LLVMValueRef, n_rows);
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", rows);
    for (unsigned i = 0; i < n_rows; i++) {
        LLVMValueRef parts[PARTS];
        const unsigned n_parts = LLVMGetMDNodeNumOperands(rows[i]);
        if (n_parts < 3 || n_parts > PARTS)
            continue;
        LLVMGetMDNodeOperands(rows[i], parts);
        for (unsigned k = 1; k + 1 < n_parts && parts[0]; k += 2) {
            unsigned length = 0;
            const char *const key = LLVMGetMDString(parts[k], &length);
            if (key && length == 6 && memcmp(key, "kernel", 6) == 0)
                QN__PUSH(u, list, *n, capacity, parts[0]);
        }
    }
    return list;
}
