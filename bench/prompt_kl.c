/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a prompt's logits move from those of products in f32.
 *
 *     bench/prompt_kl MODEL [DEVICE] [TOKENS]     default: the preferred device, 500
 *
 * The same made-up tokens go through four sessions: exact (no library, no fused kernels), with the
 * vendor's library alone, as it is by default, and on CUDA with the library for f16. Printed are
 * the Kullback-Leibler divergence of the last token's probabilities from the exact ones, the
 * largest difference of a logit, and the logits' standard deviation. */
#include "bench/bench.h"
#include "bench/logits.h"

#include <math.h>
#include <quern/model.h>
#include <string.h>

static float *logits_of(const qn_model *m, qn_device *dev, const qn_session_options *o,
                        const int32_t *ids, uint32_t n, uint32_t n_vocab, double *ms)
{
    qn_session *s;
    const float *logits;
    float *out = malloc(n_vocab * sizeof *out);
    if (!out)
        exit(1);
    bench_check(qn_session_create(&s, m, dev, o), "session");
    for (int turn = 0; turn < 2; turn++) { /* the first loads kernels */
        const double start = bench_now_us();
        bench_check(qn_session_feed(s, ids, n), "feed");
        bench_check(qn_session_logits(s, &logits), "logits");
        *ms = (bench_now_us() - start) * 1e-3;
        if (turn == 0)
            bench_check(qn_session_rewind(s, 0), "rewind");
    }
    memcpy(out, logits, n_vocab * sizeof *out);
    qn_session_destroy(s);
    return out;
}

static void compare(const char *name, const float *exact, const float *x, uint32_t n, double ms)
{
    const double of_exact = bench_log_sum(exact, n), of_x = bench_log_sum(x, n);
    double kl = 0, off = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double p = (double)exact[i] - of_exact;
        kl += exp(p) * (p - ((double)x[i] - of_x));
        off = fmax(off, fabs((double)x[i] - (double)exact[i]));
        squares += (double)exact[i] * (double)exact[i];
    }
    printf("%-10s KL %.3g, largest difference %.3g of logits of %.3g; second time %.2f ms\n", name,
           kl, off, sqrt(squares / n), ms);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    qn_device *dev;
    qn_model *m;
    double ms;
    if (argc < 2) {
        printf("skip: prompt_kl MODEL [DEVICE] [TOKENS]\n");
        return 0;
    }
    const uint32_t n = argc > 3 ? (uint32_t)atoi(argv[3]) : 500;
    bench_check(qn_device_open(&dev, argc > 2 ? argv[2] : NULL), "device");
    bench_check(qn_model_open(&m, argv[1]), "model");
    const uint32_t n_vocab = qn_model_get_info(m)->n_vocab;
    int32_t *ids = malloc(n * sizeof *ids);
    if (!ids)
        return 1;
    for (uint32_t i = 0; i < n; i++)
        ids[i] = (int32_t)(i * 2654435761u % (n_vocab - 300)) + 290;
    const qn_session_options exact = {
        .context = n + 8, .no_fused = true, .no_library = true, .exact = true};
    const qn_session_options library = {.context = n + 8, .no_fused = true};
    const qn_session_options usual = {.context = n + 8};
    const qn_session_options by_library = {.context = n + 8, .library = true};
    float *want = logits_of(m, dev, &exact, ids, n, n_vocab, &ms);
    compare("exact", want, want, n_vocab, ms);
    float *got = logits_of(m, dev, &library, ids, n, n_vocab, &ms);
    compare("no_fused", want, got, n_vocab, ms);
    free(got);
    got = logits_of(m, dev, &usual, ids, n, n_vocab, &ms);
    compare("default", want, got, n_vocab, ms);
    free(got);
    if (strcmp(qn_device_get_info(dev)->backend, "cuda") == 0) {
        got = logits_of(m, dev, &by_library, ids, n, n_vocab, &ms);
        compare("library", want, got, n_vocab, ms);
        free(got);
    }
    free(want);
    free(ids);
    qn_model_close(m);
    qn_device_close(dev);
    return 0;
}
