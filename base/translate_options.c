/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about the table of translate_options.def. */
#include "base/translate_options.h"

#include <stddef.h>
#include <string.h>

static const char *const words[] = {
#define QN_LINES(NAME, word) #word,
#include "base/translate_options.def"
#undef QN_LINES
};

const char qn__lines_words[] =
#define QN_LINES(NAME, word) "|" #word
#include "base/translate_options.def"
#undef QN_LINES
    ;

bool qn__lines_parse(enum qn__lines *out, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) {
            *out = (enum qn__lines)i;
            return true;
        }
    return false;
}

const char *qn__lines_word(enum qn__lines lines)
{
    return words[lines];
}
