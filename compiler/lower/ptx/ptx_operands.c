/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of inline PTX: what stands in a statement, as an LLVM value of the type that the
 * statement's name gives, and back. Registers have bits and no type, so values are converted
 * where they are used. */
#include "compiler/lower/ptx/ptx_operands.h"

#include "compiler/core/attributes.h"
#include "compiler/lower/ptx/ptx_window.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

LLVMTypeRef qn__ptx_llvm_type(struct qn__ptx *x, const struct qn__ptx_type *t)
{
    if (t->is_float)
        return t->bits == 64 ? LLVMDoubleTypeInContext(x->u->context)
                             : LLVMFloatTypeInContext(x->u->context);
    return LLVMIntTypeInContext(x->u->context, t->bits);
}

LLVMValueRef qn__ptx_number(struct qn__ptx *x, unsigned bits, uint64_t value)
{
    return LLVMConstInt(LLVMIntTypeInContext(x->u->context, bits), value, false);
}

/* Any value as an integer of its own width. */
static LLVMValueRef as_bits(struct qn__ptx *x, LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(x->b, v, LLVMInt64TypeInContext(x->u->context), "");
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind)
        return v;
    const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(x->u->layout, t);
    return LLVMBuildBitCast(x->b, v, LLVMIntTypeInContext(x->u->context, bits), "");
}

static LLVMValueRef convert(struct qn__ptx *x, LLVMValueRef v, const struct qn__ptx_type *t)
{
    const LLVMTypeRef to = qn__ptx_llvm_type(x, t);
    if (LLVMTypeOf(v) == to)
        return v;
    v = as_bits(x, v);
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (t->is_predicate || (bits == 1 && !t->is_predicate)) {
        qn__ptx_unknown(x, "a predicate where a number is meant, or the other way round");
        return NULL;
    }
    if (bits != t->bits && t->is_float) {
        qn__ptx_unknown(x, "an operand of another size");
        return NULL;
    }
    if (bits > t->bits)
        v = LLVMBuildTrunc(x->b, v, LLVMIntTypeInContext(x->u->context, t->bits), "");
    else if (bits < t->bits)
        v = t->is_signed ? LLVMBuildSExt(x->b, v, to, "") : LLVMBuildZExt(x->b, v, to, "");
    return LLVMTypeOf(v) == to ? v : LLVMBuildBitCast(x->b, v, to, "");
}

/* ---- special registers ---- */

static LLVMValueRef index_register(struct qn__ptx *x, const char *variable, unsigned axis)
{
    LLVMValueRef g = LLVMGetNamedGlobal(x->module, variable);
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    if (!g)
        g = LLVMAddGlobalInAddressSpace(x->module, LLVMArrayType2(word, 3), variable, 1);
    LLVMValueRef offset = qn__ptx_number(x, 64, 4ull * axis);
    const LLVMValueRef p =
        LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(x->u->context), g, &offset, 1, "");
    return LLVMBuildLoad2(x->b, word, p, "");
}

static LLVMValueRef linear_index(struct qn__ptx *x)
{
    LLVMValueRef v = index_register(x, "threadIdx", 2);
    for (unsigned axis = 2; axis-- > 0;) {
        v = LLVMBuildMul(x->b, v, index_register(x, "blockDim", axis), "");
        v = LLVMBuildAdd(x->b, v, index_register(x, "threadIdx", axis), "");
    }
    return v;
}

static LLVMValueRef lane_register(struct qn__ptx *x, const char *what)
{
    const LLVMValueRef one = qn__ptx_number(x, 32, 1), two = qn__ptx_number(x, 32, 2);
    const LLVMValueRef lane =
        LLVMBuildAnd(x->b, linear_index(x), qn__ptx_number(x, 32, 31), "lane");
    if (qn__equal(what, "laneid"))
        return lane;
    const LLVMValueRef below = LLVMBuildSub(x->b, LLVMBuildShl(x->b, one, lane, ""), one, "");
    const LLVMValueRef up_to = LLVMBuildSub(x->b, LLVMBuildShl(x->b, two, lane, ""), one, "");
    if (qn__equal(what, "lanemask_lt"))
        return below;
    if (qn__equal(what, "lanemask_le"))
        return up_to;
    if (qn__equal(what, "lanemask_gt"))
        return LLVMBuildNot(x->b, up_to, "");
    if (qn__equal(what, "lanemask_ge"))
        return LLVMBuildNot(x->b, below, "");
    return LLVMBuildShl(x->b, one, lane, ""); /* lanemask_eq */
}

static LLVMValueRef special_register(struct qn__ptx *x, const char *name)
{
    static const char *const lanes[] = {"laneid",      "lanemask_lt", "lanemask_le",
                                        "lanemask_gt", "lanemask_ge", "lanemask_eq"};
    static const struct {
        const char *prefix, *variable;
    } axes[] = {{"tid.", "threadIdx"},
                {"ctaid.", "blockIdx"},
                {"ntid.", "blockDim"},
                {"nctaid.", "gridDim"}};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        if (qn__equal(name, lanes[i]))
            return lane_register(x, name);
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        const size_t n = strlen(axes[i].prefix);
        if (qn__starts_with(name, axes[i].prefix) && name[n] >= 'x' && name[n] <= 'z' &&
            name[n + 1] == 0)
            return index_register(x, axes[i].variable, (unsigned)(name[n] - 'x'));
    }
    if (qn__equal(name, "warpid"))
        return LLVMBuildLShr(x->b, linear_index(x), qn__ptx_number(x, 32, 5), "warp");
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    if (qn__equal(name, "clock64"))
        return qn__ptx_call(x, "clock64", wide, NULL, 0);
    if (qn__equal(name, "clock"))
        return LLVMBuildTrunc(x->b, qn__ptx_call(x, "__qn_clock", wide, NULL, 0),
                              LLVMInt32TypeInContext(x->u->context), "");
    if (qn__equal(name, "globaltimer"))
        return qn__ptx_call(x, "__globaltimer", wide, NULL, 0);
    if (qn__equal(name, "clock_hi"))
        return LLVMBuildTrunc(x->b,
                              LLVMBuildLShr(x->b, qn__ptx_call(x, "clock64", wide, NULL, 0),
                                            qn__ptx_number(x, 64, 32), ""),
                              LLVMInt32TypeInContext(x->u->context), "");
    if (qn__equal(name, "globaltimer_lo") || qn__equal(name, "globaltimer_hi")) {
        LLVMValueRef v = qn__ptx_call(x, "__globaltimer", wide, NULL, 0);
        if (v && qn__equal(name, "globaltimer_hi"))
            v = LLVMBuildLShr(x->b, v, qn__ptx_number(x, 64, 32), "");
        return v ? LLVMBuildTrunc(x->b, v, LLVMInt32TypeInContext(x->u->context), "") : NULL;
    }
    qn__ptx_unknown(x, qn__text(x->u,
                                "OpenCL has nothing like the register %%%s; pass what is needed as "
                                "an argument",
                                name));
    return NULL;
}

/* ---- what an operand's name means ---- */

/* 12, -3, 0x1f, 0b101, 0f3f800000 (bits of a float), 0d... (of a double), 1.5 */
static LLVMValueRef immediate(struct qn__ptx *x, const char *name, const struct qn__ptx_type *t)
{
    char *end = NULL;
    uint64_t bits;
    const char *const digits = name + (*name == '-');
    if (digits[0] == '0' && digits[1] && strchr("fFdD", digits[1])) {
        const bool wide = digits[1] == 'd' || digits[1] == 'D';
        bits = strtoull(digits + 2, &end, 16);
        if (*end || digits != name || (unsigned)(wide ? 64 : 32) != t->bits)
            return NULL;
        return convert(x, qn__ptx_number(x, t->bits, bits), t);
    }
    if (t->is_float) {
        const double value = strtod(name, &end);
        return *end ? NULL : LLVMConstReal(qn__ptx_llvm_type(x, t), value);
    }
    const bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    bits = strtoull(digits + (binary ? 2 : 0), &end, binary ? 2 : 0);
    if (*end == 'U')
        end++;
    if (*end || t->is_predicate)
        return NULL;
    return qn__ptx_number(x, t->bits, *name == '-' ? 0 - bits : bits);
}

static struct qn__ptx_register *find_register(struct qn__ptx *x, const char *name)
{
    for (uint32_t i = 0; i < x->n_registers; i++)
        if (qn__equal(x->registers[i].name, name))
            return &x->registers[i];
    return NULL;
}

/* "$3" is operand 3 of the block. */
static LLVMValueRef *block_operand(struct qn__ptx *x, const char *name)
{
    char *end = NULL;
    const unsigned long i = name[0] == '$' ? strtoul(name + 1, &end, 10) : 0;
    return name[0] == '$' && *end == 0 && i < x->n_values ? &x->values[i] : NULL;
}

LLVMValueRef qn__ptx_part(struct qn__ptx *x, const char *name, const struct qn__ptx_type *t)
{
    LLVMValueRef v = NULL;
    if (t->is_predicate && *name == '!') {
        v = qn__ptx_part(x, name + 1, t);
        return v ? LLVMBuildNot(x->b, v, "") : NULL;
    }
    const LLVMValueRef *const operand = block_operand(x, name);
    const struct qn__ptx_register *const r = find_register(x, name);
    if (operand)
        v = *operand;
    else if (r)
        v = r->value;
    else if (*name == '%')
        v = special_register(x, name + 1);
    else if (isdigit((unsigned char)*name) || *name == '-')
        v = immediate(x, name, t);
    else if (qn__equal(name, "WARP_SZ"))
        v = qn__ptx_number(x, 32, 32);
    if (!v) {
        qn__ptx_unknown(x, qn__text(x->u, "the operand %s has no value here", name));
        return NULL;
    }
    return convert(x, v, t);
}

bool qn__ptx_is_unset(struct qn__ptx *x, const char *name)
{
    const LLVMValueRef *const operand = block_operand(x, name);
    return operand ? !*operand : *name != '%' && !find_register(x, name);
}

LLVMValueRef qn__ptx_source(struct qn__ptx *x, unsigned operand, const struct qn__ptx_type *t)
{
    if (operand >= x->n_operands || x->operands[operand].n != 1 ||
        x->operands[operand].is_address) {
        qn__ptx_unknown(x, "other operands than expected");
        return NULL;
    }
    return qn__ptx_part(x, x->operands[operand].parts[0], t);
}

bool qn__ptx_set_part(struct qn__ptx *x, const char *name, LLVMValueRef v)
{
    if (!v)
        return false;
    LLVMValueRef *const operand = block_operand(x, name);
    struct qn__ptx_register *const r = find_register(x, name);
    if (operand && operand < x->values + x->n_outputs)
        *operand = v;
    else if (operand)
        return qn__ptx_unknown(x, "an input of the block is written to");
    else if (r)
        r->value = v;
    else if (!qn__equal(name, "_"))
        QN__PUSH(x->u, x->registers, x->n_registers, x->registers_capacity,
                 ((struct qn__ptx_register){name, v}));
    return true;
}

bool qn__ptx_set(struct qn__ptx *x, unsigned operand, LLVMValueRef v)
{
    if (operand >= x->n_operands || x->operands[operand].n != 1 || x->operands[operand].is_address)
        return qn__ptx_unknown(x, "other operands than expected");
    return qn__ptx_set_part(x, x->operands[operand].parts[0], v);
}

/* [p], [p+8]: an address of 64 bits, or a number of shared memory's. */
LLVMValueRef qn__ptx_address_in(struct qn__ptx *x, unsigned operand, bool is_shared)
{
    if (operand >= x->n_operands || !x->operands[operand].is_address) {
        qn__ptx_unknown(x, "other operands than expected");
        return NULL;
    }
    const char *const text = x->operands[operand].parts[0];
    const char *const plus = strchr(text, '+');
    const size_t n = plus ? (size_t)(plus - text) : strlen(text);
    size_t name_end = n;
    while (name_end && isspace((unsigned char)text[name_end - 1]))
        name_end--;
    const char *const name = qn__text(x->u, "%.*s", (int)name_end, text);
    const LLVMValueRef *const given = block_operand(x, name);
    const struct qn__ptx_register *const r = find_register(x, name);
    LLVMValueRef v = given ? *given : r ? r->value : NULL;
    const LLVMTypeKind kind = v ? LLVMGetTypeKind(LLVMTypeOf(v)) : LLVMVoidTypeKind;
    const unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
    if (is_shared ? bits < 32 : kind != LLVMPointerTypeKind && bits != 64) {
        qn__ptx_unknown(x, is_shared
                               ? "an address of shared memory is a number, as "
                                 "__cvta_generic_to_shared() makes it"
                               : "the address is no 64-bit number; those of 32 bits are for shared "
                                 "memory, and the instruction does not say .shared");
        return NULL;
    }
    if (is_shared)
        v = qn__ptx_shared_pointer(x, v);
    else if (kind != LLVMPointerTypeKind)
        v = LLVMBuildIntToPtr(x->b, v, LLVMPointerTypeInContext(x->u->context, 0), "");
    if (!plus)
        return v;
    char *end;
    LLVMValueRef offset = qn__ptx_number(x, 64, (uint64_t)strtoll(plus + 1, &end, 0));
    if (*end) {
        qn__ptx_unknown(x, "an address that is not known");
        return NULL;
    }
    return LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(x->u->context), v, &offset, 1, "");
}

LLVMValueRef qn__ptx_address(struct qn__ptx *x, unsigned operand)
{
    return qn__ptx_address_in(x, operand,
                              qn__ptx_has(x, "shared") || qn__ptx_has(x, "shared::cta"));
}

LLVMValueRef qn__ptx_call(struct qn__ptx *x, const char *name, LLVMTypeRef result,
                          const LLVMValueRef *arguments, unsigned n)
{
    enum { MOST = 6 };
    LLVMValueRef passed[MOST];
    LLVMTypeRef types[MOST];
    for (unsigned i = 0; i < n && i < MOST; i++) {
        passed[i] = arguments[i];
        types[i] = LLVMTypeOf(arguments[i]);
    }
    LLVMValueRef f = LLVMGetNamedFunction(x->module, name);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    if (!f) {
        f = LLVMAddFunction(x->module, name, type);
        qn__add_attribute(x->u, f, "convergent");
        qn__add_attribute(x->u, f, "nounwind");
    }
    if (LLVMGlobalGetValueType(f) != type) {
        qn__ptx_unknown(x, qn__text(x->u, "the source has a function %s of its own", name));
        return NULL;
    }
    return LLVMBuildCall2(x->b, type, f, passed, n, "");
}
