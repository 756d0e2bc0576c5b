/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of inline PTX on halves and bfloat16s, one by one (f16, bf16) and in pairs (f16x2,
 * bf16x2). Each operation is made in float and rounded once more, which is the same as one rounding
 * for sums and products: float has more than twice their digits and two. fma is a function of
 * library.cl.
 *
 *     fma.rn.f16x2 d, a, b, c;    high(d) = fma(high(a), high(b), high(c)), low(d) = ...
 *
 * Where PTX can be printed, add, sub, mul and fma of f16x2 are the instruction itself. */
#include "compiler/lower/ptx/ptx_half.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

enum { SOURCES = 3 };

enum qn__ptx_half qn__ptx_half_kind(const char *type)
{
    return qn__equal(type, "f16")    ? QN__PTX_F16
           : qn__equal(type, "bf16") ? QN__PTX_BF16
                                     : QN__PTX_NO_HALF;
}

static LLVMValueRef widen(struct qn__ptx *x, LLVMValueRef v, enum qn__ptx_half kind)
{
    return v ? qn__ptx_call(x, kind == QN__PTX_F16 ? "__qn_f16_to_f32" : "__qn_bf16_to_f32",
                            LLVMFloatTypeInContext(x->u->context), &v, 1)
             : NULL;
}

LLVMValueRef qn__ptx_half_narrow(struct qn__ptx *x, LLVMValueRef v, enum qn__ptx_half kind,
                                 const char *rounding)
{
    const char *const name =
        qn__text(x->u, "__qn_f32_to_%s%s%s", kind == QN__PTX_F16 ? "f16" : "bf16",
                 qn__equal(rounding, "rn") ? "" : "_", qn__equal(rounding, "rn") ? "" : rounding);
    return v ? qn__ptx_call(x, name, LLVMInt16TypeInContext(x->u->context), &v, 1) : NULL;
}

LLVMValueRef qn__ptx_half_of_double(struct qn__ptx *x, LLVMValueRef v, enum qn__ptx_half kind)
{
    return v ? qn__ptx_call(x, kind == QN__PTX_F16 ? "__qn_f64_to_f16" : "__qn_f64_to_bf16",
                            LLVMInt16TypeInContext(x->u->context), &v, 1)
             : NULL;
}

/* The bits of an operand's halves, the low one first. */
static bool bits_of(struct qn__ptx *x, unsigned operand, unsigned n, LLVMValueRef *out)
{
    const struct qn__ptx_type t = {.bits = 16 * n};
    const LLVMTypeRef half = LLVMInt16TypeInContext(x->u->context);
    const LLVMValueRef v = qn__ptx_source(x, operand, &t);
    if (!v)
        return false;
    out[0] = n == 1 ? v : LLVMBuildTrunc(x->b, v, half, "");
    if (n == 2)
        out[1] =
            LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, v, qn__ptx_number(x, 32, 16), ""), half, "");
    return true;
}

LLVMValueRef qn__ptx_half_source(struct qn__ptx *x, unsigned operand, enum qn__ptx_half kind)
{
    LLVMValueRef v;
    return bits_of(x, operand, 1, &v) ? widen(x, v, kind) : NULL;
}

bool qn__ptx_half_pair(struct qn__ptx *x, unsigned operand, enum qn__ptx_half kind,
                       LLVMValueRef out[2])
{
    return bits_of(x, operand, 2, out) && (out[0] = widen(x, out[0], kind)) &&
           (out[1] = widen(x, out[1], kind));
}

/* ---- operations ---- */

static LLVMValueRef floats(struct qn__ptx *x, const char *name, const LLVMValueRef *s, unsigned n)
{
    return qn__ptx_call(x, name, LLVMFloatTypeInContext(x->u->context), s, n);
}

static LLVMValueRef is_nan(struct qn__ptx *x, LLVMValueRef v)
{
    return LLVMBuildFCmp(x->b, LLVMRealUNO, v, v, "");
}

/* min and max of the floats: the one that is a number; with .NaN: NaN if there is one */
static LLVMValueRef extreme(struct qn__ptx *x, const LLVMValueRef *s)
{
    LLVMValueRef v = floats(x, qn__equal(x->words[0], "min") ? "fminf" : "fmaxf", s, 2);
    if (v && qn__ptx_has(x, "NaN"))
        for (unsigned i = 0; i < 2; i++)
            v = LLVMBuildSelect(x->b, is_nan(x, s[i]), s[i], v, "");
    return v;
}

/* The result of one of the pair, as a float; NULL: by another way, or not known. */
static LLVMValueRef in_float(struct qn__ptx *x, const LLVMValueRef *s)
{
    const char *const name = x->words[0];
    if (qn__equal(name, "add"))
        return floats(x, "__fadd_rn", s, 2);
    if (qn__equal(name, "sub"))
        return floats(x, "__fsub_rn", s, 2);
    if (qn__equal(name, "mul"))
        return floats(x, "__fmul_rn", s, 2);
    if (qn__equal(name, "min") || qn__equal(name, "max"))
        return extreme(x, s);
    if (qn__equal(name, "ex2"))
        return floats(x, "exp2f", s, 1);
    if (qn__equal(name, "tanh"))
        return floats(x, "tanhf", s, 1);
    return NULL;
}

/* .sat: to [0, 1]; .relu: not below 0, NaN stays */
static LLVMValueRef bounded(struct qn__ptx *x, LLVMValueRef v)
{
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
    if (qn__ptx_has(x, "sat"))
        return floats(x, "__saturatef", &v, 1);
    if (!qn__ptx_has(x, "relu"))
        return v;
    const LLVMValueRef low = LLVMBuildFCmp(x->b, LLVMRealOLE, v, zero, "");
    return LLVMBuildSelect(x->b, low, zero, v, "");
}

/* One half of the result, from one half of each source. */
static LLVMValueRef one(struct qn__ptx *x, const LLVMValueRef *bits, unsigned n,
                        enum qn__ptx_half kind)
{
    const LLVMTypeRef half = LLVMInt16TypeInContext(x->u->context);
    LLVMValueRef s[SOURCES];
    if (qn__equal(x->words[0], "neg"))
        return LLVMBuildXor(x->b, bits[0], LLVMConstInt(half, 0x8000, false), "");
    if (qn__equal(x->words[0], "abs"))
        return LLVMBuildAnd(x->b, bits[0], LLVMConstInt(half, 0x7fff, false), "");
    LLVMValueRef v;
    if (qn__equal(x->words[0], "fma")) {
        v = qn__ptx_call(x, kind == QN__PTX_F16 ? "__qn_fma_f16" : "__qn_fma_bf16", half, bits, 3);
        if (!v || !(qn__ptx_has(x, "sat") || qn__ptx_has(x, "relu")))
            return v;
        v = widen(x, v, kind);
    } else {
        for (unsigned i = 0; i < n; i++)
            if (!(s[i] = widen(x, bits[i], kind)))
                return NULL;
        v = in_float(x, s);
    }
    return v ? qn__ptx_half_narrow(x, bounded(x, v), kind, "rn") : NULL;
}

static unsigned sources_of(const char *name)
{
    static const char *const ones[] = {"neg", "abs", "ex2", "tanh"};
    static const char *const twos[] = {"add", "sub", "mul", "min", "max"};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        if (qn__equal(name, ones[i]))
            return 1;
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (qn__equal(name, twos[i]))
            return 2;
    return qn__equal(name, "fma") ? 3 : 0;
}

/* The instruction itself, of the pair as a word. */
static bool is_printed(const struct qn__ptx *x, enum qn__ptx_half kind, unsigned lanes)
{
    static const char *const names[] = {"add", "sub", "mul", "fma"};
    if (kind != QN__PTX_F16 || lanes != 2 || !qn__profile_can(x->u->profile, QN__CAN_ptx) ||
        qn__ptx_has(x, "sat") || qn__ptx_has(x, "relu"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__equal(x->words[0], names[i]))
            return true;
    return false;
}

static enum qn__ptx_answer print_pair(struct qn__ptx *x, unsigned n)
{
    const struct qn__ptx_type t = {.bits = 32};
    LLVMValueRef s[SOURCES];
    for (unsigned i = 0; i < n; i++)
        if (!(s[i] = qn__ptx_source(x, i + 1, &t)))
            return QN__PTX_FAILED;
    const LLVMValueRef v = qn__ptx_call(x, qn__text(x->u, "__qn_ir_%s_f16x2", x->words[0]),
                                        LLVMInt32TypeInContext(x->u->context), s, n);
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_half(struct qn__ptx *x)
{
    const char *const type = x->words[x->n_words - 1];
    const char *const x2 = strstr(type, "x2");
    const enum qn__ptx_half kind =
        qn__ptx_half_kind(x2 ? qn__text(x->u, "%.*s", (int)(x2 - type), type) : type);
    const unsigned n = sources_of(x->words[0]), lanes = x2 ? 2 : 1;
    LLVMValueRef bits[SOURCES][2], result[2];
    if (!kind || !n || x->n_words < 2)
        return QN__PTX_OTHER;
    if (x->n_operands != n + 1 || !qn__ptx_only(x, "rn rnd sat relu NaN approx"))
        return QN__PTX_FAILED;
    if (is_printed(x, kind, lanes))
        return print_pair(x, n);
    for (unsigned i = 0; i < n; i++)
        if (!bits_of(x, i + 1, lanes, bits[i]))
            return QN__PTX_FAILED;
    for (unsigned k = 0; k < lanes; k++) {
        const LLVMValueRef s[SOURCES] = {bits[0][k], n > 1 ? bits[1][k] : NULL,
                                         n > 2 ? bits[2][k] : NULL};
        if (!(result[k] = one(x, s, n, kind)))
            return QN__PTX_FAILED;
    }
    if (lanes == 1)
        return qn__ptx_set(x, 0, result[0]) ? QN__PTX_DONE : QN__PTX_FAILED;
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef high =
        LLVMBuildShl(x->b, LLVMBuildZExt(x->b, result[1], word, ""), qn__ptx_number(x, 32, 16), "");
    return qn__ptx_set(x, 0, LLVMBuildOr(x->b, high, LLVMBuildZExt(x->b, result[0], word, ""), ""))
               ? QN__PTX_DONE
               : QN__PTX_FAILED;
}
