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
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/lower/demote.h"
#include "compiler/lower/llvm_passes.h"
#include "compiler/model/value_names.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, DEEPEST_MOST = 1 << 20, LONGEST = 60 };

/* A function that is called, and what a kernel has for it. */
struct deep {
    LLVMValueRef function, again; /* a stand-in without a body for it */
    const char *name;             /* in the source */
    unsigned n_args;
    bool *is_passed_on; /* every call inside gives it as it is */
    LLVMBasicBlockRef enter;
    LLVMValueRef *args, result; /* variables */
    LLVMValueRef *loads;
};

/* A call of one of them. */
struct site {
    LLVMValueRef call;
    struct deep *callee;
    LLVMBasicBlockRef before, after;
    bool is_outer; /* the kernel's own */
};

struct blocks {
    LLVMBasicBlockRef *items;
    uint32_t n, capacity;
};

struct machine {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef kernel;
    LLVMTypeRef word;
    uint32_t depth_max;
    struct deep *deep;
    uint32_t n_deep, deep_capacity;
    struct site *sites;
    uint32_t n_sites, sites_capacity;
    LLVMValueRef depth, site_stack;
    LLVMBasicBlockRef leave, dispatch; /* a function's end, and the switch that all goes through */
    LLVMValueRef next;                 /* where that leads: a number in `targets` */
    struct blocks targets;             /* what follows each site, each function, loops with sites */
    struct qn__map own;                /* the kernel's own blocks, and variables of the machine */
    LLVMValueRef *vars;                /* of the functions: what may have to be kept */
    uint32_t n_vars, vars_capacity;
};

static LLVMValueRef called_function(LLVMValueRef in)
{
    const LLVMValueRef f = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    return f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f) ? f : NULL;
}

bool qn__calls_functions(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(kernel); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (called_function(in))
                return true;
    return false;
}

/* ---- which functions ---- */

static struct deep *deep_of(struct machine *m, LLVMValueRef f, bool by_stand_in)
{
    for (uint32_t i = 0; f && i < m->n_deep; i++)
        if ((by_stand_in ? m->deep[i].again : m->deep[i].function) == f)
            return &m->deep[i];
    return NULL;
}

static void find_called_in(struct machine *m, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            const LLVMValueRef callee = called_function(in);
            if (callee && !deep_of(m, callee, false))
                QN__PUSH(m->u, m->deep, m->n_deep, m->deep_capacity,
                         ((struct deep){.function = callee}));
        }
}

static void find_called(struct machine *m, LLVMValueRef kernel)
{
    find_called_in(m, kernel);
    for (uint32_t i = 0; i < m->n_deep; i++)
        find_called_in(m, m->deep[i].function);
}

/* Which arguments all calls inside pass on. */
static void find_passed_on(struct machine *m, struct deep *d)
{
    d->n_args = LLVMCountParams(d->function);
    d->is_passed_on = QN__NEED_ARRAY(m->u, bool, d->n_args + 1);
    for (unsigned i = 0; i < d->n_args; i++)
        d->is_passed_on[i] = true;
    for (LLVMUseRef use = LLVMGetFirstUse(d->function); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        const LLVMValueRef caller =
            LLVMIsACallInst(call) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) : NULL;
        if (!deep_of(m, caller, false))
            continue;
        for (unsigned i = 0; i < d->n_args; i++)
            d->is_passed_on[i] &=
                caller == d->function && LLVMGetArgOperand(call, i) == LLVMGetParam(d->function, i);
    }
}

/* Calls become calls of stand-ins, which are not inlined. */
static void use_stand_in(struct machine *m, struct deep *d)
{
    size_t n;
    d->name = qn__di_plain_symbol(m->u, qn__text(m->u, "%s", LLVMGetValueName2(d->function, &n)));
    d->again = LLVMAddFunction(m->u->module,
                               qn__text(m->u, "%s.deeper", LLVMGetValueName2(d->function, &n)),
                               LLVMGlobalGetValueType(d->function));
    LLVMReplaceAllUsesWith(d->function, d->again);
}

/* ---- the bodies ---- */

static LLVMValueRef variable(struct machine *m, LLVMTypeRef t, const char *name)
{
    LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->kernel)));
    const LLVMValueRef v = LLVMBuildAlloca(m->b, t, name);
    qn__map_put(m->u, &m->own, v, v);
    return v;
}

static LLVMValueRef number(struct machine *m, uint64_t n)
{
    return LLVMConstInt(m->word, n, false);
}

/* A block that calls the function; the inliner puts its body there. */
static void add_body(struct machine *m, struct deep *d, LLVMMetadataRef at)
{
    size_t n;
    const LLVMTypeRef type = LLVMGlobalGetValueType(d->function);
    const LLVMTypeRef result = LLVMGetReturnType(type);
    d->args = QN__NEED_ARRAY(m->u, LLVMValueRef, d->n_args + 1);
    d->loads = QN__NEED_ARRAY(m->u, LLVMValueRef, d->n_args + 1);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    for (unsigned i = 0; i < d->n_args; i++)
        d->args[i] = variable(m, LLVMTypeOf(LLVMGetParam(d->function, i)),
                              LLVMGetValueName2(LLVMGetParam(d->function, i), &n));
    d->result = LLVMGetTypeKind(result) == LLVMVoidTypeKind ? NULL : variable(m, result, "result");
    d->enter = LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "enter");
    LLVMPositionBuilderAtEnd(m->b, d->enter);
    for (unsigned i = 0; i < d->n_args; i++)
        d->loads[i] = LLVMBuildLoad2(m->b, LLVMTypeOf(LLVMGetParam(d->function, i)), d->args[i],
                                     LLVMGetValueName2(LLVMGetParam(d->function, i), &n));
    LLVMSetCurrentDebugLocation2(m->b, at);
    const LLVMValueRef call = LLVMBuildCall2(m->b, type, d->function, d->loads, d->n_args, "");
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    if (d->result)
        LLVMBuildStore(m->b, call, d->result);
    LLVMBuildBr(m->b, m->leave);
}

static void add_bodies(struct machine *m)
{
    LLVMMetadataRef at = NULL;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        qn__map_put(m->u, &m->own, bb, bb);
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            if (LLVMIsAAllocaInst(in))
                qn__map_put(m->u, &m->own, in, in);
            if (LLVMIsACallInst(in) && deep_of(m, LLVMGetCalledValue(in), true))
                at = LLVMInstructionGetDebugLoc(in);
        }
    }
    m->depth = variable(m, m->word, "depth");
    m->site_stack = variable(m, LLVMArrayType2(m->word, m->depth_max), "sites");
    qn__name_variable(m->u, m->site_stack, "sites");
    m->leave = LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "leave");
    LLVMPositionBuilderAtEnd(m->b, m->leave);
    LLVMBuildUnreachable(m->b);
    for (uint32_t i = 0; i < m->n_deep; i++)
        add_body(m, &m->deep[i], at);
}

/* ---- what a call keeps ---- */

static void find_sites(struct machine *m)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            struct deep *const d =
                LLVMIsACallInst(in) ? deep_of(m, LLVMGetCalledValue(in), true) : NULL;
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

/* Only loaded and stored as a whole? */
static bool is_plain(LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef in = LLVMGetUser(use);
        const bool loads = LLVMIsALoadInst(in) && LLVMTypeOf(in) == LLVMGetAllocatedType(alloca);
        const bool stores = LLVMIsAStoreInst(in) && LLVMGetOperand(in, 1) == alloca &&
                            LLVMGetOperand(in, 0) != alloca &&
                            LLVMTypeOf(LLVMGetOperand(in, 0)) == LLVMGetAllocatedType(alloca);
        if (!loads && !stores)
            return false;
    }
    return true;
}

static bool is_marker(LLVMValueRef in)
{
    size_t n;
    const LLVMValueRef f = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    return f && qn__starts_with(LLVMGetValueName2(f, &n), "llvm.lifetime.");
}

static void drop_markers(LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca), next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (is_marker(LLVMGetUser(use)))
            LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
}

/* Read or written by the functions, not by the kernel itself. */
static bool is_of_functions(struct machine *m, LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
        if (!qn__map_get(&m->own, LLVMGetInstructionParent(LLVMGetUser(use))))
            return true;
    return false;
}

static LLVMValueRef element(struct machine *m, LLVMTypeRef array, LLVMValueRef stack)
{
    LLVMValueRef index[] = {number(m, 0), LLVMBuildLoad2(m->b, m->word, m->depth, "")};
    return LLVMBuildInBoundsGEP2(m->b, array, stack, index, 2, "");
}

/* "n_stack" for a variable n. */
static LLVMValueRef stack_variable(struct machine *m, LLVMTypeRef array, LLVMValueRef like)
{
    size_t n;
    const char *const own = qn__name_of(m->u, like).name;
    const char *const name = *own ? own : LLVMGetValueName2(like, &n);
    const LLVMValueRef v = variable(m, array, "");
    n = strcspn(name, ".0123456789"); /* LLVM numbers values of one name */
    qn__name_variable(m->u, v, qn__text(m->u, "%.*s_stack", (int)n, name));
    return v;
}

/* What has an address becomes an array of them. */
static void stack_object(struct machine *m, LLVMValueRef alloca)
{
    const LLVMTypeRef array = LLVMArrayType2(LLVMGetAllocatedType(alloca), m->depth_max);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    const LLVMValueRef stack = stack_variable(m, array, alloca);
    LLVMSetAlignment(stack, LLVMGetAlignment(alloca));
    for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca)) != NULL;) {
        const LLVMValueRef in = LLVMGetUser(use);
        LLVMPositionBuilderBefore(m->b, in);
        const LLVMValueRef at = element(m, array, stack);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(in); k++)
            if (LLVMGetOperand(in, k) == alloca)
                LLVMSetOperand(in, k, at);
    }
    LLVMInstructionEraseFromParent(alloca);
}

static void find_variables(struct machine *m)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->kernel)), next; in;
         in = next) {
        next = LLVMGetNextInstruction(in);
        if (!LLVMIsAAllocaInst(in) || qn__map_get(&m->own, in))
            continue;
        drop_markers(in);
        if (!is_of_functions(m, in))
            continue;
        if (is_plain(in))
            QN__PUSH(m->u, m->vars, m->n_vars, m->vars_capacity, in);
        else
            stack_object(m, in);
    }
}

/* Is a variable's value read from this block on, before it is written? live: at the ends of blocks
 * by their numbers. */
static bool is_read_in(LLVMBasicBlockRef bb, LLVMValueRef var, bool live_at_end)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
        if (LLVMIsALoadInst(in) && LLVMGetOperand(in, 0) == var)
            return true;
        if (LLVMIsAStoreInst(in) && LLVMGetOperand(in, 1) == var)
            return false;
    }
    return live_at_end;
}

/* The blocks from whose beginning on a variable is read. */
static struct qn__map live_blocks(struct machine *m, LLVMValueRef var)
{
    struct qn__map live = {0};
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef bb = LLVMGetLastBasicBlock(m->kernel); bb;
             bb = LLVMGetPreviousBasicBlock(bb)) {
            const LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
            bool at_end = false;
            for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
                at_end |= qn__map_get(&live, LLVMGetSuccessor(end, i)) != NULL;
            if (!qn__map_get(&live, bb) && is_read_in(bb, var, at_end)) {
                qn__map_put(m->u, &live, bb, bb);
                changed = true;
            }
        }
    }
    return live;
}

/* ---- calls and returns ---- */

static LLVMTypeRef kept_type(struct machine *m, LLVMTypeRef t)
{
    const bool is_bit = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
    return is_bit ? LLVMInt8TypeInContext(m->u->context) : t;
}

static void keep(struct machine *m, const struct site *s, LLVMValueRef var, LLVMTypeRef array,
                 LLVMValueRef stack)
{
    const LLVMTypeRef t = LLVMGetAllocatedType(var), kept = kept_type(m, t);
    LLVMPositionBuilderBefore(m->b, s->call);
    LLVMValueRef v = LLVMBuildLoad2(m->b, t, var, "");
    v = kept == t ? v : LLVMBuildZExt(m->b, v, kept, "");
    LLVMBuildStore(m->b, v, element(m, array, stack));
    LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(s->after));
    v = LLVMBuildLoad2(m->b, kept, element(m, array, stack), "");
    LLVMBuildStore(m->b, kept == t ? v : LLVMBuildTrunc(m->b, v, t, ""), var);
}

static void keep_all(struct machine *m)
{
    for (uint32_t i = 0; i < m->n_vars; i++) {
        const LLVMValueRef var = m->vars[i];
        struct qn__map live = live_blocks(m, var);
        LLVMValueRef stack = NULL;
        const LLVMTypeRef array =
            LLVMArrayType2(kept_type(m, LLVMGetAllocatedType(var)), m->depth_max);
        for (uint32_t k = 0; k < m->n_sites; k++) {
            if (m->sites[k].is_outer || !qn__map_get(&live, m->sites[k].after))
                continue;
            if (!stack)
                stack = stack_variable(m, array, var);
            keep(m, &m->sites[k], var, array, stack);
        }
    }
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
    LLVMBuildStore(m->b, number(m, number_of_it), m->next);
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
        LLVMBuildStore(m->b, number(m, 0), m->depth);
    } else {
        const LLVMBasicBlockRef deeper =
            LLVMInsertBasicBlockInContext(m->u->context, s->after, "deeper");
        const LLVMBasicBlockRef too_deep =
            LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "too_deep");
        const LLVMValueRef depth =
            LLVMBuildAdd(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""), number(m, 1), "");
        LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntULT, depth, number(m, m->depth_max), ""),
                        deeper, too_deep);
        LLVMPositionBuilderAtEnd(m->b, too_deep);
        build_too_deep(m, s->call, d->name);
        LLVMPositionBuilderAtEnd(m->b, deeper);
        LLVMBuildStore(
            m->b, LLVMBuildAdd(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""), number(m, 1), ""),
            m->depth);
        LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(s->after));
        LLVMBuildStore(
            m->b, LLVMBuildSub(m->b, LLVMBuildLoad2(m->b, m->word, m->depth, ""), number(m, 1), ""),
            m->depth);
        LLVMPositionBuilderAtEnd(m->b, deeper);
    }
    for (unsigned i = 0; i < d->n_args; i++)
        if (s->is_outer || !d->is_passed_on[i])
            LLVMBuildStore(m->b, LLVMGetArgOperand(s->call, i), d->args[i]);
    LLVMBuildStore(m->b, number(m, id), element(m, sites, m->site_stack));
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
    LLVMBuildStore(m->b, LLVMBuildLoad2(m->b, m->word, element(m, sites, m->site_stack), ""),
                   m->next);
    LLVMBuildBr(m->b, m->dispatch);
}

static void build_dispatch(struct machine *m)
{
    LLVMPositionBuilderAtEnd(m->b, m->dispatch);
    const LLVMValueRef to = LLVMBuildSwitch(m->b, LLVMBuildLoad2(m->b, m->word, m->next, ""),
                                            m->targets.items[m->targets.n - 1], m->targets.n - 1);
    for (uint32_t i = 0; i + 1 < m->targets.n; i++)
        LLVMAddCase(to, number(m, i), m->targets.items[i]);
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
    find_variables(m);
    keep_all(m);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    m->next = variable(m, m->word, "next");
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
        find_called(&each[k], each[k].kernel);
        find_called(&all, each[k].kernel);
    }
    if (!all.n_deep)
        return QN_OK;
    for (uint32_t i = 0; i < all.n_deep; i++)
        find_passed_on(&all, &all.deep[i]);
    for (uint32_t i = 0; i < all.n_deep; i++)
        use_stand_in(&all, &all.deep[i]);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t k = 0; k < u->n_kernels; k++) {
        each[k].b = b;
        for (uint32_t i = 0; i < each[k].n_deep; i++)
            each[k].deep[i] = *deep_of(&all, each[k].deep[i].function, false);
        if (each[k].n_deep)
            add_bodies(&each[k]);
    }
    const qn_status s = qn__llvm_passes_run(u->module, "always-inline");
    for (uint32_t k = 0; s == QN_OK && k < u->n_kernels; k++)
        if (each[k].n_deep)
            build_machine(&each[k]);
    LLVMDisposeBuilder(b);
    return s == QN_OK ? qn__llvm_passes_run(u->module, "globaldce") : s;
}
