/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is accessed as several types: a float's bits as an int, a union, a buffer of bytes
 * that holds floats and then counts. CUDA's compilers order such accesses as they are written, and
 * a memcpy of four bytes arrives here as one of an int. OpenCL C has C's rule that an int access
 * never touches a float, by which drivers move them past each other. So there every pointer but
 * the object's own name points to a type that may alias any other:
 *
 *     float a[8];
 *     *(qn_alias_int *)&a[i]
 *
 * Pointers that lead back to one object, or meet in a phi or select, are one class. A class that is
 * accessed as two or more types is punned. Bytes and vectors may alias anything as it is.
 */
#include "compiler/punning.h"

#include "compiler/space.h"

struct class
{
    struct class *same; /* union-find; itself at the root */
    unsigned types;     /* accessed as, one bit each */
    unsigned fields;    /* the same, of fields of structs: under the struct's own name */
};

static struct class *find(struct class *c)
{
    while (c->same != c)
        c = c->same = c->same->same;
    return c;
}

/* Objects that are one class from the start have one key. */
static const void *key_of(struct qn__function *f, LLVMValueRef root)
{
    enum { SHARED = 3 };
    if (LLVMIsALoadInst(root) || LLVMIsAIntToPtrInst(root))
        return LLVMGetOperand(root, 0); /* found twice in one place of memory */
    if (LLVMIsAGlobalVariable(root) && LLVMIsDeclaration(root) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == SHARED)
        return &f->dynamic_shared; /* all names of dynamic shared memory */
    return root;
}

static struct class *class_of(struct qn__function *f, LLVMValueRef pointer)
{
    const void *const key = key_of(f, qn__memory_root(pointer));
    struct class *c = qn__map_get(&f->classes, key);
    if (!c) {
        c = QN__NEED(f->u, struct class);
        c->same = c;
        qn__map_put(f->u, &f->classes, key, c);
    }
    return find(c);
}

static void join(struct qn__function *f, LLVMValueRef a, LLVMValueRef b)
{
    struct class *const x = class_of(f, a), *const y = class_of(f, b);
    if (LLVMIsAConstantPointerNull(b) || LLVMIsUndef(b) || x == y)
        return;
    y->same = x;
    x->types |= y->types;
    x->fields |= y->fields;
}

enum { BYTE_IN_STRUCT = 1 << 19 };

/* The bit of a type; none for what may alias anything. */
static unsigned bit_of(LLVMTypeRef t)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 8))
        return 0;
    if (kind == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(t) <= 16   ? 1u << 16
               : LLVMGetIntTypeWidth(t) <= 32 ? 1u << 17
                                              : 1u << 18;
    return 1u << (kind & 15);
}

/* The type of the first scalar in a struct. */
static LLVMTypeRef first_field(LLVMTypeRef t)
{
    while ((LLVMGetTypeKind(t) == LLVMStructTypeKind && LLVMCountStructElementTypes(t)) ||
           LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        t = LLVMGetTypeKind(t) == LLVMArrayTypeKind ? LLVMGetElementType(t)
                                                    : LLVMStructGetTypeAtIndex(t, 0);
    return t;
}

/* Is this a field, as its struct has it? The first one has the struct's address. */
static bool is_field(LLVMValueRef pointer, LLVMTypeRef t)
{
    if (LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) > 2) {
        const LLVMTypeRef whole = LLVMGetGEPSourceElementType(pointer);
        return LLVMGetTypeKind(whole) == LLVMStructTypeKind &&
               first_field(qn__gep_type(pointer)) == t;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(user)) == LLVMStructTypeKind)
            return first_field(LLVMGetGEPSourceElementType(user)) == t;
    }
    return false;
}

static void note_access(struct qn__function *f, LLVMValueRef access, LLVMValueRef pointer,
                        LLVMTypeRef t)
{
    struct class *const c = class_of(f, pointer);
    /* less aligned than its type: through vectors of bytes (variables.c) */
    if (qn__space_of(f, pointer) == QN__PRIVATE ||
        LLVMGetAlignment(access) >= LLVMABIAlignmentOfType(f->u->layout, t))
        *(is_field(pointer, t) ? &c->fields : &c->types) |= bit_of(t);
}

/* The types of a type's scalars. A byte in a struct that is copied is one as well: what is stored
 * there as a wider number, with the padding behind it, is not what C takes along. */
static unsigned bits_within(LLVMTypeRef t, bool in_struct)
{
    unsigned bits = 0;
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind: return bits_within(LLVMGetElementType(t), in_struct);
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            bits |= bits_within(LLVMStructGetTypeAtIndex(t, i), true);
        return bits;
    default: bits = bit_of(t); return bits || !in_struct ? bits : BYTE_IN_STRUCT;
    }
}

/* A struct or an array that is copied or cleared as a whole is accessed as what it consists of. */
static void note_whole(struct qn__function *f, LLVMValueRef call)
{
    const char *const callee = qn__callee(call);
    const bool copies =
        qn__starts_with(callee, "llvm.memcpy") || qn__starts_with(callee, "llvm.memmove");
    if (!copies && !qn__starts_with(callee, "llvm.memset"))
        return;
    unsigned bits = 0;
    for (unsigned i = 0; i <= copies; i++) {
        const LLVMTypeRef t = qn__stated_type(f, LLVMGetOperand(call, i));
        bits |= t ? bits_within(t, false) : 0;
    }
    for (unsigned i = 0; i <= copies; i++)
        class_of(f, LLVMGetOperand(call, i))->fields |= bits;
}

void qn__punning_find(struct qn__function *f)
{
    for (uint32_t i = 0; i < f->n_values; i++) {
        const LLVMValueRef in = f->values[i].llvm;
        if (!f->values[i].block)
            continue;
        if (LLVMIsALoadInst(in))
            note_access(f, in, LLVMGetOperand(in, 0), LLVMTypeOf(in));
        if (LLVMIsAStoreInst(in))
            note_access(f, in, LLVMGetOperand(in, 1), LLVMTypeOf(LLVMGetOperand(in, 0)));
        if (LLVMIsACallInst(in))
            note_whole(f, in);
        if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMPointerTypeKind)
            continue;
        if (LLVMIsAPHINode(in))
            for (unsigned k = 0; k < LLVMCountIncoming(in); k++)
                join(f, in, LLVMGetIncomingValue(in, k));
        if (LLVMIsASelectInst(in))
            for (unsigned k = 1; k <= 2; k++)
                join(f, in, LLVMGetOperand(in, k));
    }
}

const struct qn__type *qn__punned(struct qn__function *f, LLVMValueRef pointer,
                                  const struct qn__type *t)
{
    const struct class *const c = class_of(f, pointer);
    const unsigned all = c->types | c->fields;
    const bool several = c->types && (all & (all - 1));
    const struct qn__type *const out = several ? qn__type_aliasing(f->u, t) : t;
    f->is_punned |= out != t;
    return out;
}
