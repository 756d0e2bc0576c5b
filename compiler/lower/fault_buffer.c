/* SPDX-License-Identifier: Apache-2.0
 *
 * The variable for the message of a failed assertion, which the runtime knows by its name. A kernel
 * that asserts takes it as a hidden argument; nothing changes for the others. */
#include "base/signature.h"
#include "compiler/passes.h"

qn_status qn__fault_buffer_add(struct qn__unit *u)
{
    enum { GLOBAL = 1 };
    const LLVMTypeRef words =
        LLVMArrayType2(LLVMInt32TypeInContext(u->context), sizeof(struct qn__fault) / 4);
    if (!LLVMGetNamedGlobal(u->module, QN__FAULT_NAME))
        LLVMAddGlobalInAddressSpace(u->module, words, QN__FAULT_NAME, GLOBAL);
    return QN_OK;
}
