/* SPDX-License-Identifier: Apache-2.0
 *
 * Latent attention (DeepSeek): in a prompt, token by token and in a batch of two texts; a file with
 * keys' and values' matrices apart and heads' sizes under other keys, as newer converters write it,
 * gives the same logits; each of its tensors is missed by name.
 *
 * covers: engine/latent engine/model_weights engine/weight_upload
 */
#include "base/file.h"
#include "engine/gguf_write.h"
#include "engine/model_open.h"
#include "kernels/formats.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

/* HEAD: of queries and keys; the random model turns a third of it */
enum { N_IDS = 30, VOCAB = 512, HEADS = 2, HEAD = 48, TURNED = 16, VALUE = 32, RANK = 32 };

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

static void make_typed(const char *path, const char *type)
{
    const qn_model_random_options o = {.family = "deepseek2",
                                       .dim = 64,
                                       .head_dim = HEAD,
                                       .n_heads = HEADS,
                                       .n_layers = 3,
                                       .n_ffn = 256,
                                       .n_vocab = VOCAB,
                                       .n_experts = 5,
                                       .n_experts_used = 2,
                                       .context = 64,
                                       .type = type};
    must(qn_model_random(path, &o));
}

static void make_model(void)
{
    must(qn__temp_dir_create(&scratch));
    make_typed(in_scratch("model.gguf"), "f32");
    must(qn_model_open(&model, in_scratch("model.gguf")));
}

static void drop_model(void)
{
    qn_model_close(model);
    qn__temp_dir_remove(scratch);
    free(scratch);
}

/* -- a copy of the model that is another one -- */

struct copying {
    const char *from;
    const char *drop;        /* this tensor */
    const char *key;         /* this number becomes another: `value` */
    const char *more, *less; /* written besides (as `value`), and not written */
    uint32_t value;
    bool is_split; /* keys and values apart, the keys' turned */
    struct {
        const struct qn__tensor *t;
        bool keys, values;
    } tensors[128];
};

/* Of a head's HEAD - TURNED rows of keys and VALUE of values, all RANK long. */
static void fill_split(void *blocks, const struct qn__tensor *t, bool keys, uint64_t first,
                       uint64_t n)
{
    enum { PLAIN = HEAD - TURNED, BOTH = PLAIN + VALUE };
    float stored[HEADS * BOTH * RANK], out[HEADS * BOTH * RANK];
    t->format->unpack(stored, t->data, HEADS * BOTH * RANK);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = first + i, of_head = at % (PLAIN * RANK), head = at / (PLAIN * RANK);
        const uint64_t row = keys ? of_head % PLAIN : PLAIN + of_head / RANK;
        const uint64_t column = keys ? of_head / PLAIN : of_head % RANK;
        out[i] = stored[(head * BOTH + row) * RANK + column];
    }
    t->format->pack(blocks, out, n);
}

static qn_status copy(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct copying *c = context;
    const struct qn__tensor *t = c->tensors[tensor].t;
    if (c->tensors[tensor].keys || c->tensors[tensor].values)
        fill_split(blocks, t, c->tensors[tensor].keys, first, n);
    else
        memcpy(blocks, (const char *)t->data + qn__format_bytes(t->format, first),
               (size_t)qn__format_bytes(t->format, n));
    return QN_OK;
}

static void add_split(struct copying *c, struct qn__gguf_writer *w, const struct qn__tensor *t)
{
    for (int keys = 1; keys >= 0; keys--) {
        char name[64];
        const uint64_t shape[4] = {keys ? HEAD - TURNED : RANK, keys ? RANK : VALUE, HEADS, 1};
        snprintf(name, sizeof name, "%.*sattn_%c_b.weight", 6, t->name, keys ? 'k' : 'v');
        c->tensors[w->n_tensors].t = t;
        c->tensors[w->n_tensors].keys = keys;
        c->tensors[w->n_tensors].values = !keys;
        must(qn__gguf_add_tensor(w, name, 3, shape, t->format));
    }
}

static const char *write_copy(struct copying *c)
{
    struct qn__model_file *f;
    struct qn__gguf_writer w = {0};
    const char *path = in_scratch("copy.gguf");
    must(qn__model_file_open(&f, in_scratch(c->from ? c->from : "model.gguf")));
    for (uint32_t i = 0; i < qn__model_file_n_facts(f); i++) {
        const struct qn__fact *fact = qn__model_file_fact(f, i);
        const char *rest = strncmp(fact->key, "deepseek2.", 10) == 0 ? fact->key + 10 : "";
        const bool is_short = c->is_split && (!strcmp(rest, "attention.head_count_kv") ||
                                              !strcmp(rest, "attention.key_length") ||
                                              !strcmp(rest, "attention.value_length"));
        if (*rest && c->key && strcmp(rest, c->key) == 0)
            qn__gguf_add_u32(&w, fact->key, c->value);
        else if (!is_short && !(*rest && c->less && strcmp(rest, c->less) == 0))
            qn__gguf_copy_fact(&w, f, fact);
    }
    if (c->more)
        qn__gguf_add_u32(&w, c->more, c->value);
    if (c->is_split) {
        qn__gguf_add_u32(&w, "deepseek2.attention.head_count_kv", 1);
        qn__gguf_add_u32(&w, "deepseek2.attention.key_length", RANK + TURNED);
        qn__gguf_add_u32(&w, "deepseek2.attention.value_length", RANK);
        qn__gguf_add_u32(&w, "deepseek2.attention.key_length_mla", HEAD);
        qn__gguf_add_u32(&w, "deepseek2.attention.value_length_mla", VALUE);
    }
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        if (c->drop && strcmp(t->name, c->drop) == 0)
            continue;
        if (c->is_split && strstr(t->name, ".attn_kv_b.")) {
            add_split(c, &w, t);
            continue;
        }
        c->tensors[w.n_tensors].t = t;
        c->tensors[w.n_tensors].keys = c->tensors[w.n_tensors].values = false;
        must(qn__gguf_add_tensor(&w, t->name, t->n_dims, t->shape, t->format));
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

static qn_session *make(const qn_model *m, uint32_t sequences, const char *cache,
                        uint32_t streamed_layers)
{
    qn_session *s;
    must(qn_session_create(&s, m, device,
                           &(qn_session_options){.context = 64,
                                                 .batch = 2 * N_IDS,
                                                 .sequences = sequences,
                                                 .exact = true,
                                                 .streamed_layers = streamed_layers,
                                                 .cache = cache}));
    return s;
}

static void logits_of(float *out, const qn_model *m, int32_t seed, bool one_by_one,
                      const char *cache, uint32_t streamed_layers)
{
    int32_t ids[N_IDS];
    const float *logits;
    qn_session *s = make(m, 1, cache, streamed_layers);
    make_ids(ids, seed);
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
    float whole[VOCAB], single[VOCAB], streamed[VOCAB];
    logits_of(whole, model, 5, false, "f16", 0);
    logits_of(single, model, 5, true, "f16", 0);
    ck_assert_msg(distance(whole, single) < 2e-4f, "%g", (double)distance(whole, single));
    logits_of(streamed, model, 5, false, "f16", 2);
    ck_assert_msg(distance(whole, streamed) == 0.0f, "%g", (double)distance(whole, streamed));
    logits_of(single, model, 6, true, "f16", 0);
    ck_assert_msg(distance(whole, single) > 0.05f, "%g", (double)distance(whole, single));
}
END_TEST

START_TEST(two_texts_in_a_batch_are_as_each_alone)
{
    float alone[VOCAB];
    int32_t ids[2][N_IDS];
    qn_session *s = make(model, 2, NULL, 0);
    qn_batch_item items[2];
    for (uint32_t i = 0; i < 2; i++) {
        make_ids(ids[i], 5 + (int32_t)i * 100);
        items[i] = (qn_batch_item){.sequence = i, .ids = ids[i], .n = N_IDS, .n_rows = 1};
    }
    must(qn_session_feed_batch(s, items, 2, QN_ROWS_LOGITS));
    for (uint32_t i = 0; i < 2; i++) {
        const float *row;
        must(qn_session_row(s, i, &row));
        logits_of(alone, model, 5 + (int32_t)i * 100, false, NULL, 0);
        ck_assert_msg(distance(row, alone) < 2e-4f, "%u: %g", i, (double)distance(row, alone));
    }
    qn_session_destroy(s);
}
END_TEST

/* In f32 and f16 to the last bit; of q8_0 the keys' matrix is packed along the other axis. */
static const struct {
    const char *type;
    float limit;
} split_types[] = {{"f32", 0}, {"f16", 0}, {"bf16", 0}, {"q8_0", 0.3f}};

START_TEST(matrices_apart_give_what_one_gives)
{
    float one[VOCAB], apart[VOCAB];
    qn_model *whole, *split;
    make_typed(in_scratch("typed.gguf"), split_types[_i].type);
    struct copying c = {.from = "typed.gguf", .is_split = true};
    must(qn_model_open(&whole, in_scratch("typed.gguf")));
    must(qn_model_open(&split, write_copy(&c)));
    for (uint32_t streamed = 0; streamed < 3; streamed += 2) {
        logits_of(one, whole, 5, false, NULL, 0);
        logits_of(apart, split, 5, false, NULL, streamed);
        ck_assert_msg(distance(one, apart) <= split_types[_i].limit, "%s: %g", split_types[_i].type,
                      (double)distance(one, apart));
    }
    qn_model_close(whole);
    qn_model_close(split);
}
END_TEST

START_TEST(a_tensor_that_is_missing_is_named)
{
    static const char *const needed[] = {
        "blk.1.attn_q.weight",         "blk.1.attn_kv_a_mqa.weight",  "blk.1.attn_kv_a_norm.weight",
        "blk.0.ffn_gate.weight",       "blk.1.ffn_gate_exps.weight",  "blk.1.ffn_up_shexp.weight",
        "blk.2.ffn_gate_shexp.weight", "blk.2.ffn_down_shexp.weight", "blk.1.attn_output.weight"};
    qn_model *m;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        struct copying without = {.drop = needed[i]};
        must_not(QN_E_CORRUPT, qn_model_open(&m, write_copy(&without)));
        /* a block without a gate may have it in ffn_up, which is too small then */
        const char *named = i == 3   ? "blk.0.ffn_up.weight"
                            : i == 4 ? "blk.1.ffn_gate.0.weight" /* as folders have experts */
                                     : needed[i];
        ck_assert_msg(strstr(qn_message(), named) != NULL, "%s: %s", needed[i], qn_message());
    }
}
END_TEST

static const struct {
    const char *key, *more, *less;
    uint32_t value;
    qn_status status;
    const char *text;
} bad[] = {
    {"attention.kv_lora_rank", NULL, NULL, 40, QN_E_CORRUPT, "attn_kv_a_mqa"},
    {NULL, NULL, "attention.kv_lora_rank", 0, QN_E_NOT_FOUND, "attention.kv_lora_rank"},
    {"rope.dimension_count", NULL, NULL, HEAD, QN_E_CORRUPT, "not turned"},
    {"attention.value_length", NULL, NULL, HEAD + 8, QN_E_CORRUPT, "of values"},
    {"leading_dense_block_count", NULL, NULL, 2, QN_E_CORRUPT, "blk.1.ffn_up"},
    {"expert_shared_count", NULL, NULL, 3, QN_E_CORRUPT, "blk.1.ffn_gate_shexp"},
    {NULL, "deepseek2.expert_gating_func", NULL, 2, QN_E_UNSUPPORTED, "expert_gating_func"},
    {NULL, "deepseek2.expert_group_count", NULL, 8, QN_E_UNSUPPORTED, "expert_group_count"},
    {NULL, "deepseek2.attention.q_lora_rank", NULL, 32, QN_E_CORRUPT, "blk.0.attn_q_a.weight"},
};

START_TEST(what_does_not_fit_is_named)
{
    qn_model *m;
    struct copying c = {
        .key = bad[_i].key, .more = bad[_i].more, .less = bad[_i].less, .value = bad[_i].value};
    must_not(bad[_i].status, qn_model_open(&m, write_copy(&c)));
    ck_assert_msg(strstr(qn_message(), bad[_i].text) != NULL, "%s", qn_message());
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_prompt_is_as_its_tokens_one_by_one, 1},
        {two_texts_in_a_batch_are_as_each_alone, 1},
        {matrices_apart_give_what_one_gives, sizeof split_types / sizeof split_types[0]},
        {a_tensor_that_is_missing_is_named, 1},
        {what_does_not_fit_is_named, sizeof bad / sizeof bad[0]},
        {NULL, 0},
    };
    return fixture_run("latent", NULL, make_model, drop_model, cases);
}
