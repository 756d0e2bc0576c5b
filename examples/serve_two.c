/* SPDX-License-Identifier: Apache-2.0
 *
 * Two texts at once from one session, as a server would: each step reads the weights once for all
 * of them, a text may begin or end at any step, and the place it leaves is free for the next one.
 *
 *     cc serve_two.c $(pkg-config --cflags --libs quern-engine) -o serve_two
 *     ./serve_two model.gguf "Once upon a time" "One day" "There was" */
#include <quern/model.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 2, MOST_TOKENS = 40, BATCH = 64 };

struct place {
    const char *prompt; /* NULL: free */
    qn_tokens tokens;
    uint32_t n_fed, n_written;
    int32_t next;
    char text[4096];
};

static void check(qn_status s)
{
    if (s == QN_OK)
        return;
    fprintf(stderr, "serve_two: %s\n", qn_message());
    exit(1);
}

static void begin(struct place *p, uint32_t sequence, const char *prompt, const qn_model *model,
                  qn_session *session)
{
    *p = (struct place){.prompt = prompt};
    snprintf(p->text, sizeof p->text, "%s", prompt);
    check(qn_model_encode(&p->tokens, model, prompt, strlen(prompt), QN_ENCODE_BOS));
    check(qn_session_rewind_sequence(session, sequence, 0));
}

static void end(struct place *p)
{
    printf("%s\n", p->text);
    free(p->tokens.ids);
    *p = (struct place){0};
}

/* What this text wants of the next step: a part of its prompt, or the token it wrote last. */
static qn_batch_item want(struct place *p, uint32_t sequence)
{
    const uint32_t left = p->tokens.n - p->n_fed, most = BATCH / PLACES;
    qn_batch_item item = {.sequence = sequence, .ids = &p->next, .n = 1, .n_rows = 1};
    if (left) {
        item.ids = p->tokens.ids + p->n_fed;
        item.n = left < most ? left : most;
        item.n_rows = item.n == left;
        p->n_fed += item.n;
    }
    return item;
}

/* The token that was chosen for it; false: the text is over. */
static bool take(struct place *p, const qn_model *model, int32_t id)
{
    char *piece;
    size_t n;
    if (qn_model_is_end(model, id) || p->n_written++ == MOST_TOKENS)
        return false;
    check(qn_model_decode_next(&piece, &n, model, id));
    strncat(p->text, piece, sizeof p->text - strlen(p->text) - 1);
    free(piece);
    p->next = id;
    return true;
}

int main(int argc, char **argv)
{
    const qn_session_options options = {.context = 256, .batch = BATCH, .sequences = PLACES};
    struct place places[PLACES] = {{0}};
    qn_model *model;
    qn_device *device;
    qn_session *session;
    qn_sampler *sampler;
    int next = 2, n_steps = 0, n_items;

    check(qn_model_open(&model, argc > 1 ? argv[1] : "model.gguf"));
    check(qn_device_open(&device, NULL));
    check(qn_session_create(&session, model, device, &options));
    check(qn_sampler_create(&sampler, NULL));
    do {
        qn_batch_item items[PLACES];
        uint32_t rows = 0;
        n_items = 0;
        for (uint32_t i = 0; i < PLACES; i++) {
            if (!places[i].prompt && next < argc)
                begin(&places[i], i, argv[next++], model, session);
            if (places[i].prompt)
                items[n_items++] = want(&places[i], i);
        }
        if (!n_items)
            break;
        check(qn_session_feed_batch(session, items, (uint32_t)n_items, QN_ROWS_LOGITS));
        n_steps++;
        for (int i = 0; i < n_items; i++) {
            struct place *p = &places[items[i].sequence];
            int32_t id;
            if (!items[i].n_rows)
                continue;
            check(qn_session_sample_row(&id, session, rows++, sampler));
            if (!take(p, model, id))
                end(p);
        }
    } while (n_items);
    printf("%d texts in %d steps\n", argc > 2 ? argc - 2 : 0, n_steps);

    qn_sampler_destroy(sampler);
    qn_session_destroy(session);
    qn_device_close(device);
    qn_model_close(model);
    return 0;
}
