/* SPDX-License-Identifier: Apache-2.0
 *
 * Copying, moving, filling and clearing memory as loops of C. No variable of the source has the
 * counters' names (qn__name_legal). */
#include "compiler/lang/language.h"

/* "for (uint qn_k = 0; qn_k < 16; qn_k++)" */
static void spell_head(struct qn__unit *u, const char *counter, const struct qn__node *count,
                       struct qn__str *out)
{
    const bool narrow = count->op == QN__OP_NUMBER && count->type->bits == 32;
    const char *const t = qn__type_text(u, qn__type_int(u, narrow ? 32 : 64, true));
    qn__str_printf(out, "for (%s %s = 0; %s < ", t, counter, counter);
    qn__spell_operand(u, count, QN__BINDS_ADD, out);
    qn__str_printf(out, "; %s++)", counter);
}

static void spell_element(struct qn__unit *u, const struct qn__node *pointer, struct qn__str *out)
{
    qn__spell_operand(u, pointer, QN__BINDS_POSTFIX, out);
    qn__str_add(out, "[qn_k]");
}

static void spell_copied(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    spell_element(u, n->operands[0], out);
    qn__str_add(out, " = ");
    spell_element(u, n->operands[1], out);
}

/* In the direction in which nothing is read after it is written. */
static void spell_move(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    qn__str_add(out, "if (");
    qn__spell_operand(u, n->operands[0], QN__BINDS_RELATION, out);
    qn__str_add(out, " <= ");
    qn__spell_operand(u, n->operands[1], QN__BINDS_ADD, out);
    qn__str_add(out, ")\n    ");
    spell_head(u, "qn_k", n->operands[2], out);
    qn__str_add(out, "\n        ");
    spell_copied(u, n, out);
    qn__str_printf(out,
                   ";\nelse\n    for (%s qn_k = ", qn__type_text(u, qn__type_int(u, 64, true)));
    qn__spell_operand(u, n->operands[2], QN__BINDS_ADD, out);
    qn__str_add(out, "; qn_k-- > 0;)\n        ");
    spell_copied(u, n, out);
}

/* A loop for each dimension. */
static void spell_clear(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    static const char *const counters[] = {"qn_k", "qn_l", "qn_m", "qn_n"};
    unsigned depth = 0;
    for (const struct qn__type *t = n->type; t->kind == QN__ARRAY; t = t->of, depth++) {
        const uint64_t count = depth ? t->count : n->count;
        const struct qn__type *const word = qn__type_int(u, count > UINT32_MAX ? 64 : 32, true);
        spell_head(u, counters[depth], qn__node_plain_number(u, count, word), out);
        qn__str_add_char(out, '\n');
        qn__str_add_repeat(out, ' ', 4 * depth + 4);
    }
    qn__spell_operand(u, n->operands[0], QN__BINDS_POSTFIX, out);
    for (unsigned i = 0; i < depth; i++)
        qn__str_printf(out, "[%s]", counters[i]);
    qn__str_add(out, " = 0");
}

void qn__spell_memory(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    if (n->op == QN__OP_CLEAR) {
        spell_clear(u, n, out);
        return;
    }
    if (n->op == QN__OP_MOVE) {
        spell_move(u, n, out);
        return;
    }
    spell_head(u, "qn_k", n->operands[2], out);
    qn__str_add(out, "\n    ");
    if (n->op == QN__OP_COPY) {
        spell_copied(u, n, out);
        return;
    }
    spell_element(u, n->operands[0], out);
    qn__str_add(out, " = ");
    qn__spell_node(u, n->operands[1], out);
}
