/* SPDX-License-Identifier: Apache-2.0
 *
 * quern embed: texts as vectors, for search and comparison.
 *
 * A text's tokens go through the model; the states behind its last norm are pooled into one vector.
 */
#include "tools/commands.h"
#include "tools/generation.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct qn__generation_options g;
    struct qn__option_list prompts;
    const char *file, *pooling;
    uint64_t normalise;
    bool json;
};

static const struct qn__option options[] = {
    QN__MODEL_ROWS(struct values),
    QN__LIST(struct values, prompts, 'p', "prompt", "TEXT", "a text"),
    QN__TEXT(struct values, file, 'f', "file", "FILE", "a text on each line; - is stdin"),
    QN__CHOICE(struct values, pooling, 0, "pooling", "mean|last|cls",
               "one vector of all tokens' states: their mean (default), the last one's, the first "
               "one's"),
    QN__NUMBER(struct values, normalise, 0, "embd-normalize", 0, 2, 2,
               "2: to the length 1; 0: as they are; 1: to the largest number 1",
               .also = "normalise|normalize"),
    QN__FLAG(struct values, json, 0, "json",
             "print JSON: vectors, and how alike every two texts are"),
};

struct texts {
    const char **items;
    char *file; /* their memory, where they are lines */
    uint32_t n;
};

/* Lines that are not empty; the file's text is cut in place. */
static bool split_lines(struct texts *t)
{
    uint32_t room = 0;
    for (char *line = t->file; line && *line;) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        if (end && end > line && end[-1] == '\r')
            end[-1] = 0;
        if (*line) {
            if (t->n == room) {
                room = room ? 2 * room : 64;
                const char **grown = realloc(t->items, room * sizeof *grown);
                if (!grown)
                    return qn__complain(false, "no memory for %u texts", room);
                t->items = grown;
            }
            t->items[t->n++] = line;
        }
        line = next;
    }
    return true;
}

static bool read_texts(struct texts *t, const struct values *v)
{
    if (v->file) {
        t->file = qn__read_text(v->file);
        return t->file && split_lines(t);
    }
    t->items = calloc(v->prompts.n ? v->prompts.n : 1, sizeof *t->items);
    if (!t->items)
        return qn__complain(false, "no memory for %u texts", v->prompts.n);
    for (uint32_t i = 0; i < v->prompts.n; i++)
        t->items[t->n++] = v->prompts.items[i];
    return true;
}

/* -- one vector -- */

/* The states of tokens at..at+n are summed up, or the wanted one kept. */
static qn_status add_states(double *sum, struct qn__generation *g, const char *pooling,
                            const qn_tokens *t, uint32_t at, uint32_t n)
{
    const uint32_t dim = qn_model_get_info(g->model)->dim;
    const qn_batch_item item = {.ids = t->ids + at, .n = n, .n_rows = n};
    QN_TRY(qn_session_feed_batch(g->session, &item, 1, QN_ROWS_STATES));
    for (uint32_t i = 0; i < n; i++) {
        const bool wanted =
            strcmp(pooling, "mean") == 0 || at + i == (strcmp(pooling, "cls") == 0 ? 0 : t->n - 1);
        const float *row;
        if (!wanted)
            continue;
        QN_TRY(qn_session_row(g->session, i, &row));
        for (uint32_t j = 0; j < dim; j++)
            sum[j] += (double)row[j];
    }
    return QN_OK;
}

static void scale(float *out, const double *sum, uint32_t dim, double by, uint64_t normalise)
{
    double squares = 0.0, largest = 0.0;
    for (uint32_t i = 0; i < dim; i++) {
        squares += sum[i] * by * (sum[i] * by);
        largest = fmax(largest, fabs(sum[i] * by));
    }
    const double to = normalise == 2 ? sqrt(squares) : normalise == 1 ? largest : 1.0;
    for (uint32_t i = 0; i < dim; i++)
        out[i] = (float)(sum[i] * by / (to > 0.0 ? to : 1.0));
}

static qn_status embed(float *out, double *sum, struct qn__generation *g, const struct values *v,
                       const qn_tokens *t)
{
    const qn_session_plan *p = &qn_session_get_info(g->session)->plan;
    const uint32_t dim = qn_model_get_info(g->model)->dim;
    const char *pooling = v->pooling ? v->pooling : "mean";
    const uint32_t most = p->rows < p->batch ? p->rows : p->batch;
    if (t->n > p->context)
        return qn__fail(QN_E_LIMIT, "%u tokens do not fit: the context is %u, --ctx sets it", t->n,
                        p->context);
    memset(sum, 0, dim * sizeof *sum);
    QN_TRY(qn_session_rewind(g->session, 0));
    for (uint32_t at = 0; at < t->n; at += most) {
        const uint32_t n = t->n - at < most ? t->n - at : most;
        QN_TRY(add_states(sum, g, pooling, t, at, n));
    }
    scale(out, sum, dim, strcmp(pooling, "mean") == 0 ? 1.0 / t->n : 1.0, v->normalise);
    return QN_OK;
}

/* -- all of them -- */

static double alike(const float *a, const float *b, uint32_t dim)
{
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (uint32_t i = 0; i < dim; i++) {
        ab += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
    }
    return aa > 0.0 && bb > 0.0 ? ab / sqrt(aa * bb) : 0.0;
}

static int print_json(const struct qn__generation *g, const struct values *v, const float *vectors,
                      const uint32_t *n_tokens, uint32_t n)
{
    const uint32_t dim = qn_model_get_info(g->model)->dim;
    json_t *data = json_array(), *likeness = json_array();
    for (uint32_t i = 0; i < n; i++) {
        json_t *numbers = json_array(), *row = json_array();
        for (uint32_t j = 0; j < dim; j++)
            json_array_append_new(numbers, qn__json_number((double)vectors[(uint64_t)i * dim + j]));
        for (uint32_t j = 0; j < n; j++)
            json_array_append_new(row, qn__json_number(alike(vectors + (uint64_t)i * dim,
                                                             vectors + (uint64_t)j * dim, dim)));
        json_array_append_new(likeness, row);
        json_array_append_new(data, json_pack("{s:I, s:I, s:o}", "index", (json_int_t)i, "tokens",
                                              (json_int_t)n_tokens[i], "embedding", numbers));
    }
    return qn__json_print(json_pack("{s:o, s:s, s:s, s:I, s:o, s:o}", "model",
                                    qn__json_string(qn_model_get_info(g->model)->path), "device",
                                    qn_device_get_info(g->dev)->id, "pooling",
                                    v->pooling ? v->pooling : "mean", "dim", (json_int_t)dim,
                                    "data", data, "cosine", likeness));
}

static void print_vector(const float *vector, uint32_t dim)
{
    for (uint32_t i = 0; i < dim; i++)
        printf("%s%.6f", i ? " " : "", (double)vector[i]);
    putchar('\n');
}

static int embed_all(struct qn__generation *g, const struct values *v, const struct texts *t)
{
    const uint32_t dim = qn_model_get_info(g->model)->dim;
    float *vectors = calloc((size_t)t->n * dim, sizeof *vectors);
    double *sum = calloc(dim, sizeof *sum);
    uint32_t *n_tokens = calloc(t->n, sizeof *n_tokens);
    int status = QN__EXIT_GOOD;
    if (!vectors || !sum || !n_tokens)
        status = qn__complain(QN__EXIT_FAILED, "no memory for %u vectors", t->n);
    for (uint32_t i = 0; i < t->n && status == QN__EXIT_GOOD; i++) {
        qn_tokens tokens = {0};
        float *vector = vectors + (uint64_t)i * dim;
        qn_status s =
            qn_model_encode(&tokens, g->model, t->items[i], strlen(t->items[i]), QN_ENCODE_BOS);
        if (s == QN_OK && !tokens.n)
            s = qn__fail(QN_E_INVALID, "no tokens");
        if (s == QN_OK)
            s = embed(vector, sum, g, v, &tokens);
        n_tokens[i] = tokens.n;
        free(tokens.ids);
        if (s != QN_OK)
            status = qn__complain_status("text %u", i + 1);
        else if (!v->json)
            print_vector(vector, dim);
    }
    if (status == QN__EXIT_GOOD && v->json)
        status = print_json(g, v, vectors, n_tokens, t->n);
    free(vectors);
    free(sum);
    free(n_tokens);
    return status;
}

static int run(const void *values)
{
    struct values v = *(const struct values *)values;
    struct qn__generation g;
    struct texts t = {0};
    int status = QN__EXIT_FAILED;
    if ((v.prompts.n > 0) == (v.file != NULL))
        return qn__complain(QN__EXIT_USAGE, "embed: a --prompt or several, or a --file");
    v.g.rows = 64;
    if (!read_texts(&t, &v)) {
        free(t.items);
        free(t.file);
        return QN__EXIT_FAILED;
    }
    if (!t.n)
        status = qn__complain(QN__EXIT_FAILED, "%s: no text in it", v.file);
    else if (qn__generation_init(&g, &v.g, 0.0f, &status) && qn__generation_load(&g, &status))
        status = embed_all(&g, &v, &t);
    if (t.n)
        qn__generation_close(&g);
    free(t.items);
    free(t.file);
    return status;
}

const struct qn__command qn__cmd_embed = {
    .name = "embed",
    .brief = "texts as vectors",
    .about = "Each text's tokens go through the model; the states behind its last norm become one "
             "vector, printed on one line. Any model has such states; one that was trained for "
             "embeddings gives vectors that are alike where texts mean the same.",
    .sample = "embed model.gguf -p \"a dog\" -p \"a puppy\" --json\n"
              "embed model.gguf -f lines.txt --pooling last",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
