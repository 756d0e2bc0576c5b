/* SPDX-License-Identifier: Apache-2.0
 *
 * tokenize_texts MODEL TEXTS: the tokens of many texts, for scripts/parity_tokenizers.py, which
 * compares them with other implementations. MODEL is a folder with tokenizer.json or a GGUF file,
 * which need not have weights; TEXTS are separated by zero bytes. Prints a line of numbers for
 * each. */
#include "base/file.h"
#include "engine/model_open.h"
#include "engine/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what)
{
    fprintf(stderr, "tokenize_texts: %s: %s\n", what, qn_message());
    return 1;
}

int main(int argc, char **argv)
{
    struct qn__model_file *f;
    struct qn__tokenizer *t;
    char *texts;
    size_t n;
    if (argc == 1) {
        printf("skip: tokenize_texts MODEL TEXTS\n");
        return 0;
    }
    if (argc != 3)
        return fail("usage: tokenize_texts MODEL TEXTS");
    if (qn__model_file_open(&f, argv[1]) != QN_OK)
        return fail(argv[1]);
    if (qn__tokenizer_create(&t, f) != QN_OK)
        return fail(argv[1]);
    if (qn__file_read(&texts, &n, argv[2], 1 << 28) != QN_OK)
        return fail(argv[2]);
    for (size_t at = 0, length; at < n; at += length + 1) {
        struct qn__tokens tokens;
        length = strnlen(texts + at, n - at);
        if (qn__tokenizer_encode(&tokens, t, texts + at, length, QN__ENCODE_SPECIAL) != QN_OK)
            return fail("a text");
        for (uint32_t i = 0; i < tokens.n; i++)
            printf("%s%d", i ? " " : "", tokens.ids[i]);
        putchar('\n');
        free(tokens.ids);
    }
    free(texts);
    qn__tokenizer_destroy(t);
    qn__model_file_close(f);
    return 0;
}
