/* SPDX-License-Identifier: Apache-2.0
 *
 * Places: pointers and the memory behind them, as a person would write it.
 *
 *     getelementptr float, ptr %x, i64 %i              x[i]
 *     getelementptr %struct.body, ptr %b, i32 0, i32 1    b->mass
 *     load <4 x float> of a float pointer              *(__global float4 *)&x[i], or vload4
 *
 * LLVM's pointers have no pointee; ours take theirs from the source type or from what is read and
 * written through them. Where an access disagrees with that type, the pointer is cast; where it is
 * less aligned than its type, it goes through vload and vstore on bytes.
 */
#include "compiler/operators.h"
#include "compiler/space.h"
#include "compiler/values.h"

#include "compiler/debug.h"

#include <stdlib.h>
#include <string.h>

static const struct qn__type *uchar_type(struct qn__unit *u)
{
    return qn__type_int(u, 8, true);
}

static struct qn__place deref(struct qn__function *f, struct qn__expr p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = p.type->kind == QN__POINTER ? p.type->of : uchar_type(u);
    return (struct qn__place){.text = qn__text(u, "*%s", qn__wrap(u, p, QN__PREC_UNARY)),
                              .prec = QN__PREC_UNARY,
                              .type = t,
                              .space = p.type->space,
                              .is_const = p.type->is_const,
                              .deref = qn__wrap(u, p, QN__PREC_POSTFIX),
                              .bare = p.bare};
}

static struct qn__place object(struct qn__unit *u, const struct qn__var *v,
                               const struct qn__type *type, enum qn__space space)
{
    const struct qn__expr e = qn__var_expr(u, v);
    return (struct qn__place){
        .text = e.text, .prec = QN__PREC_POSTFIX, .type = type, .space = space};
}

struct qn__expr qn__place_address(struct qn__function *f, struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_pointer(u, p.type, p.space, p.is_const, false);
    if (p.is_component) {
        if (p.component == 0)
            return p.whole;
        return qn__spell(qn__text(u, "%s + %llu", qn__wrap(u, p.whole, QN__PREC_ADD),
                                  (unsigned long long)p.component),
                         QN__PREC_ADD, p.whole.type);
    }
    if (p.deref) {
        struct qn__expr e = qn__spell(p.deref, QN__PREC_POSTFIX, t);
        e.bare = p.bare;
        return e;
    }
    if (p.type->kind == QN__ARRAY) /* an array's name is the address of its first element */
        return qn__spell(qn__wrap(u, qn__spell(p.text, p.prec, t), QN__PREC_POSTFIX),
                         QN__PREC_POSTFIX,
                         qn__type_pointer(u, p.type->of, p.space, p.is_const, false));
    if (p.base && qn__equal(p.index.text, "0"))
        return qn__spell(p.base, QN__PREC_POSTFIX, t);
    return qn__spell(
        qn__text(u, "&%s", qn__wrap(u, qn__spell(p.text, p.prec, t), QN__PREC_POSTFIX)),
        QN__PREC_UNARY, t);
}

/* The same address as a pointer to another type. */
static struct qn__expr address_as(struct qn__function *f, struct qn__place p,
                                  const struct qn__type *to, bool is_volatile)
{
    const struct qn__expr a = qn__place_address(f, p);
    return qn__cast(f->u, a, qn__type_pointer(f->u, to, p.space, p.is_const, is_volatile));
}

static struct qn__expr number_index(struct qn__function *f, uint64_t i)
{
    return qn__spell(qn__text(f->u, "%llu", (unsigned long long)i), QN__PREC_POSTFIX,
                     qn__type_int(f->u, 32, false));
}

/* (&x[i])[j] is x[i + j] where the sum is made in 64 bits. */
static bool add_index(struct qn__function *f, const struct qn__place *p, struct qn__expr *index)
{
    if (!p->base || p->is_component || (p->index.type->bits != 64 && index->type->bits != 64))
        return false;
    *index = qn__infix(f->u, p->index, "+", *index, QN__PREC_ADD, qn__type_int(f->u, 64, true));
    return true;
}

static struct qn__place subscript(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    const bool array = p.type->kind == QN__ARRAY;
    const char *base;
    if (array)
        base = qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX);
    else if (add_index(f, &p, &index))
        base = p.base;
    else if (p.base && !p.is_component && !qn__equal(p.index.text, "0"))
        base = qn__text(u, "(%s + %s)", p.base, qn__wrap(u, p.index, QN__PREC_ADD + 1));
    else
        base = qn__wrap(u, qn__place_address(f, p), QN__PREC_POSTFIX);
    return (struct qn__place){.text = qn__text(u, "%s[%s]", base, index.text),
                              .prec = QN__PREC_POSTFIX,
                              .type = array ? p.type->of : p.type,
                              .space = p.space,
                              .is_const = p.is_const,
                              .base = base,
                              .index = index};
}

/* The object `index` places further on, as pointer arithmetic counts: p[index] where the place is
 * *p. An array moves as a whole. */
static struct qn__place advance(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    if (p.type->kind != QN__ARRAY)
        return subscript(f, p, index);
    const char *const base =
        p.deref ? p.deref
                : qn__text(u, "(&%s)",
                           qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX));
    struct qn__place out = {.text = qn__text(u, "%s[%s]", base, index.text),
                            .prec = QN__PREC_POSTFIX,
                            .type = p.type,
                            .space = p.space,
                            .is_const = p.is_const,
                            .base = base,
                            .index = index};
    return out;
}

static struct qn__place field(struct qn__function *f, struct qn__place p, uint64_t i)
{
    struct qn__unit *const u = f->u;
    struct qn__place out = {.space = p.space, .is_const = p.is_const, .prec = QN__PREC_POSTFIX};
    const char *name;
    if (p.type->kind == QN__VECTOR) {
        static const char *const letters[] = {"x", "y", "z", "w"};
        name = p.type->count <= 4 ? letters[i] : qn__text(u, "s%c", "0123456789abcdef"[i]);
        out.type = p.type->of;
        out.is_component = true;
        out.component = i;
        out.whole = address_as(f, p, p.type->of, false);
    } else {
        name = p.type->record->fields[i].name;
        out.type = p.type->record->fields[i].type;
    }
    out.text =
        p.deref ? qn__text(u, "%s->%s", p.deref, name)
                : qn__text(u, "%s.%s",
                           qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX), name);
    return out;
}

static struct qn__place cast_place(struct qn__function *f, struct qn__place p,
                                   const struct qn__type *to, bool is_volatile)
{
    return deref(f, address_as(f, p, to, is_volatile));
}

/* One step towards byte `*offset` of an object; false when its type goes no further. */
static bool descend(struct qn__function *f, struct qn__place *p, uint64_t *offset)
{
    const struct qn__type *const t = p->type;
    uint64_t size;
    switch (t->kind) {
    case QN__ARRAY:
    case QN__VECTOR:
        size = qn__type_size(t->of);
        if (size == 0 || (t->count && *offset / size >= t->count))
            return false;
        if (t->kind == QN__VECTOR && *offset % size)
            return false;
        *p = t->kind == QN__VECTOR ? field(f, *p, *offset / size)
                                   : subscript(f, *p, number_index(f, *offset / size));
        *offset %= size;
        return true;
    case QN__STRUCT:
        for (uint32_t i = 0; i < t->record->n_fields; i++) {
            const struct qn__field *const m = &t->record->fields[i];
            if (*offset < m->offset || *offset >= m->offset + qn__type_size(m->type))
                continue;
            *offset -= m->offset;
            *p = field(f, *p, i);
            return true;
        }
        return false;
    default: return false;
    }
}

static struct qn__place bytes_at(struct qn__function *f, struct qn__place p, const char *offset,
                                 bool negative)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = address_as(f, p, uchar_type(u), false);
    return deref(f, qn__spell(qn__text(u, "%s %c %s", qn__wrap(u, a, QN__PREC_ADD),
                                       negative ? '-' : '+', offset),
                              QN__PREC_ADD, a.type));
}

/* A constant byte offset from a place. What is wanted there is not known yet, so the walk stops at
 * the outermost object that begins there. */
static struct qn__place at_offset(struct qn__function *f, struct qn__place p, int64_t signed_offset)
{
    struct qn__unit *const u = f->u;
    if (signed_offset == 0)
        return p;
    if (signed_offset < 0)
        return bytes_at(f, p, qn__text(u, "%llu", (unsigned long long)-signed_offset), true);
    uint64_t offset = (uint64_t)signed_offset;
    const struct qn__place start = p;
    const uint64_t size = qn__type_size(p.type);
    if (p.type->kind != QN__ARRAY && size && offset >= size && p.deref) {
        p = subscript(f, p, number_index(f, offset / size));
        offset %= size;
    }
    const bool scalar = p.type->kind == QN__INT || p.type->kind == QN__FLOAT;
    if (scalar && p.base && offset % size == 0) {
        if (strspn(p.index.text, "0123456789") == strlen(p.index.text)) {
            const unsigned long long index = strtoull(p.index.text, NULL, 10) + offset / size;
            const struct qn__expr base = qn__spell(
                p.base, QN__PREC_POSTFIX, qn__type_pointer(u, p.type, p.space, p.is_const, false));
            return subscript(f, deref(f, base), number_index(f, index));
        }
        return advance(f, p, number_index(f, offset / size));
    }
    while (offset != 0)
        if (!descend(f, &p, &offset))
            return bytes_at(f, start, qn__text(u, "%llu", (unsigned long long)signed_offset),
                            false);
    return p;
}

struct qn__place qn__place_as(struct qn__function *f, struct qn__place p, LLVMTypeRef t,
                              LLVMValueRef where, bool is_volatile)
{
    struct qn__unit *const u = f->u;
    struct qn__place inner = p;
    uint64_t offset = 0;
    while (!is_volatile || inner.space == QN__PRIVATE) {
        if (qn__type_holds(inner.type, t, u))
            return inner;
        if (qn__type_size(inner.type) < LLVMABISizeOfType(u->layout, t) ||
            !descend(f, &inner, &offset))
            break;
    }
    while (is_volatile && !qn__type_holds(inner.type, t, u) && descend(f, &inner, &offset))
        ;
    if (is_volatile && qn__type_holds(inner.type, t, u))
        return cast_place(f, inner, inner.type, true);
    return cast_place(f, p, qn__type_of(u, t, NULL, where), is_volatile);
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
            if (e.bare.text && e.bare.exact) /* a size_t already */
                return qn__spell(e.bare.text, e.bare.prec, e.bare.type);
            return e;
        }
    }
    if (LLVMIsAConstantInt(index))
        return qn__spell(qn__text(f->u, "%lld", LLVMConstIntGetSExtValue(index)),
                         LLVMConstIntGetSExtValue(index) < 0 ? QN__PREC_UNARY : QN__PREC_POSTFIX,
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
                p = field(f, p, k);
            else
                p = bytes_at(f, p, qn__text(f->u, "%llu", (unsigned long long)offset), false);
            continue;
        }
        t = LLVMGetElementType(t);
        if (p.type->kind == QN__VECTOR) { /* components by number: through a pointer to them */
            p = deref(f, address_as(f, p, p.type->of, false));
            p = subscript(f, p, index_expr(f, index));
            continue;
        }
        p = subscript(f, p, index_expr(f, index));
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
        if (!descend(f, &inner, &offset))
            return cast_place(f, p, qn__type_of(f->u, source, NULL, where), false);
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
            return at_offset(f, p, n);
    }
    if (p.type->kind == QN__ARRAY && qn__type_holds(p.type->of, source, u)) {
        p = subscript(f, p, index_expr(f, first)); /* an array whose first element was meant */
    } else if (is_byte && !qn__type_holds(p.type, source, u)) {
        p = bytes_at(f, p, qn__wrap(u, qn__expr(f, first), QN__PREC_MULTIPLY), false);
    } else {
        struct qn__place as = p;
        uint64_t offset = 0;
        while (!qn__type_holds(as.type, source, u) && as.type->kind == QN__ARRAY &&
               !qn__type_holds(as.type->of, source, u) && descend(f, &as, &offset))
            ;
        if (qn__type_holds(as.type, source, u))
            p = advance(f, as, index_expr(f, first));
        else if (as.type->kind == QN__ARRAY)
            p = subscript(f, as, index_expr(f, first));
        else
            p = advance(f, cast_place(f, p, qn__type_of(u, source, NULL, gep), false),
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
    return deref(f, qn__var_expr(u, v));
}

/* Stands where a place was refused. */
static struct qn__place nowhere(struct qn__unit *u)
{
    return (struct qn__place){
        .text = "0", .prec = QN__PREC_POSTFIX, .type = uchar_type(u), .space = QN__GLOBAL};
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
            return deref(f, qn__var_expr(u, v));
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
                         "take");
        return nowhere(f->u);
    }
    return deref(f, qn__expr(f, pointer));
}

static struct qn__expr place_pointer(struct qn__function *f, struct qn__place p)
{
    if (p.base && p.type->kind != QN__ARRAY && !p.is_component && !qn__equal(p.index.text, "0"))
        return qn__spell(
            qn__text(f->u, "%s + %s", p.base, qn__wrap(f->u, p.index, QN__PREC_ADD + 1)),
            QN__PREC_ADD, qn__type_pointer(f->u, p.type, p.space, p.is_const, false));
    return qn__place_address(f, p);
}

struct qn__expr qn__pointer_expr(struct qn__function *f, LLVMValueRef pointer)
{
    return place_pointer(f, qn__place(f, pointer));
}

struct qn__expr qn__gep_expr(struct qn__function *f, LLVMValueRef gep)
{
    return place_pointer(f, gep_place(f, gep));
}

/* What the accesses through a pointer say it points to; NULL when they say nothing. */
static LLVMTypeRef accessed_type(LLVMValueRef pointer)
{
    LLVMTypeRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        LLVMTypeRef t = NULL;
        if (LLVMIsALoadInst(user))
            t = LLVMTypeOf(user);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer)
            t = LLVMTypeOf(LLVMGetOperand(user, 0));
        else if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer)
            t = LLVMGetGEPSourceElementType(user);
        if (!t)
            continue;
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
            return t;
        const bool is_byte =
            LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 8;
        if (!found && (!is_byte || !LLVMIsAGetElementPtrInst(user)))
            found = t;
    }
    return found;
}

static const struct qn__type *argument_pointee(struct qn__function *f, const struct qn__value *v,
                                               bool *is_const)
{
    struct qn__unit *const u = f->u;
    bool is_pointer = false;
    const LLVMMetadataRef di = qn__di_parameter(u, f->llvm, v->index);
    const LLVMTypeRef buffered = qn__buffered_type(u, v->llvm);
    if (buffered) {
        *is_const = true;
        return qn__type_of(u, buffered, di, NULL);
    }
    const LLVMMetadataRef to = di ? qn__di_pointee(u, di, &is_pointer) : NULL;
    *is_const = to && qn__di_is_const(u, to);
    const char *const scalar = to ? qn__di_scalar_name(u, to) : NULL;
    const struct qn__type *const t = scalar ? qn__type_named_cpp(u, scalar) : NULL;
    if (t && t->kind != QN__VOID)
        return t;
    const LLVMTypeRef accessed = accessed_type(v->llvm);
    return accessed ? qn__type_of(u, accessed, to, v->llvm) : uchar_type(u);
}

const struct qn__type *qn__pointer_type(struct qn__function *f, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *pointee = NULL;
    bool is_const = false;
    if (!v->block) {
        pointee = argument_pointee(f, v, &is_const);
        return qn__type_pointer(u, pointee, v->space, is_const, false);
    }
    const LLVMTypeRef accessed = accessed_type(v->llvm);
    const LLVMValueRef root = qn__memory_root(v->llvm);
    const struct qn__value *const from = qn__value_of(f, root);
    if (from && !from->block && from->var && from->var->type->kind == QN__POINTER) {
        is_const = from->var->type->is_const;
        if (!accessed || qn__type_holds(from->var->type->of, accessed, u))
            pointee = from->var->type->of;
    }
    if (!pointee)
        pointee = accessed ? qn__type_of(u, accessed, NULL, v->llvm) : uchar_type(u);
    return qn__type_pointer(u, pointee, v->space, is_const, false);
}
