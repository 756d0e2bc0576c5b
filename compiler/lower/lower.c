/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowering: clang's IR becomes IR that reads like the source and has one address space per access.
 *
 *     every device function      internal, always inlined; kernels stay
 *     values stored to a variable   take the variable's name (value_names.c), before SROA forgets
 * it memcpy of 8 or 16 aligned bytes   one vector load and store, so wide accesses stay wide passes
 * globaldce, sroa (what is small is inlined faster), always-inline (unless inline_limit.c finds
 * that it would never end), globaldce, an end to recursion (recursion.c), then function(sroa),
 * guards of shifts (guard_shifts.c), function(early-cse), casts of floats (float_to_int.c),
 * function(simplifycfg, early-cse), casts of what is now a constant structs passed by value and
 * written to   a copy of one's own (share_byval.c) structs passed by value that are too large   an
 * argument in a buffer (buffer_arguments.c)
 *
 * The pipeline is gentle on purpose: instcombine and clang's own -O1 merge pointers of different
 * address spaces into one select or phi, and blur the loops.
 */
#include "compiler/lower/lower.h"

#include "compiler/model/address_space.h"
#include "compiler/model/value_names.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static void drop_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void add_attribute(struct qn__unit *u, LLVMValueRef f, const char *name)
{
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(u->context, LLVMGetEnumAttributeKindForName(name, strlen(name)),
                                0));
}

/* A row of !nvvm.annotations that says what __launch_bounds__ did. */
static void read_bound(struct qn__unit *u, LLVMValueRef row)
{
    LLVMValueRef parts[3];
    if (LLVMGetMDNodeNumOperands(row) != 3)
        return;
    LLVMGetMDNodeOperands(row, parts);
    unsigned length = 0;
    const char *const text = parts[0] ? LLVMGetMDString(parts[1], &length) : NULL;
    const char *const key = text ? qn__text(u, "%.*s", (int)length, text) : "";
    struct qn__kernel_source *const k = parts[0] ? qn__kernel_of(u, parts[0]) : NULL;
    if (k && qn__equal(key, "maxntidx"))
        k->block_threads_max = k->bound_threads = (uint32_t)LLVMConstIntGetZExtValue(parts[2]);
    else if (k && qn__equal(key, "minctasm"))
        k->bound_blocks = (uint32_t)LLVMConstIntGetZExtValue(parts[2]);
}

/* Kernels: functions of !nvvm.annotations with "kernel", or (newer LLVM) of the PTX kernel calling
 * convention. */
static void find_kernels(struct qn__unit *u)
{
    enum { PTX_KERNEL = 71 };
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetFunctionCallConv(f) == PTX_KERNEL && !LLVMIsDeclaration(f))
            QN__PUSH(u, u->kernels, u->n_kernels, u->kernels_capacity,
                     ((struct qn__kernel_source){.function = f}));
    const unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    LLVMValueRef *const rows = QN__NEED_ARRAY(u, LLVMValueRef, n);
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", rows);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef parts[16];
        const unsigned n_parts = LLVMGetMDNodeNumOperands(rows[i]);
        if (n_parts < 3 || n_parts > 16)
            continue;
        LLVMGetMDNodeOperands(rows[i], parts);
        for (unsigned k = 1; k + 1 < n_parts && parts[0]; k += 2) {
            unsigned length = 0;
            const char *const key = LLVMGetMDString(parts[k], &length);
            if (key && length == 6 && memcmp(key, "kernel", 6) == 0)
                QN__PUSH(u, u->kernels, u->n_kernels, u->kernels_capacity,
                         ((struct qn__kernel_source){.function = parts[0]}));
        }
    }
    for (unsigned i = 0; i < n; i++)
        read_bound(u, rows[i]);
}

struct qn__kernel_source *qn__kernel_of(struct qn__unit *u, LLVMValueRef function)
{
    for (uint32_t i = 0; i < u->n_kernels; i++)
        if (u->kernels[i].function == function)
            return &u->kernels[i];
    return NULL;
}

static LLVMValueRef strip_casts(LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) &&
           (LLVMGetConstOpcode(v) == LLVMAddrSpaceCast || LLVMGetConstOpcode(v) == LLVMBitCast))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* Which symbol each name expression is; the variables that said so disappear. */
static void resolve_names(struct qn__unit *u)
{
    u->name_values = QN__NEED_ARRAY(u, LLVMValueRef, u->request->n_names);
    for (uint32_t i = 0; i < u->request->n_names; i++) {
        const LLVMValueRef v =
            LLVMGetNamedGlobal(u->module, qn__text(u, "__qn_name_%u", (unsigned)i));
        const LLVMValueRef init = v ? LLVMGetInitializer(v) : NULL;
        if (!init)
            continue;
        u->name_values[i] = strip_casts(init);
        struct qn__kernel_source *const k = qn__kernel_of(u, u->name_values[i]);
        if (k)
            k->expression = u->request->names[i];
        LLVMDeleteGlobal(v);
    }
}

static void internalise(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        drop_attribute(f, "noinline");
        drop_attribute(f, "optnone");
        if (qn__kernel_of(u, f)) {
            LLVMSetLinkage(f, LLVMExternalLinkage);
        } else {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            add_attribute(u, f, "alwaysinline");
        }
    }
}

qn_status qn__passes_run(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return QN_OK;
    char *const text = LLVMGetErrorMessage(error);
    const qn_status s = qn__fail(QN_E_COMPILER, "LLVM passes: %s", text);
    LLVMDisposeErrorMessage(text);
    return s;
}

/* The one scalar type a type consists of, and how many of it; NULL when mixed. */
static LLVMTypeRef only_scalar(LLVMTypeRef t, uint64_t *count)
{
    uint64_t inner = 0;
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: *count = 1; return t;
    case LLVMArrayTypeKind: {
        const LLVMTypeRef e = only_scalar(LLVMGetElementType(t), &inner);
        *count = inner * LLVMGetArrayLength2(t);
        return e == LLVMInt8TypeInContext(LLVMGetTypeContext(t)) && *count % 2 == 1
                   ? NULL /* a bit-field */
                   : e;
    }
    case LLVMStructTypeKind: {
        LLVMTypeRef all = NULL;
        *count = 0;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            const LLVMTypeRef e = only_scalar(LLVMStructGetTypeAtIndex(t, i), &inner);
            if (!e || (all && e != all))
                return NULL;
            all = e;
            *count += inner;
        }
        return all;
    }
    default: return NULL;
    }
}

/* The type a pointer's own instruction says it points to, or NULL. */
static LLVMTypeRef stated_type(LLVMValueRef p)
{
    if (LLVMIsAAllocaInst(p))
        return LLVMGetAllocatedType(p);
    return LLVMIsAGetElementPtrInst(p) ? qn__gep_type(p) : NULL;
}

static LLVMTypeRef copy_type(struct qn__unit *u, LLVMValueRef p, uint64_t bytes)
{
    uint64_t count;
    const LLVMTypeRef stated = stated_type(p);
    const LLVMTypeRef scalar = stated ? only_scalar(stated, &count) : NULL;
    if (!scalar)
        return NULL;
    const uint64_t size = LLVMABISizeOfType(u->layout, scalar);
    const uint64_t n = bytes / size;
    if (n * size != bytes || n > 16 || (n & (n - 1)) != 0)
        return NULL;
    return n == 1 ? scalar : LLVMVectorType(scalar, (unsigned)n);
}

static unsigned pointer_alignment(LLVMValueRef call, unsigned argument)
{
    const LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
        call, argument + 1, LLVMGetEnumAttributeKindForName("align", 5));
    return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

/* The alignment a vector access of `t` may have there: what the copy says, where that is enough for
 * its elements; 0 where it is not. A local array is no place for vload. */
static unsigned access_alignment(struct qn__unit *u, LLVMValueRef call, unsigned argument,
                                 LLVMTypeRef t, uint64_t bytes)
{
    const unsigned given = pointer_alignment(call, argument);
    const bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    if (given >= bytes)
        return (unsigned)bytes;
    if (!vector || LLVMIsAAllocaInst(qn__memory_root(LLVMGetOperand(call, argument))) ||
        given < LLVMABISizeOfType(u->layout, LLVMGetElementType(t)))
        return 0;
    return given;
}

/* memcpy(dst, src, 16), both 16-byte aligned    ->  *(float4 *)dst = *(float4 *)src
 *                       as their elements are   ->  vstore4(vload4(0, src), 0, dst) */
static void widen_copy(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call)
{
    const LLVMValueRef dst = LLVMGetOperand(call, 0), src = LLVMGetOperand(call, 1);
    const LLVMValueRef length = LLVMGetOperand(call, 2);
    const uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
    const bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0;
    if ((bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) || is_volatile)
        return; /* OpenCL C has no volatile vload */
    LLVMTypeRef t = copy_type(u, dst, bytes);
    if (!t)
        t = copy_type(u, src, bytes);
    if (!t)
        return;
    const unsigned from = access_alignment(u, call, 1, t, bytes),
                   to = access_alignment(u, call, 0, t, bytes);
    if (!from || !to)
        return;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    const LLVMValueRef v = LLVMBuildLoad2(b, t, src, "");
    const LLVMValueRef st = LLVMBuildStore(b, v, dst);
    LLVMSetAlignment(v, from);
    LLVMSetAlignment(st, to);
    LLVMInstructionEraseFromParent(call);
}

static void widen_copies(struct qn__unit *u)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (!LLVMIsACallInst(in))
                    continue;
                size_t n = 0;
                const LLVMValueRef callee = LLVMGetCalledValue(in);
                const char *const name =
                    LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
                if (qn__starts_with(name, "llvm.memcpy"))
                    widen_copy(u, b, in);
            }
    LLVMDisposeBuilder(b);
}

/* for (z ...; z++) with a z + 1 in its body as well: one value for the passes, which would step z
 * there. The loop gets its step back at the end of the turn. */
static void split_step(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef step = LLVMGetIncomingValue(phi, i);
        const LLVMBasicBlockRef latch = LLVMGetIncomingBlock(phi, i);
        if (!LLVMIsABinaryOperator(step) || LLVMGetOperand(step, 0) != phi ||
            !LLVMIsAConstantInt(LLVMGetOperand(step, 1)) || !LLVMGetNextUse(LLVMGetFirstUse(step)))
            continue;
        const LLVMValueRef own = LLVMInstructionClone(step);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(latch));
        LLVMInsertIntoBuilder(b, own);
        LLVMSetOperand(phi, i, own);
        qn__name_like(u, own, phi);
    }
}

static void split_steps(struct qn__unit *u)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb);
                 in && LLVMIsAPHINode(in) && qn__starts_with(LLVMGetBasicBlockName(bb), "for.");
                 in = LLVMGetNextInstruction(in))
                split_step(u, b, in);
    LLVMDisposeBuilder(b);
}

/* CUDA's printf returns how many arguments it was given behind the format, OpenCL's 0. */
static void count_printed(struct qn__unit *u)
{
    const LLVMValueRef f = LLVMGetNamedFunction(u->module, "__qn_printf");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
            LLVMReplaceAllUsesWith(
                call, LLVMConstInt(LLVMTypeOf(call), LLVMGetNumArgOperands(call) - 1, false));
    }
}

/* Bitcode of a test has no annotations. */
static void take_all_as_kernels(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            QN__PUSH(u, u->kernels, u->n_kernels, u->kernels_capacity,
                     ((struct qn__kernel_source){.function = f}));
}

qn_status qn__lower(struct qn__unit *u)
{
    find_kernels(u);
    if (u->request->bitcode && u->n_kernels == 0)
        take_all_as_kernels(u);
    resolve_names(u);
    qn__tables_expand(u);
    count_printed(u);
    widen_copies(u);
    qn__byval_share(u);
    qn__casts_name(u);
    qn__shifts_hide(u);
    qn__names_keep(u);
    internalise(u);
    QN_TRY(qn__passes_run(u->module, "globaldce,function(sroa)"));
    QN_TRY(qn__sizes_check(u));
    QN_TRY(qn__passes_run(u->module, "globaldce,always-inline,globaldce"));
    qn__names_settle(u);
    QN_TRY(qn__recursion_end(u));
    widen_copies(u);
    QN_TRY(qn__passes_run(u->module, "function(sroa)"));
    qn__parts_fold(u);
    qn__widths_settle(u);
    QN_TRY(qn__shifts_guard(u));
    QN_TRY(qn__passes_run(u->module, "function(early-cse)"));
    qn__casts_settle(u);
    QN_TRY(qn__passes_run(u->module, "function(simplifycfg,early-cse)"));
    qn__casts_settle(u);
    qn__vectors_split(u);
    split_steps(u);
    qn__byval_copy(u);
    qn__arguments_fit(u);
    return QN_OK;
}
