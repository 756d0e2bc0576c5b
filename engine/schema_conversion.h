/* SPDX-License-Identifier: Apache-2.0
 *
 * A schema on its way to a grammar: what the files that write it have in common. json_schema.c
 * begins and looks at each schema, schema_types.c writes those of a type, schema_combine.c those
 * made of others. Each adds an expression to `out`, or fails with the reason and the place. */
#ifndef QN_ENGINE_SCHEMA_CONVERSION_H
#define QN_ENGINE_SCHEMA_CONVERSION_H

#include "base/str.h"
#include "engine/schema_fits.h"

enum { QN__SCHEMA_DEPTH_MAX = 64, QN__SCHEMA_REFS_MAX = 1024 };

struct qn__schema_ref {
    const char *name; /* in the schema: "#/$defs/a" */
    json_t *schema;
};

struct qn__schema_conversion {
    json_t *root;
    struct qn__schema_fits fits;
    struct qn__str rules; /* whole lines */
    struct qn__schema_ref refs[QN__SCHEMA_REFS_MAX];
    uint32_t n_refs, n_rules;
    const char *path[QN__SCHEMA_DEPTH_MAX + 1]; /* to what is converted now */
    uint32_t depth;
};

/* -- json_schema.c -- */

/* The status, with the place in front of its message. */
qn_status qn__schema_prefix(const struct qn__schema_conversion *c, qn_status status);
/* QN_E_INVALID, with the place. */
qn_status qn__schema_invalid(const struct qn__schema_conversion *c, const char *what);
/* Are all keywords such as are kept, or say nothing about a text? */
qn_status qn__schema_check_keywords(const struct qn__schema_conversion *c, json_t *schema);
qn_status qn__schema_add_literal(struct qn__str *out, const struct qn__schema_conversion *c,
                                 json_t *value);
/* A rule of its own for the text, which is taken: *rule is its number. */
qn_status qn__schema_add_rule(uint32_t *rule, struct qn__schema_conversion *c,
                              struct qn__str *text);
/* A schema within the one that is converted now; `step` is how it is reached. */
qn_status qn__schema_convert(struct qn__str *out, struct qn__schema_conversion *c, const char *step,
                             json_t *schema);

/* -- schema_types.c -- */

/* "type" is a name of JSON's, or a list of such. */
qn_status qn__schema_check_type(const struct qn__schema_conversion *c, json_t *schema);
/* Values of the types that are named, or implied by other keywords. */
qn_status qn__schema_add_types(struct qn__str *out, struct qn__schema_conversion *c,
                               json_t *schema);

/* -- schema_combine.c -- */

/* Keywords that say in one place what the whole text is, "$ref", "enum" and the like: of these
 * there is one, and beside it none that would have to hold as well and is not looked at. */
qn_status qn__schema_check_beside(struct qn__schema_conversion *c, json_t *schema);
qn_status qn__schema_add_ref(struct qn__str *out, struct qn__schema_conversion *c, json_t *ref);
qn_status qn__schema_add_any_of(struct qn__str *out, struct qn__schema_conversion *c,
                                const char *key, json_t *list);
qn_status qn__schema_add_one_of(struct qn__str *out, struct qn__schema_conversion *c, json_t *list);
qn_status qn__schema_add_all_of(struct qn__str *out, struct qn__schema_conversion *c,
                                json_t *schema);

#endif
