/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync.m8n8k4 of halves, which Volta has: four products D = A B + C of a warp, each made by the
 * eight lanes of two quads, 4 q to 4 q + 3 and those 16 further on.
 *
 *     mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {d0, ..., d7}, {a0, a1}, {b0, b1},
 *                                                     {c0, ..., c7};
 *     d = __qn_mma_quads((uint4)(a0, a1, b0, b1), c)
 *
 * That is the form that the function has: lane l of a quad has a row of A and a column of B, number
 * l % 4, and 4 more in the upper quad; and of C and D element i in row l % 2 + (i & 2), in column
 * (l & 2) + (i & 4) + i % 2. The others are brought into it: an A by columns or a B by rows is
 * transposed within its quad, and of a C or D of halves, where a lane has a row, the lanes exchange
 * words. Sums are made in float; those of halves are rounded once.
 *
 * What a warp's lanes do together is a row of builtins/mma.def. */
#include "compiler/lower/ptx/ptx_mma_quads.h"

#include "compiler/lower/ptx/ptx_half.h"
#include "compiler/lower/ptx/ptx_operands.h"

enum { SUMS = 8, WORDS = 4, LANES_AT_ONCE = 4 };

static const struct qn__ptx_type word = {.bits = 32};
static const struct qn__ptx_type real = {.bits = 32, .is_float = true};

struct quads {
    bool a_by_columns, b_by_rows, c_in_halves, d_in_halves;
    LLVMValueRef lane;
};

/* ---- words and lanes ---- */

static LLVMTypeRef word_type(struct qn__ptx *x)
{
    return LLVMInt32TypeInContext(x->u->context);
}

static LLVMValueRef put(struct qn__ptx *x, LLVMValueRef vector, LLVMValueRef v, unsigned i)
{
    return LLVMBuildInsertElement(x->b, vector, v, qn__ptx_number(x, 32, i), "");
}

static LLVMValueRef get(struct qn__ptx *x, LLVMValueRef vector, unsigned i)
{
    return LLVMBuildExtractElement(x->b, vector, qn__ptx_number(x, 32, i), "");
}

static LLVMValueRef sum(struct qn__ptx *x, LLVMValueRef a, unsigned b)
{
    return b ? LLVMBuildAdd(x->b, a, qn__ptx_number(x, 32, b), "") : a;
}

static LLVMValueRef of_lane(struct qn__ptx *x, const struct quads *q, unsigned bits)
{
    return LLVMBuildAnd(x->b, q->lane, qn__ptx_number(x, 32, bits), "");
}

/* Where the lane has a bit: yes; else no. */
static LLVMValueRef choose(struct qn__ptx *x, const struct quads *q, unsigned bit, LLVMValueRef yes,
                           LLVMValueRef no)
{
    const LLVMValueRef is_set =
        LLVMBuildICmp(x->b, LLVMIntNE, of_lane(x, q, bit), qn__ptx_number(x, 32, 0), "");
    return LLVMBuildSelect(x->b, is_set, yes, no, "");
}

/* A word of n lanes: the one named, and those `step`, 2 `step`, ... further on. */
static LLVMValueRef of_lanes(struct qn__ptx *x, LLVMValueRef v, LLVMValueRef first, unsigned n,
                             unsigned step)
{
    const LLVMTypeRef four = LLVMVectorType(word_type(x), LANES_AT_ONCE);
    LLVMValueRef which = LLVMConstNull(four);
    for (unsigned i = 0; i < n; i++)
        which = put(x, which, sum(x, first, i * step), i);
    const LLVMValueRef arguments[] = {v, which};
    return qn__ptx_call(x, "__qn_mma_lanes", four, arguments, 2);
}

/* The lower (0) or upper half of a word, as an i16; and a word of two. */
static LLVMValueRef half_of(struct qn__ptx *x, LLVMValueRef v, LLVMValueRef which)
{
    const LLVMValueRef by = LLVMBuildShl(x->b, which, qn__ptx_number(x, 32, 4), "");
    return LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, v, by, ""),
                          LLVMInt16TypeInContext(x->u->context), "");
}

static LLVMValueRef joined(struct qn__ptx *x, LLVMValueRef low, LLVMValueRef high)
{
    const LLVMValueRef upper = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, high, word_type(x), ""),
                                            qn__ptx_number(x, 32, 16), "");
    return LLVMBuildOr(x->b, upper, LLVMBuildZExt(x->b, low, word_type(x), ""), "");
}

/* ---- operands ---- */

static bool read_name(struct qn__ptx *x, struct quads *out)
{
    const char *const *const w = x->words;
    static const char *const orders[] = {"row", "col"}, *const sums[] = {"f32", "f16"};
    bool is_known = x->n_words == 10 && qn__equal(w[1], "sync") && qn__equal(w[2], "aligned") &&
                    qn__equal(w[7], "f16") && qn__equal(w[8], "f16");
    for (unsigned side = 0; is_known && side < 2; side++)
        is_known = (qn__equal(w[4 + side], orders[0]) || qn__equal(w[4 + side], orders[1])) &&
                   (qn__equal(w[6 + 3 * side], sums[0]) || qn__equal(w[6 + 3 * side], sums[1]));
    if (!is_known)
        return qn__ptx_unknown(x, "no form of mma with this shape and these types is known");
    out->a_by_columns = qn__equal(w[4], "col");
    out->b_by_rows = qn__equal(w[5], "row");
    out->d_in_halves = qn__equal(w[6], "f16");
    out->c_in_halves = qn__equal(w[9], "f16");
    return !out->d_in_halves || out->c_in_halves ||
           qn__ptx_unknown(x, "m8n8k4 that adds a C of .f32 has a D of .f32");
}

static bool check_operands(struct qn__ptx *x, const struct quads *q)
{
    const unsigned registers[] = {q->d_in_halves ? WORDS : SUMS, 2, 2,
                                  q->c_in_halves ? WORDS : SUMS};
    if (x->n_operands != 4)
        return qn__ptx_unknown(x, "mma has four operands");
    for (unsigned i = 0; i < 4; i++)
        if (x->operands[i].n != registers[i] || x->operands[i].is_address)
            return qn__ptx_unknown(x, qn__text(x->u,
                                               "operand %u of mma must be %u registers in braces",
                                               i, registers[i]));
    return true;
}

/* The two words of an A or B; a lane's number k becomes what lane k of its quad had in its place.
 */
static bool read_factor(struct qn__ptx *x, const struct quads *q, unsigned operand, bool transpose,
                        LLVMValueRef out[2])
{
    const LLVMValueRef quad = of_lane(x, q, 28), odd = of_lane(x, q, 1);
    LLVMValueRef halves[4];
    for (unsigned i = 0; i < 2; i++)
        if (!(out[i] = qn__ptx_part(x, x->operands[operand].parts[i], &word)))
            return false;
    if (!transpose)
        return true;
    const LLVMValueRef low = of_lanes(x, out[0], quad, 4, 1),
                       high = of_lanes(x, out[1], quad, 4, 1);
    if (!low || !high)
        return false;
    for (unsigned k = 0; k < 4; k++)
        halves[k] = half_of(x, choose(x, q, 2, get(x, high, k), get(x, low, k)), odd);
    out[0] = joined(x, halves[0], halves[1]);
    out[1] = joined(x, halves[2], halves[3]);
    return true;
}

/* Row l % 4 of C is four words of its lane; element i comes from the lane that has its row. */
static bool read_halves(struct qn__ptx *x, const struct quads *q, LLVMValueRef out[SUMS])
{
    const LLVMValueRef first = of_lane(x, q, 29);
    LLVMValueRef rows[WORDS];
    for (unsigned w = 0; w < WORDS; w++) {
        const LLVMValueRef v = qn__ptx_part(x, x->operands[3].parts[w], &word);
        rows[w] = v ? of_lanes(x, v, first, 2, 2) : NULL;
        if (!rows[w])
            return false;
    }
    for (unsigned i = 0; i < SUMS; i++) {
        const unsigned row = i >> 1 & 1, pair = i >> 2 << 1;
        const LLVMValueRef pair_of_two =
            choose(x, q, 2, get(x, rows[pair + 1], row), get(x, rows[pair], row));
        const LLVMValueRef half = half_of(x, pair_of_two, qn__ptx_number(x, 32, i & 1));
        out[i] =
            qn__ptx_call(x, "__qn_f16_to_f32", LLVMFloatTypeInContext(x->u->context), &half, 1);
        if (!out[i])
            return false;
    }
    return true;
}

static bool read_sums(struct qn__ptx *x, const struct quads *q, LLVMValueRef out[SUMS])
{
    if (q->c_in_halves)
        return read_halves(x, q, out);
    for (unsigned i = 0; i < SUMS; i++)
        if (!(out[i] = qn__ptx_part(x, x->operands[3].parts[i], &real)))
            return false;
    return true;
}

/* The way back: word w of the own row, columns 2 w and the next, lies in one of two lanes. */
static bool write_halves(struct qn__ptx *x, const struct quads *q, LLVMValueRef sums)
{
    const LLVMValueRef first = of_lane(x, q, 29);
    LLVMValueRef pairs[WORDS];
    for (unsigned i = 0; i < WORDS; i++) {
        const LLVMValueRef low = qn__ptx_half_narrow(x, get(x, sums, 2 * i), QN__PTX_F16, "rn");
        const LLVMValueRef high =
            qn__ptx_half_narrow(x, get(x, sums, 2 * i + 1), QN__PTX_F16, "rn");
        pairs[i] = low && high ? of_lanes(x, joined(x, low, high), first, 2, 2) : NULL;
        if (!pairs[i])
            return false;
    }
    for (unsigned w = 0; w < WORDS; w++) {
        const unsigned pair = w >> 1 << 1;
        const LLVMValueRef v =
            choose(x, q, 2, get(x, pairs[pair + 1], w & 1), get(x, pairs[pair], w & 1));
        if (!qn__ptx_set_part(x, x->operands[0].parts[w], v))
            return false;
    }
    return true;
}

static bool write_sums(struct qn__ptx *x, const struct quads *q, LLVMValueRef sums)
{
    if (q->d_in_halves)
        return write_halves(x, q, sums);
    for (unsigned i = 0; i < SUMS; i++)
        if (!qn__ptx_set_part(x, x->operands[0].parts[i], get(x, sums, i)))
            return false;
    return true;
}

enum qn__ptx_answer qn__ptx_mma_quads(struct qn__ptx *x)
{
    struct quads q = {0};
    LLVMValueRef a[2], b[2], c[SUMS];
    if (x->n_words < 8 || !qn__equal(x->words[0], "mma") || !qn__equal(x->words[3], "m8n8k4") ||
        !qn__equal(x->words[7], "f16"))
        return QN__PTX_OTHER;
    if (!read_name(x, &q) || !check_operands(x, &q) ||
        !(q.lane = qn__ptx_part(x, "%laneid", &word)) ||
        !read_factor(x, &q, 1, q.a_by_columns, a) || !read_factor(x, &q, 2, q.b_by_rows, b) ||
        !read_sums(x, &q, c))
        return QN__PTX_FAILED;
    const LLVMTypeRef sum_type = LLVMVectorType(LLVMFloatTypeInContext(x->u->context), SUMS);
    LLVMValueRef ab = LLVMGetUndef(LLVMVectorType(word_type(x), 4));
    LLVMValueRef sums = LLVMGetUndef(sum_type);
    for (unsigned i = 0; i < 2; i++)
        ab = put(x, put(x, ab, a[i], i), b[i], 2 + i);
    for (unsigned i = 0; i < SUMS; i++)
        sums = put(x, sums, c[i], i);
    const LLVMValueRef arguments[] = {ab, sums};
    sums = qn__ptx_call(x, "__qn_mma_quads", sum_type, arguments, 2);
    return sums && write_sums(x, &q, sums) ? QN__PTX_DONE : QN__PTX_FAILED;
}
