/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies to shared memory are made at once: a program may not look at them, nor change
 * their source, before it has waited.
 *
 *     cp.async.cg.shared.global{hints} [to], [from], 16;         *to = *from
 *     cp.async.ca.shared.global [to], [from], 4, n;              n bytes of them, then zeros
 *     cp.async.ca.shared.global [to], [from], 4, p;              zeros where p
 *     cp.async.commit_group    cp.async.wait_group 1             nothing
 */
#include "compiler/lower/ptx/ptx_copy.h"

#include "compiler/lower/ptx/ptx_branch.h"
#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

static const struct qn__ptx_type word = {.bits = 32};

struct copy {
    LLVMValueRef to, from, n; /* n: so many bytes, then zeros */
    unsigned bytes;
};

/* *to = *from, or zeros; 4, 8 or 16 bytes at once */
static bool move(struct qn__ptx *x, const struct copy *c, bool zeros)
{
    const LLVMTypeRef one = LLVMInt32TypeInContext(x->u->context);
    const LLVMTypeRef t = c->bytes == 4 ? one : LLVMVectorType(one, c->bytes / 4);
    LLVMValueRef v = LLVMConstNull(t);
    if (!zeros) {
        v = LLVMBuildLoad2(x->b, t, c->from, "");
        LLVMSetAlignment(v, c->bytes);
    }
    LLVMSetAlignment(LLVMBuildStore(x->b, v, c->to), c->bytes);
    return true;
}

static bool move_all(struct qn__ptx *x, const void *data)
{
    return move(x, data, false);
}

static bool move_zeros(struct qn__ptx *x, const void *data)
{
    return move(x, data, true);
}

/* What lies behind the n bytes may not be there to be read. */
static bool move_some(struct qn__ptx *x, const void *data)
{
    const struct copy *const c = data;
    return move(x, c, true) && LLVMBuildMemCpy(x->b, c->to, 1, c->from, 1, c->n);
}

/* A predicate's name is known once it was set; else the operand is a number of bytes. */
static bool is_predicate(struct qn__ptx *x, unsigned operand)
{
    const char *const name = x->operands[operand].parts[0];
    for (uint32_t i = 0; i < x->n_registers; i++)
        if (qn__equal(x->registers[i].name, name + (*name == '!')))
            return LLVMTypeOf(x->registers[i].value) == LLVMInt1TypeInContext(x->u->context);
    return false;
}

static bool copy_where(struct qn__ptx *x, struct copy *c, unsigned operand)
{
    const struct qn__ptx_type predicate = {.bits = 1, .is_predicate = true};
    if (is_predicate(x, operand)) {
        const LLVMValueRef p = qn__ptx_source(x, operand, &predicate);
        return p && qn__ptx_branch(x, LLVMBuildNot(x->b, p, ""), move_all, c) &&
               qn__ptx_branch(x, p, move_zeros, c);
    }
    c->n = qn__ptx_source(x, operand, &word);
    if (!c->n)
        return false;
    const LLVMValueRef all = qn__ptx_number(x, 32, c->bytes);
    if (LLVMIsAConstantInt(c->n) && LLVMConstIntGetZExtValue(c->n) == c->bytes)
        return move_all(x, c);
    const LLVMValueRef whole = LLVMBuildICmp(x->b, LLVMIntUGE, c->n, all, "");
    return qn__ptx_branch(x, whole, move_all, c) &&
           qn__ptx_branch(x, LLVMBuildNot(x->b, whole, ""), move_some, c);
}

/* cp.async.ca.shared.global [to], [from], bytes{, n or p}{, policy} */
static enum qn__ptx_answer copy(struct qn__ptx *x)
{
    static const char *const hints[] = {"shared",   "shared::cta",   "global",  "ca",
                                        "cg",       "async",         "L2::64B", "L2::128B",
                                        "L2::256B", "L2::cache_hint"};
    for (unsigned i = 1; i < x->n_words; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
            known |= qn__equal(x->words[i], hints[k]);
        if (!known)
            return QN__PTX_OTHER;
    }
    const unsigned n = x->n_operands - qn__ptx_has(x, "L2::cache_hint");
    const LLVMValueRef bytes = n >= 3 ? qn__ptx_source(x, 2, &word) : NULL;
    struct copy c = {0};
    if (!bytes || n > 4 || !LLVMIsAConstantInt(bytes))
        return QN__PTX_FAILED;
    c.bytes = (unsigned)LLVMConstIntGetZExtValue(bytes);
    c.to = qn__ptx_address_in(x, 0, true);
    c.from = c.to ? qn__ptx_address_in(x, 1, false) : NULL;
    if (!c.from || (c.bytes != 4 && c.bytes != 8 && c.bytes != 16))
        return QN__PTX_FAILED;
    return (n == 4 ? copy_where(x, &c, 3) : move_all(x, &c)) ? QN__PTX_DONE : QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_copy(struct qn__ptx *x)
{
    static const char *const nothing[] = {"cp.async.commit_group", "cp.async.wait_group",
                                          "cp.async.wait_all"};
    if (!qn__equal(x->words[0], "cp"))
        return QN__PTX_OTHER;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (qn__equal(x->text, nothing[i]))
            return QN__PTX_DONE;
    const enum qn__ptx_answer answer =
        x->n_words > 2 && qn__equal(x->words[1], "async") && !qn__ptx_has(x, "bulk")
            ? copy(x)
            : QN__PTX_OTHER;
    if (answer == QN__PTX_OTHER)
        qn__ptx_unknown(x, qn__ptx_has(x, "bulk")
                               ? "the Tensor Memory Accelerator has no OpenCL form; copy in a loop "
                                 "and meet at a barrier"
                               : "no OpenCL form of this copy is known; copy in a loop and meet at "
                                 "a barrier");
    return answer == QN__PTX_OTHER ? QN__PTX_FAILED : answer;
}
