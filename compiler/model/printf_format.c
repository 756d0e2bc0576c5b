/* SPDX-License-Identifier: Apache-2.0
 *
 * "%*d" of 5 and x is "%5d" of x: OpenCL's printf has no *, and where the number is known
 * it needs none. */
#include "compiler/model/printf_format.h"

#include <string.h>

const char *qn__string_at(struct qn__unit *u, LLVMValueRef pointer)
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

/* A width of less than zero means its size, at the left; such a precision means none. */
static const char *add_number(struct qn__unit *u, const char *text, LLVMValueRef number)
{
    const long long n = LLVMConstIntGetSExtValue(number);
    if (n < 0 && qn__ends_with(text, "."))
        return qn__text(u, "%.*s", (int)strlen(text) - 1, text);
    return qn__text(u, "%s%lld", text, n);
}

/* One conversion, behind its %: its flags, its width and its precision. */
static const char *read_conversion(struct qn__unit *u, LLVMValueRef call, const char *p,
                                   struct qn__printf_format *out, unsigned *i)
{
    for (; *p && strchr("-+ #0123456789.hlL*", *p); p++) {
        const bool is_star = *p == '*' && *i < LLVMGetNumArgOperands(call);
        const LLVMValueRef number = is_star ? LLVMGetArgOperand(call, *i) : NULL;
        if (number && LLVMIsAConstantInt(number)) {
            out->text = add_number(u, out->text, number);
            out->in_text[*i] = true;
        } else
            out->text = qn__text(u, "%s%c", out->text, *p);
        *i += is_star;
    }
    *i += *p && *p != '%';
    return p;
}

struct qn__printf_format qn__printf_format(struct qn__unit *u, LLVMValueRef call,
                                           const char *written)
{
    struct qn__printf_format out = {written, QN__NEED_ARRAY(u, bool, LLVMGetNumArgOperands(call))};
    unsigned i = 1;
    if (!written || !strchr(written, '*'))
        return out;
    out.text = "";
    for (const char *p = written; *p;) {
        const size_t plain = strcspn(p, "%");
        out.text = qn__text(u, "%s%.*s", out.text, (int)plain + (p[plain] != 0), p);
        p += plain;
        if (!*p)
            break;
        p = read_conversion(u, call, p + 1, &out, &i);
        out.text = qn__text(u, "%s%.*s", out.text, *p != 0, p);
        p += *p != 0;
    }
    return out;
}
