/* SPDX-License-Identifier: Apache-2.0
 *
 * Making, comparing and rewriting expression trees. Everything lives in the unit's arena. */
#include "compiler/model/node.h"

#include <string.h>

/* Integers divided by this: by what may be zero, or by -1. Floats never trap. */
static bool may_trap(const struct qn__node *by)
{
    const struct qn__type *const t = by->type->kind == QN__VECTOR ? by->type->of : by->type;
    if (t->kind == QN__FLOAT)
        return false;
    return by->op != QN__OP_NUMBER || !by->value || qn__node_is_negative(by);
}

/* What an operation does by itself, whatever its operands do. */
static unsigned own_traits(const struct qn__node *n)
{
    switch (n->op) {
    case QN__OP_DIVIDE:
    case QN__OP_REMAINDER: return may_trap(n->operands[1]) ? QN__DIVIDES : 0;
    case QN__OP_ASSIGN_BY:
        return (n->by == QN__OP_DIVIDE || n->by == QN__OP_REMAINDER) && may_trap(n->operands[1])
                   ? QN__DIVIDES
                   : 0;
    case QN__OP_CHOOSE: return QN__CHOOSES;
    case QN__OP_LOGICAL_OR: return QN__LOGICAL_ORS;
    case QN__OP_LOGICAL_AND: return QN__LOGICAL_ANDS;
    case QN__OP_ACTIVE: return QN__ASKS_ACTIVE;
    case QN__OP_COPY:
    case QN__OP_MOVE:
    case QN__OP_FILL:
    case QN__OP_CLEAR: return QN__REPEATS;
    case QN__OP_WORK_ITEM:
        return n->work_item == QN__LOCAL_ID        ? QN__VARIES | QN__NAMES_WORK_ITEM
               : n->work_item == QN__LINEAR_ID     ? QN__VARIES | QN__CALLS
               : n->work_item == QN__SUBGROUP_LANE ? QN__VARIES
                                                   : 0;
    case QN__OP_ANY_IN_GROUP:
    case QN__OP_FAIL: return QN__CALLS;
    default: return 0;
    }
}

const struct qn__node *qn__node_make(struct qn__unit *u, struct qn__node n)
{
    struct qn__node *const out = QN__NEED(u, struct qn__node);
    n.traits |= own_traits(&n);
    for (uint32_t i = 0; i < n.n; i++)
        n.traits |= n.operands[i]->traits;
    *out = n;
    return out;
}

const struct qn__node *qn__node_new(struct qn__unit *u, enum qn__op op, const struct qn__type *type,
                                    uint32_t n, const struct qn__node *const *operands)
{
    const struct qn__node **const copy = QN__NEED_ARRAY(u, const struct qn__node *, n);
    if (n)
        memcpy(copy, operands, n * sizeof *copy);
    return qn__node_make(u, (struct qn__node){.op = op, .type = type, .n = n, .operands = copy});
}

const struct qn__node *qn__node_unary(struct qn__unit *u, enum qn__op op,
                                      const struct qn__type *type, const struct qn__node *a)
{
    return qn__node_new(u, op, type, 1, &a);
}

const struct qn__node *qn__node_binary(struct qn__unit *u, enum qn__op op,
                                       const struct qn__type *type, const struct qn__node *a,
                                       const struct qn__node *b)
{
    const struct qn__node *const both[] = {a, b};
    return qn__node_new(u, op, type, 2, both);
}

const struct qn__node *qn__node_var(struct qn__unit *u, const struct qn__var *v)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_VARIABLE, .type = v->type, .var = v});
}

const struct qn__node *qn__node_truth(struct qn__unit *u, bool value)
{
    return qn__node_make(
        u, (struct qn__node){.op = QN__OP_TRUTH, .type = qn__type_bool(u), .value = value});
}

const struct qn__node *qn__node_number(struct qn__unit *u, uint64_t value,
                                       const struct qn__type *type)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_NUMBER, .type = type, .value = value});
}

/* There is one node for a number that has no suffix anyway. */
const struct qn__node *qn__node_plain(struct qn__unit *u, const struct qn__node *n)
{
    const struct qn__type *const t = n->type;
    const bool has_suffix =
        t->kind == QN__INT &&
        (t->bits == 64 || (t->is_unsigned && (t->bits == 32 || n->base == QN__HEXADECIMAL)));
    if (n->is_plain || !has_suffix)
        return n;
    struct qn__node plain = *n;
    plain.is_plain = true;
    return qn__node_make(u, plain);
}

const struct qn__node *qn__node_plain_number(struct qn__unit *u, uint64_t value,
                                             const struct qn__type *type)
{
    return qn__node_plain(u, qn__node_number(u, value, type));
}

const struct qn__node *qn__node_real(struct qn__unit *u, double value, const struct qn__type *type)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_REAL, .type = type, .real = value});
}

const struct qn__node *qn__node_string(struct qn__unit *u, const char *characters, bool is_format)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_STRING,
                                              .type = qn__type_int(u, 8, false),
                                              .name = characters,
                                              .value = is_format});
}

const struct qn__node *qn__node_active(struct qn__unit *u)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_ACTIVE, .type = qn__type_bool(u)});
}

const struct qn__node *qn__node_function(struct qn__unit *u, const char *name,
                                         const struct qn__type *type, uint32_t n,
                                         const struct qn__node *const *operands)
{
    struct qn__node call = *qn__node_new(u, QN__OP_FUNCTION, type, n, operands);
    call.name = name;
    return qn__node_make(u, call);
}

const struct qn__node *qn__node_assign_by(struct qn__unit *u, enum qn__op op,
                                          const struct qn__node *a, const struct qn__node *b)
{
    struct qn__node assign = *qn__node_binary(u, QN__OP_ASSIGN_BY, a->type, a, b);
    assign.by = op;
    return qn__node_make(u, assign);
}

const struct qn__node *qn__node_work_item(struct qn__unit *u, enum qn__work_item what,
                                          unsigned axis)
{
    return qn__node_make(u, (struct qn__node){.op = QN__OP_WORK_ITEM,
                                              .type = qn__type_int(u, 64, true),
                                              .work_item = what,
                                              .value = axis});
}

const struct qn__node *qn__node_member(struct qn__unit *u, enum qn__op op,
                                       const struct qn__type *type, const struct qn__node *a,
                                       const char *name)
{
    struct qn__node member = *qn__node_unary(u, op, type, a);
    member.name = name;
    return qn__node_make(u, member);
}

const struct qn__node *qn__node_components(struct qn__unit *u, const struct qn__type *type,
                                           const struct qn__node *a, uint64_t count, uint64_t which)
{
    struct qn__node part = *qn__node_unary(u, QN__OP_COMPONENTS, type, a);
    part.value = which;
    part.count = count;
    return qn__node_make(u, part);
}

const struct qn__node *qn__node_barrier(struct qn__unit *u, bool global)
{
    return qn__node_make(
        u, (struct qn__node){.op = QN__OP_BARRIER, .type = qn__type_void(u), .value = global});
}

const struct qn__node *qn__node_not(struct qn__unit *u, const struct qn__node *a)
{
    return qn__node_unary(u, QN__OP_NOT, qn__type_bool(u), a);
}

static const struct qn__node *chain(struct qn__unit *u, enum qn__op op, const struct qn__node *a,
                                    const struct qn__node *b)
{
    if (b->op != op)
        return qn__node_binary(u, op, qn__type_bool(u), a, b);
    return qn__node_binary(u, op, qn__type_bool(u), chain(u, op, a, b->operands[0]),
                           b->operands[1]);
}

const struct qn__node *qn__node_and(struct qn__unit *u, const struct qn__node *a,
                                    const struct qn__node *b)
{
    return chain(u, QN__OP_LOGICAL_AND, a, b);
}

const struct qn__node *qn__node_or(struct qn__unit *u, const struct qn__node *a,
                                   const struct qn__node *b)
{
    return chain(u, QN__OP_LOGICAL_OR, a, b);
}

const struct qn__node *qn__node_with(struct qn__unit *u, const struct qn__node *n, unsigned traits)
{
    struct qn__node copy = *n;
    copy.traits |= traits;
    return qn__node_make(u, copy);
}

bool qn__node_each_var(const struct qn__node *n, bool (*visit)(void *user, const struct qn__var *v),
                       void *user)
{
    if (!n)
        return true;
    if (n->op == QN__OP_VARIABLE)
        return visit(user, n->var);
    for (uint32_t i = 0; i < n->n; i++)
        if (!qn__node_each_var(n->operands[i], visit, user))
            return false;
    return true;
}

static bool is_other(void *user, const struct qn__var *v)
{
    return v != user;
}

bool qn__node_mentions(const struct qn__node *n, const struct qn__var *v)
{
    return !qn__node_each_var(n, is_other, (void *)(uintptr_t)v);
}

uint32_t qn__node_size(const struct qn__node *n)
{
    uint32_t size = 1;
    for (uint32_t i = 0; i < n->n; i++)
        size += qn__node_size(n->operands[i]);
    return size;
}

bool qn__node_equal(const struct qn__node *a, const struct qn__node *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->op != b->op || a->by != b->by || a->type != b->type || a->var != b->var ||
        a->value != b->value || a->count != b->count || a->base != b->base ||
        a->is_plain != b->is_plain || a->atomic != b->atomic || a->work_item != b->work_item ||
        a->builtin != b->builtin || a->n != b->n ||
        memcmp(&a->real, &b->real, sizeof a->real) != 0 || !qn__equal(a->name, b->name))
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!qn__node_equal(a->operands[i], b->operands[i]))
            return false;
    return true;
}

static bool is_replaced(const struct qn__node *n, const struct qn__var *v)
{
    return v ? qn__node_is_var(n, v) : n->op == QN__OP_ACTIVE;
}

const struct qn__node *qn__node_replace(struct qn__unit *u, const struct qn__node *n,
                                        const struct qn__var *v, const struct qn__node *by)
{
    if (!n || is_replaced(n, v))
        return n ? by : NULL;
    const struct qn__node **changed = NULL;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct qn__node *const operand = qn__node_replace(u, n->operands[i], v, by);
        if (operand == n->operands[i])
            continue;
        if (!changed) {
            changed = QN__NEED_ARRAY(u, const struct qn__node *, n->n);
            memcpy(changed, n->operands, n->n * sizeof *changed);
        }
        changed[i] = operand;
    }
    if (!changed)
        return n;
    if (n->op == QN__OP_LOGICAL_AND && qn__node_is_truth(changed[0], true))
        return changed[1];
    struct qn__node copy = *n;
    copy.operands = changed;
    if (!v)
        copy.traits &= ~(unsigned)QN__ASKS_ACTIVE;
    return qn__node_make(u, copy);
}
