/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is accessed as several types: a float's bits as an int, a union, a buffer of bytes
 * that holds floats and then counts, one buffer passed to a kernel as two parameters. CUDA's
 * compilers order such accesses as they are written, and a memcpy of four bytes arrives here as one
 * of an int. OpenCL C has C's rule that an int access never touches a float, and drivers reorder by
 * it. So there every pointer but the object's own name points to a type that may
 * alias any other:
 *
 *     float a[8];
 *     *(qn_alias_int *)&a[i]
 *
 * Pointers that lead back to one object, or meet in a phi or select, are one alias set, and so are
 * all that may come from outside: the kernel's parameters, but for restrict ones, and what is found
 * in memory. Where a set is accessed as two or more types, its pointers are marked. Bytes and
 * vectors may alias anything as it is, and so may one type that all others may alias: the most
 * frequent of a set without an object of its own.
 *
 *     k(float *out, const float *in, int *counts)  ->  k(..., __global qn_alias_int *counts)
 */
#include "compiler/model/alias_types.h"

#include "compiler/model/address_space.h"
#include "compiler/passes.h"

enum { TYPES = 20 };

struct alias_set {
    struct alias_set *same; /* union-find; itself at the root */
    unsigned types;         /* accessed as, one bit each */
    unsigned fields;        /* the same, of fields of structs: under the struct's own name */
    unsigned often[TYPES];  /* how many accesses of each type */
    bool is_written;
    bool has_object;    /* some of it has a name, with a type of its own */
    LLVMTypeRef record; /* the largest struct that its fields are of */
    bool has_records;   /* and one that is not part of it */
};

static struct alias_set *find(struct alias_set *c)
{
    while (c->same != c)
        c = c->same = c->same->same;
    return c;
}

static bool is_restrict(struct qn__function *f, LLVMValueRef argument)
{
    return LLVMGetEnumAttributeAtIndex(f->llvm, qn__value_of(f, argument)->index + 1,
                                       LLVMGetEnumAttributeKindForName("noalias", 7)) != NULL;
}

/* Stands for all memory of a space that pointers from elsewhere may lead to. */
static const void *anywhere(enum qn__space s)
{
    static const char of[QN__SPACE_MIXED + 1];
    return &of[s];
}

/* Objects that are one alias set from the start have one key. */
static const void *key_of(struct qn__function *f, LLVMValueRef root)
{
    enum { SHARED = 3 };
    if (LLVMIsAGlobalVariable(root) && LLVMIsDeclaration(root) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == SHARED)
        return &f->dynamic_shared; /* all names of dynamic shared memory */
    if (LLVMIsAArgument(root) ? !qn__byval_type(f->u, f->llvm, qn__value_of(f, root)->index) &&
                                    !qn__buffered_type(f->u, root) && !is_restrict(f, root)
                              : !LLVMIsAAllocaInst(root) && !LLVMIsAGlobalVariable(root) &&
                                    !LLVMIsAPHINode(root) && !LLVMIsASelectInst(root))
        return anywhere(qn__space_of(f, root));
    return root;
}

static struct alias_set *set_by(struct qn__function *f, const void *key)
{
    struct alias_set *c = qn__map_get(&f->alias_sets, key);
    if (!c) {
        c = QN__NEED(f->u, struct alias_set);
        c->same = c;
        qn__map_put(f->u, &f->alias_sets, key, c);
    }
    return find(c);
}

static struct alias_set *set_of(struct qn__function *f, LLVMValueRef pointer)
{
    const LLVMValueRef root = qn__memory_root(pointer);
    struct alias_set *const c = set_by(f, key_of(f, root));
    c->has_object |= LLVMIsAAllocaInst(root) || LLVMIsAGlobalVariable(root);
    return c;
}

/* Is `part` the type itself, or a type of something in it? */
static bool contains(LLVMTypeRef t, LLVMTypeRef part)
{
    if (t == part)
        return true;
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        return contains(LLVMGetElementType(t), part);
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (contains(LLVMStructGetTypeAtIndex(t, i), part))
                return true;
    return false;
}

static void add_record(struct alias_set *c, LLVMTypeRef record)
{
    if (!record || (c->record && contains(c->record, record)))
        return;
    c->has_records |= c->record && !contains(record, c->record);
    c->record = record;
}

static void join(struct alias_set *x, struct alias_set *y)
{
    x = find(x);
    y = find(y);
    if (x == y)
        return;
    y->same = x;
    x->types |= y->types;
    x->fields |= y->fields;
    x->is_written |= y->is_written;
    x->has_object |= y->has_object;
    x->has_records |= y->has_records;
    add_record(x, y->record);
    for (unsigned i = 0; i < TYPES; i++)
        x->often[i] += y->often[i];
}

static void join_pointers(struct qn__function *f, LLVMValueRef a, LLVMValueRef b)
{
    if (!LLVMIsAConstantPointerNull(b) && !LLVMIsUndef(b))
        join(set_of(f, a), set_of(f, b));
}

/* A pointer that is stored to memory, put into a struct or made a number: any pointer found there
 * may be the same. */
static void join_kept(struct qn__function *f, LLVMValueRef pointer)
{
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind)
        join(set_of(f, pointer), set_by(f, anywhere(qn__space_of(f, pointer))));
}

enum {
    BYTE_IN_STRUCT = 1u << 19,
    TWO_BYTES = 1u << 16,
    FOUR_BYTES = 1u << 17,
    EIGHT_BYTES = 1u << 18
};

/* The bit of a type; 0 for what may alias anything. */
static unsigned bit_of(LLVMTypeRef t)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 8))
        return 0;
    if (kind == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(t) <= 16   ? TWO_BYTES
               : LLVMGetIntTypeWidth(t) <= 32 ? FOUR_BYTES
                                              : EIGHT_BYTES;
    return kind == LLVMPointerTypeKind ? EIGHT_BYTES : 1u << (kind & 15);
}

/* The same for a C type: for all that it consists of. */
static unsigned bits_of(const struct qn__type *t)
{
    unsigned bits = 0;
    switch (t->kind) {
    case QN__ARRAY: return bits_of(t->of);
    case QN__INT:
        return t->bits == 8    ? 0
               : t->bits == 16 ? TWO_BYTES
               : t->bits == 32 ? FOUR_BYTES
                               : EIGHT_BYTES;
    case QN__FLOAT:
        return 1u << (t->bits == 16   ? LLVMHalfTypeKind
                      : t->bits == 32 ? LLVMFloatTypeKind
                                      : LLVMDoubleTypeKind);
    case QN__STRUCT:
        for (uint32_t i = 0; i < t->record->n_fields; i++)
            bits |= bits_of(t->record->fields[i].type);
        return bits;
    default: return 0;
    }
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

/* What a getelementptr begins with, when it is a struct or an array of structs; else NULL. */
static LLVMTypeRef record_behind(LLVMValueRef gep)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t) == LLVMStructTypeKind ? t : NULL;
}

/* The struct that this is a field of, or NULL. A first field has the struct's own address. */
static LLVMTypeRef record_of(LLVMValueRef pointer, LLVMTypeRef t)
{
    if (LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) > 2)
        return first_field(qn__gep_type(pointer)) == t ? record_behind(pointer) : NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer)
            continue;
        const LLVMTypeRef record = record_behind(user);
        if (record)
            return first_field(record) == t ? record : NULL;
    }
    return NULL;
}

static void note_access(struct qn__function *f, LLVMValueRef access, LLVMValueRef pointer,
                        LLVMTypeRef t)
{
    struct alias_set *const c = set_of(f, pointer);
    const LLVMTypeRef record = record_of(pointer, t);
    const unsigned bits = bit_of(t);
    c->is_written |= !LLVMIsALoadInst(access);
    /* less aligned than its type: through vectors of bytes (expr_memory.c) */
    if (qn__space_of(f, pointer) != QN__PRIVATE &&
        LLVMGetAlignment(access) < LLVMABIAlignmentOfType(f->u->layout, t))
        return;
    for (unsigned i = 0; i < TYPES; i++)
        c->often[i] += bits >> i & 1;
    *(record ? &c->fields : &c->types) |= bits;
    add_record(c, record);
}

/* The types of a type's scalars. A byte in a struct that is copied counts as one as well: C's copy
 * of it does not take along a wider number that was stored there and in the padding after it. */
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
    for (unsigned i = 0; i <= copies; i++) {
        struct alias_set *const c = set_of(f, LLVMGetOperand(call, i));
        add_record(c, qn__stated_type(f, LLVMGetOperand(call, i)));
        c->fields |= bits;
        c->is_written |= i == 0;
    }
}

static void note(struct qn__function *f, LLVMValueRef in)
{
    if (LLVMIsALoadInst(in))
        note_access(f, in, LLVMGetOperand(in, 0), LLVMTypeOf(in));
    if (LLVMIsAStoreInst(in)) {
        note_access(f, in, LLVMGetOperand(in, 1), LLVMTypeOf(LLVMGetOperand(in, 0)));
        join_kept(f, LLVMGetOperand(in, 0));
    }
    if (LLVMIsAPtrToIntInst(in))
        join_kept(f, LLVMGetOperand(in, 0));
    if (LLVMIsAInsertValueInst(in))
        join_kept(f, LLVMGetOperand(in, 1));
    if (LLVMIsACallInst(in))
        note_whole(f, in);
    if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMPointerTypeKind)
        return;
    if (LLVMIsAPHINode(in))
        for (unsigned k = 0; k < LLVMCountIncoming(in); k++)
            join_pointers(f, in, LLVMGetIncomingValue(in, k));
    if (LLVMIsASelectInst(in))
        for (unsigned k = 1; k <= 2; k++)
            join_pointers(f, in, LLVMGetOperand(in, k));
}

void qn__alias_types_find(struct qn__function *f)
{
    for (uint32_t i = 0; i < f->n_values; i++)
        if (f->values[i].block)
            note(f, f->values[i].llvm);
}

/* The type that may stay as it is while all others are marked. */
static unsigned most_frequent(const struct alias_set *c)
{
    unsigned most = 0;
    for (unsigned i = 1; i < TYPES; i++)
        if (c->often[i] > c->often[most])
            most = i;
    return 1u << most;
}

const struct qn__type *qn__type_with_aliases(struct qn__function *f, LLVMValueRef pointer,
                                             const struct qn__type *t)
{
    const struct alias_set *const c = set_of(f, pointer);
    const unsigned all = c->types | c->fields;
    if (!(all & (all - 1)) || (!c->types && !c->has_records))
        return t;
    if (!c->has_object && (!c->is_written || !(bits_of(t->of) & ~most_frequent(c))))
        return t;
    const struct qn__type *const out = qn__type_aliasing(f->u, t);
    f->has_alias_types |= out != t;
    return out;
}
