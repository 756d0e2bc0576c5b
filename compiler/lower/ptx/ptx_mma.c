/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync of inline PTX: a warp's D = A B + C.
 *
 *     mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, a1, a2, a3},
 *                                                       {b0, b1}, {c0, c1, c2, c3};
 *     d = __qn_mma_f16_8((uint8)(a0, a1, a2, a3, b0, b1, 0, 0), c)
 *
 * Counted in words of 32 bits, all shapes but m8n8k4 of halves (ptx_mma_quads.c) lie in the
 * registers alike: lane l has word l % 4 of row l / 4 of A in its first register, of row l / 4 + 8
 * in the second, four words further on in the third and fourth; of B the same of column l / 4; and
 * of C and D columns l % 4 * 2 and the next of these two rows. So an instruction is known by its
 * type and by how many words its rows have, 4 or 8; where A has eight rows the others are 0.
 * Doubles are taken four at a time. Sums of halves are made in float and rounded once.
 *
 * What a warp's lanes do together is a row of builtins/mma.def. */
#include "compiler/lower/ptx/ptx_mma.h"

#include "compiler/lower/ptx/ptx_half.h"
#include "compiler/lower/ptx/ptx_operands.h"

#include <stdio.h>
#include <string.h>

enum { SUMS = 4, B_AT = 4 };

static const struct qn__ptx_type word = {.bits = 32};
static const struct qn__ptx_type real = {.bits = 32, .is_float = true};
static const struct qn__ptx_type wide = {.bits = 64, .is_float = true};

struct product {
    unsigned m, n, k;
    const char *d, *a, *b, *c; /* types */
    const char *kind;          /* of builtins/mma.def */
    unsigned words;            /* that a row of A has */
    bool is_saturated;
};

static bool other_form(struct qn__ptx *x)
{
    return qn__ptx_unknown(x, "no form of mma with this shape and these types is known");
}

/* ---- what the name says ---- */

static unsigned bits_of(const char *type)
{
    static const struct {
        const char *name;
        unsigned bits;
    } all[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"e4m3", 8}, {"e5m2", 8}, {"s8", 8},
               {"u8", 8},   {"s4", 4},    {"u4", 4},    {"b1", 1},   {"f64", 64}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(type, all[i].name))
            return all[i].bits;
    return 0;
}

/* A and B may differ in their sign, or in their kind of 8-bit float. */
static bool are_alike(const char *a, const char *b)
{
    if (qn__equal(a, b))
        return true;
    return bits_of(a) == bits_of(b) && bits_of(a) <= 8 && (*a == 'e') == (*b == 'e');
}

static bool read_name(struct qn__ptx *x, struct product *out)
{
    static const char *const before[] = {"mma", "sync", "aligned"};
    unsigned i = 0;
    int end = 0;
    for (; i < 3; i++)
        if (i >= x->n_words || !qn__equal(x->words[i], before[i]))
            return other_form(x);
    if (i + 3 > x->n_words ||
        sscanf(x->words[i], "m%un%uk%u%n", &out->m, &out->n, &out->k, &end) != 3 ||
        x->words[i][end] != 0)
        return other_form(x);
    if (!qn__equal(x->words[i + 1], "row") || !qn__equal(x->words[i + 2], "col"))
        return qn__ptx_unknown(x, "mma of an A that is no .row, or of a B that is no .col");
    i += 3;
    out->is_saturated = i < x->n_words && qn__equal(x->words[i], "satfinite");
    i += out->is_saturated;
    if (i + 4 > x->n_words)
        return other_form(x);
    out->d = x->words[i];
    out->a = x->words[i + 1];
    out->b = x->words[i + 2];
    out->c = x->words[i + 3];
    i += 4;
    const bool is_bits = qn__equal(out->a, "b1");
    if (is_bits && i + 2 == x->n_words && qn__equal(x->words[i + 1], "popc") &&
        (qn__equal(x->words[i], "xor") || qn__equal(x->words[i], "and")))
        out->kind = x->words[i];
    else if (is_bits || i != x->n_words)
        return other_form(x);
    else
        out->kind = qn__equal(out->a, "f16") || qn__equal(out->a, "bf16") ||
                            qn__equal(out->a, "tf32") || qn__equal(out->a, "f64")
                        ? out->a
                        : qn__text(x->u, "%s%s", out->a, out->b);
    const unsigned bits = bits_of(out->a);
    if (!bits || !are_alike(out->a, out->b) || out->n != 8 || (out->m != 8 && out->m != 16))
        return other_form(x);
    const bool is_integer = *out->a == 's' || *out->a == 'u' || *out->a == 'b';
    const char *const sum = bits == 64                                 ? "f64"
                            : is_integer && !qn__equal(out->a, "bf16") ? "s32"
                                                                       : "f32";
    const bool has_halves = qn__equal(out->a, "f16") || *out->a == 'e';
    for (unsigned side = 0; side < 2; side++) {
        const char *const t = side ? out->c : out->d;
        if (!qn__equal(t, sum) && !(has_halves && qn__equal(t, "f16")))
            return other_form(x);
    }
    out->words = bits == 64 ? out->k : out->k * bits / 32;
    const bool is_deep = out->words == 4 || out->words == 8 || (bits == 64 && out->words == 16);
    return (is_deep && (out->m == 16 || out->words == 4)) || other_form(x);
}

/* ---- registers ---- */

static bool check_operand(struct qn__ptx *x, unsigned operand, unsigned n)
{
    return (operand < x->n_operands && x->operands[operand].n == n &&
            !x->operands[operand].is_address) ||
           qn__ptx_unknown(
               x, qn__text(x->u, "operand %u of mma must be %u registers in braces", operand, n));
}

static LLVMValueRef put(struct qn__ptx *x, LLVMValueRef vector, LLVMValueRef v, unsigned i)
{
    return LLVMBuildInsertElement(x->b, vector, v, qn__ptx_number(x, 32, i), "");
}

static LLVMValueRef get(struct qn__ptx *x, LLVMValueRef vector, unsigned i)
{
    return LLVMBuildExtractElement(x->b, vector, qn__ptx_number(x, 32, i), "");
}

static LLVMValueRef half_of(struct qn__ptx *x, LLVMValueRef pair, unsigned i)
{
    const LLVMValueRef high = LLVMBuildLShr(x->b, pair, qn__ptx_number(x, 32, 16 * i), "");
    const LLVMValueRef bits = LLVMBuildTrunc(x->b, high, LLVMInt16TypeInContext(x->u->context), "");
    return qn__ptx_call(x, "__qn_f16_to_f32", LLVMFloatTypeInContext(x->u->context), &bits, 1);
}

/* Of a sum's operand: numbers, or pairs of halves. */
static bool read_sums(struct qn__ptx *x, const struct product *p, const struct qn__ptx_type *type,
                      LLVMValueRef *out)
{
    const unsigned n = p->m / 4;
    const bool in_halves = qn__equal(p->c, "f16");
    if (!check_operand(x, 3, in_halves ? n / 2 : n))
        return false;
    LLVMValueRef sums = LLVMConstNull(LLVMVectorType(qn__ptx_llvm_type(x, type), SUMS));
    for (unsigned i = 0; i < n; i++) {
        const char *const name = x->operands[3].parts[in_halves ? i / 2 : i];
        LLVMValueRef v = qn__ptx_part(x, name, in_halves ? &word : type);
        if (v && in_halves)
            v = half_of(x, v, i % 2);
        if (!v)
            return false;
        sums = put(x, sums, v, i);
    }
    *out = sums;
    return true;
}

static bool write_sums(struct qn__ptx *x, const struct product *p, LLVMValueRef sums)
{
    const unsigned n = p->m / 4;
    const bool in_halves = qn__equal(p->d, "f16");
    const LLVMTypeRef t = LLVMInt32TypeInContext(x->u->context);
    if (!check_operand(x, 0, in_halves ? n / 2 : n))
        return false;
    for (unsigned i = 0; i < n; i += 1 + in_halves) {
        LLVMValueRef v = get(x, sums, i);
        if (in_halves) {
            const LLVMValueRef low = qn__ptx_half_narrow(x, v, QN__PTX_F16, "rn");
            const LLVMValueRef high =
                qn__ptx_half_narrow(x, get(x, sums, i + 1), QN__PTX_F16, "rn");
            if (!low || !high)
                return false;
            v = LLVMBuildOr(
                x->b,
                LLVMBuildShl(x->b, LLVMBuildZExt(x->b, high, t, ""), qn__ptx_number(x, 32, 16), ""),
                LLVMBuildZExt(x->b, low, t, ""), "");
        }
        if (!qn__ptx_set_part(x, x->operands[0].parts[in_halves ? i / 2 : i], v))
            return false;
    }
    return true;
}

/* Registers of an operand, from one on, as elements of a vector; NULL: not known. */
static LLVMValueRef put_registers(struct qn__ptx *x, LLVMValueRef vector, unsigned operand,
                                  unsigned from, unsigned n, unsigned at,
                                  const struct qn__ptx_type *type)
{
    for (unsigned i = 0; vector && i < n; i++) {
        const LLVMValueRef v = qn__ptx_part(x, x->operands[operand].parts[from + i], type);
        vector = v ? put(x, vector, v, at + i) : NULL;
    }
    return vector;
}

/* ---- products ---- */

static LLVMValueRef of_doubles(struct qn__ptx *x, const struct product *p, LLVMValueRef sums)
{
    const LLVMTypeRef t = LLVMVectorType(LLVMDoubleTypeInContext(x->u->context), SUMS);
    const unsigned rows = p->m / 8;
    for (unsigned i = 0; sums && i < p->words / 4; i++) {
        LLVMValueRef ab = put_registers(x, LLVMConstNull(t), 1, i * rows, rows, 0, &wide);
        ab = put_registers(x, ab, 2, i, 1, 2, &wide);
        const LLVMValueRef arguments[] = {ab, sums};
        sums = ab ? qn__ptx_call(x, "__qn_mma_f64", t, arguments, 2) : NULL;
    }
    return sums;
}

static LLVMValueRef of_words(struct qn__ptx *x, const struct product *p, LLVMValueRef sums)
{
    enum { WORDS = 8 };
    const LLVMTypeRef t = LLVMVectorType(LLVMInt32TypeInContext(x->u->context), WORDS);
    const unsigned rows = p->m / 8, deep = p->words / 4;
    LLVMValueRef ab = put_registers(x, LLVMGetUndef(t), 1, 0, rows * deep, 0, &word);
    ab = put_registers(x, ab, 2, 0, deep, B_AT, &word);
    for (unsigned i = 0; ab && i < WORDS; i++) /* those that the shape does not have */
        if (i >= B_AT + deep || (i >= rows * deep && i < B_AT))
            ab = put(x, ab, qn__ptx_number(x, 32, 0), i);
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(sums));
    const LLVMValueRef arguments[] = {ab, p->is_saturated ? zero : sums};
    const unsigned words = *p->a == 'e' ? WORDS : p->words; /* there is one depth of 8-bit floats */
    const char *const name = qn__text(x->u, "__qn_mma_%s_%u", p->kind, words);
    const LLVMValueRef v = ab ? qn__ptx_call(x, name, LLVMTypeOf(sums), arguments, 2) : NULL;
    if (!v || !p->is_saturated)
        return v;
    LLVMValueRef result = zero;
    for (unsigned i = 0; i < p->m / 4; i++) {
        const LLVMValueRef s[] = {get(x, v, i), get(x, sums, i)};
        const LLVMValueRef sum =
            qn__ptx_call(x, "llvm.sadd.sat.i32", LLVMInt32TypeInContext(x->u->context), s, 2);
        if (!sum)
            return NULL;
        result = put(x, result, sum, i);
    }
    return result;
}

enum qn__ptx_answer qn__ptx_mma(struct qn__ptx *x)
{
    struct product p = {0};
    LLVMValueRef sums = NULL;
    if (!qn__equal(x->words[0], "mma"))
        return QN__PTX_OTHER;
    if (!read_name(x, &p))
        return QN__PTX_FAILED;
    const unsigned rows = p.m / 8, deep = p.words / 4;
    const bool is_wide = bits_of(p.a) == 64;
    const struct qn__ptx_type *const sum = is_wide ? &wide : qn__equal(p.d, "s32") ? &word : &real;
    if ((x->n_operands != 4 && !qn__ptx_unknown(x, "mma has four operands")) ||
        !check_operand(x, 1, rows * deep) || !check_operand(x, 2, deep) ||
        !read_sums(x, &p, sum, &sums))
        return QN__PTX_FAILED;
    sums = is_wide ? of_doubles(x, &p, sums) : of_words(x, &p, sums);
    return sums && write_sums(x, &p, sums) ? QN__PTX_DONE : QN__PTX_FAILED;
}
