/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON schema to GBNF (json_schema.h).
 *
 * A schema becomes an expression; one that is referred to becomes a rule, so that it may contain
 * itself. What a keyword says that is not kept here is refused: a text that the schema does not
 * allow must not come out. Annotations say nothing about the text and are passed over. */
#include "engine/json_schema.h"

#include "engine/schema_fits.h"
#include "engine/schema_text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, TEXT_MAX = 4 << 20, REFS_MAX = 1024, COMPARE_MAX = 1 << 22 };

/* 16 digits are what a double keeps. */
static const int64_t INTEGER_MAX = INT64_C(9999999999999999);

static const char base[] =
    "ws ::= ( \" \" | \"\\n\" [ \\t]{0,20} )?\n"
    "chr ::= [^\"\\\\\\x00-\\x1F] | \"\\\\\" ( [\"\\\\bfnrt] | \"/\" | \"u\" [0-9a-fA-F]{4} )\n"
    "string ::= \"\\\"\" chr* \"\\\"\"\n"
    "integer ::= \"-\"? ( \"0\" | [1-9] [0-9]{0,15} )\n"
    "number ::= integer ( \".\" [0-9]{1,16} )? ( [eE] [\\-+]? [0-9]{1,3} )?\n"
    "boolean ::= \"true\" | \"false\"\n"
    "null ::= \"null\"\n"
    "value ::= string | number | boolean | null | array | object\n"
    "array ::= \"[\" ws ( value ( ws \",\" ws value )* ws )? \"]\"\n"
    "member ::= string ws \":\" ws value\n"
    "object ::= \"{\" ws ( member ( ws \",\" ws member )* ws )? \"}\"\n";

struct ref {
    const char *name; /* in the schema: "#/$defs/a" */
    json_t *schema;
};

struct convert {
    json_t *root;
    struct qn__schema_fits fits;
    struct qn__str rules; /* whole lines */
    struct ref refs[REFS_MAX];
    uint32_t n_refs, n_rules;
    const char *path[DEPTH_MAX + 1]; /* to what is converted now */
    uint32_t depth;
};

/* -- messages with the place -- */

static qn_status prefix(const struct convert *c, qn_status status)
{
    struct qn__str at = {0};
    for (uint32_t i = 0; i < c->depth; i++)
        qn__str_printf(&at, "/%s", c->path[i]);
    const qn_status s =
        qn__fail_prefix(status, "schema, at '%s'", at.len && !at.failed ? at.text : "/");
    qn__str_release(&at);
    return s;
}

static qn_status invalid(const struct convert *c, const char *what)
{
    return prefix(c, qn__fail(QN_E_INVALID, "%s", what));
}

/* Keywords that are kept, or that say nothing about a text. */
static const char *const kept[] = {"type",       "properties",
                                   "required",   "additionalProperties",
                                   "items",      "prefixItems",
                                   "minItems",   "maxItems",
                                   "enum",       "const",
                                   "anyOf",      "oneOf",
                                   "allOf",      "$ref",
                                   "$defs",      "definitions",
                                   "minLength",  "maxLength",
                                   "pattern",    "format",
                                   "minimum",    "maximum",
                                   "nullable",   "exclusiveMinimum",
                                   "title",      "exclusiveMaximum",
                                   "default",    "description",
                                   "examples",   "$schema",
                                   "$id",        "$comment",
                                   "deprecated", "readOnly",
                                   "writeOnly",  "contentMediaType",
                                   "example",    "contentEncoding",
                                   "$anchor",    "markdownDescription",
                                   "id",         "unevaluatedProperties"};

static qn_status check_keywords(const struct convert *c, json_t *schema)
{
    const char *key;
    json_t *value;
    json_object_foreach(schema, key, value)
    {
        if (!qn__is_listed(kept, sizeof kept / sizeof *kept, key))
            return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                      "'%s' would not be kept: leave it out, and check the text "
                                      "for it",
                                      key));
    }
    value = json_object_get(schema, "unevaluatedProperties");
    if (value && !json_is_false(value))
        return prefix(c, qn__fail(QN_E_UNSUPPORTED, "'unevaluatedProperties' that is not false"));
    return QN_OK;
}

static qn_status convert(struct qn__str *out, struct convert *c, const char *step, json_t *schema);

static qn_status finish(const struct convert *c, const struct qn__str *text)
{
    if (text->len > TEXT_MAX || c->rules.len > TEXT_MAX)
        return prefix(c, qn__fail(QN_E_LIMIT, "the grammar becomes larger than 4 MiB"));
    QN_TRY(qn__str_check(text));
    return qn__str_check(&c->rules);
}

/* A rule of its own for the text, which is taken: *rule is its number. */
static qn_status add_rule(uint32_t *rule, struct convert *c, struct qn__str *text)
{
    *rule = c->n_rules++;
    qn__str_printf(&c->rules, "r%u ::=%s\n", *rule, text->len ? text->text : " \"\"");
    const qn_status s = finish(c, text);
    qn__str_release(text);
    return s;
}

/* -- literals -- */

static qn_status add_literal(struct qn__str *out, const struct convert *c, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!text)
        return prefix(c, qn__fail(QN_E_MEMORY, "no memory for a value"));
    qn__str_add_char(out, ' ');
    qn__schema_add_quoted(out, text, strlen(text));
    free(text);
    return QN_OK;
}

/* Those of the values that the keywords beside them allow. */
static qn_status add_values(struct qn__str *out, const struct convert *c, json_t *schema)
{
    json_t *one = json_object_get(schema, "const"), *list = json_object_get(schema, "enum");
    const char *key = one ? "const" : "enum";
    const size_t n = one ? 1 : json_array_size(list);
    const char *between = " (";
    if (n == 0)
        return invalid(c, "'enum' is not a list with something in it");
    for (size_t i = 0; i < n; i++) {
        json_t *value = one ? one : json_array_get(list, i);
        if (!qn__schema_allows(value, schema))
            continue;
        qn__str_add(out, between);
        QN_TRY(add_literal(out, c, value));
        between = " |";
    }
    if (between[1] == '(')
        return prefix(c, qn__fail(QN_E_INVALID,
                                  "no value of '%s' is allowed by the type, bounds or lengths "
                                  "beside it",
                                  key));
    qn__str_add(out, " )");
    return QN_OK;
}

/* -- strings and numbers -- */

/* A count that a keyword says. */
static qn_status read_count(int64_t *out, const struct convert *c, json_t *schema, const char *key,
                            int64_t fallback)
{
    json_t *value = json_object_get(schema, key);
    enum { COUNT_MAX = 100000 };
    *out = fallback;
    if (!value)
        return QN_OK;
    if (!json_is_number(value) || json_number_value(value) < 0)
        return prefix(c, qn__fail(QN_E_INVALID, "'%s' is not a number of at least 0", key));
    if (json_number_value(value) > COUNT_MAX)
        return prefix(c, qn__fail(QN_E_LIMIT, "'%s' is more than %d", key, COUNT_MAX));
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

static qn_status add_string(struct qn__str *out, const struct convert *c, json_t *schema)
{
    json_t *pattern = json_object_get(schema, "pattern");
    json_t *format = json_object_get(schema, "format");
    const bool counts =
        json_object_get(schema, "minLength") || json_object_get(schema, "maxLength");
    int64_t least, most;
    QN_TRY(read_count(&least, c, schema, "minLength", 0));
    QN_TRY(read_count(&most, c, schema, "maxLength", -1));
    if (most >= 0 && most < least)
        return invalid(c, "'maxLength' is less than 'minLength'");
    if ((pattern != NULL) + (format != NULL) + counts > 1)
        return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                  "only one of 'pattern', 'format' and a length is supported"));
    qn__str_add(out, " \"\\\"\"");
    if (pattern) {
        if (!json_is_string(pattern))
            return invalid(c, "'pattern' is not a text");
        const qn_status s = qn__schema_add_pattern(out, json_string_value(pattern), "chr");
        if (s != QN_OK)
            return prefix(c, s);
    } else if (format) {
        if (!json_is_string(format))
            return invalid(c, "'format' is not a text");
        if (!find_format(out, json_string_value(format)))
            return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                      "format '%.40s': date, time, date-time, uuid or ipv4",
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
static qn_status read_bound(int64_t *bound, const struct convert *c, json_t *schema,
                            const char *key, const char *exclusive, int64_t by)
{
    for (int i = 0; i < 2; i++) {
        json_t *value = json_object_get(schema, i ? exclusive : key);
        if (!value)
            continue;
        if (!json_is_integer(value))
            return prefix(c, qn__fail(QN_E_UNSUPPORTED, "'%s' that is not a whole number",
                                      i ? exclusive : key));
        const int64_t given = json_integer_value(value);
        if (given > INTEGER_MAX || given < -INTEGER_MAX)
            return prefix(
                c, qn__fail(QN_E_LIMIT, "'%s' has more than 16 digits", i ? exclusive : key));
        const int64_t at = given + (i ? by : 0);
        if (by > 0 ? at > *bound : at < *bound)
            *bound = at;
    }
    return QN_OK;
}

static qn_status add_integer(struct qn__str *out, const struct convert *c, json_t *schema)
{
    int64_t low = -INTEGER_MAX, high = INTEGER_MAX;
    if (!qn__schema_has_bounds(schema)) {
        qn__str_add(out, " integer");
        return QN_OK;
    }
    QN_TRY(read_bound(&low, c, schema, "minimum", "exclusiveMinimum", 1));
    QN_TRY(read_bound(&high, c, schema, "maximum", "exclusiveMaximum", -1));
    if (low > high)
        return invalid(c, "no number is between minimum and maximum");
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

static qn_status add_array(struct qn__str *out, struct convert *c, json_t *schema)
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
        return invalid(c, "'prefixItems' is not a list");
    const int64_t n = fixed ? (int64_t)json_array_size(fixed) : 0;
    if (most >= 0 && most < least)
        return invalid(c, "'maxItems' is less than 'minItems'");
    if (most >= 0 && most < n)
        return prefix(c, qn__fail(QN_E_UNSUPPORTED, "'maxItems' is less than the fixed items"));
    if (json_is_false(items) && least > n)
        return invalid(c, "'minItems' is more than the items there may be");
    qn__str_add(out, " \"[\" ws");
    for (int64_t i = 0; i < n; i++) { /* all of them are written */
        qn__str_add(out, i ? " ws \",\" ws" : "");
        QN_TRY(convert(out, c, "prefixItems", json_array_get(fixed, (size_t)i)));
    }
    if (items && !json_is_false(items)) {
        struct qn__str text = {0};
        uint32_t rule = 0;
        qn_status s = convert(&text, c, items_key, items);
        if (s == QN_OK)
            s = add_rule(&rule, c, &text);
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

static bool is_required(json_t *schema, const char *key)
{
    json_t *list = json_object_get(schema, "required");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_is_string(json_array_get(list, i)) &&
            strcmp(json_string_value(json_array_get(list, i)), key) == 0)
            return true;
    return false;
}

static qn_status add_member(struct qn__str *out, struct convert *c, const char *key, json_t *value)
{
    json_t *name = json_string(key);
    if (!name)
        return invalid(c, "a property's name is no text");
    const qn_status s = add_literal(out, c, name);
    json_decref(name);
    QN_TRY(s);
    qn__str_add(out, " ws \":\" ws");
    return convert(out, c, key, value);
}

/* From the last property to the first, two rules for what follows it: where something came before,
 * so that a comma is due, and where nothing did. */
static qn_status add_properties(uint32_t *first, struct convert *c, json_t *schema,
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
        const bool must = is_required(schema, keys[i]);
        s = add_member(&member, c, keys[i], json_object_get(properties, keys[i]));
        if (s == QN_OK)
            s = add_rule(&m, c, &member);
        qn__str_printf(&with_some, " ws \",\" ws r%u %s", m, some);
        qn__str_printf(&with_none, " r%u %s", m, some);
        if (!must) {
            qn__str_printf(&with_some, " | %s", some);
            qn__str_printf(&with_none, " | %s", none);
        }
        if (s == QN_OK)
            s = add_rule(&a, c, &with_some);
        if (s == QN_OK)
            s = add_rule(&b, c, &with_none);
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

static qn_status check_required(const struct convert *c, json_t *schema, json_t *properties)
{
    json_t *list = json_object_get(schema, "required");
    if (list && !json_is_array(list))
        return invalid(c, "'required' is not a list");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (!name)
            return invalid(c, "'required' has something that is no name");
        if (!json_object_get(properties, name))
            return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                      "'%.60s' is required and not among the properties", name));
    }
    return QN_OK;
}

static qn_status add_object(struct qn__str *out, struct convert *c, json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties");
    json_t *others = json_object_get(schema, "additionalProperties");
    uint32_t rule = 0;
    if (properties && !json_is_object(properties))
        return invalid(c, "'properties' is not an object");
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
    qn_status s = convert(&text, c, "additionalProperties", others);
    if (s == QN_OK)
        s = add_rule(&rule, c, &text);
    qn__str_release(&text);
    qn__str_printf(out, " \"{\" ws ( r%u ( ws \",\" ws r%u )* ws )? \"}\"", rule, rule);
    return s;
}

/* -- schemas of schemas -- */

static qn_status add_any_of(struct qn__str *out, struct convert *c, const char *key, json_t *list)
{
    if (!json_is_array(list) || !json_array_size(list))
        return prefix(c, qn__fail(QN_E_INVALID, "'%s' is not a list with something in it", key));
    for (size_t i = 0; i < json_array_size(list); i++) {
        qn__str_add(out, i ? " |" : " (");
        QN_TRY(convert(out, c, key, json_array_get(list, i)));
    }
    qn__str_add(out, " )");
    return QN_OK;
}

/* Of texts that a part writes, no other part may allow one: only one part of "oneOf" holds. */
static qn_status check_one_of(struct convert *c, json_t *list)
{
    const size_t n = json_array_size(list);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i != j &&
                !qn__schema_excludes(&c->fits, json_array_get(list, i), json_array_get(list, j)))
                return prefix(
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

static qn_status add_ref(struct qn__str *out, struct convert *c, json_t *ref)
{
    const char *name = json_string_value(ref);
    json_t *schema = name ? qn__schema_follow(c->root, name) : NULL;
    if (!schema)
        return prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "$ref '%.60s' is not in this schema", name ? name : "?"));
    uint32_t i = 0;
    while (i < c->n_refs && strcmp(c->refs[i].name, name) != 0)
        i++;
    if (i == REFS_MAX)
        return prefix(c, qn__fail(QN_E_LIMIT, "more than %d schemas are referred to", REFS_MAX));
    if (i == c->n_refs)
        c->refs[c->n_refs++] = (struct ref){name, schema}; /* converted when all else is */
    qn__str_printf(out, " ref%u", i);
    return QN_OK;
}

/* Keywords that say in one place what the whole text is: of these there is one, and beside it none
 * that would have to hold as well and is not looked at. */
static qn_status check_alone(struct convert *c, json_t *schema)
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
        return prefix(c, qn__fail(QN_E_UNSUPPORTED, "'%s' and '%s' side by side", first, second));
    return QN_OK;
}

/* "type" beside "anyOf" and the like does not forbid what these write. */
static qn_status check_type_beside(struct convert *c, json_t *schema, const char *key)
{
    const uint32_t named = qn__schema_named_types(schema);
    json_t *at = json_object_get(schema, key);
    json_t *rest = json_pack("{s:O}", key, at);
    if (!rest)
        return prefix(c, qn__fail(QN_E_MEMORY, "no memory for a schema"));
    const uint32_t written = qn__schema_written_types(&c->fits, rest);
    json_decref(rest);
    if (written & ~named)
        return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                  "'type' beside '%s', which allows other types, too: write the "
                                  "type into its schemas",
                                  key));
    return QN_OK;
}

/* Of one part of several: a property that two parts describe would have to fit both. */
static qn_status add_properties_of(json_t *all, const struct convert *c, json_t *properties)
{
    const char *key;
    json_t *value;
    json_object_foreach(properties, key, value)
    {
        json_t *before = json_object_get(all, key);
        if (before && !json_equal(before, value))
            return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                                      "parts of 'allOf' that say different things about the "
                                      "property '%.60s'",
                                      key));
        json_object_set(all, key, value);
    }
    return QN_OK;
}

/* A part that allows no others than its own properties forbids those of the other parts. */
static qn_status check_closed(const struct convert *c, json_t *part, json_t *properties)
{
    json_t *others = json_object_get(part, "additionalProperties");
    if (!others || json_is_true(others) ||
        json_object_size(json_object_get(part, "properties")) == json_object_size(properties))
        return QN_OK;
    return prefix(c, qn__fail(QN_E_UNSUPPORTED,
                              "'additionalProperties' in a part of 'allOf' forbids the properties "
                              "of the other parts: use 'unevaluatedProperties' beside 'allOf'"));
}

/* Part i of those that must all hold, where its "$ref" leads to; 0: the schema itself. */
static qn_status find_part(json_t **out, struct convert *c, json_t *schema, size_t i)
{
    *out = i ? json_array_get(json_object_get(schema, "allOf"), i - 1) : schema;
    for (int steps = 0; json_object_get(*out, "$ref") && steps < DEPTH_MAX; steps++) {
        const char *name = json_string_value(json_object_get(*out, "$ref"));
        QN_TRY(check_alone(c, *out));
        QN_TRY(check_type_beside(c, *out, "$ref"));
        *out = name ? qn__schema_follow(c->root, name) : NULL;
    }
    return json_is_object(*out) ? check_keywords(c, *out)
                                : invalid(c, "a part of 'allOf' is not a schema");
}

static qn_status add_part(json_t *all, const struct convert *c, json_t *part, bool is_whole)
{
    static const char *const other[] = {"$defs", "definitions", "$ref"};
    static const char *const first[] = {"title", "description"};
    const char *key;
    json_t *value;
    json_object_foreach(part, key, value)
    {
        json_t *before = json_object_get(all, key);
        if ((is_whole && strcmp(key, "allOf") == 0) ||
            qn__is_listed(other, sizeof other / sizeof *other, key))
            continue;
        if (strcmp(key, "properties") == 0 && json_is_object(before))
            QN_TRY(add_properties_of(before, c, value));
        else if (strcmp(key, "properties") == 0 && json_is_object(value))
            json_object_set_new(all, key, json_copy(value));
        else if (strcmp(key, "required") == 0 && json_is_array(before))
            json_array_extend(before, value);
        else if (strcmp(key, "required") == 0 && json_is_array(value))
            json_object_set_new(all, key, json_copy(value));
        else if (before && !json_equal(before, value) &&
                 !qn__is_listed(first, sizeof first / sizeof *first, key))
            return prefix(c,
                          qn__fail(QN_E_UNSUPPORTED,
                                   "parts of 'allOf' that say different things about '%s'", key));
        else
            json_object_set(all, key, value);
    }
    return QN_OK;
}

/* Parts that must all hold, as one schema: objects' properties come together. */
static qn_status add_all_of(struct qn__str *out, struct convert *c, json_t *schema)
{
    const size_t n = json_array_size(json_object_get(schema, "allOf"));
    json_t *all = json_object(), *part;
    qn_status s = all ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a schema");
    if (s == QN_OK && n == 0)
        s = invalid(c, "'allOf' is not a list with something in it");
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
        s = convert(out, c, "allOf", all);
    json_decref(all);
    return s;
}

static qn_status add_typed(struct qn__str *out, struct convert *c, const char *type, json_t *schema)
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
        return prefix(c, qn__fail(QN_E_UNSUPPORTED, "bounds of a number that is no 'integer'"));
    qn__str_printf(out, " %s", type);
    return QN_OK;
}

/* "type" is a name of JSON's, or a list of such. */
static qn_status check_type(const struct convert *c, json_t *schema)
{
    json_t *type = json_object_get(schema, "type");
    const size_t n = json_is_array(type) ? json_array_size(type) : 1;
    if (!type)
        return QN_OK;
    if (!json_is_string(type) && (!json_is_array(type) || n == 0))
        return invalid(c, "'type' is neither a name nor a list of names");
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_is_array(type) ? json_array_get(type, i) : type);
        if (!name)
            return invalid(c, "'type' has something that is no name");
        if (!qn__schema_type_bits(name))
            return prefix(c, qn__fail(QN_E_INVALID, "type '%.40s' is not one of JSON's", name));
    }
    return QN_OK;
}

static qn_status add_types(struct qn__str *out, struct convert *c, json_t *schema)
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

static qn_status convert_object(struct qn__str *out, struct convert *c, json_t *schema)
{
    QN_TRY(check_keywords(c, schema));
    QN_TRY(check_type(c, schema));
    QN_TRY(check_alone(c, schema));
    static const char *const several[] = {"$ref", "anyOf", "oneOf"};
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (json_object_get(schema, several[i]))
            QN_TRY(check_type_beside(c, schema, several[i]));
    json_t *value;
    if ((value = json_object_get(schema, "$ref")))
        return add_ref(out, c, value);
    if (json_object_get(schema, "const") || json_object_get(schema, "enum"))
        return add_values(out, c, schema);
    if ((value = json_object_get(schema, "anyOf")))
        return add_any_of(out, c, "anyOf", value);
    if ((value = json_object_get(schema, "oneOf"))) {
        QN_TRY(add_any_of(out, c, "oneOf", value));
        return check_one_of(c, value);
    }
    if (json_object_get(schema, "allOf"))
        return add_all_of(out, c, schema);
    return add_types(out, c, schema);
}

static qn_status convert(struct qn__str *out, struct convert *c, const char *step, json_t *schema)
{
    if (c->depth == DEPTH_MAX)
        return prefix(c,
                      qn__fail(QN_E_LIMIT, "schemas more than %d within one another", DEPTH_MAX));
    c->path[c->depth] = step;
    c->depth += step[0] != 0;
    qn_status s = QN_OK;
    if (json_is_true(schema))
        qn__str_add(out, " value");
    else if (json_is_object(schema))
        s = convert_object(out, c, schema);
    else
        s = invalid(c, json_is_false(schema) ? "'false' allows no text"
                                             : "a schema is an object, true or false");
    if (s == QN_OK)
        s = finish(c, out);
    c->depth -= step[0] != 0;
    return s;
}

static qn_status convert_all(struct convert *c)
{
    struct qn__str text = {0};
    qn_status s = convert(&text, c, "", c->root);
    qn__str_printf(&c->rules, "root ::= ws%s ws\n", text.len ? text.text : " value");
    for (uint32_t i = 0; s == QN_OK && i < c->n_refs; i++) { /* they may add more of them */
        qn__str_clear(&text);
        s = convert(&text, c, "", c->refs[i].schema);
        qn__str_printf(&c->rules, "ref%u ::=%s\n", i, text.len ? text.text : " value");
    }
    qn__str_release(&text);
    return s;
}

qn_status qn__json_schema_grammar(struct qn__str *out, const char *schema, size_t n_bytes)
{
    json_error_t e;
    struct convert *c = calloc(1, sizeof *c);
    if (!c)
        return qn__fail(QN_E_MEMORY, "no memory for a schema");
    c->root = json_loadb(schema, n_bytes, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &e);
    c->fits = (struct qn__schema_fits){c->root, COMPARE_MAX};
    qn_status s = c->root ? convert_all(c)
                          : qn__fail(QN_E_INVALID, "schema: no JSON: line %d, column %d: %s",
                                     e.line, e.column, e.text);
    qn__str_add_bytes(out, c->rules.len ? c->rules.text : "", c->rules.len);
    qn__str_add(out, base);
    if (s == QN_OK)
        s = qn__str_check(out);
    qn__str_release(&c->rules);
    json_decref(c->root);
    free(c);
    return s;
}
