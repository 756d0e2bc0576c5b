/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of inline PTX on floats of 32 and 64 bits. A rounding that is spelled out forbids
 * contraction, and is a function of that name: add.rm.f32 is __fadd_rd. Approximations have bounds
 * that the function named here keeps. */
#include "compiler/lower/ptx/ptx_float.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

enum { SOURCES = 3 };

/* without .ftz and .sat */
static const struct {
    const char *name, *function;
    unsigned n_sources;
} functions[] = {
    {"min.f32", "fminf", 2},
    {"max.f32", "fmaxf", 2},
    {"min.f64", "fmin", 2},
    {"max.f64", "fmax", 2},
    {"div.approx.f32", "__fdividef", 2},
    {"div.full.f32", "__fdividef", 2},
    {"sqrt.approx.f32", "sqrtf", 1},
    {"rsqrt.approx.f32", "rsqrtf", 1},
    {"rsqrt.approx.f64", "rsqrt", 1},
    {"ex2.approx.f32", "exp2f", 1},
    {"lg2.approx.f32", "__log2f", 1},
    {"sin.approx.f32", "__sinf", 1},
    {"cos.approx.f32", "__cosf", 1},
    {"tanh.approx.f32", "tanhf", 1},
};

/* add.rm.f32 -> __fadd_rd: CUDA has one for each rounding and both types */
static const struct {
    const char *name, *single, *wide;
    unsigned n_sources;
} rounded[] = {{"add", "__fadd", "__dadd", 2}, {"sub", "__fsub", "__dsub", 2},
               {"mul", "__fmul", "__dmul", 2}, {"div", "__fdiv", "__ddiv", 2},
               {"rcp", "__frcp", "__drcp", 1}, {"fma", "__fmaf", "__fma", 3},
               {"mad", "__fmaf", "__fma", 3},  {"sqrt", "__fsqrt", "__dsqrt", 1}};
static const char *const roundings[][2] = {{"rn", "rn"}, {"rz", "rz"}, {"rm", "rd"}, {"rp", "ru"}};

/* The statement's name without .ftz, .sat and .NaN. */
static const char *plain_name(struct qn__ptx *x)
{
    const char *name = x->words[0];
    for (unsigned i = 1; i < x->n_words; i++)
        if (!qn__equal(x->words[i], "ftz") && !qn__equal(x->words[i], "sat") &&
            !qn__equal(x->words[i], "NaN"))
            name = qn__text(x->u, "%s.%s", name, x->words[i]);
    return name;
}

/* .ftz: what is below the smallest normal number becomes 0 of its sign. */
LLVMValueRef qn__ptx_flushed(struct qn__ptx *x, LLVMValueRef v, const struct qn__ptx_type *t)
{
    if (!v || t->bits != 32 || !qn__ptx_has(x, "ftz") || x->u->fast_math)
        return v;
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef bits = LLVMBuildBitCast(x->b, v, word, "");
    const LLVMValueRef sign = LLVMBuildAnd(x->b, bits, qn__ptx_number(x, 32, 0x80000000), "");
    const LLVMValueRef exponent = LLVMBuildAnd(x->b, bits, qn__ptx_number(x, 32, 0x7f800000), "");
    const LLVMValueRef is_small =
        LLVMBuildICmp(x->b, LLVMIntEQ, exponent, qn__ptx_number(x, 32, 0), "");
    return LLVMBuildBitCast(x->b, LLVMBuildSelect(x->b, is_small, sign, bits, ""),
                            qn__ptx_llvm_type(x, t), "");
}

/* The function of a statement, and how many sources it has; NULL: none. */
static const char *function_of(struct qn__ptx *x, const struct qn__ptx_type *t, unsigned *n)
{
    const char *const name = plain_name(x);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (qn__equal(name, functions[i].name)) {
            *n = functions[i].n_sources;
            return functions[i].function;
        }
    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++)
        for (size_t r = 0; r < sizeof roundings / sizeof *roundings; r++)
            if (qn__equal(name,
                          qn__text(x->u, "%s.%s.f%u", rounded[i].name, roundings[r][0], t->bits))) {
                *n = rounded[i].n_sources;
                return qn__text(x->u, "%s_%s", t->bits == 32 ? rounded[i].single : rounded[i].wide,
                                roundings[r][1]);
            }
    return NULL;
}

/* What has no function: without a rounding, arithmetic may be contracted, as in C++. */
static LLVMValueRef operation(struct qn__ptx *x, const char *name, const LLVMValueRef *s,
                              const struct qn__ptx_type *t)
{
    if (qn__equal(name, "neg"))
        return LLVMBuildFNeg(x->b, s[0], "");
    if (qn__equal(name, "abs"))
        return qn__ptx_call(x, t->bits == 64 ? "llvm.fabs.f64" : "llvm.fabs.f32",
                            qn__ptx_llvm_type(x, t), s, 1);
    if (qn__starts_with(name, "rcp"))
        return LLVMBuildFDiv(x->b, LLVMConstReal(LLVMTypeOf(s[0]), 1), s[0], "");
    if (qn__equal(name, "copysign")) { /* the sign of a, the rest of b */
        const LLVMValueRef other[] = {s[1], s[0]};
        return qn__ptx_call(x, t->bits == 64 ? "copysign" : "copysignf", qn__ptx_llvm_type(x, t),
                            other, 2);
    }
    return qn__equal(name, "add")   ? LLVMBuildFAdd(x->b, s[0], s[1], "")
           : qn__equal(name, "sub") ? LLVMBuildFSub(x->b, s[0], s[1], "")
                                    : LLVMBuildFMul(x->b, s[0], s[1], "");
}

/* How many sources; 0: not known. */
static unsigned operation_sources(struct qn__ptx *x)
{
    static const char *const ones[] = {"neg", "abs", "rcp.approx"};
    static const char *const twos[] = {"add", "sub", "mul", "copysign"};
    const char *const name = plain_name(x);
    const char *const type = x->words[x->n_words - 1];
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        if (qn__equal(name, qn__text(x->u, "%s.%s", ones[i], type)))
            return 1;
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (qn__equal(name, qn__text(x->u, "%s.%s", twos[i], type)))
            return 2;
    return 0;
}

enum qn__ptx_answer qn__ptx_float(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    LLVMValueRef s[SOURCES] = {0};
    unsigned n = 0;
    if (x->n_words < 2 || !qn__ptx_type(&t, x->words[x->n_words - 1]) || !t.is_float)
        return QN__PTX_OTHER;
    const char *const function = function_of(x, &t, &n);
    if (!function && !(n = operation_sources(x)))
        return QN__PTX_OTHER;
    const bool approximate = qn__ptx_has(x, "approx") || qn__ptx_has(x, "full");
    if (x->n_operands != n + 1 || (qn__ptx_has(x, "sat") && t.bits != 32))
        return QN__PTX_FAILED;
    for (unsigned i = 0; i < n; i++) {
        s[i] = qn__ptx_source(x, i + 1, &t);
        if (!approximate) /* approximations flush or not */
            s[i] = qn__ptx_flushed(x, s[i], &t);
        if (!s[i])
            return QN__PTX_FAILED;
    }
    LLVMValueRef v = function ? qn__ptx_call(x, function, qn__ptx_llvm_type(x, &t), s, n)
                              : operation(x, x->words[0], s, &t);
    if (v && qn__ptx_has(x, "NaN")) /* min and max: NaN if there is one */
        for (unsigned i = 0; i < n; i++)
            v = LLVMBuildSelect(x->b, LLVMBuildFCmp(x->b, LLVMRealUNO, s[i], s[i], ""), s[i], v,
                                "");
    if (v && !approximate)
        v = qn__ptx_flushed(x, v, &t);
    if (v && qn__ptx_has(x, "sat"))
        v = qn__ptx_call(x, "__saturatef", LLVMTypeOf(v), &v, 1);
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}
