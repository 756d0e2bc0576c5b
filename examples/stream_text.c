/* SPDX-License-Identifier: Apache-2.0
 *
 * A language model continues a text, which is printed as it comes.
 *
 *     cc stream_text.c $(pkg-config --cflags --libs quern-engine) -o stream_text
 *     ./stream_text model.gguf "Once upon a time" */
#include <quern/model.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(qn_status s)
{
    if (s == QN_OK)
        return;
    fprintf(stderr, "stream_text: %s\n", qn_message());
    exit(1);
}

/* Print what may be printed; false when a stop has come about. */
static bool print(qn_text *text, int32_t id)
{
    const char *piece;
    size_t n;
    check(qn_text_add(text, id, &piece, &n));
    fwrite(piece, 1, n, stdout);
    fflush(stdout);
    return !qn_text_get_stop(text);
}

int main(int argc, char **argv)
{
    const char *const path = argc > 1 ? argv[1] : "model.gguf";
    const char *const prompt = argc > 2 ? argv[2] : "Once upon a time";
    const char *const stop = "\n\n";
    const qn_sampler_options sampling = {
        .temperature = 0.8f, .top_k = 40, .top_p = 0.95f, .min_p = 0.05f, .seed = 1};
    qn_model *model;
    qn_device *device;
    qn_session *session;
    qn_sampler *sampler;
    qn_tokens tokens;
    qn_text *text;
    int32_t id;

    check(qn_model_open(&model, path));
    check(qn_device_open(&device, NULL));
    check(qn_session_create(&session, model, device, NULL));
    check(qn_sampler_create(&sampler, &sampling));
    check(qn_model_encode(&tokens, model, prompt, strlen(prompt), QN_ENCODE_BOS));
    check(qn_text_create(&text, model, true, &stop, 1));

    printf("%s", prompt);
    check(qn_session_feed(session, tokens.ids, tokens.n));
    for (int i = 0; i < 200; i++) {
        check(qn_session_sample(&id, session, sampler));
        if (qn_model_is_end(model, id) || !print(text, id))
            break;
        check(qn_session_feed(session, &id, 1));
    }
    putchar('\n');

    qn_text_destroy(text);
    free(tokens.ids);
    qn_sampler_destroy(sampler);
    qn_session_destroy(session);
    qn_device_close(device);
    qn_model_close(model);
    return 0;
}
