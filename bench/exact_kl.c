/* SPDX-License-Identifier: Apache-2.0
 *
 * What 8-bit activations cost on the processor: the usual session beside one with `exact`, over the
 * tokens of a text.
 *
 *     bench/exact_kl TEXT MODEL ... [-d DEVICE]     default: cpu:0
 *
 * Written text: the tokens are fed one by one, and after each the distributions of the next are
 * compared. Prompts: the text's first 16, 32, ... tokens are fed at once. Printed are perplexity of
 * the text by both (of all tokens but the first), mean and largest Kullback-Leibler divergence from
 * the exact distribution, and how often the likeliest token is the same. */
#include "bench/bench.h"
#include "bench/logits.h"

#include <math.h>
#include <quern/model.h>
#include <string.h>

enum { CONTEXT = 512, PROMPT_STEP = 16 };

struct sums {
    double kl, kl_most, loss, exact_loss;
    uint32_t n, n_same, n_losses;
};

static uint32_t likeliest(const float *x, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

/* next: the token that the text has there, or -1 */
static void compare(struct sums *s, const float *exact, const float *x, uint32_t n, int32_t next)
{
    const double of_exact = bench_log_sum(exact, n), of_x = bench_log_sum(x, n);
    double kl = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double p = (double)exact[i] - of_exact;
        kl += exp(p) * (p - ((double)x[i] - of_x));
    }
    s->kl += kl;
    s->kl_most = fmax(s->kl_most, kl);
    s->n++;
    s->n_same += likeliest(exact, n) == likeliest(x, n);
    if (next < 0)
        return;
    s->exact_loss -= (double)exact[next] - of_exact;
    s->loss -= (double)x[next] - of_x;
    s->n_losses++;
}

static void show(const char *model, const char *how, const struct sums *s)
{
    const char *const slash = strrchr(model, '/');
    printf("%-28s %-8s %4u positions, KL %.2g (at most %.2g), likeliest the same %u",
           slash ? slash + 1 : model, how, s->n, s->kl / s->n, s->kl_most, s->n_same);
    if (s->n_losses)
        printf(", perplexity %.6g, exact %.6g", exp(s->loss / s->n_losses),
               exp(s->exact_loss / s->n_losses));
    printf("\n");
    fflush(stdout);
}

static qn_session *open_session(const qn_model *m, qn_device *dev, bool exact)
{
    const qn_session_options o = {.context = CONTEXT, .exact = exact};
    qn_session *s;
    bench_check(qn_session_create(&s, m, dev, &o), "session");
    return s;
}

/* The exact logits are copied: the two sessions are not asked at once. */
static void measure(const char *path, const char *text, qn_device *dev)
{
    qn_model *m;
    const float *logits;
    struct sums written = {0}, prompts = {0};
    qn_tokens tokens;
    bench_check(qn_model_open(&m, path), "model");
    const uint32_t n_vocab = qn_model_get_info(m)->n_vocab;
    float *const exact_logits = malloc(n_vocab * sizeof *exact_logits);
    bench_check(qn_model_encode(&tokens, m, text, strlen(text), QN_ENCODE_BOS), "text");
    if (!exact_logits || tokens.n < 2)
        exit(1);
    const int32_t *const ids = tokens.ids;
    const uint32_t n = tokens.n < CONTEXT ? tokens.n : CONTEXT;
    qn_session *const exact = open_session(m, dev, true), *const usual =
                                                              open_session(m, dev, false);
    for (uint32_t i = 0; i < n; i++) {
        bench_check(qn_session_feed(exact, &ids[i], 1), "feed");
        bench_check(qn_session_logits(exact, &logits), "logits");
        memcpy(exact_logits, logits, n_vocab * sizeof *logits);
        bench_check(qn_session_feed(usual, &ids[i], 1), "feed");
        bench_check(qn_session_logits(usual, &logits), "logits");
        compare(&written, exact_logits, logits, n_vocab, i + 1 < n ? ids[i + 1] : -1);
    }
    show(path, "written", &written);
    for (uint32_t k = PROMPT_STEP; k <= n; k += PROMPT_STEP) {
        bench_check(qn_session_rewind(exact, 0), "rewind");
        bench_check(qn_session_feed(exact, ids, k), "feed");
        bench_check(qn_session_logits(exact, &logits), "logits");
        memcpy(exact_logits, logits, n_vocab * sizeof *logits);
        bench_check(qn_session_rewind(usual, 0), "rewind");
        bench_check(qn_session_feed(usual, ids, k), "feed");
        bench_check(qn_session_logits(usual, &logits), "logits");
        compare(&prompts, exact_logits, logits, n_vocab, k < n ? ids[k] : -1);
    }
    if (prompts.n)
        show(path, "prompts", &prompts);
    qn_session_destroy(exact);
    qn_session_destroy(usual);
    free(tokens.ids);
    free(exact_logits);
    qn_model_close(m);
}

static char *read_text(const char *path)
{
    enum { LIMIT = 1 << 20 };
    char *const text = calloc(LIMIT, 1);
    FILE *const f = fopen(path, "rb");
    if (!text || !f || fread(text, 1, LIMIT - 1, f) == 0) {
        fprintf(stderr, "%s: cannot be read, or is empty\n", path);
        exit(1);
    }
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    qn_device *dev;
    const char *device = "cpu:0";
    if (argc > 4 && strcmp(argv[argc - 2], "-d") == 0) {
        device = argv[argc - 1];
        argc -= 2;
    }
    if (argc < 3) {
        printf("skip: exact_kl TEXT MODEL ... [-d DEVICE]\n");
        return 0;
    }
    char *const text = read_text(argv[1]);
    bench_check(qn_device_open(&dev, device), "device");
    for (int i = 2; i < argc; i++)
        measure(argv[i], text, dev);
    qn_device_close(dev);
    free(text);
    return 0;
}
