/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a text into the pieces that byte-level BPE works on: words with their space, numbers,
 * runs of punctuation. No merge crosses a cut.
 *
 * A pre-tokeniser is one or more regular expressions (PCRE2). The first cuts the text into what it
 * matches and what lies between; each further one cuts the pieces again, and sees nothing outside
 * of its piece. */
#ifndef QN_ENGINE_PRETOKENIZE_H
#define QN_ENGINE_PRETOKENIZE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qn__pretokenizer;

/* By tokenizer.ggml.pre: the names of pretokenizer_rules.c.
 * QN_E_UNSUPPORTED  the name is not known; the message lists ours */
qn_status qn__pretokenizer_create(struct qn__pretokenizer **out, const char *name);
void qn__pretokenizer_destroy(struct qn__pretokenizer *p); /* NULL is fine */

const char *qn__pretokenizer_name(const struct qn__pretokenizer *p); /* ours, not the alias */
bool qn__pretokenizer_takes_words(const struct qn__pretokenizer *p); /* a piece that is a token is
                                                                        not merged up from bytes */
bool qn__pretokenizer_adds_bos(const struct qn__pretokenizer *p); /* where the file does not say */

struct qn__span {
    size_t start, n_bytes;
};
struct qn__spans {
    struct qn__span *items; /* free() */
    size_t n, capacity;
};

/* The pieces in order; together they are the whole text. Each run of bytes that are not UTF-8 is a
 * piece of its own. */
qn_status qn__pretokenize(struct qn__spans *out, const struct qn__pretokenizer *p, const char *text,
                          size_t n_bytes);

#endif
