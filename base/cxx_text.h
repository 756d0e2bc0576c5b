/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of C and C++ files, read without a grammar. */
#ifndef QN_BASE_CXX_TEXT_H
#define QN_BASE_CXX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Make comments and the preprocessor's lines blank and fill strings with dots, in place. Positions
 * stay, and so does every end of line. */
void qn__cxx_text_blank(char *code, size_t n);

/* A letter, digit or underscore. */
bool qn__cxx_text_is_word(char c);

#endif
