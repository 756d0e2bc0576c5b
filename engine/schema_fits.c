/* SPDX-License-Identifier: Apache-2.0
 *
 * Values and schemas beside schemas (schema_fits.h).
 *
 * All answers err to one side: a value may fit and a text may be written unless a keyword plainly
 * says otherwise. "Allowed" is what the schema says; "written" is what its grammar makes of it,
 * which is less: a schema of properties allows a number, too, and is written as an object. */
#include "engine/schema_fits.h"

#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 24 };

uint32_t qn__schema_type_bits(const char *name)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } rows[] = {
        {"null", QN__SCHEMA_NULL},       {"boolean", QN__SCHEMA_BOOLEAN},
        {"integer", QN__SCHEMA_INTEGER}, {"number", QN__SCHEMA_INTEGER | QN__SCHEMA_FRACTION},
        {"string", QN__SCHEMA_STRING},   {"array", QN__SCHEMA_ARRAY},
        {"object", QN__SCHEMA_OBJECT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].bits;
    return 0;
}

bool qn__schema_has_bounds(json_t *schema)
{
    return json_object_get(schema, "minimum") || json_object_get(schema, "maximum") ||
           json_object_get(schema, "exclusiveMinimum") ||
           json_object_get(schema, "exclusiveMaximum");
}

const char *qn__schema_implied_type(json_t *schema)
{
    static const struct {
        const char *keys[5], *type;
    } rows[] = {
        {{"properties", "required", "additionalProperties"}, "object"},
        {{"items", "prefixItems", "minItems", "maxItems"}, "array"},
        {{"pattern", "format", "minLength", "maxLength"}, "string"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < 5 && rows[i].keys[j]; j++)
            if (json_object_get(schema, rows[i].keys[j]))
                return rows[i].type;
    return qn__schema_has_bounds(schema) ? "number" : NULL;
}

bool qn__schema_is_required(json_t *schema, const char *key)
{
    json_t *list = json_object_get(schema, "required");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name && strcmp(name, key) == 0)
            return true;
    }
    return false;
}

json_t *qn__schema_follow(json_t *at, const char *ref)
{
    if (*ref++ != '#')
        return NULL;
    while (at && *ref == '/') {
        struct qn__str name = {0};
        for (ref++; *ref && *ref != '/'; ref++) {
            const bool is_escape = *ref == '~' && (ref[1] == '0' || ref[1] == '1');
            qn__str_add_char(&name, is_escape ? (ref[1] == '1' ? '/' : '~') : *ref);
            ref += is_escape;
        }
        if (json_is_array(at))
            at = json_array_get(at, strtoul(name.len ? name.text : "x", NULL, 10));
        else
            at = json_object_get(at, name.len ? name.text : "");
        qn__str_release(&name);
    }
    return *ref ? NULL : at;
}

/* One comparison more: may it be made? */
static bool step(struct qn__schema_fits *f, int depth)
{
    if (f->steps == 0 || depth > DEPTH_MAX)
        return false;
    f->steps--;
    return true;
}

/* -- a value and keywords -- */

static uint32_t type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL: return QN__SCHEMA_NULL;
    case JSON_TRUE:
    case JSON_FALSE: return QN__SCHEMA_BOOLEAN;
    case JSON_INTEGER: return QN__SCHEMA_INTEGER;
    case JSON_REAL: { /* 1.0 is an integer */
        const double x = json_real_value(value);
        return floor(x) == x ? QN__SCHEMA_INTEGER : QN__SCHEMA_FRACTION;
    }
    case JSON_STRING: return QN__SCHEMA_STRING;
    case JSON_ARRAY: return QN__SCHEMA_ARRAY;
    case JSON_OBJECT: return QN__SCHEMA_OBJECT;
    }
    return QN__SCHEMA_ANY;
}

/* -1, 0, 1 */
static int compare_numbers(const json_t *a, const json_t *b)
{
    if (json_is_integer(a) && json_is_integer(b)) {
        const json_int_t x = json_integer_value(a), y = json_integer_value(b);
        return (x > y) - (x < y);
    }
    const double x = json_number_value(a), y = json_number_value(b);
    return (x > y) - (x < y);
}

/* 1 and 1.0 are one value. */
static bool is_same(struct qn__schema_fits *f, json_t *a, json_t *b, int depth)
{
    if (!step(f, depth))
        return true;
    if (json_is_number(a) && json_is_number(b))
        return compare_numbers(a, b) == 0;
    if (json_is_array(a) && json_is_array(b)) {
        bool same = json_array_size(a) == json_array_size(b);
        for (size_t i = 0; same && i < json_array_size(a); i++)
            same = is_same(f, json_array_get(a, i), json_array_get(b, i), depth + 1);
        return same;
    }
    if (json_is_object(a) && json_is_object(b)) {
        bool same = json_object_size(a) == json_object_size(b);
        const char *key;
        json_t *value;
        json_object_foreach(a, key, value)
        {
            json_t *other = json_object_get(b, key);
            same = same && other && is_same(f, value, other, depth + 1);
        }
        return same;
    }
    return json_equal(a, b) != 0;
}

/* What "type" and "nullable" say; `otherwise` where there is no "type". */
static uint32_t named_types(json_t *schema, uint32_t otherwise)
{
    json_t *type = json_object_get(schema, "type");
    uint32_t bits = type ? 0 : otherwise;
    if (json_is_string(type))
        bits = qn__schema_type_bits(json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++)
        if (json_is_string(json_array_get(type, i)))
            bits |= qn__schema_type_bits(json_string_value(json_array_get(type, i)));
    if (json_is_true(json_object_get(schema, "nullable")))
        bits |= QN__SCHEMA_NULL;
    return bits;
}

static bool is_counted(json_t *schema, const char *least, const char *most, size_t n)
{
    json_t *low = json_object_get(schema, least), *high = json_object_get(schema, most);
    return (!low || (json_is_number(low) && (double)n >= json_number_value(low))) &&
           (!high || (json_is_number(high) && (double)n <= json_number_value(high)));
}

static bool is_in_bounds(json_t *schema, json_t *value)
{
    static const struct {
        const char *key;
        int sign, least; /* of value compared to the bound, by the sign */
    } rows[] = {{"minimum", 1, 0},
                {"exclusiveMinimum", 1, 1},
                {"maximum", -1, 0},
                {"exclusiveMaximum", -1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *bound = json_object_get(schema, rows[i].key);
        if (bound && (!json_is_number(bound) ||
                      compare_numbers(value, bound) * rows[i].sign < rows[i].least))
            return false;
    }
    return true;
}

static size_t count_characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static bool has_only_named(json_t *schema, json_t *value)
{
    json_t *properties = json_object_get(schema, "properties");
    const char *key;
    json_t *member;
    json_object_foreach(value, key, member)
    {
        if (!json_object_get(properties, key))
            return false;
    }
    return true;
}

uint32_t qn__schema_named_types(json_t *schema)
{
    return named_types(schema, QN__SCHEMA_ANY);
}

bool qn__schema_allows(json_t *value, json_t *schema)
{
    if (!(type_of(value) & named_types(schema, QN__SCHEMA_ANY)))
        return false;
    if (json_is_number(value))
        return is_in_bounds(schema, value);
    if (json_is_string(value))
        return is_counted(schema, "minLength", "maxLength",
                          count_characters(json_string_value(value)));
    if (json_is_array(value))
        return is_counted(schema, "minItems", "maxItems", json_array_size(value));
    if (json_is_object(value) && json_is_false(json_object_get(schema, "additionalProperties")))
        return has_only_named(schema, value);
    return true;
}

/* -- a value and a schema -- */

/* What "$ref" leads to; NULL: the end is not found. */
static json_t *resolve(struct qn__schema_fits *f, json_t *schema)
{
    for (int i = 0; schema && json_object_get(schema, "$ref"); i++) {
        const char *name = json_string_value(json_object_get(schema, "$ref"));
        schema = name && step(f, i) ? qn__schema_follow(f->root, name) : NULL;
    }
    return schema;
}

/* The parts of "anyOf" or "oneOf", or NULL. */
static json_t *choices(json_t *schema)
{
    json_t *list = json_object_get(schema, "anyOf");
    return list ? list : json_object_get(schema, "oneOf");
}

static size_t n_values(json_t *schema)
{
    if (json_object_get(schema, "const"))
        return 1;
    return json_array_size(json_object_get(schema, "enum"));
}

static json_t *value_at(json_t *schema, size_t i)
{
    json_t *one = json_object_get(schema, "const");
    return one ? one : json_array_get(json_object_get(schema, "enum"), i);
}

static bool may_fit(struct qn__schema_fits *f, json_t *value, json_t *schema, int depth)
{
    if (!step(f, depth) || !(schema = resolve(f, schema)) || json_is_true(schema))
        return true;
    if (!qn__schema_allows(value, schema))
        return false;
    const size_t n = n_values(schema);
    bool found = n == 0;
    for (size_t i = 0; !found && i < n; i++)
        found = is_same(f, value, value_at(schema, i), depth + 1);
    json_t *any = choices(schema), *all = json_object_get(schema, "allOf");
    bool fits = found && !json_array_size(any);
    for (size_t i = 0; found && !fits && i < json_array_size(any); i++)
        fits = may_fit(f, value, json_array_get(any, i), depth + 1);
    for (size_t i = 0; fits && i < json_array_size(all); i++)
        fits = may_fit(f, value, json_array_get(all, i), depth + 1);
    if (!fits || !json_is_object(value))
        return fits;
    json_t *required = json_object_get(schema, "required"), *property;
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (name && !json_object_get(value, name))
            return false;
    }
    const char *key;
    json_object_foreach(json_object_get(schema, "properties"), key, property)
    {
        json_t *member = json_object_get(value, key);
        if (member && !may_fit(f, member, property, depth + 1))
            return false;
    }
    return true;
}

/* -- two schemas -- */

/* A schema's types, allowed or written, or more than these. */
static uint32_t types_of(struct qn__schema_fits *f, json_t *schema, bool written, int depth)
{
    if (!step(f, depth) || !(schema = resolve(f, schema)) || json_is_true(schema))
        return QN__SCHEMA_ANY;
    if (!json_is_object(schema))
        return 0;
    json_t *any = choices(schema), *all = json_object_get(schema, "allOf");
    const bool is_plain = !any && !all && !n_values(schema);
    const char *implied = written && is_plain ? qn__schema_implied_type(schema) : NULL;
    uint32_t bits = named_types(schema, implied ? qn__schema_type_bits(implied) : QN__SCHEMA_ANY);
    uint32_t some = 0;
    for (size_t i = 0; i < n_values(schema); i++)
        some |= type_of(value_at(schema, i));
    for (size_t i = 0; i < json_array_size(any); i++)
        some |= types_of(f, json_array_get(any, i), written, depth + 1);
    if (some)
        bits &= some;
    for (size_t i = 0; i < json_array_size(all); i++) /* they are written as one */
        bits &= types_of(f, json_array_get(all, i), false, depth + 1);
    return bits;
}

uint32_t qn__schema_written_types(struct qn__schema_fits *f, json_t *schema)
{
    return types_of(f, schema, true, 0);
}

static bool excludes(struct qn__schema_fits *f, json_t *a, json_t *b, int depth);

/* A member that b demands and a never writes, or that a always writes and b forbids, or whose
 * values exclude those of the other. */
static bool objects_exclude(struct qn__schema_fits *f, json_t *a, json_t *b, int depth)
{
    json_t *of_a = json_object_get(a, "properties"), *of_b = json_object_get(b, "properties");
    json_t *others_a = json_object_get(a, "additionalProperties");
    const bool is_closed = json_is_false(json_object_get(b, "additionalProperties"));
    json_t *required = json_object_get(b, "required"), *property;
    const bool writes_named = json_object_size(of_a) || json_is_false(others_a);
    const char *key;
    for (size_t i = 0; writes_named && i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (step(f, depth) && name && !json_object_get(of_a, name))
            return true;
    }
    json_object_foreach(of_a, key, property)
    {
        json_t *other = json_object_get(of_b, key);
        const bool always = step(f, depth) && qn__schema_is_required(a, key);
        if (!other ? always && is_closed
                   : (always || qn__schema_is_required(b, key)) &&
                         excludes(f, property, other, depth + 1))
            return true;
    }
    return false;
}

static bool values_exclude(struct qn__schema_fits *f, json_t *values, json_t *other, int depth)
{
    for (size_t i = 0; i < n_values(values); i++) {
        json_t *value = value_at(values, i);
        if (qn__schema_allows(value, values) && may_fit(f, value, other, depth + 1))
            return false;
    }
    return true;
}

static bool excludes(struct qn__schema_fits *f, json_t *a, json_t *b, int depth)
{
    a = resolve(f, a);
    b = resolve(f, b);
    if (!step(f, depth) || !a || !b)
        return false;
    const uint32_t both = types_of(f, a, true, depth) & types_of(f, b, false, depth);
    if (both == 0)
        return true;
    json_t *any = choices(a), *list;
    if (json_array_size(any)) {
        bool all = true;
        for (size_t i = 0; all && i < json_array_size(any); i++)
            all = excludes(f, json_array_get(any, i), b, depth + 1);
        return all;
    }
    if (n_values(a))
        return values_exclude(f, a, b, depth);
    if (n_values(b)) /* `a` writes nothing that it does not allow */
        return values_exclude(f, b, a, depth);
    if (json_array_size(any = choices(b))) {
        bool all = true;
        for (size_t i = 0; all && i < json_array_size(any); i++)
            all = excludes(f, a, json_array_get(any, i), depth + 1);
        return all;
    }
    list = json_object_get(b, "allOf");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (excludes(f, a, json_array_get(list, i), depth + 1))
            return true;
    return both == QN__SCHEMA_OBJECT && !json_object_get(a, "allOf") &&
           objects_exclude(f, a, b, depth);
}

bool qn__schema_excludes(struct qn__schema_fits *f, json_t *a, json_t *b)
{
    return excludes(f, a, b, 0);
}
