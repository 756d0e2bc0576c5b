/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators of chat templates: what is in a value, and arithmetic, by Python's rules. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <math.h>
#include <string.h>

/* -- what is in a value -- */

static qn_status of_loop(struct qn__value *out, struct qn__template_run *run,
                         const struct qn__template_loop *l, struct qn__template_text name)
{
    const int64_t i = (int64_t)l->index, n = (int64_t)l->n;
    const struct {
        const char *name;
        struct qn__value value;
    } fields[] = {
        {"index", QN__INT(i + 1)},    {"index0", QN__INT(i)},
        {"revindex", QN__INT(n - i)}, {"revindex0", QN__INT(n - i - 1)},
        {"first", QN__BOOL(i == 0)},  {"last", QN__BOOL(i + 1 == n)},
        {"length", QN__INT(n)},       {"depth", QN__INT(1)},
        {"depth0", QN__INT(0)},
    };
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
        if (qn__text_equal(name, fields[k].name, strlen(fields[k].name))) {
            *out = fields[k].value;
            return QN_OK;
        }
    const bool is_next = qn__text_equal(name, "nextitem", 8);
    if (is_next || qn__text_equal(name, "previtem", 8)) {
        *out = is_next && l->index + 1 < l->n ? l->items[l->index + 1]
               : !is_next && l->index > 0     ? l->items[l->index - 1]
                                              : QN__UNDEFINED(name.bytes, name.n);
        return QN_OK;
    }
    return qn__template_fail(run, QN_E_UNSUPPORTED, "loop.%.*s", name.n < 40 ? (int)name.n : 40,
                             name.bytes);
}

qn_status qn__get_attribute(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *of, struct qn__template_text name)
{
    const struct qn__value *v = NULL;
    const struct qn__function_row *method = qn__method_find(of, name);
    *out = QN__UNDEFINED(name.bytes, name.n);
    if (of->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, of);
    if (method)
        return qn__callable_new(out, run, (struct qn__callable){.row = method, .self = *of});
    if (of->kind == QN__VALUE_LOOP)
        return of_loop(out, run, of->as.loop, name);
    if (of->kind == QN__VALUE_DICT || of->kind == QN__VALUE_NAMESPACE) {
        QN_TRY(qn__template_step(run, of->as.dict->n / 8));
        v = qn__dict_find_name(of->as.dict, name.bytes, name.n);
    }
    if (v)
        *out = *v;
    return QN_OK;
}

/* The element at this place, counted from the end where it is negative; SIZE_MAX: none. */
static size_t place_of(int64_t index, size_t n)
{
    if (index < 0)
        index += (int64_t)n;
    return index < 0 || (uint64_t)index >= n ? SIZE_MAX : (size_t)index;
}

qn_status qn__get_item(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__value *of, const struct qn__value *key)
{
    const bool is_place = key->kind == QN__VALUE_INT || key->kind == QN__VALUE_BOOL;
    const int64_t index = key->kind == QN__VALUE_INT    ? key->as.integer
                          : key->kind == QN__VALUE_BOOL ? key->as.boolean
                                                        : 0;
    *out = key->kind == QN__VALUE_TEXT ? QN__UNDEFINED(key->as.text.bytes, key->as.text.n)
                                       : QN__UNDEFINED("an element", 10);
    if (of->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, of);
    if (of->kind == QN__VALUE_DICT) {
        QN_TRY(qn__template_step(run, of->as.dict->n / 8));
        const struct qn__value *v = qn__dict_find(of->as.dict, key);
        if (v) {
            *out = *v;
            return QN_OK;
        }
    } else if (of->kind == QN__VALUE_LIST && is_place && !of->as.list->is_generator) {
        const size_t at = place_of(index, of->as.list->n);
        if (at != SIZE_MAX)
            *out = of->as.list->items[at];
        return QN_OK;
    } else if (of->kind == QN__VALUE_TEXT && is_place) {
        const struct qn__template_text t = of->as.text;
        QN_TRY(qn__template_step(run, t.n / 64));
        const size_t place = place_of(index, qn__text_characters(t));
        if (place == SIZE_MAX)
            return QN_OK;
        const size_t at = qn__text_offset(t, place);
        *out = (struct qn__value){.kind = QN__VALUE_TEXT,
                                  .as.text = qn__text_part(t, at, qn__text_character_bytes(t, at))};
        return QN_OK;
    }
    return key->kind == QN__VALUE_TEXT ? qn__get_attribute(out, run, of, key->as.text) : QN_OK;
}

/* A bound of a slice, within [low, high]. */
static qn_status bound(int64_t *out, const struct qn__template_run *run, const struct qn__value *v,
                       int64_t n, int64_t low, int64_t high, int64_t otherwise)
{
    *out = otherwise;
    if (!v)
        return QN_OK;
    if (v->kind != QN__VALUE_INT && v->kind != QN__VALUE_BOOL)
        return qn__template_fail(run, QN_E_INVALID, "a slice by %s", qn__value_kind_name(v));
    int64_t at = v->kind == QN__VALUE_INT ? v->as.integer : v->as.boolean;
    at = at < 0 ? (at < -n ? low : at + n) : at;
    *out = at < low ? low : at > high ? high : at;
    return QN_OK;
}

qn_status qn__get_slice(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *of, const struct qn__value *const parts[3])
{
    struct qn__value_list all;
    int64_t from, to, step = 1;
    *out = QN__UNDEFINED("a slice", 7);
    if (of->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, of);
    if (of->kind != QN__VALUE_TEXT && (of->kind != QN__VALUE_LIST || of->as.list->is_generator))
        return QN_OK;
    if (parts[2] && parts[2]->kind != QN__VALUE_INT)
        return qn__template_fail(run, QN_E_INVALID, "a slice in steps of %s",
                                 qn__value_kind_name(parts[2]));
    if (parts[2])
        step = parts[2]->as.integer;
    if (step == 0)
        return qn__template_fail(run, QN_E_INVALID, "a slice in steps of 0");
    const bool whole_text = of->kind == QN__VALUE_TEXT && step == 1;
    if (whole_text)
        all.n = qn__text_characters(of->as.text);
    else
        QN_TRY(qn__value_elements(&all, run, of));
    const int64_t n = (int64_t)all.n, low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    QN_TRY(bound(&from, run, parts[0], n, low, high, step > 0 ? low : high));
    QN_TRY(bound(&to, run, parts[1], n, low, high, step > 0 ? high : low));
    if (whole_text) {
        const size_t start = qn__text_offset(of->as.text, (size_t)from);
        const size_t end = to > from ? qn__text_offset(of->as.text, (size_t)to) : start;
        QN_TRY(qn__template_step(run, of->as.text.n / 64));
        *out = (struct qn__value){.kind = QN__VALUE_TEXT,
                                  .as.text = qn__text_part(of->as.text, start, end - start)};
        return QN_OK;
    }
    struct qn__text_builder b = {0};
    struct qn__value list;
    QN_TRY(qn__value_new_list(&list, run, 0));
    list.as.list->is_tuple = of->kind == QN__VALUE_LIST && of->as.list->is_tuple;
    for (int64_t i = from; step > 0 ? i < to : i > to;) {
        QN_TRY(of->kind == QN__VALUE_TEXT ? qn__builder_add(run, &b, all.items[i].as.text)
                                          : qn__list_add(run, list.as.list, all.items[i]));
        if (step > 0 ? step > to - i : step < to - i)
            break;
        i += step;
    }
    *out = of->kind == QN__VALUE_TEXT ? qn__builder_value(&b) : list;
    return QN_OK;
}

/* -- arithmetic -- */

static qn_status wrong_operands(const struct qn__template_run *run, const char *op,
                                const struct qn__value *a, const struct qn__value *b)
{
    if (a->kind == QN__VALUE_UNDEFINED || b->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, a->kind == QN__VALUE_UNDEFINED ? a : b);
    return qn__template_fail(run, QN_E_INVALID, "'%s' between %s and %s", op,
                             qn__value_kind_name(a), qn__value_kind_name(b));
}

static qn_status too_large(const struct qn__template_run *run)
{
    return qn__template_fail(run, QN_E_LIMIT, "a number of more than 64 bits");
}

static int64_t integer_of(const struct qn__value *v)
{
    return v->kind == QN__VALUE_INT ? v->as.integer : v->as.boolean;
}

/* Division rounds down, and the remainder has the divisor's sign. */
static qn_status divide(struct qn__value *out, const struct qn__template_run *run, bool remainder,
                        int64_t a, int64_t b)
{
    if (b == -1) {
        int64_t negated;
        if (!remainder && __builtin_sub_overflow((int64_t)0, a, &negated))
            return too_large(run);
        *out = QN__INT(remainder ? 0 : negated);
        return QN_OK;
    }
    int64_t q = a / b, r = a % b;
    if (r != 0 && (r < 0) != (b < 0)) {
        q--;
        r += b;
    }
    *out = QN__INT(remainder ? r : q);
    return QN_OK;
}

static qn_status power(struct qn__value *out, const struct qn__template_run *run, int64_t a,
                       int64_t b)
{
    int64_t result = 1;
    if (b < 0) {
        *out = QN__REAL(pow((double)a, (double)b));
        return QN_OK;
    }
    if (a == 0 || a == 1 || a == -1) {
        *out = QN__INT(b == 0 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : a);
        return QN_OK;
    }
    for (int64_t i = 0; i < b; i++)
        if (__builtin_mul_overflow(result, a, &result))
            return too_large(run);
    *out = QN__INT(result);
    return QN_OK;
}

static qn_status integers(struct qn__value *out, const struct qn__template_run *run, const char *op,
                          int64_t a, int64_t b)
{
    int64_t r;
    bool overflows;
    if (!strcmp(op, "/")) {
        *out = QN__REAL((double)a / (double)b);
        return QN_OK;
    }
    if (!strcmp(op, "//") || !strcmp(op, "%"))
        return divide(out, run, *op == '%', a, b);
    if (!strcmp(op, "**"))
        return power(out, run, a, b);
    if (*op == '+')
        overflows = __builtin_add_overflow(a, b, &r);
    else if (*op == '-')
        overflows = __builtin_sub_overflow(a, b, &r);
    else
        overflows = __builtin_mul_overflow(a, b, &r);
    if (overflows)
        return too_large(run);
    *out = QN__INT(r);
    return QN_OK;
}

static double reals(const char *op, double a, double b)
{
    if (!strcmp(op, "//"))
        return floor(a / b);
    if (!strcmp(op, "**"))
        return pow(a, b);
    if (*op == '%') {
        const double r = fmod(a, b);
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
    return *op == '+' ? a + b : *op == '-' ? a - b : *op == '*' ? a * b : a / b;
}

static qn_status numbers(struct qn__value *out, const struct qn__template_run *run, const char *op,
                         const struct qn__value *a, const struct qn__value *b)
{
    if ((*op == '/' || *op == '%') && qn__value_number(b) == 0)
        return qn__template_fail(run, QN_E_INVALID, "division by zero");
    if (a->kind != QN__VALUE_FLOAT && b->kind != QN__VALUE_FLOAT)
        return integers(out, run, op, integer_of(a), integer_of(b));
    *out = QN__REAL(reals(op, qn__value_number(a), qn__value_number(b)));
    return QN_OK;
}

static qn_status join_texts(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *a, const struct qn__value *b)
{
    struct qn__text_builder joined = {0};
    QN_TRY(b->is_markup && !a->is_markup ? qn__builder_add_escaped(run, &joined, a->as.text)
                                         : qn__builder_add(run, &joined, a->as.text));
    QN_TRY(a->is_markup && !b->is_markup ? qn__builder_add_escaped(run, &joined, b->as.text)
                                         : qn__builder_add(run, &joined, b->as.text));
    *out = qn__builder_value(&joined);
    out->is_markup = a->is_markup || b->is_markup;
    return QN_OK;
}

static qn_status join_lists(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value_list *a, const struct qn__value_list *b)
{
    QN_TRY(qn__template_step(run, a->n + b->n));
    QN_TRY(qn__value_new_list(out, run, a->n + b->n));
    struct qn__value_list *l = out->as.list;
    l->is_tuple = a->is_tuple;
    if (a->n)
        memcpy(l->items, a->items, a->n * sizeof *l->items);
    if (b->n)
        memcpy(l->items + a->n, b->items, b->n * sizeof *l->items);
    l->n = a->n + b->n;
    return QN_OK;
}

/* A text or list, `times` times. */
static qn_status repeat(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *v, int64_t times)
{
    struct qn__text_builder b = {0};
    QN_TRY(qn__value_new_list(out, run, 0));
    const bool is_text = v->kind == QN__VALUE_TEXT;
    if (is_text ? v->as.text.n == 0 : v->as.list->n == 0)
        times = 0;
    for (int64_t i = 0; i < times; i++) {
        QN_TRY(qn__template_step(run, 1));
        if (is_text)
            QN_TRY(qn__builder_add(run, &b, v->as.text));
        for (size_t k = 0; !is_text && k < v->as.list->n; k++)
            QN_TRY(qn__list_add(run, out->as.list, v->as.list->items[k]));
    }
    if (is_text)
        *out = qn__builder_value(&b);
    else
        out->as.list->is_tuple = v->as.list->is_tuple;
    return QN_OK;
}

static bool is_sequence(const struct qn__value *v)
{
    return v->kind == QN__VALUE_TEXT || (v->kind == QN__VALUE_LIST && !v->as.list->is_generator);
}

qn_status qn__binary(struct qn__value *out, struct qn__template_run *run, const char *op,
                     const struct qn__value *a, const struct qn__value *b)
{
    *out = QN__NONE;
    if (qn__value_is_number(a) && qn__value_is_number(b))
        return numbers(out, run, op, a, b);
    if (*op == '%' && a->kind == QN__VALUE_TEXT) {
        const bool is_tuple = b->kind == QN__VALUE_LIST && b->as.list->is_tuple;
        const bool is_dict = b->kind == QN__VALUE_DICT;
        const struct qn__arguments args = {
            .values = is_tuple ? b->as.list->items : b,
            .n = is_tuple ? b->as.list->n : 1,
            .named = is_dict ? b->as.dict->pairs : NULL,
            .n_named = is_dict ? b->as.dict->n : 0,
        };
        return qn__format_percent(out, run, a->as.text, &args);
    }
    if (!strcmp(op, "*") && is_sequence(a) && b->kind == QN__VALUE_INT)
        return repeat(out, run, a, b->as.integer);
    if (!strcmp(op, "*") && is_sequence(b) && a->kind == QN__VALUE_INT)
        return repeat(out, run, b, a->as.integer);
    if (*op == '+' && a->kind == QN__VALUE_TEXT && b->kind == QN__VALUE_TEXT)
        return join_texts(out, run, a, b);
    if (*op == '+' && is_sequence(a) && is_sequence(b) && a->kind == b->kind &&
        a->as.list->is_tuple == b->as.list->is_tuple)
        return join_lists(out, run, a->as.list, b->as.list);
    return wrong_operands(run, op, a, b);
}
