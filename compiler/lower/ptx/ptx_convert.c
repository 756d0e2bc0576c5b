/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt of inline PTX:
 *
 *     cvt{.rounding}{.ftz}{.sat|.satfinite}{.relu}.to.from d, a{, b}
 *
 * Halves and bfloat16s are converted by way of float, which holds all of them; the second rounding
 * is the only one. Narrower floats come in pairs: of two floats, b is the low one; of a pair of
 * halves, and back to one.
 *
 *     cvt.rzi.s32.f32               __float2int_rz
 *     cvt.rn.f16x2.f32 d, a, b      __qn_f32_to_f16(a) << 16 | __qn_f32_to_f16(b)
 *     cvt.rn.satfinite.e4m3x2.f32   __qn_ir_f32_to_small() of both */
#include "compiler/lower/ptx/ptx_convert.h"

#include "compiler/lower/ptx/ptx_float.h"
#include "compiler/lower/ptx/ptx_half.h"
#include "compiler/lower/ptx/ptx_operands.h"

#include <stdlib.h>
#include <string.h>

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

static LLVMValueRef call1(struct qn__ptx *x, const char *name, LLVMTypeRef result, LLVMValueRef a)
{
    return qn__ptx_call(x, name, result, &a, 1);
}

static const struct qn__ptx_type single = {.bits = 32, .is_float = true};

/* ---- integers ---- */

/* Between the least and the greatest number of a type that has fewer bits than v, or another sign.
 */
static LLVMValueRef clamp(struct qn__ptx *x, LLVMValueRef v, bool is_signed,
                          const struct qn__ptx_type *to)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    const unsigned bits = LLVMGetIntTypeWidth(t);
    const uint64_t most = UINT64_MAX >> (64 - to->bits + to->is_signed);
    const LLVMValueRef high = LLVMConstInt(t, most, false);
    const LLVMValueRef low = LLVMConstInt(t, to->is_signed ? ~most : 0, true);
    if (is_signed && (!to->is_signed || to->bits < bits))
        v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, v, low, ""), low, v, "");
    if (to->bits - to->is_signed >= bits - is_signed)
        return v;
    return LLVMBuildSelect(
        x->b, LLVMBuildICmp(x->b, is_signed ? LLVMIntSGT : LLVMIntUGT, v, high, ""), high, v, "");
}

/* A number in a register: narrower ones are extended there. */
static enum qn__ptx_answer set_number(struct qn__ptx *x, LLVMValueRef v, bool is_signed,
                                      const struct qn__ptx_type *t)
{
    v = LLVMBuildIntCast2(x->b, v, qn__ptx_llvm_type(x, t), is_signed, "");
    if (t->bits < 32)
        v = LLVMBuildIntCast2(x->b, v, LLVMInt32TypeInContext(x->u->context), t->is_signed, "");
    return set(x, v);
}

/* ---- the statement ---- */

enum rounding { NONE, RN, RZ, RM, RP, RNA };

/* What stands between "cvt" and the types. */
struct cvt {
    enum rounding rounding;
    bool to_whole;          /* .rni and so on: to a whole number */
    bool sat, finite, relu; /* .satfinite is .sat, too */
    const char *to, *from;
};

static bool read_words(struct qn__ptx *x, struct cvt *c)
{
    static const char *const modes[] = {
        [RN] = "rn", [RZ] = "rz", [RM] = "rm", [RP] = "rp", [RNA] = "rna"};
    *c = (struct cvt){0};
    if (x->n_words < 3)
        return false;
    c->to = x->words[x->n_words - 2];
    c->from = x->words[x->n_words - 1];
    for (unsigned i = 1; i + 2 < x->n_words; i++) {
        const char *const w = x->words[i];
        bool known = qn__equal(w, "ftz"); /* qn__ptx_flushed() asks for it */
        for (unsigned k = RN; k <= RNA; k++)
            if (qn__starts_with(w, modes[k]) &&
                (!w[2] || qn__equal(w, modes[k]) || (w[2] == 'i' && !w[3]))) {
                c->rounding = k;
                c->to_whole = w[2] == 'i';
                known = true;
            }
        if (qn__equal(w, "sat") || qn__equal(w, "satfinite"))
            c->sat = known = true;
        c->finite |= qn__equal(w, "satfinite");
        if (qn__equal(w, "relu"))
            c->relu = known = true;
        if (!known)
            return qn__ptx_unknown(x, qn__text(x->u, ".%s has no OpenCL form", w));
    }
    return true;
}

/* The ending of CUDA's functions for a rounding. */
static const char *ending(enum rounding r)
{
    return r == RZ ? "rz" : r == RM ? "rd" : r == RP ? "ru" : "rn";
}

/* ---- to and from floats ---- */

/* __float2int_rz and so on. A float becomes the nearest number of the integer type, with .sat or
 * without. */
static LLVMValueRef to_integer(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v,
                               unsigned bits, const struct qn__ptx_type *to)
{
    const bool wide = to->bits == 64;
    const char *const whole = wide ? to->is_signed ? "ll" : "ull" : to->is_signed ? "int" : "uint";
    const char *const name =
        qn__text(x->u, "__%s2%s_%s", bits == 64 ? "double" : "float", whole, ending(c->rounding));
    v = call1(x, name, LLVMIntTypeInContext(x->u->context, wide ? 64 : 32), v);
    return v ? clamp(x, v, to->is_signed, to) : NULL;
}

/* __uint2float_rn and so on */
static LLVMValueRef from_integer(struct qn__ptx *x, enum rounding r, LLVMValueRef v,
                                 const struct qn__ptx_type *from, unsigned bits)
{
    const bool wide = from->bits == 64;
    const char *const whole = wide              ? from->is_signed ? "ll" : "ull"
                              : from->is_signed ? "int"
                                                : "uint";
    if (from->bits < 32)
        v = LLVMBuildIntCast2(x->b, v, LLVMInt32TypeInContext(x->u->context), from->is_signed, "");
    const struct qn__ptx_type to = {.bits = bits, .is_float = true};
    return call1(x,
                 qn__text(x->u, "__%s2%s_%s", whole, bits == 64 ? "double" : "float",
                          bits == 64 && !wide ? "rn" : ending(r)),
                 qn__ptx_llvm_type(x, &to), v);
}

/* .sat: at least 0 and at most 1, for 32 bits */
static LLVMValueRef saturated(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v, unsigned bits)
{
    if (!v || !c->sat)
        return v;
    return bits == 32 ? call1(x, "__saturatef", LLVMTypeOf(v), v) : NULL;
}

/* A float of 32 or 64 bits to one of the same or the other. */
static LLVMValueRef to_float(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v, unsigned from,
                             unsigned to)
{
    static const char *const whole[] = {
        [RN] = "rint", [RZ] = "trunc", [RM] = "floor", [RP] = "ceil"};
    if (c->to_whole)
        v = call1(x, qn__text(x->u, "%s%s", whole[c->rounding], from == 32 ? "f" : ""),
                  LLVMTypeOf(v), v);
    if (v && from < to)
        v = LLVMBuildFPExt(x->b, v, LLVMDoubleTypeInContext(x->u->context), "");
    else if (v && from > to)
        v = call1(x, qn__text(x->u, "__double2float_%s", ending(c->rounding)),
                  LLVMFloatTypeInContext(x->u->context), v);
    return saturated(x, c, v, to);
}

/* .relu: what is below 0 becomes 0, NaN stays. */
static LLVMValueRef without_negatives(struct qn__ptx *x, LLVMValueRef v)
{
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
    return LLVMBuildSelect(
        x->b, LLVMBuildFCmp(x->b, LLVMRealULE, v, zero, ""),
        LLVMBuildSelect(x->b, LLVMBuildFCmp(x->b, LLVMRealUNO, v, v, ""), v, zero, ""), v, "");
}

static LLVMValueRef to_half(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v,
                            enum qn__ptx_half kind)
{
    if (c->finite) /* at most the largest number: only where formats are smaller */
        return NULL;
    if (c->relu)
        v = without_negatives(x, v);
    if (c->sat)
        v = call1(x, "__saturatef", LLVMTypeOf(v), v);
    return v ? qn__ptx_half_narrow(x, v, kind, ending(c->rounding)) : NULL;
}

/* cvt.rna.tf32.f32: to 10 digits after the point, halves away from zero */
static LLVMValueRef to_tf32(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v)
{
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef bits = LLVMBuildBitCast(x->b, v, word, "");
    if (c->rounding != RNA || c->relu || c->sat)
        return NULL;
    const LLVMValueRef up = LLVMBuildAdd(x->b, bits, qn__ptx_number(x, 32, 0x1000), "");
    const LLVMValueRef cut = LLVMBuildAnd(x->b, up, qn__ptx_number(x, 32, 0xffffe000), "");
    const LLVMValueRef exponent = LLVMBuildAnd(x->b, bits, qn__ptx_number(x, 32, 0x7f800000), "");
    const LLVMValueRef special =
        LLVMBuildICmp(x->b, LLVMIntEQ, exponent, qn__ptx_number(x, 32, 0x7f800000), "");
    return LLVMBuildSelect(x->b, special, bits, cut, "");
}

static enum qn__ptx_answer scalar(struct qn__ptx *x, const struct cvt *c)
{
    struct qn__ptx_type to, from;
    const enum qn__ptx_half half_to = qn__ptx_half_kind(c->to);
    const enum qn__ptx_half half_from = qn__ptx_half_kind(c->from);
    const bool tf32 = qn__equal(c->to, "tf32");
    const bool known_to = half_to || tf32 || qn__ptx_type(&to, c->to);
    if (!known_to || !(half_from || qn__ptx_type(&from, c->from)) || x->n_operands != 2)
        return QN__PTX_OTHER;
    if (half_to || tf32)
        to = single;
    LLVMValueRef v = half_from ? qn__ptx_half_source(x, 1, half_from) : qn__ptx_source(x, 1, &from);
    if (half_from)
        from = single;
    if (!v || to.is_predicate || from.is_predicate)
        return QN__PTX_FAILED;
    if (from.is_float && !half_from)
        v = qn__ptx_flushed(x, v, &from);
    if (!from.is_float && !to.is_float) {
        if (c->rounding || c->relu)
            return QN__PTX_FAILED;
        return set_number(x, c->sat ? clamp(x, v, from.is_signed, &to) : v, from.is_signed, &to);
    }
    if (!to.is_float)
        return c->to_whole || c->rounding
                   ? set_number(x, to_integer(x, c, v, from.bits, &to), to.is_signed, &to)
                   : QN__PTX_FAILED;
    if (half_to && c->rounding == RN && (!from.is_float || from.bits == 64) && !c->sat && !c->relu)
        return set(x, qn__ptx_half_of_double(
                          x, from.is_float ? v : from_integer(x, RN, v, &from, 64), half_to));
    if (!from.is_float)
        v = saturated(x, c, from_integer(x, c->rounding, v, &from, to.bits),
                      half_to ? 32 : to.bits);
    else if (!half_to && !tf32)
        v = qn__ptx_flushed(x, to_float(x, c, v, from.bits, to.bits), &to);
    else if (from.bits == 64 || c->to_whole) {
        struct cvt first = *c;
        first.sat = false;
        v = to_float(x, &first, v, from.bits, 32);
    }
    if (!v)
        return QN__PTX_FAILED;
    return set(x, half_to ? to_half(x, c, v, half_to) : tf32 ? to_tf32(x, c, v) : v);
}

/* ---- pairs ---- */

/* formats of 8, 6 and 4 bits: digits, bias, the largest number, NaN, the sign */
static const struct small {
    const char *name;
    unsigned digits, bias, largest, nan, sign, bits;
} small[] = {
    {"e4m3x2", 3, 7, 0x7e, 0x7f, 0x80, 8}, {"e5m2x2", 2, 15, 0x7b, 0x7f, 0x80, 8},
    {"e2m3x2", 3, 1, 0x1f, 0x1f, 0x20, 8}, {"e3m2x2", 2, 3, 0x1f, 0x1f, 0x20, 8},
    {"e2m1x2", 1, 1, 0x07, 0x07, 0x08, 4},
};

static const struct small *small_of(const char *name)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (qn__equal(small[i].name, name))
            return &small[i];
    return NULL;
}

static LLVMValueRef to_small(struct qn__ptx *x, const struct cvt *c, LLVMValueRef v,
                             const struct small *s)
{
    if (c->relu)
        v = without_negatives(x, v);
    const LLVMValueRef arguments[] = {v,
                                      qn__ptx_number(x, 32, s->digits),
                                      qn__ptx_number(x, 32, s->bias),
                                      qn__ptx_number(x, 32, s->largest),
                                      qn__ptx_number(x, 32, s->nan),
                                      qn__ptx_number(x, 32, s->sign)};
    return qn__ptx_call(x, "__qn_ir_f32_to_small", LLVMInt32TypeInContext(x->u->context), arguments,
                        6);
}

static LLVMValueRef from_small(struct qn__ptx *x, LLVMValueRef v, const struct small *s)
{
    const LLVMValueRef arguments[] = {
        v, qn__ptx_number(x, 32, s->digits), qn__ptx_number(x, 32, s->bias),
        qn__ptx_number(x, 32, s->largest), qn__ptx_number(x, 32, s->sign)};
    const LLVMTypeRef t = LLVMFloatTypeInContext(x->u->context);
    return qn__ptx_half_narrow(x, qn__ptx_call(x, "__qn_ir_small_to_f32", t, arguments, 5),
                               QN__PTX_F16, "rn");
}

/* high << bits | low, of words */
static LLVMValueRef joined(struct qn__ptx *x, LLVMValueRef high, LLVMValueRef low, unsigned bits,
                           unsigned whole)
{
    const LLVMTypeRef t = LLVMIntTypeInContext(x->u->context, whole);
    if (!high || !low)
        return NULL;
    high = LLVMBuildIntCast2(x->b, high, t, false, "");
    low = LLVMBuildIntCast2(x->b, low, t, false, "");
    return LLVMBuildOr(x->b, LLVMBuildShl(x->b, high, qn__ptx_number(x, whole, bits), ""), low, "");
}

/* The two floats that a statement converts: its sources, or the halves of its source. */
static bool two_floats(struct qn__ptx *x, const struct cvt *c, LLVMValueRef out[2])
{
    const bool is_pair = strstr(c->from, "x2") != NULL;
    const enum qn__ptx_half half =
        is_pair ? qn__ptx_half_kind(qn__text(x->u, "%.*s", (int)strlen(c->from) - 2, c->from))
                : QN__PTX_NO_HALF;
    if (is_pair)
        return half && x->n_operands == 2 && qn__ptx_half_pair(x, 1, half, out);
    if (!qn__equal(c->from, "f32") || x->n_operands != 3)
        return false;
    out[1] = qn__ptx_source(x, 1, &single);
    out[0] = qn__ptx_source(x, 2, &single);
    return out[0] && out[1];
}

static enum qn__ptx_answer pair(struct qn__ptx *x, const struct cvt *c)
{
    const char *const x2 = strstr(c->to, "x2");
    const enum qn__ptx_half half =
        x2 ? qn__ptx_half_kind(qn__text(x->u, "%.*s", (int)(x2 - c->to), c->to)) : QN__PTX_NO_HALF;
    const struct small *const narrow = small_of(c->to), *const wide = small_of(c->from);
    LLVMValueRef v[2];
    if (wide && half == QN__PTX_F16 && x->n_operands == 2) {
        const struct qn__ptx_type t = {.bits = 2 * wide->bits};
        const LLVMValueRef both = qn__ptx_source(x, 1, &t);
        const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
        for (unsigned i = 0; both && i < 2; i++) {
            const LLVMValueRef all = LLVMBuildZExt(x->b, both, word, "");
            const LLVMValueRef down =
                LLVMBuildLShr(x->b, all, qn__ptx_number(x, 32, (uint64_t)wide->bits * i), "");
            v[i] = from_small(
                x, LLVMBuildAnd(x->b, down, qn__ptx_number(x, 32, (1u << wide->bits) - 1), ""),
                wide);
        }
        return both ? set(x, joined(x, v[1], v[0], 16, 32)) : QN__PTX_FAILED;
    }
    if ((!narrow && !half) || (narrow && !(c->sat && c->rounding == RN)) || !two_floats(x, c, v))
        return QN__PTX_FAILED;
    if (narrow)
        return set(x, joined(x, to_small(x, c, v[1], narrow), to_small(x, c, v[0], narrow),
                             narrow->bits, narrow->bits * 2));
    return set(x, joined(x, to_half(x, c, v[1], half), to_half(x, c, v[0], half), 16, 32));
}

/* cvt.pack.sat.to.s32{.b32} d, a, b{, c}: the nearest numbers that `to` holds, a above b, and c
 * above both. */
static enum qn__ptx_answer packed(struct qn__ptx *x)
{
    static const struct qn__ptx_type word = {.bits = 32};
    const char *const to = x->n_words > 3 ? x->words[3] : "";
    const bool is_signed = *to == 's';
    const unsigned bits = *to == 's' || *to == 'u' ? (unsigned)strtoul(to + 1, NULL, 10) : 0;
    const bool has_rest = x->n_words == 6;
    if ((bits != 2 && bits != 4 && bits != 8 && bits != 16) || x->n_words < 5 ||
        !qn__equal(x->words[2], "sat") || !qn__equal(x->words[4], "s32") ||
        x->n_operands != 3u + has_rest || (has_rest && bits == 16))
        return QN__PTX_FAILED;
    const LLVMValueRef least = qn__ptx_number(x, 32, is_signed ? ~0ull << (bits - 1) : 0),
                       most = qn__ptx_number(x, 32, (1ull << (bits - is_signed)) - 1);
    LLVMValueRef all = has_rest ? qn__ptx_source(x, 3, &word) : qn__ptx_number(x, 32, 0);
    for (unsigned i = 1; all && i < 3; i++) {
        LLVMValueRef v = qn__ptx_source(x, i, &word);
        if (!v)
            return QN__PTX_FAILED;
        v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, v, least, ""), least, v, "");
        v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSGT, v, most, ""), most, v, "");
        v = LLVMBuildAnd(x->b, v, qn__ptx_number(x, 32, (1ull << bits) - 1), "");
        all = LLVMBuildShl(x->b, all, qn__ptx_number(x, 32, bits), "");
        all = LLVMBuildOr(x->b, all, v, "");
    }
    return set(x, all);
}

enum qn__ptx_answer qn__ptx_convert(struct qn__ptx *x)
{
    struct cvt c;
    if (!qn__equal(x->words[0], "cvt"))
        return QN__PTX_OTHER;
    if (x->n_words > 1 && qn__equal(x->words[1], "pack"))
        return packed(x);
    if (!read_words(x, &c))
        return QN__PTX_FAILED;
    return strstr(c.to, "x2") ? pair(x, &c) : scalar(x, &c);
}
