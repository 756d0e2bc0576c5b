/* SPDX-License-Identifier: Apache-2.0
 *
 * What the source asks of a loop, from the metadata of its back edges:
 *
 *     #pragma unroll            #pragma unroll, or __attribute__((opencl_unroll_hint))
 *     #pragma unroll 4          the same with its number; 1 forbids it
 *     #pragma clang loop vectorize(enable) vectorize_width(8)
 *
 * The attribute is OpenCL C's own from 2.0 on. Before that all drivers' compilers take the pragma;
 * one that does not know a pragma ignores it. */
#include "compiler/stmt/loop_hints.h"
#include "compiler/stmt/stmt.h"

struct hints {
    bool unroll;
    unsigned long long count; /* 0: not said */
    const char *vectorize;    /* the pragma's arguments */
};

static void read_hint(struct qn__unit *u, struct hints *h, LLVMValueRef node)
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
        h->vectorize = qn__text(u, "%s vectorize(%s)", h->vectorize ? h->vectorize : "",
                                number ? "enable" : "disable");
    } else if (qn__equal(name, "llvm.loop.vectorize.width") && has_number) {
        h->vectorize =
            qn__text(u, "%s vectorize_width(%llu)", h->vectorize ? h->vectorize : "", number);
    }
}

static void read_hints(struct qn__unit *u, struct hints *h, LLVMValueRef branch)
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

const char *qn__loop_hints(struct qn__function *f, const struct qn__block *header)
{
    struct qn__unit *const u = f->u;
    struct hints h = {0};
    for (uint32_t i = 0; i < header->preds.n; i++)
        if (qn__dominates(header, header->preds.items[i]))
            read_hints(u, &h, LLVMGetBasicBlockTerminator(header->preds.items[i]->llvm));
    const char *text = h.vectorize ? qn__text(u, "#pragma clang loop%s\n", h.vectorize) : "";
    const char *const count = h.count ? qn__text(u, "%llu", h.count) : "";
    if (h.unroll && qn__starts_with(u->profile->cl_std, "CL3"))
        text = qn__text(u,
                        h.count ? "%s__attribute__((opencl_unroll_hint(%s)))\n"
                                : "%s__attribute__((opencl_unroll_hint%s))\n",
                        text, count);
    else if (h.unroll)
        text = qn__text(u, h.count ? "%s#pragma unroll %s\n" : "%s#pragma unroll%s\n", text, count);
    return *text ? text : NULL;
}
