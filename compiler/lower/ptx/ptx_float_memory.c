/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX other than integer arithmetic: floats, moves and comparisons; loads and stores with
 * their cache hints, fences, barriers. */
#include "compiler/lower/ptx/ptx_float_memory.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

static bool sources(struct qn__ptx *x, LLVMValueRef *out, unsigned n, const struct qn__ptx_type *t)
{
    if (x->n_operands != n + 1)
        return qn__ptx_unknown(x, "other operands than expected");
    for (unsigned i = 0; i < n; i++)
        if (!(out[i] = qn__ptx_source(x, i + 1, t)))
            return false;
    return true;
}

/* ---- floats ---- */

/* Approximations have bounds that the function named here keeps; .ftz may flush what is below the
 * smallest normal number, and need not. A rounding that is spelled out forbids contraction. */
static const struct {
    const char *name, *function;
    unsigned n_sources;
} float_functions[] = {
    {"add.rn.f32", "__fadd_rn", 2},
    {"sub.rn.f32", "__fsub_rn", 2},
    {"mul.rn.f32", "__fmul_rn", 2},
    {"fma.rn.f32", "__fmaf_rn", 3},
    {"div.rn.f32", "__fdiv_rn", 2},
    {"rcp.rn.f32", "__frcp_rn", 1},
    {"sqrt.rn.f32", "__fsqrt_rn", 1},
    {"add.rn.f64", "__dadd_rn", 2},
    {"sub.rn.f64", "__dsub_rn", 2},
    {"mul.rn.f64", "__dmul_rn", 2},
    {"fma.rn.f64", "__fma_rn", 3},
    {"div.rn.f64", "__ddiv_rn", 2},
    {"rcp.rn.f64", "__drcp_rn", 1},
    {"sqrt.rn.f64", "__dsqrt_rn", 1},
    {"add.rz.f32", "__fadd_rz", 2},
    {"mul.rz.f32", "__fmul_rz", 2},
    {"fma.rz.f32", "__fmaf_rz", 3},
    {"min.f32", "fminf", 2},
    {"max.f32", "fmaxf", 2},
    {"min.f64", "fmin", 2},
    {"max.f64", "fmax", 2},
    {"div.approx.f32", "__fdividef", 2},
    {"div.full.f32", "__fdividef", 2},
    {"sqrt.approx.f32", "sqrtf", 1},
    {"rsqrt.approx.f32", "rsqrtf", 1},
    {"ex2.approx.f32", "exp2f", 1},
    {"lg2.approx.f32", "__log2f", 1},
    {"sin.approx.f32", "__sinf", 1},
    {"cos.approx.f32", "__cosf", 1},
    {"tanh.approx.f32", "tanhf", 1},
};

/* The statement's name without .ftz. */
static const char *name_without_ftz(struct qn__ptx *x)
{
    const char *name = x->words[0];
    for (unsigned i = 1; i < x->n_words; i++)
        if (!qn__equal(x->words[i], "ftz"))
            name = qn__text(x->u, "%s.%s", name, x->words[i]);
    return name;
}

static enum qn__ptx_answer float_function(struct qn__ptx *x, const struct qn__ptx_type *t)
{
    const char *const name = name_without_ftz(x);
    for (size_t i = 0; i < sizeof float_functions / sizeof *float_functions; i++) {
        if (!qn__equal(name, float_functions[i].name))
            continue;
        LLVMValueRef s[3] = {0};
        const bool approximate = qn__ptx_has(x, "approx") || qn__ptx_has(x, "full");
        if (qn__ptx_has(x, "ftz") && !approximate && !x->u->fast_math) {
            qn__ptx_unknown(x, ".ftz flushes small numbers to zero, which OpenCL promises with "
                               "--use_fast_math only");
            return QN__PTX_FAILED;
        }
        return sources(x, s, float_functions[i].n_sources, t)
                   ? set(x, qn__ptx_call(x, float_functions[i].function, qn__ptx_llvm_type(x, t), s,
                                         float_functions[i].n_sources))
                   : QN__PTX_FAILED;
    }
    return QN__PTX_OTHER;
}

/* add, sub and mul without a rounding may be contracted, as in C++ */
static enum qn__ptx_answer float_arithmetic(struct qn__ptx *x, const struct qn__ptx_type *t)
{
    LLVMValueRef s[2] = {0};
    const char *const name = x->words[0];
    if (qn__equal(name_without_ftz(x), "rcp.approx.f32"))
        return sources(x, s, 1, t)
                   ? set(x, LLVMBuildFDiv(x->b, LLVMConstReal(LLVMTypeOf(s[0]), 1), s[0], ""))
                   : QN__PTX_FAILED;
    const bool one = qn__equal(name, "neg") || qn__equal(name, "abs");
    const bool known =
        one || qn__equal(name, "add") || qn__equal(name, "sub") || qn__equal(name, "mul");
    if (!known || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    if (!sources(x, s, one ? 1 : 2, t))
        return QN__PTX_FAILED;
    if (qn__equal(name, "neg"))
        return set(x, LLVMBuildFNeg(x->b, s[0], ""));
    if (qn__equal(name, "abs"))
        return set(x, qn__ptx_call(x, t->bits == 64 ? "llvm.fabs.f64" : "llvm.fabs.f32",
                                   qn__ptx_llvm_type(x, t), s, 1));
    return set(x, qn__equal(name, "add")   ? LLVMBuildFAdd(x->b, s[0], s[1], "")
                  : qn__equal(name, "sub") ? LLVMBuildFSub(x->b, s[0], s[1], "")
                                           : LLVMBuildFMul(x->b, s[0], s[1], ""));
}

/* ---- moves, comparisons, choices ---- */

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

/* setp.cmp.type p, a, b: p = a < b    set.cmp.s32.type d, a, b: d = a < b ? -1 : 0    of f32: 1 or
 * 0 */
static enum qn__ptx_answer compare(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        LLVMIntPredicate is_signed, is_unsigned;
        LLVMRealPredicate is_float;
    } all[] = {
        {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
        {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},  {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
        {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},  {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
        {"lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT},  {"ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE},
        {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT},  {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE},
        {"neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE},   {"ltu", LLVMIntULT, LLVMIntULT, LLVMRealULT},
        {"gtu", LLVMIntUGT, LLVMIntUGT, LLVMRealUGT},
    };
    struct qn__ptx_type t, to = {.bits = 1, .is_predicate = true};
    LLVMValueRef s[2] = {0}, p = NULL;
    const bool of_number = qn__equal(x->words[0], "set");
    if (x->n_words != 3u + of_number || x->operands[0].second || !qn__ptx_last_type(x, &t) ||
        !sources(x, s, 2, &t) || (of_number && (!qn__ptx_type(&to, x->words[2]) || to.bits != 32)))
        return QN__PTX_FAILED;
    for (size_t i = 0; i < sizeof all / sizeof *all && !p; i++)
        if (qn__equal(x->words[1], all[i].name))
            p = t.is_float
                    ? LLVMBuildFCmp(x->b, all[i].is_float, s[0], s[1], "")
                    : LLVMBuildICmp(x->b, t.is_signed ? all[i].is_signed : all[i].is_unsigned, s[0],
                                    s[1], "");
    if (!p || !of_number)
        return set(x, p);
    const LLVMTypeRef type = qn__ptx_llvm_type(x, &to);
    return set(x,
               to.is_float ? LLVMBuildUIToFP(x->b, p, type, "") : LLVMBuildSExt(x->b, p, type, ""));
}

/* selp d, a, b, p: p ? a : b */
static enum qn__ptx_answer choose(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const struct qn__ptx_type predicate = {.bits = 1, .is_predicate = true};
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef p = qn__ptx_source(x, 3, &predicate);
    return a && b && p ? set(x, LLVMBuildSelect(x->b, p, a, b, "")) : QN__PTX_FAILED;
}

/* cvt.rn.f16.f32, cvt.f32.f16: a half is an integer of 16 bits to PTX's registers */
static enum qn__ptx_answer convert_half(struct qn__ptx *x, bool to_half)
{
    const struct qn__ptx_type single = {.bits = 32, .is_float = true}, half = {.bits = 16};
    LLVMValueRef a;
    return sources(x, &a, 1, to_half ? &single : &half)
               ? set(x, qn__ptx_call(x, to_half ? "__qn_f32_to_f16" : "__qn_f16_to_f32",
                                     qn__ptx_llvm_type(x, to_half ? &half : &single), &a, 1))
               : QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_float(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (qn__equal(x->text, "cvt.rn.f16.f32") || qn__equal(x->text, "cvt.f32.f16"))
        return convert_half(x, qn__equal(x->text, "cvt.rn.f16.f32"));
    if (qn__equal(x->words[0], "mov"))
        return move(x);
    if (qn__equal(x->words[0], "setp") || qn__equal(x->words[0], "set"))
        return compare(x);
    if (qn__equal(x->words[0], "selp"))
        return choose(x);
    if (qn__starts_with(x->text, "cvta.")) { /* the number of an address does not change */
        const struct qn__ptx_type address = {.bits = 64};
        return qn__equal(x->words[x->n_words - 1], "u64") ? set(x, qn__ptx_source(x, 1, &address))
                                                          : QN__PTX_FAILED;
    }
    if (x->n_words < 2 || !qn__ptx_type(&t, x->words[x->n_words - 1]) || !t.is_float)
        return QN__PTX_OTHER;
    struct qn__ptx_type to; /* cvt to an integer is among the integers' */
    const bool is_sat = x->n_words == 5 && qn__equal(x->words[2], "sat");
    if (x->n_words == 4u + is_sat && qn__equal(x->words[0], "cvt") &&
        qn__ptx_type(&to, x->words[2 + is_sat]) && !to.is_float)
        return QN__PTX_OTHER;
    const enum qn__ptx_answer answer = float_function(x, &t);
    return answer == QN__PTX_OTHER ? float_arithmetic(x, &t) : answer;
}

/* ---- loads and stores ---- */

static enum qn__ptx_answer call_void(struct qn__ptx *x, const char *name)
{
    const LLVMTypeRef nothing = LLVMVoidTypeInContext(x->u->context);
    return qn__ptx_call(x, name, nothing, NULL, 0) ? QN__PTX_DONE : QN__PTX_FAILED;
}

bool qn__ptx_fence(struct qn__ptx *x)
{
    return call_void(x, qn__ptx_has(x, "cta")   ? "__threadfence_block"
                        : qn__ptx_has(x, "sys") ? "__threadfence_system"
                                                : "__threadfence") == QN__PTX_DONE;
}

/* ld{.volatile}{.global|.shared}{.cache hints}{.v2|.v4}.type d, [a]    st ... [a], d
 * Hints change no result. Acquire and release are the plain access and a fence. */
static enum qn__ptx_answer load_or_store(struct qn__ptx *x)
{
    const bool is_load = qn__equal(x->words[0], "ld") || qn__equal(x->words[0], "ldu");
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) ||
        !qn__ptx_only(x, "volatile relaxed acquire release weak global shared shared::cta cta gpu "
                         "sys ca cg cs lu cv "
                         "wb wt nc v2 v4 L1::evict_normal L1::evict_first L1::evict_last "
                         "L1::evict_unchanged L1::no_allocate L2::64B L2::128B L2::256B"))
        return QN__PTX_FAILED;
    const unsigned n = qn__ptx_has(x, "v4") ? 4 : qn__ptx_has(x, "v2") ? 2 : 1;
    const LLVMValueRef p = qn__ptx_address(x, is_load ? 1 : 0);
    const struct qn__ptx_operand *const data = &x->operands[is_load ? 0 : 1];
    if (!p || x->n_operands != 2 || data->n != n)
        return QN__PTX_FAILED;
    const LLVMTypeRef element = qn__ptx_llvm_type(x, &t);
    const LLVMTypeRef whole = n > 1 ? LLVMVectorType(element, n) : element;
    const bool ordered = qn__ptx_has(x, "volatile") || qn__ptx_has(x, "relaxed") ||
                         qn__ptx_has(x, "acquire") || qn__ptx_has(x, "release");
    if (is_load) {
        const LLVMValueRef v = LLVMBuildLoad2(x->b, whole, p, "");
        LLVMSetAlignment(v, n * t.bits / 8);
        LLVMSetVolatile(v, ordered);
        if (qn__ptx_has(x, "acquire") && !qn__ptx_fence(x))
            return QN__PTX_FAILED;
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef part =
                n > 1 ? LLVMBuildExtractElement(x->b, v, qn__ptx_number(x, 32, i), "") : v;
            if (t.bits < 32) /* registers of 32 bits hold narrower values, extended */
                part = LLVMBuildIntCast2(x->b, part, LLVMInt32TypeInContext(x->u->context),
                                         t.is_signed, "");
            if (!qn__ptx_set_part(x, data->parts[i], part))
                return QN__PTX_FAILED;
        }
        return QN__PTX_DONE;
    }
    if (qn__ptx_has(x, "release") && !qn__ptx_fence(x))
        return QN__PTX_FAILED;
    LLVMValueRef v = LLVMGetUndef(whole);
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef part = qn__ptx_part(x, data->parts[i], &t);
        if (!part)
            return QN__PTX_FAILED;
        v = n > 1 ? LLVMBuildInsertElement(x->b, v, part, qn__ptx_number(x, 32, i), "") : part;
    }
    const LLVMValueRef store = LLVMBuildStore(x->b, v, p);
    LLVMSetAlignment(store, n * t.bits / 8);
    LLVMSetVolatile(store, ordered);
    return QN__PTX_DONE;
}

/* ---- barriers ---- */

/* bar.sync id is of the whole block, whatever its number. bar.sync id, n ends once n threads have
 * come: with 32 each warp does not wait for another. */
static enum qn__ptx_answer barrier(struct qn__ptx *x)
{
    const struct qn__ptx_type word = {.bits = 32};
    const LLVMValueRef id = qn__ptx_source(x, 0, &word);
    const LLVMValueRef count = x->n_operands == 2 ? qn__ptx_source(x, 1, &word) : NULL;
    const LLVMValueRef all = qn__ptx_number(x, 32, 0xffffffff);
    if (!id || !LLVMIsAConstantInt(id) || x->n_operands > 2 || (x->n_operands == 2 && !count))
        return QN__PTX_FAILED;
    if (!count)
        return call_void(x, "__syncthreads");
    if (LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 32)
        return qn__ptx_call(x, "__qn_syncwarp", LLVMVoidTypeInContext(x->u->context), &all, 1)
                   ? QN__PTX_DONE
                   : QN__PTX_FAILED;
    qn__ptx_unknown(x, "a barrier of a part of the block has no OpenCL form");
    return QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_memory(struct qn__ptx *x)
{
    static const char *const nothing[] = {"prefetch", "prefetchu", "nanosleep", "brkpt", "pmevent"};
    const char *const name = x->words[0];
    if (qn__equal(name, "ld") || qn__equal(name, "ldu") || qn__equal(name, "st"))
        return load_or_store(x);
    if (qn__equal(name, "membar"))
        return qn__ptx_fence(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    if (qn__equal(name, "fence") && !qn__ptx_has(x, "proxy") && !qn__ptx_has(x, "cluster"))
        return qn__ptx_fence(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    if (qn__equal(x->text, "bar.sync") || qn__equal(x->text, "barrier.sync") ||
        qn__equal(x->text, "barrier.sync.aligned"))
        return barrier(x);
    if (qn__equal(x->text, "trap"))
        return call_void(x, "__trap");
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (qn__equal(name, nothing[i]))
            return QN__PTX_DONE; /* changes no result */
    return QN__PTX_OTHER;
}
