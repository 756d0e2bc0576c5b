/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions whose address is taken get numbers, which stand in the place of the address wherever it
 * was kept: in variables, structs, arguments, tables. So do the classes with virtual functions, in
 * the place of the addresses of their tables.
 *
 *     s.f = twice;           s.f = 2;
 *     s.f(x)                 s.f == 2 ? twice(x) : thrice(x)
 *     shape *p; p->area()    p->vptr == 16 ? square::area(p) : circle::area(p)
 *
 * A call may go to any function of its type that has a number; a virtual one to what any class has
 * in that place of its table. A number is the same in all kernels of the module, so that an object
 * in global memory that one kernel made can be used by another.
 *
 * The number of a class is where its table would lie if all of them were one: what is read from a
 * table in other ways (a pointer to a virtual member function, the offset of a virtual base class)
 * is read from that one.
 *
 * Numbers are pointers made of constants. That is one more way than dispatch_calls.c has, for what
 * it cannot follow to the functions' names. */
#include "compiler/lower/function_numbers.h"

#include "compiler/lower/choose_call.h"
#include "compiler/model/address_space.h"

#include <string.h>

enum { ENTRY_BYTES = 8 };

/* A table of virtual functions, and where it lies in the one of all. */
struct table {
    LLVMValueRef llvm;
    uint64_t at;
};

/* An address in a table, which objects hold. */
struct point {
    struct table *table;
    uint64_t offset;
};

struct numbers {
    struct qn__unit *u;
    LLVMBuilderRef b;
    struct qn__choice *functions;
    uint32_t n_functions, functions_capacity;
    struct table *tables;
    uint32_t n_tables, tables_capacity;
    struct point *points;
    uint32_t n_points, points_capacity;
    uint64_t bytes; /* of all tables */
    LLVMValueRef all;
    struct qn__map seen; /* value -> the walk that came by it last */
    uintptr_t walks;
    LLVMValueRef *ahead; /* of the walk */
    uint32_t n_ahead, ahead_capacity;
};

static bool is_table(LLVMValueRef v)
{
    size_t n;
    return LLVMIsAGlobalVariable(v) && LLVMGetInitializer(v) &&
           (qn__starts_with(LLVMGetValueName2(v, &n), "_ZTV") ||
            qn__starts_with(LLVMGetValueName2(v, &n), "_ZTC"));
}

/* ---- functions ---- */

static bool is_callee_of(LLVMUseRef use)
{
    const LLVMValueRef user = LLVMGetUser(use), v = LLVMGetUsedValue(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != v)
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
        if (LLVMGetArgOperand(user, i) == v)
            return false;
    return true;
}

/* A list of what the module must keep: its members are no constants. */
static bool is_kept_list(LLVMValueRef user)
{
    const LLVMUseRef use = LLVMIsAConstantArray(user) ? LLVMGetFirstUse(user) : NULL;
    size_t n;
    return use && LLVMIsAGlobalVariable(LLVMGetUser(use)) &&
           qn__starts_with(LLVMGetValueName2(LLVMGetUser(use), &n), "llvm.");
}

static bool is_address_taken(struct qn__unit *u, LLVMValueRef f)
{
    bool taken = false;
    if (LLVMIsDeclaration(f) || qn__kernel_of(u, f))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        if (is_kept_list(LLVMGetUser(use)))
            return false;
        taken |= !is_callee_of(use);
    }
    return taken;
}

/* In place of the function's address, and not where it is called. */
static void replace_address(struct numbers *s, LLVMValueRef f, uint64_t number)
{
    const LLVMValueRef stand_in =
        LLVMAddFunction(s->u->module, "__qn_called", LLVMGlobalGetValueType(f));
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (is_callee_of(use))
            LLVMSetOperand(LLVMGetUser(use), (unsigned)LLVMGetNumOperands(LLVMGetUser(use)) - 1,
                           stand_in);
    }
    LLVMReplaceAllUsesWith(
        f, LLVMConstIntToPtr(LLVMConstInt(LLVMInt64TypeInContext(s->u->context), number, false),
                             LLVMTypeOf(f)));
    LLVMReplaceAllUsesWith(stand_in, f);
    LLVMDeleteFunction(stand_in);
}

static void number_functions(struct numbers *s)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(s->u->module); f; f = LLVMGetNextFunction(f))
        if (is_address_taken(s->u, f))
            QN__PUSH(s->u, s->functions, s->n_functions, s->functions_capacity,
                     ((struct qn__choice){2 * (uint64_t)(s->n_functions + 1), f}));
    for (uint32_t i = 0; i < s->n_functions; i++)
        replace_address(s, s->functions[i].function, s->functions[i].number);
}

/* ---- tables of virtual functions ---- */

static void find_tables(struct numbers *s)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(s->u->module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_table(g) || !LLVMGetFirstUse(g))
            continue;
        QN__PUSH(s->u, s->tables, s->n_tables, s->tables_capacity, ((struct table){g, s->bytes}));
        s->bytes += LLVMABISizeOfType(s->u->layout, LLVMGlobalGetValueType(g));
    }
}

/* The entry so many bytes into an initialiser. */
static LLVMValueRef entry_at(struct numbers *s, LLVMValueRef v, uint64_t offset)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind: {
        const unsigned i = LLVMElementAtOffset(s->u->layout, t, offset);
        return entry_at(s, LLVMGetAggregateElement(v, i),
                        offset - LLVMOffsetOfElement(s->u->layout, t, i));
    }
    case LLVMArrayTypeKind: {
        const uint64_t i = offset / ENTRY_BYTES;
        return i < LLVMGetArrayLength2(t) ? LLVMGetAggregateElement(v, (unsigned)i) : NULL;
    }
    default: return v;
    }
}

/* The number that an entry of a table has become: of a function, or a distance. */
static uint64_t number_in(LLVMValueRef entry)
{
    if (!LLVMIsAConstantExpr(entry) || LLVMGetConstOpcode(entry) != LLVMIntToPtr)
        return 0;
    const LLVMValueRef n = LLVMGetOperand(entry, 0);
    return LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
}

static const struct qn__choice *function_of(const struct numbers *s, uint64_t number)
{
    for (uint32_t i = 0; i < s->n_functions; i++)
        if (s->functions[i].number == number)
            return &s->functions[i];
    return NULL;
}

static LLVMValueRef virtual_at(struct numbers *s, const struct point *p, uint64_t offset)
{
    const LLVMValueRef initial = LLVMGetInitializer(p->table->llvm);
    const uint64_t at = p->offset + offset;
    if (at >= LLVMABISizeOfType(s->u->layout, LLVMTypeOf(initial)))
        return NULL;
    const LLVMValueRef entry = entry_at(s, initial, at);
    const struct qn__choice *const f = entry ? function_of(s, number_in(entry)) : NULL;
    return f ? f->function : NULL;
}

/* Constant addresses in a table, through casts and steps. */
static void number_points(struct numbers *s, struct table *t, LLVMValueRef v, uint64_t offset)
{
    bool is_kept = false; /* and not only where another address begins */
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        uint64_t at = offset, bytes;
        LLVMTypeRef step = NULL;
        if (!LLVMIsAConstantExpr(user)) {
            is_kept = true;
            continue;
        }
        const bool steps = LLVMGetConstOpcode(user) == LLVMGetElementPtr;
        for (unsigned i = 1; steps && i < (unsigned)LLVMGetNumOperands(user); i++) {
            const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(user, i));
            at += qn__gep_counts(s->u, user, i, &step, &bytes) ? n * bytes : bytes;
        }
        number_points(s, t, user, at);
    }
    if (!is_kept)
        return;
    bool known = false;
    for (uint32_t i = 0; i < s->n_points; i++)
        known |= s->points[i].table == t && s->points[i].offset == offset;
    if (!known)
        QN__PUSH(s->u, s->points, s->n_points, s->points_capacity, ((struct point){t, offset}));
    const LLVMValueRef number =
        LLVMConstInt(LLVMInt64TypeInContext(s->u->context), t->at + offset, false);
    LLVMReplaceAllUsesWith(v, LLVMConstIntToPtr(number, LLVMTypeOf(v)));
}

/* All tables as one, of numbers. */
static LLVMValueRef table_of_all(struct numbers *s)
{
    if (s->all)
        return s->all;
    const LLVMTypeRef word = LLVMInt64TypeInContext(s->u->context);
    const uint64_t n = s->bytes / ENTRY_BYTES;
    LLVMValueRef *const entries = QN__NEED_ARRAY(s->u, LLVMValueRef, n);
    for (uint32_t i = 0; i < s->n_tables; i++) {
        const LLVMValueRef initial = LLVMGetInitializer(s->tables[i].llvm);
        const uint64_t size = LLVMABISizeOfType(s->u->layout, LLVMTypeOf(initial));
        for (uint64_t at = 0; at < size; at += ENTRY_BYTES)
            entries[(s->tables[i].at + at) / ENTRY_BYTES] =
                LLVMConstInt(word, number_in(entry_at(s, initial, at)), false);
    }
    s->all =
        LLVMAddGlobalInAddressSpace(s->u->module, LLVMArrayType2(word, n), "virtual_tables", 4);
    LLVMSetInitializer(s->all, LLVMConstArray2(word, entries, n));
    LLVMSetGlobalConstant(s->all, true);
    LLVMSetLinkage(s->all, LLVMInternalLinkage);
    return s->all;
}

static void look_at(struct numbers *s, LLVMValueRef v)
{
    if (qn__map_get(&s->seen, v) == (void *)s->walks)
        return;
    qn__map_put(s->u, &s->seen, v, (void *)s->walks);
    QN__PUSH(s->u, s->ahead, s->n_ahead, s->ahead_capacity, v);
}

/* What an object holds as it is: clang calls these loads so; or a number, also with a distance. */
static bool is_plain_table_pointer(const struct numbers *s, LLVMValueRef v)
{
    if (LLVMIsALoadInst(v)) {
        size_t n;
        const char *const name = LLVMGetValueName2(v, &n);
        return (qn__starts_with(name, "vtable") || qn__starts_with(name, "memptr.vtable")) &&
               !strstr(name, ".q");
    }
    const uint64_t number = number_in(v);
    return number && number < s->bytes && number % ENTRY_BYTES == 0;
}

/* Is it what an object holds: the address of its class's table? Or one of several values that is.
 */
static bool is_table_pointer(struct numbers *s, LLVMValueRef pointer)
{
    if (!LLVMIsASelectInst(pointer) && !LLVMIsAPHINode(pointer))
        return is_plain_table_pointer(s, pointer);
    s->walks++;
    s->n_ahead = 0;
    look_at(s, pointer);
    while (s->n_ahead) {
        const LLVMValueRef v = s->ahead[--s->n_ahead];
        if (LLVMIsASelectInst(v)) {
            look_at(s, LLVMGetOperand(v, 1));
            look_at(s, LLVMGetOperand(v, 2));
        } else if (LLVMIsAPHINode(v)) {
            for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
                look_at(s, LLVMGetIncomingValue(v, i));
        } else if (is_plain_table_pointer(s, v)) {
            return true;
        }
    }
    return false;
}

/* The object's number that this load reads its class's table by; and where in the table. */
static LLVMValueRef table_pointer(struct numbers *s, LLVMValueRef load, uint64_t *offset,
                                  bool *known)
{
    LLVMValueRef p = LLVMGetOperand(load, 0);
    *offset = 0;
    *known = true;
    while (LLVMIsAGetElementPtrInst(p)) {
        LLVMTypeRef t = NULL;
        uint64_t bytes;
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
            const LLVMValueRef index = LLVMGetOperand(p, i);
            if (!qn__gep_counts(s->u, p, i, &t, &bytes))
                *offset += bytes;
            else if (LLVMIsAConstantInt(index))
                *offset += bytes * (uint64_t)LLVMConstIntGetSExtValue(index);
            else
                *known = false;
        }
        p = LLVMGetOperand(p, 0);
    }
    return is_table_pointer(s, p) ? p : NULL;
}

/* ---- calls ---- */

static LLVMValueRef number_before(struct numbers *s, LLVMValueRef in, LLVMValueRef pointer)
{
    LLVMPositionBuilderBefore(s->b, in);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
    return LLVMBuildPtrToInt(s->b, pointer, LLVMInt64TypeInContext(s->u->context), "");
}

static bool choose_virtual(struct numbers *s, LLVMValueRef call)
{
    const LLVMValueRef load = LLVMGetCalledValue(call);
    uint64_t offset;
    bool known;
    const LLVMValueRef p = LLVMIsALoadInst(load) ? table_pointer(s, load, &offset, &known) : NULL;
    if (!p || !known)
        return false;
    struct qn__choice *const all = QN__NEED_ARRAY(s->u, struct qn__choice, s->n_points + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_points; i++) {
        const LLVMValueRef f = virtual_at(s, &s->points[i], offset);
        if (f && LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call))
            all[n++] = (struct qn__choice){s->points[i].table->at + s->points[i].offset, f};
    }
    if (n == 0)
        return false;
    qn__choose_call(s->u, s->b, call, number_before(s, call, p), all, n);
    if (!LLVMGetFirstUse(load))
        LLVMInstructionEraseFromParent(load);
    return true;
}

static bool choose_any(struct numbers *s, LLVMValueRef call)
{
    struct qn__choice *const all = QN__NEED_ARRAY(s->u, struct qn__choice, s->n_functions + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_functions; i++)
        if (LLVMGlobalGetValueType(s->functions[i].function) == LLVMGetCalledFunctionType(call))
            all[n++] = s->functions[i];
    if (n == 0)
        return false;
    qn__choose_call(s->u, s->b, call, number_before(s, call, LLVMGetCalledValue(call)), all, n);
    return true;
}

/* What else is read from a table of virtual functions. */
static bool read_table(struct numbers *s, LLVMValueRef load)
{
    uint64_t offset;
    bool known;
    if (s->n_tables == 0 || !table_pointer(s, load, &offset, &known))
        return false;
    const LLVMTypeRef word = LLVMInt64TypeInContext(s->u->context);
    LLVMValueRef index[] = {LLVMConstNull(word), number_before(s, load, LLVMGetOperand(load, 0))};
    index[1] = LLVMBuildLShr(s->b, index[1], LLVMConstInt(word, 3, false), "");
    const LLVMValueRef table = table_of_all(s);
    const LLVMValueRef at = LLVMBuildInBoundsGEP2(
        s->b, LLVMGlobalGetValueType(table),
        LLVMConstAddrSpaceCast(table, LLVMPointerTypeInContext(s->u->context, 0)), index, 2, "");
    LLVMValueRef v = LLVMBuildLoad2(s->b, word, at, "");
    const LLVMTypeRef t = LLVMTypeOf(load);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) /* infer_spaces.c: global, as all numbers */
        v = LLVMBuildAddrSpaceCast(
            s->b, LLVMBuildIntToPtr(s->b, v, LLVMPointerTypeInContext(s->u->context, 1), ""), t,
            "");
    else
        v = LLVMBuildIntCast2(s->b, v, t, true, "");
    LLVMReplaceAllUsesWith(load, v);
    LLVMInstructionEraseFromParent(load);
    return true;
}

/* Constructors of virtual bases read their tables' numbers from a constant, by clang's name _ZTT.
 */
static bool fold_table_of_tables(struct numbers *s, LLVMValueRef load)
{
    LLVMValueRef p = LLVMGetOperand(load, 0);
    uint64_t offset = 0, bytes;
    size_t n;
    for (; LLVMIsAConstantExpr(p); p = LLVMGetOperand(p, 0)) {
        LLVMTypeRef t = NULL;
        const bool steps = LLVMGetConstOpcode(p) == LLVMGetElementPtr;
        for (unsigned i = 1; steps && i < (unsigned)LLVMGetNumOperands(p); i++) {
            const uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(p, i));
            offset += qn__gep_counts(s->u, p, i, &t, &bytes) ? count * bytes : bytes;
        }
    }
    if (!LLVMIsAGlobalVariable(p) || !LLVMGetInitializer(p) ||
        !qn__starts_with(LLVMGetValueName2(p, &n), "_ZTT"))
        return false;
    const LLVMValueRef entry = entry_at(s, LLVMGetInitializer(p), offset);
    if (!entry || LLVMTypeOf(entry) != LLVMTypeOf(load))
        return false;
    LLVMReplaceAllUsesWith(load, entry);
    LLVMInstructionEraseFromParent(load);
    return true;
}

static bool is_indirect(LLVMValueRef in)
{
    return LLVMIsACallInst(in) && !LLVMIsAInlineAsm(LLVMGetCalledValue(in)) &&
           !LLVMIsAFunction(LLVMGetCalledValue(in));
}

static bool each(struct numbers *s, bool (*does)(struct numbers *, LLVMValueRef),
                 bool (*fits)(LLVMValueRef))
{
    bool done = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(s->u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                done |= fits(in) && does(s, in);
            }
    return done;
}

static bool is_load(LLVMValueRef in)
{
    return LLVMIsALoadInst(in) != NULL;
}

bool qn__function_numbers(struct qn__unit *u)
{
    struct numbers s = {.u = u};
    find_tables(&s);
    number_functions(&s);
    for (uint32_t i = 0; i < s.n_tables; i++)
        number_points(&s, &s.tables[i], s.tables[i].llvm, 0);
    if (s.n_functions == 0 && s.n_tables == 0)
        return false;
    s.b = LLVMCreateBuilderInContext(u->context);
    each(&s, fold_table_of_tables, is_load);
    each(&s, choose_virtual, is_indirect);
    each(&s, read_table, is_load);
    each(&s, choose_any, is_indirect);
    LLVMDisposeBuilder(s.b);
    return true;
}
