/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: a row of builtins.def says what each becomes. Whatever has no row is refused by name. */
#include "compiler/expr/expr_call.h"

#include "base/device_buffers.h"
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_constant.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/expr/operators.h"
#include "compiler/lang/form.h"
#include "compiler/model/address_space.h"
#include "compiler/model/printf_format.h"
#include "compiler/model/ptx_reason.h"
#include "compiler/model/source_types.h"
#include "compiler/model/type_lookup.h"
#include "compiler/passes.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS = 10 };

/* A row's signature, taken apart for one call. */
struct signature {
    const struct qn__type *result;
    const struct qn__type *arguments[ARGUMENTS]; /* NULL: as it is */
};

static enum qn__space first_pointer_space(struct qn__function *f, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
            return qn__space_of(f, LLVMGetArgOperand(call, i));
    return QN__GLOBAL;
}

static void row_signature(struct qn__function *f, LLVMValueRef call, const struct qn__builtin *b,
                          struct signature *out)
{
    const enum qn__space space = first_pointer_space(f, call);
    out->result = qn__signature_type(f->u, b->signature, -1, space);
    for (unsigned i = 0; i < ARGUMENTS && i < LLVMGetNumArgOperands(call); i++) {
        const LLVMValueRef v = LLVMGetArgOperand(call, i);
        const bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        out->arguments[i] =
            qn__signature_type(f->u, b->signature, (int)i, is_pointer ? qn__space_of(f, v) : space);
    }
}

static struct qn__expr argument(struct qn__function *f, LLVMValueRef v, const struct qn__type *as)
{
    const char *const literal = qn__string_at(f->u, v);
    if (literal)
        return qn__of(qn__node_string(f->u, literal, false));
    const struct qn__expr e = qn__exact(f->u, qn__expr(f, v));
    if (!as || as->kind == QN__VOID)
        return e;
    if (as->kind == QN__POINTER && as->of->kind == QN__VOID)
        return e;
    const struct qn__expr converted = qn__convert(f, e, as);
    if (as->kind == QN__INT && as->bits < 32 && (e.number || qn__is_operator(e.node)))
        /* C computes in int: the overload needs the type */
        return qn__prefix(f->u, QN__OP_CAST, converted, as);
    return converted;
}

static struct qn__printf_format format_of(struct qn__unit *u, LLVMValueRef call)
{
    return qn__printf_format(u, call, qn__string_at(u, LLVMGetArgOperand(call, 0)));
}

/* OpenCL's printf takes a literal for its format, a literal or what points to one for %s, and no
 * width or precision from its arguments ("%*d", "%.*f"). */
static void check_format(struct qn__function *f, LLVMValueRef call,
                         const struct qn__printf_format *format)
{
    struct qn__unit *const u = f->u;
    const unsigned n = LLVMGetNumArgOperands(call);
    unsigned i = 1;
    if (qn__profile_can(u->profile, QN__CAN_loops))
        return; /* C's printf takes all of it */
    if (!format->text)
        qn__refuse(u, call,
                   "a format of printf's that is not known here: OpenCL's printf takes a literal; "
                   "write one printf for each");
    for (const char *p = format->text; p && (p = strchr(p, '%')) != NULL; p++) {
        p += 1 + strspn(p + 1, "-+ #0123456789.hlL");
        if (*p == '*')
            qn__refuse(u, call,
                       "a width or precision * of a float in printf's format: OpenCL's printf "
                       "takes none from "
                       "its arguments; write the number into the format");
        if (*p == '*' || !*p)
            return;
        if (*p == '%')
            continue;
        while (i < n && format->in_text[i])
            i++;
        if (*p == 's' && i < n && qn__space_of(f, LLVMGetArgOperand(call, i)) != QN__CONSTANT)
            qn__refuse(
                u, call,
                "a text for printf's %%s that is no literal: OpenCL's printf takes no other; "
                "print its characters with %%c");
        i++;
    }
}

static struct qn__var *device_buffer(struct qn__function *f, const char *name)
{
    return qn__hidden_var(f, LLVMGetNamedGlobal(f->u->module, name));
}

struct qn__var *qn__fault_buffer(struct qn__function *f)
{
    return device_buffer(f, QN__FAULT_NAME);
}

struct operands {
    const struct qn__node **items;
    uint32_t n, capacity;
};

static void add(struct qn__unit *u, struct operands *o, const struct qn__node *operand)
{
    QN__PUSH(u, o->items, o->n, o->capacity, operand);
}

/* What printf takes after its format: a float is enough where C++ passes a double. */
static void add_rest(struct qn__function *f, struct operands *out, LLVMValueRef call,
                     unsigned first, const struct qn__printf_format *format)
{
    for (unsigned i = first; i < LLVMGetNumArgOperands(call); i++) {
        if (format->in_text[i])
            continue;
        LLVMValueRef v = LLVMGetArgOperand(call, i);
        const struct qn__value *const known = qn__value_of(f, v);
        if (known && known->folded && LLVMIsAFPExtInst(v))
            v = LLVMGetOperand(v, 0);
        add(f->u, out, argument(f, v, NULL).node);
    }
}

void qn__position(struct qn__unit *u, LLVMValueRef at, const struct qn__node *file_and_line[2])
{
    struct qn__place_in_source where = {.file = ""};
    qn__where(u, at, &where);
    file_and_line[0] = qn__node_string(u, where.file, false);
    file_and_line[1] = qn__node_number(u, where.line, qn__type_int(u, 32, true));
}

static const struct qn__node *argument_at(struct qn__function *f, LLVMValueRef call,
                                          const struct qn__form_part *part,
                                          const struct signature *s)
{
    struct qn__unit *const u = f->u;
    if (part->argument >= LLVMGetNumArgOperands(call))
        return qn__node_number(u, 0, qn__type_int(u, 32, false));
    const LLVMValueRef v = LLVMGetArgOperand(call, part->argument);
    const char *const format = part->is_format ? format_of(u, call).text : NULL;
    return format ? qn__node_string(u, format, true)
                  : argument(f, v, s->arguments[part->argument]).node;
}

/* What all work-items leave for the others. */
static const struct qn__node *lanes_of(struct qn__function *f, LLVMValueRef call,
                                       const struct qn__form_part *part, const struct signature *s)
{
    struct qn__unit *const u = f->u;
    const struct qn__node *const active = qn__node_active(u);
    if (part->lanes == QN__LANES_ACTIVE)
        return active;
    const struct qn__node *const value = argument_at(f, call, part, s);
    const struct qn__type *const as = s->arguments[part->argument];
    if (part->lanes ==
        QN__LANES_VALUE) { /* of which an array is made: the type is the function's */
        const bool is_same = value->type->kind == as->kind && value->type->bits == as->bits;
        return is_same ? value : qn__prefix(u, QN__OP_CAST, qn__of(value), as).node;
    }
    const struct qn__node *const zero = qn__node_plain_number(u, 0, qn__type_int(u, 32, false));
    const enum qn__op is = part->lanes == QN__LANES_TRUTH ? QN__OP_NOT_EQUAL : QN__OP_EQUAL;
    return qn__node_and(u, active, qn__node_binary(u, is, qn__type_bool(u), value, zero));
}

/* A row's form with what stands in its places. */
static struct qn__expr expand(struct qn__function *f, LLVMValueRef call,
                              const struct qn__builtin *b, const struct signature *s)
{
    struct qn__unit *const u = f->u;
    const struct qn__form *const form = qn__form_of(u, b);
    const enum qn__space space = first_pointer_space(f, call);
    struct operands operands = {0};
    for (const struct qn__form_part *p = form->parts; p < form->parts + form->n; p++) {
        switch (p->kind) {
        case QN__FORM_ARGUMENT: add(u, &operands, argument_at(f, call, p, s)); break;
        case QN__FORM_LANES: add(u, &operands, lanes_of(f, call, p, s)); break;
        case QN__FORM_SCRATCH: add(u, &operands, qn__node_var(u, qn__scratch(f, p->bits))); break;
        case QN__FORM_ACTIVE: add(u, &operands, qn__node_active(u)); break;
        case QN__FORM_FAULT: add(u, &operands, qn__node_var(u, qn__fault_buffer(f))); break;
        case QN__FORM_HEAP:
            add(u, &operands, qn__node_var(u, device_buffer(f, QN__HEAP_NAME)));
            break;
        case QN__FORM_HERE: {
            const struct qn__node *position[2];
            qn__position(u, call, position);
            add(u, &operands, position[0]);
            add(u, &operands, position[1]);
            break;
        }
        case QN__FORM_REST: {
            const struct qn__printf_format format = format_of(u, call);
            check_format(f, call, &format);
            add_rest(f, &operands, call, p->argument, &format);
            break;
        }
        default: break;
        }
    }
    const unsigned effects = b->traits == QN__PURE ? 0 : QN__VARIES | QN__READS;
    const unsigned calls =
        (form->n_functions ? QN__CALLS : 0) | (form->branches ? QN__LOGICAL_ANDS : 0);
    const struct qn__node *const n =
        qn__node_make(u, (struct qn__node){.op = QN__OP_BUILTIN,
                                           .type = s->result,
                                           .builtin = b,
                                           .value = space,
                                           .traits = effects | calls,
                                           .n = operands.n,
                                           .operands = operands.items});
    u->language->use(u, call, n);
    return qn__of(n);
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
            qn__signed_as(u, out->result, b->sign == 'u' || qn__starts_with(b->name, "llvm.abs."));
}

static struct qn__expr zero_of(struct qn__function *f, LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return (struct qn__expr){.type = qn__type_void(f->u)};
    return qn__constant(f, LLVMGetUndef(LLVMTypeOf(call)));
}

/* What the source says where a symbol is one that only the language makes. */
static const char *reason_of_symbol(const char *symbol)
{
    static const struct {
        const char *prefix, *reason;
    } all[] = {
        {"_Znw", "new of this form: take new T, new T[n], or these with std::nothrow"},
        {"_Zna", "new of this form: take new T, new T[n], or these with std::nothrow"},
        {"__dynamic_cast", "dynamic_cast: OpenCL C has no virtual classes; use a member that says "
                           "what an object is"},
        {"llvm.debugtrap", "a breakpoint: OpenCL has no debugger to stop in; use assert"},
        {"llvm.returnaddress", "the address of the caller: OpenCL C has no calls to look at"},
        {"llvm.frameaddress", "the address of the stack: OpenCL C has none"},
        {"llvm.nvvm.tex", "a copy of a texture reference: name it where it is read, or pass a "
                          "cudaTextureObject_t"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(symbol, all[i].prefix))
            return all[i].reason;
    return NULL;
}

/* The kernel needs a function that clang refused. */
static void refuse_left_out(struct qn__unit *u, LLVMValueRef call)
{
    const LLVMValueRef number = LLVMGetArgOperand(call, 0);
    const struct qn__kernel_source *const k = qn__kernel_of(u, u->current_function);
    const uint64_t i = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : 0;
    u->needs_device_error |= k && !qn__may_leave_out(u, k);
    qn__refuse(u, call, "this does not compile: %s",
               i < u->n_device_errors ? u->device_errors[i] : "");
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
                   "a call through a pointer or of a virtual function, and no function that this "
                   "program has could be meant: its address is taken nowhere here; define it in "
                   "this source, or pass a number and switch");
    else if (!LLVMIsDeclaration(target))
        qn__refuse(u, call,
                   "recursion: the function calls itself too often, or to a depth that is not "
                   "known here, and OpenCL C has no recursion; use a loop");
    else if (qn__equal(callee, QN__DEVICE_LEFT_OUT))
        refuse_left_out(u, call);
    else if (reason_of_symbol(callee))
        qn__refuse(u, call, "%s", reason_of_symbol(callee));
    else if (qn__starts_with(callee, "llvm."))
        qn__refuse(
            u, call,
            "an operation that the optimiser made (%s) has no OpenCL C form here: write what "
            "it computes in another way",
            callee);
    else
        qn__refuse(u, call,
                   "%s is declared and not defined, and it is no device function that "
                   "Quern knows: define it in this source",
                   qn__di_plain_symbol(u, callee));
    return zero_of(f, call);
}

/* On memory that is said to hold that type. */
static struct qn__expr atomic(struct qn__function *f, LLVMValueRef in, enum qn__atomic op,
                              const struct qn__type *type)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef p = LLVMGetOperand(in, 0);
    const uint32_t n = op == QN__ATOMIC_COMPARE_EXCHANGE ? 3 : 2;
    const struct qn__node *operands[3] = {
        qn__convert(f, qn__expr(f, p), qn__type_pointer(u, type, qn__space_of(f, p), false, false))
            .node};
    for (uint32_t i = 1; i < n; i++)
        operands[i] = qn__convert(f, qn__expr(f, LLVMGetOperand(in, i)), type).node;
    struct qn__node out = *qn__node_new(u, QN__OP_ATOMIC, type, n, operands);
    out.atomic = op;
    return qn__of(qn__node_make(u, out));
}

static struct qn__expr atomic_operation(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(in);
    const bool wide = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64;
    enum qn__atomic op = QN__ATOMIC_EXCHANGE;
    bool is_known = true, is_unsigned = false;
    switch (LLVMGetAtomicRMWBinOp(in)) {
    case LLVMAtomicRMWBinOpXchg: op = QN__ATOMIC_EXCHANGE; break;
    case LLVMAtomicRMWBinOpAdd: op = QN__ATOMIC_ADD; break;
    case LLVMAtomicRMWBinOpSub: op = QN__ATOMIC_SUBTRACT; break;
    case LLVMAtomicRMWBinOpAnd: op = QN__ATOMIC_AND; break;
    case LLVMAtomicRMWBinOpOr: op = QN__ATOMIC_OR; break;
    case LLVMAtomicRMWBinOpXor: op = QN__ATOMIC_XOR; break;
    case LLVMAtomicRMWBinOpMax: op = QN__ATOMIC_MAX; break;
    case LLVMAtomicRMWBinOpMin: op = QN__ATOMIC_MIN; break;
    case LLVMAtomicRMWBinOpUMax:
        op = QN__ATOMIC_MAX;
        is_unsigned = true;
        break;
    case LLVMAtomicRMWBinOpUMin:
        op = QN__ATOMIC_MIN;
        is_unsigned = true;
        break;
    default: is_known = false; break;
    }
    if (!is_known || LLVMGetTypeKind(t) != LLVMIntegerTypeKind ||
        (LLVMGetIntTypeWidth(t) != 32 && !wide)) {
        qn__refuse(u, in,
                   "an atomic operation of this kind or width: OpenCL has those of 32 and 64 bit "
                   "integers; make it of atomicCAS() in a loop");
        return qn__constant(f, LLVMConstNull(t));
    }
    if (wide)
        qn__use_ability(u, in, QN__CAN_atomics64);
    return atomic(f, in, op, qn__type_int(u, wide ? 64 : 32, is_unsigned));
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
    return atomic(f, in, QN__ATOMIC_COMPARE_EXCHANGE, qn__type_int(u, wide ? 64 : 32, true));
}

/* Barriers and fences without a value are each language's own. */
static const struct qn__node *synchronisation(struct qn__unit *u, const struct qn__builtin *b)
{
    if (b->traits == QN__FENCE)
        return qn__node_new(u, QN__OP_FENCE, qn__type_void(u), 0, NULL);
    struct qn__node barrier = *qn__node_barrier(u, true);
    barrier.builtin = b;
    return qn__node_make(u, barrier);
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
    struct signature s = {0};
    if (*b->signature)
        row_signature(f, call, b, &s);
    else
        natural_signature(f, call, b, &s);
    if (!s.result)
        s.result = qn__type_of(u, LLVMTypeOf(call), NULL, call);
    if (!*b->form && LLVMGetNumArgOperands(call) && b->traits == QN__PURE)
        return argument(f, LLVMGetArgOperand(call, 0), s.arguments[0]);
    if (!*b->form)
        return (struct qn__expr){.type = s.result};
    if (qn__form_of(u, b)->is_argument && LLVMGetNumArgOperands(call))
        return argument(f, LLVMGetArgOperand(call, 0), s.arguments[0]);
    if (s.result->kind == QN__VOID &&
        (b->traits == QN__BARRIER || b->traits == QN__WARP_LOCAL || b->traits == QN__FENCE))
        return qn__of(synchronisation(u, b));
    return expand(f, call, b, &s);
}
