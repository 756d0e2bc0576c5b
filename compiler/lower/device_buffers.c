/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that are the device's and not the module's, which the runtime knows by their names:
 * for the message of a failed assertion, and the heap of malloc() and new. A kernel that asserts or
 * allocates takes its own as a hidden argument; nothing changes for the others. */
#include "base/device_buffers.h"
#include "compiler/passes.h"

static void add(struct qn__unit *u, const char *name, uint64_t bytes)
{
    enum { GLOBAL = 1 };
    const LLVMTypeRef words =
        LLVMArrayType2(LLVMInt32TypeInContext(u->context), (unsigned)(bytes / 4));
    if (!LLVMGetNamedGlobal(u->module, name))
        LLVMAddGlobalInAddressSpace(u->module, words, name, GLOBAL);
}

qn_status qn__device_buffers_add(struct qn__unit *u)
{
    add(u, QN__FAULT_NAME, sizeof(struct qn__fault));
    add(u, QN__HEAP_NAME, sizeof(struct qn__heap));
    return QN_OK;
}
