/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a block of inline PTX has no OpenCL form. The pass that looks at the blocks leaves its reason
 * on the call itself, as metadata, which goes through inlining; what prints the call refuses it. */
#include "compiler/model/ptx_reason.h"

#include <string.h>

static unsigned reason_kind(struct qn__unit *u)
{
    static const char name[] = "quern.ptx";
    return LLVMGetMDKindIDInContext(u->context, name, sizeof name - 1);
}

const char *qn__ptx_reason(struct qn__unit *u, LLVMValueRef call)
{
    const LLVMValueRef node = LLVMGetMetadata(call, reason_kind(u));
    LLVMValueRef text = NULL;
    unsigned n = 0;
    if (node && LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &text);
    const char *const reason = text ? LLVMGetMDString(text, &n) : NULL;
    return reason ? qn__text(u, "%.*s", (int)n, reason) : "no OpenCL form is known";
}

void qn__ptx_reason_set(struct qn__unit *u, LLVMValueRef call, const char *reason)
{
    LLVMMetadataRef text = LLVMMDStringInContext2(u->context, reason, strlen(reason));
    const LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, &text, 1);
    LLVMSetMetadata(call, reason_kind(u), LLVMMetadataAsValue(u->context, node));
}
