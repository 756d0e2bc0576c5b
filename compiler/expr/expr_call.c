/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: a row of builtins.def says what each becomes. Whatever has no row is refused by name. */
#include "compiler/expr/operators.h"
#include "compiler/lower/ptx/ptx.h"
#include "compiler/model/address_space.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS = 10 };

/* A row's signature, taken apart for one call. */
struct signature {
    const struct qn__type *result;
    const struct qn__type *arguments[ARGUMENTS]; /* NULL: as it is */
};

static const char *after_blanks(const char *p)
{
    return p + strspn(p, " ");
}

static void parse_signature(struct qn__function *f, LLVMValueRef call, const struct qn__builtin *b,
                            struct signature *out, enum qn__space space)
{
    struct qn__unit *const u = f->u;
    const char *p = b->signature;
    const size_t n_result = strcspn(p, "(");
    out->result = qn__type_named(u, p, n_result, space);
    p += n_result + (p[n_result] == '(');
    for (unsigned i = 0; i < ARGUMENTS && *p && *p != ')'; i++) {
        p = after_blanks(p);
        const size_t n = strcspn(p, ",)");
        enum qn__space s = space;
        if (i < LLVMGetNumArgOperands(call) &&
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
            s = qn__space_of(f, LLVMGetArgOperand(call, i));
        if (strncmp(p, "...", 3) == 0)
            break;
        out->arguments[i] = qn__type_named(u, p, n, s);
        p += n + (p[n] == ',');
    }
}

static enum qn__space first_pointer_space(struct qn__function *f, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
            return qn__space_of(f, LLVMGetArgOperand(call, i));
    return QN__GLOBAL;
}

static struct qn__expr argument(struct qn__function *f, LLVMValueRef v, const struct qn__type *as)
{
    const char *const literal = qn__string_literal(f->u, v, false);
    if (literal)
        return qn__spell(literal, QN__PREC_POSTFIX, as ? as : qn__type_int(f->u, 8, false));
    const struct qn__expr e = qn__exact(f->u, qn__expr(f, v));
    if (!as || as->kind == QN__VOID)
        return e;
    if (as->kind == QN__POINTER && as->of->kind == QN__VOID)
        return e;
    const struct qn__expr converted = qn__convert(f, e, as);
    if (as->kind == QN__INT && as->bits < 32 && (e.number || e.prec < QN__PREC_POSTFIX))
        return qn__spell(qn__text(f->u, "(%s)%s", qn__type_text(f->u, as),
                                  qn__wrap(f->u, converted, QN__PREC_UNARY)),
                         QN__PREC_UNARY, as); /* C computes in int: the overload needs the type */
    return converted;
}

/* $0 inside a call's parentheses stands alone; next to an operator it may need its own. */
static const char *placed(struct qn__unit *u, struct qn__expr e, const char *form, const char *at)
{
    const char *before = at, *after = after_blanks(at + 2);
    while (before > form && before[-1] == ' ')
        before--;
    const bool alone = (before == form || before[-1] == '(' || before[-1] == ',') &&
                       (*after == ')' || *after == ',' || *after == 0);
    if (alone)
        return qn__wrap(u, e, QN__PREC_ASSIGN);
    return qn__wrap(u, e, *after == '.' || *after == '[' ? QN__PREC_POSTFIX : QN__PREC_UNARY);
}

/* "name(...)" up to the very end is a postfix expression; other forms bind like ?: to be safe. */
static enum qn__prec form_prec(const char *form)
{
    size_t n = 0;
    if (form[0] == '(' && isalpha((unsigned char)form[1])) { /* a cast */
        const char *const rest =
            form + 1 + strspn(form + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
        return *rest == ')' &&
                       (qn__equal(rest + 1, "$0") || (isalpha((unsigned char)rest[1]) &&
                                                      form_prec(rest + 1) == QN__PREC_POSTFIX))
                   ? QN__PREC_UNARY
                   : QN__PREC_CONDITION;
    }
    while (isalnum((unsigned char)form[n]) || form[n] == '_')
        n++;
    if (form[n] == 0)
        return QN__PREC_POSTFIX;
    int depth = 0;
    for (size_t i = n; n && form[n] == '(' && form[i]; i++) {
        depth += form[i] == '(' ? 1 : form[i] == ')' ? -1 : 0;
        if (depth == 0)
            return form[i + 1] == 0 ? QN__PREC_POSTFIX : QN__PREC_CONDITION;
    }
    return QN__PREC_CONDITION;
}

static void use_library(struct qn__unit *u, LLVMValueRef where, const char *text)
{
    for (const char *p = text; (p = strstr(p, "qn_")) != NULL;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        if (p[n] == '(' && (p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')))
            qn__library_use(u, where, qn__text(u, "%.*s", (int)n, p));
        p += n;
    }
}

/* OpenCL's printf takes a literal for its format, a literal or what points to one for %s, and no
 * width or precision from its arguments ("%*d", "%.*f"). */
static void check_format(struct qn__function *f, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    const char *const format = qn__string_literal(u, LLVMGetArgOperand(call, 0), true);
    unsigned i = 1;
    if (!format)
        qn__refuse(u, call,
                   "a format of printf's that is not known here: OpenCL's printf takes a literal; "
                   "write one printf for each");
    for (const char *p = format; p && (p = strchr(p, '%')) != NULL; p++) {
        p += 1 + strspn(p + 1, "-+ #0123456789.hlL");
        if (*p == '*')
            qn__refuse(u, call,
                       "a width or precision * in printf's format: OpenCL's printf takes none from "
                       "its arguments; write the number into the format");
        if (*p == '*' || !*p)
            return;
        if (*p == '%')
            continue;
        if (*p == 's' && i < LLVMGetNumArgOperands(call) &&
            qn__space_of(f, LLVMGetArgOperand(call, i)) != QN__CONSTANT)
            qn__refuse(
                u, call,
                "a text for printf's %%s that is no literal: OpenCL's printf takes no other; "
                "print its characters with %%c");
        i++;
    }
}

/* What printf takes behind its format: a float is enough where C++ passes a double. */
static void add_rest(struct qn__function *f, struct qn__str *out, LLVMValueRef call, int first)
{
    for (unsigned i = (unsigned)first; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef v = LLVMGetArgOperand(call, i);
        const struct qn__value *const known = qn__value_of(f, v);
        if (known && known->folded && LLVMIsAFPExtInst(v))
            v = LLVMGetOperand(v, 0);
        qn__str_printf(out, ", %s", qn__wrap(f->u, argument(f, v, NULL), QN__PREC_ASSIGN));
    }
}

/* The hidden argument for a failed assertion's words: the runtime knows it by its name. */
static struct qn__var *fault_buffer(struct qn__function *f)
{
    return qn__hidden_var(f, LLVMGetNamedGlobal(f->u->module, QN__FAULT_NAME));
}

/* "file.cu", 12u */
static void add_position(struct qn__unit *u, struct qn__str *out, LLVMValueRef call)
{
    struct qn__place_in_source p = {.file = ""};
    qn__where(u, call, &p);
    qn__str_add_char(out, '"');
    for (const char *c = p.file; *c; c++)
        qn__str_printf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    qn__str_printf(out, "\", %uu", p.line);
}

static struct qn__expr expand(struct qn__function *f, LLVMValueRef call, const char *form,
                              const struct signature *s)
{
    struct qn__unit *const u = f->u;
    const char *const space = qn__space_word(first_pointer_space(f, call));
    const unsigned n_arguments = LLVMGetNumArgOperands(call);
    struct qn__str out = {0};
    int highest = -1;
    struct qn__str names = {0}; /* the form alone: what the arguments use is already known */
    for (const char *p = form; *p;) {
        if (*p == '$' && isdigit((unsigned char)p[1])) {
            const unsigned i = (unsigned)(p[1] - '0');
            highest = (int)i > highest ? (int)i : highest;
            const char *const format = i < n_arguments && strncmp(p, "$0, ...", 7) == 0
                                           ? qn__string_literal(u, LLVMGetArgOperand(call, i), true)
                                           : NULL;
            if (format)
                qn__str_add(&out, format);
            else if (i < n_arguments)
                qn__str_add(
                    &out,
                    placed(u, argument(f, LLVMGetArgOperand(call, i), s->arguments[i]), form, p));
            p += 2;
        } else if (strncmp(p, "SCRATCH32", 9) == 0 || strncmp(p, "SCRATCH64", 9) == 0) {
            qn__str_add(&out, qn__var_expr(u, qn__scratch(f, p[7] == '6' ? 64 : 32)).text);
            p += 9;
        } else if (strncmp(p, "ACTIVE", 6) == 0) {
            qn__str_add(&out, QN__ACTIVE);
            p += 6;
        } else if (strncmp(p, "FAULT", 5) == 0) {
            qn__str_add(&out, qn__var_expr(u, fault_buffer(f)).text);
            p += 5;
        } else if (strncmp(p, "HERE", 4) == 0) {
            add_position(u, &out, call);
            p += 4;
        } else if (strncmp(p, ", ...", 5) == 0) {
            check_format(f, call);
            add_rest(f, &out, call, highest + 1);
            p += 5;
        } else if (strncmp(p, "SPACE", 5) == 0) {
            qn__str_add(&out, space);
            qn__str_add(&names, space);
            p += 5;
        } else {
            qn__str_add_char(&names, *p);
            qn__str_add_char(&out, *p++);
        }
    }
    struct qn__expr e =
        qn__spell(qn__text(u, "%s", out.text ? out.text : ""), form_prec(form), s->result);
    if (qn__equal(form, "$0") && n_arguments)
        e = argument(f, LLVMGetArgOperand(call, 0), s->arguments[0]);
    use_library(u, call, names.text ? names.text : "");
    qn__str_release(&out);
    qn__str_release(&names);
    return e;
}

void qn__check_subgroups(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    f->in_subgroups = true;
    struct qn__stmt *const s = qn__stmt_new(f, QN__TEXT);
    struct qn__str where = {0};
    add_position(u, &where, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->llvm)));
    s->text =
        qn__text(u,
                 "if (get_sub_group_local_id() != %s() %% 32)\n    %s(%s, %s, "
                 "\"this driver's subgroups are not 32 work-items in a row here: \"\n        \"use "
                 "a block of one axis, or the profile opencl3\")",
                 qn__library_use(u, NULL, "qn_linear_id"), qn__library_use(u, NULL, "qn_fail"),
                 qn__var_expr(u, fault_buffer(f)).text, where.text);
    qn__str_release(&where);
    if (f->body->first)
        qn__insert_before(f->body->first, s);
    else
        qn__append(f->body, s);
}

static bool is_vector_of_integers(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMIntegerTypeKind;
}

/* LLVM's intrinsics have the types of the call; `sign` says how integers are meant. */
static void natural_signature(struct qn__function *f, LLVMValueRef call,
                              const struct qn__builtin *b, struct signature *out)
{
    struct qn__unit *const u = f->u;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < ARGUMENTS; i++) {
        const LLVMTypeRef t = LLVMTypeOf(LLVMGetArgOperand(call, i));
        if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) > 1 && b->sign)
            out->arguments[i] = qn__type_int(u, LLVMGetIntTypeWidth(t), b->sign == 'u');
        if (is_vector_of_integers(t) && b->sign)
            out->arguments[i] = qn__signed_as(u, qn__type_of(u, t, NULL, call), b->sign == 'u');
    }
    out->result = qn__type_of(u, LLVMTypeOf(call), NULL, call);
    if (out->result->kind == QN__INT || is_vector_of_integers(LLVMTypeOf(call)))
        out->result =
            qn__signed_as(u, out->result, b->sign == 'u' || qn__starts_with(b->form, "abs("));
}

static struct qn__expr zero_of(struct qn__function *f, LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return qn__spell("", QN__PREC_POSTFIX, qn__type_void(f->u));
    return qn__constant(f, LLVMGetUndef(LLVMTypeOf(call)));
}

/* What stands behind symbols that only the language makes. */
static const char *reason_of_symbol(const char *symbol)
{
    static const struct {
        const char *prefix, *reason;
    } all[] = {
        {"_Znw", "new: OpenCL has no device heap; allocate a buffer on the host and pass it"},
        {"_Zna", "new: OpenCL has no device heap; allocate a buffer on the host and pass it"},
        {"_Zdl", "delete: OpenCL has no device heap; the host frees what it allocated"},
        {"_Zda", "delete: OpenCL has no device heap; the host frees what it allocated"},
        {"__dynamic_cast", "dynamic_cast: OpenCL C has no virtual classes; use a member that says "
                           "what an object is"},
        {"llvm.umul.with.overflow", "a product that is checked for overflow, as new[] does: divide "
                                    "to find out"},
        {"llvm.nvvm.tex", "a texture: read the data through a pointer instead"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(symbol, all[i].prefix))
            return all[i].reason;
    return NULL;
}

static struct qn__expr refuse_callee(struct qn__function *f, LLVMValueRef call, const char *callee)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef target = LLVMGetCalledValue(call);
    const char *const ptx = LLVMIsAInlineAsm(target) ? qn__ptx_reason(u, call) : NULL;
    if (ptx)
        qn__refuse(u, call, "inline PTX: %s%s", ptx,
                   strchr(ptx, ';') ? "" : "; put the CUDA C++ that does the same in its place");
    else if (!LLVMIsAFunction(target))
        qn__refuse(u, call,
                   "a call through a function pointer or a virtual function: OpenCL C has "
                   "neither; use a template or a switch");
    else if (!LLVMIsDeclaration(target))
        qn__refuse(u, call,
                   "recursion: the function calls itself too often, or to a depth that is not "
                   "known here, and OpenCL C has no recursion; use a loop");
    else if (reason_of_symbol(callee))
        qn__refuse(u, call, "%s", reason_of_symbol(callee));
    else
        qn__refuse(u, call,
                   "%s is declared and not defined, and it is no device function that "
                   "Quern knows: define it in this source",
                   callee);
    return zero_of(f, call);
}

static struct qn__expr atomic_operation(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(in);
    const bool wide = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64;
    const char *op = NULL;
    bool is_unsigned = false;
    switch (LLVMGetAtomicRMWBinOp(in)) {
    case LLVMAtomicRMWBinOpXchg: op = "xchg"; break;
    case LLVMAtomicRMWBinOpAdd: op = "add"; break;
    case LLVMAtomicRMWBinOpSub: op = "sub"; break;
    case LLVMAtomicRMWBinOpAnd: op = "and"; break;
    case LLVMAtomicRMWBinOpOr: op = "or"; break;
    case LLVMAtomicRMWBinOpXor: op = "xor"; break;
    case LLVMAtomicRMWBinOpMax: op = "max"; break;
    case LLVMAtomicRMWBinOpMin: op = "min"; break;
    case LLVMAtomicRMWBinOpUMax:
        op = "max";
        is_unsigned = true;
        break;
    case LLVMAtomicRMWBinOpUMin:
        op = "min";
        is_unsigned = true;
        break;
    default: break;
    }
    if (!op || LLVMGetTypeKind(t) != LLVMIntegerTypeKind ||
        (LLVMGetIntTypeWidth(t) != 32 && !wide)) {
        qn__refuse(u, in,
                   "an atomic operation of this kind or width: OpenCL has those of 32 and 64 bit "
                   "integers; make it of atomicCAS() in a loop");
        return qn__constant(f, LLVMConstNull(t));
    }
    if (wide)
        qn__use_ability(u, in, QN__CAN_atomics64);
    const struct qn__type *const type = qn__type_int(u, wide ? 64 : 32, is_unsigned);
    const LLVMValueRef p = LLVMGetOperand(in, 0);
    const struct qn__expr pointer =
        qn__convert(f, qn__expr(f, p), qn__type_pointer(u, type, qn__space_of(f, p), false, false));
    return qn__spell(qn__text(u, "%s_%s(%s, %s)", wide ? "atom" : "atomic", op, pointer.text,
                              qn__convert(f, qn__expr(f, LLVMGetOperand(in, 1)), type).text),
                     QN__PREC_POSTFIX, type);
}

static struct qn__expr compare_exchange(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(in, 1));
    const bool wide = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64;
    if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || (LLVMGetIntTypeWidth(t) != 32 && !wide))
        qn__refuse(u, in, "a compare-and-swap of this width: OpenCL has those of 32 and 64 bits");
    if (wide)
        qn__use_ability(u, in, QN__CAN_atomics64);
    const struct qn__type *const type = qn__type_int(u, wide ? 64 : 32, true);
    const LLVMValueRef p = LLVMGetOperand(in, 0);
    const struct qn__expr pointer =
        qn__convert(f, qn__expr(f, p), qn__type_pointer(u, type, qn__space_of(f, p), false, false));
    return qn__spell(qn__text(u, "%s_cmpxchg(%s, %s, %s)", wide ? "atom" : "atomic", pointer.text,
                              qn__convert(f, qn__expr(f, LLVMGetOperand(in, 1)), type).text,
                              qn__convert(f, qn__expr(f, LLVMGetOperand(in, 2)), type).text),
                     QN__PREC_POSTFIX, type);
}

struct qn__expr qn__call(struct qn__function *f, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    if (LLVMIsAAtomicRMWInst(call))
        return atomic_operation(f, call);
    if (LLVMIsAAtomicCmpXchgInst(call))
        return compare_exchange(f, call);
    const char *const callee = qn__callee(call);
    const struct qn__builtin *const b = *callee ? qn__builtin_find(u, callee) : NULL;
    if (!b)
        return refuse_callee(f, call, callee);
    if (b->status == QN__REFUSED) {
        const bool internal = qn__starts_with(b->name, "__qn_"); /* the note says it all */
        qn__refuse(u, call, "%s%s%s", internal ? "" : b->name, internal ? "" : ": ", b->note);
        return zero_of(f, call);
    }
    qn__needs_use(u, call, b);
    if (b->status == QN__LOWERED)
        qn__explain(u, call, qn__text(u, "%s becomes %s", b->name, b->form));
    f->expr_varies |= b->traits != QN__PURE;
    f->expr_loads |= b->traits != QN__PURE;
    struct signature s = {0};
    if (*b->signature)
        parse_signature(f, call, b, &s, first_pointer_space(f, call));
    else
        natural_signature(f, call, b, &s);
    if (!s.result)
        s.result = qn__type_of(u, LLVMTypeOf(call), NULL, call);
    if (!*b->form && LLVMGetNumArgOperands(call) && b->traits == QN__PURE)
        return argument(f, LLVMGetArgOperand(call, 0), s.arguments[0]);
    return expand(f, call, b->form, &s);
}
