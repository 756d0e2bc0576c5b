/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX on memory: loads and stores with their cache hints, fences, barriers. */
#include "compiler/lower/ptx/ptx_memory.h"

#include "compiler/lower/ptx/ptx_operands.h"

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
                         "L1::evict_unchanged L1::no_allocate L2::64B L2::128B L2::256B "
                         "L2::cache_hint"))
        return QN__PTX_FAILED;
    const unsigned n = qn__ptx_has(x, "v4") ? 4 : qn__ptx_has(x, "v2") ? 2 : 1;
    const LLVMValueRef p = qn__ptx_address(x, is_load ? 1 : 0);
    const struct qn__ptx_operand *const data = &x->operands[is_load ? 0 : 1];
    if (!p || x->n_operands != 2u + qn__ptx_has(x, "L2::cache_hint") || data->n != n)
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
    static const char *const nothing[] = {"prefetch", "prefetchu",      "nanosleep",
                                          "brkpt",    "pmevent",        "applypriority",
                                          "discard",  "griddepcontrol", "setmaxnreg"};
    const char *const name = x->words[0];
    if (qn__equal(name, "ld") || qn__equal(name, "ldu") || qn__equal(name, "st"))
        return load_or_store(x);
    if (qn__equal(name, "membar"))
        return qn__ptx_fence(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    if (qn__equal(name, "fence") && !qn__ptx_has(x, "proxy") && !qn__ptx_has(x, "cluster"))
        return qn__ptx_fence(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    if (qn__equal(x->text, "bar.sync") || qn__equal(x->text, "barrier.sync") ||
        qn__equal(x->text, "barrier.sync.aligned") || qn__equal(x->text, "bar.cta.sync") ||
        qn__equal(x->text, "barrier.cta.sync") || qn__equal(x->text, "barrier.cta.sync.aligned"))
        return barrier(x);
    if (qn__equal(x->text, "trap"))
        return call_void(x, "__trap");
    if (qn__equal(name, "createpolicy")) /* a hint, for other instructions' hints */
        return qn__ptx_set(x, 0, qn__ptx_number(x, 64, 0)) ? QN__PTX_DONE : QN__PTX_FAILED;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (qn__equal(name, nothing[i]))
            return QN__PTX_DONE; /* changes no result */
    return QN__PTX_OTHER;
}
