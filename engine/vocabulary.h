/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokens of a vocabulary, and the way from a text to its token.
 *
 * Texts are as the file writes them: byte-level BPE spells bytes as printable characters (" " is
 * "Ġ"), SentencePiece spells a space "▁" and a byte "<0x0A>". The file may be hostile, so the
 * table's hash has a key of its own in every process. */
#ifndef QN_ENGINE_VOCABULARY_H
#define QN_ENGINE_VOCABULARY_H

#include "engine/model_file.h"

enum { QN__TOKEN_BYTES_MAX = 4096 }; /* of one token */

enum qn__token_type {
    QN__TOKEN_NORMAL = 1,
    QN__TOKEN_UNKNOWN = 2,
    QN__TOKEN_CONTROL = 3,
    QN__TOKEN_USER = 4, /* always recognised in a text, whole */
    QN__TOKEN_UNUSED = 5,
    QN__TOKEN_BYTE = 6,
};

struct qn__vocabulary_token {
    const char *text;
    uint32_t n_bytes;
    float score;
    enum qn__token_type type;
};

struct qn__vocabulary_slot {
    uint32_t tag; /* half of the hash, so that a stranger's text is seldom looked at */
    int32_t id;   /* -1: empty */
};

struct qn__vocabulary {
    struct qn__vocabulary_token *tokens;
    uint32_t n;
    uint32_t longest_bytes;            /* of any token */
    struct qn__vocabulary_slot *slots; /* open hash table of slot_mask + 1 */
    uint32_t slot_mask;
    unsigned char hash_key[16];
};

/* From tokenizer.ggml.tokens, .token_type and .scores; release() in every case.
 * QN_E_NOT_FOUND  there is no vocabulary    QN_E_CORRUPT  arrays of other kinds or lengths */
qn_status qn__vocabulary_init(struct qn__vocabulary *out, const struct qn__model_file *f);
void qn__vocabulary_release(struct qn__vocabulary *v);

/* The token written like this, or -1; the last one if there are several. */
int32_t qn__vocabulary_find(const struct qn__vocabulary *v, const char *text, size_t n_bytes);

#endif
