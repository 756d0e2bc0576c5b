/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants: numbers that read back as the same bits, and initialisers of tables. */
#include "compiler/expr/expr.h"
#include "compiler/expr/operators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest decimal that reads back as the same number. */
static const char *float_text(struct qn__unit *u, double d, unsigned bits)
{
    char text[48];
    if (isnan(d))
        return bits == 64 ? "(double)NAN" : "NAN";
    if (isinf(d))
        return d < 0 ? (bits == 64 ? "(double)-INFINITY" : "-INFINITY")
                     : (bits == 64 ? "(double)INFINITY" : "INFINITY");
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (bits == 64 ? strtod(text, NULL) == d : strtof(text, NULL) == (float)d)
            break;
    }
    if (strchr(text, 'e') && d == floor(d) && fabs(d) < 1e9) /* 1000, not 1e+03 */
        snprintf(text, sizeof text, "%.0f", d);
    const bool whole = strcspn(text, ".en") == strlen(text);
    return qn__text(u, "%s%s%s", text, whole ? ".0" : "", bits == 64 ? "" : "f");
}

/* The bits of a NaN, which as a number is only NAN; 0 for any other number and for the plain NaN.
 */
static uint64_t nan_bits(struct qn__unit *u, LLVMValueRef v)
{
    LLVMBool loses;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    const unsigned bits = kind == LLVMDoubleTypeKind ? 64 : kind == LLVMFloatTypeKind ? 32 : 16;
    const uint64_t plain = bits == 64 ? 0x7ff8000000000000 : bits == 32 ? 0x7fc00000 : 0x7e00;
    if (!isnan(LLVMConstRealGetDouble(v, &loses)))
        return 0;
    const LLVMValueRef as_int = LLVMConstBitCast(v, LLVMIntTypeInContext(u->context, bits));
    return LLVMConstIntGetZExtValue(as_int) == plain ? 0 : LLVMConstIntGetZExtValue(as_int);
}

static struct qn__expr vector_constant(struct qn__function *f, LLVMValueRef v,
                                       const struct qn__type *t)
{
    struct qn__unit *const u = f->u;
    const char *text = "";
    bool same = true;
    struct qn__expr first = {0};
    for (unsigned i = 0; i < t->count; i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(v, i);
        const struct qn__expr part =
            e ? qn__convert(f, qn__constant(f, e), t->of) : qn__spell("0", QN__PREC_POSTFIX, t->of);
        same &= !first.text || qn__equal(first.text, part.text);
        first = first.text ? first : part;
        text = qn__text(u, "%s%s%s", text, i ? ", " : "", part.text);
    }
    if (same)
        return qn__same_components(u, t, first);
    return qn__spell(qn__text(u, "(%s)(%s)", qn__type_text(u, t), text), QN__PREC_UNARY, t);
}

/* An address as a number, or what is reckoned from two of them: (char *)a - (char *)b. */
static bool number_of_address(struct qn__function *f, LLVMValueRef v, struct qn__expr *out)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_int(u, LLVMGetIntTypeWidth(LLVMTypeOf(v)), true);
    const LLVMValueRef first = LLVMGetOperand(v, 0);
    const LLVMOpcode op = LLVMGetConstOpcode(v);
    switch (op) {
    case LLVMPtrToInt: *out = qn__cast(u, qn__pointer_expr(f, first), t); return true;
    case LLVMTrunc: *out = qn__cast(u, qn__constant(f, first), t); return true;
    case LLVMAdd:
    case LLVMSub: {
        const struct qn__expr a = qn__convert(f, qn__constant(f, first), t),
                              b = qn__convert(f, qn__constant(f, LLVMGetOperand(v, 1)), t);
        *out = qn__infix(u, a, op == LLVMAdd ? "+" : "-", b, QN__PREC_ADD, t);
        return true;
    }
    default: return false;
    }
}

struct qn__expr qn__constant(struct qn__function *f, LLVMValueRef v)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef lt = LLVMTypeOf(v);
    const bool pointer = LLVMGetTypeKind(lt) == LLVMPointerTypeKind;
    const struct qn__type *const t =
        pointer ? qn__type_pointer(u, qn__type_int(u, 8, true), QN__GLOBAL, false, false)
                : qn__type_of(u, lt, NULL, NULL);
    struct qn__expr e = qn__spell("0", QN__PREC_POSTFIX, t);
    if (LLVMIsUndef(v) || LLVMIsPoison(v)) {
        if (t->kind == QN__FLOAT)
            e.text = t->bits == 64 ? "0.0" : "0.0f";
        if (t->kind == QN__VECTOR)
            e = qn__spell(qn__text(u, "(%s)(0)", qn__type_text(u, t)), QN__PREC_UNARY, t);
        return e;
    }
    if (LLVMIsAConstantInt(v)) {
        if (t->kind == QN__BOOL)
            e.text = LLVMConstIntGetZExtValue(v) ? "true" : "false";
        else if (t->is_unsigned && t->bits < 32)
            e.text = qn__text(u, "%llu", LLVMConstIntGetZExtValue(v));
        else {
            struct qn__expr plain = {.number = v};
            return qn__convert(f, plain, t);
        }
        e.number = v;
        return e;
    }
    if (LLVMIsAConstantFP(v)) {
        LLVMBool loses;
        const double d = LLVMConstRealGetDouble(v, &loses);
        const unsigned long long bits = nan_bits(u, v);
        if (bits)
            return qn__spell(qn__text(u,
                                      t->bits == 64   ? "as_double(0x%llxul)"
                                      : t->bits == 32 ? "as_float(0x%llxu)"
                                                      : "as_half((ushort)0x%llx)",
                                      bits),
                             QN__PREC_POSTFIX, t);
        e.text = float_text(u, d, t->bits);
        if (t->bits == 16)
            e.text = qn__text(u, "(half)%s", e.text);
        e.prec = *e.text == '-' || *e.text == '(' ? QN__PREC_UNARY : QN__PREC_POSTFIX;
        return e;
    }
    if (LLVMIsNull(v) && t->kind == QN__POINTER) {
        e.text = qn__text(u, "(%s)0", qn__type_text(u, t));
        e.prec = QN__PREC_UNARY;
        /* null is in every space: a cast to another pointer takes the number */
        e.bare = (struct qn__bare){"0", QN__PREC_POSTFIX, qn__type_int(u, 64, true), true};
        return e;
    }
    if (t->kind == QN__VECTOR)
        return vector_constant(f, v, t);
    if (LLVMIsAConstantExpr(v) && t->kind == QN__INT && number_of_address(f, v, &e))
        return e;
    qn__refuse(u, NULL, "a constant that has no OpenCL C form: compute it in the kernel");
    return e;
}

/* The initialiser of a program-scope table, with braces. */
const char *qn__initializer(struct qn__unit *u, LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    unsigned n = 0;
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind: n = (unsigned)LLVMGetArrayLength2(t); break;
    case LLVMStructTypeKind: n = LLVMCountStructElementTypes(t); break;
    case LLVMVectorTypeKind: n = LLVMGetVectorSize(t); break;
    case LLVMIntegerTypeKind: {
        const unsigned bits = LLVMGetIntTypeWidth(t);
        if (LLVMIsUndef(v)) /* padding */
            return "0";
        if (!LLVMIsAConstantInt(v)) {
            qn__refuse(u, NULL,
                       "a constant table of addresses turned into integers: OpenCL C has none; "
                       "compute them in the kernel");
            return "0";
        }
        if (bits == 64)
            return qn__text(u, "%lluul", LLVMConstIntGetZExtValue(v));
        if (bits == 8)
            return qn__text(u, "%llu", LLVMConstIntGetZExtValue(v));
        return qn__text(u, "%lld", LLVMConstIntGetSExtValue(v));
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: {
        LLVMBool loses;
        const bool is_double = LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
        if (LLVMIsUndef(v))
            return "0";
        if (nan_bits(u, v))
            qn__refuse(u, NULL,
                       "a constant table with a NaN of its own bits: a table of integers may hold "
                       "them, read with __int_as_float");
        if (isnan(LLVMConstRealGetDouble(v, &loses))) /* NAN is no constant for every compiler */
            return is_double ? "0.0 / 0.0" : "0.0f / 0.0f";
        return float_text(u, LLVMConstRealGetDouble(v, &loses), is_double ? 64 : 32);
    }
    case LLVMPointerTypeKind:
        if (LLVMIsAConstantPointerNull(v) || LLVMIsUndef(v))
            return "0";
        qn__refuse(u, NULL,
                   "a constant table of addresses, which OpenCL C does not have: an array of the "
                   "kernel's own may hold them, or a switch choose among them");
        return "0";
    default:
        qn__refuse(
            u, NULL,
            "a constant table with an initialiser that has no OpenCL C form: fill an array in "
            "the kernel");
        return "0";
    }
    struct qn__str out = {0};
    qn__str_add(&out, "{");
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(v, i);
        qn__str_printf(&out, "%s%s", i ? (i % 16 ? ", " : ",\n    ") : "",
                       e ? qn__initializer(u, e) : "0");
    }
    qn__str_add(&out, "}");
    const char *const text = qn__text(u, "%s", out.text ? out.text : "{}");
    qn__str_release(&out);
    return text;
}

/* %lld, %llu and %zu: OpenCL's long has 64 bits and its printf no "ll" or "z". */
static const char *skip_length(const char *p, bool *is_long)
{
    *is_long = false;
    if (p[0] == 'l' && p[1] == 'l') {
        *is_long = true;
        return p + 2;
    }
    if (p[0] == 'z' || p[0] == 't' || p[0] == 'j') {
        *is_long = true;
        return p + 1;
    }
    return p;
}

/* The characters of a constant string, up to its first zero; NULL for everything else. */
static const char *string_behind(struct qn__unit *u, LLVMValueRef pointer)
{
    while (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast)
        pointer = LLVMGetOperand(pointer, 0);
    if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer))
        return NULL;
    const LLVMValueRef init = LLVMGetInitializer(pointer);
    const LLVMTypeRef t = LLVMGlobalGetValueType(pointer);
    if (init && LLVMIsNull(init) && LLVMGetTypeKind(t) == LLVMArrayTypeKind &&
        LLVMGetElementType(t) == LLVMInt8TypeInContext(u->context))
        return "";
    if (!init || !LLVMIsAConstantDataSequential(init) || !LLVMIsConstantString(init))
        return NULL;
    size_t n;
    const char *const text = LLVMGetAsString(init, &n);
    return qn__text(u, "%.*s", (int)n, text);
}

const char *qn__string_literal(struct qn__unit *u, LLVMValueRef pointer, bool is_format)
{
    const char *const text = string_behind(u, pointer);
    if (!text)
        return NULL;
    struct qn__str out = {0};
    qn__str_add(&out, "\"");
    bool conversion = false, is_long;
    for (const char *p = text; *p; p++) {
        if (*p == '%')
            conversion = is_format && !conversion;
        if (conversion && *p != '%') {
            const char *const after = skip_length(p, &is_long);
            if (is_long) {
                qn__str_add_char(&out, 'l');
                p = after;
            }
            if (strchr("diouxXeEfFgGaAcsp", *p))
                conversion = false;
        }
        if (*p == '\n')
            qn__str_add(&out, "\\n");
        else if (*p == '\t')
            qn__str_add(&out, "\\t");
        else if (*p == '"' || *p == '\\' || (*p == '?' && p > text && p[-1] == '?'))
            qn__str_printf(&out, "\\%c", *p); /* "??(" would be a trigraph */
        else if ((unsigned char)*p < 32)
            qn__str_printf(&out, "\\%03o", (unsigned char)*p);
        else
            qn__str_add_char(&out, *p);
    }
    qn__str_add(&out, "\"");
    const char *const copy = qn__text(u, "%s", out.text ? out.text : "\"\"");
    qn__str_release(&out);
    return copy;
}
