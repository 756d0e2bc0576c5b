/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursion, which OpenCL C does not have, where it can be removed:
 *
 *     return b == 0 ? a : gcd(b, a % b);         a loop (LLVM's tail call elimination, which also
 *     return n < 2 ? 1 : n * factorial(n - 1);   carries a sum or product along)
 *     fibonacci(9), sort(data, 8)                inlined into itself until its constant
 *                                                arguments end it, as in a constexpr function
 *     anything else                              a stack (recursion_stack.c)
 *
 * A loop is made only where no call is left then. LLVM's inliner never inlines a function into
 * itself, so its calls to itself become calls to a stand-in without a body; inlining it into a
 * kernel leaves calls to the stand-in there, which become calls to the function if one of their
 * arguments is a constant, and so on. A copy of the module shows for which kernels this ends. */
#include "compiler/lower/llvm_passes.h"
#include "compiler/lower/recursion_stack.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

#include <string.h>

enum { DEPTH_MAX = 64, CALLS_MAX = 2048 };

/* A function that calls itself. */
struct recursive {
    LLVMValueRef function, again; /* and its stand-in */
};

struct recursions {
    struct recursive *items;
    uint32_t n, capacity;
    bool *is_endless; /* kernels that need a stack */
};

static bool calls(LLVMValueRef in, LLVMValueRef f)
{
    return LLVMIsACallInst(in) && LLVMGetCalledValue(in) == f;
}

static void set_callee(LLVMValueRef call, LLVMValueRef f)
{
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, f);
}

static bool calls_itself(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
            if (calls(in, f))
                return true;
    return false;
}

static void find(struct qn__unit *u, struct recursions *all)
{
    all->n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && calls_itself(f))
            QN__PUSH(u, all->items, all->n, all->capacity, ((struct recursive){f, NULL}));
}

/* ---- loops ---- */

/* The pass multiplies n, n - 1, ... in another order, in which a product may overflow that did not
 * before. */
static void may_wrap(LLVMValueRef accumulator)
{
    for (LLVMUseRef use = LLVMGetFirstUse(accumulator); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef in = LLVMGetUser(use);
        const LLVMOpcode op = LLVMGetInstructionOpcode(in);
        if (op == LLVMAdd || op == LLVMMul) {
            LLVMSetNSW(in, false);
            LLVMSetNUW(in, false);
        }
    }
}

/* The pass calls what a parameter becomes "n.tr", and its sum or product "accumulator.tr". */
static void name_carried(struct qn__unit *u, LLVMValueRef f)
{
    static const char ending[] = ".tr";
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in && LLVMIsAPHINode(in);
             in = LLVMGetNextInstruction(in)) {
            size_t n;
            const char *const name = LLVMGetValueName2(in, &n);
            if (!qn__ends_with(name, ending))
                continue;
            if (qn__equal(name, "accumulator.tr"))
                may_wrap(in);
            qn__name_variable(u, in, qn__text(u, "%.*s", (int)(n - strlen(ending)), name));
        }
}

/* Let the pass see only functions in which it leaves no call: a try on a copy of the module shows
 * which. */
static qn_status make_loops(struct qn__unit *u, struct recursions *all)
{
    static const char passes[] = "function(simplifycfg,tailcallelim)", no[] = "disable-tail-calls";
    const LLVMModuleRef copy = LLVMCloneModule(u->module);
    const qn_status s = qn__llvm_passes_run(copy, passes);
    for (uint32_t i = 0; s == QN_OK && i < all->n; i++) {
        size_t n;
        const char *const name = LLVMGetValueName2(all->items[i].function, &n);
        if (calls_itself(LLVMGetNamedFunction(copy, name)))
            LLVMAddAttributeAtIndex(
                all->items[i].function, LLVMAttributeFunctionIndex,
                LLVMCreateStringAttribute(u->context, no, sizeof no - 1, "true", 4));
    }
    LLVMDisposeModule(copy);
    QN_TRY(s);
    QN_TRY(qn__llvm_passes_run(u->module, passes));
    for (uint32_t i = 0; i < all->n; i++)
        if (!calls_itself(all->items[i].function))
            name_carried(u, all->items[i].function);
    return QN_OK;
}

/* ---- inlined into itself ---- */

static void add_stand_in(struct qn__unit *u, struct recursive *r)
{
    size_t n;
    const LLVMValueRef f = r->function;
    r->again = LLVMAddFunction(u->module, qn__text(u, "%s.again", LLVMGetValueName2(f, &n)),
                               LLVMGlobalGetValueType(f));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
            if (calls(in, f))
                set_callee(in, r->again);
}

static bool has_number(LLVMValueRef call)
{
    bool found = false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        found |= LLVMIsAConstant(LLVMGetOperand(call, i)) != NULL;
    return found;
}

/* Reported at the call in the kernel's own text, not at one many levels down. */
static void place_in_kernel(LLVMValueRef call)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call), outer;
    while (at && (outer = LLVMDILocationGetInlinedAt(at)) != NULL)
        at = outer;
    LLVMInstructionSetDebugLoc(call, at);
}

/* In kernels, calls to stand-ins that have a constant argument become calls to what they stand for.
 * Returns how many. */
static uint32_t call_again(struct qn__unit *u, const struct recursions *all)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        if (all->is_endless[k])
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(u->kernels[k].function); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
                for (uint32_t i = 0; i < all->n; i++) {
                    if (!calls(in, all->items[i].again))
                        continue;
                    place_in_kernel(in);
                    if (has_number(in)) {
                        set_callee(in, all->items[i].function);
                        found++;
                    }
                }
    }
    return found;
}

static bool is_in_endless(struct qn__unit *u, const struct recursions *all, LLVMValueRef call)
{
    const LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    for (uint32_t k = 0; k < u->n_kernels; k++)
        if (u->kernels[k].function == f)
            return all->is_endless[k];
    return false;
}

/* A call without a constant argument stays, and all of a kernel that needs a stack. */
static void hold_back(struct qn__unit *u, const struct recursions *all, LLVMValueRef f)
{
    static const char no[] = "noinline";
    const LLVMAttributeRef stays =
        LLVMCreateEnumAttribute(u->context, LLVMGetEnumAttributeKindForName(no, sizeof no - 1), 0);
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (calls(LLVMGetUser(use), f) &&
            (!has_number(LLVMGetUser(use)) || is_in_endless(u, all, LLVMGetUser(use))))
            LLVMAddCallSiteAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex, stays);
}

static qn_status put_in_place(struct qn__unit *u, struct recursions *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        add_stand_in(u, &all->items[i]);
        hold_back(u, all, all->items[i].function);
        LLVMSetLinkage(all->items[i].function, LLVMExternalLinkage); /* not to be dropped */
    }
    uint32_t n = 1;
    for (int depth = 0; n && n <= CALLS_MAX && depth < DEPTH_MAX; depth++) {
        QN_TRY(
            qn__llvm_passes_run(u->module, "always-inline,function(sroa,early-cse,simplifycfg)"));
        n = call_again(u, all);
    }
    for (uint32_t i = 0; i < all->n; i++) {
        LLVMReplaceAllUsesWith(all->items[i].again, all->items[i].function);
        LLVMDeleteFunction(all->items[i].again);
        LLVMSetLinkage(all->items[i].function, LLVMInternalLinkage);
    }
    return QN_OK;
}

/* In which kernels are calls left when it is tried on a copy of the module? */
static qn_status try_in_place(struct qn__unit *u, struct recursions *all)
{
    const LLVMModuleRef module = u->module;
    LLVMValueRef *const kernels = QN__NEED_ARRAY(u, LLVMValueRef, u->n_kernels + 1);
    bool *const is_endless = QN__NEED_ARRAY(u, bool, u->n_kernels + 1);
    u->module = LLVMCloneModule(module);
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        size_t n;
        kernels[k] = u->kernels[k].function;
        u->kernels[k].function = LLVMGetNamedFunction(u->module, LLVMGetValueName2(kernels[k], &n));
    }
    struct recursions copies = {.is_endless = all->is_endless};
    find(u, &copies);
    const qn_status s = put_in_place(u, &copies);
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        is_endless[k] = qn__calls_functions(u->kernels[k].function);
        u->kernels[k].function = kernels[k];
    }
    LLVMDisposeModule(u->module);
    u->module = module;
    all->is_endless = is_endless;
    return s;
}

qn_status qn__recursion_end(struct qn__unit *u)
{
    struct recursions all = {.is_endless = QN__NEED_ARRAY(u, bool, u->n_kernels + 1)};
    find(u, &all);
    if (all.n) {
        QN_TRY(make_loops(u, &all));
        find(u, &all);
        if (all.n) {
            QN_TRY(try_in_place(u, &all));
            QN_TRY(put_in_place(u, &all));
        }
        QN_TRY(qn__llvm_passes_run(u->module, "always-inline,globaldce"));
    }
    return qn__recursion_stack(u);
}
