/* SPDX-License-Identifier: Apache-2.0
 *
 * Casts of floats to integers: C++ and OpenCL C leave a float outside the integer's range
 * undefined. CUDA's compiler makes each the hardware's conversion, which gives the nearest integer
 * (for NaN: see builtins.def); for 8 or 16 bits it converts to 32 bits and truncates.
 *
 *     (int)x        x is known to be in range  ->  (int)x
 *                   not known                  ->  __float2int_rz(x)
 *     (uchar)x      not known                  ->  (uchar)__float2uint_rz(x)
 *
 * LLVM's own instruction would be folded into nothing at all where its operand is a constant out of
 * range, so clang is asked for saturating calls instead (frontend.c), and these become calls of our
 * builtins before any pass sees them. What is known about an operand is looked up when everything
 * is inlined (float_range.c). */
#include "compiler/core/attributes.h"
#include "compiler/lower/float_range.h"
#include "compiler/passes.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    bool from_double, is_unsigned;
    unsigned bits;
} conversions[] = {
    {"__float2int_rz", false, false, 32}, {"__float2uint_rz", false, true, 32},
    {"__float2ll_rz", false, false, 64},  {"__float2ull_rz", false, true, 64},
    {"__double2int_rz", true, false, 32}, {"__double2uint_rz", true, true, 32},
    {"__double2ll_rz", true, false, 64},  {"__double2ull_rz", true, true, 64},
};
enum { N_CONVERSIONS = sizeof conversions / sizeof *conversions };

static void replace(LLVMValueRef in, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(in, by);
    LLVMInstructionEraseFromParent(in);
}

static void place_before(LLVMBuilderRef b, LLVMValueRef in)
{
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
}

static LLVMValueRef plain(LLVMBuilderRef b, LLVMValueRef x, LLVMTypeRef to, bool is_unsigned)
{
    return is_unsigned ? LLVMBuildFPToUI(b, x, to, "") : LLVMBuildFPToSI(b, x, to, "");
}

/* llvm.fptoui.sat.i8.f32(x)  ->  trunc __float2uint_rz(x) */
static void name_cast(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call, bool is_unsigned)
{
    LLVMValueRef x = LLVMGetOperand(call, 0);
    const LLVMTypeRef to = LLVMTypeOf(call);
    LLVMTypeRef from = LLVMTypeOf(x);
    const LLVMTypeKind kind = LLVMGetTypeKind(from);
    place_before(b, call);
    for (unsigned i = 0; i < N_CONVERSIONS; i++) {
        if (LLVMGetTypeKind(to) != LLVMIntegerTypeKind ||
            conversions[i].bits < LLVMGetIntTypeWidth(to) ||
            conversions[i].is_unsigned != is_unsigned ||
            kind != (conversions[i].from_double ? LLVMDoubleTypeKind : LLVMFloatTypeKind))
            continue;
        const LLVMTypeRef whole = LLVMIntTypeInContext(u->context, conversions[i].bits);
        const LLVMTypeRef type = LLVMFunctionType(whole, &from, 1, false);
        const LLVMValueRef f = qn__pure_function(u, conversions[i].name, type);
        if (LLVMGlobalGetValueType(f) != type)
            break; /* the source's own function of that name */
        replace(call, LLVMBuildTrunc(b, LLVMBuildCall2(b, type, f, &x, 1, ""), to, ""));
        return;
    }
    if (LLVMGetTypeKind(to) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(to) == 128 &&
        (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)) { /* wide_integers.c */
        const LLVMTypeRef type = LLVMFunctionType(to, &from, 1, false);
        const char *const name =
            qn__text(u, "__qn_ir_f%s_to_%c128.i128", kind == LLVMFloatTypeKind ? "32" : "64",
                     is_unsigned ? 'u' : 'i');
        replace(call, LLVMBuildCall2(b, type, qn__pure_function(u, name, type), &x, 1, ""));
        return;
    }
    replace(call, plain(b, x, to, is_unsigned)); /* of another width: refused when printed */
}

qn_status qn__name_casts(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module), next; f; f = next) {
        size_t n;
        const char *const name = LLVMGetValueName2(f, &n);
        const bool is_unsigned = qn__starts_with(name, "llvm.fptoui.sat.");
        next = LLVMGetNextFunction(f);
        if (!is_unsigned && !qn__starts_with(name, "llvm.fptosi.sat."))
            continue;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f)) != NULL;)
            name_cast(u, b, LLVMGetUser(use), is_unsigned);
        LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}

/* ---- after inlining ---- */

/* What hardware makes of a constant. */
static LLVMValueRef folded(LLVMTypeRef to, double x, unsigned i)
{
    const unsigned bits = conversions[i].bits;
    const uint64_t top = (uint64_t)1 << (bits - 1);
    const double limit = ldexp(1, (int)bits - !conversions[i].is_unsigned);
    uint64_t v;
    if (isnan(x))
        v = conversions[i].from_double || bits == 64 ? top : 0;
    else if (x >= limit)
        v = conversions[i].is_unsigned ? UINT64_MAX : top - 1;
    else if (conversions[i].is_unsigned)
        v = x <= 0 ? 0 : (uint64_t)x;
    else
        v = x < -limit ? top : (uint64_t)(int64_t)x;
    return LLVMConstInt(to, v, false);
}

/* Does a value of the range, cut to an integer, fit? */
static bool fits(struct qn__range r, unsigned bits, bool is_unsigned)
{
    const double limit = ldexp(1, (int)bits - !is_unsigned);
    return !r.nan && r.high < limit && (is_unsigned ? r.low > -1 : r.low >= -limit);
}

/* A constant, or __int_as_float() of one: a driver's compiler would see that, and may fold its
 * cast into anything. */
static bool is_constant(double *out, LLVMValueRef x)
{
    LLVMBool loses;
    size_t n;
    if (LLVMIsAConstantFP(x)) {
        *out = LLVMConstRealGetDouble(x, &loses);
        return true;
    }
    if (LLVMIsAFPExtInst(x))
        return is_constant(out, LLVMGetOperand(x, 0));
    if (!LLVMIsACallInst(x) || LLVMGetNumArgOperands(x) != 1 ||
        !LLVMIsAConstantInt(LLVMGetArgOperand(x, 0)))
        return false;
    const char *const name = LLVMGetValueName2(LLVMGetCalledValue(x), &n);
    const uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetArgOperand(x, 0));
    const uint32_t low = (uint32_t)bits;
    float f;
    if (qn__equal(name, "__int_as_float") || qn__equal(name, "__uint_as_float")) {
        memcpy(&f, &low, sizeof f);
        *out = f;
    } else if (qn__equal(name, "__longlong_as_double")) {
        memcpy(out, &bits, sizeof *out);
    } else {
        return false;
    }
    return true;
}

static void settle(LLVMBuilderRef b, LLVMValueRef call, unsigned i)
{
    const LLVMValueRef x = LLVMGetOperand(call, 0);
    const bool is_unsigned = conversions[i].is_unsigned;
    double constant;
    if (is_constant(&constant, x)) {
        replace(call, folded(LLVMTypeOf(call), constant, i));
        return;
    }
    const struct qn__range r = qn__float_range(x, LLVMGetInstructionParent(call));
    if (!fits(r, conversions[i].bits, is_unsigned))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(call), next; use; use = next) {
        const LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsATruncInst(user) || !fits(r, LLVMGetIntTypeWidth(LLVMTypeOf(user)), is_unsigned))
            continue;
        place_before(b, user);
        replace(user, plain(b, x, LLVMTypeOf(user), is_unsigned));
    }
    place_before(b, call);
    if (LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, plain(b, x, LLVMTypeOf(call), is_unsigned));
    LLVMInstructionEraseFromParent(call);
}

qn_status qn__settle_casts(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (unsigned i = 0; i < N_CONVERSIONS; i++) {
        const LLVMValueRef f = LLVMGetNamedFunction(u->module, conversions[i].name);
        if (!f || !LLVMIsDeclaration(f))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
            next = LLVMGetNextUse(use);
            settle(b, LLVMGetUser(use), i);
        }
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
