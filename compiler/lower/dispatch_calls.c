/* SPDX-License-Identifier: Apache-2.0
 *
 * A call through a pointer whose target is one of a few functions becomes a choice among them:
 *
 *     operation f = which ? twice : thrice; f(x)     ?:, and phis
 *     table[i](x)                                    a table of functions that nobody writes to
 *
 * The pointer is followed back to the functions' names. What is found on the way is made again with
 * numbers in place of addresses, so that no address is left:
 *
 *     choose(which ? 0 : 1, x), where choose(k, x) is k == 0 ? twice(x) : thrice(x)
 *
 * choose() is a function, so that LLVM's inliner makes its branches. Virtual functions of objects
 * that are not known are not followed: their addresses lie in memory that the kernel writes. */
#include "compiler/lower/dispatch_calls.h"

#include "base/wire.h"
#include "compiler/core/attributes.h"
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"

#include <string.h>

enum { TARGETS = 64, DEPTH = 32, USERS_DEEP = 8 };

struct search {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMTypeRef type, number;      /* of the function that is called; i32 */
    LLVMValueRef targets[TARGETS]; /* by their numbers */
    unsigned n_targets;
    struct qn__map phis; /* one of addresses -> that of numbers, for loops */
};

static LLVMValueRef number_of(struct search *s, LLVMValueRef function)
{
    unsigned i = 0;
    while (i < s->n_targets && s->targets[i] != function)
        i++;
    if (LLVMGlobalGetValueType(function) != s->type || LLVMIsDeclaration(function) || i == TARGETS)
        return NULL;
    if (i == s->n_targets)
        s->targets[s->n_targets++] = function;
    return LLVMConstInt(s->number, i, false);
}

/* Is it the list of what the module must keep? */
static bool is_kept_list(LLVMValueRef array)
{
    size_t n;
    const LLVMUseRef use = LLVMGetFirstUse(array);
    const LLVMValueRef list = use ? LLVMGetUser(use) : NULL;
    return list && LLVMIsAGlobalVariable(list) && !LLVMGetNextUse(use) &&
           qn__starts_with(LLVMGetValueName2(list, &n), "llvm.");
}

/* Is this global, or an address in it, only read? */
static bool is_only_read(LLVMValueRef v, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const bool goes_on = LLVMIsAGetElementPtrInst(user) || LLVMIsAConstantExpr(user);
        if (goes_on ? depth == 0 || !is_only_read(user, depth - 1)
                    : !LLVMIsALoadInst(user) && !(LLVMIsAConstantArray(user) && is_kept_list(user)))
            return false;
    }
    return true;
}

/* Does the host write to device variables, and name this one? */
static bool host_writes(struct qn__unit *u, LLVMValueRef table)
{
    size_t n;
    const char *const name = qn__di_plain_symbol(u, LLVMGetValueName2(table, &n));
    const char *const last = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
    for (uint32_t i = 0; i < u->request->n_files; i++)
        if (strstr(u->request->files[i].text, "MemcpyToSymbol") ||
            strstr(u->request->files[i].text, "GetSymbolAddress"))
            for (uint32_t k = 0; k < u->request->n_files; k++)
                if (strstr(u->request->files[k].text, last))
                    return true;
    return false;
}

static LLVMValueRef strip_casts(LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMAddrSpaceCast)
        v = LLVMGetOperand(v, 0);
    return v;
}

/* An array of addresses that stays as it is initialised; NULL: it is something else. */
static LLVMValueRef table_of(struct search *s, LLVMValueRef address)
{
    const LLVMValueRef g = strip_casts(address);
    const LLVMValueRef initial = LLVMIsAGlobalVariable(g) ? LLVMGetInitializer(g) : NULL;
    const LLVMTypeRef t = initial ? LLVMTypeOf(initial) : NULL;
    if (!t || LLVMGetTypeKind(t) != LLVMArrayTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(t)) != LLVMPointerTypeKind)
        return NULL;
    return LLVMIsGlobalConstant(g) || (is_only_read(g, USERS_DEEP) && !host_writes(s->u, g)) ? g
                                                                                             : NULL;
}

/* The table with numbers for its functions; NULL where it holds another. */
static LLVMValueRef numbered(struct search *s, LLVMValueRef table)
{
    const LLVMValueRef initial = LLVMGetInitializer(table);
    const unsigned n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(initial));
    LLVMValueRef *const numbers = QN__NEED_ARRAY(s->u, LLVMValueRef, n);
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef f = LLVMGetAggregateElement(initial, i);
        numbers[i] = LLVMIsAFunction(f) ? number_of(s, f)
                     : LLVMIsNull(f)    ? LLVMConstInt(s->number, 0, false) /* never called */
                                        : NULL;
        if (!numbers[i])
            return NULL;
    }
    size_t length;
    const char *const name =
        qn__text(s->u, "%s_number", qn__di_plain_symbol(s->u, LLVMGetValueName2(table, &length)));
    const LLVMValueRef g =
        LLVMAddGlobalInAddressSpace(s->u->module, LLVMArrayType2(s->number, n), name, 4);
    LLVMSetInitializer(g, LLVMConstArray2(s->number, numbers, n));
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

/* table[i]: the index is the last one, of what the array is. */
static LLVMValueRef follow_load(struct search *s, LLVMValueRef load)
{
    const LLVMValueRef p = LLVMGetOperand(load, 0);
    const bool is_gep = LLVMIsAGetElementPtrInst(p) != NULL;
    const LLVMValueRef table = table_of(s, is_gep ? LLVMGetOperand(p, 0) : p);
    if (!table || LLVMGetVolatile(load) ||
        (is_gep && (LLVMGetNumOperands(p) != 3 ||
                    LLVMGetGEPSourceElementType(p) != LLVMGlobalGetValueType(table) ||
                    !LLVMIsNull(LLVMGetOperand(p, 1)))))
        return NULL;
    const LLVMValueRef numbers = numbered(s, table);
    if (!numbers)
        return NULL;
    const LLVMTypeRef wide = LLVMInt64TypeInContext(s->u->context);
    LLVMValueRef index[] = {LLVMConstNull(wide),
                            is_gep ? LLVMGetOperand(p, 2) : LLVMConstNull(wide)};
    LLVMPositionBuilderBefore(s->b, load);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(load));
    const LLVMValueRef at = LLVMBuildInBoundsGEP2(
        s->b, LLVMGlobalGetValueType(numbers),
        LLVMConstAddrSpaceCast(numbers, LLVMPointerTypeInContext(s->u->context, 0)), index, 2, "");
    return LLVMBuildLoad2(s->b, s->number, at, "");
}

/* The number of the function that v is; NULL where it is not known. */
static LLVMValueRef follow(struct search *s, LLVMValueRef v, int depth)
{
    if (LLVMIsAFunction(v))
        return number_of(s, v);
    if (depth == 0)
        return NULL;
    if (LLVMIsALoadInst(v))
        return follow_load(s, v);
    if (LLVMIsASelectInst(v)) {
        const LLVMValueRef a = follow(s, LLVMGetOperand(v, 1), depth - 1);
        const LLVMValueRef b = a ? follow(s, LLVMGetOperand(v, 2), depth - 1) : NULL;
        LLVMPositionBuilderBefore(s->b, v);
        return b ? LLVMBuildSelect(s->b, LLVMGetOperand(v, 0), a, b, "") : NULL;
    }
    if (!LLVMIsAPHINode(v))
        return NULL;
    LLVMValueRef phi = qn__map_get(&s->phis, v);
    if (phi)
        return phi;
    LLVMPositionBuilderBefore(s->b, v);
    phi = LLVMBuildPhi(s->b, s->number, "");
    qn__map_put(s->u, &s->phis, v, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        LLVMValueRef number = follow(s, LLVMGetIncomingValue(v, i), depth - 1);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
        if (!number)
            return NULL;
        LLVMAddIncoming(phi, &number, &from, 1);
    }
    return phi;
}

/* choose(k, ...): a function of the numbers that were given out. */
static LLVMValueRef choice(struct search *s, LLVMTypeRef *type)
{
    const unsigned n = LLVMCountParamTypes(s->type);
    LLVMTypeRef *const types = QN__NEED_ARRAY(s->u, LLVMTypeRef, n + 1);
    LLVMValueRef *const passed = QN__NEED_ARRAY(s->u, LLVMValueRef, n + 1);
    types[0] = s->number;
    LLVMGetParamTypes(s->type, types + 1);
    *type = LLVMFunctionType(LLVMGetReturnType(s->type), types, n + 1, false);
    const LLVMValueRef f = LLVMAddFunction(s->u->module, "__qn_choose", *type);
    qn__add_attribute(s->u, f, "alwaysinline");
    qn__add_attribute(s->u, f, "convergent");
    qn__add_attribute(s->u, f, "nounwind");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    for (unsigned i = 0; i < n; i++)
        passed[i] = LLVMGetParam(f, i + 1);
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(s->u->context, f, "entry");
    LLVMSetCurrentDebugLocation2(s->b, NULL);
    for (unsigned i = 0; i < s->n_targets; i++) {
        LLVMBasicBlockRef here = block;
        if (i + 1 < s->n_targets) { /* the last needs no test */
            here = LLVMAppendBasicBlockInContext(s->u->context, f, "if.then");
            const LLVMBasicBlockRef next =
                LLVMAppendBasicBlockInContext(s->u->context, f, "if.else");
            LLVMPositionBuilderAtEnd(s->b, block);
            LLVMBuildCondBr(s->b,
                            LLVMBuildICmp(s->b, LLVMIntEQ, LLVMGetParam(f, 0),
                                          LLVMConstInt(s->number, i, false), ""),
                            here, next);
            block = next;
        }
        LLVMPositionBuilderAtEnd(s->b, here);
        const LLVMValueRef result = LLVMBuildCall2(s->b, s->type, s->targets[i], passed, n, "");
        if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind)
            LLVMBuildRetVoid(s->b);
        else
            LLVMBuildRet(s->b, result);
    }
    return f;
}

static bool dispatch(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call)
{
    struct search s = {.u = u,
                       .b = b,
                       .type = LLVMGetCalledFunctionType(call),
                       .number = LLVMInt32TypeInContext(u->context)};
    LLVMTypeRef type;
    const LLVMValueRef number = follow(&s, LLVMGetCalledValue(call), DEPTH);
    if (!number || s.n_targets == 0)
        return false;
    const LLVMValueRef f = choice(&s, &type);
    const unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef *const passed = QN__NEED_ARRAY(u, LLVMValueRef, n + 1);
    passed[0] = number;
    for (unsigned i = 0; i < n; i++)
        passed[i + 1] = LLVMGetArgOperand(call, i);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    const LLVMValueRef now = LLVMBuildCall2(b, type, f, passed, n + 1, "");
    LLVMReplaceAllUsesWith(call, now);
    LLVMInstructionEraseFromParent(call);
    qn__explain(u, now, "a call through a pointer becomes a choice among its targets");
    return true;
}

bool qn__dispatch_calls(struct qn__unit *u)
{
    bool done = false;
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t k = 0; k < u->n_kernels; k++)
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(u->kernels[k].function); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (LLVMIsACallInst(in) && !LLVMIsAInlineAsm(LLVMGetCalledValue(in)) &&
                    !LLVMIsAFunction(LLVMGetCalledValue(in)))
                    done |= dispatch(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return done;
}
