/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that only the translator has: the program takes them, the cache's key holds them, the
 * translator obeys them, and all three have the words from here. */
#ifndef QN_BASE_TRANSLATE_OPTIONS_H
#define QN_BASE_TRANSLATE_OPTIONS_H

#include <stdbool.h>

/* How a text says which source lines it comes from; 0 is the default. */
enum qn__lines {
#define QN_LINES(NAME, word) QN__LINES_##NAME,
#include "base/translate_options.def"
#undef QN_LINES
};

/* False: no such word. */
bool qn__lines_parse(enum qn__lines *out, const char *word);
const char *qn__lines_word(enum qn__lines lines);

/* "|comments|directives|none"; without the first, what QN__CHOICE takes */
extern const char qn__lines_words[];

#endif
