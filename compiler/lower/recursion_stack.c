/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursion of a depth that is not known: the bodies of the functions stand once in the kernel, and
 * what a call would keep lies in arrays of the work-item, an element for each call that is not
 * over:
 *
 *     visit(root);                    node = root; depth = 0; sites[0] = 0;
 *                                     visit: ...
 *     visit(left); use(x);                x_stack[depth] = x; sites[++depth] = 1; node = left;
 *                                         next = visit;
 *                                     after: depth--; x = x_stack[depth]; use(x); ...
 *     return;                             switch (sites[depth]) { case 0: goto end; case 1: goto
 * after; }
 *
 * Kept is what is read after the call: found by liveness, over variables, into which every value
 * that crosses a block is put first (demote.c). A local array, or what else has an address, is an
 * array of them. An argument that every call inside passes on as it is stays where the first call
 * put it. A call that is too deep ends the work-item as a failed assertion does. DEEPEST calls may
 * be inside one another, or what -DQUERN_RECURSION_DEPTH says. */
#include "compiler/lower/recursion_stack.h"

#include "compiler/core/attributes.h"
#include "compiler/core/diagnose.h"
#include "compiler/lower/demote.h"
#include "compiler/lower/llvm_passes.h"
#include "compiler/lower/recursion_bodies.h"
#include "compiler/lower/recursion_kept.h"
#include "compiler/model/value_names.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, DEEPEST_MOST = 1 << 20, LONGEST = 60 };

bool qn__calls_functions(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(kernel); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (qn__recursion_callee(in))
                return true;
    return false;
}

/* ---- calls and returns ---- */

static void find_sites(struct machine *m)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            struct deep *const d =
                LLVMIsACallInst(in) ? qn__recursion_deep(m, LLVMGetCalledValue(in), true) : NULL;
            if (d)
                QN__PUSH(m->u, m->sites, m->n_sites, m->sites_capacity,
                         ((struct site){.call = in,
                                        .callee = d,
                                        .is_outer = qn__map_get(&m->own, bb) != NULL}));
        }
    for (uint32_t i = m->n_sites; i--;) { /* from the last: blocks before it stay as they are */
        struct site *const s = &m->sites[i];
        s->after = qn__split_after(m->u, s->call);
        if (s->is_outer)
            qn__map_put(m->u, &m->own, s->after, s->after);
    }
    for (uint32_t i = 0; i < m->n_sites; i++)
        m->sites[i].before = LLVMGetInstructionParent(m->sites[i].call);
}

/* As a failed assertion: the work-item ends. */
static void build_too_deep(struct machine *m, LLVMValueRef call, const char *name)
{
    struct qn__unit *const u = m->u;
    struct qn__place_in_source where = {.file = ""};
    qn__where(u, call, &where);
    const char *const text =
        qn__text(u, "recursion: %.*s at most %u calls deep (-DQUERN_RECURSION_DEPTH=N: more)",
                 LONGEST, name, m->depth_max);
    const LLVMTypeRef pointer = LLVMPointerTypeInContext(u->context, 0), word = m->word;
    LLVMTypeRef types[] = {pointer, pointer, word, pointer};
    const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), types, 4, false);
    LLVMValueRef f = LLVMGetNamedFunction(u->module, "__qn_assert_fail");
    if (!f)
        f = LLVMAddFunction(u->module, "__qn_assert_fail", type);
    qn__add_attribute(u, f, "noreturn");
    LLVMValueRef args[] = {LLVMBuildGlobalStringPtr(m->b, text, "too_deep"),
                           LLVMBuildGlobalStringPtr(m->b, where.file, "file"),
                           LLVMConstInt(word, where.line, false),
                           LLVMBuildGlobalStringPtr(m->b, "", "function")};
    LLVMBuildCall2(m->b, type, f, args, 4, "");
    LLVMBuildUnreachable(m->b);
}

/* Go to a block by its number. */
static void go_to(struct machine *m, unsigned number_of_it)
{
    LLVMBuildStore(m->b, qn__recursion_number(m, number_of_it), m->next);
    LLVMBuildBr(m->b, m->dispatch);
}

/* Before the call: what it passes, and where it returns to; one of the functions' own goes deeper.
 */
static void wire(struct machine *m, struct site *s, unsigned id)
{
    const struct deep *const d = s->callee;
    const LLVMTypeRef sites = LLVMArrayType2(m->word, m->depth_max);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(s->before));
    LLVMPositionBuilderAtEnd(m->b, s->before);
    LLVMSetCurrentDebugLocation2(m->b, LLVMInstructionGetDebugLoc(s->call));
    if (s->is_outer) {
        LLVMBuildStore(m->b, qn__recursion_number(m, 0), m->depth);
    } else {
        const LLVMBasicBlockRef deeper =
            LLVMInsertBasicBlockInContext(m->u->context, s->after, "deeper");
        const LLVMBasicBlockRef too_deep =
            LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "too_deep");
        const LLVMValueRef depth = LLVMBuildAdd(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""),
                                                qn__recursion_number(m, 1), "");
        LLVMBuildCondBr(
            m->b, LLVMBuildICmp(m->b, LLVMIntULT, depth, qn__recursion_number(m, m->depth_max), ""),
            deeper, too_deep);
        LLVMPositionBuilderAtEnd(m->b, too_deep);
        build_too_deep(m, s->call, d->name);
        LLVMPositionBuilderAtEnd(m->b, deeper);
        LLVMBuildStore(m->b,
                       LLVMBuildAdd(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""),
                                    qn__recursion_number(m, 1), ""),
                       m->depth);
        LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(s->after));
        LLVMBuildStore(m->b,
                       LLVMBuildSub(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""),
                                    qn__recursion_number(m, 1), ""),
                       m->depth);
        LLVMPositionBuilderAtEnd(m->b, deeper);
    }
    for (unsigned i = 0; i < d->n_args; i++)
        if (s->is_outer || !d->is_passed_on[i])
            LLVMBuildStore(m->b, LLVMGetArgOperand(s->call, i), d->args[i]);
    LLVMBuildStore(m->b, qn__recursion_number(m, id),
                   qn__recursion_element(m, sites, m->site_stack));
    go_to(m, m->n_sites + (unsigned)(d - m->deep));
}

static void take_result(struct machine *m, const struct site *s)
{
    const struct deep *const d = s->callee;
    if (d->result && LLVMGetFirstUse(s->call)) {
        LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(s->after));
        LLVMReplaceAllUsesWith(s->call, LLVMBuildLoad2(m->b, LLVMTypeOf(s->call), d->result, ""));
    }
}

/* ---- loops ---- */

/* Does control come from one block to another without passing a third? */
static bool comes_to(struct machine *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                     LLVMBasicBlockRef without)
{
    struct blocks seen = {0};
    QN__PUSH(m->u, seen.items, seen.n, seen.capacity, from);
    for (uint32_t i = 0; i < seen.n; i++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(seen.items[i]);
        if (seen.items[i] == to)
            return true;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            const LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            bool known = next == without;
            for (uint32_t n = 0; n < seen.n && !known; n++)
                known = seen.items[n] == next;
            if (!known)
                QN__PUSH(m->u, seen.items, seen.n, seen.capacity, next);
        }
    }
    return false;
}

/* Is there a call in the loop that this edge closes? */
static bool loop_has_site(struct machine *m, LLVMBasicBlockRef end, LLVMBasicBlockRef header)
{
    for (uint32_t i = 0; i < m->n_sites; i++)
        if (comes_to(m, header, m->sites[i].before, NULL) &&
            (m->sites[i].before == header || comes_to(m, m->sites[i].before, end, header)))
            return true;
    return false;
}

/* Does every path to the loop's end pass its header? Paths begin where the kernel or a function
 * does. */
static bool is_header(struct machine *m, LLVMBasicBlockRef header, LLVMBasicBlockRef end)
{
    if (comes_to(m, LLVMGetEntryBasicBlock(m->kernel), end, header))
        return false;
    for (uint32_t i = 0; i < m->n_deep; i++)
        if (m->deep[i].enter != header && comes_to(m, m->deep[i].enter, end, header))
            return false;
    return true;
}

/* A return comes into the middle of a loop with a call, which C has no form for: such a loop's
 * header is gone to by its number, as what follows a call is. */
static void find_headers(struct machine *m)
{
    struct qn__map found = {0};
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            const LLVMBasicBlockRef header = LLVMGetSuccessor(end, k);
            if (qn__map_get(&found, header) || !comes_to(m, header, bb, NULL) ||
                !loop_has_site(m, bb, header) || !is_header(m, header, bb))
                continue;
            qn__map_put(m->u, &found, header, header);
            QN__PUSH(m->u, m->targets.items, m->targets.n, m->targets.capacity, header);
        }
    }
}

static void route_headers(struct machine *m, uint32_t first)
{
    for (uint32_t i = first; i < m->targets.n; i++) {
        const LLVMBasicBlockRef by =
            LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "again");
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
             bb = LLVMGetNextBasicBlock(bb)) {
            const LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
            for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++)
                if (LLVMGetSuccessor(end, k) == m->targets.items[i])
                    LLVMSetSuccessor(end, k, by);
        }
        LLVMPositionBuilderAtEnd(m->b, by);
        go_to(m, i);
    }
}

/* The return goes to where the call came from. */
static void build_leave(struct machine *m)
{
    const LLVMTypeRef sites = LLVMArrayType2(m->word, m->depth_max);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(m->leave));
    LLVMPositionBuilderAtEnd(m->b, m->leave);
    LLVMBuildStore(
        m->b, LLVMBuildLoad2(m->b, m->word, qn__recursion_element(m, sites, m->site_stack), ""),
        m->next);
    LLVMBuildBr(m->b, m->dispatch);
}

static void build_dispatch(struct machine *m)
{
    LLVMPositionBuilderAtEnd(m->b, m->dispatch);
    const LLVMValueRef to = LLVMBuildSwitch(m->b, LLVMBuildLoad2(m->b, m->word, m->next, ""),
                                            m->targets.items[m->targets.n - 1], m->targets.n - 1);
    for (uint32_t i = 0; i + 1 < m->targets.n; i++)
        LLVMAddCase(to, qn__recursion_number(m, i), m->targets.items[i]);
}

static void build_machine(struct machine *m)
{
    struct qn__map kept = {0};
    for (uint32_t i = 0; i < m->n_deep; i++)
        for (unsigned k = 0; k < m->deep[i].n_args; k++)
            if (m->deep[i].is_passed_on[k])
                qn__map_put(m->u, &kept, m->deep[i].loads[k], m->deep[i].args[k]);
    qn__demote_phis(m->u, m->kernel);
    find_sites(m);
    for (uint32_t i = 0; i < m->n_sites; i++)
        take_result(m, &m->sites[i]);
    qn__demote_values(m->u, m->kernel, &kept);
    qn__recursion_keep(m);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    m->next = qn__recursion_variable(m, m->word, "next");
    qn__name_variable(m->u, m->next, "next");
    for (uint32_t i = 0; i < m->n_sites; i++)
        QN__PUSH(m->u, m->targets.items, m->targets.n, m->targets.capacity, m->sites[i].after);
    for (uint32_t i = 0; i < m->n_deep; i++)
        QN__PUSH(m->u, m->targets.items, m->targets.n, m->targets.capacity, m->deep[i].enter);
    find_headers(m);
    m->dispatch = LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "dispatch");
    route_headers(m, m->n_sites + m->n_deep);
    for (uint32_t i = 0; i < m->n_sites; i++)
        wire(m, &m->sites[i], i);
    build_leave(m);
    build_dispatch(m);
    for (uint32_t i = 0; i < m->n_sites; i++)
        LLVMInstructionEraseFromParent(m->sites[i].call);
}

/* -DQUERN_RECURSION_DEPTH=N */
static uint32_t depth_of(const struct qn__unit *u)
{
    static const char name[] = "-DQUERN_RECURSION_DEPTH=";
    uint32_t depth = DEEPEST;
    for (size_t i = 0; i < u->request->n_options; i++)
        if (qn__starts_with(u->request->options[i], name))
            depth = (uint32_t)strtoul(u->request->options[i] + sizeof name - 1, NULL, 10);
    return depth < 2 ? 2 : depth > DEEPEST_MOST ? DEEPEST_MOST : depth;
}

qn_status qn__recursion_stack(struct qn__unit *u)
{
    struct machine all = {
        .u = u, .word = LLVMInt32TypeInContext(u->context), .depth_max = depth_of(u)};
    struct machine *const each = QN__NEED_ARRAY(u, struct machine, u->n_kernels + 1);
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        each[k] = (struct machine){
            .u = u, .word = all.word, .depth_max = all.depth_max, .kernel = u->kernels[k].function};
        qn__recursion_find(&each[k], each[k].kernel);
        qn__recursion_find(&all, each[k].kernel);
    }
    if (!all.n_deep)
        return QN_OK;
    for (uint32_t i = 0; i < all.n_deep; i++)
        qn__recursion_passed_on(&all, &all.deep[i]);
    for (uint32_t i = 0; i < all.n_deep; i++)
        qn__recursion_stand_in(&all, &all.deep[i]);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        each[k].b = b;
        for (uint32_t i = 0; i < each[k].n_deep; i++)
            each[k].deep[i] = *qn__recursion_deep(&all, each[k].deep[i].function, false);
        if (each[k].n_deep)
            qn__recursion_bodies(&each[k]);
    }
    const qn_status s = qn__llvm_passes_run(u->module, "always-inline");
    for (uint32_t k = 0; s == QN_OK && k < u->n_kernels; k++)
        if (each[k].n_deep)
            build_machine(&each[k]);
    LLVMDisposeBuilder(b);
    return s == QN_OK ? qn__llvm_passes_run(u->module, "globaldce") : s;
}
