/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer instructions of inline PTX. Each has its CUDA C++ form above it. */
#include "compiler/lower/ptx/ptx_integer.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

/* Is the condition code known where this statement runs? Not where it was set under a guard that
 * this statement does not have. */
static bool has_carry(const struct qn__ptx *x)
{
    const struct qn__ptx_guard *const set = &x->carry_guard;
    return x->carry && (!set->predicate || (set->predicate == x->guard.predicate &&
                                            set->is_negated == x->guard.is_negated));
}

/* Under a guard the condition code stays what it was where the guard is false. */
static void set_carry(struct qn__ptx *x, LLVMValueRef carry)
{
    const struct qn__ptx_guard *const g = &x->guard;
    if (!g->predicate || !x->carry || x->carry_guard.predicate) {
        x->carry = carry;
        x->carry_guard = *g;
        return;
    }
    x->carry = LLVMBuildSelect(x->b, g->predicate, g->is_negated ? x->carry : carry,
                               g->is_negated ? carry : x->carry, "");
}

/* add.cc, addc, sub.cc, subc: the carry (or borrow) of a + b + carry, in the same width. The
 * condition code lives within one block only: the compiler may put code between two. */
static LLVMValueRef sum(struct qn__ptx *x, LLVMValueRef a, LLVMValueRef b, bool subtract,
                        bool with_carry, bool sets_carry)
{
    const LLVMTypeRef t = LLVMTypeOf(a);
    if (with_carry && !has_carry(x)) {
        qn__ptx_unknown(x, x->carry ? "the carry was set under another predicate"
                                    : "the carry comes from another asm statement");
        return NULL;
    }
    LLVMValueRef v = subtract ? LLVMBuildSub(x->b, a, b, "") : LLVMBuildAdd(x->b, a, b, "");
    LLVMValueRef carry = sets_carry ? subtract ? LLVMBuildICmp(x->b, LLVMIntULT, a, b, "")
                                               : LLVMBuildICmp(x->b, LLVMIntULT, v, a, "")
                                    : NULL;
    if (with_carry) {
        const LLVMValueRef c = LLVMBuildZExt(x->b, x->carry, t, "");
        const LLVMValueRef w =
            subtract ? LLVMBuildSub(x->b, v, c, "") : LLVMBuildAdd(x->b, v, c, "");
        if (sets_carry)
            carry = LLVMBuildOr(x->b, carry,
                                subtract ? LLVMBuildICmp(x->b, LLVMIntULT, v, c, "")
                                         : LLVMBuildICmp(x->b, LLVMIntULT, w, v, ""),
                                "");
        v = w;
    }
    if (sets_carry)
        set_carry(x, carry);
    return v;
}

/* add.sat.s32: the sum of 64 bits, cut to what an int holds */
static enum qn__ptx_answer saturating_sum(struct qn__ptx *x, bool subtract)
{
    const struct qn__ptx_type t = {.bits = 32, .is_signed = true};
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    if (!a || !b || x->n_words != 3 || !qn__equal(x->words[2], "s32"))
        return QN__PTX_FAILED;
    a = LLVMBuildSExt(x->b, a, wide, "");
    b = LLVMBuildSExt(x->b, b, wide, "");
    LLVMValueRef v = subtract ? LLVMBuildSub(x->b, a, b, "") : LLVMBuildAdd(x->b, a, b, "");
    const LLVMValueRef least = LLVMConstInt(wide, (uint64_t)INT32_MIN, true);
    const LLVMValueRef most = LLVMConstInt(wide, INT32_MAX, true);
    v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, v, least, ""), least, v, "");
    v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSGT, v, most, ""), most, v, "");
    return set(x, LLVMBuildTrunc(x->b, v, LLVMInt32TypeInContext(x->u->context), ""));
}

/* add d, a, b and sub, with or without carry */
static enum qn__ptx_answer add_or_sub(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const bool subtract = qn__starts_with(x->words[0], "sub");
    if (qn__equal(x->words[1], "sat"))
        return saturating_sum(x, subtract);
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "cc"))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    return a && b ? set(x, sum(x, a, b, subtract, x->words[0][3] == 'c', qn__ptx_has(x, "cc")))
                  : QN__PTX_FAILED;
}

/* a * b: the low half, the high half (__umulhi), or both (.wide) */
static LLVMValueRef product(struct qn__ptx *x, LLVMValueRef a, LLVMValueRef b,
                            const struct qn__ptx_type *t)
{
    const LLVMTypeRef type = LLVMTypeOf(a);
    if (qn__ptx_has(x, "wide")) {
        const LLVMTypeRef wide = LLVMIntTypeInContext(x->u->context, t->bits * 2);
        if (t->bits > 32) {
            qn__ptx_unknown(x, "OpenCL has no 128-bit integers");
            return NULL;
        }
        return t->is_signed ? LLVMBuildMul(x->b, LLVMBuildSExt(x->b, a, wide, ""),
                                           LLVMBuildSExt(x->b, b, wide, ""), "")
                            : LLVMBuildMul(x->b, LLVMBuildZExt(x->b, a, wide, ""),
                                           LLVMBuildZExt(x->b, b, wide, ""), "");
    }
    if (!qn__ptx_has(x, "hi"))
        return LLVMBuildMul(x->b, a, b, "");
    if (t->bits < 32) {
        const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
        const LLVMValueRef p =
            LLVMBuildMul(x->b, LLVMBuildIntCast2(x->b, a, word, t->is_signed, ""),
                         LLVMBuildIntCast2(x->b, b, word, t->is_signed, ""), "");
        return LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, p, qn__ptx_number(x, 32, 16), ""), type,
                              "");
    }
    const LLVMValueRef both[] = {a, b};
    return qn__ptx_call(x,
                        t->bits == 64  ? t->is_signed ? "__mul64hi" : "__umul64hi"
                        : t->is_signed ? "__mulhi"
                                       : "__umulhi",
                        type, both, 2);
}

/* mul d, a, b    mad d, a, b, c    madc: with the carry */
static enum qn__ptx_answer multiply(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "lo hi wide cc"))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef p = a && b ? product(x, a, b, &t) : NULL;
    if (!p || x->words[0][1] == 'u')
        return set(x, p);
    struct qn__ptx_type sum_type = t;
    sum_type.bits = LLVMGetIntTypeWidth(LLVMTypeOf(p));
    const LLVMValueRef c = qn__ptx_source(x, 3, &sum_type);
    return c ? set(x, sum(x, p, c, false, qn__equal(x->words[0], "madc"), qn__ptx_has(x, "cc")))
             : QN__PTX_FAILED;
}

/* d = a & b ... ~a ... a << b: shifts by the width or more give 0 or the sign */
static enum qn__ptx_answer logic(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const char *const name = x->words[0];
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    if (!a)
        return QN__PTX_FAILED;
    if (qn__equal(name, "not"))
        return set(x, LLVMBuildNot(x->b, a, ""));
    const bool shift = name[0] == 's';
    const struct qn__ptx_type amount_type = {.bits = 32};
    const LLVMValueRef b = qn__ptx_source(x, 2, shift ? &amount_type : &t);
    if (!b)
        return QN__PTX_FAILED;
    if (qn__equal(name, "and"))
        return set(x, LLVMBuildAnd(x->b, a, b, ""));
    if (qn__equal(name, "or"))
        return set(x, LLVMBuildOr(x->b, a, b, ""));
    if (qn__equal(name, "xor"))
        return set(x, LLVMBuildXor(x->b, a, b, ""));
    const LLVMValueRef most = qn__ptx_number(x, 32, t.bits - 1);
    const LLVMValueRef over = LLVMBuildICmp(x->b, LLVMIntUGT, b, most, "");
    LLVMValueRef by = LLVMBuildSelect(x->b, over, most, b, "");
    by = LLVMBuildIntCast2(x->b, by, LLVMTypeOf(a), false, "");
    if (qn__equal(name, "shr") && t.is_signed)
        return set(x, LLVMBuildAShr(x->b, a, by, ""));
    const LLVMValueRef v =
        qn__equal(name, "shl") ? LLVMBuildShl(x->b, a, by, "") : LLVMBuildLShr(x->b, a, by, "");
    return set(x, LLVMBuildSelect(x->b, over, LLVMConstNull(LLVMTypeOf(a)), v, ""));
}

/* ---- lop3: any function of three bits, as a table of its eight results ---- */

/* `table` has 2^n bits; the choice is on sources[n - 1]. */
static LLVMValueRef table_logic(struct qn__ptx *x, const LLVMValueRef *sources, unsigned n,
                                unsigned table)
{
    const LLVMTypeRef t = LLVMTypeOf(sources[0]);
    const unsigned all = n ? (1u << (1u << n)) - 1 : 1;
    if ((table & all) == 0)
        return LLVMConstNull(t);
    if ((table & all) == all)
        return LLVMConstAllOnes(t);
    const unsigned half = 1u << (n - 1), mask = (1u << half) - 1;
    const unsigned low = table & mask, high = table >> half & mask;
    const LLVMValueRef s = sources[n - 1];
    if (low == high)
        return table_logic(x, sources, n - 1, low);
    if ((low ^ high) == mask) /* one is the other's complement */
        return low == 0 ? s : LLVMBuildXor(x->b, s, table_logic(x, sources, n - 1, low), "");
    const LLVMValueRef if_0 = table_logic(x, sources, n - 1, low);
    const LLVMValueRef if_1 = table_logic(x, sources, n - 1, high);
    if (low == 0)
        return LLVMBuildAnd(x->b, s, if_1, "");
    if (high == mask)
        return LLVMBuildOr(x->b, s, if_0, "");
    if (high == 0)
        return LLVMBuildAnd(x->b, LLVMBuildNot(x->b, s, ""), if_0, "");
    if (low == mask)
        return LLVMBuildOr(x->b, LLVMBuildNot(x->b, s, ""), if_1, "");
    return LLVMBuildOr(x->b, LLVMBuildAnd(x->b, s, if_1, ""),
                       LLVMBuildAnd(x->b, LLVMBuildNot(x->b, s, ""), if_0, ""), "");
}

static enum qn__ptx_answer lop3(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    LLVMValueRef sources[3]; /* the last one is the highest bit of the table's index: a */
    for (unsigned i = 0; i < 3; i++)
        sources[2 - i] = qn__ptx_source(x, i + 1, &t);
    const LLVMValueRef table = qn__ptx_source(x, 4, &t);
    if (!table || !LLVMIsAConstantInt(table) || !sources[0] || !sources[1] || !sources[2])
        return QN__PTX_FAILED;
    return set(x, table_logic(x, sources, 3, (unsigned)LLVMConstIntGetZExtValue(table) & 0xff));
}

/* ---- the rest: device functions of the same meaning ---- */

static const struct {
    const char *name, *function; /* the statement's whole name; the function's */
    unsigned n_sources, bits;    /* of sources; results have 32 bits where `narrow` */
    bool narrow;
} functions[] = {
    {"prmt.b32", "__qn_prmt", 3, 32, true},
    {"shf.l.wrap.b32", "__funnelshift_l", 3, 32, true},
    {"shf.l.clamp.b32", "__funnelshift_lc", 3, 32, true},
    {"shf.r.wrap.b32", "__funnelshift_r", 3, 32, true},
    {"shf.r.clamp.b32", "__funnelshift_rc", 3, 32, true},
    {"fns.b32", "__fns", 3, 32, true},
    {"add.s16x2", "__vadd2", 2, 32, true},
    {"add.u16x2", "__vadd2", 2, 32, true},
    {"popc.b32", "__popc", 1, 32, true},
    {"popc.b64", "__popcll", 1, 64, true},
    {"clz.b32", "__clz", 1, 32, true},
    {"clz.b64", "__clzll", 1, 64, true},
    {"brev.b32", "__brev", 1, 32, true},
    {"brev.b64", "__brevll", 1, 64, false},
    {"sad.u32", "__usad", 3, 32, true},
    {"sad.s32", "__sad", 3, 32, true},
    {"mul24.lo.s32", "__mul24", 2, 32, true},
    {"mul24.lo.u32", "__umul24", 2, 32, true},
    {"dp4a.s32.s32", "__qn_dp4a_i32", 3, 32, true},
    {"dp4a.u32.u32", "__qn_dp4a_u32", 3, 32, true},
    {"min.s32", "llvm.smin.i32", 2, 32, true},
    {"max.s32", "llvm.smax.i32", 2, 32, true},
    {"min.u32", "llvm.umin.i32", 2, 32, true},
    {"max.u32", "llvm.umax.i32", 2, 32, true},
    {"min.s64", "llvm.smin.i64", 2, 64, false},
    {"max.s64", "llvm.smax.i64", 2, 64, false},
    {"min.u64", "llvm.umin.i64", 2, 64, false},
    {"max.u64", "llvm.umax.i64", 2, 64, false},
};

static enum qn__ptx_answer by_function(struct qn__ptx *x)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (!qn__equal(x->text, functions[i].name))
            continue;
        LLVMValueRef sources[3];
        const struct qn__ptx_type t = {.bits = functions[i].bits};
        if (x->n_operands != functions[i].n_sources + 1)
            return QN__PTX_FAILED;
        for (unsigned k = 0; k < functions[i].n_sources; k++)
            if (!(sources[k] = qn__ptx_source(x, k + 1, &t)))
                return QN__PTX_FAILED;
        const unsigned bits = functions[i].narrow ? 32 : 64;
        return set(x,
                   qn__ptx_call(x, functions[i].function, LLVMIntTypeInContext(x->u->context, bits),
                                sources, functions[i].n_sources));
    }
    return QN__PTX_OTHER;
}

/* min and max of what the table has no row for: 16 bits, pairs of them, .relu */
static enum qn__ptx_answer extreme(struct qn__ptx *x)
{
    const bool is_max = qn__equal(x->words[0], "max");
    const char *const type = x->words[x->n_words - 1];
    const bool is_pair = qn__equal(type, "s16x2") || qn__equal(type, "u16x2");
    struct qn__ptx_type t = {.bits = 32, .is_signed = *type == 's'};
    if ((!is_pair && !qn__ptx_last_type(x, &t)) || !qn__ptx_only(x, "relu") || t.is_float ||
        x->n_operands != 3)
        return QN__PTX_FAILED;
    const LLVMValueRef s[] = {qn__ptx_source(x, 1, &t), qn__ptx_source(x, 2, &t)};
    if (!s[0] || !s[1])
        return QN__PTX_FAILED;
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(s[0]));
    if (is_pair) {
        const char *const end = t.is_signed ? "s2" : "u2";
        LLVMValueRef v =
            qn__ptx_call(x, qn__text(x->u, "__v%s%s", x->words[0], end), LLVMTypeOf(s[0]), s, 2);
        const LLVMValueRef with_zero[] = {v, zero};
        if (v && qn__ptx_has(x, "relu"))
            v = qn__ptx_call(x, "__vmaxs2", LLVMTypeOf(s[0]), with_zero, 2);
        return set(x, v);
    }
    const LLVMIntPredicate less = t.is_signed ? LLVMIntSLT : LLVMIntULT;
    const LLVMValueRef p = LLVMBuildICmp(x->b, less, s[0], s[1], "");
    LLVMValueRef v = LLVMBuildSelect(x->b, p, s[is_max], s[!is_max], "");
    if (qn__ptx_has(x, "relu"))
        v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, less, v, zero, ""), zero, v, "");
    return set(x, v);
}

/* sad of 16 and 64 bits: |a - b| + c */
static enum qn__ptx_answer difference(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef c = qn__ptx_source(x, 3, &t);
    if (!a || !b || !c)
        return QN__PTX_FAILED;
    const LLVMValueRef p = LLVMBuildICmp(x->b, t.is_signed ? LLVMIntSLT : LLVMIntULT, a, b, "");
    const LLVMValueRef d =
        LLVMBuildSelect(x->b, p, LLVMBuildSub(x->b, b, a, ""), LLVMBuildSub(x->b, a, b, ""), "");
    return set(x, LLVMBuildAdd(x->b, d, c, ""));
}

/* mul24 and mad24: .lo the low 32 of the product's 48 bits, .hi the high ones */
static enum qn__ptx_answer multiply_24(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const bool adds = qn__equal(x->words[0], "mad24");
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "lo hi") || t.bits != 32 ||
        x->n_operands != 3u + adds)
        return QN__PTX_FAILED;
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    const LLVMValueRef by = qn__ptx_number(x, 32, 8);
    LLVMValueRef s[2];
    for (unsigned i = 0; i < 2; i++) {
        if (!(s[i] = qn__ptx_source(x, i + 1, &t)))
            return QN__PTX_FAILED;
        s[i] = LLVMBuildShl(x->b, s[i], by, "");
        s[i] = t.is_signed ? LLVMBuildAShr(x->b, s[i], by, "") : LLVMBuildLShr(x->b, s[i], by, "");
        s[i] = LLVMBuildIntCast2(x->b, s[i], wide, t.is_signed, "");
    }
    LLVMValueRef v = LLVMBuildMul(x->b, s[0], s[1], "");
    if (qn__ptx_has(x, "hi"))
        v = LLVMBuildLShr(x->b, v, qn__ptx_number(x, 64, 16), "");
    v = LLVMBuildTrunc(x->b, v, LLVMInt32TypeInContext(x->u->context), "");
    const LLVMValueRef c = adds ? qn__ptx_source(x, 3, &t) : NULL;
    return adds ? c ? set(x, LLVMBuildAdd(x->b, v, c, "")) : QN__PTX_FAILED : set(x, v);
}

/* prmt.b32.mode d, a, b, c: the selector of a mode, by the low two bits of c */
static enum qn__ptx_answer permute(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        unsigned selectors[4];
    } modes[] = {
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    const struct qn__ptx_type t = {.bits = 32};
    LLVMValueRef s[3];
    if (x->n_words != 3 || x->n_operands != 4)
        return QN__PTX_FAILED;
    for (unsigned i = 0; i < 3; i++)
        if (!(s[i] = qn__ptx_source(x, i + 1, &t)))
            return QN__PTX_FAILED;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        if (!qn__equal(x->words[2], modes[m].name))
            continue;
        const LLVMValueRef low = LLVMBuildAnd(x->b, s[2], qn__ptx_number(x, 32, 3), "");
        s[2] = qn__ptx_number(x, 32, modes[m].selectors[3]);
        for (unsigned k = 3; k-- > 0;)
            s[2] = LLVMBuildSelect(
                x->b, LLVMBuildICmp(x->b, LLVMIntEQ, low, qn__ptx_number(x, 32, k), ""),
                qn__ptx_number(x, 32, modes[m].selectors[k]), s[2], "");
        return set(x, qn__ptx_call(x, "__qn_prmt", LLVMTypeOf(s[0]), s, 3));
    }
    return QN__PTX_FAILED;
}

/* dp4a.a.b, dp2a.half.a.b d, a, b, c: the parts' signs may differ */
static enum qn__ptx_answer dot(struct qn__ptx *x)
{
    const bool four = qn__equal(x->words[0], "dp4a");
    const struct qn__ptx_type t = {.bits = 32};
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    struct qn__ptx_type kinds[2];
    if (x->n_words != (four ? 3u : 4u) || x->n_operands != 4 ||
        (!four && !qn__ptx_has(x, "lo") && !qn__ptx_has(x, "hi")))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    LLVMValueRef sum = qn__ptx_source(x, 3, &t);
    for (unsigned i = 0; i < 2; i++)
        if (!qn__ptx_type(&kinds[i], x->words[x->n_words - 2 + i]) || kinds[i].bits != 32 ||
            kinds[i].is_float)
            return QN__PTX_FAILED;
    if (!a || !b || !sum)
        return QN__PTX_FAILED;
    for (unsigned i = 0; i < (four ? 4u : 2u); i++) {
        const unsigned at[] = {i * (four ? 8 : 16), (i + (qn__ptx_has(x, "hi") ? 2 : 0)) * 8};
        const unsigned widths[] = {four ? 8 : 16, 8};
        LLVMValueRef s[] = {a, b};
        for (unsigned k = 0; k < 2; k++) {
            const LLVMTypeRef part = LLVMIntTypeInContext(x->u->context, widths[k]);
            s[k] = LLVMBuildLShr(x->b, s[k], qn__ptx_number(x, 32, at[k]), "");
            s[k] = LLVMBuildTrunc(x->b, s[k], part, "");
            s[k] = LLVMBuildIntCast2(x->b, s[k], word, kinds[k].is_signed, "");
        }
        sum = LLVMBuildAdd(x->b, sum, LLVMBuildMul(x->b, s[0], s[1], ""), "");
    }
    return set(x, sum);
}

/* neg, abs, cnot */
static enum qn__ptx_answer one_source(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    if (!a)
        return QN__PTX_FAILED;
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    if (qn__equal(x->words[0], "neg"))
        return set(x, LLVMBuildNeg(x->b, a, ""));
    if (qn__equal(x->words[0], "cnot"))
        return set(
            x, LLVMBuildZExt(x->b, LLVMBuildICmp(x->b, LLVMIntEQ, a, zero, ""), LLVMTypeOf(a), ""));
    return set(x, LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, a, zero, ""),
                                  LLVMBuildNeg(x->b, a, ""), a, ""));
}

enum qn__ptx_answer qn__ptx_integer(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        enum qn__ptx_answer (*run)(struct qn__ptx *);
    } all[] = {
        {"add", add_or_sub},    {"addc", add_or_sub},   {"sub", add_or_sub}, {"subc", add_or_sub},
        {"mul", multiply},      {"mad", multiply},      {"madc", multiply},  {"and", logic},
        {"or", logic},          {"xor", logic},         {"not", logic},      {"shl", logic},
        {"shr", logic},         {"lop3", lop3},         {"neg", one_source}, {"abs", one_source},
        {"cnot", one_source},   {"min", extreme},       {"max", extreme},    {"sad", difference},
        {"mad24", multiply_24}, {"mul24", multiply_24}, {"prmt", permute},   {"dp4a", dot},
        {"dp2a", dot}};
    const enum qn__ptx_answer answer = by_function(x);
    if (answer != QN__PTX_OTHER)
        return answer;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(x->words[0], all[i].name))
            return all[i].run(x);
    return QN__PTX_OTHER;
}
