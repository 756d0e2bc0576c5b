/* SPDX-License-Identifier: Apache-2.0
 *
 * Intrinsics of LLVM's that clang makes of plain C++ and its __builtin_ functions, and that OpenCL
 * C has no function for, become what they compute:
 *
 *     a + b with its carry      a + b, a + b < a
 *     bswap, bitreverse         shifts and masks
 *     isinf and kin             tests of the bits
 *     a sum of a vector         x + y + z + w
 *     lrint, tan, frexp, ...    the function that a program would call
 *
 * Those that have a function of OpenCL C are rows of model/builtins.c; what is in neither is
 * refused where calls are printed (expr_call.c). */
#include "base/str.h"
#include "compiler/core/attributes.h"
#include "compiler/passes.h"

#include <string.h>

struct made {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef call, args[3];
    LLVMTypeRef type; /* of the first argument */
    const char *rest; /* of the name, behind what the row says */
    unsigned bits;    /* of an element of that */
};

static LLVMTypeRef element_of(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

static unsigned bits_of(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t);
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    default: return 0;
    }
}

/* A number in all elements of an integer type. */
static LLVMValueRef number(struct made *m, LLVMTypeRef t, uint64_t n)
{
    const LLVMValueRef one = LLVMConstInt(element_of(t), n, false);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return one;
    const unsigned size = LLVMGetVectorSize(t);
    LLVMValueRef *const all = QN__NEED_ARRAY(m->u, LLVMValueRef, size);
    for (unsigned i = 0; i < size; i++)
        all[i] = one;
    return LLVMConstVector(all, size);
}

static LLVMValueRef call_named(struct made *m, const char *name, LLVMTypeRef result,
                               LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    const LLVMTypeRef t = LLVMFunctionType(result, types, n, false);
    return LLVMBuildCall2(m->b, t, qn__pure_function(m->u, name, t), args, n, "");
}

/* ---- integers ---- */

static LLVMValueRef swapped(struct made *m, LLVMValueRef x, unsigned by, uint64_t mask)
{
    const LLVMTypeRef t = LLVMTypeOf(x);
    const LLVMValueRef low = number(m, t, mask), n = number(m, t, by);
    return LLVMBuildOr(m->b, LLVMBuildShl(m->b, LLVMBuildAnd(m->b, x, low, ""), n, ""),
                       LLVMBuildAnd(m->b, LLVMBuildLShr(m->b, x, n, ""), low, ""), "");
}

/* Neighbours of so many bits change places, from half of the number down to `least`. */
static LLVMValueRef reversed(struct made *m, unsigned least)
{
    LLVMValueRef x = m->args[0];
    if (m->bits < 8 || m->bits > 64 || (m->bits & (m->bits - 1)))
        return NULL;
    for (unsigned by = m->bits / 2; by >= least; by /= 2) {
        uint64_t mask = 0;
        for (unsigned bit = 0; bit < m->bits; bit++)
            mask |= (uint64_t)(bit / by % 2 == 0) << bit;
        x = swapped(m, x, by, mask);
    }
    return x;
}

static LLVMValueRef bswap(struct made *m)
{
    return reversed(m, 8);
}

static LLVMValueRef bitreverse(struct made *m)
{
    const bool has_row = LLVMGetTypeKind(m->type) == LLVMIntegerTypeKind && m->bits == 32;
    return has_row ? NULL : reversed(m, 1);
}

static LLVMValueRef is_negative(struct made *m, LLVMValueRef x)
{
    return LLVMBuildICmp(m->b, LLVMIntSLT, x, LLVMConstNull(LLVMTypeOf(x)), "");
}

/* The high half of a product. */
static LLVMValueRef high_half(struct made *m, bool is_signed)
{
    const LLVMTypeRef wide = LLVMInt64TypeInContext(m->u->context);
    if (m->bits == 64)
        return call_named(m, is_signed ? "__mul64hi" : "__umul64hi", m->type, m->args, 2);
    if (m->bits > 32)
        return NULL;
    LLVMValueRef w[2];
    for (int i = 0; i < 2; i++)
        w[i] = is_signed ? LLVMBuildSExt(m->b, m->args[i], wide, "")
                         : LLVMBuildZExt(m->b, m->args[i], wide, "");
    const LLVMValueRef product = LLVMBuildMul(m->b, w[0], w[1], "");
    return LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, product, number(m, wide, m->bits), ""), m->type,
                          "");
}

/* {result, did it overflow?}, whose parts are taken by extractvalue. */
static LLVMValueRef with_overflow(struct made *m)
{
    const LLVMValueRef a = m->args[0], b = m->args[1];
    const bool is_signed = m->rest[0] == 's', adds = qn__starts_with(m->rest + 1, "add");
    LLVMValueRef value, over;
    if (m->bits > 64 || LLVMGetTypeKind(m->type) != LLVMIntegerTypeKind)
        return NULL;
    if (qn__starts_with(m->rest + 1, "mul")) {
        value = LLVMBuildMul(m->b, a, b, "");
        const LLVMValueRef high = high_half(m, is_signed);
        if (!high)
            return NULL;
        const LLVMValueRef sign =
            is_signed ? LLVMBuildAShr(m->b, value, number(m, m->type, m->bits - 1), "")
                      : LLVMConstNull(m->type);
        over = LLVMBuildICmp(m->b, LLVMIntNE, high, sign, "");
    } else {
        value = adds ? LLVMBuildAdd(m->b, a, b, "") : LLVMBuildSub(m->b, a, b, "");
        const LLVMValueRef differs = LLVMBuildXor(m->b, a, adds ? value : b, "");
        over = is_signed
                   ? is_negative(m, LLVMBuildAnd(m->b, differs,
                                                 LLVMBuildXor(m->b, adds ? b : a, value, ""), ""))
               : adds ? LLVMBuildICmp(m->b, LLVMIntULT, value, a, "")
                      : LLVMBuildICmp(m->b, LLVMIntULT, a, b, "");
    }
    for (LLVMUseRef use = LLVMGetFirstUse(m->call), next; use; use = next) {
        next = LLVMGetNextUse(use);
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAExtractValueInst(user))
            continue;
        LLVMReplaceAllUsesWith(user, LLVMGetIndices(user)[0] == 0 ? value : over);
        LLVMInstructionEraseFromParent(user);
    }
    const LLVMValueRef both = LLVMGetPoison(LLVMTypeOf(m->call));
    return LLVMGetFirstUse(m->call)
               ? LLVMBuildInsertValue(m->b, LLVMBuildInsertValue(m->b, both, value, 0, ""), over, 1,
                                      "")
               : value;
}

static LLVMValueRef compared(struct made *m)
{
    const bool is_signed = m->rest[0] == 's';
    const LLVMTypeRef t = LLVMTypeOf(m->call);
    const LLVMValueRef more = LLVMBuildICmp(m->b, is_signed ? LLVMIntSGT : LLVMIntUGT, m->args[0],
                                            m->args[1], ""),
                       less = LLVMBuildICmp(m->b, is_signed ? LLVMIntSLT : LLVMIntULT, m->args[0],
                                            m->args[1], "");
    return LLVMBuildSub(m->b, LLVMBuildZExt(m->b, more, t, ""), LLVMBuildZExt(m->b, less, t, ""),
                        "");
}

/* ---- floats ---- */

static LLVMTypeRef integers_for(struct made *m)
{
    const LLVMTypeRef t = LLVMIntTypeInContext(m->u->context, m->bits);
    return LLVMGetTypeKind(m->type) == LLVMVectorTypeKind
               ? LLVMVectorType(t, LLVMGetVectorSize(m->type))
               : t;
}

static LLVMValueRef joined(struct made *m, LLVMValueRef a, LLVMValueRef b)
{
    return a ? LLVMBuildOr(m->b, a, b, "") : b;
}

/* The bits of LLVM's mask, from signalling NaN on. */
static LLVMValueRef is_class(struct made *m)
{
    enum { NAN_SIGNALLING = 1, NAN_QUIET = 2 };
    const unsigned fraction = m->bits == 64 ? 52 : m->bits == 32 ? 23 : 10;
    const unsigned mask = (unsigned)LLVMConstIntGetZExtValue(m->args[1]);
    if (element_of(m->type) == LLVMBFloatTypeInContext(m->u->context))
        return NULL;
    const LLVMTypeRef t = integers_for(m);
    const uint64_t sign = (uint64_t)1 << (m->bits - 1), infinity = sign - ((uint64_t)1 << fraction),
                   quiet = (uint64_t)1 << (fraction - 1), least = (uint64_t)1 << fraction;
    /* of the magnitude: begin <= it < end; by class, both signs */
    const struct {
        unsigned negative, positive;
        uint64_t begin, end;
    } classes[] = {{0x4, 0x200, infinity, infinity + 1},
                   {0x8, 0x100, least, infinity},
                   {0x10, 0x80, 1, least},
                   {0x20, 0x40, 0, 1},
                   {NAN_SIGNALLING, NAN_SIGNALLING, infinity + 1, infinity + quiet},
                   {NAN_QUIET, NAN_QUIET, infinity + quiet, sign}};
    const LLVMValueRef bits = LLVMBuildBitCast(m->b, m->args[0], t, ""),
                       magnitude = LLVMBuildAnd(m->b, bits, number(m, t, sign - 1), "");
    LLVMValueRef any = NULL;
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        const bool negative = mask & classes[i].negative, positive = mask & classes[i].positive;
        if (!negative && !positive)
            continue;
        LLVMValueRef is = LLVMBuildICmp(
            m->b, LLVMIntULT, LLVMBuildSub(m->b, magnitude, number(m, t, classes[i].begin), ""),
            number(m, t, classes[i].end - classes[i].begin), "");
        if (negative != positive)
            is = LLVMBuildAnd(
                m->b, is,
                LLVMBuildICmp(m->b, negative ? LLVMIntSLT : LLVMIntSGE, bits, LLVMConstNull(t), ""),
                "");
        any = joined(m, any, is);
    }
    return any ? any : LLVMConstNull(LLVMTypeOf(m->call));
}

static LLVMValueRef fraction_and_exponent(struct made *m)
{
    const LLVMTypeRef word = LLVMInt32TypeInContext(m->u->context);
    if (LLVMGetTypeKind(m->type) == LLVMVectorTypeKind || m->bits < 32)
        return NULL;
    const bool is_double = m->bits == 64;
    const LLVMValueRef fraction =
        call_named(m, is_double ? "__qn_frexp_f64" : "__qn_frexp_f32", m->type, m->args, 1);
    const LLVMValueRef exponent = call_named(
        m, is_double ? "__qn_frexp_exponent_f64" : "__qn_frexp_exponent_f32", word, m->args, 1);
    return LLVMBuildInsertValue(
        m->b, LLVMBuildInsertValue(m->b, LLVMGetPoison(LLVMTypeOf(m->call)), fraction, 0, ""),
        exponent, 1, "");
}

/* The function of the same name: tan -> tanf. */
static LLVMValueRef named(struct made *m)
{
    const LLVMTypeRef result = LLVMTypeOf(m->call);
    const int length = (int)strcspn(m->rest, ".");
    if (LLVMGetTypeKind(m->type) == LLVMVectorTypeKind || m->bits < 32)
        return NULL;
    return call_named(m, qn__text(m->u, "%.*s%s", length, m->rest, m->bits == 32 ? "f" : ""),
                      result, m->args, 1);
}

/* lrint and lround are of 64 bits, as llrint. */
static LLVMValueRef rounded(struct made *m)
{
    const int length = (int)strcspn(m->rest, ".");
    const char *const l = m->rest[1] == 'l' ? "" : "l";
    if (m->bits < 32)
        return NULL;
    const LLVMValueRef v =
        call_named(m, qn__text(m->u, "%s%.*s%s", l, length, m->rest, m->bits == 32 ? "f" : ""),
                   LLVMInt64TypeInContext(m->u->context), m->args, 1);
    return LLVMBuildIntCast2(m->b, v, LLVMTypeOf(m->call), true, "");
}

/* ---- vectors ---- */

static LLVMValueRef intrinsic(struct made *m, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    const LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->u->module, id, &t, 1);
    return LLVMBuildCall2(m->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

static LLVMValueRef reduce_two(struct made *m, LLVMValueRef a, LLVMValueRef b)
{
    static const struct {
        const char *prefix;
        LLVMOpcode op;
        const char *intrinsic;
    } all[] = {{"add.", LLVMAdd, NULL},          {"mul.", LLVMMul, NULL},
               {"and.", LLVMAnd, NULL},          {"or.", LLVMOr, NULL},
               {"xor.", LLVMXor, NULL},          {"fadd.", LLVMFAdd, NULL},
               {"fmul.", LLVMFMul, NULL},        {"smin.", LLVMAdd, "llvm.smin"},
               {"smax.", LLVMAdd, "llvm.smax"},  {"umin.", LLVMAdd, "llvm.umin"},
               {"umax.", LLVMAdd, "llvm.umax"},  {"fmin.", LLVMAdd, "llvm.minnum"},
               {"fmax.", LLVMAdd, "llvm.maxnum"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(m->rest, all[i].prefix))
            return all[i].intrinsic ? intrinsic(m, all[i].intrinsic, a, b)
                                    : LLVMBuildBinOp(m->b, all[i].op, a, b, "");
    return NULL;
}

static LLVMValueRef reduce(struct made *m)
{
    const bool has_start = qn__starts_with(m->rest, "fadd.") || qn__starts_with(m->rest, "fmul.");
    const LLVMValueRef vector = m->args[has_start];
    LLVMValueRef v = has_start ? m->args[0] : NULL;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
        const LLVMValueRef e = LLVMBuildExtractElement(
            m->b, vector, LLVMConstInt(LLVMInt32TypeInContext(m->u->context), i, false), "");
        v = v ? reduce_two(m, v, e) : e;
        if (!v)
            return NULL;
    }
    return v;
}

/* ---- pointers, and what only a compiler asks ---- */

/* The address with some of its bits cleared, as a step from it. */
static LLVMValueRef masked(struct made *m)
{
    const LLVMTypeRef word = LLVMInt64TypeInContext(m->u->context);
    const LLVMValueRef at = LLVMBuildPtrToInt(m->b, m->args[0], word, "");
    LLVMValueRef step = LLVMBuildNeg(
        m->b,
        LLVMBuildAnd(m->b, at, LLVMBuildNot(m->b, LLVMBuildZExt(m->b, m->args[1], word, ""), ""),
                     ""),
        "");
    return LLVMBuildGEP2(m->b, LLVMInt8TypeInContext(m->u->context), m->args[0], &step, 1, "");
}

static LLVMValueRef first_argument(struct made *m)
{
    return m->args[0];
}

static LLVMValueRef object_size(struct made *m)
{
    const bool least = LLVMConstIntGetZExtValue(m->args[1]) != 0;
    return LLVMConstInt(LLVMTypeOf(m->call), least ? 0 : UINT64_MAX, false); /* not known */
}

static LLVMValueRef is_constant(struct made *m)
{
    return LLVMConstInt(LLVMTypeOf(m->call), LLVMIsAConstant(m->args[0]) != NULL, false);
}

/* To the nearest, ties to even: C's FLT_ROUNDS. */
static LLVMValueRef one(struct made *m)
{
    return LLVMConstInt(LLVMTypeOf(m->call), 1, false);
}

static const struct {
    const char *prefix;
    unsigned kept; /* letters of it that `rest` begins with, from the end */
    LLVMValueRef (*make)(struct made *m);
} all[] = {
    {"llvm.bswap.", 0, bswap},
    {"llvm.bitreverse.", 0, bitreverse},
    {"llvm.sadd.with.overflow.", 19, with_overflow},
    {"llvm.uadd.with.overflow.", 19, with_overflow},
    {"llvm.ssub.with.overflow.", 19, with_overflow},
    {"llvm.usub.with.overflow.", 19, with_overflow},
    {"llvm.smul.with.overflow.", 19, with_overflow},
    {"llvm.umul.with.overflow.", 19, with_overflow},
    {"llvm.scmp.", 5, compared},
    {"llvm.ucmp.", 5, compared},
    {"llvm.is.fpclass.", 0, is_class},
    {"llvm.frexp.", 0, fraction_and_exponent},
    {"llvm.lrint.", 6, rounded},
    {"llvm.llrint.", 7, rounded},
    {"llvm.lround.", 7, rounded},
    {"llvm.llround.", 8, rounded},
    {"llvm.exp10.", 6, named},
    {"llvm.tan.", 4, named},
    {"llvm.asin.", 5, named},
    {"llvm.acos.", 5, named},
    {"llvm.atan.", 5, named},
    {"llvm.sinh.", 5, named},
    {"llvm.cosh.", 5, named},
    {"llvm.tanh.", 5, named},
    {"llvm.vector.reduce.", 0, reduce},
    {"llvm.ptrmask.", 0, masked},
    {"llvm.launder.invariant.group.", 0, first_argument},
    {"llvm.strip.invariant.group.", 0, first_argument},
    {"llvm.arithmetic.fence.", 0, first_argument},
    {"llvm.objectsize.", 0, object_size},
    {"llvm.is.constant.", 0, is_constant},
    {"llvm.get.rounding", 0, one},
};

static LLVMValueRef made_of(struct made *m, const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(name, all[i].prefix)) {
            m->rest = name + strlen(all[i].prefix) - all[i].kept;
            return all[i].make(m);
        }
    return NULL;
}

static void lower(struct made *m, const char *name)
{
    const unsigned n = LLVMGetNumArgOperands(m->call);
    if (n > sizeof m->args / sizeof *m->args && !qn__starts_with(name, "llvm.objectsize."))
        return;
    for (unsigned i = 0; i < n && i < sizeof m->args / sizeof *m->args; i++)
        m->args[i] = LLVMGetArgOperand(m->call, i);
    m->type = n ? LLVMTypeOf(m->args[0]) : NULL;
    m->bits = n ? bits_of(element_of(m->type)) : 0;
    LLVMPositionBuilderBefore(m->b, m->call);
    LLVMSetCurrentDebugLocation2(m->b, LLVMInstructionGetDebugLoc(m->call));
    const LLVMValueRef v = made_of(m, name);
    if (!v)
        return;
    if (LLVMGetFirstUse(m->call)) {
        size_t length;
        const char *const old = qn__text(m->u, "%s", LLVMGetValueName2(m->call, &length));
        LLVMReplaceAllUsesWith(m->call, v);
        if (LLVMIsAInstruction(v) && strstr(old, ".q"))
            LLVMSetValueName2(v, old, length);
    }
    LLVMInstructionEraseFromParent(m->call);
}

qn_status qn__plain_intrinsics(struct qn__unit *u)
{
    struct made m = {.u = u, .b = LLVMCreateBuilderInContext(u->context)};
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module), next_f; f; f = next_f) {
        next_f = LLVMGetNextFunction(f);
        size_t n;
        const char *const name = LLVMGetValueName2(f, &n);
        if (!qn__starts_with(name, "llvm.") || !LLVMIsDeclaration(f))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
            next = LLVMGetNextUse(use);
            m.call = LLVMGetUser(use);
            if (LLVMIsACallInst(m.call) && LLVMGetCalledValue(m.call) == f)
                lower(&m, name);
        }
    }
    LLVMDisposeBuilder(m.b);
    return QN_OK;
}
