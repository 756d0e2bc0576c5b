/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts as vectors, and how alike they are.
 *
 *     cc embed_texts.c $(pkg-config --cflags --libs quern-engine) -lm -o embed_texts
 *     ./embed_texts model.gguf "a dog" "a puppy" "the weather" */
#include <math.h>
#include <quern/model.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 };

static void check(qn_status s)
{
    if (s == QN_OK)
        return;
    fprintf(stderr, "embed_texts: %s\n", qn_message());
    exit(1);
}

/* The mean of all tokens' states, of length 1. */
static void embed(float *out, uint32_t dim, qn_session *session, const qn_model *model,
                  const char *text)
{
    qn_tokens t;
    float squares = 0.0f;
    check(qn_model_encode(&t, model, text, strlen(text), QN_ENCODE_BOS));
    check(qn_session_rewind(session, 0));
    memset(out, 0, dim * sizeof *out);
    for (uint32_t at = 0; at < t.n; at += ROWS) {
        const uint32_t n = t.n - at < ROWS ? t.n - at : ROWS;
        const qn_batch_item item = {.ids = t.ids + at, .n = n, .n_rows = n};
        check(qn_session_feed_batch(session, &item, 1, QN_ROWS_STATES));
        for (uint32_t i = 0; i < n; i++) {
            const float *state;
            check(qn_session_row(session, i, &state));
            for (uint32_t j = 0; j < dim; j++)
                out[j] += state[j];
        }
    }
    for (uint32_t j = 0; j < dim; j++)
        squares += out[j] * out[j];
    for (uint32_t j = 0; j < dim; j++)
        out[j] /= sqrtf(squares);
    free(t.ids);
}

int main(int argc, char **argv)
{
    const qn_session_options options = {.batch = ROWS, .rows = ROWS};
    qn_model *model;
    qn_device *device;
    qn_session *session;
    check(qn_model_open(&model, argc > 1 ? argv[1] : "model.gguf"));
    check(qn_device_open(&device, NULL));
    check(qn_session_create(&session, model, device, &options));
    const uint32_t dim = qn_model_get_info(model)->dim;
    const int n = argc > 2 ? argc - 2 : 0;
    float *vectors = calloc((size_t)n * dim + 1, sizeof *vectors);
    if (!vectors)
        return 1;
    for (int i = 0; i < n; i++)
        embed(vectors + (size_t)i * dim, dim, session, model, argv[2 + i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < dim; k++)
                sum += vectors[(size_t)i * dim + k] * vectors[(size_t)j * dim + k];
            printf("%.3f%c", (double)sum, j + 1 < n ? ' ' : '\n');
        }
    free(vectors);
    qn_session_destroy(session);
    qn_device_close(device);
    qn_model_close(model);
    return 0;
}
