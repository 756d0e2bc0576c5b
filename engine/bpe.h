/* SPDX-License-Identifier: Apache-2.0
 *
 * Byte-level BPE, one of the tokenizer's three algorithms: it gets what lies between special
 * tokens. */
#ifndef QN_ENGINE_BPE_H
#define QN_ENGINE_BPE_H

#include "base/str.h"
#include "engine/pretokenize.h"
#include "engine/spm.h"
#include "engine/token_list.h"
#include "engine/vocabulary.h"

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
/* The same without bytes: symbols are characters, spaces among them marked (Gemma 4). */
qn_status qn__bpe_init_marked(struct qn__bpe *out, const struct qn__vocabulary *v,
                              const struct qn__model_file *f);
void qn__bpe_release(struct qn__bpe *b);
qn_status qn__bpe_encode(struct qn__token_list *out, const struct qn__bpe *b, const char *text,
                         size_t n_bytes, int32_t unknown);
/* What is no token in the end becomes byte tokens, as SentencePiece's models have them. */
qn_status qn__bpe_encode_marked(struct qn__token_list *out, const struct qn__bpe *b,
                                const struct qn__spm *bytes, const char *marked, size_t n_bytes,
                                int32_t unknown);
/* The bytes that a token's printable characters stand for. */
void qn__bpe_decode(struct qn__str *out, const struct qn__bpe *b,
                    const struct qn__vocabulary_token *t);

#endif
