/* SPDX-License-Identifier: Apache-2.0
 *
 * quern perplexity: how well a model expects a text, and how far another form of it is from it.
 *
 * As llama.cpp counts it: the text is cut into pieces of a context each, a piece begins with the
 * beginning-of-text token where the model wants one, and the tokens of its second half are expected
 * from all that came before them in the piece. */
#include "tools/commands.h"
#include "tools/generation.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 32, CONTEXT = 512 };

struct values {
    struct qn__generation_options g;
    const char *file, *kl;
    uint64_t chunks;
    bool json;
};

static const struct qn__option options[] = {
    QN__MODEL_ROWS(struct values),
    QN__TEXT(struct values, file, 'f', "file", "FILE", "the text; - is stdin"),
    QN__NUMBER(struct values, chunks, 0, "chunks", 0, UINT32_MAX, 0,
               "only so many pieces of the text; 0: all"),
    QN__TEXT(
        struct values, kl, 0, "kl", "MODEL",
        "how far MODEL's distributions are from this one's: the Kullback-Leibler divergence of "
        "this model, taken for MODEL (the original)"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

struct score {
    uint64_t n;
    double sum, squares; /* of -ln p of each token that came */
    double kl, kl_squares, kl_max;
    uint64_t same_top; /* the same token is the likeliest in both */
};

struct pair {
    struct qn__generation *model, *original; /* original NULL: none */
};

/* ln of the sum of exp */
static double log_sum(const float *logits, uint32_t n, uint32_t *top)
{
    double sum = 0.0;
    *top = 0;
    for (uint32_t i = 1; i < n; i++)
        if (logits[i] > logits[*top])
            *top = i;
    for (uint32_t i = 0; i < n; i++)
        sum += exp((double)(logits[i] - logits[*top]));
    return (double)logits[*top] + log(sum);
}

static void add_token(struct score *s, const float *q, const float *p, uint32_t n, int32_t next)
{
    uint32_t top, top_p;
    const double zq = log_sum(q, n, &top);
    const double loss = zq - (double)q[next];
    s->n++;
    s->sum += loss;
    s->squares += loss * loss;
    if (!p)
        return;
    const double zp = log_sum(p, n, &top_p);
    double kl = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double lp = (double)p[i] - zp;
        if (lp > -60.0) /* e^-60 of anything is nothing */
            kl += exp(lp) * (lp - ((double)q[i] - zq));
    }
    kl = fmax(kl, 0.0); /* below it is rounding */
    s->kl += kl;
    s->kl_squares += kl * kl;
    s->kl_max = fmax(s->kl_max, kl);
    s->same_top += top == top_p;
}

static qn_status feed(struct qn__generation *g, const int32_t *ids, uint32_t n, uint32_t n_rows)
{
    const qn_batch_item item = {.ids = ids, .n = n, .n_rows = n_rows};
    return qn_session_feed_batch(g->session, &item, 1, QN_ROWS_LOGITS);
}

/* Positions of a piece that are not scored, then those that are, some at a time. */
static qn_status score_piece(struct score *s, const struct pair *m, const int32_t *ids, uint32_t n)
{
    const qn_session_plan *plan = &qn_session_get_info(m->model->session)->plan;
    const uint32_t n_vocab = qn_model_get_info(m->model->model)->n_vocab;
    struct qn__generation *const both[] = {m->model, m->original};
    const uint32_t first = n / 2;
    for (int i = 0; i < (m->original ? 2 : 1); i++) {
        QN_TRY(qn_session_rewind(both[i]->session, 0));
        for (uint32_t at = 0; at < first; at += plan->batch)
            QN_TRY(feed(both[i], ids + at, first - at < plan->batch ? first - at : plan->batch, 0));
    }
    for (uint32_t at = first; at + 1 < n; at += ROWS) {
        const uint32_t now = n - 1 - at < ROWS ? n - 1 - at : ROWS;
        for (int i = 0; i < (m->original ? 2 : 1); i++)
            QN_TRY(feed(both[i], ids + at, now, now));
        for (uint32_t j = 0; j < now; j++) {
            const float *q, *p = NULL;
            QN_TRY(qn_session_row(m->model->session, j, &q));
            if (m->original)
                QN_TRY(qn_session_row(m->original->session, j, &p));
            add_token(s, q, p, n_vocab, ids[at + j + 1]);
        }
    }
    return QN_OK;
}

/* The token that begins a text, or -1. */
static int32_t beginning(const qn_model *m)
{
    qn_tokens t;
    int32_t id = -1;
    if (qn_model_encode(&t, m, "", 0, QN_ENCODE_BOS) != QN_OK)
        return -1;
    if (t.n)
        id = t.ids[0];
    free(t.ids);
    return id;
}

static double perplexity(const struct score *s)
{
    return exp(s->sum / (double)s->n);
}

/* Standard error of the mean. */
static double spread(double sum, double squares, uint64_t n)
{
    const double mean = sum / (double)n, variance = squares / (double)n - mean * mean;
    return n > 1 && variance > 0.0 ? sqrt(variance / (double)(n - 1)) : 0.0;
}

static int print(const struct score *s, const struct pair *m, const struct values *v,
                 uint32_t n_pieces, uint32_t context)
{
    const double ppl = perplexity(s), error = ppl * spread(s->sum, s->squares, s->n);
    const double kl = s->kl / (double)s->n, top = (double)s->same_top / (double)s->n;
    if (v->json) {
        json_t *out = json_pack("{s:o, s:s, s:f, s:f, s:f, s:I, s:I, s:I}", "model",
                                qn__json_string(qn_model_get_info(m->model->model)->path), "device",
                                qn_device_get_info(m->model->dev)->id, "perplexity", ppl, "error",
                                error, "nats", s->sum / (double)s->n, "tokens", (json_int_t)s->n,
                                "pieces", (json_int_t)n_pieces, "context", (json_int_t)context);
        if (m->original)
            json_object_set_new(
                out, "kl",
                json_pack("{s:o, s:f, s:f, s:f, s:f}", "original",
                          qn__json_string(qn_model_get_info(m->original->model)->path), "mean", kl,
                          "error", spread(s->kl, s->kl_squares, s->n), "max", s->kl_max, "same_top",
                          top));
        return qn__json_print(out);
    }
    printf("perplexity %.4f +/- %.4f, %llu tokens in %u pieces of %u\n", ppl, error,
           (unsigned long long)s->n, n_pieces, context);
    if (m->original)
        printf("divergence %.6f +/- %.6f nats from %s, largest %.4f; the same likeliest token %.2f "
               "%%\n",
               kl, spread(s->kl, s->kl_squares, s->n), qn_model_get_info(m->original->model)->path,
               s->kl_max, top * 100.0);
    return QN__EXIT_GOOD;
}

static int score_text(const struct pair *m, const struct values *v, const char *text)
{
    const uint32_t context = qn_session_get_info(m->model->session)->plan.context;
    struct score s = {0};
    qn_tokens t;
    int status = QN__EXIT_GOOD;
    if (qn_model_encode(&t, m->model->model, text, strlen(text), QN_ENCODE_BOS) != QN_OK)
        return qn__complain_status("text");
    uint32_t n = t.n / context;
    if (v->chunks && v->chunks < n)
        n = (uint32_t)v->chunks;
    const int32_t bos = beginning(m->model->model);
    if (!n)
        status =
            qn__complain(QN__EXIT_FAILED,
                         "the text is %u tokens, less than one piece of %u: give a longer one, "
                         "or a smaller --ctx",
                         t.n, context);
    qn__interrupt_watch();
    for (uint32_t i = 0; i < n && status == QN__EXIT_GOOD; i++) {
        int32_t *ids = t.ids + (size_t)i * context;
        if (!v->g.quiet && s.n)
            qn__progress(i, n, "pieces, perplexity %.3f", perplexity(&s));
        if (bos >= 0)
            ids[0] = bos;
        if (score_piece(&s, m, ids, context) != QN_OK)
            status = qn__complain_status("piece %u", i + 1);
        if (qn__interrupted()) {
            qn__complain(0, "stopped after %u of %u pieces", i + 1, n);
            n = i + 1;
        }
    }
    qn__progress_clear();
    if (status == QN__EXIT_GOOD)
        status = print(&s, m, v, n, context);
    free(t.ids);
    return status == QN__EXIT_GOOD && qn__interrupted() ? 130 : status;
}

static bool are_alike(const struct pair *m)
{
    const uint32_t a = qn_model_get_info(m->model->model)->n_vocab;
    const uint32_t b = qn_model_get_info(m->original->model)->n_vocab;
    if (a == b)
        return true;
    return qn__complain(false, "--kl: the vocabularies differ: %u tokens and %u", a, b);
}

static int run(const void *values)
{
    struct values v = *(const struct values *)values;
    struct qn__generation model = {0}, original = {0};
    struct pair m = {.model = &model};
    int status = QN__EXIT_FAILED;
    if (!v.file)
        return qn__complain(QN__EXIT_USAGE, "perplexity: of which text? --file names it");
    char *text = qn__read_text(v.file);
    if (!text)
        return QN__EXIT_FAILED;
    v.g.rows = ROWS;
    if (!v.g.context)
        v.g.context = CONTEXT;
    struct qn__generation_options other = v.g;
    other.model = v.kl;
    other.model_too = NULL;
    bool good = qn__generation_init(&model, &v.g, 0.0f, &status);
    if (good && v.kl) {
        m.original = &original;
        good = qn__generation_init(&original, &other, 0.0f, &status);
        if (good && !are_alike(&m)) {
            good = false;
            status = QN__EXIT_FAILED;
        }
    }
    good = good && qn__generation_load(&model, &status);
    if (good && v.kl)
        good = qn__generation_load(&original, &status);
    if (good)
        status = score_text(&m, &v, text);
    qn__generation_close(&model);
    if (v.kl)
        qn__generation_close(&original);
    free(text);
    return status;
}

const struct qn__command qn__cmd_perplexity = {
    .name = "perplexity",
    .brief = "how well a model expects a text",
    .about =
        "The text is cut into pieces of --ctx tokens (512 unless given). The tokens of each "
        "piece's second half are expected from what came before them in the piece; perplexity "
        "is e to the mean of -ln of what they were given. With --kl another form of the model, "
        "usually the one it was made from, reads the same text, and the mean divergence from "
        "it is printed, too.",
    .sample = "perplexity model-q4_k.gguf -f text.txt\n"
              "perplexity model-q4_k.gguf -f text.txt --kl model-f16.gguf --json",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
