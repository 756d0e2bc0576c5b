/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of 8 by 8 halves that a warp loads, stores and transposes: ldmatrix, stmatrix,
 * movmatrix of inline PTX. A row is 16 bytes in shared memory, and lane 8 i + r knows where row r
 * of matrix i lies; lane l has elements 2 (l % 4) and the next one of row l / 4.
 *
 *     ldmatrix.sync.aligned.m8n8.x2.shared.b16 {d0, d1}, [p];
 *     rows = __qn_mma_lanes(p, (uint4)(l / 4, l / 4 + 8, ...));    p of those lanes
 *     d0 = *(uint *)(rows.x + 4 * (l % 4))    d1 = *(uint *)(rows.y + 4 * (l % 4))
 *
 * With .trans a lane has elements l / 4 of rows 2 (l % 4) and the next one. */
#include "compiler/lower/ptx/ptx_matrix.h"

#include "compiler/lower/ptx/ptx_operands.h"
#include "compiler/lower/ptx/ptx_window.h"

enum { LANES_AT_ONCE = 4, ROWS = 8 };

static const struct qn__ptx_type word = {.bits = 32};

static LLVMTypeRef word_type(struct qn__ptx *x)
{
    return LLVMInt32TypeInContext(x->u->context);
}

static LLVMTypeRef half_type(struct qn__ptx *x)
{
    return LLVMInt16TypeInContext(x->u->context);
}

static LLVMValueRef sum(struct qn__ptx *x, LLVMValueRef a, uint64_t b)
{
    return b ? LLVMBuildAdd(x->b, a, qn__ptx_number(x, 32, b), "") : a;
}

static LLVMValueRef times(struct qn__ptx *x, LLVMValueRef a, uint64_t b)
{
    return LLVMBuildMul(x->b, a, qn__ptx_number(x, 32, b), "");
}

/* The own lane's row and column: l / 4 and l % 4. */
static bool own_place(struct qn__ptx *x, LLVMValueRef *row, LLVMValueRef *column)
{
    const LLVMValueRef lane = qn__ptx_part(x, "%laneid", &word);
    if (!lane)
        return false;
    *row = LLVMBuildLShr(x->b, lane, qn__ptx_number(x, 32, 2), "row");
    *column = LLVMBuildAnd(x->b, lane, qn__ptx_number(x, 32, 3), "column");
    return true;
}

/* A word of up to four other lanes. */
static LLVMValueRef of_lanes(struct qn__ptx *x, LLVMValueRef v, const LLVMValueRef *lanes,
                             unsigned n)
{
    const LLVMTypeRef four = LLVMVectorType(word_type(x), LANES_AT_ONCE);
    LLVMValueRef which = LLVMConstNull(four);
    for (unsigned i = 0; i < n; i++)
        which = LLVMBuildInsertElement(x->b, which, lanes[i], qn__ptx_number(x, 32, i), "");
    const LLVMValueRef arguments[] = {v, which};
    return qn__ptx_call(x, "__qn_mma_lanes", four, arguments, 2);
}

static LLVMValueRef element(struct qn__ptx *x, LLVMValueRef vector, unsigned i)
{
    return LLVMBuildExtractElement(x->b, vector, qn__ptx_number(x, 32, i), "");
}

/* halves[0] in the low half of a word, halves[1] in the high one */
static LLVMValueRef joined(struct qn__ptx *x, const LLVMValueRef halves[2])
{
    const LLVMValueRef high = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, halves[1], word_type(x), ""),
                                           qn__ptx_number(x, 32, 16), "");
    return LLVMBuildOr(x->b, high, LLVMBuildZExt(x->b, halves[0], word_type(x), ""), "");
}

static LLVMValueRef part_of(struct qn__ptx *x, LLVMValueRef v, LLVMValueRef which)
{
    const LLVMValueRef by = LLVMBuildShl(x->b, which, qn__ptx_number(x, 32, 4), "");
    return LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, v, by, ""), half_type(x), "");
}

/* ---- ldmatrix and stmatrix ---- */

struct move {
    bool is_load, is_transposed;
    unsigned n;       /* matrices */
    unsigned address; /* operand */
    LLVMValueRef row, column;
};

static bool read_name(struct qn__ptx *x, struct move *out)
{
    static const char *const counts[] = {"x1", "x2", "x4"};
    *out = (struct move){.is_load = qn__equal(x->words[0], "ldmatrix")};
    out->is_transposed = qn__ptx_has(x, "trans");
    for (unsigned i = 0; i < 3; i++)
        if (qn__ptx_has(x, counts[i]))
            out->n = 1u << i;
    out->address = out->is_load ? 1 : 0;
    if (!out->n || !qn__ptx_has(x, "m8n8") || !qn__ptx_has(x, "b16") || x->n_operands != 2 ||
        !qn__ptx_only(x, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta"))
        return qn__ptx_unknown(x, "of ldmatrix and stmatrix these forms are known: m8n8, x1, x2 "
                                  "or x4, .trans, b16");
    return (x->operands[!out->address].n == out->n && !x->operands[!out->address].is_address) ||
           qn__ptx_unknown(x, "as many registers in braces as there are matrices");
}

/* One matrix, of which rows[0] (and, transposed, rows[1]) are the addresses of what this lane has.
 */
static bool move_one(struct qn__ptx *x, const struct move *m, unsigned i, const LLVMValueRef *rows)
{
    const char *const name = x->operands[!m->address].parts[i];
    LLVMValueRef halves[2], v = m->is_load ? NULL : qn__ptx_part(x, name, &word);
    if (!m->is_load && !v)
        return false;
    if (!m->is_transposed) {
        const LLVMValueRef p = qn__ptx_shared_pointer(
            x, LLVMBuildAdd(x->b, rows[0], times(x, m->column, 4), "address"));
        if (!m->is_load) {
            LLVMSetAlignment(LLVMBuildStore(x->b, v, p), 4);
            return true;
        }
        v = LLVMBuildLoad2(x->b, word_type(x), p, "");
        LLVMSetAlignment(v, 4);
        return qn__ptx_set_part(x, name, v);
    }
    for (unsigned k = 0; k < 2; k++) {
        const LLVMValueRef p =
            qn__ptx_shared_pointer(x, LLVMBuildAdd(x->b, rows[k], times(x, m->row, 2), "address"));
        if (m->is_load) {
            halves[k] = LLVMBuildLoad2(x->b, half_type(x), p, "");
            LLVMSetAlignment(halves[k], 2);
        } else {
            const LLVMValueRef half = part_of(x, v, qn__ptx_number(x, 32, k));
            LLVMSetAlignment(LLVMBuildStore(x->b, half, p), 2);
        }
    }
    return !m->is_load || qn__ptx_set_part(x, name, joined(x, halves));
}

static bool move(struct qn__ptx *x)
{
    struct move m;
    LLVMValueRef lanes[2 * LANES_AT_ONCE], rows[2 * LANES_AT_ONCE], found = NULL;
    if (!read_name(x, &m) || !own_place(x, &m.row, &m.column))
        return false;
    const LLVMValueRef p = qn__ptx_address(x, m.address); /* without .shared: a pointer */
    if (!p)
        return false;
    const LLVMValueRef own = qn__ptx_shared_number(x, p);
    const unsigned each = m.is_transposed ? 2 : 1, n = each * m.n;
    for (unsigned i = 0; i < n; i++)
        lanes[i] = m.is_transposed ? sum(x, times(x, m.column, 2), i / 2 * ROWS + i % 2)
                                   : sum(x, m.row, i * ROWS);
    for (unsigned i = 0; i < n; i++) {
        const unsigned left = n - i;
        if (i % LANES_AT_ONCE == 0)
            found = of_lanes(x, own, lanes + i, left < LANES_AT_ONCE ? left : LANES_AT_ONCE);
        if (!found)
            return false;
        rows[i] = element(x, found, i % LANES_AT_ONCE);
    }
    for (unsigned i = 0; i < m.n; i++)
        if (!move_one(x, &m, i, rows + each * i))
            return false;
    return true;
}

/* ---- movmatrix ---- */

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a: what this lane has of column l / 4 */
static bool transpose(struct qn__ptx *x)
{
    LLVMValueRef row, column, halves[2], lanes[2];
    const LLVMValueRef a = qn__equal(x->text, "movmatrix.sync.aligned.m8n8.trans.b16")
                               ? qn__ptx_source(x, 1, &word)
                               : NULL;
    if (!a || !own_place(x, &row, &column))
        return false;
    const LLVMValueRef in_row = LLVMBuildLShr(x->b, row, qn__ptx_number(x, 32, 1), "");
    const LLVMValueRef first = LLVMBuildAdd(x->b, times(x, column, 8), in_row, "");
    lanes[0] = first;
    lanes[1] = sum(x, first, 4);
    const LLVMValueRef found = of_lanes(x, a, lanes, 2);
    if (!found)
        return false;
    const LLVMValueRef which = LLVMBuildAnd(x->b, row, qn__ptx_number(x, 32, 1), "");
    for (unsigned k = 0; k < 2; k++)
        halves[k] = part_of(x, element(x, found, k), which);
    return qn__ptx_set(x, 0, joined(x, halves));
}

enum qn__ptx_answer qn__ptx_matrix(struct qn__ptx *x)
{
    if (qn__equal(x->words[0], "ldmatrix") || qn__equal(x->words[0], "stmatrix"))
        return move(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    if (qn__equal(x->words[0], "movmatrix"))
        return transpose(x) ? QN__PTX_DONE : QN__PTX_FAILED;
    return QN__PTX_OTHER;
}
