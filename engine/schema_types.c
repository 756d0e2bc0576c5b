/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of JSON's types: strings, numbers, arrays and objects with the keywords of each
 * (schema_conversion.h). */
#include "engine/schema_conversion.h"
#include "engine/schema_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 16 digits are what a double keeps. */
static const int64_t INTEGER_MAX = INT64_C(9999999999999999);

/* -- strings and numbers -- */

/* A count that a keyword says. */
static qn_status read_count(int64_t *out, const struct qn__schema_conversion *c, json_t *schema,
                            const char *key, int64_t fallback)
{
    json_t *value = json_object_get(schema, key);
    enum { COUNT_MAX = 100000 };
    *out = fallback;
    if (!value)
        return QN_OK;
    if (!json_is_number(value) || json_number_value(value) < 0)
        return qn__schema_prefix(c,
                                 qn__fail(QN_E_INVALID, "'%s' is not a number of at least 0", key));
    if (json_number_value(value) > COUNT_MAX)
        return qn__schema_prefix(c, qn__fail(QN_E_LIMIT, "'%s' is more than %d", key, COUNT_MAX));
    *out = (int64_t)json_number_value(value);
    return QN_OK;
}

static const struct {
    const char *name, *text;
} formats[] = {
    {"date", "[0-9]{4} \"-\" ( \"0\" [1-9] | \"1\" [0-2] ) \"-\" ( \"0\" [1-9] | [12] [0-9] | "
             "\"3\" [01] )"},
    {"time", "( [01] [0-9] | \"2\" [0-3] ) \":\" [0-5] [0-9] \":\" [0-5] [0-9] ( \".\" [0-9]{1,9} "
             ")? ( \"Z\" | [+\\-] ( [01] [0-9] | \"2\" [0-3] ) \":\" [0-5] [0-9] )"},
    {"uuid", "[0-9a-fA-F]{8} ( \"-\" [0-9a-fA-F]{4} ){3} \"-\" [0-9a-fA-F]{12}"},
    {"ipv4", "v4 ( \".\" v4 ){3}"},
};

static void add_format(struct qn__str *out, size_t i)
{
    static const char v4[] = "( [0-9] | [1-9] [0-9] | \"1\" [0-9] [0-9] | \"2\" [0-4] [0-9] | "
                             "\"25\" [0-5] )";
    if (strcmp(formats[i].name, "ipv4") == 0)
        qn__str_printf(out, " %s ( \".\" %s ){3}", v4, v4);
    else
        qn__str_printf(out, " %s", formats[i].text);
}

static bool find_format(struct qn__str *out, const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) {
            add_format(out, i);
            return true;
        }
    if (strcmp(name, "date-time") != 0)
        return false;
    add_format(out, 0);
    qn__str_add(out, " \"T\"");
    add_format(out, 1);
    return true;
}

static qn_status add_string(struct qn__str *out, const struct qn__schema_conversion *c,
                            json_t *schema)
{
    json_t *pattern = json_object_get(schema, "pattern");
    json_t *format = json_object_get(schema, "format");
    const bool counts =
        json_object_get(schema, "minLength") || json_object_get(schema, "maxLength");
    int64_t least, most;
    QN_TRY(read_count(&least, c, schema, "minLength", 0));
    QN_TRY(read_count(&most, c, schema, "maxLength", -1));
    if (most >= 0 && most < least)
        return qn__schema_invalid(c, "'maxLength' is less than 'minLength'");
    if ((pattern != NULL) + (format != NULL) + counts > 1)
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED,
                        "only one of 'pattern', 'format' and a length is supported"));
    qn__str_add(out, " \"\\\"\"");
    if (pattern) {
        if (!json_is_string(pattern))
            return qn__schema_invalid(c, "'pattern' is not a text");
        const qn_status s = qn__schema_add_pattern(out, json_string_value(pattern), "chr");
        if (s != QN_OK)
            return qn__schema_prefix(c, s);
    } else if (format) {
        if (!json_is_string(format))
            return qn__schema_invalid(c, "'format' is not a text");
        if (!find_format(out, json_string_value(format)))
            return qn__schema_prefix(
                c, qn__fail(QN_E_UNSUPPORTED, "format '%.40s': date, time, date-time, uuid or ipv4",
                            json_string_value(format)));
    } else if (most >= 0) {
        qn__str_printf(out, " chr{%lld,%lld}", (long long)least, (long long)most);
    } else {
        qn__str_printf(out, " chr{%lld,}", (long long)least);
    }
    qn__str_add(out, " \"\\\"\"");
    return QN_OK;
}

/* A bound of whole numbers: of "minimum" and "exclusiveMinimum" (by 1), or the same downwards. */
static qn_status read_bound(int64_t *bound, const struct qn__schema_conversion *c, json_t *schema,
                            const char *key, const char *exclusive, int64_t by)
{
    for (int i = 0; i < 2; i++) {
        json_t *value = json_object_get(schema, i ? exclusive : key);
        if (!value)
            continue;
        if (!json_is_integer(value))
            return qn__schema_prefix(
                c,
                qn__fail(QN_E_UNSUPPORTED, "'%s' that is not a whole number", i ? exclusive : key));
        const int64_t given = json_integer_value(value);
        if (given > INTEGER_MAX || given < -INTEGER_MAX)
            return qn__schema_prefix(
                c, qn__fail(QN_E_LIMIT, "'%s' has more than 16 digits", i ? exclusive : key));
        const int64_t at = given + (i ? by : 0);
        if (by > 0 ? at > *bound : at < *bound)
            *bound = at;
    }
    return QN_OK;
}

static qn_status add_integer(struct qn__str *out, const struct qn__schema_conversion *c,
                             json_t *schema)
{
    int64_t low = -INTEGER_MAX, high = INTEGER_MAX;
    if (!qn__schema_has_bounds(schema)) {
        qn__str_add(out, " integer");
        return QN_OK;
    }
    QN_TRY(read_bound(&low, c, schema, "minimum", "exclusiveMinimum", 1));
    QN_TRY(read_bound(&high, c, schema, "maximum", "exclusiveMaximum", -1));
    if (low > high)
        return qn__schema_invalid(c, "no number is between minimum and maximum");
    qn__schema_add_integers(out, low, high);
    return QN_OK;
}

/* -- arrays -- */

/* Items from the fixed ones on: `rest` (a rule's number, or none) between least and most times. */
static void add_more_items(struct qn__str *out, const char *item, int64_t least, int64_t most,
                           bool is_first)
{
    if (most == 0)
        return;
    if (!is_first) {
        qn__str_printf(out, " ( ws \",\" ws %s ){%lld,", item, (long long)least);
        qn__str_printf(out, most < 0 ? "}" : "%lld}", (long long)most);
        return;
    }
    qn__str_printf(out, " ( %s ( ws \",\" ws %s ){%lld,", item, item,
                   (long long)(least ? least - 1 : 0));
    qn__str_printf(out, most < 0 ? "}" : "%lld}", (long long)most - 1);
    qn__str_add(out, least ? " ws )" : " ws )?");
}

static qn_status add_array(struct qn__str *out, struct qn__schema_conversion *c, json_t *schema)
{
    json_t *fixed = json_object_get(schema, "prefixItems");
    json_t *items = json_object_get(schema, "items");
    const char *items_key = "items";
    int64_t least, most;
    char name[24] = "value";
    if (json_is_array(items)) { /* as it was written before 2020 */
        fixed = items;
        items = NULL;
    }
    QN_TRY(read_count(&least, c, schema, "minItems", 0));
    QN_TRY(read_count(&most, c, schema, "maxItems", -1));
    if (fixed && !json_is_array(fixed))
        return qn__schema_invalid(c, "'prefixItems' is not a list");
    const int64_t n = fixed ? (int64_t)json_array_size(fixed) : 0;
    if (most >= 0 && most < least)
        return qn__schema_invalid(c, "'maxItems' is less than 'minItems'");
    if (most >= 0 && most < n)
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "'maxItems' is less than the fixed items"));
    if (json_is_false(items) && least > n)
        return qn__schema_invalid(c, "'minItems' is more than the items there may be");
    qn__str_add(out, " \"[\" ws");
    for (int64_t i = 0; i < n; i++) { /* all of them are written */
        qn__str_add(out, i ? " ws \",\" ws" : "");
        QN_TRY(qn__schema_convert(out, c, "prefixItems", json_array_get(fixed, (size_t)i)));
    }
    if (items && !json_is_false(items)) {
        struct qn__str text = {0};
        uint32_t rule = 0;
        qn_status s = qn__schema_convert(&text, c, items_key, items);
        if (s == QN_OK)
            s = qn__schema_add_rule(&rule, c, &text);
        qn__str_release(&text);
        QN_TRY(s);
        snprintf(name, sizeof name, "r%u", rule);
    }
    if (!json_is_false(items) && (items || !n || least > n))
        add_more_items(out, name, least > n ? least - n : 0, most < 0 ? -1 : most - n, n == 0);
    qn__str_add(out, n ? " ws \"]\"" : " \"]\"");
    return QN_OK;
}

/* -- objects -- */

static qn_status add_member(struct qn__str *out, struct qn__schema_conversion *c, const char *key,
                            json_t *value)
{
    json_t *name = json_string(key);
    if (!name)
        return qn__schema_invalid(c, "a property's name is no text");
    const qn_status s = qn__schema_add_literal(out, c, name);
    json_decref(name);
    QN_TRY(s);
    qn__str_add(out, " ws \":\" ws");
    return qn__schema_convert(out, c, key, value);
}

/* From the last property to the first, two rules for what follows it: where something came before,
 * so that a comma is due, and where nothing did. */
static qn_status add_properties(uint32_t *first, struct qn__schema_conversion *c, json_t *schema,
                                json_t *properties, const char *tail_some, const char *tail_none)
{
    const size_t n = json_object_size(properties);
    const char **keys = calloc(n ? n : 1, sizeof *keys);
    const char *key;
    json_t *value;
    size_t i = 0;
    char some[64], none[64];
    qn_status s = keys ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a schema");
    snprintf(some, sizeof some, "%s", tail_some);
    snprintf(none, sizeof none, "%s", tail_none);
    if (s == QN_OK)
        json_object_foreach(properties, key, value)
        {
            keys[i++] = key;
        }
    while (s == QN_OK && i-- > 0) {
        struct qn__str member = {0}, with_some = {0}, with_none = {0};
        uint32_t m = 0, a = 0, b = 0;
        const bool must = qn__schema_is_required(schema, keys[i]);
        s = add_member(&member, c, keys[i], json_object_get(properties, keys[i]));
        if (s == QN_OK)
            s = qn__schema_add_rule(&m, c, &member);
        qn__str_printf(&with_some, " ws \",\" ws r%u %s", m, some);
        qn__str_printf(&with_none, " r%u %s", m, some);
        if (!must) {
            qn__str_printf(&with_some, " | %s", some);
            qn__str_printf(&with_none, " | %s", none);
        }
        if (s == QN_OK)
            s = qn__schema_add_rule(&a, c, &with_some);
        if (s == QN_OK)
            s = qn__schema_add_rule(&b, c, &with_none);
        qn__str_release(&member);
        qn__str_release(&with_some);
        qn__str_release(&with_none);
        snprintf(some, sizeof some, "r%u", a);
        snprintf(none, sizeof none, "r%u", b);
        *first = b;
    }
    free(keys);
    return s;
}

static qn_status check_required(const struct qn__schema_conversion *c, json_t *schema,
                                json_t *properties)
{
    json_t *list = json_object_get(schema, "required");
    if (list && !json_is_array(list))
        return qn__schema_invalid(c, "'required' is not a list");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (!name)
            return qn__schema_invalid(c, "'required' has something that is no name");
        if (!json_object_get(properties, name))
            return qn__schema_prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                                 "'%.60s' is required and not among the properties",
                                                 name));
    }
    return QN_OK;
}

static qn_status add_object(struct qn__str *out, struct qn__schema_conversion *c, json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties");
    json_t *others = json_object_get(schema, "additionalProperties");
    uint32_t rule = 0;
    if (properties && !json_is_object(properties))
        return qn__schema_invalid(c, "'properties' is not an object");
    QN_TRY(check_required(c, schema, properties));
    if (json_object_size(properties)) { /* others may come, and do not have to */
        QN_TRY(add_properties(&rule, c, schema, properties, "ws \"}\"", "\"}\""));
        qn__str_printf(out, " \"{\" ws r%u", rule);
        return QN_OK;
    }
    if (json_is_false(others)) {
        qn__str_add(out, " \"{\" ws \"}\"");
        return QN_OK;
    }
    if (!json_is_object(others)) {
        qn__str_add(out, " object");
        return QN_OK;
    }
    struct qn__str text = {0};
    qn__str_add(&text, " string ws \":\" ws");
    qn_status s = qn__schema_convert(&text, c, "additionalProperties", others);
    if (s == QN_OK)
        s = qn__schema_add_rule(&rule, c, &text);
    qn__str_release(&text);
    qn__str_printf(out, " \"{\" ws ( r%u ( ws \",\" ws r%u )* ws )? \"}\"", rule, rule);
    return s;
}

/* -- by type -- */

static qn_status add_typed(struct qn__str *out, struct qn__schema_conversion *c, const char *type,
                           json_t *schema)
{
    if (strcmp(type, "object") == 0)
        return add_object(out, c, schema);
    if (strcmp(type, "array") == 0)
        return add_array(out, c, schema);
    if (strcmp(type, "string") == 0)
        return add_string(out, c, schema);
    if (strcmp(type, "integer") == 0)
        return add_integer(out, c, schema);
    if (strcmp(type, "number") == 0 && qn__schema_has_bounds(schema))
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "bounds of a number that is no 'integer'"));
    qn__str_printf(out, " %s", type);
    return QN_OK;
}

/* "type" is a name of JSON's, or a list of such. */
qn_status qn__schema_check_type(const struct qn__schema_conversion *c, json_t *schema)
{
    json_t *type = json_object_get(schema, "type");
    const size_t n = json_is_array(type) ? json_array_size(type) : 1;
    if (!type)
        return QN_OK;
    if (!json_is_string(type) && (!json_is_array(type) || n == 0))
        return qn__schema_invalid(c, "'type' is neither a name nor a list of names");
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_is_array(type) ? json_array_get(type, i) : type);
        if (!name)
            return qn__schema_invalid(c, "'type' has something that is no name");
        if (!qn__schema_type_bits(name))
            return qn__schema_prefix(
                c, qn__fail(QN_E_INVALID, "type '%.40s' is not one of JSON's", name));
    }
    return QN_OK;
}

qn_status qn__schema_add_types(struct qn__str *out, struct qn__schema_conversion *c, json_t *schema)
{
    json_t *type = json_object_get(schema, "type");
    const char *implied = qn__schema_implied_type(schema);
    const bool may_be_null = json_is_true(json_object_get(schema, "nullable"));
    qn__str_add(out, may_be_null ? " ( null |" : "");
    if (json_is_string(type)) {
        QN_TRY(add_typed(out, c, json_string_value(type), schema));
    } else if (type) {
        for (size_t i = 0; i < json_array_size(type); i++) {
            qn__str_add(out, i ? " |" : " (");
            QN_TRY(add_typed(out, c, json_string_value(json_array_get(type, i)), schema));
        }
        qn__str_add(out, " )");
    } else if (implied) {
        QN_TRY(add_typed(out, c, implied, schema));
    } else {
        qn__str_add(out, " value");
    }
    qn__str_add(out, may_be_null ? " )" : "");
    return QN_OK;
}
