/* SPDX-License-Identifier: Apache-2.0
 *
 * What a JSON schema says of a value, and of another schema: for "enum" and "const" beside other
 * keywords, and for the parts of "oneOf", of which only one may hold. */
#ifndef QN_ENGINE_SCHEMA_FITS_H
#define QN_ENGINE_SCHEMA_FITS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Types of JSON, as bits; "number" is two of them. */
enum {
    QN__SCHEMA_NULL = 1,
    QN__SCHEMA_BOOLEAN = 2,
    QN__SCHEMA_INTEGER = 4,
    QN__SCHEMA_FRACTION = 8,
    QN__SCHEMA_STRING = 16,
    QN__SCHEMA_ARRAY = 32,
    QN__SCHEMA_OBJECT = 64,
    QN__SCHEMA_ANY = 127
};

/* Comparisons have an end: schemas that refer to one another can make them many. */
struct qn__schema_fits {
    json_t *root;
    uint32_t steps; /* left; when none is, nothing is excluded any more */
};

/* Of a type's name; 0: none of JSON's. */
uint32_t qn__schema_type_bits(const char *name);

bool qn__schema_has_bounds(json_t *schema);

/* What a schema without "type" is about, by its other keywords; NULL: anything. */
const char *qn__schema_implied_type(json_t *schema);

bool qn__schema_is_required(json_t *schema, const char *key);

/* "#/a/b~1c": the schema there, or NULL. */
json_t *qn__schema_follow(json_t *root, const char *ref);

/* Is the value, one of "enum" or "const", allowed by the type, bounds and lengths beside them? */
bool qn__schema_allows(json_t *value, json_t *schema);

/* The types that "type" and "nullable" name; all, where there is no "type". */
uint32_t qn__schema_named_types(json_t *schema);

/* The types that texts written for a schema have, or more. */
uint32_t qn__schema_written_types(struct qn__schema_fits *f, json_t *schema);

/* Is it plain that no text written for `a` is allowed by `b`? False where it is not plain. */
bool qn__schema_excludes(struct qn__schema_fits *f, json_t *a, json_t *b);

#endif
