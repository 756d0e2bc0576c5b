/* SPDX-License-Identifier: Apache-2.0
 *
 * What OpenCL C writes in its own way. */
#include "compiler/lang/language.h"

#include "compiler/model/types.h"

#include <string.h>

static bool is_leaf(const struct qn__node *n)
{
    return n->op == QN__OP_VARIABLE || n->op == QN__OP_TRUTH || n->op == QN__OP_NUMBER;
}

/* Text with its operands in their places. What stands for a variable is put in parentheses, unless
 * it is all there is, or all of the right side of an assignment. */
static void spell_raw(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    static const char and_then[] = " && ";
    uint32_t i = 0;
    for (const char *p = n->name; *p; p++) {
        if (*p != 1) {
            qn__str_add_char(out, *p);
            continue;
        }
        const struct qn__node *const operand = n->operands[i++];
        const bool whole =
            !p[1] && (p == n->name || (p - n->name > 3 && memcmp(p - 3, " = ", 3) == 0));
        if (operand->op == QN__OP_ACTIVE || qn__node_is_truth(operand, true)) {
            if (qn__starts_with(p + 1, and_then))
                p += strlen(and_then);
            else
                qn__str_add(out, "true");
        } else {
            qn__spell_operand(u, operand,
                              whole || is_leaf(operand) ? QN__BINDS_COMMA : QN__BINDS_POSTFIX + 1,
                              out);
        }
    }
}

static void special(struct qn__unit *u, const struct qn__node *n, struct qn__str *out)
{
    switch (n->op) {
    case QN__OP_RAW: spell_raw(u, n, out); break;
    case QN__OP_ACTIVE: qn__str_add(out, "true"); break;
    case QN__OP_NUMBER: qn__str_printf(out, "%lld", (long long)n->value); break;
    case QN__OP_WORK_ITEM: qn__str_printf(out, "%s(%u)", n->name, (unsigned)n->value); break;
    case QN__OP_BARRIER:
        qn__str_add(out, n->value ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
                                  : "barrier(CLK_LOCAL_MEM_FENCE)");
        break;
    default: break;
    }
}

/* Raw text shows where it may be split: at ?:, || and &&. */
static enum qn__binding binding(const struct qn__node *n)
{
    if (n->op != QN__OP_RAW)
        return QN__BINDS_POSTFIX;
    return n->traits & QN__CHOOSES        ? QN__BINDS_CHOOSE
           : n->traits & QN__LOGICAL_ORS  ? QN__BINDS_LOGICAL_OR
           : n->traits & QN__LOGICAL_ANDS ? QN__BINDS_LOGICAL_AND
                                          : QN__BINDS_OR;
}

const struct qn__language qn__opencl_c = {
    .name = "OpenCL C",
    .special = special,
    .binding = binding,
};
