/* SPDX-License-Identifier: Apache-2.0
 *
 * Schemas made of schemas: "$ref", "anyOf", "oneOf", "allOf", and what may stand beside them
 * (schema_conversion.h).
 *
 * A choice becomes a choice. Parts that must all hold become one schema, which is converted: a
 * grammar cannot say that two others hold at once. Where that is not possible it is refused. */
#include "engine/schema_conversion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qn_status qn__schema_add_any_of(struct qn__str *out, struct qn__schema_conversion *c,
                                const char *key, json_t *list)
{
    if (!json_is_array(list) || !json_array_size(list))
        return qn__schema_prefix(
            c, qn__fail(QN_E_INVALID, "'%s' is not a list with something in it", key));
    for (size_t i = 0; i < json_array_size(list); i++) {
        qn__str_add(out, i ? " |" : " (");
        QN_TRY(qn__schema_convert(out, c, key, json_array_get(list, i)));
    }
    qn__str_add(out, " )");
    return QN_OK;
}

/* Of texts that a part writes, no other part may allow one: only one part of "oneOf" holds. */
static qn_status check_one_of(struct qn__schema_conversion *c, json_t *list)
{
    const size_t n = json_array_size(list);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i != j &&
                !qn__schema_excludes(&c->fits, json_array_get(list, i), json_array_get(list, j)))
                return qn__schema_prefix(
                    c, qn__fail(QN_E_UNSUPPORTED,
                                c->fits.steps == 0
                                    ? "'oneOf': too many comparisons to see that parts %zu and "
                                      "%zu exclude each other: use 'anyOf'"
                                    : "'oneOf': parts %zu and %zu do not plainly exclude each "
                                      "other: use 'anyOf', or give both a required property with "
                                      "another 'const'",
                                (i < j ? i : j) + 1, (i < j ? j : i) + 1));
    return QN_OK;
}

qn_status qn__schema_add_one_of(struct qn__str *out, struct qn__schema_conversion *c, json_t *list)
{
    QN_TRY(qn__schema_add_any_of(out, c, "oneOf", list));
    return check_one_of(c, list);
}

qn_status qn__schema_add_ref(struct qn__str *out, struct qn__schema_conversion *c, json_t *ref)
{
    const char *name = json_string_value(ref);
    json_t *schema = name ? qn__schema_follow(c->root, name) : NULL;
    if (!schema)
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "$ref '%.60s' is not in this schema", name ? name : "?"));
    uint32_t i = 0;
    while (i < c->n_refs && strcmp(c->refs[i].name, name) != 0)
        i++;
    if (i == QN__SCHEMA_REFS_MAX)
        return qn__schema_prefix(
            c, qn__fail(QN_E_LIMIT, "more than %d schemas are referred to", QN__SCHEMA_REFS_MAX));
    if (i == c->n_refs)
        c->refs[c->n_refs++] =
            (struct qn__schema_ref){name, schema}; /* converted when all else is */
    qn__str_printf(out, " ref%u", i);
    return QN_OK;
}

/* "type" beside "anyOf" and the like does not forbid what these write. */
static qn_status check_type_beside(struct qn__schema_conversion *c, json_t *schema, const char *key)
{
    const uint32_t named = qn__schema_named_types(schema);
    if (named == QN__SCHEMA_ANY)
        return QN_OK;
    json_t *rest = json_pack("{s:O}", key, json_object_get(schema, key));
    if (!rest)
        return qn__schema_prefix(c, qn__fail(QN_E_MEMORY, "no memory for a schema"));
    const uint32_t written = qn__schema_written_types(&c->fits, rest);
    json_decref(rest);
    if (written & ~named)
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED,
                        "'type' beside '%s', which allows other types, too: write the "
                        "type into its schemas",
                        key));
    return QN_OK;
}

qn_status qn__schema_check_beside(struct qn__schema_conversion *c, json_t *schema)
{
    static const char *const whole[] = {"$ref", "anyOf", "oneOf", "allOf", "enum", "const"};
    static const char *const besides[] = {
        "properties", "items",     "prefixItems",      "pattern",         "format",
        "required",   "minLength", "maxLength",        "minItems",        "maxItems",
        "minimum",    "maximum",   "exclusiveMinimum", "exclusiveMaximum"};
    enum { BESIDES_VALUES = 6 }; /* so many beside values, the others are looked at there */
    const char *first = NULL, *second = NULL;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (json_object_get(schema, whole[i])) {
            second = first ? whole[i] : NULL;
            first = first ? first : whole[i];
            if (second)
                break;
        }
    if (!first || (!second && strcmp(first, "allOf") == 0))
        return QN_OK;
    const bool is_values = strcmp(first, "enum") == 0 || strcmp(first, "const") == 0;
    size_t n = is_values ? BESIDES_VALUES : sizeof besides / sizeof *besides;
    for (size_t i = 0; !second && i < n; i++)
        if (json_object_get(schema, besides[i]))
            second = besides[i];
    json_t *others = json_object_get(schema, "additionalProperties");
    if (!second && others && !json_is_true(others) && !(is_values && json_is_false(others)))
        second = "additionalProperties";
    if (second)
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "'%s' and '%s' side by side", first, second));
    return is_values ? QN_OK : check_type_beside(c, schema, first);
}

/* Of one part of several: a property that two parts describe would have to fit both. */
static qn_status add_properties_of(json_t *all, const struct qn__schema_conversion *c,
                                   json_t *properties)
{
    const char *key;
    json_t *value;
    json_object_foreach(properties, key, value)
    {
        json_t *before = json_object_get(all, key);
        if (before && !json_equal(before, value))
            return qn__schema_prefix(
                c, qn__fail(QN_E_UNSUPPORTED,
                            "parts of 'allOf' that say different things about the "
                            "property '%.60s'",
                            key));
        if (json_object_set(all, key, value) != 0)
            return qn__fail(QN_E_MEMORY, "no memory for a schema");
    }
    return QN_OK;
}

/* A part that allows no others than its own properties forbids those of the other parts. */
static qn_status check_closed(const struct qn__schema_conversion *c, json_t *part,
                              json_t *properties)
{
    json_t *others = json_object_get(part, "additionalProperties");
    if (!others || json_is_true(others) ||
        json_object_size(json_object_get(part, "properties")) == json_object_size(properties))
        return QN_OK;
    return qn__schema_prefix(
        c, qn__fail(QN_E_UNSUPPORTED,
                    "'additionalProperties' in a part of 'allOf' forbids the properties "
                    "of the other parts: use 'unevaluatedProperties' beside 'allOf'"));
}

/* Part i of those that must all hold, where its "$ref" leads to; 0: the schema itself. */
static qn_status find_part(json_t **out, struct qn__schema_conversion *c, json_t *schema, size_t i)
{
    *out = i ? json_array_get(json_object_get(schema, "allOf"), i - 1) : schema;
    for (int steps = 0; json_object_get(*out, "$ref") && steps < QN__SCHEMA_DEPTH_MAX; steps++) {
        const char *name = json_string_value(json_object_get(*out, "$ref"));
        QN_TRY(qn__schema_check_beside(c, *out));
        *out = name ? qn__schema_follow(c->root, name) : NULL;
    }
    return json_is_object(*out) ? qn__schema_check_keywords(c, *out)
                                : qn__schema_invalid(c, "a part of 'allOf' is not a schema");
}

static qn_status add_part(json_t *all, const struct qn__schema_conversion *c, json_t *part,
                          bool is_whole)
{
    static const char *const other[] = {"$defs", "definitions", "$ref"};
    static const char *const notes[] = {"title", "description"};
    const char *key;
    json_t *value;
    json_object_foreach(part, key, value)
    {
        json_t *before = json_object_get(all, key);
        if ((is_whole && strcmp(key, "allOf") == 0) ||
            qn__is_listed(other, sizeof other / sizeof *other, key))
            continue;
        int failed = 0;
        if (strcmp(key, "properties") == 0 && json_is_object(before))
            QN_TRY(add_properties_of(before, c, value));
        else if (strcmp(key, "required") == 0 && json_is_array(before))
            failed = json_is_array(value) ? json_array_extend(before, value) : 0;
        else if (strcmp(key, "properties") == 0 || strcmp(key, "required") == 0)
            failed = json_object_set_new(all, key, json_copy(value));
        else if (before && !json_equal(before, value) &&
                 !qn__is_listed(notes, sizeof notes / sizeof *notes, key))
            return qn__schema_prefix(
                c, qn__fail(QN_E_UNSUPPORTED,
                            "parts of 'allOf' that say different things about '%s'", key));
        else
            failed = json_object_set(all, key, value);
        if (failed)
            return qn__fail(QN_E_MEMORY, "no memory for a schema");
    }
    return QN_OK;
}

/* Parts that must all hold, as one schema: objects' properties come together. */
qn_status qn__schema_add_all_of(struct qn__str *out, struct qn__schema_conversion *c,
                                json_t *schema)
{
    const size_t n = json_array_size(json_object_get(schema, "allOf"));
    json_t *all = json_object(), *part;
    qn_status s = all ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a schema");
    if (s == QN_OK && n == 0)
        s = qn__schema_invalid(c, "'allOf' is not a list with something in it");
    for (size_t i = 0; s == QN_OK && i <= n; i++) {
        s = find_part(&part, c, schema, i);
        if (s == QN_OK)
            s = add_part(all, c, part, i == 0);
    }
    for (size_t i = 0; s == QN_OK && i <= n; i++) {
        s = find_part(&part, c, schema, i);
        if (s == QN_OK)
            s = check_closed(c, part, json_object_get(all, "properties"));
    }
    if (s == QN_OK)
        s = qn__schema_convert(out, c, "allOf", all);
    json_decref(all);
    return s;
}
