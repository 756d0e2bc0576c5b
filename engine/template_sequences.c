/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters of chat templates over elements: choosing, sorting, joining, adding up. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <string.h>

#define FILTER(name)                                                                               \
    static qn_status name(struct qn__value *out, struct qn__template_run *run,                     \
                          const struct qn__value *self, const struct qn__arguments *args)

static qn_status new_generator(struct qn__value *out, struct qn__template_run *run)
{
    QN_TRY(qn__value_new_list(out, run, 0));
    out->as.list->is_generator = true;
    return QN_OK;
}

/* "function.name": step by step. A number names an element. */
static qn_status by_path(struct qn__value *out, struct qn__template_run *run,
                         const struct qn__value *of, const struct qn__value *path)
{
    if (path->kind == QN__VALUE_INT)
        return qn__get_item(out, run, of, path);
    if (path->kind != QN__VALUE_TEXT)
        return qn__template_fail(run, QN_E_INVALID, "an attribute named by %s",
                                 qn__value_kind_name(path));
    struct qn__template_text rest = path->as.text;
    *out = *of;
    for (;;) {
        const char *dot = rest.n ? memchr(rest.bytes, '.', rest.n) : NULL;
        const size_t n = dot ? (size_t)(dot - rest.bytes) : rest.n;
        struct qn__value key = {.kind = QN__VALUE_TEXT, .as.text = qn__text_part(rest, 0, n)};
        if (n && n < 10 && strspn(rest.bytes, "0123456789") >= n) {
            int64_t place = 0;
            for (size_t i = 0; i < n; i++)
                place = place * 10 + (rest.bytes[i] - '0');
            key = QN__INT(place);
        }
        const struct qn__value here = *out;
        QN_TRY(qn__template_step(run, 1));
        QN_TRY(qn__get_item(out, run, &here, &key));
        if (!dot)
            return QN_OK;
        rest = qn__text_part(rest, n + 1, rest.n - n - 1);
    }
}

/* What an element is sorted or compared by: itself or an attribute, small letters. */
static qn_status key_of(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *v, const struct qn__value *attribute, bool as_it_is)
{
    *out = *v;
    if (attribute && attribute->kind != QN__VALUE_NONE)
        QN_TRY(by_path(out, run, v, attribute));
    if (out->kind == QN__VALUE_TEXT && !as_it_is)
        return qn__text_change_case(out, run, out->as.text, QN__LOWER);
    return QN_OK;
}

static bool flag(const struct qn__arguments *args, size_t place, const char *name)
{
    const struct qn__value *v = qn__argument(args, place, name);
    return v && qn__value_is_true(v);
}

/* -- ends -- */

FILTER(first)
{
    struct qn__value_list l;
    (void)args;
    QN_TRY(qn__value_elements(&l, run, self));
    *out = l.n ? l.items[0] : QN__UNDEFINED("the first of nothing", 20);
    return QN_OK;
}

FILTER(last)
{
    struct qn__value_list l;
    (void)args;
    if (self->kind == QN__VALUE_LIST && self->as.list->is_generator)
        return qn__template_fail(run, QN_E_INVALID, "last of what a filter generates");
    QN_TRY(qn__value_elements(&l, run, self));
    *out = l.n ? l.items[l.n - 1] : QN__UNDEFINED("the last of nothing", 19);
    return QN_OK;
}

FILTER(list)
{
    struct qn__value_list l;
    (void)args;
    QN_TRY(qn__value_elements(&l, run, self));
    QN_TRY(qn__value_new_list(out, run, l.n));
    for (size_t i = 0; i < l.n; i++)
        QN_TRY(qn__list_add(run, out->as.list, l.items[i]));
    return QN_OK;
}

FILTER(reverse)
{
    struct qn__value_list l;
    struct qn__text_builder b = {0};
    (void)args;
    QN_TRY(qn__value_elements(&l, run, self));
    QN_TRY(new_generator(out, run));
    for (size_t i = l.n; i-- > 0;)
        QN_TRY(self->kind == QN__VALUE_TEXT ? qn__builder_add(run, &b, l.items[i].as.text)
                                            : qn__list_add(run, out->as.list, l.items[i]));
    if (self->kind == QN__VALUE_TEXT)
        *out = qn__builder_value(&b);
    return QN_OK;
}

FILTER(join)
{
    const struct qn__value *between = qn__argument(args, 0, "d");
    const struct qn__value *attribute = qn__argument(args, 1, "attribute");
    struct qn__value_list l;
    struct qn__value v, separator = QN__TEXT_LITERAL("");
    struct qn__text_builder b = {0};
    if (between)
        QN_TRY(qn__to_text(&separator, run, between));
    QN_TRY(qn__value_elements(&l, run, self));
    for (size_t i = 0; i < l.n; i++) {
        QN_TRY(key_of(&v, run, &l.items[i], attribute, true));
        if (i && separator.kind == QN__VALUE_TEXT)
            QN_TRY(qn__builder_add(run, &b, separator.as.text));
        QN_TRY(qn__print(run, &b, &v));
    }
    *out = qn__builder_value(&b);
    return QN_OK;
}

FILTER(items)
{
    const struct qn__arguments none = {0};
    (void)args;
    if (self->kind == QN__VALUE_UNDEFINED)
        return new_generator(out, run);
    if (self->kind != QN__VALUE_DICT)
        return qn__template_fail(run, QN_E_INVALID, "items of %s", qn__value_kind_name(self));
    const struct qn__function_row *row =
        qn__method_find(self, (struct qn__template_text){"items", NULL, 5});
    QN_TRY(row->function(out, run, self, &none));
    out->as.list->is_generator = true;
    return QN_OK;
}

/* -- choosing -- */

/* None of what is not true, as Jinja has it for these filters. */
static qn_status elements_of(struct qn__value_list *out, struct qn__template_run *run,
                             const struct qn__value *v)
{
    *out = (struct qn__value_list){0};
    return qn__value_is_true(v) ? qn__value_elements(out, run, v) : QN_OK;
}

/* Does the test that `args` name from `place` on hold? Without one: is it true? */
static qn_status holds(bool *out, struct qn__template_run *run, const struct qn__value *v,
                       const struct qn__arguments *args, size_t place)
{
    if (args->n <= place) {
        *out = qn__value_is_true(v);
        return QN_OK;
    }
    if (args->values[place].kind != QN__VALUE_TEXT)
        return qn__template_fail(run, QN_E_INVALID, "a test named by %s",
                                 qn__value_kind_name(&args->values[place]));
    const struct qn__arguments rest = {args->values + place + 1, args->n - place - 1, args->named,
                                       args->n_named};
    return qn__test_call(out, run, args->values[place].as.text, v, &rest);
}

static qn_status choose(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *self, const struct qn__arguments *args, bool wanted,
                        bool by_attribute)
{
    struct qn__value_list l;
    if (by_attribute && !args->n)
        return qn__template_fail(run, QN_E_INVALID, "the attribute is missing");
    QN_TRY(elements_of(&l, run, self));
    QN_TRY(new_generator(out, run));
    for (size_t i = 0; i < l.n; i++) {
        struct qn__value v = l.items[i];
        bool is_chosen;
        if (by_attribute)
            QN_TRY(by_path(&v, run, &l.items[i], &args->values[0]));
        QN_TRY(holds(&is_chosen, run, &v, args, by_attribute ? 1 : 0));
        if (is_chosen == wanted)
            QN_TRY(qn__list_add(run, out->as.list, l.items[i]));
    }
    return QN_OK;
}

FILTER(select)
{
    return choose(out, run, self, args, true, false);
}
FILTER(reject)
{
    return choose(out, run, self, args, false, false);
}
FILTER(select_attribute)
{
    return choose(out, run, self, args, true, true);
}
FILTER(reject_attribute)
{
    return choose(out, run, self, args, false, true);
}

FILTER(map)
{
    const struct qn__value *attribute = args->n ? NULL : qn__argument(args, 0, "attribute");
    const struct qn__value *otherwise = args->n ? NULL : qn__argument(args, 1, "default");
    struct qn__value_list l;
    if (!attribute && (!args->n || args->values[0].kind != QN__VALUE_TEXT))
        return qn__template_fail(run, QN_E_INVALID, "map without a filter or an attribute");
    QN_TRY(elements_of(&l, run, self));
    QN_TRY(new_generator(out, run));
    for (size_t i = 0; i < l.n; i++) {
        struct qn__value v;
        if (attribute) {
            QN_TRY(by_path(&v, run, &l.items[i], attribute));
            if (v.kind == QN__VALUE_UNDEFINED && otherwise)
                v = *otherwise;
        } else {
            const struct qn__arguments rest = {args->values + 1, args->n - 1, args->named,
                                               args->n_named};
            QN_TRY(qn__filter_call(&v, run, args->values[0].as.text, &l.items[i], &rest));
        }
        QN_TRY(qn__list_add(run, out->as.list, v));
    }
    return QN_OK;
}

FILTER(unique)
{
    const bool as_it_is = flag(args, 0, "case_sensitive");
    const struct qn__value *attribute = qn__argument(args, 1, "attribute");
    struct qn__value_list l;
    struct qn__value seen, key;
    QN_TRY(qn__value_elements(&l, run, self));
    QN_TRY(qn__value_new_list(&seen, run, 0));
    QN_TRY(new_generator(out, run));
    for (size_t i = 0; i < l.n; i++) {
        bool known;
        QN_TRY(key_of(&key, run, &l.items[i], attribute, as_it_is));
        QN_TRY(qn__value_contains(&known, run, &seen, &key));
        if (known)
            continue;
        QN_TRY(qn__list_add(run, seen.as.list, key));
        QN_TRY(qn__list_add(run, out->as.list, l.items[i]));
    }
    return QN_OK;
}

/* -- order -- */

/* A merge sort by key: elements that are equal keep their order. */
static qn_status sort_pairs(struct qn__template_run *run, struct qn__value_pair *pairs, size_t n,
                            bool descending)
{
    void *memory;
    QN_TRY(qn__template_alloc(&memory, run, n, sizeof *pairs));
    struct qn__value_pair *from = pairs, *to = memory;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            const size_t middle = start + width < n ? start + width : n;
            const size_t end = start + 2 * width < n ? start + 2 * width : n;
            for (size_t i = start, j = middle, k = start; k < end; k++) {
                int order = 0;
                if (i < middle && j < end)
                    QN_TRY(qn__value_compare(&order, run, &from[j].key, &from[i].key));
                const bool takes_right =
                    i >= middle || (j < end && (descending ? order > 0 : order < 0));
                to[k] = takes_right ? from[j++] : from[i++];
            }
        }
        struct qn__value_pair *const swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs)
        memcpy(pairs, from, n * sizeof *pairs);
    return QN_OK;
}

FILTER(sort)
{
    const bool descending = flag(args, 0, "reverse"), as_it_is = flag(args, 1, "case_sensitive");
    const struct qn__value *attribute = qn__argument(args, 2, "attribute");
    struct qn__value_list l;
    struct qn__value_dict d = {0};
    struct qn__value key;
    QN_TRY(qn__value_elements(&l, run, self));
    for (size_t i = 0; i < l.n; i++) {
        QN_TRY(key_of(&key, run, &l.items[i], attribute, as_it_is));
        QN_TRY(qn__dict_add(run, &d, key, l.items[i]));
    }
    QN_TRY(sort_pairs(run, d.pairs, d.n, descending));
    QN_TRY(qn__value_new_list(out, run, d.n));
    for (size_t i = 0; i < d.n; i++)
        QN_TRY(qn__list_add(run, out->as.list, d.pairs[i].value));
    return QN_OK;
}

FILTER(sort_dict)
{
    const bool as_it_is = flag(args, 0, "case_sensitive"), descending = flag(args, 2, "reverse");
    const struct qn__value *by = qn__argument(args, 1, "by");
    const bool by_value = by && qn__value_is_text(by, "value");
    const struct qn__arguments none = {0};
    struct qn__value pairs, key;
    struct qn__value_dict d = {0};
    QN_TRY(items(&pairs, run, self, &none));
    for (size_t i = 0; i < pairs.as.list->n; i++) {
        const struct qn__value *pair = &pairs.as.list->items[i];
        QN_TRY(key_of(&key, run, &pair->as.list->items[by_value ? 1 : 0], NULL, as_it_is));
        QN_TRY(qn__dict_add(run, &d, key, *pair));
    }
    QN_TRY(sort_pairs(run, d.pairs, d.n, descending));
    QN_TRY(qn__value_new_list(out, run, d.n));
    for (size_t i = 0; i < d.n; i++)
        QN_TRY(qn__list_add(run, out->as.list, d.pairs[i].value));
    return QN_OK;
}

/* -- one value of many -- */

static qn_status extreme(struct qn__value *out, struct qn__template_run *run,
                         const struct qn__value *self, const struct qn__arguments *args, int sign)
{
    const bool as_it_is = flag(args, 0, "case_sensitive");
    const struct qn__value *attribute = qn__argument(args, 1, "attribute");
    struct qn__value_list l;
    struct qn__value best, key;
    QN_TRY(qn__value_elements(&l, run, self));
    *out = QN__UNDEFINED("the largest of nothing", 22);
    for (size_t i = 0; i < l.n; i++) {
        int order = sign;
        QN_TRY(key_of(&key, run, &l.items[i], attribute, as_it_is));
        if (i)
            QN_TRY(qn__value_compare(&order, run, &key, &best));
        if (order * sign <= 0)
            continue;
        best = key;
        *out = l.items[i];
    }
    return QN_OK;
}

FILTER(smallest)
{
    return extreme(out, run, self, args, -1);
}
FILTER(largest)
{
    return extreme(out, run, self, args, 1);
}

FILTER(sum)
{
    const struct qn__value *attribute = qn__argument(args, 0, "attribute");
    const struct qn__value *start = qn__argument(args, 1, "start");
    struct qn__value_list l;
    struct qn__value v;
    QN_TRY(qn__value_elements(&l, run, self));
    *out = start ? *start : QN__INT(0);
    for (size_t i = 0; i < l.n; i++) {
        const struct qn__value before = *out;
        QN_TRY(key_of(&v, run, &l.items[i], attribute, true));
        QN_TRY(qn__binary(out, run, "+", &before, &v));
    }
    return QN_OK;
}

FILTER(batch)
{
    const struct qn__value *fill = qn__argument(args, 1, "fill_with");
    struct qn__value_list l;
    struct qn__value part;
    int64_t n;
    QN_TRY(qn__argument_int(&n, run, args, 0, "linecount", 0));
    if (n < 1)
        return qn__template_fail(run, QN_E_INVALID, "batch of %d elements", (int)n);
    QN_TRY(qn__value_elements(&l, run, self));
    QN_TRY(new_generator(out, run));
    for (size_t i = 0; i < l.n; i++) {
        if (i % (uint64_t)n == 0) {
            QN_TRY(qn__value_new_list(&part, run, 0));
            QN_TRY(qn__list_add(run, out->as.list, part));
        }
        QN_TRY(qn__list_add(run, part.as.list, l.items[i]));
    }
    while (fill && fill->kind != QN__VALUE_NONE && l.n && part.as.list->n < (uint64_t)n)
        QN_TRY(qn__list_add(run, part.as.list, *fill));
    return QN_OK;
}

const struct qn__function_row qn__sequence_filters[] = {
    {"first", first, ""},
    {"last", last, ""},
    {"list", list, ""},
    {"reverse", reverse, ""},
    {"join", join, "d attribute"},
    {"items", items, ""},
    {"select", select, NULL},
    {"reject", reject, NULL},
    {"selectattr", select_attribute, NULL},
    {"rejectattr", reject_attribute, NULL},
    {"map", map, NULL},
    {"unique", unique, "case_sensitive attribute"},
    {"sort", sort, "reverse case_sensitive attribute"},
    {"dictsort", sort_dict, "case_sensitive by reverse"},
    {"min", smallest, "case_sensitive attribute"},
    {"max", largest, "case_sensitive attribute"},
    {"sum", sum, "attribute start"},
    {"batch", batch, "linecount fill_with"},
    {NULL, NULL, NULL},
};
