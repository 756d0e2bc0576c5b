/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON schema as a grammar. */
#ifndef QN_ENGINE_JSON_SCHEMA_H
#define QN_ENGINE_JSON_SCHEMA_H

#include "base/str.h"

/* GBNF of JSON texts that the schema allows. Not all of them: an object's members come in the
 * schema's order, blanks are few, numbers have at most 16 digits before the point and behind it.
 * QN_E_INVALID      no JSON, or no schema: what and where
 * QN_E_UNSUPPORTED  a keyword that would not be kept, with its place ("/properties/a")
 * QN_E_LIMIT        nested too deep, too large */
qn_status qn__json_schema_grammar(struct qn__str *out, const char *schema, size_t n_bytes);

#endif
