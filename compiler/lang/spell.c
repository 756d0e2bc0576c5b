/* SPDX-License-Identifier: Apache-2.0
 *
 * What all languages of C's family write alike: operators, calls, subscripts, members. */
#include "compiler/lang/form.h"
#include "compiler/lang/language.h"

#include "compiler/model/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* INT_MIN and LONG_MIN: C has no other way to write them. */
static bool is_least(const struct qn__node *n)
{
    return n->type->kind == QN__INT && !n->type->is_unsigned && n->type->bits >= 32 &&
           (int64_t)n->value == (n->type->bits == 64 ? INT64_MIN : INT32_MIN);
}

static bool begins_with_minus(const struct qn__node *n)
{
    switch (n->op) {
    case QN__OP_NEGATE: return true;
    case QN__OP_NUMBER: return qn__node_is_negative(n) && !is_least(n);
    case QN__OP_REAL:
        return signbit(n->real) && !isnan(n->real) && !(isinf(n->real) && n->type->bits == 64);
    default: return false;
    }
}

/* (double)INFINITY */
static bool is_cast_real(const struct qn__node *n)
{
    return !isfinite(n->real) && n->type->bits == 64;
}

enum qn__binding qn__binding_of(struct qn__unit *u, const struct qn__node *n)
{
    switch (n->op) {
    case QN__OP_NUMBER: return begins_with_minus(n) ? QN__BINDS_UNARY : QN__BINDS_POSTFIX;
    case QN__OP_REAL:
        return begins_with_minus(n) || is_cast_real(n) ? QN__BINDS_UNARY : QN__BINDS_POSTFIX;
    case QN__OP_TRUTH:
    case QN__OP_VARIABLE:
    case QN__OP_STRING:
    case QN__OP_SUBSCRIPT:
    case QN__OP_MEMBER:
    case QN__OP_ARROW:
    case QN__OP_AGGREGATE:
    case QN__OP_FUNCTION: return QN__BINDS_POSTFIX;
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
    return o.sign ? o.binding : u->language->binding(u, n);
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
    const bool twice = n->op == QN__OP_NEGATE && begins_with_minus(n->operands[0]); /* no -- */
    qn__str_add(out, sign);
    qn__spell_operand(u, n->operands[0], twice ? QN__BINDS_POSTFIX : QN__BINDS_UNARY, out);
}

/* "ul" */
static const char *suffix_of(const struct qn__node *n)
{
    const struct qn__type *const t = n->type;
    if (n->is_plain || t->kind != QN__INT || is_least(n))
        return "";
    const bool is_unsigned = t->is_unsigned && t->bits >= 32; /* narrow ones are computed as int */
    return t->bits == 64 ? (is_unsigned ? "ul" : "l") : is_unsigned ? "u" : "";
}

static void spell_number(const struct qn__node *n, struct qn__str *out)
{
    const struct qn__type *const t = n->type;
    if (is_least(n))
        qn__str_add(out, t->bits == 64 ? "LONG_MIN" : "INT_MIN");
    else if (n->base == QN__HEXADECIMAL)
        qn__str_printf(out, "0x%llx", (unsigned long long)n->value);
    else if (t->kind == QN__INT && t->is_unsigned)
        qn__str_printf(out, "%llu", (unsigned long long)n->value);
    else
        qn__str_printf(out, "%lld", (long long)n->value);
    qn__str_add(out, suffix_of(n));
}

/* The shortest decimal that reads back as the same number. */
static void spell_real(const struct qn__node *n, struct qn__str *out)
{
    const double d = n->real;
    const unsigned bits = n->type->bits;
    char text[48];
    if (!isfinite(d)) {
        qn__str_printf(out, "%s%s%s", bits == 64 ? "(double)" : "", isinf(d) && d < 0 ? "-" : "",
                       isinf(d) ? "INFINITY" : "NAN");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (bits == 64 ? strtod(text, NULL) == d : strtof(text, NULL) == (float)d)
            break;
    }
    if (strchr(text, 'e') && d == floor(d) && fabs(d) < 1e9) /* 1000, not 1e+03 */
        snprintf(text, sizeof text, "%.0f", d);
    const bool whole = strcspn(text, ".en") == strlen(text);
    qn__str_printf(out, "%s%s%s", text, whole ? ".0" : "", bits == 64 ? "" : "f");
}

void qn__spell_character(const char *characters, size_t i, struct qn__str *out)
{
    const char c = characters[i];
    if (c == '\n')
        qn__str_add(out, "\\n");
    else if (c == '\t')
        qn__str_add(out, "\\t");
    else if (c == '"' || c == '\\' || (c == '?' && i && characters[i - 1] == '?'))
        qn__str_printf(out, "\\%c", c); /* "??(" would be a trigraph */
    else if ((unsigned char)c < 32)
        qn__str_printf(out, "\\%03o", (unsigned char)c);
    else
        qn__str_add_char(out, c);
}

void qn__spell_arguments(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    for (uint32_t i = 0; i < n->n; i++) {
        qn__str_add(out, i ? ", " : "");
        qn__spell_operand(u, n->operands[i], QN__BINDS_ASSIGN, out);
    }
}

static void spell_aggregate(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    enum { A_LINE = 16 };
    qn__str_add_char(out, '{');
    for (uint32_t i = 0; i < n->n; i++) {
        qn__str_add(out, !i ? "" : i % A_LINE ? ", " : ",\n    ");
        qn__spell_node(u, n->operands[i], out);
    }
    qn__str_add_char(out, '}');
}

static void spell_choice(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    /* precedence does not ask for it, readers do */
    qn__spell_operand(u, n->operands[0], QN__BINDS_OR, out);
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
    if (counts && qn__node_is_number(by, 1) && !*suffix_of(by)) {
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
    case QN__OP_NUMBER: spell_number(n, out); break;
    case QN__OP_REAL: spell_real(n, out); break;
    case QN__OP_VARIABLE:
        qn__str_add(out, n->var->name ? n->var->name : n->var->wish);
        if (u->spells_numbers)
            qn__str_printf(out, "#%u", (unsigned)n->var->id);
        break;
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
    case QN__OP_AGGREGATE: spell_aggregate(u, n, out); break;
    case QN__OP_FUNCTION:
        qn__str_printf(out, "%s(", n->name);
        qn__spell_arguments(u, n, out);
        qn__str_add_char(out, ')');
        break;
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

/* ---- what languages share of their own operations ---- */

enum qn__binding qn__binding_of_special(struct qn__unit *u, const struct qn__node *n)
{
    switch (n->op) {
    case QN__OP_VECTOR: return QN__BINDS_UNARY;
    case QN__OP_BUILTIN: return qn__form_of(u, n->builtin)->binding;
    default: return QN__BINDS_POSTFIX;
    }
}

void qn__spell_vectorize(const struct qn__loop_hints *h, struct qn__str *out)
{
    const unsigned long long width = h->width;
    if (h->vectorize || width)
        qn__str_add(out, "#pragma clang loop");
    if (width)
        qn__str_printf(out, " vectorize_width(%llu)", width);
    if (h->vectorize)
        qn__str_printf(out, " vectorize(%s)", h->vectorize == QN__VECTORIZE ? "enable" : "disable");
    if (h->vectorize || width)
        qn__str_add_char(out, '\n');
}

void qn__spell_vector_access(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    if (n->op == QN__OP_VECTOR_LOAD) {
        qn__str_printf(out, "vload%u(0, ", (unsigned)n->type->count);
        qn__spell_operand(u, n->operands[0], QN__BINDS_ASSIGN, out);
    } else {
        qn__str_printf(out, "vstore%u(", (unsigned)n->operands[0]->type->count);
        qn__spell_operand(u, n->operands[0], QN__BINDS_ASSIGN, out);
        qn__str_add(out, ", 0, ");
        qn__spell_operand(u, n->operands[1], QN__BINDS_ASSIGN, out);
    }
    qn__str_add_char(out, ')');
}
