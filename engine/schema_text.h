/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of a schema's grammar that are texts and numbers: literals, ranges of whole numbers,
 * regular expressions. */
#ifndef QN_ENGINE_SCHEMA_TEXT_H
#define QN_ENGINE_SCHEMA_TEXT_H

#include "base/str.h"

/* Text in GBNF's quotes. */
void qn__schema_add_quoted(struct qn__str *out, const char *text, size_t n);

/* Whole numbers from low to high, written without leading zeros. */
void qn__schema_add_integers(struct qn__str *out, int64_t low, int64_t high);

/* What stands in a JSON string that matches the whole regular expression "^...$"; `chr` is the
 * rule of any character in a string.
 * QN_E_UNSUPPORTED, QN_E_INVALID  the reason, to be prefixed with the place */
qn_status qn__schema_add_pattern(struct qn__str *out, const char *pattern, const char *chr);

#endif
