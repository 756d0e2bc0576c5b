/* SPDX-License-Identifier: Apache-2.0
 *
 * Places: pointers and the memory behind them, as a person would write it.
 *
 *     getelementptr float, ptr %x, i64 %i              x[i]
 *     getelementptr %struct.body, ptr %b, i32 0, i32 1    b->mass
 *     load <4 x float> of a float pointer              *(__global float4 *)&x[i], or vload4
 *
 * LLVM's pointers have no pointee; ours have (pointee.c). Where an access disagrees with that type,
 * the pointer is cast; where it is less aligned than its type, it goes through vload and vstore on
 * bytes. Here is where each pointer of LLVM's leads; the steps on the way are in expr_place_step.c.
 */
#include "compiler/expr/expr_place.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/model/source_types.h"

#include "compiler/core/diagnose.h"
#include "compiler/expr/operators.h"

#include "compiler/model/address_space.h"
#include "compiler/model/inline_values.h"

static struct qn__place object(struct qn__unit *u, const struct qn__var *v,
                               const struct qn__type *type, enum qn__space space)
{
    return (struct qn__place){.node = qn__node_var(u, v), .type = type, .space = space};
}

/* An index: C's own conversion of int and uint in a subscript is LLVM's sign or zero extension. */
static struct qn__expr index_expr(struct qn__function *f, LLVMValueRef index)
{
    const struct qn__value *const v = qn__value_of(f, index);
    if (v && v->folded && (LLVMIsASExtInst(index) || LLVMIsAZExtInst(index))) {
        const LLVMValueRef inner = LLVMGetOperand(index, 0);
        if (LLVMGetIntTypeWidth(LLVMTypeOf(inner)) == 32) {
            const bool zero = LLVMIsAZExtInst(index) != NULL;
            const struct qn__expr e =
                qn__convert(f, qn__expr(f, inner), qn__type_int(f->u, 32, zero));
            if (e.bare.node && e.bare.exact) /* a size_t already */
                return qn__as(e.bare.node, e.bare.type);
            return e;
        }
    }
    if (LLVMIsAConstantInt(index))
        return qn__plain(f->u, (uint64_t)LLVMConstIntGetSExtValue(index),
                         qn__type_int(f->u, 32, false));
    return qn__expr(f, index);
}

static struct qn__place step_into(struct qn__function *f, struct qn__place p, LLVMTypeRef source,
                                  LLVMValueRef gep, unsigned first)
{
    LLVMTypeRef t = source;
    for (unsigned i = first; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            const uint64_t k = LLVMConstIntGetZExtValue(index);
            const uint64_t offset = LLVMOffsetOfElement(f->u->layout, t, (unsigned)k);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)k);
            if (p.type->kind == QN__VECTOR || p.type->kind == QN__STRUCT)
                p = qn__member(f, p, k);
            else
                p = qn__bytes_at(f, p,
                                 qn__node_plain_number(f->u, offset, qn__type_int(f->u, 32, false)),
                                 false);
            continue;
        }
        t = LLVMGetElementType(t);
        if (p.type->kind == QN__VECTOR) { /* components by number: through a pointer to them */
            p = qn__deref(f, qn__address_as(f, p, p.type->of));
            p = qn__subscript(f, p, index_expr(f, index));
            continue;
        }
        p = qn__subscript(f, p, index_expr(f, index));
    }
    return p;
}

/* &p[0] of a GEP's source type: through the place's own type where it agrees. */
static struct qn__place seen_as(struct qn__function *f, struct qn__place p, LLVMTypeRef source,
                                LLVMValueRef where)
{
    struct qn__place inner = p;
    uint64_t offset = 0;
    while (!qn__type_holds(inner.type, source, f->u)) {
        if (!qn__descend(f, &inner, &offset))
            return qn__place_cast(f, p, where, qn__type_of(f->u, source, NULL, where), false);
    }
    return inner;
}

static struct qn__place gep_place(struct qn__function *f, LLVMValueRef gep)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef pointer = LLVMGetOperand(gep, 0), first = LLVMGetOperand(gep, 1);
    const LLVMTypeRef source = LLVMGetGEPSourceElementType(gep);
    struct qn__place p = qn__place(f, pointer);
    const bool is_byte =
        LLVMGetTypeKind(source) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(source) == 8;
    if (LLVMIsAConstantInt(first)) {
        const int64_t n = LLVMConstIntGetSExtValue(first);
        if (n == 0)
            return step_into(f, seen_as(f, p, source, gep), source, gep, 2);
        if (is_byte && !qn__type_holds(p.type, source, u) &&
            !(p.type->kind == QN__ARRAY && qn__type_holds(p.type->of, source, u)))
            return qn__at_offset(f, p, n);
    }
    if (p.type->kind == QN__ARRAY && qn__type_holds(p.type->of, source, u)) {
        p = qn__subscript(f, p, index_expr(f, first)); /* an array whose first element was meant */
    } else if (is_byte && !qn__type_holds(p.type, source, u)) {
        p = qn__bytes_at(f, p, qn__expr(f, first).node, false);
    } else {
        struct qn__place as = p;
        uint64_t offset = 0;
        while (!qn__type_holds(as.type, source, u) && as.type->kind == QN__ARRAY &&
               !qn__type_holds(as.type->of, source, u) && qn__descend(f, &as, &offset))
            ;
        if (qn__type_holds(as.type, source, u))
            p = qn__advance(f, as, index_expr(f, first));
        else if (as.type->kind == QN__ARRAY)
            p = qn__subscript(f, as, index_expr(f, first));
        else
            p = qn__advance(f, qn__place_cast(f, p, gep, qn__type_of(u, source, NULL, gep), false),
                            index_expr(f, first));
    }
    return step_into(f, p, source, gep, 2);
}

/* A variable of the module: a hidden argument of the kernel. */
static struct qn__place module_place(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__hidden_var(f, g);
    const struct qn__type *const t = qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL);
    struct qn__place p;
    if (t->kind == QN__ARRAY) {
        p = object(u, v, t, QN__GLOBAL);
        p.is_const = v->type->is_const;
        return p;
    }
    return qn__deref(f, qn__var_expr(u, v));
}

/* Stands where a place was refused. */
static struct qn__place nowhere(struct qn__unit *u)
{
    const struct qn__type *const byte = qn__type_int(u, 8, true);
    return (struct qn__place){
        .node = qn__node_plain_number(u, 0, byte), .type = byte, .space = QN__GLOBAL};
}

static struct qn__place global_place(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    size_t n;
    enum { SHARED = 3 };
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED) {
        struct qn__var *const v = qn__shared_var(f, g);
        struct qn__place p =
            object(u, v, qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL), QN__LOCAL);
        if (v->type->kind == QN__POINTER && p.type->kind != QN__ARRAY)
            return qn__deref(f, qn__var_expr(u, v));
        return p;
    }
    if (qn__is_module_variable(g))
        return module_place(f, g);
    if (LLVMIsDeclaration(g)) {
        qn__refuse(u, NULL, "the variable %s is declared and not defined: define it in this source",
                   LLVMGetValueName2(g, &n));
    } else {
        struct qn__var *const v = qn__table_var(f, g);
        struct qn__place p =
            object(u, v, qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL), QN__CONSTANT);
        p.is_const = true;
        return p;
    }
    return nowhere(u);
}

struct qn__place qn__place(struct qn__function *f, LLVMValueRef pointer)
{
    while (LLVMIsAConstantExpr(pointer) && (LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast ||
                                            LLVMGetConstOpcode(pointer) == LLVMBitCast))
        pointer = LLVMGetOperand(pointer, 0);
    if (LLVMIsAGlobalVariable(pointer))
        return global_place(f, pointer);
    if (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)
        return gep_place(f, pointer);
    const struct qn__value *const v = qn__value_of(f, pointer);
    if (v && LLVMIsAAllocaInst(pointer)) {
        struct qn__var *const var = qn__memory_var(f, pointer);
        return object(f->u, var, var->type, QN__PRIVATE);
    }
    if (v && !v->block && qn__byval_type(f->u, f->llvm, v->index))
        return object(f->u, v->var, v->var->type, QN__PRIVATE);
    if (v && v->folded) {
        if (LLVMIsAGetElementPtrInst(pointer))
            return gep_place(f, pointer);
        if (LLVMIsABitCastInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
            LLVMGetInstructionOpcode(pointer) == LLVMFreeze)
            return qn__place(f, LLVMGetOperand(pointer, 0));
    }
    if (!v && !LLVMIsAConstantPointerNull(pointer) && !LLVMIsUndef(pointer)) {
        qn__refuse(f->u, NULL,
                   LLVMIsAConstantExpr(pointer)
                       ? "this address is a number, which does not say which address space it is "
                         "in: pass the memory to the kernel as a pointer"
                       : "this is not the address of a variable, which is all that OpenCL 1.2 can "
                         "take: pass the memory to the kernel as a pointer");
        return nowhere(f->u);
    }
    return qn__deref(f, qn__expr(f, pointer));
}

static struct qn__expr place_pointer(struct qn__function *f, struct qn__place p)
{
    if (p.base && p.type->kind != QN__ARRAY && !p.is_component &&
        !qn__node_is_number(p.index.node, 0))
        return qn__of(qn__node_binary(f->u, QN__OP_ADD,
                                      qn__type_pointer(f->u, p.type, p.space, p.is_const, false),
                                      p.base, p.index.node));
    return qn__place_address(f, p);
}

/* A number that stands for an address, and is not accessed: (__global uchar *)2 */
static bool is_number(LLVMValueRef pointer)
{
    return LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMIntToPtr &&
           LLVMIsAConstantInt(LLVMGetOperand(pointer, 0));
}

struct qn__expr qn__pointer_expr(struct qn__function *f, LLVMValueRef pointer)
{
    if (is_number(pointer)) {
        struct qn__unit *const u = f->u;
        const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0));
        const struct qn__type *const word = qn__type_int(u, 64, true);
        const struct qn__node *const number = qn__node_plain_number(u, n, word);
        struct qn__expr e =
            qn__cast(u, qn__of(number),
                     qn__type_pointer(u, qn__type_int(u, 8, true), QN__GLOBAL, false, false));
        e.bare = (struct qn__bare){number, word, true};
        return e;
    }
    return place_pointer(f, qn__place(f, pointer));
}

struct qn__expr qn__gep_expr(struct qn__function *f, LLVMValueRef gep)
{
    return place_pointer(f, gep_place(f, gep));
}
