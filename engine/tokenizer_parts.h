/* SPDX-License-Identifier: Apache-2.0
 *
 * What the algorithms of the tokenizer share (bpe.c, spm.c, unigram.c). tokenizer.c finds the
 * special tokens; what lies between them goes to one of these. */
#ifndef QN_ENGINE_TOKENIZER_PARTS_H
#define QN_ENGINE_TOKENIZER_PARTS_H

#include "engine/merge.h"
#include "engine/pretokenize.h"
#include "engine/tokenizer.h"
#include "engine/vocabulary.h"

#define QN__SPACE_MARK "\xe2\x96\x81" /* SentencePiece's "▁" */

/* Tokens that grow; items is the caller's in the end. */
struct qn__token_list {
    int32_t *ids;
    size_t n, capacity;
};
qn_status qn__token_list_add(struct qn__token_list *list, int32_t id);

/* -- byte-level BPE -- */

/* Which two tokens join to which, and how soon: an open hash table over pairs. */
struct qn__bpe_merge {
    int32_t left, right, id; /* left is -1 in an empty slot */
    uint32_t rank;
};
enum { QN__BPE_CHARACTERS = 0x200 }; /* all lie below */
struct qn__bpe {
    const struct qn__vocabulary *vocabulary;
    struct qn__pretokenizer *pretokenizer;
    uint16_t characters[256];            /* how each byte is written */
    int16_t byte_of[QN__BPE_CHARACTERS]; /* the byte of a character, or -1 */
    int32_t bytes[256];                  /* the token of each byte, or -1 */
    struct qn__bpe_merge *merges;
    uint32_t slot_mask;
    uint64_t hash_factor;
};

/* release() in every case.  QN_E_CORRUPT  the merges do not fit the vocabulary */
qn_status qn__bpe_init(struct qn__bpe *out, const struct qn__vocabulary *v,
                       const struct qn__model_file *f);
void qn__bpe_release(struct qn__bpe *b);
qn_status qn__bpe_encode(struct qn__token_list *out, const struct qn__bpe *b, const char *text,
                         size_t n_bytes, int32_t unknown);
/* The bytes that a token's printable characters stand for. */
void qn__bpe_decode(struct qn__str *out, const struct qn__bpe *b,
                    const struct qn__vocabulary_token *t);

/* -- SentencePiece -- */

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
/* The two ways to cut a text with marked spaces into tokens: joining the pair with the best score,
 * and the cut whose scores have the largest sum. */
qn_status qn__spm_encode(struct qn__token_list *out, const struct qn__spm *s, const char *marked,
                         size_t n_bytes, int32_t unknown);
qn_status qn__unigram_encode(struct qn__token_list *out, const struct qn__spm *s,
                             const char *marked, size_t n_bytes, int32_t unknown);
void qn__spm_decode(struct qn__str *out, const struct qn__vocabulary_token *t, bool is_first);

#endif
