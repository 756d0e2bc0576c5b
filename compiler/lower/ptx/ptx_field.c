/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit fields of inline PTX: taken out, put in, masks, the highest bit, extended numbers. */
#include "compiler/lower/ptx/ptx_field.h"

#include "compiler/lower/ptx/ptx_operands.h"

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

static LLVMValueRef at_most(struct qn__ptx *x, LLVMValueRef v, uint64_t most)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    const LLVMValueRef limit = qn__ptx_number(x, bits, most);
    return LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntUGT, v, limit, ""), limit, v, "");
}

/* the low `length` bits set, length <= 32, in 64 bits */
static LLVMValueRef low_ones(struct qn__ptx *x, LLVMValueRef length)
{
    const LLVMValueRef one = qn__ptx_number(x, 64, 1);
    return LLVMBuildSub(x->b, LLVMBuildShl(x->b, one, length, ""), one, "");
}

/* of position and length the low 8 bits count, and 32 at most */
static LLVMValueRef field_bound(struct qn__ptx *x, unsigned operand)
{
    const struct qn__ptx_type t = {.bits = 32};
    const LLVMValueRef v = qn__ptx_source(x, operand, &t);
    if (!v)
        return NULL;
    const LLVMValueRef low = LLVMBuildAnd(x->b, v, qn__ptx_number(x, 32, 0xff), "");
    return LLVMBuildZExt(x->b, at_most(x, low, 32), LLVMInt64TypeInContext(x->u->context), "");
}

/* ---- of 64 bits: no wider number holds a shift by 64 ---- */

/* v << by or v >> by, 0 for 64 and more */
static LLVMValueRef shifted(struct qn__ptx *x, LLVMValueRef v, LLVMValueRef by, bool left)
{
    const LLVMValueRef most = qn__ptx_number(x, 64, 63);
    const LLVMValueRef over = LLVMBuildICmp(x->b, LLVMIntUGT, by, most, "");
    const LLVMValueRef safe = at_most(x, by, 63);
    const LLVMValueRef result =
        left ? LLVMBuildShl(x->b, v, safe, "") : LLVMBuildLShr(x->b, v, safe, "");
    return LLVMBuildSelect(x->b, over, qn__ptx_number(x, 64, 0), result, "");
}

/* position and length: the low 8 bits */
static LLVMValueRef wide_bound(struct qn__ptx *x, unsigned operand)
{
    const struct qn__ptx_type t = {.bits = 32};
    const LLVMValueRef v = qn__ptx_source(x, operand, &t);
    if (!v)
        return NULL;
    return LLVMBuildZExt(x->b, LLVMBuildAnd(x->b, v, qn__ptx_number(x, 32, 0xff), ""),
                         LLVMInt64TypeInContext(x->u->context), "");
}

static LLVMValueRef wide_ones(struct qn__ptx *x, LLVMValueRef length)
{
    const LLVMValueRef one = qn__ptx_number(x, 64, 1);
    return LLVMBuildSub(x->b, shifted(x, one, length, true), one, "");
}

static enum qn__ptx_answer extract_wide(struct qn__ptx *x, const struct qn__ptx_type *t)
{
    const LLVMValueRef a = qn__ptx_source(x, 1, t);
    const LLVMValueRef position = wide_bound(x, 2), length = wide_bound(x, 3);
    if (!a || !position || !length)
        return QN__PTX_FAILED;
    if (!t->is_signed)
        return set(x, LLVMBuildAnd(x->b, shifted(x, a, position, false), wide_ones(x, length), ""));
    const LLVMValueRef all = qn__ptx_number(x, 64, 64);
    const LLVMValueRef up = at_most(x, LLVMBuildSub(x->b, all, at_most(x, length, 64), ""), 63);
    const LLVMValueRef down = LLVMBuildAShr(x->b, a, at_most(x, position, 63), "");
    const LLVMValueRef field = LLVMBuildAShr(x->b, LLVMBuildShl(x->b, down, up, ""), up, "");
    const LLVMValueRef zero = qn__ptx_number(x, 64, 0);
    return set(x, LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntEQ, length, zero, ""), zero,
                                  field, ""));
}

static enum qn__ptx_answer insert_wide(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 64};
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef position = wide_bound(x, 3), length = wide_bound(x, 4);
    if (!a || !b || !position || !length)
        return QN__PTX_FAILED;
    const LLVMValueRef field = shifted(x, wide_ones(x, length), position, true);
    return set(x, LLVMBuildOr(x->b, LLVMBuildAnd(x->b, b, LLVMBuildNot(x->b, field, ""), ""),
                              LLVMBuildAnd(x->b, shifted(x, a, position, true), field, ""), ""));
}

/* ---- of 32 bits ---- */

/* bfe d, a, position, length: (a >> position) & ((1 << length) - 1), of s32 with the field's sign
 */
static enum qn__ptx_answer extract_field(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "") || t.bits < 32)
        return QN__PTX_FAILED;
    if (t.bits == 64)
        return extract_wide(x, &t);
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    const LLVMValueRef position = field_bound(x, 2), length = field_bound(x, 3);
    if (!a || !position || !length)
        return QN__PTX_FAILED;
    if (!t.is_signed) {
        const LLVMValueRef v = LLVMBuildLShr(x->b, LLVMBuildZExt(x->b, a, wide, ""), position, "");
        return set(x,
                   LLVMBuildTrunc(x->b, LLVMBuildAnd(x->b, v, low_ones(x, length), ""), word, ""));
    }
    const LLVMValueRef v = LLVMBuildAShr(x->b, LLVMBuildSExt(x->b, a, wide, ""), position, "");
    const LLVMValueRef up =
        at_most(x, LLVMBuildSub(x->b, qn__ptx_number(x, 64, 64), length, ""), 63);
    const LLVMValueRef field = LLVMBuildAShr(x->b, LLVMBuildShl(x->b, v, up, ""), up, "");
    const LLVMValueRef none = LLVMBuildICmp(x->b, LLVMIntEQ, length, qn__ptx_number(x, 64, 0), "");
    return set(x, LLVMBuildSelect(x->b, none, qn__ptx_number(x, 32, 0),
                                  LLVMBuildTrunc(x->b, field, word, ""), ""));
}

/* bfi d, a, b, position, length: b with its field replaced by the low bits of a */
static enum qn__ptx_answer insert_field(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    if (qn__equal(x->text, "bfi.b64"))
        return insert_wide(x);
    if (!qn__equal(x->text, "bfi.b32"))
        return QN__PTX_FAILED;
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef position = field_bound(x, 3), length = field_bound(x, 4);
    if (!a || !b || !position || !length)
        return QN__PTX_FAILED;
    a = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, a, wide, ""), position, "");
    b = LLVMBuildZExt(x->b, b, wide, "");
    const LLVMValueRef field = LLVMBuildShl(x->b, low_ones(x, length), position, "");
    const LLVMValueRef v =
        LLVMBuildOr(x->b, LLVMBuildAnd(x->b, b, LLVMBuildNot(x->b, field, ""), ""),
                    LLVMBuildAnd(x->b, a, field, ""), "");
    return set(x, LLVMBuildTrunc(x->b, v, LLVMInt32TypeInContext(x->u->context), ""));
}

/* bmsk.clamp.b32 d, position, length: so many bits set; .wrap takes both modulo 32 */
static enum qn__ptx_answer field_mask(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    const bool wraps = qn__ptx_has(x, "wrap");
    if (x->n_words != 3 || (!wraps && !qn__ptx_has(x, "clamp")))
        return QN__PTX_FAILED;
    LLVMValueRef s[2];
    for (unsigned i = 0; i < 2; i++) {
        if (!(s[i] = qn__ptx_source(x, i + 1, &t)))
            return QN__PTX_FAILED;
        s[i] =
            wraps ? LLVMBuildAnd(x->b, s[i], qn__ptx_number(x, 32, 31), "") : at_most(x, s[i], 32);
        s[i] = LLVMBuildZExt(x->b, s[i], LLVMInt64TypeInContext(x->u->context), "");
    }
    return set(x, LLVMBuildTrunc(x->b, LLVMBuildShl(x->b, low_ones(x, s[1]), s[0], ""),
                                 LLVMInt32TypeInContext(x->u->context), ""));
}

/* bfind: the highest bit that is not the sign's, 31 - __clz(a); -1 where there is none. With
 * .shiftamt: how far it is from the top. */
static enum qn__ptx_answer highest_bit(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "shiftamt") || t.bits < 32)
        return QN__PTX_FAILED;
    LLVMValueRef a = qn__ptx_source(x, 1, &t);
    if (!a)
        return QN__PTX_FAILED;
    if (t.is_signed)
        a = LLVMBuildXor(x->b, a, LLVMBuildAShr(x->b, a, qn__ptx_number(x, t.bits, t.bits - 1), ""),
                         "");
    const LLVMValueRef zeros = qn__ptx_call(x, t.bits == 64 ? "__clzll" : "__clz", word, &a, 1);
    if (!zeros)
        return QN__PTX_FAILED;
    if (!qn__ptx_has(x, "shiftamt"))
        return set(x, LLVMBuildSub(x->b, qn__ptx_number(x, 32, t.bits - 1), zeros, ""));
    const LLVMValueRef none = qn__ptx_number(x, 32, 0xffffffff);
    const LLVMValueRef is_none =
        LLVMBuildICmp(x->b, LLVMIntEQ, zeros, qn__ptx_number(x, 32, t.bits), "");
    return set(x, LLVMBuildSelect(x->b, is_none, none, zeros, ""));
}

/* szext.mode d, a, n: the low n bits, extended to 32; .wrap: n modulo 32 */
static enum qn__ptx_answer extend(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const struct qn__ptx_type word = {.bits = 32};
    if (x->n_words != 3 || !qn__ptx_last_type(x, &t) || t.bits != 32)
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    LLVMValueRef n = qn__ptx_source(x, 2, &word);
    if (!a || !n)
        return QN__PTX_FAILED;
    const LLVMValueRef zero = qn__ptx_number(x, 32, 0);
    n = qn__ptx_has(x, "wrap") ? LLVMBuildAnd(x->b, n, qn__ptx_number(x, 32, 31), "")
                               : at_most(x, n, 32);
    const LLVMValueRef up = at_most(x, LLVMBuildSub(x->b, qn__ptx_number(x, 32, 32), n, ""), 31);
    LLVMValueRef v = LLVMBuildShl(x->b, a, up, "");
    v = t.is_signed ? LLVMBuildAShr(x->b, v, up, "") : LLVMBuildLShr(x->b, v, up, "");
    return set(x, LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntEQ, n, zero, ""), zero, v, ""));
}

enum qn__ptx_answer qn__ptx_field(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        enum qn__ptx_answer (*run)(struct qn__ptx *);
    } all[] = {{"bfe", extract_field},
               {"bfi", insert_field},
               {"bfind", highest_bit},
               {"bmsk", field_mask},
               {"szext", extend}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(x->words[0], all[i].name))
            return all[i].run(x);
    return QN__PTX_OTHER;
}
