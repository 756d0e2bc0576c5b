/* SPDX-License-Identifier: Apache-2.0
 *
 * What all languages of C's family write alike: operators, calls, subscripts, members. */
#include "compiler/lang/language.h"

#include "compiler/model/types.h"

#include <string.h>

struct operator_ {
    const char *sign; /* NULL: no operator of two operands */
    enum qn__binding binding;
};

static struct operator_ operator_of(enum qn__op op)
{
    switch (op) {
    case QN__OP_MULTIPLY: return (struct operator_){"*", QN__BINDS_MULTIPLY};
    case QN__OP_DIVIDE: return (struct operator_){"/", QN__BINDS_MULTIPLY};
    case QN__OP_REMAINDER: return (struct operator_){"%", QN__BINDS_MULTIPLY};
    case QN__OP_ADD: return (struct operator_){"+", QN__BINDS_ADD};
    case QN__OP_SUBTRACT: return (struct operator_){"-", QN__BINDS_ADD};
    case QN__OP_SHIFT_LEFT: return (struct operator_){"<<", QN__BINDS_SHIFT};
    case QN__OP_SHIFT_RIGHT: return (struct operator_){">>", QN__BINDS_SHIFT};
    case QN__OP_LESS: return (struct operator_){"<", QN__BINDS_RELATION};
    case QN__OP_LESS_EQUAL: return (struct operator_){"<=", QN__BINDS_RELATION};
    case QN__OP_GREATER: return (struct operator_){">", QN__BINDS_RELATION};
    case QN__OP_GREATER_EQUAL: return (struct operator_){">=", QN__BINDS_RELATION};
    case QN__OP_EQUAL: return (struct operator_){"==", QN__BINDS_EQUAL};
    case QN__OP_NOT_EQUAL: return (struct operator_){"!=", QN__BINDS_EQUAL};
    case QN__OP_AND: return (struct operator_){"&", QN__BINDS_AND};
    case QN__OP_XOR: return (struct operator_){"^", QN__BINDS_XOR};
    case QN__OP_OR: return (struct operator_){"|", QN__BINDS_OR};
    case QN__OP_LOGICAL_AND: return (struct operator_){"&&", QN__BINDS_LOGICAL_AND};
    case QN__OP_LOGICAL_OR: return (struct operator_){"||", QN__BINDS_LOGICAL_OR};
    default: return (struct operator_){NULL, QN__BINDS_POSTFIX};
    }
}

enum qn__binding qn__binding_of(struct qn__unit *u, const struct qn__node *n)
{
    switch (n->op) {
    case QN__OP_TRUTH:
    case QN__OP_VARIABLE:
    case QN__OP_STRING:
    case QN__OP_SUBSCRIPT:
    case QN__OP_MEMBER:
    case QN__OP_ARROW: return QN__BINDS_POSTFIX;
    case QN__OP_ADDRESS:
    case QN__OP_DEREF:
    case QN__OP_NEGATE:
    case QN__OP_COMPLEMENT:
    case QN__OP_NOT:
    case QN__OP_CAST: return QN__BINDS_UNARY;
    case QN__OP_CHOOSE: return QN__BINDS_CHOOSE;
    case QN__OP_ASSIGN:
    case QN__OP_ASSIGN_BY: return QN__BINDS_ASSIGN;
    default: break;
    }
    const struct operator_ o = operator_of(n->op);
    return o.sign ? o.binding : u->language->binding(n);
}

void qn__spell_operand(struct qn__unit *u, const struct qn__node *n, enum qn__binding least,
                       struct qn__str *out)
{
    const bool wrap = qn__binding_of(u, n) < least;
    if (wrap)
        qn__str_add_char(out, '(');
    qn__spell_node(u, n, out);
    if (wrap)
        qn__str_add_char(out, ')');
}

/* Shifts and bit operations keep their operands' parentheses: nobody knows those precedences. */
static void spell_binary(struct qn__unit *u, const struct qn__node *n, struct operator_ o,
                         struct qn__str *out)
{
    const bool bits = o.binding >= QN__BINDS_OR && o.binding <= QN__BINDS_AND;
    const bool shift = o.binding == QN__BINDS_SHIFT;
    enum qn__binding left = o.binding, right = o.binding + 1;
    if ((bits && qn__binding_of(u, n->operands[0]) != o.binding) || shift)
        left = QN__BINDS_UNARY;
    if (bits || shift)
        right = QN__BINDS_UNARY;
    qn__spell_operand(u, n->operands[0], left, out);
    qn__str_printf(out, " %s ", o.sign);
    qn__spell_operand(u, n->operands[1], right, out);
}

static void spell_prefix(struct qn__unit *u, const char *sign, const struct qn__node *n,
                         struct qn__str *out)
{
    qn__str_add(out, sign);
    qn__spell_operand(u, n->operands[0], QN__BINDS_UNARY, out);
}

static void spell_choice(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    qn__spell_operand(u, n->operands[0], QN__BINDS_LOGICAL_OR, out);
    qn__str_add(out, " ? ");
    qn__spell_operand(u, n->operands[1], QN__BINDS_CHOOSE, out);
    qn__str_add(out, " : ");
    qn__spell_operand(u, n->operands[2], QN__BINDS_CHOOSE, out);
}

static void spell_assign_by(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const struct qn__node *const by = n->operands[1];
    const bool counts = n->by == QN__OP_ADD || n->by == QN__OP_SUBTRACT;
    const char *const sign = operator_of(n->by).sign;
    if (counts && by->op == QN__OP_NUMBER && by->value == 1) {
        qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
        qn__str_printf(out, "%s%s", sign, sign);
        return;
    }
    qn__spell_node(u, n->operands[0], out);
    qn__str_printf(out, " %s= ", sign);
    qn__spell_node(u, by, out);
}

void qn__spell_node(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    const struct operator_ o = operator_of(n->op);
    if (o.sign) {
        spell_binary(u, n, o, out);
        return;
    }
    switch (n->op) {
    case QN__OP_TRUTH: qn__str_add(out, n->value ? "true" : "false"); break;
    case QN__OP_VARIABLE: qn__str_add(out, n->var->name ? n->var->name : n->var->wish); break;
    case QN__OP_ADDRESS: spell_prefix(u, "&", n, out); break;
    case QN__OP_DEREF: spell_prefix(u, "*", n, out); break;
    case QN__OP_NEGATE: spell_prefix(u, "-", n, out); break;
    case QN__OP_COMPLEMENT: spell_prefix(u, "~", n, out); break;
    case QN__OP_NOT: spell_prefix(u, "!", n, out); break;
    case QN__OP_CAST:
        qn__str_printf(out, "(%s)", qn__type_text(u, n->type));
        qn__spell_operand(u, n->operands[0], QN__BINDS_UNARY, out);
        break;
    case QN__OP_CHOOSE: spell_choice(u, n, out); break;
    case QN__OP_SUBSCRIPT:
        qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
        qn__str_add_char(out, '[');
        qn__spell_node(u, n->operands[1], out);
        qn__str_add_char(out, ']');
        break;
    case QN__OP_MEMBER:
    case QN__OP_ARROW:
        qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
        qn__str_printf(out, "%s%s", n->op == QN__OP_MEMBER ? "." : "->", n->name);
        break;
    case QN__OP_ASSIGN:
        qn__spell_node(u, n->operands[0], out);
        qn__str_add(out, " = ");
        qn__spell_node(u, n->operands[1], out);
        break;
    case QN__OP_ASSIGN_BY: spell_assign_by(u, n, out); break;
    default: u->language->special(u, n, out); break;
    }
}

const char *qn__spelled(struct qn__unit *u, const struct qn__node *n)
{
    struct qn__str out = {0};
    qn__spell_node(u, n, &out);
    const char *const text = qn__text(u, "%s", out.text ? out.text : "");
    qn__str_release(&out);
    return text;
}
