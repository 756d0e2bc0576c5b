/* SPDX-License-Identifier: Apache-2.0
 *
 * Byte-level BPE: every byte is a token, and a list of merges, best first, says which neighbours
 * become one.
 *
 * Vocabularies of this kind are written in printable characters: a byte that prints stands for
 * itself, and the others, in order, for U+0100 and up (so a space is "Ġ", U+0120).
 *
 * Gemma 4 has the merges without the bytes: its characters are characters, and spaces "▁". */
#include "engine/bpe.h"

#include "base/arena.h"
#include "engine/merge.h"
#include "engine/utf8.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { MERGES_MAX = 1 << 24 };

/* -- bytes and their characters -- */

static bool prints(uint32_t byte)
{
    return (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
}

static void fill_characters(struct qn__bpe *b)
{
    uint16_t next = 0x100;
    memset(b->byte_of, 0xff, sizeof b->byte_of);
    for (uint32_t byte = 0; byte < 256; byte++) {
        b->characters[byte] = prints(byte) ? (uint16_t)byte : next++;
        b->byte_of[b->characters[byte]] = (int16_t)byte;
    }
}

void qn__bpe_decode(struct qn__str *out, const struct qn__bpe *b,
                    const struct qn__vocabulary_token *t)
{
    const size_t start = out->len;
    for (uint32_t i = 0; i < t->n_bytes;) {
        uint32_t c = QN__BPE_CHARACTERS;
        const uint32_t n = qn__utf8_read(&c, t->text + i, t->n_bytes - i);
        if (c >= QN__BPE_CHARACTERS ||
            b->byte_of[c] < 0) { /* it is not written that way: the text is meant */
            out->len = start;
            qn__str_add_bytes(out, t->text, t->n_bytes);
            return;
        }
        qn__str_add_char(out, (char)b->byte_of[c]);
        i += n;
    }
}

/* -- the merges -- */

static uint32_t first_slot(const struct qn__bpe *b, int32_t left, int32_t right)
{
    const uint64_t pair = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    const uint64_t mixed = (pair ^ pair >> 29) * b->hash_factor;
    return (uint32_t)(mixed >> 32) & b->slot_mask;
}

static const struct qn__bpe_merge *find_merge(const struct qn__bpe *b, int32_t left, int32_t right)
{
    for (uint32_t i = first_slot(b, left, right);; i = (i + 1) & b->slot_mask) {
        const struct qn__bpe_merge *m = &b->merges[i];
        if (m->left < 0)
            return NULL;
        if (m->left == left && m->right == right)
            return m;
    }
}

static bool is_token(const struct qn__vocabulary *v, int32_t id, const char *text, size_t n_bytes)
{
    return id >= 0 && (uint32_t)id < v->n && v->tokens[id].n_bytes == n_bytes &&
           memcmp(v->tokens[id].text, text, n_bytes) == 0;
}

/* "Ġt he": two tokens that exist, and so does what they make: mostly the token after *last, which
 * the merge before made. */
static qn_status read_merge(int32_t *last, struct qn__bpe *b, const char *text, size_t n_bytes,
                            uint32_t rank)
{
    char joined[QN__TOKEN_BYTES_MAX]; /* vocabularies have tokens of hundreds of spaces */
    const char *space = n_bytes > 1 ? memchr(text + 1, ' ', n_bytes - 1) : NULL;
    if (!space || n_bytes >= sizeof joined)
        return qn__fail(QN_E_CORRUPT,
                        "tokenizer.ggml.merges: merge %u is not two tokens with a space between",
                        rank);
    const size_t left_bytes = (size_t)(space - text), right_bytes = n_bytes - left_bytes - 1;
    memcpy(joined, text, left_bytes);
    memcpy(joined + left_bytes, space + 1, right_bytes);
    struct qn__bpe_merge m = {.left = qn__vocabulary_find(b->vocabulary, text, left_bytes),
                              .right = qn__vocabulary_find(b->vocabulary, space + 1, right_bytes),
                              .id = *last + 1,
                              .rank = rank};
    if (!is_token(b->vocabulary, m.id, joined, n_bytes - 1))
        m.id = qn__vocabulary_find(b->vocabulary, joined, n_bytes - 1);
    *last = m.id;
    if (m.left < 0 || m.right < 0 || m.id < 0)
        return qn__fail(QN_E_CORRUPT,
                        "tokenizer.ggml.merges: merge %u ('%.64s') is not made of tokens", rank,
                        text);
    if (find_merge(b, m.left, m.right))
        return QN_OK; /* the first one counts */
    uint32_t i = first_slot(b, m.left, m.right);
    while (b->merges[i].left >= 0)
        i = (i + 1) & b->slot_mask;
    b->merges[i] = m;
    return QN_OK;
}

static qn_status read_merges(struct qn__bpe *b, const struct qn__model_file *f)
{
    const struct qn__fact *merges = qn__fact_find(f, "tokenizer.ggml.merges");
    if (!merges || merges->kind != QN__FACT_ARRAY || merges->value.array.kind != QN__FACT_TEXT ||
        merges->value.array.n > MERGES_MAX)
        return qn__fail(QN_E_CORRUPT, "tokenizer.ggml.merges: not an array of up to %d texts",
                        MERGES_MAX);
    const uint32_t n = (uint32_t)merges->value.array.n;
    uint32_t n_slots = 64;
    while (n_slots / 3 < n / 2)
        n_slots *= 2;
    b->slot_mask = n_slots - 1;
    b->merges = qn__alloc(n_slots, sizeof *b->merges);
    if (!b->merges)
        return qn__fail(QN_E_MEMORY, "no memory for %u merges", n);
    memset(b->merges, 0xff, n_slots * sizeof *b->merges);
    randombytes_buf(&b->hash_factor, sizeof b->hash_factor);
    b->hash_factor |= 1;
    int32_t last = -1;
    for (uint32_t i = 0; i < n; i++) {
        const struct qn__fact e = qn__fact_element(f, merges, i);
        QN_TRY(read_merge(&last, b, e.value.text.bytes, e.value.text.n, i));
    }
    return QN_OK;
}

qn_status qn__bpe_init(struct qn__bpe *out, const struct qn__vocabulary *v,
                       const struct qn__model_file *f)
{
    const char *pre = "default";
    *out = (struct qn__bpe){.vocabulary = v};
    if (qn__fact_find(f, "tokenizer.ggml.pre"))
        QN_TRY(qn__fact_text(&pre, f, "tokenizer.ggml.pre"));
    QN_TRY(qn__pretokenizer_create(&out->pretokenizer, pre));
    fill_characters(out);
    for (uint32_t byte = 0; byte < 256; byte++) {
        char text[4];
        const uint32_t n = qn__utf8_write(text, out->characters[byte]);
        out->bytes[byte] = qn__vocabulary_find(v, text, n);
    }
    return read_merges(out, f);
}

qn_status qn__bpe_init_marked(struct qn__bpe *out, const struct qn__vocabulary *v,
                              const struct qn__model_file *f)
{
    *out = (struct qn__bpe){.vocabulary = v};
    return read_merges(out, f);
}

void qn__bpe_release(struct qn__bpe *b)
{
    qn__pretokenizer_destroy(b->pretokenizer);
    free(b->merges);
    *b = (struct qn__bpe){0};
}

/* -- encoding -- */

static bool may_join(uint32_t *priority, int32_t *id, const void *context, const char *text,
                     const struct qn__symbol *a, const struct qn__symbol *b)
{
    (void)text;
    if (a->id < 0 || b->id < 0)
        return false;
    const struct qn__bpe_merge *m = find_merge(context, a->id, b->id);
    if (!m)
        return false;
    *priority = m->rank;
    *id = m->id;
    return true;
}

/* The token that a whole piece is, or -1. */
static int32_t find_word(const struct qn__bpe *b, const char *text, size_t n_bytes)
{
    char spelled[512];
    uint32_t n = 0;
    if (n_bytes > sizeof spelled / 2)
        return -1;
    for (size_t i = 0; i < n_bytes; i++)
        n += qn__utf8_write(spelled + n, b->characters[(unsigned char)text[i]]);
    const int32_t id = qn__vocabulary_find(b->vocabulary, spelled, n);
    return id >= 0 && b->vocabulary->tokens[id].type == QN__TOKEN_NORMAL ? id : -1;
}

static qn_status encode_piece(struct qn__token_list *out, struct qn__merge_space *m,
                              const struct qn__bpe *b, const char *text, size_t n_bytes,
                              int32_t unknown)
{
    const int32_t word =
        qn__pretokenizer_takes_words(b->pretokenizer) ? find_word(b, text, n_bytes) : -1;
    if (word >= 0)
        return qn__token_list_add(out, word);
    m->n_symbols = 0;
    for (size_t i = 0; i < n_bytes; i++)
        QN_TRY(qn__merge_add_symbol(m, (uint32_t)i, 1, b->bytes[(unsigned char)text[i]]));
    QN_TRY(qn__merge_run(m, may_join, b, text));
    for (int32_t i = 0; i >= 0; i = m->symbols[i].next) {
        const int32_t id = m->symbols[i].id >= 0 ? m->symbols[i].id : unknown;
        if (id < 0)
            return qn__fail(QN_E_UNSUPPORTED,
                            "the vocabulary has no token for the byte 0x%02x, and none for what is "
                            "unknown",
                            (unsigned char)text[m->symbols[i].start]);
        QN_TRY(qn__token_list_add(out, id));
    }
    return QN_OK;
}

qn_status qn__bpe_encode(struct qn__token_list *out, const struct qn__bpe *b, const char *text,
                         size_t n_bytes, int32_t unknown)
{
    struct qn__merge_space space = {0};
    struct qn__spans pieces;
    QN_TRY(qn__pretokenize(&pieces, b->pretokenizer, text, n_bytes));
    qn_status s = QN_OK;
    for (size_t i = 0; i < pieces.n && s == QN_OK; i++)
        s = encode_piece(out, &space, b, text + pieces.items[i].start, pieces.items[i].n_bytes,
                         unknown);
    free(pieces.items);
    qn__merge_release(&space);
    return s;
}

/* Characters, or a whole piece of line ends that is a token: such merges are not written. */
static qn_status split_marked(struct qn__merge_space *m, const struct qn__bpe *b, const char *text,
                              size_t start, size_t end)
{
    const int32_t whole =
        text[start] == '\n' ? qn__vocabulary_find(b->vocabulary, text + start, end - start) : -1;
    m->n_symbols = 0;
    if (whole >= 0)
        return qn__merge_add_symbol(m, (uint32_t)start, (uint32_t)(end - start), whole);
    for (size_t i = start; i < end;) {
        const uint32_t valid = qn__utf8_bytes(text + i, end - i), n = valid ? valid : 1;
        QN_TRY(qn__merge_add_symbol(m, (uint32_t)i, n,
                                    qn__vocabulary_find(b->vocabulary, text + i, n)));
        i += n;
    }
    return QN_OK;
}

qn_status qn__bpe_encode_marked(struct qn__token_list *out, const struct qn__bpe *b,
                                const struct qn__spm *bytes, const char *marked, size_t n_bytes,
                                int32_t unknown)
{
    struct qn__merge_space space = {0};
    qn_status s = QN_OK;
    for (size_t at = 0, end; at < n_bytes && s == QN_OK; at = end) {
        end = at + 1;
        while (end < n_bytes && (marked[end] == '\n') == (marked[at] == '\n'))
            end++;
        s = split_marked(&space, b, marked, at, end);
        if (s == QN_OK)
            s = qn__merge_run(&space, may_join, b, marked);
        for (int32_t i = 0; i >= 0 && s == QN_OK; i = space.symbols[i].next) {
            const struct qn__symbol *symbol = &space.symbols[i];
            s = symbol->id >= 0 ? qn__token_list_add(out, symbol->id)
                                : qn__spm_add_bytes(out, bytes, marked + symbol->start,
                                                    symbol->n_bytes, unknown);
        }
    }
    qn__merge_release(&space);
    return s;
}
