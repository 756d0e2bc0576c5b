/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations of inline PTX:
 *
 *     atom{.order}{.scope}{.global|.shared}.op.type d, [a], b{, c}    red ... [a], b
 *
 * The words of the name stand in any order, as they do in headers. The operation itself is relaxed
 * and counts for the whole device, so a scope changes nothing; acquire and release are a fence
 * after it and before it. With .v2, .v4 or .v8 it is one operation for each element, as in PTX. */
#include "compiler/lower/ptx/ptx_atomic.h"

#include "compiler/lower/ptx/ptx_memory.h"
#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

/* op and type, and the function __qn_atomic_<name> that does it */
static const struct {
    const char *op, *type, *name;
} rows[] = {
    {"add", "u32", "add_u32"},     {"add", "s32", "add_i32"},
    {"add", "u64", "add_u64"},     {"add", "s64", "add_u64"},
    {"add", "f32", "add_f32"},     {"add", "f64", "add_f64"},
    {"inc", "u32", "inc_u32"},     {"dec", "u32", "dec_u32"},
    {"min", "u32", "min_u32"},     {"min", "s32", "min_i32"},
    {"min", "u64", "min_u64"},     {"min", "s64", "min_i64"},
    {"max", "u32", "max_u32"},     {"max", "s32", "max_i32"},
    {"max", "u64", "max_u64"},     {"max", "s64", "max_i64"},
    {"and", "b32", "and_u32"},     {"and", "b64", "and_u64"},
    {"or", "b32", "or_u32"},       {"or", "b64", "or_u64"},
    {"xor", "b32", "xor_u32"},     {"xor", "b64", "xor_u64"},
    {"exch", "b32", "exch_u32"},   {"exch", "b64", "exch_u64"},
    {"add", "f16x2", "add_half2"}, {"add", "bf16x2", "add_bfloat162"},
    {"add", "f16", "add_half"},    {"add", "bf16", "add_bfloat16"},
    {"cas", "b16", "cas_u16"},     {"cas", "b32", "cas_u32"},
    {"cas", "b64", "cas_u64"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The function that does what the statement says; NULL: there is none. */
static const char *function_of(struct qn__ptx *x)
{
    const char *const type = x->words[x->n_words - 1];
    for (size_t i = 0; i < ROWS; i++)
        if (qn__ptx_has(x, rows[i].op) && qn__equal(rows[i].type, type))
            return qn__ptx_only(x, qn__text(x->u,
                                            "%s relaxed acquire release acq_rel sc cta "
                                            "cluster gpu sys global shared shared::cta noftz",
                                            rows[i].op))
                       ? qn__text(x->u, "__qn_atomic_%s", rows[i].name)
                       : NULL;
    qn__ptx_unknown(x, "an atomic operation that OpenCL does not have");
    return NULL;
}

/* Halves and pairs of them are numbers of as many bits. */
static bool type_of(struct qn__ptx *x, struct qn__ptx_type *t)
{
    const char *const name = x->words[x->n_words - 1];
    const bool is_half = qn__equal(name, "f16") || qn__equal(name, "bf16");
    *t = (struct qn__ptx_type){.bits = is_half ? 16 : 32};
    return is_half || qn__equal(name, "f16x2") || qn__equal(name, "bf16x2") ||
           qn__ptx_last_type(x, t);
}

/* add.v4.f32 and v4.f32.add: how many elements; then the name is that of one element's operation,
 * whose type is its last word. */
static unsigned take_vector(struct qn__ptx *x)
{
    static const char types[] = " f32 f16 bf16 f16x2 bf16x2 ";
    unsigned elements = 1, n = 1;
    const char *type = NULL;
    if (!qn__ptx_has(x, "v2") && !qn__ptx_has(x, "v4") && !qn__ptx_has(x, "v8"))
        return 1;
    for (unsigned i = 1; i < x->n_words; i++) {
        const char *const w = x->words[i];
        if (w[0] == 'v' && w[1] && !w[2])
            elements = (unsigned)(w[1] - '0');
        else if (strstr(types, qn__text(x->u, " %s ", w)))
            type = w;
        else
            x->words[n++] = w;
    }
    if (type)
        x->words[n++] = type;
    x->n_words = n;
    return elements;
}

/* One element: its address, operand and place for the old value are parts of the statement's. */
static bool run_element(struct qn__ptx *x, const char *function, const struct qn__ptx_type *t,
                        unsigned first, unsigned n, unsigned element)
{
    LLVMValueRef arguments[3] = {qn__ptx_address(x, first)};
    LLVMValueRef offset = qn__ptx_number(x, 64, (uint64_t)element * t->bits / 8);
    if (element && arguments[0])
        arguments[0] =
            LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(x->u->context), arguments[0], &offset, 1, "");
    for (unsigned i = 1; i < n && arguments[i - 1]; i++)
        arguments[i] = qn__ptx_part(x, x->operands[first + i].parts[element], t);
    if (!arguments[n - 1])
        return false;
    const LLVMValueRef v = qn__ptx_call(x, function, qn__ptx_llvm_type(x, t), arguments, n);
    return v && (!first || qn__ptx_set_part(x, x->operands[0].parts[element], v));
}

enum qn__ptx_answer qn__ptx_atomic(struct qn__ptx *x)
{
    const bool has_result = qn__equal(x->words[0], "atom");
    struct qn__ptx_type t;
    if (!has_result && !qn__equal(x->words[0], "red"))
        return QN__PTX_OTHER;
    const unsigned elements = take_vector(x);
    const char *const function = function_of(x);
    const unsigned first = has_result, n = qn__ptx_has(x, "cas") ? 3 : 2;
    if (!function || !type_of(x, &t) || x->n_operands != first + n)
        return QN__PTX_FAILED;
    for (unsigned i = 0; i < x->n_operands; i++)
        if (i != first && (x->operands[i].n != elements || x->operands[i].is_address))
            return QN__PTX_FAILED;
    const bool both = qn__ptx_has(x, "acq_rel") || qn__ptx_has(x, "sc");
    if ((both || qn__ptx_has(x, "release")) && !qn__ptx_fence(x))
        return QN__PTX_FAILED;
    for (unsigned i = 0; i < elements; i++)
        if (!run_element(x, function, &t, first, n, i))
            return QN__PTX_FAILED;
    return (both || qn__ptx_has(x, "acquire")) && !qn__ptx_fence(x) ? QN__PTX_FAILED : QN__PTX_DONE;
}
