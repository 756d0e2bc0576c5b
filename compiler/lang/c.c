/* SPDX-License-Identifier: Apache-2.0
 *
 * What C writes in its own way: C11 with clang's vectors, for a whole block of work-items
 * (stmt/work_items.c makes the loops, out/block_text.c the kernel's head; quern_c.h stands in
 * front).
 *
 * Operations that OpenCL C has functions for keep their names: library_c.inc has those functions.
 */
#include "compiler/lang/form.h"
#include "compiler/lang/library_c.h"

#include <string.h>

/* What stands at the places of a builtin's form. */
static void spell_builtin(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const struct qn__form *const form = qn__form_of(u, n->builtin);
    uint32_t next = 0;
    for (const struct qn__form_part *p = form->parts; p < form->parts + form->n; p++) {
        switch (p->kind) {
        case QN__FORM_TEXT: qn__str_add_bytes(out, p->text, p->n); break;
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
        default: qn__spell_operand(u, n->operands[next++], p->least, out); break;
        }
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
    qn__str_printf(out, "atomic_%s(", names[n->atomic]);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

/* v.x, v.zyx, v.sa, p->x */
static void spell_components(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const unsigned parts = n->type->kind == QN__VECTOR ? (unsigned)n->type->count : 1;
    qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
    qn__str_add(out, n->by == QN__OP_ARROW ? "->" : ".");
    if (n->count > 4)
        qn__str_add_char(out, 's');
    for (unsigned i = 0; i < parts; i++) {
        const unsigned k = n->value >> 4 * i & 15;
        qn__str_add_char(out, n->count <= 4 ? "xyzw"[k & 3] : "0123456789abcdef"[k]);
    }
}

static void spell_string(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    qn__str_add_char(out, '"');
    for (size_t i = 0; n->name[i]; i++)
        qn__spell_character(n->name, i, out);
    qn__str_add_char(out, '"');
    if (n->n) {
        qn__str_add(out, "\n    ");
        qn__spell_node(u, n->operands[0], out);
    }
}

static void spell_call(struct qn__unit *u, const char *name, const struct qn__node *n,
                       struct qn__str *out)
{
    qn__str_printf(out, "%s(", name);
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, ')');
}

static void spell_work_item(const struct qn__node *n, struct qn__str *out)
{
    static const char *const names[] = {
        [QN__LOCAL_ID] = "threadIdx",
        [QN__GROUP_ID] = "blockIdx",
        [QN__LOCAL_SIZE] = "blockDim",
        [QN__NUM_GROUPS] = "gridDim",
    };
    if (n->work_item == QN__LINEAR_ID)
        qn__str_add(out, "qn_linear_id()");
    else
        qn__str_printf(out, "%s_%c", names[n->work_item], "xyz"[n->value % 3]);
}

/* (float4){a, b, c, d}; of one that all are: (float4)a */
static void spell_vector(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    qn__str_printf(out, "(%s)", qn__type_text(u, n->type));
    if (n->n == 1) {
        /* the scalar has the components' type first: a cast of another one would be of bits */
        qn__str_printf(out, "(%s)", qn__type_text(u, n->type->of));
        qn__spell_operand(u, n->operands[0], QN__BINDS_UNARY, out);
        return;
    }
    qn__str_add_char(out, '{');
    qn__spell_arguments(u, n, out);
    qn__str_add_char(out, '}');
}

/* QN_BARRIER, or what each work-item left: QN_WARP(value_at) */
static void spell_sync(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    static const char *const names[] = {[QN__SYNC_GROUP] = "QN_BARRIER",
                                        [QN__SYNC_WARP] = "QN_WARP_BARRIER",
                                        [QN__SYNC_GRID] = "QN_GRID_BARRIER",
                                        [QN__SYNC_SHARE_WARP] = "QN_WARP",
                                        [QN__SYNC_SHARE_GROUP] = "QN_BLOCK"};
    if (n->n)
        spell_call(u, names[n->sync], n, out);
    else
        qn__str_add(out, names[n->sync]);
}

static void use(struct qn__unit *u, LLVMValueRef where, const struct qn__node *n)
{
    (void)u;
    (void)where;
    (void)n; /* library_c.c finds what the text mentions */
}

static void special(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    switch (n->op) {
    case QN__OP_ACTIVE: qn__str_add(out, u->spells_numbers ? "ACTIVE" : "true"); break;
    case QN__OP_STRING: spell_string(u, n, out); break;
    case QN__OP_WORK_ITEM: spell_work_item(n, out); break;
    case QN__OP_ANY_IN_GROUP:
        qn__str_add(out, "qn_any(QN_ALL(");
        qn__spell_operand(u, n->operands[n->n - 1], QN__BINDS_ASSIGN, out);
        qn__str_add(out, "), qn_n)");
        break;
    case QN__OP_SYNC: spell_sync(u, n, out); break;
    case QN__OP_FENCE: qn__str_add(out, "mem_fence()"); break;
    case QN__OP_CONVERT:
        qn__str_printf(out, "convert_%s%s(", qn__type_text(u, n->type), n->value ? "_sat" : "");
        qn__spell_arguments(u, n, out);
        qn__str_add_char(out, ')');
        break;
    case QN__OP_REINTERPRET:
        spell_call(u, qn__text(u, "as_%s", qn__type_text(u, n->type)), n, out);
        break;
    case QN__OP_VECTOR: spell_vector(u, n, out); break;
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

static void hints(struct qn__unit *u, const struct qn__loop_hints *h, struct qn__str *out)
{
    const unsigned long long count = h->count;
    (void)u;
    qn__spell_vectorize(h, out);
    if (h->unroll && count)
        qn__str_printf(out, "#pragma unroll %llu\n", count);
    else if (h->unroll)
        qn__str_add(out, "#pragma unroll\n");
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

/* One address space is enough. */
static const char *const spaces[] = {
    [QN__SPACE_UNKNOWN] = "", [QN__PRIVATE] = "",  [QN__GLOBAL] = "",
    [QN__LOCAL] = "",         [QN__CONSTANT] = "", [QN__SPACE_MIXED] = "",
};

/* The header travels in the program and stands in front of the text, which needs no other. */
__asm__(".pushsection .rodata\n"
        "qn__c_header: .incbin \"compiler/lang/quern_c.h\"\n"
        ".byte 0\n"
        ".popsection");
extern const char qn__c_header[];

static void begin(struct qn__unit *u, struct qn__str *out)
{
    qn__str_add(out, qn__c_header);
    qn__str_printf(out, "\n#pragma STDC FP_CONTRACT %s\n\n", u->contract ? "ON" : "OFF");
}

const struct qn__language qn__c = {
    .name = "C",
    .scalar = scalar,
    .spaces = spaces,
    .kernel = "static inline void ",
    .table = "static const ",
    .shared = "",
    .in_subgroups = "",
    .in_loops = true,
    .hints = hints,
    .use = use,
    .begin = begin,
    .library = qn__library_c_print,
    .special = special,
    .binding = qn__binding_of_special,
};
