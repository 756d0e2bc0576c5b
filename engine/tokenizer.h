/* SPDX-License-Identifier: Apache-2.0
 *
 * Text to token numbers and back, for the vocabularies model files carry.
 *
 * Two algorithms: byte-level BPE by merge ranks after a pre-tokeniser (a regular expression, by
 * PCRE2), and SentencePiece (BPE by scores, or unigram by Viterbi) with byte fallback. Which one,
 * and the special tokens, the file says. Immutable once made: any thread. */
#ifndef QN_ENGINE_TOKENIZER_H
#define QN_ENGINE_TOKENIZER_H

#include "base/str.h"
#include "engine/model_file.h"

struct qn__tokenizer;

/* The file must outlive the tokenizer.
 * QN_E_NOT_FOUND    the file has no vocabulary
 * QN_E_UNSUPPORTED  its model or pre-tokeniser is not known; the message names it and lists ours
 * QN_E_CORRUPT      what is inconsistent */
qn_status qn__tokenizer_create(struct qn__tokenizer **out, const struct qn__model_file *f);
void qn__tokenizer_destroy(struct qn__tokenizer *t); /* NULL is fine */

struct qn__token_facts {
    uint32_t n_vocab;
    int32_t bos, eos, eot, unknown, pad; /* -1: none */
    bool add_bos, add_eos;               /* what the file asks for */
    const char *model;                   /* "bpe", "spm", "unigram" */
    const char *pre;                     /* name of the pre-tokeniser, or "" */
};
const struct qn__token_facts *qn__tokenizer_facts(const struct qn__tokenizer *t);

enum {
    QN__ENCODE_BOS = 1,     /* add bos (and eos) where the file asks for it; not a second bos */
    QN__ENCODE_SPECIAL = 2, /* recognise special tokens written in the text: "<|im_end|>" */
};
struct qn__tokens {
    int32_t *ids; /* the caller's: free() */
    uint32_t n;
};
/* Any bytes; what is not UTF-8 goes through byte tokens or the unknown token.
 * QN_E_MEMORY, QN_E_LIMIT (more than 2^31 tokens) */
qn_status qn__tokenizer_encode(struct qn__tokens *out, const struct qn__tokenizer *t,
                               const char *text, size_t n_bytes, unsigned flags);

/* The same, where control tokens are not made of bytes that `foreign` has a 1 for (NULL: none). */
qn_status qn__tokenizer_encode_marked(struct qn__tokens *out, const struct qn__tokenizer *t,
                                      const char *text, const unsigned char *foreign,
                                      size_t n_bytes, unsigned flags);

/* Bytes a token stands for (special tokens: none, unless `special`); a piece may end in the middle
 * of a character. The first token after bos loses SentencePiece's leading space: that is the
 * caller's `is_first`. Appends to out. Tokens outside the vocabulary: QN_E_INVALID. */
qn_status qn__tokenizer_decode(struct qn__str *out, const struct qn__tokenizer *t, int32_t id,
                               bool is_first, bool special);

/* The special token that the text begins with ends a turn, too: what a chat template writes after
 * an answer. None: nothing is added. */
void qn__tokenizer_add_end(struct qn__tokenizer *t, const char *text, size_t n_bytes);

/* Does this token end a text: eos, eot, and the family's other ends ("<end_of_turn>")? */
bool qn__tokenizer_is_end(const struct qn__tokenizer *t, int32_t id);
int32_t qn__tokenizer_find(const struct qn__tokenizer *t,
                           const char *text); /* exact vocabulary entry, or -1 */

#endif
