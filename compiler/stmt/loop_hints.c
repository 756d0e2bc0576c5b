/* SPDX-License-Identifier: Apache-2.0
 *
 * What the source asks of a loop, from the metadata of its back edges. */
#include "compiler/stmt/loop_hints.h"
#include "compiler/lang/language.h"
#include "compiler/stmt/stmt.h"

#include <string.h>

static void read_hint(struct qn__unit *u, struct qn__loop_hints *h, LLVMValueRef node)
{
    enum { MOST = 4 };
    LLVMValueRef parts[MOST] = {NULL};
    const unsigned n_parts = LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    if (n_parts == 0 || n_parts > MOST)
        return;
    LLVMGetMDNodeOperands(node, parts);
    unsigned n = 0;
    const char *const text = parts[0] ? LLVMGetMDString(parts[0], &n) : NULL;
    if (!text)
        return;
    const char *const name = qn__text(u, "%.*s", (int)n, text);
    const bool has_number = n_parts == 2 && parts[1] && LLVMIsAConstantInt(parts[1]);
    const unsigned long long number = has_number ? LLVMConstIntGetZExtValue(parts[1]) : 0;
    if (qn__equal(name, "llvm.loop.unroll.enable") || qn__equal(name, "llvm.loop.unroll.full")) {
        h->unroll = true;
    } else if (qn__equal(name, "llvm.loop.unroll.count") && has_number) {
        h->unroll = true;
        h->count = number;
    } else if (qn__equal(name, "llvm.loop.unroll.disable")) {
        h->unroll = true;
        h->count = 1;
    } else if (qn__equal(name, "llvm.loop.vectorize.enable") && has_number) {
        h->vectorize = number ? QN__VECTORIZE : QN__VECTORIZE_NOT;
    } else if (qn__equal(name, "llvm.loop.vectorize.width") && has_number) {
        h->width = number;
    }
}

static void read_hints(struct qn__unit *u, struct qn__loop_hints *h, LLVMValueRef branch)
{
    const LLVMValueRef node =
        LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(u->context, "llvm.loop", 9));
    const unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0;
    LLVMValueRef *const parts = QN__NEED_ARRAY(u, LLVMValueRef, n);
    if (n)
        LLVMGetMDNodeOperands(node, parts);
    for (unsigned i = 1; i < n; i++) /* the first is the node itself */
        if (parts[i])
            read_hint(u, h, parts[i]);
}

const struct qn__loop_hints *qn__loop_hints(struct qn__function *f, const struct qn__block *header)
{
    struct qn__unit *const u = f->u;
    struct qn__loop_hints *const h = QN__NEED(u, struct qn__loop_hints);
    for (uint32_t i = 0; i < header->preds.n; i++)
        if (qn__dominates(header, header->preds.items[i]))
            read_hints(u, h, LLVMGetBasicBlockTerminator(header->preds.items[i]->llvm));
    return h;
}
