/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX: what the lanes of a warp do together. */
#include "compiler/lower/ptx/ptx_warp.h"

#include "compiler/lower/ptx/ptx_operands.h"

static const struct qn__ptx_type word = {.bits = 32};
static const struct qn__ptx_type predicate = {.bits = 1, .is_predicate = true};

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

static LLVMTypeRef word_type(struct qn__ptx *x)
{
    return LLVMInt32TypeInContext(x->u->context);
}

static LLVMValueRef call(struct qn__ptx *x, const char *name, const LLVMValueRef *arguments,
                         unsigned n)
{
    return qn__ptx_call(x, name, word_type(x), arguments, n);
}

static bool sources(struct qn__ptx *x, LLVMValueRef *out, unsigned n)
{
    if (x->n_operands != n + 1)
        return qn__ptx_unknown(x, "other operands than expected");
    for (unsigned i = 0; i < n; i++)
        if (!(out[i] = qn__ptx_source(x, i + 1, &word)))
            return false;
    return true;
}

/* ---- shfl ---- */

enum mode { IDX, UP, DOWN, BFLY };

/* The lane that a shuffle names, and whether it lies in the own lane's segment. The low bits of c
 * are the segment's last lane (UP: its first), those from 8 on the bits that segments differ in. */
static LLVMValueRef named_lane(struct qn__ptx *x, enum mode mode, LLVMValueRef b, LLVMValueRef c,
                               LLVMValueRef lane, LLVMValueRef *inside)
{
    const LLVMValueRef all = qn__ptx_number(x, 32, 31);
    const LLVMValueRef segments =
        LLVMBuildAnd(x->b, LLVMBuildLShr(x->b, c, qn__ptx_number(x, 32, 8), ""), all, "segments");
    const LLVMValueRef within = LLVMBuildXor(x->b, segments, all, "");
    const LLVMValueRef first = LLVMBuildAnd(x->b, lane, segments, "");
    const LLVMValueRef last =
        LLVMBuildOr(x->b, first, LLVMBuildAnd(x->b, c, within, ""), mode == UP ? "first" : "last");
    b = LLVMBuildAnd(x->b, b, all, "");
    const LLVMValueRef from =
        mode == UP     ? LLVMBuildSub(x->b, lane, b, "from")
        : mode == DOWN ? LLVMBuildAdd(x->b, lane, b, "from")
        : mode == BFLY ? LLVMBuildXor(x->b, lane, b, "from")
                       : LLVMBuildOr(x->b, first, LLVMBuildAnd(x->b, b, within, ""), "from");
    *inside = LLVMBuildICmp(x->b, mode == UP ? LLVMIntSGE : LLVMIntSLE, from, last, "inside");
    return from;
}

/* The width of __shfl_sync() that has such a c; 0: there is none. */
static unsigned width_of(enum mode mode, LLVMValueRef c)
{
    if (!LLVMIsAConstantInt(c))
        return 0;
    const uint64_t v = LLVMConstIntGetZExtValue(c), width = 32 - (v >> 8);
    const bool is_one = width >= 1 && width <= 32 && (width & (width - 1)) == 0;
    return is_one && (v & 0xff) == (mode == UP ? 0 : 31) ? (unsigned)width : 0;
}

/* shfl.sync.mode.b32 d|p, a, b, c, mask: a of the lane that b names, the own a where that is
 * outside of the segment; p: it is inside. */
static enum qn__ptx_answer shuffle(struct qn__ptx *x)
{
    static const char *const modes[][2] = {[IDX] = {"idx", "__qn_shfl_u32"},
                                           [UP] = {"up", "__qn_shfl_up_u32"},
                                           [DOWN] = {"down", "__qn_shfl_down_u32"},
                                           [BFLY] = {"bfly", "__qn_shfl_xor_u32"}};
    LLVMValueRef s[4] = {0}, inside = NULL;
    unsigned mode = IDX;
    while (mode <= BFLY && x->n_words > 2 && !qn__equal(x->words[2], modes[mode][0]))
        mode++;
    if (mode > BFLY || x->n_words != 4 || !qn__equal(x->words[1], "sync") || !sources(x, s, 4))
        return QN__PTX_FAILED;
    const char *const is_inside = x->operands[0].second;
    const unsigned width = width_of((enum mode)mode, s[2]);
    LLVMValueRef by = s[1];
    if (!width || is_inside) {
        const LLVMValueRef lane = qn__ptx_part(x, "%laneid", &word);
        const LLVMValueRef from = named_lane(x, (enum mode)mode, s[1], s[2], lane, &inside);
        if (!width)
            by = LLVMBuildSelect(x->b, inside, from, lane, "from");
    }
    const LLVMValueRef arguments[] = {s[3], s[0], by, qn__ptx_number(x, 32, width ? width : 32)};
    const LLVMValueRef v = call(x, modes[width ? mode : IDX][1], arguments, 4);
    return v && (!is_inside || qn__ptx_set_part(x, is_inside, inside)) ? set(x, v) : QN__PTX_FAILED;
}

/* ---- the others ---- */

/* vote.sync.ballot.b32 d, p, mask    vote.sync.any.pred q, p, mask    vote.ballot.sync.b32 */
static enum qn__ptx_answer vote(struct qn__ptx *x)
{
    if (x->n_words != 4 || !qn__ptx_has(x, "sync") || x->n_operands != 3)
        return QN__PTX_FAILED;
    const LLVMValueRef p = qn__ptx_source(x, 1, &predicate), mask = qn__ptx_source(x, 2, &word);
    if (!p || !mask)
        return QN__PTX_FAILED;
    const bool is_ballot = qn__ptx_has(x, "ballot");
    if (qn__ptx_has(x, "uni")) { /* all of them, or none */
        const LLVMValueRef no[] = {
            mask, LLVMBuildZExt(x->b, LLVMBuildNot(x->b, p, ""), word_type(x), "")};
        const LLVMValueRef yes[] = {mask, LLVMBuildZExt(x->b, p, word_type(x), "")};
        const LLVMValueRef all = call(x, "__all_sync", yes, 2);
        const LLVMValueRef none = all ? call(x, "__all_sync", no, 2) : NULL;
        return none ? set(x, LLVMBuildICmp(x->b, LLVMIntNE, LLVMBuildOr(x->b, all, none, ""),
                                           qn__ptx_number(x, 32, 0), ""))
                    : QN__PTX_FAILED;
    }
    const char *const name = is_ballot               ? "__ballot_sync"
                             : qn__ptx_has(x, "any") ? "__any_sync"
                             : qn__ptx_has(x, "all") ? "__all_sync"
                                                     : NULL;
    const LLVMValueRef arguments[] = {mask, LLVMBuildZExt(x->b, p, word_type(x), "")};
    const LLVMValueRef v = name ? call(x, name, arguments, 2) : NULL;
    if (!v || is_ballot)
        return set(x, v);
    return set(x, LLVMBuildICmp(x->b, LLVMIntNE, v, qn__ptx_number(x, 32, 0), ""));
}

/* redux.sync.op.type d, a, mask: __reduce_add_sync and the like */
static enum qn__ptx_answer reduce(struct qn__ptx *x)
{
    LLVMValueRef s[2] = {0};
    if (x->n_words != 4 || !qn__equal(x->words[1], "sync") ||
        (!qn__equal(x->words[3], "s32") && !qn__equal(x->words[3], "u32") &&
         !qn__equal(x->words[3], "b32")) ||
        !sources(x, s, 2))
        return QN__PTX_FAILED;
    const LLVMValueRef arguments[] = {s[1], s[0]};
    return set(x, call(x,
                       qn__text(x->u, "__qn_reduce_%s_%s", x->words[2],
                                qn__equal(x->words[3], "s32") ? "i32" : "u32"),
                       arguments, 2));
}

/* match.any.sync.b32 d, a, mask    match.all.sync.b64 d|p, a, mask */
static enum qn__ptx_answer match(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const bool all = qn__equal(x->words[1], "all");
    if (x->n_words != 4 || !qn__equal(x->words[2], "sync") || x->n_operands != 3 ||
        !qn__ptx_last_type(x, &t) || t.bits < 32 || (!all && !qn__equal(x->words[1], "any")))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), mask = qn__ptx_source(x, 2, &word);
    if (!a || !mask)
        return QN__PTX_FAILED;
    const LLVMValueRef arguments[] = {mask, a};
    const char *const second = x->operands[0].second;
    const LLVMValueRef v =
        call(x, qn__text(x->u, "__qn_match_%s_u%u", all ? "all" : "any", t.bits), arguments, 2);
    if (!v || !second)
        return set(x, v);
    return qn__ptx_set_part(x, second,
                            LLVMBuildICmp(x->b, LLVMIntNE, v, qn__ptx_number(x, 32, 0), ""))
               ? set(x, v)
               : QN__PTX_FAILED;
}

/* elect.sync d|p, mask: the lowest lane of the mask; p: it is the own one */
static enum qn__ptx_answer elect(struct qn__ptx *x)
{
    const LLVMValueRef mask =
        qn__equal(x->text, "elect.sync") && x->n_operands == 2 ? qn__ptx_source(x, 1, &word) : NULL;
    const char *const second = x->operands[0].second;
    if (!mask)
        return QN__PTX_FAILED;
    const LLVMValueRef lowest = LLVMBuildAnd(x->b, mask, LLVMBuildNeg(x->b, mask, ""), "");
    const LLVMValueRef zeros = call(x, "__clz", &lowest, 1);
    const LLVMValueRef lane = qn__ptx_part(x, "%laneid", &word);
    if (!zeros || !lane)
        return QN__PTX_FAILED;
    const LLVMValueRef leader = LLVMBuildSub(x->b, qn__ptx_number(x, 32, 31), zeros, "leader");
    return !second || qn__ptx_set_part(x, second, LLVMBuildICmp(x->b, LLVMIntEQ, leader, lane, ""))
               ? set(x, leader)
               : QN__PTX_FAILED;
}

/* bar.red.popc.u32 d, id, {!}p: __syncthreads_count(p); .and.pred and .or.pred */
static enum qn__ptx_answer count_at_barrier(struct qn__ptx *x)
{
    const bool counts = qn__ptx_has(x, "popc");
    const char *const name = counts                  ? "__syncthreads_count"
                             : qn__ptx_has(x, "and") ? "__syncthreads_and"
                             : qn__ptx_has(x, "or")  ? "__syncthreads_or"
                                                     : NULL;
    const LLVMValueRef p = name && x->n_operands == 3 ? qn__ptx_source(x, 2, &predicate) : NULL;
    if (!p)
        return QN__PTX_FAILED;
    const LLVMValueRef flag = LLVMBuildZExt(x->b, p, word_type(x), "");
    const LLVMValueRef v = call(x, name, &flag, 1);
    if (!v || counts)
        return set(x, v);
    return set(x, LLVMBuildICmp(x->b, LLVMIntNE, v, qn__ptx_number(x, 32, 0), ""));
}

static enum qn__ptx_answer meet(struct qn__ptx *x)
{
    const LLVMTypeRef none = LLVMVoidTypeInContext(x->u->context);
    const LLVMValueRef mask = x->n_operands == 1 ? qn__ptx_source(x, 0, &word) : NULL;
    return mask && qn__ptx_call(x, "__qn_syncwarp", none, &mask, 1) ? QN__PTX_DONE : QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_warp(struct qn__ptx *x)
{
    if (qn__equal(x->text, "bar.warp.sync"))
        return meet(x);
    if (qn__equal(x->words[0], "shfl"))
        return shuffle(x);
    if (qn__equal(x->words[0], "vote"))
        return vote(x);
    if (qn__equal(x->words[0], "redux"))
        return reduce(x);
    if (qn__equal(x->words[0], "match"))
        return match(x);
    if (qn__equal(x->words[0], "elect"))
        return elect(x);
    if (qn__starts_with(x->text, "bar.red.") || qn__starts_with(x->text, "barrier.red.") ||
        qn__starts_with(x->text, "barrier.cta.red."))
        return count_at_barrier(x);
    if (qn__equal(x->text, "activemask.b32"))
        return set(x, call(x, "__activemask", NULL, 0));
    return QN__PTX_OTHER;
}
