/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of mixed pointers (mixed_pointers.c): a pointer for each space and the tag.
 *
 *     p = c ? a : b            where a is global and b private: a, b, and c is the tag
 *     p = phi(a, p + 1)        phi(a, global + 1), phi(-, private + 1), phi(true, tag)
 *     p = *q, p = (T *)n       the word, without its two highest bits, and these bits */
#include "compiler/lower/mixed_parts.h"

#include "compiler/model/value_names.h"

enum { TAG_SHIFT = 62 };

/* By space: its number in the two highest bits, and that of a pointer type which says it
 * (infer_spaces.c). */
static const struct {
    unsigned tag, type;
} codes[QN__N_SPACES] = {
    [QN__GLOBAL] = {0, 1}, [QN__PRIVATE] = {1, 5}, [QN__LOCAL] = {2, 3}, [QN__CONSTANT] = {3, 4}};

bool qn__split_is_mixed(const struct qn__split *s, LLVMValueRef v)
{
    const struct qn__value *const known = qn__value_of(s->f, v);
    return known && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
           known->space == QN__SPACE_MIXED;
}

unsigned qn__split_spaces(const struct qn__split *s, LLVMValueRef pointer)
{
    if (qn__split_is_mixed(s, pointer))
        return s->spaces[qn__value_of(s->f, pointer)->index];
    if (LLVMIsUndef(pointer))
        return 0;
    const enum qn__space where = qn__space_of(s->f, pointer);
    return 1u << (where == QN__SPACE_UNKNOWN ? QN__GLOBAL : where);
}

static bool is_in(unsigned spaces, enum qn__space where)
{
    return spaces >> where & 1;
}

static bool are_two(const struct qn__split *s)
{
    const unsigned rest = s->all & (s->all - 1);
    return (rest & (rest - 1)) == 0;
}

static LLVMTypeRef tag_type(const struct qn__split *s)
{
    return are_two(s) ? LLVMInt1TypeInContext(s->u->context)
                      : LLVMInt32TypeInContext(s->u->context);
}

static LLVMValueRef tag_of(const struct qn__split *s, enum qn__space where)
{
    return LLVMConstInt(tag_type(s), are_two(s) ? where == s->first : codes[where].tag, false);
}

LLVMValueRef qn__split_is(struct qn__split *s, LLVMValueRef tag, enum qn__space where)
{
    if (are_two(s))
        return where == s->first ? tag : LLVMBuildNot(s->b, tag, "");
    if (LLVMIsASelectInst(tag)) {
        const LLVMValueRef c = LLVMGetOperand(tag, 0), a = LLVMGetOperand(tag, 1),
                           b = LLVMGetOperand(tag, 2), wanted = tag_of(s, where);
        if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b) && a != b &&
            (wanted == a || wanted == b))
            return wanted == a ? c : LLVMBuildNot(s->b, c, "");
    }
    return LLVMBuildICmp(s->b, LLVMIntEQ, tag, tag_of(s, where), "");
}

LLVMValueRef qn__split_tag(struct qn__split *s, LLVMValueRef pointer)
{
    const struct qn__parts *const parts = qn__map_get(&s->parts, pointer);
    if (parts)
        return parts->tag;
    const enum qn__space where = qn__space_of(s->f, pointer);
    if (LLVMIsUndef(pointer))
        return LLVMGetPoison(tag_type(s));
    return tag_of(s, where == QN__SPACE_UNKNOWN ? QN__GLOBAL : where);
}

LLVMValueRef qn__split_part(struct qn__split *s, LLVMValueRef pointer, enum qn__space where)
{
    const struct qn__parts *const parts = qn__map_get(&s->parts, pointer);
    const LLVMValueRef part = parts                                        ? parts->pointer[where]
                              : is_in(qn__split_spaces(s, pointer), where) ? pointer
                                                                           : NULL;
    return part ? part : LLVMGetPoison(LLVMTypeOf(pointer));
}

/* ---- numbers ---- */

static LLVMTypeRef word(const struct qn__split *s)
{
    return LLVMInt64TypeInContext(s->u->context);
}

LLVMValueRef qn__split_number(struct qn__split *s, LLVMValueRef pointer)
{
    const unsigned spaces = qn__split_spaces(s, pointer);
    LLVMValueRef number = NULL;
    for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++) {
        if (!is_in(spaces, w))
            continue;
        LLVMValueRef here = LLVMBuildPtrToInt(s->b, qn__split_part(s, pointer, w), word(s), "");
        if (codes[w].tag)
            here = LLVMBuildOr(
                s->b, here, LLVMConstInt(word(s), (uint64_t)codes[w].tag << TAG_SHIFT, false), "");
        number = number ? LLVMBuildSelect(s->b, qn__split_is(s, qn__split_tag(s, pointer), w), here,
                                          number, "")
                        : here;
    }
    return number ? number : LLVMGetPoison(word(s));
}

LLVMValueRef qn__split_untagged(struct qn__split *s, LLVMValueRef number, enum qn__space where)
{
    const LLVMContextRef c = s->u->context;
    if (codes[where].tag)
        number = LLVMBuildAnd(s->b, number,
                              LLVMConstInt(word(s), ((uint64_t)1 << TAG_SHIFT) - 1, false), "");
    return LLVMBuildAddrSpaceCast(
        s->b, LLVMBuildIntToPtr(s->b, number, LLVMPointerTypeInContext(c, codes[where].type), ""),
        LLVMPointerTypeInContext(c, 0), "");
}

static void parts_of_number(struct qn__split *s, struct qn__parts *parts, LLVMValueRef number,
                            unsigned spaces)
{
    const LLVMValueRef bits =
        LLVMBuildLShr(s->b, number, LLVMConstInt(word(s), TAG_SHIFT, false), "");
    parts->tag = are_two(s) ? LLVMBuildICmp(s->b, LLVMIntEQ, bits,
                                            LLVMConstInt(word(s), codes[s->first].tag, false), "")
                            : LLVMBuildTrunc(s->b, bits, tag_type(s), "");
    for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++)
        if (is_in(spaces, w))
            parts->pointer[w] = qn__split_untagged(s, number, w);
}

/* ---- pointers ---- */

static LLVMValueRef chosen(struct qn__split *s, LLVMValueRef condition, LLVMValueRef a,
                           LLVMValueRef b)
{
    if (a == b || LLVMIsPoison(b))
        return a;
    if (LLVMIsPoison(a))
        return b;
    if (are_two(s) && LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b))
        return LLVMConstIntGetZExtValue(a) ? condition : LLVMBuildNot(s->b, condition, "");
    return LLVMBuildSelect(s->b, condition, a, b, "");
}

static LLVMValueRef derived(struct qn__split *s, LLVMValueRef in, LLVMValueRef base)
{
    const LLVMValueRef v = LLVMInstructionClone(in);
    LLVMInsertIntoBuilder(s->b, v);
    LLVMSetOperand(v, 0, base);
    return v;
}

static void name_phi(struct qn__split *s, LLVMValueRef phi, LLVMValueRef in, const char *ending)
{
    const struct qn__source_name name = qn__name_of(s->u, in);
    if (name.name[0])
        qn__name_variable(s->u, phi, qn__text(s->u, "%s_%s", name.name, ending));
}

static void make(struct qn__split *s, struct qn__parts *parts, LLVMValueRef in, unsigned spaces)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    const LLVMValueRef first = LLVMGetOperand(in, 0);
    LLVMPositionBuilderBefore(s->b, in);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
    if (op == LLVMLoad) {
        const LLVMValueRef number = LLVMBuildLoad2(s->b, word(s), first, "");
        LLVMSetAlignment(number, LLVMGetAlignment(in));
        LLVMSetVolatile(number, LLVMGetVolatile(in));
        parts_of_number(s, parts, number, spaces);
    } else if (op == LLVMIntToPtr) {
        parts_of_number(s, parts, LLVMBuildIntCast2(s->b, first, word(s), false, ""), spaces);
    } else if (op == LLVMPHI) {
        parts->tag = LLVMBuildPhi(s->b, tag_type(s), "");
        name_phi(s, parts->tag, in, are_two(s) && s->first == QN__GLOBAL ? "is_global" : "space");
    } else if (op == LLVMSelect) {
        parts->tag = chosen(s, first, qn__split_tag(s, LLVMGetOperand(in, 1)),
                            qn__split_tag(s, LLVMGetOperand(in, 2)));
    } else {
        parts->tag = qn__split_tag(s, first);
    }
    for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++) {
        if (!is_in(spaces, w) || parts->pointer[w])
            continue;
        if (op == LLVMPHI) {
            parts->pointer[w] = LLVMBuildPhi(s->b, LLVMTypeOf(in), "");
            name_phi(s, parts->pointer[w], in, qn__space_word(w));
        } else if (op == LLVMSelect) {
            parts->pointer[w] = chosen(s, first, qn__split_part(s, LLVMGetOperand(in, 1), w),
                                       qn__split_part(s, LLVMGetOperand(in, 2), w));
        } else {
            parts->pointer[w] = derived(s, in, qn__split_part(s, first, w));
        }
    }
}

static void fill_phi(struct qn__split *s, const struct qn__parts *parts, LLVMValueRef in)
{
    for (unsigned i = 0; i < LLVMCountIncoming(in); i++) {
        const LLVMValueRef v = LLVMGetIncomingValue(in, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(in, i);
        LLVMValueRef tag = qn__split_tag(s, v);
        LLVMAddIncoming(parts->tag, &tag, &from, 1);
        for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++)
            if (parts->pointer[w]) {
                LLVMValueRef part = qn__split_part(s, v, w);
                LLVMAddIncoming(parts->pointer[w], &part, &from, 1);
            }
    }
}

/* ---- phis that are one value ---- */

static bool is_there(const struct qn__split *s, LLVMValueRef v, LLVMValueRef phi)
{
    if (!LLVMIsAInstruction(v))
        return true;
    const struct qn__block *const a = qn__block_of(s->f, LLVMGetInstructionParent(v)),
                                  *const b = qn__block_of(s->f, LLVMGetInstructionParent(phi));
    return a && b && a != b && qn__dominates(a, b);
}

static LLVMValueRef only_value(const struct qn__split *s, LLVMValueRef phi)
{
    LLVMValueRef only = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (v == phi || v == only || LLVMIsPoison(v))
            continue;
        if (only)
            return NULL;
        only = v;
    }
    return only && is_there(s, only, phi) ? only : NULL;
}

static void replace_in_all(struct qn__split *s, LLVMValueRef old, LLVMValueRef now)
{
    for (uint32_t i = 0; i < s->f->n_values; i++) {
        struct qn__parts *const parts = qn__map_get(&s->parts, s->f->values[i].llvm);
        if (parts && parts->tag == old)
            parts->tag = now;
        for (enum qn__space w = QN__PRIVATE; parts && w <= QN__CONSTANT; w++)
            if (parts->pointer[w] == old)
                parts->pointer[w] = now;
    }
    LLVMReplaceAllUsesWith(old, now);
    LLVMInstructionEraseFromParent(old);
}

static bool simplify(struct qn__split *s, LLVMValueRef phi)
{
    const LLVMValueRef only = phi && LLVMIsAPHINode(phi) ? only_value(s, phi) : NULL;
    if (only)
        replace_in_all(s, phi, only);
    return only != NULL;
}

static void simplify_phis(struct qn__split *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->f->n_values; i++) {
            const LLVMValueRef in = s->f->values[i].llvm;
            const struct qn__parts *const parts = qn__map_get(&s->parts, in);
            if (!parts || !LLVMIsAPHINode(in))
                continue;
            changed |= simplify(s, parts->tag);
            for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++)
                changed |= simplify(s, parts->pointer[w]);
        }
    }
}

void qn__split_make_parts(struct qn__split *s)
{
    struct qn__function *const f = s->f;
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        const LLVMValueRef in = f->values[i].llvm;
        if (!qn__split_is_mixed(s, in))
            continue;
        struct qn__parts *const parts = QN__NEED(s->u, struct qn__parts);
        make(s, parts, in, qn__split_spaces(s, in));
        qn__map_put(s->u, &s->parts, in, parts);
    }
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        const struct qn__parts *const parts = qn__map_get(&s->parts, f->values[i].llvm);
        if (parts && LLVMIsAPHINode(f->values[i].llvm))
            fill_phi(s, parts, f->values[i].llvm);
    }
    simplify_phis(s);
}
