/* SPDX-License-Identifier: Apache-2.0
 *
 * Vocabularies: three arrays of the file joined to one, and an open hash table over the texts. */
#include "engine/vocabulary.h"

#include "base/arena.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 24 };

static uint64_t hash_of(const struct qn__vocabulary *v, const char *text, size_t n_bytes)
{
    uint64_t hash;
    unsigned char out[crypto_shorthash_BYTES];
    crypto_shorthash(out, (const unsigned char *)text, n_bytes, v->hash_key);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

/* The slot that holds this text, or the empty one where it would go. */
static struct qn__vocabulary_slot *find_slot(const struct qn__vocabulary *v, uint64_t hash,
                                             const char *text, size_t n_bytes)
{
    for (uint32_t i = (uint32_t)hash & v->slot_mask;; i = (i + 1) & v->slot_mask) {
        struct qn__vocabulary_slot *slot = &v->slots[i];
        if (slot->id < 0)
            return slot;
        const struct qn__vocabulary_token *t = &v->tokens[slot->id];
        if (slot->tag == (uint32_t)(hash >> 32) && t->n_bytes == n_bytes &&
            memcmp(t->text, text, n_bytes) == 0)
            return slot;
    }
}

int32_t qn__vocabulary_find(const struct qn__vocabulary *v, const char *text, size_t n_bytes)
{
    return find_slot(v, hash_of(v, text, n_bytes), text, n_bytes)->id;
}

static void insert(struct qn__vocabulary *v, int32_t id)
{
    const struct qn__vocabulary_token *t = &v->tokens[id];
    const uint64_t hash = hash_of(v, t->text, t->n_bytes);
    *find_slot(v, hash, t->text, t->n_bytes) =
        (struct qn__vocabulary_slot){(uint32_t)(hash >> 32), id};
}

/* An array with one element per token; *out is NULL where the file has none. */
static qn_status find_array(const struct qn__fact **out, const struct qn__model_file *f,
                            const char *key, uint64_t n)
{
    *out = qn__fact_find(f, key);
    if (!*out)
        return QN_OK;
    if ((*out)->kind != QN__FACT_ARRAY || (*out)->value.array.n != n)
        return qn__fail(QN_E_CORRUPT, "fact '%s': not an array of %" PRIu64 " elements", key, n);
    return QN_OK;
}

static qn_status read_types(struct qn__vocabulary *v, const struct qn__model_file *f)
{
    const struct qn__fact *types;
    QN_TRY(find_array(&types, f, "tokenizer.ggml.token_type", v->n));
    for (uint32_t i = 0; i < v->n; i++) {
        v->tokens[i].type = QN__TOKEN_NORMAL;
        if (!types)
            continue;
        const struct qn__fact e = qn__fact_element(f, types, i);
        const uint64_t type = e.kind == QN__FACT_U64   ? e.value.u64
                              : e.kind == QN__FACT_I64 ? (uint64_t)e.value.i64
                                                       : 0;
        if (type < QN__TOKEN_NORMAL || type > QN__TOKEN_BYTE)
            return qn__fail(QN_E_CORRUPT,
                            "tokenizer.ggml.token_type: token %u is of the unknown type %" PRIu64,
                            i, type);
        v->tokens[i].type = (enum qn__token_type)type;
    }
    return QN_OK;
}

static qn_status read_scores(struct qn__vocabulary *v, const struct qn__model_file *f)
{
    const struct qn__fact *scores;
    QN_TRY(find_array(&scores, f, "tokenizer.ggml.scores", v->n));
    for (uint32_t i = 0; scores && i < v->n; i++) {
        const struct qn__fact e = qn__fact_element(f, scores, i);
        if (e.kind != QN__FACT_F64 || !isfinite(e.value.f64))
            return qn__fail(QN_E_CORRUPT, "tokenizer.ggml.scores: token %u has no finite score", i);
        v->tokens[i].score = (float)e.value.f64;
    }
    return QN_OK;
}

qn_status qn__vocabulary_init(struct qn__vocabulary *out, const struct qn__model_file *f)
{
    *out = (struct qn__vocabulary){0};
    const struct qn__fact *texts = qn__fact_find(f, "tokenizer.ggml.tokens");
    if (!texts)
        return qn__fail(QN_E_NOT_FOUND, "the file has no vocabulary (tokenizer.ggml.tokens)");
    if (texts->kind != QN__FACT_ARRAY || texts->value.array.kind != QN__FACT_TEXT ||
        texts->value.array.n == 0 || texts->value.array.n > TOKENS_MAX)
        return qn__fail(QN_E_CORRUPT, "tokenizer.ggml.tokens: not an array of 1 to %d texts",
                        TOKENS_MAX);
    out->n = (uint32_t)texts->value.array.n;
    uint32_t n_slots = 64;
    while (n_slots < out->n * 2)
        n_slots *= 2;
    out->slot_mask = n_slots - 1;
    out->tokens = qn__alloc(out->n, sizeof *out->tokens);
    out->slots = qn__alloc(n_slots, sizeof *out->slots);
    if (!out->tokens || !out->slots)
        return qn__fail(QN_E_MEMORY, "no memory for a vocabulary of %u tokens", out->n);
    memset(out->slots, 0xff, n_slots * sizeof *out->slots);
    randombytes_buf(out->hash_key, sizeof out->hash_key);
    for (uint32_t i = 0; i < out->n; i++) {
        const struct qn__fact e = qn__fact_element(f, texts, i);
        if (e.value.text.n > QN__TOKEN_BYTES_MAX)
            return qn__fail(QN_E_CORRUPT, "tokenizer.ggml.tokens: token %u has %zu bytes", i,
                            e.value.text.n);
        out->tokens[i].text = e.value.text.bytes;
        out->tokens[i].n_bytes = (uint32_t)e.value.text.n;
        if (out->longest_bytes < out->tokens[i].n_bytes)
            out->longest_bytes = out->tokens[i].n_bytes;
        insert(out, (int32_t)i);
    }
    QN_TRY(read_types(out, f));
    return read_scores(out, f);
}

void qn__vocabulary_release(struct qn__vocabulary *v)
{
    free(v->tokens);
    free(v->slots);
    *v = (struct qn__vocabulary){0};
}
