/* SPDX-License-Identifier: Apache-2.0
 *
 * Names: the passes keep the names of LLVM values but turn variables into values, so before they
 * run each variable's name is given to its alloca (SROA names its phis after it) and to every value
 * that is stored to it. The mark ".q" ends the source's part of a name; what follows it up to a dot
 * or digit is our code, and what LLVM appends after that (".i", "12", ".sroa.0.0") is noise.
 *
 *     int n        "n.qi7@"    unsigned n    "n.qu7@"    bool b   "b.qb7@"    anything else
 *                  "x.qo7@"
 *
 * A parameter of an inlined function has a capital letter; the number distinguishes variables of
 * one name.
 */
#include "compiler/model/value_names.h"

#include "compiler/core/debug_info.h"
#include "compiler/passes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char code_of_type(struct qn__unit *u, LLVMMetadataRef type)
{
    const char *const name = qn__di_scalar_name(u, type);
    if (!name)
        return 'o';
    if (qn__equal(name, "bool"))
        return 'b';
    if (qn__starts_with(name, "unsigned"))
        return 'u';
    if (qn__equal(name, "int") || qn__equal(name, "long") || qn__equal(name, "long long") ||
        qn__equal(name, "short") || qn__equal(name, "char") || qn__equal(name, "signed char"))
        return 'i';
    return 'o';
}

static bool is_marked(LLVMValueRef v)
{
    size_t n;
    return strstr(LLVMGetValueName2(v, &n), ".q") != NULL;
}

static void mark(struct qn__unit *u, LLVMValueRef v, const char *name, char code, uint32_t id)
{
    const char *const full = qn__text(u, "%s.q%c%u@", name, code, (unsigned)id);
    LLVMSetValueName2(v, full, strlen(full));
}

/* dbg.declare(alloca, variable): the alloca takes the variable's name. */
static void name_alloca(struct qn__unit *u, LLVMValueRef f, LLVMValueRef declare)
{
    const LLVMValueRef wrapped = LLVMGetOperand(declare, 0);
    LLVMValueRef alloca_ = NULL;
    if (LLVMIsAMDNode(wrapped) || LLVMGetMDNodeNumOperands(wrapped) == 1)
        LLVMGetMDNodeOperands(wrapped, &alloca_);
    if (!alloca_ || !LLVMIsAAllocaInst(alloca_) || is_marked(alloca_))
        return;
    const LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
    const char *const name = qn__di_name(u, variable, 1);
    if (!*name)
        return;
    size_t n;
    const char *const old = LLVMGetValueName2(alloca_, &n);
    const bool parameter = strstr(old, ".addr") != NULL && !qn__kernel_of(u, f);
    qn__di_see(u, qn__di_operand(u, variable, 3));
    char code = code_of_type(u, qn__di_operand(u, variable, 3));
    if (parameter)
        code = (char)toupper(code);
    mark(u, alloca_, name, code, ++u->n_named);
}

static const char keeper[] = "qn.keep";

/* A function that returns its argument, one per type; no pass knows that. */
static LLVMValueRef keeper_of(struct qn__unit *u, LLVMTypeRef t)
{
    LLVMTypeRef parameter = t;
    for (unsigned i = 0;; i++) {
        const char *const name = qn__text(u, "%s.%u", keeper, i);
        const LLVMValueRef known = LLVMGetNamedFunction(u->module, name);
        if (!known)
            return LLVMAddFunction(u->module, name, LLVMFunctionType(t, &parameter, 1, false));
        if (LLVMGetReturnType(LLVMGlobalGetValueType(known)) == t)
            return known;
    }
}

/* What is stored, as something that can keep a name: a call's result will be a value of the
 * function that is inlined, so it goes through a keeper until that is done. */
static LLVMValueRef nameable(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef store)
{
    LLVMValueRef v = LLVMGetOperand(store, 0);
    if (!LLVMIsACallInst(v) || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ||
        !LLVMIsAFunction(LLVMGetCalledValue(v)) || LLVMIsDeclaration(LLVMGetCalledValue(v)))
        return v;
    LLVMPositionBuilderBefore(b, store);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(store));
    const LLVMValueRef f = keeper_of(u, LLVMTypeOf(v));
    const LLVMValueRef kept = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, "");
    LLVMSetOperand(store, 0, kept);
    return kept;
}

/* A field of a local struct: its name, for a variable that is needed anyway. */
static void name_field(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef store, LLVMValueRef gep)
{
    if (!LLVMIsAAllocaInst(LLVMGetOperand(gep, 0)) ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(gep)) != LLVMStructTypeKind)
        return;
    size_t n;
    const char *const name = LLVMGetValueName2(gep, &n);
    while (n && isdigit((unsigned char)name[n - 1])) /* LLVM numbers values of one name */
        n--;
    const LLVMValueRef v = nameable(u, b, store);
    if (n && LLVMIsAInstruction(v) && !is_marked(v))
        mark(u, v, qn__text(u, "%.*s", (int)n, name), 'O', ++u->n_named);
}

/* Names clang gives to temporaries do not count; anything else of the source is kept. */
static void name_stored(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef store)
{
    const LLVMValueRef old = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
    if (!LLVMIsAInstruction(old) || LLVMIsAAllocaInst(old) || is_marked(old))
        return;
    if (LLVMIsALoadInst(old) && LLVMIsAAllocaInst(LLVMGetOperand(old, 0)) && !LLVMGetVolatile(old))
        return; /* a copy of another variable: SROA forgets it */
    if (LLVMGetVolatile(store))
        return; /* the variable stays what it is */
    if (LLVMIsAGetElementPtrInst(to)) {
        name_field(u, b, store, to);
        return;
    }
    if (!LLVMIsAAllocaInst(to) || !is_marked(to))
        return;
    size_t n;
    const char *const full = LLVMGetValueName2(to, &n);
    const char *const at = strstr(full, ".q");
    mark(u, nameable(u, b, store), qn__text(u, "%.*s", (int)(at - full), full), at[2],
         (uint32_t)strtoul(at + 3, NULL, 10));
}

/* clang's name for the address of a class's virtual functions, which an object holds. */
static bool is_table_pointer(LLVMValueRef v)
{
    size_t n;
    const char *const name = LLVMIsALoadInst(v) ? LLVMGetValueName2(v, &n) : "";
    return qn__starts_with(name, "vtable") || qn__starts_with(name, "memptr.vtable");
}

/* Does a later stage ask for it? For the source's variables, the fields of structs, and clang's
 * tobool of a bool (expr_convert.c), and tables of virtual functions (function_numbers.c); and
 * where a block comes from (structure.c, block_statements.c). */
static bool is_asked_for(LLVMValueRef v)
{
    return is_marked(v) || LLVMIsATruncInst(v) || LLVMIsAAllocaInst(v) || is_table_pointer(v) ||
           (LLVMIsAGetElementPtrInst(v) &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(v)) == LLVMStructTypeKind);
}

/* Every name costs time again wherever the function is inlined. */
static void drop_names(LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb)) {
        const char *const name = LLVMGetBasicBlockName(bb);
        if (qn__starts_with(name, "if.") || qn__starts_with(name, "while."))
            LLVMSetValueName2(LLVMBasicBlockAsValue(bb), "", 0);
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMVoidTypeKind && !is_asked_for(in))
                LLVMSetValueName2(in, "", 0);
    }
}

/* First the names of declarations, which then go: inlining and SROA would carry them along at some
 * cost. */
static void keep_in(struct qn__unit *u, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
            next = LLVMGetNextInstruction(in);
            if (!LLVMIsACallInst(in) || !LLVMIsAFunction(LLVMGetCalledValue(in)))
                continue;
            size_t n;
            const char *const callee = LLVMGetValueName2(LLVMGetCalledValue(in), &n);
            if (qn__equal(callee, "llvm.dbg.declare"))
                name_alloca(u, f, in);
            if (qn__starts_with(callee, "llvm.dbg."))
                LLVMInstructionEraseFromParent(in);
        }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (LLVMIsAStoreInst(in))
                name_stored(u, b, in);
    LLVMDisposeBuilder(b);
    drop_names(f);
}

qn_status qn__keep_names(struct qn__unit *u)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(u->module, 0);
#endif
    qn__di_collect_units(u);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        qn__di_collect(u, f);
        keep_in(u, f);
    }
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(u->module, 1);
#endif
    return QN_OK;
}

/* The keeper has kept a name over the inlining; now the value takes it. */
static void settle(LLVMValueRef call)
{
    const LLVMValueRef v = LLVMGetOperand(call, 0);
    size_t n;
    const char *const name = LLVMGetValueName2(call, &n);
    LLVMReplaceAllUsesWith(call, v);
    if (LLVMIsAInstruction(v) && !LLVMIsAAllocaInst(v) && !is_marked(v))
        LLVMSetValueName2(v, name, n);
    LLVMInstructionEraseFromParent(call);
}

qn_status qn__settle_names(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t n;
        if (!qn__starts_with(LLVMGetValueName2(f, &n), keeper))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetFirstUse(f))
            settle(LLVMGetUser(use));
        LLVMDeleteFunction(f);
    }
    return QN_OK;
}

void qn__name_variable(struct qn__unit *u, LLVMValueRef v, const char *name)
{
    mark(u, v, name, 'o', ++u->n_named);
}

void qn__name_like(struct qn__unit *u, LLVMValueRef v, LLVMValueRef model)
{
    size_t n;
    const char *const name = qn__text(u, "%s", LLVMGetValueName2(model, &n));
    if (*name)
        LLVMSetValueName2(v, name, strlen(name));
}

/* SROA puts the variable's name before that of a volatile load, "x.qi3@.0.x.qi3@.0.a.qi4@", and of
 * one without a name, "x.qi3@.0.x.qi3@.0.". */
static const char *own_name(LLVMValueRef v)
{
    size_t n;
    const char *const full = LLVMGetValueName2(v, &n), *name = full;
    if (!LLVMIsALoadInst(v) || !LLVMGetVolatile(v))
        return full;
    const char *const last = strrchr(full, '@'), *const end = last ? last + 1 : full;
    if (*end == '.' && (isdigit((unsigned char)end[1]) || qn__starts_with(end, ".sroa")))
        return full + n;
    for (const char *p = full; (p = strstr(p, ".q")) != NULL; p += 2)
        for (name = p; name > full && name[-1] != '.';)
            name--;
    return name;
}

struct qn__source_name qn__name_of(struct qn__unit *u, LLVMValueRef v)
{
    struct qn__source_name out = {.name = ""};
    const char *const full = own_name(v);
    const char *const at = strstr(full, ".q");
    if (!at || strstr(at, "sroa_idx") || strstr(at, "sroa_cast") || strstr(at, "sroa_raw"))
        return out; /* addresses that SROA made for parts of a variable */
    const char code = (char)tolower(at[2]);
    out.kind = isupper((unsigned char)at[2]) ? QN__NAME_PARAMETER : QN__NAME_LOCAL;
    out.name = qn__text(u, "%.*s", (int)(at - full), full);
    out.sign_known = code == 'i' || code == 'u';
    out.is_unsigned = code == 'u';
    out.is_bool = code == 'b';
    out.variable = (uint32_t)strtoul(at + 3, NULL, 10);
    return out;
}
