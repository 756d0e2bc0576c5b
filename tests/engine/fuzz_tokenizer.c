/* SPDX-License-Identifier: Apache-2.0
 *
 * Vocabularies and texts from hostile bytes. An input that begins like a GGUF file brings its own
 * vocabulary, with a text of ours; any other is a text for four small vocabularies, in which every
 * byte is a token, so that it must come back. */
#define _GNU_SOURCE
#include "engine/model_open.h"
#include "engine/tokenizer.h"
#include "tests/engine/gguf_bytes.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What was encoded stands for the same bytes again. */
static void round_trip(const struct qn__tokenizer *t, const char *text, size_t n, bool must)
{
    struct qn__tokens tokens;
    struct qn__str again = {0};
    if (qn__tokenizer_encode(&tokens, t, text, n, 0) != QN_OK) {
        if (must)
            __builtin_trap();
        return;
    }
    for (uint32_t i = 0; i < tokens.n; i++)
        if (qn__tokenizer_decode(&again, t, tokens.ids[i], i == 0, false) != QN_OK)
            __builtin_trap();
    if (must && (again.len != n || memcmp(again.text ? again.text : "", text, n)))
        __builtin_trap();
    qn__str_release(&again);
    free(tokens.ids);
}

static void try_vocabulary(const uint8_t *data, size_t n)
{
    static const char text[] = "Once <s>upon\xe2\x96\x81\xff a\n\n\ttime, 1234 \xf0\x9f\xa6\x99!";
    struct qn__model_file *f;
    struct qn__tokenizer *t;
    if (qn__model_file_open_bytes(&f, data, n) != QN_OK)
        return;
    if (qn__tokenizer_create(&t, f) == QN_OK) {
        struct qn__tokens tokens;
        round_trip(t, text, strlen(text), false);
        if (qn__tokenizer_encode(&tokens, t, text, strlen(text),
                                 QN__ENCODE_BOS | QN__ENCODE_SPECIAL) == QN_OK)
            free(tokens.ids);
        qn__tokenizer_destroy(t);
    }
    qn__model_file_close(f);
}

/* The 256 bytes and a few words, as SentencePiece or as byte-level BPE. */
static struct qn__tokenizer *make(const char *model, const char *pre)
{
    static struct qn__str bytes[4]; /* they and the files live as long as the process */
    static struct qn__model_file *files[4];
    static uint32_t n;
    struct qn__str *w = &bytes[n];
    struct qn__tokenizer *t;
    const bool bpe = pre[0] != '\0';
    static const char *const words[] = {"a", "b", "ab", "ba", "aba", "\xe2\x96\x81"};
    gguf_head(w, 3, 0, bpe ? 5 : 3);
    gguf_fact_text(w, "tokenizer.ggml.model", model);
    gguf_fact_array(w, "tokenizer.ggml.tokens", GGUF_TEXT, 256 + 6);
    for (uint32_t byte = 0, next = 0x100; byte < 256; byte++) {
        const bool prints = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
        const uint32_t c = prints ? byte : next++;
        char text[8];
        if (!bpe)
            snprintf(text, sizeof text, "<0x%02X>", byte);
        else if (c < 0x80)
            snprintf(text, sizeof text, "%c", (int)c);
        else
            snprintf(text, sizeof text, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f)));
        gguf_text(w, text);
    }
    for (uint32_t i = 0; i < 6; i++)
        gguf_text(w, words[i]);
    gguf_fact_array(w, "tokenizer.ggml.token_type", GGUF_I32, 256 + 6);
    for (uint32_t i = 0; i < 256 + 6; i++)
        gguf_number(w, i < 256 && !bpe ? 6 : 1, 4);
    if (bpe) {
        gguf_fact_text(w, "tokenizer.ggml.pre", pre);
        gguf_fact_array(w, "tokenizer.ggml.merges", GGUF_TEXT, 3);
        gguf_text(w, "a b");
        gguf_text(w, "b a");
        gguf_text(w, "ab a");
    }
    if (qn__model_file_open_bytes(&files[n], w->text, w->len) != QN_OK ||
        qn__tokenizer_create(&t, files[n]) != QN_OK)
        __builtin_trap();
    n++;
    return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct qn__tokenizer *t[4];
    if (n >= 4 && !memcmp(data, "GGUF", 4)) {
        try_vocabulary(data, n);
        return 0;
    }
    if (!t[0]) {
        t[0] = make("llama", "");
        t[1] = make("t5", "");
        t[2] = make("gpt2", "llama-bpe");
        t[3] = make("gpt2", "default");
    }
    /* "\xe2\x96\x81" is how SentencePiece writes a space: it does not come back */
    const bool has_mark = n >= 3 && memmem(data, n, "\xe2\x96\x81", 3);
    for (uint32_t i = 0; i < 4; i++)
        round_trip(t[i], (const char *)data, n, i >= 2 || !has_mark);
    return 0;
}
