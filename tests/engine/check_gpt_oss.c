/* SPDX-License-Identifier: Apache-2.0
 *
 * gpt-oss: experts with biases and attention with sinks, in a prompt, token by token and in a batch
 * of two texts; each of its tensors is missed by name.
 *
 * covers: engine/experts engine/forward engine/model_weights
 */
#include "base/file.h"
#include "engine/gguf_write.h"
#include "engine/model_open.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

enum { N_IDS = 30, VOCAB = 512 };

static char *scratch;
static qn_model *model;

static const char *in_scratch(const char *name)
{
    static char path[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", scratch, name);
    return path[turn];
}

/* A window of 16: 30 tokens are more. */
static void make_model(void)
{
    must(qn__temp_dir_create(&scratch));
    const qn_model_random_options o = {.family = "gpt-oss",
                                       .dim = 64,
                                       .head_dim = 32,
                                       .n_heads = 4,
                                       .n_kv_heads = 2,
                                       .n_layers = 3,
                                       .n_ffn = 256,
                                       .n_vocab = VOCAB,
                                       .n_experts = 5,
                                       .n_experts_used = 2,
                                       .context = 64,
                                       .type = "mxfp4"};
    must(qn_model_random(in_scratch("model.gguf"), &o));
    must(qn_model_open(&model, in_scratch("model.gguf")));
}

static void drop_model(void)
{
    qn_model_close(model);
    qn__temp_dir_remove(scratch);
    free(scratch);
}

/* -- a copy of the model that is another one in one tensor -- */

struct copying {
    const struct qn__model_file *f;
    const char *drop, *narrow;
    const char *fill; /* the tensor whose numbers are all `value` */
    float value;
    const struct qn__tensor *tensors[128];
};

static qn_status copy(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct copying *c = context;
    const struct qn__tensor *t = c->tensors[tensor];
    memcpy(blocks, (const char *)t->data + qn__format_bytes(t->format, first),
           (size_t)qn__format_bytes(t->format, n));
    for (uint64_t i = 0; c->fill && strstr(t->name, c->fill) && i < n; i++)
        ((float *)blocks)[i] = c->value;
    return QN_OK;
}

static const char *write_copy(struct copying *c)
{
    struct qn__model_file *f;
    struct qn__gguf_writer w = {0};
    const char *path = in_scratch("copy.gguf");
    must(qn__model_file_open(&f, in_scratch("model.gguf")));
    for (uint32_t i = 0; i < qn__model_file_n_facts(f); i++)
        qn__gguf_copy_fact(&w, f, qn__model_file_fact(f, i));
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        uint64_t shape[4];
        memcpy(shape, t->shape, sizeof shape);
        if (c->drop && strcmp(t->name, c->drop) == 0)
            continue;
        shape[0] -= c->narrow && strcmp(t->name, c->narrow) == 0;
        c->tensors[w.n_tensors] = t;
        must(qn__gguf_add_tensor(&w, t->name, t->n_dims, shape, t->format));
    }
    must(qn__gguf_write(&w, path, copy, c, 1));
    qn__gguf_writer_release(&w);
    qn__model_file_close(f);
    return path;
}

/* -- logits -- */

static void make_ids(int32_t *ids, int32_t seed)
{
    for (int32_t i = 0; i < N_IDS; i++)
        ids[i] = (seed + i * 37) % (VOCAB - 3) + 3;
}

static qn_session *make(const qn_model *m, uint32_t sequences, const char *cache)
{
    qn_session *s;
    must(qn_session_create(&s, m, device,
                           &(qn_session_options){.context = 64,
                                                 .batch = 2 * N_IDS,
                                                 .sequences = sequences,
                                                 .exact = true,
                                                 .cache = cache}));
    return s;
}

static void logits_of(float *out, const qn_model *m, int32_t seed, int32_t last, bool one_by_one,
                      const char *cache)
{
    int32_t ids[N_IDS];
    const float *logits;
    qn_session *s = make(m, 1, cache);
    make_ids(ids, seed);
    if (last)
        ids[N_IDS - 1] = last;
    for (int i = 0; one_by_one && i < N_IDS; i++)
        must(qn_session_feed(s, &ids[i], 1));
    if (!one_by_one)
        must(qn_session_feed(s, ids, N_IDS));
    must(qn_session_logits(s, &logits));
    memcpy(out, logits, VOCAB * sizeof *out);
    qn_session_destroy(s);
}

static float distance(const float *a, const float *b)
{
    float largest = 0;
    for (int i = 0; i < VOCAB; i++)
        largest = fmaxf(largest, fabsf(a[i] - b[i]));
    return largest;
}

START_TEST(a_prompt_is_as_its_tokens_one_by_one)
{
    float whole[VOCAB], single[VOCAB];
    const char *const cache = _i ? "q8_0" : "f16";
    logits_of(whole, model, 5, 0, false, cache);
    logits_of(single, model, 5, 0, true, cache);
    ck_assert_msg(distance(whole, single) < logits_limit(_i ? 5e-3f : 2e-4f), "%s: %g", cache,
                  (double)distance(whole, single));
}
END_TEST

START_TEST(two_texts_in_a_batch_are_as_each_alone)
{
    float alone[VOCAB];
    int32_t ids[2][N_IDS];
    qn_session *s = make(model, 2, NULL);
    qn_batch_item items[2];
    for (uint32_t i = 0; i < 2; i++) {
        make_ids(ids[i], 5 + (int32_t)i * 100);
        items[i] = (qn_batch_item){.sequence = i, .ids = ids[i], .n = N_IDS, .n_rows = 1};
    }
    must(qn_session_feed_batch(s, items, 2, QN_ROWS_LOGITS));
    for (uint32_t i = 0; i < 2; i++) {
        const float *row;
        must(qn_session_row(s, i, &row));
        logits_of(alone, model, 5 + (int32_t)i * 100, 0, false, NULL);
        ck_assert_msg(distance(row, alone) < logits_limit(2e-4f), "%u: %g", i,
                      (double)distance(row, alone));
    }
    qn_session_destroy(s);
}
END_TEST

/* With a sink far above every score attention is nothing, so that only the last token counts; far
 * below, it is as without one. Neither is what the file's own sinks give. */
START_TEST(a_sink_takes_weight_from_the_past)
{
    enum { LAST = 77 };
    float has[VOCAB], above[VOCAB], below[VOCAB], other[VOCAB];
    struct copying c = {.fill = "attn_sinks", .value = 1000};
    qn_model *m;
    logits_of(has, model, 5, LAST, false, NULL);
    must(qn_model_open(&m, write_copy(&c)));
    logits_of(above, m, 5, LAST, false, NULL);
    logits_of(other, m, 9, LAST, true, NULL);
    ck_assert_msg(distance(above, other) < logits_limit(2e-4f), "%g",
                  (double)distance(above, other));
    qn_model_close(m);
    c.value = -1000;
    must(qn_model_open(&m, write_copy(&c)));
    logits_of(below, m, 5, LAST, false, NULL);
    logits_of(other, m, 9, LAST, false, NULL);
    ck_assert_msg(distance(below, other) > 0.05f, "%g", (double)distance(below, other));
    qn_model_close(m);
    ck_assert_msg(distance(has, above) > 0.05f, "%g", (double)distance(has, above));
    ck_assert_msg(distance(has, below) > 0.002f, "%g", (double)distance(has, below));
}
END_TEST

static const char *const needed[] = {
    "blk.1.attn_sinks.weight", "blk.1.ffn_gate_inp.bias",  "blk.1.ffn_gate_exps.bias",
    "blk.1.ffn_up_exps.bias",  "blk.1.ffn_down_exps.bias", "blk.1.post_attention_norm.weight"};

START_TEST(a_tensor_that_is_missing_or_of_another_shape_is_named)
{
    qn_model *m;
    struct copying without = {.drop = needed[_i]}, narrow = {.narrow = needed[_i]};
    must_not(QN_E_CORRUPT, qn_model_open(&m, write_copy(&without)));
    ck_assert_msg(strstr(qn_message(), needed[_i]) != NULL, "%s", qn_message());
    must_not(QN_E_CORRUPT, qn_model_open(&m, write_copy(&narrow)));
    ck_assert_msg(strstr(qn_message(), needed[_i]) != NULL, "%s", qn_message());
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_prompt_is_as_its_tokens_one_by_one, 2},
        {two_texts_in_a_batch_are_as_each_alone, 1},
        {a_sink_takes_weight_from_the_past, 1},
        {a_tensor_that_is_missing_or_of_another_shape_is_named, sizeof needed / sizeof needed[0]},
        {NULL, 0},
    };
    return fixture_run("gpt_oss", NULL, make_model, drop_model, cases);
}
