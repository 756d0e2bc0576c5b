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
#include "tools/logits_file.h"
#include "tools/terminal.h"

#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 32, CONTEXT = 512 };

struct values {
    struct qn__generation_options g;
    const char *file, *kl, *logits;
    uint64_t chunks;
    bool compares, json;
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
    QN__TEXT(struct values, logits, 0, "save-all-logits", "FILE",
             "write every scored distribution to FILE, in llama.cpp's format",
             .also = "kl-divergence-base"),
    QN__FLAG(struct values, compares, 0, "kl-divergence",
             "read that FILE instead, and say how far it is: the original need not be there, and "
             "the text is FILE's"),
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
    struct qn__logits_file *from, *to; /* or its distributions are in a file; or are written */
    float *row;                        /* of `from` */
};

/* What a token is compared with: logits of the original, less z, where they tell anything. */
struct expected {
    const float *p; /* NULL: nothing */
    double z, least;
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

static void add_token(struct score *s, const float *q, const struct expected *e, uint32_t n,
                      int32_t next)
{
    uint32_t top, top_p = 0;
    const double zq = log_sum(q, n, &top);
    const double loss = zq - (double)q[next];
    s->n++;
    s->sum += loss;
    s->squares += loss * loss;
    if (!e->p)
        return;
    double kl = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double lp = (double)e->p[i] - e->z;
        top_p = e->p[i] > e->p[top_p] ? i : top_p;
        if (lp > e->least)
            kl += exp(lp) * (lp - ((double)q[i] - zq));
    }
    kl = fmax(kl, 0.0); /* below it is rounding */
    s->kl += kl;
    s->kl_squares += kl * kl;
    s->kl_max = fmax(s->kl_max, kl);
    s->same_top += top == top_p;
}

/* Row j of what was fed to both. */
static qn_status find_expected(struct expected *e, const struct pair *m, uint32_t j, uint32_t n)
{
    uint32_t top;
    *e = (struct expected){.least = QN__LOGITS_FILE_LEAST};
    if (m->from) {
        QN_TRY(qn__logits_file_next(m->from, m->row));
        e->p = m->row;
    }
    if (m->original) {
        QN_TRY(qn_session_row(m->original->session, j, &e->p));
        e->z = log_sum(e->p, n, &top);
        e->least = -60.0; /* e^-60 of anything is nothing */
    }
    return QN_OK;
}

static qn_status feed(struct qn__generation *g, const int32_t *ids, uint32_t n, uint32_t n_rows)
{
    const qn_batch_item item = {.ids = ids, .n = n, .n_rows = n_rows};
    return qn_session_feed_batch(g->session, &item, 1, QN_ROWS_LOGITS);
}

/* Positions of a piece that are not scored, then those that are, some at a time. */
static qn_status score_piece(struct score *s, const struct pair *m, const int32_t *ids, uint32_t n)
{
    const uint32_t n_vocab = qn_model_get_info(m->model->model)->n_vocab;
    struct qn__generation *const both[] = {m->model, m->original};
    const uint32_t first = n / 2;
    uint32_t at_once = ROWS; /* that are scored */
    for (int i = 0; i < (m->original ? 2 : 1); i++) {
        const uint32_t batch = qn_session_get_info(both[i]->session)->plan.batch;
        at_once = batch < at_once ? batch : at_once;
        QN_TRY(qn_session_rewind(both[i]->session, 0));
        for (uint32_t at = 0; at < first; at += batch)
            QN_TRY(feed(both[i], ids + at, first - at < batch ? first - at : batch, 0));
    }
    for (uint32_t at = first; at + 1 < n; at += at_once) {
        const uint32_t now = n - 1 - at < at_once ? n - 1 - at : at_once;
        for (int i = 0; i < (m->original ? 2 : 1); i++)
            QN_TRY(feed(both[i], ids + at, now, now));
        for (uint32_t j = 0; j < now; j++) {
            struct expected e;
            const float *q;
            QN_TRY(qn_session_row(m->model->session, j, &q));
            QN_TRY(find_expected(&e, m, j, n_vocab));
            if (m->to)
                QN_TRY(qn__logits_file_add(m->to, q));
            add_token(s, q, &e, n_vocab, ids[at + j + 1]);
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

/* What it was compared with; NULL: nothing. */
static const char *original_of(const struct pair *m)
{
    if (m->original)
        return qn_model_get_info(m->original->model)->path;
    return m->from ? m->from->path : NULL;
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
        if (original_of(m))
            json_object_set_new(out, "kl",
                                json_pack("{s:o, s:f, s:f, s:f, s:f}", "original",
                                          qn__json_string(original_of(m)), "mean", kl, "error",
                                          spread(s->kl, s->kl_squares, s->n), "max", s->kl_max,
                                          "same_top", top));
        return qn__json_print(out);
    }
    printf("perplexity %.4f +/- %.4f, %llu tokens in %u pieces of %u\n", ppl, error,
           (unsigned long long)s->n, n_pieces, context);
    if (original_of(m))
        printf("divergence %.6f +/- %.6f nats from %s, largest %.4f; the same likeliest token %.2f "
               "%%\n",
               kl, spread(s->kl, s->kl_squares, s->n), original_of(m), s->kl_max, top * 100.0);
    return QN__EXIT_GOOD;
}

/* The pieces one after the other. */
static int score_pieces(const struct pair *m, const struct values *v, int32_t *tokens, uint32_t n)
{
    const uint32_t context = qn_session_get_info(m->model->session)->plan.context;
    const int32_t bos = beginning(m->model->model);
    struct score s = {0};
    int status = QN__EXIT_GOOD;
    uint32_t done = 0;
    qn__interrupt_watch();
    while (done < n && status == QN__EXIT_GOOD && !qn__interrupted()) {
        int32_t *ids = tokens + (size_t)done * context;
        if (!v->g.quiet && s.n)
            qn__progress(done, n, "pieces, perplexity %.3f", perplexity(&s));
        if (bos >= 0)
            ids[0] = bos;
        if (score_piece(&s, m, ids, context) != QN_OK)
            status = qn__complain_status("piece %u", done + 1);
        done++;
    }
    qn__progress_clear();
    if (qn__interrupted() && status == QN__EXIT_GOOD)
        qn__complain(0, "stopped after %u of %u pieces", done, n);
    if (m->to && done == n && status == QN__EXIT_GOOD && qn__logits_file_finish(m->to) != QN_OK)
        status = qn__complain_status("--save-all-logits");
    if (status == QN__EXIT_GOOD)
        status = print(&s, m, v, done, context);
    return status == QN__EXIT_GOOD && qn__interrupted() ? 130 : status;
}

/* So many of the pieces there are. */
static uint32_t pieces_of(const struct values *v, uint32_t n)
{
    return v->chunks && v->chunks < n ? (uint32_t)v->chunks : n;
}

static int score_file(struct pair *m, const struct values *v)
{
    m->row = malloc(m->from->n_vocab * sizeof *m->row);
    if (!m->row)
        return qn__complain(QN__EXIT_FAILED, "no memory for %u tokens", m->from->n_vocab);
    const int status = score_pieces(m, v, m->from->tokens, pieces_of(v, m->from->n_pieces));
    free(m->row);
    return status;
}

static int score_text(struct pair *m, const struct values *v, const char *text)
{
    const uint32_t context = qn_session_get_info(m->model->session)->plan.context;
    const uint32_t n_vocab = qn_model_get_info(m->model->model)->n_vocab;
    struct qn__logits_file to = {0};
    qn_tokens t;
    int status = QN__EXIT_FAILED;
    if (qn_model_encode(&t, m->model->model, text, strlen(text), QN_ENCODE_BOS) != QN_OK)
        return qn__complain_status("text");
    const uint32_t n = pieces_of(v, t.n / context);
    if (!n)
        qn__complain(0,
                     "the text is %u tokens, less than one piece of %u: give a longer one, or a "
                     "smaller --ctx",
                     t.n, context);
    else if (v->logits &&
             qn__logits_file_create(&to, v->logits, context, n_vocab, n, t.ids) != QN_OK)
        status = qn__complain_status("--save-all-logits");
    else {
        m->to = v->logits ? &to : NULL;
        status = score_pieces(m, v, t.ids, n);
        m->to = NULL;
    }
    qn__logits_file_close(&to);
    free(t.ids);
    return status;
}

static bool are_alike(const struct pair *m)
{
    const uint32_t a = qn_model_get_info(m->model->model)->n_vocab;
    const uint32_t b = m->from ? m->from->n_vocab : qn_model_get_info(m->original->model)->n_vocab;
    if (a == b)
        return true;
    return qn__complain(false, "%s: the vocabularies differ: %u tokens and %u",
                        m->from ? "--kl-divergence" : "--kl", a, b);
}

/* What is asked for, in words that fit together. */
static bool check(const struct values *v)
{
    if (v->compares && !v->logits)
        return qn__complain(false, "--kl-divergence: from what? --kl-divergence-base FILE");
    if (v->compares && v->file)
        return qn__complain(false, "either --file or --kl-divergence: that has its text");
    if (v->logits && v->kl)
        return qn__complain(false, "either --kl or --save-all-logits");
    if (!v->file && !v->compares)
        return qn__complain(false, "perplexity: of which text? --file names it");
    return true;
}

/* Everything is open; `text` NULL: the file's. */
static int run_with(struct pair *m, struct values *v, const char *text)
{
    struct qn__generation_options other = v->g;
    int status;
    other.model = v->kl;
    other.model_too = NULL;
    v->g.rows = other.rows = ROWS;
    if (!qn__generation_init(m->model, &v->g, 0.0f, &status) ||
        (v->kl && !qn__generation_init(m->original, &other, 0.0f, &status)))
        return status;
    if ((v->kl || m->from) && !are_alike(m))
        return QN__EXIT_FAILED;
    if (!qn__generation_load(m->model, &status) ||
        (v->kl && !qn__generation_load(m->original, &status)))
        return status;
    return m->from ? score_file(m, v) : score_text(m, v, text);
}

static int run(const void *values)
{
    struct values v = *(const struct values *)values;
    struct qn__generation model = {0}, original = {0};
    struct qn__logits_file from = {0};
    struct pair m = {.model = &model, .original = v.kl ? &original : NULL};
    if (!check(&v))
        return QN__EXIT_USAGE;
    if (v.compares && qn__logits_file_open(&from, v.logits) != QN_OK)
        return qn__complain_status("--kl-divergence-base");
    m.from = v.compares ? &from : NULL;
    char *text = v.compares ? NULL : qn__read_text(v.file);
    int status = QN__EXIT_FAILED;
    if (m.from && v.g.context && v.g.context != from.context)
        status = qn__complain(QN__EXIT_FAILED, "--ctx %llu: the pieces of %s are %u tokens",
                              (unsigned long long)v.g.context, from.path, from.context);
    else if (m.from || text) {
        v.g.context = m.from ? from.context : v.g.context ? v.g.context : CONTEXT;
        status = run_with(&m, &v, text);
    }
    qn__generation_close(&model);
    qn__generation_close(&original);
    qn__logits_file_close(&from);
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
        "it is printed, too. --save-all-logits keeps the distributions in a file, from which "
        "--kl-divergence takes them when the original is not there.",
    .sample = "perplexity model-q4_k.gguf -f text.txt\n"
              "perplexity model-q4_k.gguf -f text.txt --kl model-f16.gguf --json\n"
              "perplexity model-f16.gguf -f text.txt --save-all-logits f16.logits\n"
              "perplexity model-q4_k.gguf --kl-divergence-base f16.logits --kl-divergence",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
