/* SPDX-License-Identifier: Apache-2.0
 *
 * SentencePiece's BPE, one of the tokenizer's three algorithms, and what all of SentencePiece's
 * models share: spaces as marks, and bytes as tokens. */
#ifndef QN_ENGINE_SPM_H
#define QN_ENGINE_SPM_H

#include "base/str.h"
#include "engine/token_list.h"
#include "engine/vocabulary.h"

#define QN__SPACE_MARK "\xe2\x96\x81" /* SentencePiece's "▁" */

/* Where a space is put in front. A part is a text, or what of it lies between special tokens. */
enum qn__space_prefix {
    QN__SPACE_NEVER,
    QN__SPACE_ALWAYS,  /* of each part */
    QN__SPACE_MISSING, /* of each part that does not begin with one */
    QN__SPACE_FIRST,   /* of a text that begins with neither one nor a special token */
};

struct qn__spm {
    const struct qn__vocabulary *vocabulary;
    int32_t bytes[256]; /* the tokens "<0x00>" to "<0xFF>", or -1 */
    enum qn__space_prefix prefix;
};
void qn__spm_init(struct qn__spm *out, const struct qn__vocabulary *v,
                  enum qn__space_prefix prefix);
/* Does a space come in front of this part? is_first: it is where the text begins. */
bool qn__spm_adds_space(const struct qn__spm *s, const char *text, size_t n_bytes, bool is_first);
/* `text` with its spaces marked; *out is NULL and 0 for an empty text. */
qn_status qn__spm_mark_spaces(struct qn__str *out, const char *text, size_t n_bytes,
                              bool add_space);
/* Byte tokens of a piece that is no token, or the unknown token. */
qn_status qn__spm_add_bytes(struct qn__token_list *out, const struct qn__spm *s, const char *text,
                            size_t n_bytes, int32_t unknown);

/* Cut a text with marked spaces into tokens, joining the pair with the best score. */
qn_status qn__spm_encode(struct qn__token_list *out, const struct qn__spm *s, const char *marked,
                         size_t n_bytes, int32_t unknown);
void qn__spm_decode(struct qn__str *out, const struct qn__vocabulary_token *t, bool is_first);

#endif
