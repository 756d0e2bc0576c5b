/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX without arithmetic: comparisons, choices, moves. */
#include "compiler/lower/ptx/ptx_compare.h"

#include "compiler/lower/ptx/ptx_float.h"
#include "compiler/lower/ptx/ptx_half.h"
#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

static const struct qn__ptx_type predicate = {.bits = 1, .is_predicate = true};

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

/* ---- moves ---- */

/* mov d, a    mov.b64 {lo, hi}, a    mov.b64 d, {lo, hi} */
static enum qn__ptx_answer move(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (x->n_operands != 2 || !qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const struct qn__ptx_operand *const to = &x->operands[0], *const from = &x->operands[1];
    const LLVMTypeRef whole = qn__ptx_llvm_type(x, &t);
    if (to->n > 1 && !t.is_float) {
        const LLVMValueRef v = qn__ptx_source(x, 1, &t);
        const unsigned bits = t.bits / to->n;
        for (unsigned i = 0; i < to->n && v; i++) {
            const LLVMValueRef up =
                LLVMBuildLShr(x->b, v, qn__ptx_number(x, t.bits, (uint64_t)bits * i), "");
            const LLVMTypeRef part = LLVMIntTypeInContext(x->u->context, bits);
            if (!qn__ptx_set_part(x, to->parts[i], LLVMBuildTrunc(x->b, up, part, "")))
                return QN__PTX_FAILED;
        }
        return v ? QN__PTX_DONE : QN__PTX_FAILED;
    }
    if (from->n > 1 && !t.is_float) {
        LLVMValueRef v = LLVMConstNull(whole);
        const struct qn__ptx_type part = {.bits = t.bits / from->n};
        for (unsigned i = 0; i < from->n; i++) {
            LLVMValueRef p = qn__ptx_part(x, from->parts[i], &part);
            if (!p)
                return QN__PTX_FAILED;
            p = LLVMBuildZExt(x->b, p, whole, "");
            p = LLVMBuildShl(x->b, p, qn__ptx_number(x, t.bits, (uint64_t)part.bits * i), "");
            v = LLVMBuildOr(x->b, v, p, "");
        }
        return set(x, v);
    }
    return set(x, qn__ptx_source(x, 1, &t));
}

/* ---- comparisons ---- */

static const struct comparison {
    const char *name;
    LLVMIntPredicate is_signed, is_unsigned;
    LLVMRealPredicate is_float;
} comparisons[] = {
    {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},  {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},  {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    {"lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT},  {"ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE},
    {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT},  {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE},
    {"equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ},   {"neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE},
    {"ltu", LLVMIntULT, LLVMIntULT, LLVMRealULT}, {"leu", LLVMIntULE, LLVMIntULE, LLVMRealULE},
    {"gtu", LLVMIntUGT, LLVMIntUGT, LLVMRealUGT}, {"geu", LLVMIntUGE, LLVMIntUGE, LLVMRealUGE},
    {"num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD},   {"nan", LLVMIntEQ, LLVMIntEQ, LLVMRealUNO},
};

static const struct comparison *comparison_of(const char *name)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (qn__equal(comparisons[i].name, name))
            return &comparisons[i];
    return NULL;
}

static LLVMValueRef compared(struct qn__ptx *x, const struct comparison *c, LLVMValueRef a,
                             LLVMValueRef b, const struct qn__ptx_type *t)
{
    return t->is_float
               ? LLVMBuildFCmp(x->b, c->is_float, a, b, "")
               : LLVMBuildICmp(x->b, t->is_signed ? c->is_signed : c->is_unsigned, a, b, "");
}

/* p and, or, xor the predicate in operand 3, where the statement names one */
static LLVMValueRef combined(struct qn__ptx *x, LLVMValueRef p)
{
    if (x->n_operands == 3)
        return p;
    const LLVMValueRef c = qn__ptx_source(x, 3, &predicate);
    if (!c || !p)
        return NULL;
    return qn__equal(x->words[2], "and")   ? LLVMBuildAnd(x->b, p, c, "")
           : qn__equal(x->words[2], "or")  ? LLVMBuildOr(x->b, p, c, "")
           : qn__equal(x->words[2], "xor") ? LLVMBuildXor(x->b, p, c, "")
                                           : NULL;
}

/* setp of halves: of one, or of a pair into p|q */
static enum qn__ptx_answer compare_halves(struct qn__ptx *x, const struct comparison *c)
{
    const struct qn__ptx_type single = {.bits = 32, .is_float = true};
    const char *const type = x->words[x->n_words - 1], *const x2 = strstr(type, "x2");
    const enum qn__ptx_half kind =
        qn__ptx_half_kind(x2 ? qn__text(x->u, "%.*s", (int)(x2 - type), type) : type);
    const char *const second = x->operands[0].second;
    LLVMValueRef a[2], b[2];
    if (!kind || x->n_operands != 3 || (x2 && !second))
        return QN__PTX_FAILED;
    if (x2)
        return qn__ptx_half_pair(x, 1, kind, a) && qn__ptx_half_pair(x, 2, kind, b) &&
                       qn__ptx_set(x, 0, compared(x, c, a[0], b[0], &single)) &&
                       qn__ptx_set_part(x, second, compared(x, c, a[1], b[1], &single))
                   ? QN__PTX_DONE
                   : QN__PTX_FAILED;
    a[0] = qn__ptx_half_source(x, 1, kind);
    b[0] = qn__ptx_half_source(x, 2, kind);
    if (!a[0] || !b[0])
        return QN__PTX_FAILED;
    const LLVMValueRef p = compared(x, c, a[0], b[0], &single);
    return qn__ptx_set(x, 0, p) &&
                   (!second || qn__ptx_set_part(x, second, LLVMBuildNot(x->b, p, "")))
               ? QN__PTX_DONE
               : QN__PTX_FAILED;
}

/* setp.cmp{.bool}.type p{|q}, a, b{, c}: p = a < b, q = !(a < b); both combined with c
 * set.cmp{.bool}.s32.type d, a, b{, c}: d = a < b ? -1 : 0    of f32: 1 or 0 */
static enum qn__ptx_answer compare(struct qn__ptx *x)
{
    struct qn__ptx_type t, to = predicate;
    const bool of_number = qn__equal(x->words[0], "set");
    const struct comparison *const c = x->n_words > 2 ? comparison_of(x->words[1]) : NULL;
    const char *const second = x->operands[0].second;
    if (!c || x->n_operands < 3 || x->n_operands > 4)
        return QN__PTX_FAILED;
    if (!of_number && strstr(x->words[x->n_words - 1], "f16"))
        return compare_halves(x, c);
    const unsigned words = 3u + of_number + (x->n_operands == 4) + qn__ptx_has(x, "ftz");
    if (x->n_words != words || !qn__ptx_last_type(x, &t) ||
        (of_number && (!qn__ptx_type(&to, x->words[x->n_words - 2]) || to.bits != 32 || second)))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_flushed(x, qn__ptx_source(x, 1, &t), &t);
    const LLVMValueRef b = qn__ptx_flushed(x, qn__ptx_source(x, 2, &t), &t);
    if (!a || !b)
        return QN__PTX_FAILED;
    const LLVMValueRef plain = compared(x, c, a, b, &t);
    const LLVMValueRef p = combined(x, plain);
    const LLVMValueRef q = second ? combined(x, LLVMBuildNot(x->b, plain, "")) : p;
    if (!p || !q)
        return QN__PTX_FAILED;
    if (!of_number)
        return qn__ptx_set(x, 0, p) && (!second || qn__ptx_set_part(x, second, q)) ? QN__PTX_DONE
                                                                                   : QN__PTX_FAILED;
    const LLVMTypeRef type = qn__ptx_llvm_type(x, &to);
    return set(x,
               to.is_float ? LLVMBuildUIToFP(x->b, p, type, "") : LLVMBuildSExt(x->b, p, type, ""));
}

/* testp.kind.type p, a */
static enum qn__ptx_answer test(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (x->n_words != 3 || !qn__ptx_last_type(x, &t) || !t.is_float)
        return QN__PTX_FAILED;
    const struct qn__ptx_type number = {.bits = t.bits};
    const LLVMValueRef v = qn__ptx_source(x, 1, &number);
    if (!v)
        return QN__PTX_FAILED;
    const uint64_t top = t.bits == 64 ? 0x7ff0000000000000u : 0x7f800000u;
    const uint64_t least = t.bits == 64 ? 0x0010000000000000u : 0x00800000u;
    const LLVMValueRef magnitude =
        LLVMBuildAnd(x->b, v, qn__ptx_number(x, t.bits, UINT64_MAX >> (65 - t.bits)), "");
    const LLVMValueRef infinite = qn__ptx_number(x, t.bits, top);
    const LLVMValueRef normal = qn__ptx_number(x, t.bits, least);
    const LLVMValueRef zero = qn__ptx_number(x, t.bits, 0);
    const char *const kind = x->words[1];
    LLVMValueRef p = NULL;
    if (qn__equal(kind, "finite"))
        p = LLVMBuildICmp(x->b, LLVMIntULT, magnitude, infinite, "");
    else if (qn__equal(kind, "infinite"))
        p = LLVMBuildICmp(x->b, LLVMIntEQ, magnitude, infinite, "");
    else if (qn__equal(kind, "number"))
        p = LLVMBuildICmp(x->b, LLVMIntULE, magnitude, infinite, "");
    else if (qn__equal(kind, "notanumber"))
        p = LLVMBuildICmp(x->b, LLVMIntUGT, magnitude, infinite, "");
    else if (qn__equal(kind, "normal"))
        p = LLVMBuildAnd(x->b, LLVMBuildICmp(x->b, LLVMIntUGE, magnitude, normal, ""),
                         LLVMBuildICmp(x->b, LLVMIntULT, magnitude, infinite, ""), "");
    else if (qn__equal(kind, "subnormal"))
        p = LLVMBuildAnd(x->b, LLVMBuildICmp(x->b, LLVMIntULT, magnitude, normal, ""),
                         LLVMBuildICmp(x->b, LLVMIntNE, magnitude, zero, ""), "");
    return set(x, p);
}

/* ---- choices ---- */

/* selp d, a, b, p: p ? a : b */
static enum qn__ptx_answer choose(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef p = qn__ptx_source(x, 3, &predicate);
    return a && b && p ? set(x, LLVMBuildSelect(x->b, p, a, b, "")) : QN__PTX_FAILED;
}

/* slct.type.s32 d, a, b, c: c >= 0 ? a : b; of f32: NaN is not */
static enum qn__ptx_answer choose_by_sign(struct qn__ptx *x)
{
    struct qn__ptx_type t, by;
    if (x->n_words != 3u + qn__ptx_has(x, "ftz") || !qn__ptx_type(&t, x->words[x->n_words - 2]) ||
        !qn__ptx_last_type(x, &by))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef c = qn__ptx_source(x, 3, &by);
    if (!a || !b || !c)
        return QN__PTX_FAILED;
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(c));
    const LLVMValueRef p = by.is_float ? LLVMBuildFCmp(x->b, LLVMRealOGE, c, zero, "")
                                       : LLVMBuildICmp(x->b, LLVMIntSGE, c, zero, "");
    return set(x, LLVMBuildSelect(x->b, p, a, b, ""));
}

enum qn__ptx_answer qn__ptx_compare(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        enum qn__ptx_answer (*run)(struct qn__ptx *);
    } all[] = {{"mov", move},    {"setp", compare}, {"set", compare},
               {"selp", choose}, {"testp", test},   {"slct", choose_by_sign}};
    if (qn__equal(x->words[0], "cvta")) { /* the number of an address does not change */
        const struct qn__ptx_type address = {.bits = 64};
        return qn__equal(x->words[x->n_words - 1], "u64") ? set(x, qn__ptx_source(x, 1, &address))
                                                          : QN__PTX_FAILED;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(x->words[0], all[i].name))
            return all[i].run(x);
    return QN__PTX_OTHER;
}
