/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON schema to GBNF (json_schema.h).
 *
 * A schema becomes an expression; one that is referred to becomes a rule, so that it may contain
 * itself. What a keyword says that is not kept here is refused: a text that the schema does not
 * allow must not come out. Annotations say nothing about the text and are passed over. */
#include "engine/json_schema.h"

#include "engine/schema_conversion.h"
#include "engine/schema_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4 << 20, COMPARE_MAX = 1 << 22 };

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

/* -- messages with the place -- */

qn_status qn__schema_prefix(const struct qn__schema_conversion *c, qn_status status)
{
    struct qn__str at = {0};
    for (uint32_t i = 0; i < c->depth; i++)
        qn__str_printf(&at, "/%s", c->path[i]);
    const qn_status s =
        qn__fail_prefix(status, "schema, at '%s'", at.len && !at.failed ? at.text : "/");
    qn__str_release(&at);
    return s;
}

qn_status qn__schema_invalid(const struct qn__schema_conversion *c, const char *what)
{
    return qn__schema_prefix(c, qn__fail(QN_E_INVALID, "%s", what));
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

qn_status qn__schema_check_keywords(const struct qn__schema_conversion *c, json_t *schema)
{
    const char *key;
    json_t *value;
    json_object_foreach(schema, key, value)
    {
        if (!qn__is_listed(kept, sizeof kept / sizeof *kept, key))
            return qn__schema_prefix(
                c, qn__fail(QN_E_UNSUPPORTED,
                            "'%s' would not be kept: leave it out, and check the text "
                            "for it",
                            key));
    }
    value = json_object_get(schema, "unevaluatedProperties");
    if (value && !json_is_false(value))
        return qn__schema_prefix(
            c, qn__fail(QN_E_UNSUPPORTED, "'unevaluatedProperties' that is not false"));
    return QN_OK;
}

static qn_status finish(const struct qn__schema_conversion *c, const struct qn__str *text)
{
    if (text->len > TEXT_MAX || c->rules.len > TEXT_MAX)
        return qn__schema_prefix(c, qn__fail(QN_E_LIMIT, "the grammar becomes larger than 4 MiB"));
    QN_TRY(qn__str_check(text));
    return qn__str_check(&c->rules);
}

/* A rule of its own for the text, which is taken: *rule is its number. */
qn_status qn__schema_add_rule(uint32_t *rule, struct qn__schema_conversion *c, struct qn__str *text)
{
    *rule = c->n_rules++;
    qn__str_printf(&c->rules, "r%u ::=%s\n", *rule, text->len ? text->text : " \"\"");
    const qn_status s = finish(c, text);
    qn__str_release(text);
    return s;
}

/* -- literals -- */

qn_status qn__schema_add_literal(struct qn__str *out, const struct qn__schema_conversion *c,
                                 json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!text)
        return qn__schema_prefix(c, qn__fail(QN_E_MEMORY, "no memory for a value"));
    qn__str_add_char(out, ' ');
    qn__schema_add_quoted(out, text, strlen(text));
    free(text);
    return QN_OK;
}

/* Those of the values that the keywords beside them allow. */
static qn_status add_values(struct qn__str *out, const struct qn__schema_conversion *c,
                            json_t *schema)
{
    json_t *one = json_object_get(schema, "const"), *list = json_object_get(schema, "enum");
    const char *key = one ? "const" : "enum";
    const size_t n = one ? 1 : json_array_size(list);
    const char *between = " (";
    if (n == 0)
        return qn__schema_invalid(c, "'enum' is not a list with something in it");
    for (size_t i = 0; i < n; i++) {
        json_t *value = one ? one : json_array_get(list, i);
        if (!qn__schema_allows(value, schema))
            continue;
        qn__str_add(out, between);
        QN_TRY(qn__schema_add_literal(out, c, value));
        between = " |";
    }
    if (between[1] == '(')
        return qn__schema_prefix(
            c, qn__fail(QN_E_INVALID,
                        "no value of '%s' is allowed by the type, bounds or lengths "
                        "beside it",
                        key));
    qn__str_add(out, " )");
    return QN_OK;
}

static qn_status convert_object(struct qn__str *out, struct qn__schema_conversion *c,
                                json_t *schema)
{
    QN_TRY(qn__schema_check_keywords(c, schema));
    QN_TRY(qn__schema_check_type(c, schema));
    QN_TRY(qn__schema_check_beside(c, schema));
    json_t *value;
    if ((value = json_object_get(schema, "$ref")))
        return qn__schema_add_ref(out, c, value);
    if (json_object_get(schema, "const") || json_object_get(schema, "enum"))
        return add_values(out, c, schema);
    if ((value = json_object_get(schema, "anyOf")))
        return qn__schema_add_any_of(out, c, "anyOf", value);
    if ((value = json_object_get(schema, "oneOf")))
        return qn__schema_add_one_of(out, c, value);
    if (json_object_get(schema, "allOf"))
        return qn__schema_add_all_of(out, c, schema);
    return qn__schema_add_types(out, c, schema);
}

qn_status qn__schema_convert(struct qn__str *out, struct qn__schema_conversion *c, const char *step,
                             json_t *schema)
{
    if (c->depth == QN__SCHEMA_DEPTH_MAX)
        return qn__schema_prefix(c, qn__fail(QN_E_LIMIT, "schemas more than %d within one another",
                                             QN__SCHEMA_DEPTH_MAX));
    c->path[c->depth] = step;
    c->depth += step[0] != 0;
    qn_status s = QN_OK;
    if (json_is_true(schema))
        qn__str_add(out, " value");
    else if (json_is_object(schema))
        s = convert_object(out, c, schema);
    else
        s = qn__schema_invalid(c, json_is_false(schema) ? "'false' allows no text"
                                                        : "a schema is an object, true or false");
    if (s == QN_OK)
        s = finish(c, out);
    c->depth -= step[0] != 0;
    return s;
}

static qn_status convert_all(struct qn__schema_conversion *c)
{
    struct qn__str text = {0};
    qn_status s = qn__schema_convert(&text, c, "", c->root);
    qn__str_printf(&c->rules, "root ::= ws%s ws\n", text.len ? text.text : " value");
    for (uint32_t i = 0; s == QN_OK && i < c->n_refs; i++) { /* they may add more of them */
        qn__str_clear(&text);
        s = qn__schema_convert(&text, c, "", c->refs[i].schema);
        qn__str_printf(&c->rules, "ref%u ::=%s\n", i, text.len ? text.text : " value");
    }
    qn__str_release(&text);
    return s;
}

qn_status qn__json_schema_grammar(struct qn__str *out, const char *schema, size_t n_bytes)
{
    json_error_t e;
    struct qn__schema_conversion *c = calloc(1, sizeof *c);
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
