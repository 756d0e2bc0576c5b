/* SPDX-License-Identifier: Apache-2.0
 *
 * How large a kernel becomes when everything it calls is inlined. Functions that call each other in
 * many layers multiply: a few thousand lines of big-number arithmetic can become a hundred million
 * instructions, which would take all memory before anything could be reported. So the sizes are
 * added up first, and a kernel above the limit is refused. */
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"

enum { INSTRUCTIONS_MAX = 400000, CALL_DEPTH_MAX = 64 };

struct function_size {
    LLVMValueRef function;
    uint64_t own, total;
};

static bool is_call_of_function(LLVMValueRef in)
{
    return LLVMIsACallInst(in) && LLVMIsAFunction(LLVMGetCalledValue(in)) &&
           !LLVMIsDeclaration(LLVMGetCalledValue(in));
}

/* The size of a body, and with `sizes` of what it calls (but for itself: recursion.c). */
static uint64_t count(LLVMValueRef f, const struct qn__map *sizes)
{
    uint64_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
            const struct function_size *const callee =
                sizes && is_call_of_function(in) && LLVMGetCalledValue(in) != f
                    ? qn__map_get(sizes, LLVMGetCalledValue(in))
                    : NULL;
            n += callee ? callee->total : 1;
        }
    return n < INSTRUCTIONS_MAX ? n : INSTRUCTIONS_MAX + 1; /* enough to know */
}

static void remove_kernel(struct qn__unit *u, uint32_t i)
{
    LLVMSetLinkage(u->kernels[i].function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(u->kernels[i].function, 0);
    u->n_kernels--;
    for (; i < u->n_kernels; i++)
        u->kernels[i] = u->kernels[i + 1];
}

qn_status qn__inline_limit_check(struct qn__unit *u)
{
    struct qn__map sizes = {0};
    struct function_size *all = NULL;
    uint32_t n = 0, capacity = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            QN__PUSH(u, all, n, capacity, ((struct function_size){f, count(f, NULL), 0}));
    for (uint32_t i = 0; i < n; i++) {
        all[i].total = all[i].own;
        qn__map_put(u, &sizes, all[i].function, &all[i]);
    }
    bool changed = true;
    for (int depth = 0; changed && depth < CALL_DEPTH_MAX; depth++) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t total = count(all[i].function, &sizes);
            changed |= total != all[i].total;
            all[i].total = total;
        }
    }
    for (uint32_t i = u->n_kernels; i-- > 0;) {
        const struct function_size *const k = qn__map_get(&sizes, u->kernels[i].function);
        if (!k || k->total <= INSTRUCTIONS_MAX)
            continue;
        u->current_function = k->function;
        qn__refuse(u, NULL,
                   "the kernel has more than %d instructions once the functions it calls are in "
                   "their places, which is more than the translator takes: call them less often, "
                   "or from loops",
                   INSTRUCTIONS_MAX);
        if (!qn__may_leave_out(u, &u->kernels[i]))
            return qn__fail(QN_E_UNSUPPORTED, "%s", u->diagnostics.text);
        u->n_errors_left_out++;
        qn__warn_left_out(u, &u->kernels[i], qn__di_function_name(u, k->function));
        remove_kernel(u, i);
    }
    return QN_OK;
}
