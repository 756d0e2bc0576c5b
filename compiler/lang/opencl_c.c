/* SPDX-License-Identifier: Apache-2.0
 *
 * What OpenCL C writes in its own way. */
#include "compiler/lang/form.h"
#include "compiler/lang/library.h"

#include <string.h>

/* What stands at the places of a builtin's form. ACTIVE && x is x where all are active. */
static void spell_builtin(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    static const char and_then[] = " && ";
    const struct qn__form *const form = qn__form_of(u, n->builtin);
    uint32_t next = 0;
    size_t skip = 0;
    for (const struct qn__form_part *p = form->parts; p < form->parts + form->n; p++) {
        switch (p->kind) {
        case QN__FORM_TEXT: qn__str_add_bytes(out, p->text + skip, p->n - skip); break;
        case QN__FORM_SPACE: qn__str_add(out, qn__space_word((enum qn__space)n->value)); break;
        case QN__FORM_REST:
            for (; next < n->n; next++) {
                qn__str_add(out, ", ");
                qn__spell_operand(u, n->operands[next], QN__BINDS_ASSIGN, out);
            }
            break;
        case QN__FORM_HERE:
            qn__spell_node(u, n->operands[next++], out);
            qn__str_add(out, ", ");
            qn__spell_node(u, n->operands[next++], out);
            break;
        default: {
            const struct qn__node *const operand = n->operands[next++];
            const bool always = operand->op == QN__OP_ACTIVE || qn__node_is_truth(operand, true);
            if (p->kind == QN__FORM_ACTIVE && always && !u->spells_numbers &&
                p + 1 < form->parts + form->n && qn__starts_with(p[1].text, and_then)) {
                skip = strlen(and_then);
                continue;
            }
            qn__spell_operand(u, operand, p->least, out);
        }
        }
        skip = 0;
    }
}

static void spell_atomic(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    static const char *const names[] = {
        [QN__ATOMIC_EXCHANGE] = "xchg",
        [QN__ATOMIC_ADD] = "add",
        [QN__ATOMIC_SUBTRACT] = "sub",
        [QN__ATOMIC_AND] = "and",
        [QN__ATOMIC_OR] = "or",
        [QN__ATOMIC_XOR] = "xor",
        [QN__ATOMIC_MAX] = "max",
        [QN__ATOMIC_MIN] = "min",
        [QN__ATOMIC_COMPARE_EXCHANGE] = "cmpxchg",
    };
    qn__str_printf(out, "%s_%s(", n->type->bits == 64 ? "atom" : "atomic", names[n->atomic]);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

/* v.x, v.zyx, v.sa, p->x */
static void spell_components(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const bool through_pointer = n->by == QN__OP_ARROW;
    const unsigned parts = n->type->kind == QN__VECTOR ? (unsigned)n->type->count : 1;
    qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
    qn__str_add(out, through_pointer ? "->" : ".");
    for (unsigned i = 0; i < parts; i++) {
        const unsigned k = n->value >> 4 * i & 15;
        if (n->count <= 4)
            qn__str_add_char(out, "xyzw"[k & 3]);
        else
            qn__str_printf(out, "s%x", k);
    }
}

/* %lld, %llu and %zu: OpenCL's long has 64 bits and its printf no "ll" or "z". */
static size_t length_of_long(const char *p)
{
    if (p[0] == 'l' && p[1] == 'l')
        return 2;
    return p[0] == 'z' || p[0] == 't' || p[0] == 'j' ? 1 : 0;
}

static void spell_string(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const char *const text = n->name;
    bool conversion = false;
    qn__str_add_char(out, '"');
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '%')
            conversion = n->value && !conversion;
        if (conversion && text[i] != '%') {
            const size_t length = length_of_long(text + i);
            if (length) {
                qn__str_add_char(out, 'l');
                i += length;
                if (!text[i])
                    break;
            }
            if (strchr("diouxXeEfFgGaAcsp", text[i]))
                conversion = false;
        }
        qn__spell_character(text, i, out);
    }
    qn__str_add_char(out, '"');
    if (n->n) {
        qn__str_add(out, "\n    ");
        qn__spell_node(u, n->operands[0], out);
    }
}

/* name_type(...) */
static void spell_typed_call(struct qn__unit *u, const char *name, const struct qn__node *n,
                             const char *suffix, struct qn__str *out)
{
    qn__str_printf(out, "%s_%s%s(", name, qn__type_text(u, n->type), suffix);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

static const char *const work_items[] = {
    [QN__LOCAL_ID] = "get_local_id",
    [QN__GROUP_ID] = "get_group_id",
    [QN__LOCAL_SIZE] = "get_local_size",
    [QN__NUM_GROUPS] = "get_num_groups",
};

static void spell_work_item(const struct qn__node *n, struct qn__str *out)
{
    if (n->work_item == QN__LINEAR_ID || n->work_item == QN__SUBGROUP_LANE)
        qn__str_add(out,
                    n->work_item == QN__LINEAR_ID ? "qn_linear_id()" : "get_sub_group_local_id()");
    else
        qn__str_printf(out, "%s(%u)", work_items[n->work_item], (unsigned)n->value);
}

static void spell_call(struct qn__unit *u, const char *name, const struct qn__node *n,
                       struct qn__str *out)
{
    qn__str_printf(out, "%s(", name);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

static void use(struct qn__unit *u, LLVMValueRef where, const struct qn__node *n)
{
    if (n->op == QN__OP_BUILTIN)
        qn__form_use(u, where, qn__form_of(u, n->builtin), (enum qn__space)n->value);
    else if (n->op == QN__OP_ANY_IN_GROUP)
        qn__library_use(u, where, "qn_any_in_group");
    else if (n->op == QN__OP_FAIL)
        qn__library_use(u, where, "qn_fail");
    else if (n->op == QN__OP_WORK_ITEM && n->work_item == QN__LINEAR_ID)
        qn__library_use(u, where, "qn_linear_id");
}

static void special(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    switch (n->op) {
    case QN__OP_ACTIVE: qn__str_add(out, u->spells_numbers ? "ACTIVE" : "true"); break;
    case QN__OP_STRING: spell_string(u, n, out); break;
    case QN__OP_WORK_ITEM: spell_work_item(n, out); break;
    case QN__OP_ANY_IN_GROUP: spell_call(u, "qn_any_in_group", n, out); break;
    case QN__OP_FAIL: spell_call(u, "qn_fail", n, out); break;
    case QN__OP_BARRIER:
        qn__str_add(out, n->value ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
                                  : "barrier(CLK_LOCAL_MEM_FENCE)");
        break;
    case QN__OP_FENCE:
        qn__str_add(out, "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
        break;
    case QN__OP_CONVERT: spell_typed_call(u, "convert", n, n->value ? "_sat" : "", out); break;
    case QN__OP_REINTERPRET: spell_typed_call(u, "as", n, "", out); break;
    case QN__OP_VECTOR:
        qn__str_printf(out, "(%s)(", qn__type_text(u, n->type));
        qn__spell_arguments(u, n, out);
        qn__str_add_char(out, ')');
        break;
    case QN__OP_COMPONENTS: spell_components(u, n, out); break;
    case QN__OP_VECTOR_LOAD:
    case QN__OP_VECTOR_STORE: qn__spell_vector_access(u, n, out); break;
    case QN__OP_COPY:
    case QN__OP_MOVE:
    case QN__OP_FILL:
    case QN__OP_CLEAR: qn__spell_memory(u, n, out); break;
    case QN__OP_ATOMIC: spell_atomic(u, n, out); break;
    case QN__OP_BUILTIN: spell_builtin(u, n, out); break;
    default: break;
    }
}

/* #pragma unroll 4, or from OpenCL C 2.0 on its own attribute. Before that all drivers' compilers
 * take the pragma; one that does not know a pragma ignores it. */
static void hints(struct qn__unit *u, const struct qn__loop_hints *h, struct qn__str *out)
{
    const bool has_attribute = qn__starts_with(u->profile->cl_std, "CL3");
    const unsigned long long count = h->count;
    qn__spell_vectorize(h, out);
    if (!h->unroll)
        return;
    qn__str_add(out, has_attribute ? "__attribute__((opencl_unroll_hint" : "#pragma unroll");
    if (count)
        qn__str_printf(out, has_attribute ? "(%llu)" : " %llu", count);
    qn__str_add(out, has_attribute ? "))\n" : "\n");
}

static const char *scalar(const struct qn__type *t)
{
    static const char *const integers[][2] = {
        {"char", "uchar"}, {"short", "ushort"}, {"int", "uint"}, {"long", "ulong"}};
    const unsigned width = t->bits == 8 ? 0 : t->bits == 16 ? 1 : t->bits == 32 ? 2 : 3;
    if (t->kind == QN__FLOAT)
        return t->bits == 16 ? "half" : t->bits == 32 ? "float" : "double";
    return integers[width][t->is_unsigned];
}

static const char *const spaces[] = {
    [QN__SPACE_UNKNOWN] = "__global ", /* a null pointer, or what is refused */
    [QN__PRIVATE] = "",
    [QN__GLOBAL] = "__global ",
    [QN__LOCAL] = "__local ",
    [QN__CONSTANT] = "__constant ",
    [QN__SPACE_MIXED] = "__global ",
};

static void begin(struct qn__unit *u, struct qn__str *out)
{
    for (unsigned a = 0; a < QN__N_ABILITIES; a++)
        if (u->abilities_used >> a & 1 && *qn__ability_extension((enum qn__ability)a))
            qn__str_printf(out, "#pragma OPENCL EXTENSION %s : enable\n",
                           qn__ability_extension((enum qn__ability)a));
    qn__str_printf(out, "#pragma OPENCL FP_CONTRACT %s\n\n", u->contract ? "ON" : "OFF");
}

const struct qn__language qn__opencl_c = {
    .name = "OpenCL C",
    .scalar = scalar,
    .spaces = spaces,
    .kernel = "__kernel void ",
    .table = "__constant ",
    .shared = "__local ",
    .in_subgroups = "__attribute__((intel_reqd_sub_group_size(32)))\n",
    .hints = hints,
    .use = use,
    .begin = begin,
    .library = qn__library_print,
    .special = special,
    .binding = qn__binding_of_special,
};
