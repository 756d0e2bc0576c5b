/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of chat templates: "x is defined", "n is divisibleby 3". */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <string.h>

#define TEST(name)                                                                                 \
    static qn_status name(struct qn__value *out, struct qn__template_run *run,                     \
                          const struct qn__value *self, const struct qn__arguments *args)
/* A question about the value alone. */
#define ASKS(name, answer)                                                                         \
    TEST(name)                                                                                     \
    {                                                                                              \
        (void)run;                                                                                 \
        (void)args;                                                                                \
        *out = QN__BOOL(answer);                                                                   \
        return QN_OK;                                                                              \
    }

ASKS(is_defined, self->kind != QN__VALUE_UNDEFINED)
ASKS(is_undefined, self->kind == QN__VALUE_UNDEFINED)
ASKS(is_none, self->kind == QN__VALUE_NONE)
ASKS(is_string, self->kind == QN__VALUE_TEXT)
ASKS(is_mapping, self->kind == QN__VALUE_DICT)
ASKS(is_integer, self->kind == QN__VALUE_INT)
ASKS(is_float, self->kind == QN__VALUE_FLOAT)
ASKS(is_boolean, self->kind == QN__VALUE_BOOL)
ASKS(is_true, self->kind == QN__VALUE_BOOL && self->as.boolean)
ASKS(is_false, self->kind == QN__VALUE_BOOL && !self->as.boolean)
ASKS(is_callable, self->kind == QN__VALUE_CALLABLE)
ASKS(is_iterable, self->kind == QN__VALUE_TEXT || self->kind == QN__VALUE_LIST ||
                      self->kind == QN__VALUE_DICT || self->kind == QN__VALUE_UNDEFINED)
ASKS(is_sequence, self->kind == QN__VALUE_TEXT || self->kind == QN__VALUE_DICT ||
                      self->kind == QN__VALUE_UNDEFINED ||
                      (self->kind == QN__VALUE_LIST && !self->as.list->is_generator))
ASKS(is_lower, self->kind == QN__VALUE_TEXT && qn__text_is(self->as.text, QN__IS_LOWER))
ASKS(is_upper, self->kind == QN__VALUE_TEXT && qn__text_is(self->as.text, QN__IS_UPPER))

TEST(is_number)
{
    (void)run;
    (void)args;
    *out = QN__BOOL(qn__value_is_number(self));
    return QN_OK;
}

static qn_status argument(const struct qn__value **out, const struct qn__template_run *run,
                          const struct qn__arguments *args)
{
    *out = args->n == 1 ? &args->values[0] : NULL;
    return *out ? QN_OK : qn__template_fail(run, QN_E_INVALID, "the test takes one value");
}

static qn_status remainder_by(struct qn__value *out, struct qn__template_run *run,
                              const struct qn__value *self, const struct qn__value *by,
                              int64_t wanted)
{
    struct qn__value rest;
    const struct qn__value is = QN__INT(wanted);
    if (!qn__value_is_number(self) || !qn__value_is_number(by))
        return qn__template_fail(run, QN_E_INVALID, "a remainder of %s", qn__value_kind_name(self));
    QN_TRY(qn__binary(&rest, run, "%", self, by));
    *out = QN__BOOL(qn__value_equal(&rest, &is));
    return QN_OK;
}

TEST(is_divisible_by)
{
    const struct qn__value *by;
    QN_TRY(argument(&by, run, args));
    return remainder_by(out, run, self, by, 0);
}

TEST(is_even)
{
    const struct qn__value two = QN__INT(2);
    (void)args;
    return remainder_by(out, run, self, &two, 0);
}

TEST(is_odd)
{
    const struct qn__value two = QN__INT(2);
    (void)args;
    return remainder_by(out, run, self, &two, 1);
}

TEST(is_equal)
{
    const struct qn__value *other;
    QN_TRY(argument(&other, run, args));
    *out = QN__BOOL(qn__value_equal(self, other));
    return QN_OK;
}

TEST(is_unequal)
{
    QN_TRY(is_equal(out, run, self, args));
    *out = QN__BOOL(!out->as.boolean);
    return QN_OK;
}

/* Python's `is`, of values that have one instance */
TEST(is_same)
{
    const struct qn__value *other;
    QN_TRY(argument(&other, run, args));
    *out = QN__BOOL(self->kind == other->kind && qn__value_equal(self, other));
    return QN_OK;
}

TEST(is_in)
{
    const struct qn__value *container;
    bool holds;
    QN_TRY(argument(&container, run, args));
    QN_TRY(qn__value_contains(&holds, run, container, self));
    *out = QN__BOOL(holds);
    return QN_OK;
}

static qn_status ordered(struct qn__value *out, struct qn__template_run *run,
                         const struct qn__value *self, const struct qn__arguments *args, int sign,
                         bool or_equal)
{
    const struct qn__value *other;
    int order;
    QN_TRY(argument(&other, run, args));
    QN_TRY(qn__value_compare(&order, run, self, other));
    *out = QN__BOOL(order == sign || (or_equal && order == 0));
    return QN_OK;
}

TEST(is_less)
{
    return ordered(out, run, self, args, -1, false);
}
TEST(is_at_most)
{
    return ordered(out, run, self, args, -1, true);
}
TEST(is_greater)
{
    return ordered(out, run, self, args, 1, false);
}
TEST(is_at_least)
{
    return ordered(out, run, self, args, 1, true);
}

/* Is there a filter, a test, of this name? */
TEST(is_filter)
{
    (void)run;
    (void)args;
    *out = QN__BOOL(self->kind == QN__VALUE_TEXT && qn__filter_find(self->as.text));
    return QN_OK;
}

TEST(is_test)
{
    (void)run;
    (void)args;
    *out = QN__BOOL(self->kind == QN__VALUE_TEXT && qn__test_find(self->as.text));
    return QN_OK;
}

static const struct qn__function_row tests[] = {
    {"defined", is_defined, ""},
    {"undefined", is_undefined, ""},
    {"none", is_none, ""},
    {"string", is_string, ""},
    {"mapping", is_mapping, ""},
    {"sequence", is_sequence, ""},
    {"iterable", is_iterable, ""},
    {"number", is_number, ""},
    {"integer", is_integer, ""},
    {"float", is_float, ""},
    {"boolean", is_boolean, ""},
    {"true", is_true, ""},
    {"false", is_false, ""},
    {"callable", is_callable, ""},
    {"lower", is_lower, ""},
    {"upper", is_upper, ""},
    {"even", is_even, ""},
    {"odd", is_odd, ""},
    {"divisibleby", is_divisible_by, "num"},
    {"eq", is_equal, "other"},
    {"equalto", is_equal, "other"},
    {"==", is_equal, "other"},
    {"ne", is_unequal, "other"},
    {"!=", is_unequal, "other"},
    {"sameas", is_same, "other"},
    {"in", is_in, "seq"},
    {"lt", is_less, "other"},
    {"lessthan", is_less, "other"},
    {"<", is_less, "other"},
    {"le", is_at_most, "other"},
    {"<=", is_at_most, "other"},
    {"gt", is_greater, "other"},
    {"greaterthan", is_greater, "other"},
    {">", is_greater, "other"},
    {"ge", is_at_least, "other"},
    {">=", is_at_least, "other"},
    {"filter", is_filter, ""},
    {"test", is_test, ""},
    {NULL, NULL, NULL},
};

const struct qn__function_row *qn__test_find(struct qn__template_text name)
{
    return qn__row_find(tests, name.bytes, name.n);
}

qn_status qn__test_call(bool *out, struct qn__template_run *run, struct qn__template_text name,
                        const struct qn__value *self, const struct qn__arguments *args)
{
    const struct qn__function_row *row = qn__test_find(name);
    struct qn__value v;
    *out = false;
    if (!row)
        return qn__template_fail(run, QN_E_UNSUPPORTED, "the test '%.*s'",
                                 name.n < 40 ? (int)name.n : 40, name.bytes);
    QN_TRY(qn__row_call(&v, run, row, self, args));
    *out = qn__value_is_true(&v);
    return QN_OK;
}
