/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways in which byte-level BPE vocabularies cut a text, by the names of tokenizer.ggml.pre.
 *
 * Expressions are as the models' tokenizer.json has them, with \s and \S; pretokenize.c writes
 * these out. Where PCRE2 reads one differently, or would need memory for every character of a long
 * text, `instead` is what it is given. */
#ifndef QN_ENGINE_PRETOKENIZER_RULES_H
#define QN_ENGINE_PRETOKENIZER_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { QN__EXPRESSIONS_MAX = 6 };
struct qn__pretokenizer_rules {
    const char *names; /* ours first, then those of models that cut the same way */
    const char *expressions[QN__EXPRESSIONS_MAX];
    const char *instead[QN__EXPRESSIONS_MAX]; /* NULL: the expression itself */
    bool takes_words; /* a piece that is a token is not merged up from bytes */
    bool adds_bos;    /* where the file does not say */
};
extern const struct qn__pretokenizer_rules qn__pretokenizer_rules[];
extern const uint32_t qn__n_pretokenizer_rules;

/* NULL: no such name. */
const struct qn__pretokenizer_rules *qn__pretokenizer_rules_find(const char *name);
/* The row with these expressions, as tokenizer.json lists them; NULL: none. */
const struct qn__pretokenizer_rules *qn__pretokenizer_rules_match(const char *const *expressions,
                                                                  uint32_t n, bool takes_words);

#endif
