/* SPDX-License-Identifier: Apache-2.0
 *
 * What OpenCL's printf does not take: a text for %s that is no literal, and a width or precision *
 * that is not known. The call becomes several, one after the other:
 *
 *     printf "%d: %s|%*d" of n, text, w, x
 *     printf "%d: " of n; __qn_ir_print_text of text; printf "|"; __qn_ir_print_integer of x, w
 *
 * The functions print by characters (library.cl), so what several work-items print may mix within a
 * line. A call that stays as it is has its literals and numbers put into the text
 * (model/printf_format.c), or is refused. */
#include "compiler/core/attributes.h"
#include "compiler/core/diagnose.h"
#include "compiler/model/printf_format.h"
#include "compiler/passes.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, CONSTANT = 4, ARGUMENTS = 64 };
/* How an integer is printed: its base, or 0 for a character, and these. library.cl knows them. */
enum { SIGNED = 32, UPPER = 64, LEFT = 128, ZEROS = 256, PLUS = 512, BLANK = 1024, PREFIX = 2048 };

struct conversion {
    const char *flags;
    unsigned n_flags;
    bool width_star, precision_star; /* from the arguments */
    int width, precision;            /* -1: no precision */
    const char *length;
    unsigned n_length;
    char kind;
    LLVMValueRef width_value, precision_value, value;
};

struct split {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef call;
    unsigned next; /* argument */
    const char *pending;
    LLVMValueRef arguments[ARGUMENTS];
    unsigned n_arguments;
    struct qn__map literals; /* choices among string literals only */
};

static bool is_literal(struct split *s, LLVMValueRef v, int depth);

static bool are_literals(struct split *s, LLVMValueRef v, int depth)
{
    if (LLVMIsASelectInst(v))
        return is_literal(s, LLVMGetOperand(v, 1), depth) &&
               is_literal(s, LLVMGetOperand(v, 2), depth);
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
        if (LLVMGetIncomingValue(v, i) != v && !is_literal(s, LLVMGetIncomingValue(v, i), depth))
            return false;
    return true;
}

/* Does this lead to string literals only? Each choice is looked at once: one that is not ends all.
 */
static bool is_literal(struct split *s, LLVMValueRef v, int depth)
{
    if (depth == 0)
        return false;
    if (LLVMIsAGlobalVariable(v))
        return LLVMIsGlobalConstant(v) && LLVMGetInitializer(v);
    if (LLVMIsASelectInst(v) || LLVMIsAPHINode(v)) {
        if (qn__map_get(&s->literals, v))
            return true;
        if (!are_literals(s, v, depth - 1))
            return false;
        qn__map_put(s->u, &s->literals, v, v);
        return true;
    }
    if (LLVMIsAGetElementPtrInst(v) || LLVMIsAAddrSpaceCastInst(v) || LLVMIsAConstantExpr(v))
        return is_literal(s, LLVMGetOperand(v, 0), depth - 1);
    return false;
}

/* The next argument; NULL: there is none. */
static LLVMValueRef take(struct split *s)
{
    return s->next < LLVMGetNumArgOperands(s->call) ? LLVMGetArgOperand(s->call, s->next++) : NULL;
}

static int read_number(const char **p)
{
    int n = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++)
        n = n < 10000 ? n * 10 + **p - '0' : n;
    return n;
}

/* A conversion, behind its %; false: not a whole one, or an argument is missing. */
static bool read_conversion(struct split *s, const char **text, struct conversion *c)
{
    const char *p = *text;
    *c = (struct conversion){.flags = p, .precision = -1};
    c->n_flags = (unsigned)strspn(p, "-+ #0");
    p += c->n_flags;
    c->width_star = *p == '*';
    if (c->width_star) {
        p++;
        if (!(c->width_value = take(s)))
            return false;
    } else
        c->width = read_number(&p);
    if (*p == '.') {
        p++;
        c->precision_star = *p == '*';
        if (c->precision_star) {
            p++;
            if (!(c->precision_value = take(s)))
                return false;
        } else
            c->precision = read_number(&p);
    }
    c->length = p;
    c->n_length = (unsigned)strspn(p, "hlLqjzt");
    p += c->n_length;
    c->kind = *p;
    if (!c->kind)
        return false;
    *text = p + 1;
    return c->kind == '%' || (c->value = take(s)) != NULL;
}

static bool is_unknown(LLVMValueRef star)
{
    return star && !LLVMIsAConstantInt(star);
}

/* What must be printed by a function of ours. */
static bool is_special(struct split *s, const struct conversion *c)
{
    if (c->kind == '%')
        return false;
    return is_unknown(c->width_value) || is_unknown(c->precision_value) ||
           (c->kind == 's' && !is_literal(s, c->value, DEPTH));
}

/* And can be. A float takes an unknown precision, without a width. */
static bool is_known(const struct conversion *c)
{
    if (strchr("sdiuxXoc", c->kind))
        return true;
    return strchr("feEgGF", c->kind) && !c->n_flags && !c->width_star && !c->width;
}

/* ---- the calls ---- */

static LLVMValueRef number(struct split *s, int n)
{
    return LLVMConstInt(LLVMInt32TypeInContext(s->u->context), (uint64_t)n, true);
}

static LLVMValueRef function(struct split *s, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(s->u->module, name);
    if (!f) {
        f = LLVMAddFunction(s->u->module, name, type);
        qn__add_attribute(s->u, f, "nounwind");
    }
    return f;
}

static void emit(struct split *s, const char *name, LLVMValueRef *arguments, unsigned n)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    const LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(s->u->context), types, n, false);
    LLVMBuildCall2(s->b, type, function(s, name, type), arguments, n, "");
}

/* printf of what was collected */
static void flush(struct split *s)
{
    if (!*s->pending)
        return;
    const unsigned n = (unsigned)strlen(s->pending);
    const LLVMValueRef text = LLVMConstStringInContext(s->u->context, s->pending, n, false);
    const LLVMValueRef g =
        LLVMAddGlobalInAddressSpace(s->u->module, LLVMTypeOf(text), ".str", CONSTANT);
    LLVMSetInitializer(g, text);
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    s->arguments[0] = LLVMConstAddrSpaceCast(g, LLVMTypeOf(LLVMGetArgOperand(s->call, 0)));
    LLVMBuildCall2(s->b, LLVMGetCalledFunctionType(s->call), LLVMGetCalledValue(s->call),
                   s->arguments, s->n_arguments, "");
    s->pending = "";
    s->n_arguments = 1;
}

static int flags_of(const struct conversion *c)
{
    static const struct {
        char flag;
        int bit;
    } all[] = {{'-', LEFT}, {'0', ZEROS}, {'+', PLUS}, {' ', BLANK}, {'#', PREFIX}};
    int how = c->kind == 'c' ? 0 : strchr("xX", c->kind) ? 16 : c->kind == 'o' ? 8 : 10;
    if (c->kind == 'd' || c->kind == 'i')
        how |= SIGNED;
    if (c->kind == 'X')
        how |= UPPER;
    for (unsigned i = 0; i < c->n_flags; i++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (c->flags[i] == all[k].flag)
                how |= all[k].bit;
    return how;
}

/* An integer as 64 bits, of which the length's count. */
static LLVMValueRef widened(struct split *s, const struct conversion *c)
{
    const LLVMTypeRef wide = LLVMInt64TypeInContext(s->u->context);
    const bool is_signed = c->kind == 'd' || c->kind == 'i';
    LLVMValueRef v = c->value;
    if (c->n_length && c->length[0] == 'h')
        v = LLVMBuildTrunc(s->b, v, LLVMIntTypeInContext(s->u->context, c->n_length > 1 ? 8 : 16),
                           "");
    return LLVMBuildIntCast2(s->b, v, wide, is_signed, "");
}

static void print(struct split *s, const struct conversion *c)
{
    const LLVMValueRef width = c->width_star ? c->width_value : number(s, c->width);
    const LLVMValueRef precision = c->precision_star ? c->precision_value : number(s, c->precision);
    const int how = flags_of(c);
    if (c->kind == 's') {
        const LLVMValueRef zero = number(s, 0);
        LLVMValueRef w = width;
        if (how & LEFT) { /* a width of less than zero means the left */
            const LLVMValueRef less = LLVMBuildICmp(s->b, LLVMIntSLT, w, zero, "");
            w = LLVMBuildSelect(s->b, less, w, LLVMBuildNeg(s->b, w, ""), "");
        }
        emit(s, "__qn_ir_print_text", (LLVMValueRef[]){c->value, w, precision}, 3);
    } else if (strchr("diuxXoc", c->kind))
        emit(s, "__qn_ir_print_integer",
             (LLVMValueRef[]){widened(s, c), width, precision, number(s, how)}, 4);
    else
        emit(s, qn__text(s->u, "__qn_ir_print_%c", c->kind == 'F' ? 'f' : c->kind),
             (LLVMValueRef[]){c->value, precision}, 2);
}

/* A conversion that printf takes goes on to the text that is collected. */
static void collect(struct split *s, const struct conversion *c, const char *from, const char *to)
{
    const LLVMValueRef all[] = {c->width_value, c->precision_value, c->value};
    s->pending = qn__text(s->u, "%s%.*s", s->pending, (int)(to - from), from);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            s->arguments[s->n_arguments++] = all[i];
}

/* Every conversion, or only a look whether some are special and all of these known. */
static bool walk(struct split *s, const char *format, bool builds)
{
    bool special = false;
    s->next = 1;
    s->pending = "";
    s->n_arguments = 1;
    for (const char *p = format; *p;) {
        const size_t plain = strcspn(p, "%");
        if (plain) {
            s->pending = qn__text(s->u, "%s%.*s", s->pending, (int)plain, p);
            p += plain;
            continue;
        }
        const char *const from = p++;
        struct conversion c;
        if (!read_conversion(s, &p, &c))
            return false;
        const bool is_one = is_special(s, &c);
        special |= is_one;
        if (is_one && !is_known(&c))
            return false;
        if (builds && is_one) {
            flush(s);
            print(s, &c);
        } else if (builds)
            collect(s, &c, from, p);
    }
    if (builds)
        flush(s);
    return special;
}

static void split(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call)
{
    const char *const format = qn__string_at(u, LLVMGetArgOperand(call, 0));
    struct split s = {.u = u, .b = b, .call = call};
    if (!format || LLVMGetNumArgOperands(call) > ARGUMENTS || !walk(&s, format, false))
        return;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    walk(&s, format, true);
    qn__explain(u, call, "printf of texts and widths that are not known becomes several calls");
    LLVMInstructionEraseFromParent(call);
}

qn_status qn__split_printf(struct qn__unit *u)
{
    const LLVMValueRef f = LLVMGetNamedFunction(u->module, "__qn_printf");
    if (!f || qn__profile_can(u->profile, QN__CAN_loops)) /* C's own printf takes them */
        return QN_OK;
    LLVMValueRef *calls = NULL;
    uint32_t n = 0, capacity = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
            QN__PUSH(u, calls, n, capacity, call);
    }
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t i = 0; i < n; i++)
        split(u, b, calls[i]);
    LLVMDisposeBuilder(b);
    return QN_OK;
}
