/* SPDX-License-Identifier: Apache-2.0
 *
 * LoRA adapters: what they add is what a model says whose weights had it added; files that do not
 * fit are refused by name.
 *
 * covers: engine/adapter_open engine/adapter_place engine/peft engine/session_file
 */
#include "base/file.h"
#include "base/str.h"
#include "base/wire.h"
#include "engine/gguf_write.h"
#include "engine/model_open.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>
#include <unistd.h>

enum { DIM = 64, HEAD = 16, FFN = 96, VOCAB = 256, RANK = 3, LAYERS = 2 };

static char *scratch;
static qn_model *model; /* llama, q8_0 */

static const char *in_scratch(const char *name)
{
    static char path[8][512];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", scratch, name);
    return path[turn];
}

/* -- an adapter's numbers -- */

static const struct {
    const char *ours, *theirs; /* of layer 1, or of no layer */
    uint32_t rows, n;
} adapted[] = {
    {"blk.1.attn_q.weight", "layers.1.self_attn.q_proj", DIM, DIM},
    {"blk.1.attn_k.weight", "layers.1.self_attn.k_proj", DIM, DIM},
    {"blk.1.attn_output.weight", "layers.1.self_attn.o_proj", DIM, DIM},
    {"blk.0.ffn_gate.weight", "layers.0.mlp.gate_proj", FFN, DIM},
    {"blk.0.ffn_down.weight", "layers.0.mlp.down_proj", DIM, FFN},
    {"token_embd.weight", "embed_tokens", VOCAB, DIM},
    {"output.weight", "lm_head", VOCAB, DIM},
};
enum { N_ADAPTED = sizeof adapted / sizeof adapted[0], EMBEDDING = 5 };

/* A number of a or b, of the adapter `seed`; what it is depends on nothing else. */
static float number(int seed, uint32_t i, bool is_b, uint32_t row, uint32_t column)
{
    const uint32_t x =
        ((uint32_t)seed * 31 + i * 7 + is_b) * 2654435761u + row * 40503u + column * 9973u;
    return ((float)(x * 2654435761u >> 20) / 4096.0f - 0.5f) * 0.6f;
}

/* Rows of an adapter are inputs and outputs; for the embedding inputs are tokens. */
static uint32_t inputs(uint32_t i)
{
    return i == EMBEDDING ? VOCAB : adapted[i].n;
}
static uint32_t outputs(uint32_t i)
{
    return i == EMBEDDING ? DIM : adapted[i].rows;
}

/* What the adapter adds to W[row][column], without a scale. */
static float addition(int seed, uint32_t i, uint32_t row, uint32_t column)
{
    const uint32_t out = i == EMBEDDING ? column : row, in = i == EMBEDDING ? row : column;
    float sum = 0;
    for (uint32_t r = 0; r < RANK; r++)
        sum += number(seed, i, true, out, r) * number(seed, i, false, r, in);
    return sum;
}

/* -- files -- */

struct change {
    const char *text_key, *text; /* a fact that is another one; NULL: none */
    const char *drop;            /* a tensor or fact that is left out */
    const char *rename, *to;
    const char *narrow; /* a tensor whose rows are one element shorter */
    const char *spoil;  /* one whose first number is infinite */
};

struct written {
    struct {
        uint32_t i;
        bool is_b, is_narrow, is_spoiled;
    } tensors[2 * N_ADAPTED];
    int seed;
};

static qn_status fill(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct written *w = context;
    const uint32_t i = w->tensors[tensor].i;
    const bool is_b = w->tensors[tensor].is_b, by_token = i == EMBEDDING && !is_b;
    const uint32_t width =
        (is_b || by_token ? RANK : inputs(i)) - (uint32_t)w->tensors[tensor].is_narrow;
    float *out = blocks;
    for (uint64_t at = first; at < first + n; at++) {
        const uint32_t row = (uint32_t)(at / width), column = (uint32_t)(at % width);
        out[at - first] = by_token ? number(w->seed, i, is_b, column, row)
                                   : number(w->seed, i, is_b, row, column);
        if (at == 0 && w->tensors[tensor].is_spoiled)
            out[0] = INFINITY;
    }
    return QN_OK;
}

static bool is(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static const char *write_adapter(const char *file, int seed, float alpha, const struct change *c)
{
    static const char *const facts[][2] = {{"general.type", "adapter"},
                                           {"general.architecture", "llama"},
                                           {"general.name", "tone"},
                                           {"adapter.type", "lora"}};
    struct qn__gguf_writer w = {0};
    struct written written = {.seed = seed};
    const char *path = in_scratch(file);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (!is(c->drop, facts[i][0]))
            qn__gguf_add_text(&w, facts[i][0],
                              is(c->text_key, facts[i][0]) ? c->text : facts[i][1]);
    if (!is(c->drop, "adapter.lora.alpha"))
        qn__gguf_add_f32(&w, "adapter.lora.alpha", alpha);
    if (c->text_key && strstr(c->text_key, "adapter.") && !is(c->text_key, "adapter.type"))
        qn__gguf_add_text(&w, c->text_key, c->text);
    for (uint32_t i = 0; i < 2 * N_ADAPTED; i++) {
        const uint32_t which = i / 2, by_token = which == EMBEDDING && i % 2 == 0;
        uint64_t shape[4] = {i % 2 || by_token ? RANK : inputs(which),
                             i % 2      ? outputs(which)
                             : by_token ? VOCAB
                                        : RANK,
                             1, 1};
        char name[96];
        snprintf(name, sizeof name, "%s.%s", adapted[which].ours, i % 2 ? "lora_b" : "lora_a");
        if (is(c->drop, name))
            continue;
        written.tensors[w.n_tensors].i = which;
        written.tensors[w.n_tensors].is_b = i % 2;
        written.tensors[w.n_tensors].is_narrow = is(c->narrow, name);
        written.tensors[w.n_tensors].is_spoiled = is(c->spoil, name);
        shape[0] -= is(c->narrow, name);
        must(qn__gguf_add_tensor(&w, is(c->rename, name) ? c->to : name, 2, shape,
                                 qn__format_get(QN__FORMAT_f32)));
    }
    must(qn__gguf_write(&w, path, fill, &written, 1));
    qn__gguf_writer_release(&w);
    return path;
}

static qn_adapter *adapter_of(const qn_model *m, int seed, float alpha)
{
    qn_adapter *a;
    char name[32];
    snprintf(name, sizeof name, "adapter%d.gguf", seed);
    must(qn_adapter_open(&a, m, write_adapter(name, seed, alpha, &(struct change){0})));
    return a;
}

/* -- the model with the additions in its weights -- */

struct merging {
    const struct qn__model_file *f;
    int seed;
    float scale;
};

static qn_status fill_merged(void *blocks, void *context, uint32_t tensor, uint64_t first,
                             uint64_t n)
{
    const struct merging *m = context;
    const struct qn__tensor *t = qn__model_file_tensor(m->f, tensor);
    float *out = blocks;
    t->format->unpack(out, (const char *)t->data + qn__format_bytes(t->format, first), n);
    for (uint32_t i = 0; i < N_ADAPTED; i++)
        for (uint64_t at = first; is(adapted[i].ours, t->name) && at < first + n; at++)
            out[at - first] += m->scale * addition(m->seed, i, (uint32_t)(at / t->shape[0]),
                                                   (uint32_t)(at % t->shape[0]));
    return QN_OK;
}

static qn_model *merge(const char *source, int seed, float scale)
{
    struct qn__model_file *f;
    struct qn__gguf_writer w = {0};
    const char *path = in_scratch("merged.gguf");
    qn_model *merged;
    must(qn__model_file_open(&f, source));
    struct merging m = {.f = f, .seed = seed, .scale = scale};
    for (uint32_t i = 0; i < qn__model_file_n_facts(f); i++)
        qn__gguf_copy_fact(&w, f, qn__model_file_fact(f, i));
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        must(qn__gguf_add_tensor(&w, t->name, t->n_dims, t->shape, qn__format_get(QN__FORMAT_f32)));
    }
    must(qn__gguf_write(&w, path, fill_merged, &m, 1));
    qn__gguf_writer_release(&w);
    qn__model_file_close(f);
    must(qn_model_open(&merged, path));
    return merged;
}

/* -- running -- */

static const int32_t ids[] = {5, 9, 200, 31, 77, 3, 150, 4};
enum { N_IDS = sizeof ids / sizeof ids[0] };

static void logits_of(float *out, const qn_model *m, const qn_session_adapter *adapters, uint32_t n,
                      bool one_by_one)
{
    const qn_session_options o = {
        .context = 32, .batch = 16, .exact = true, .adapters = adapters, .n_adapters = n};
    qn_session *s;
    const float *logits;
    must(qn_session_create(&s, m, device, &o));
    for (uint32_t i = 0; one_by_one && i < N_IDS; i++)
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
    for (uint32_t i = 0; i < VOCAB; i++)
        largest = fmaxf(largest, fabsf(a[i] - b[i]));
    return largest;
}

static void make_model(void)
{
    must(qn__temp_dir_create(&scratch));
    must(qn_model_random(in_scratch("model.gguf"),
                         &(qn_model_random_options){.family = "llama",
                                                    .dim = DIM,
                                                    .head_dim = HEAD,
                                                    .n_heads = DIM / HEAD,
                                                    .n_kv_heads = DIM / HEAD,
                                                    .n_layers = LAYERS,
                                                    .n_ffn = FFN,
                                                    .n_vocab = VOCAB,
                                                    .context = 64,
                                                    .type = "q8_0"}));
    must(qn_model_open(&model, in_scratch("model.gguf")));
}

static void drop_model(void)
{
    qn_model_close(model);
    qn__temp_dir_remove(scratch);
    free(scratch);
}

/* alpha / rank times the session's scale, in a prompt and token by token */
START_TEST(an_adapter_is_as_if_it_were_in_the_weights)
{
    float plain[VOCAB], want[VOCAB], got[VOCAB];
    qn_adapter *a = adapter_of(model, 1, 2 * RANK);
    const qn_session_adapter list[] = {{a, 0.75f}};
    qn_model *merged = merge(in_scratch("model.gguf"), 1, 1.5f);
    logits_of(plain, model, NULL, 0, false);
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        logits_of(want, merged, NULL, 0, one_by_one);
        logits_of(got, model, list, 1, one_by_one);
        ck_assert_msg(distance(want, got) < logits_limit(2e-4f), "%g", (double)distance(want, got));
        ck_assert_msg(distance(plain, got) > 0.1f, "%g", (double)distance(plain, got));
    }
    ck_assert_uint_eq(qn_adapter_get_info(a)->n_matrices, N_ADAPTED);
    ck_assert_uint_eq(qn_adapter_get_info(a)->rank, RANK);
    ck_assert_str_eq(qn_adapter_get_info(a)->name, "tone");
    qn_model_close(merged);
    qn_adapter_close(a);
}
END_TEST

START_TEST(several_adapters_add_up_and_a_scale_of_0_adds_nothing)
{
    float twice[VOCAB], sum[VOCAB], none[VOCAB], plain[VOCAB];
    qn_adapter *a = adapter_of(model, 1, RANK), *b = adapter_of(model, 2, RANK);
    const qn_session_adapter half[] = {{a, 0.5f}, {b, 0}, {a, 0.5f}}, whole[] = {{a, 1}};
    const qn_session_adapter zeros[] = {{a, 0}, {b, 0}}, both[] = {{a, 1}, {b, 1}};
    logits_of(twice, model, half, 3, false);
    logits_of(sum, model, whole, 1, false);
    ck_assert_msg(distance(twice, sum) < 1e-4f, "%g", (double)distance(twice, sum));
    logits_of(sum, model, both, 2, false);
    ck_assert_msg(distance(twice, sum) > 0.05f, "%g", (double)distance(twice, sum));
    logits_of(none, model, zeros, 2, true);
    logits_of(plain, model, NULL, 0, true);
    ck_assert_msg(distance(none, plain) == 0, "%g", (double)distance(none, plain));
    qn_adapter_close(a);
    qn_adapter_close(b);
}
END_TEST

/* An alpha of 0 in GGUF files: nothing is divided. */
START_TEST(without_alpha_it_is_added_as_it_is)
{
    float none[VOCAB], rank[VOCAB];
    qn_adapter *a = adapter_of(model, 1, 0), *b = adapter_of(model, 2, RANK);
    qn_adapter_close(b);
    b = adapter_of(model, 1, RANK);
    logits_of(none, model, &(qn_session_adapter){a, 1}, 1, false);
    logits_of(rank, model, &(qn_session_adapter){b, 1}, 1, false);
    ck_assert_msg(distance(none, rank) == 0, "%g", (double)distance(none, rank));
    qn_adapter_close(a);
    qn_adapter_close(b);
}
END_TEST

/* -- PEFT's files -- */

/* PEFT's row of a head that is GGUF's row `row`, where rows are interleaved. */
static uint32_t row_in_gguf(uint32_t i, uint32_t row)
{
    const uint32_t at = row % HEAD;
    return i < 2 ? row - at + at % (HEAD / 2) * 2 + at / (HEAD / 2) : row;
}

static void write_peft(const char *folder, int seed, const char *config)
{
    struct qn__str header = {0}, data = {0}, file = {0};
    char path[600];
    unsigned char size[8];
    qn__str_add(&header, "{");
    for (uint32_t k = 0; k < 2 * N_ADAPTED; k++) {
        const uint32_t i = k / 2, rows = k % 2 ? outputs(i) : RANK, n = k % 2 ? RANK : inputs(i);
        qn__str_printf(&header,
                       "%s\"base_model.model.%s%s.lora_%s%s%s\": {\"dtype\": \"F32\", \"shape\": "
                       "[%u, %u], \"data_offsets\": [%zu, %zu]}",
                       k ? ", " : "", i == N_ADAPTED - 1 ? "" : "model.", adapted[i].theirs,
                       i == EMBEDDING ? "embedding_" : "", k % 2 ? "B" : "A",
                       i == EMBEDDING ? "" : ".weight", rows, n, data.len,
                       data.len + (size_t)rows * n * sizeof(float));
        for (uint32_t at = 0; at < rows * n; at++) {
            const uint32_t row = k % 2 ? row_in_gguf(i, at / n) : at / n;
            const float value = number(seed, i, k % 2, row, at % n);
            qn__str_add_bytes(&data, (const char *)&value, sizeof value);
        }
    }
    qn__str_add(&header, "}");
    qn__str_add_repeat(&header, ' ', (8 - header.len % 8) % 8);
    qn__put_u64(size, header.len);
    qn__str_add_bytes(&file, (const char *)size, sizeof size);
    qn__str_add_bytes(&file, header.text, header.len);
    qn__str_add_bytes(&file, data.text, data.len);
    must(qn__file_make_dirs(folder, 0700));
    snprintf(path, sizeof path, "%s/adapter_model.safetensors", folder);
    must(qn__file_write_atomic(path, file.text, file.len, 0600));
    snprintf(path, sizeof path, "%s/adapter_config.json", folder);
    must(qn__file_write_atomic(path, config, strlen(config), 0600));
    qn__str_release(&header);
    qn__str_release(&data);
    qn__str_release(&file);
}

START_TEST(an_adapter_of_peft_is_the_same)
{
    float want[VOCAB], got[VOCAB];
    qn_adapter *a = adapter_of(model, 3, 4), *b;
    write_peft(in_scratch("peft"), 3, "{\"peft_type\": \"LORA\", \"lora_alpha\": 4, \"r\": 3}");
    logits_of(want, model, &(qn_session_adapter){a, 1}, 1, false);
    static const char *const paths[] = {"peft", "peft/adapter_model.safetensors",
                                        "peft/adapter_config.json"};
    for (int i = 0; i < 3; i++) {
        must(qn_adapter_open(&b, model, in_scratch(paths[i])));
        logits_of(got, model, &(qn_session_adapter){b, 1}, 1, false);
        ck_assert_msg(distance(want, got) == 0, "%s: %g", paths[i], (double)distance(want, got));
        qn_adapter_close(b);
    }
    qn_adapter_close(a);
}
END_TEST

START_TEST(rslora_divides_by_the_root)
{
    float want[VOCAB], got[VOCAB];
    qn_adapter *a = adapter_of(model, 3, 4), *b;
    write_peft(in_scratch("root"), 3,
               "{\"peft_type\": \"LORA\", \"lora_alpha\": 4, \"use_rslora\": true}");
    must(qn_adapter_open(&b, model, in_scratch("root")));
    logits_of(want, model, &(qn_session_adapter){a, sqrtf(RANK)}, 1, false);
    logits_of(got, model, &(qn_session_adapter){b, 1}, 1, false);
    ck_assert_msg(distance(want, got) < 1e-5f, "%g", (double)distance(want, got));
    qn_adapter_close(a);
    qn_adapter_close(b);
}
END_TEST

static const struct {
    const char *config, *says;
    qn_status status;
} configs[] = {
    {"{\"peft_type\": \"IA3\"}", "adapter_config.json: peft_type", QN_E_UNSUPPORTED},
    {"{\"r\": 3}", "peft_type is missing", QN_E_CORRUPT},
    {"{\"peft_type\": \"LORA\", \"lora_alpha\": \"x\"}", "lora_alpha is no number", QN_E_CORRUPT},
    {"{\"peft_type\": \"LORA\", \"use_dora\": true}", "use_dora", QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"bias\": \"all\"}", "bias", QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"fan_in_fan_out\": true}", "fan_in_fan_out", QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"alpha_pattern\": {\"q_proj\": 2}}", "alpha_pattern",
     QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"modules_to_save\": [\"lm_head\"]}", "modules_to_save",
     QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"init_lora_weights\": \"pissa\"}", "init_lora_weights",
     QN_E_UNSUPPORTED},
    {"{\"peft_type\": \"LORA\", \"layer_replication\": [[0, 1]]}", "layer_replication",
     QN_E_UNSUPPORTED},
};

START_TEST(what_peft_asks_for_besides_is_refused)
{
    qn_adapter *a;
    write_peft(in_scratch("other"), 3, configs[_i].config);
    must_not(configs[_i].status, qn_adapter_open(&a, model, in_scratch("other")));
    ck_assert_msg(strstr(qn_message(), configs[_i].says) != NULL, "%s", qn_message());
}
END_TEST

START_TEST(a_key_that_is_not_known_is_warned_of)
{
    qn_adapter *a;
    write_peft(in_scratch("new"), 3,
               "{\"peft_type\": \"LORA\", \"modules_to_save\": null, \"frobnicate\": 3}");
    must(qn_adapter_open(&a, model, in_scratch("new")));
    ck_assert_uint_eq(qn_adapter_count_warnings(a), 1);
    ck_assert_ptr_nonnull(strstr(qn_adapter_get_warning(a, 0), "frobnicate"));
    qn_adapter_close(a);
    remove(in_scratch("new/adapter_model.safetensors"));
    must_not(QN_E_NOT_FOUND, qn_adapter_open(&a, model, in_scratch("new")));
    ck_assert_msg(strstr(qn_message(), "adapter_model.safetensors") != NULL, "%s", qn_message());
}
END_TEST

/* -- files that do not fit -- */

#define Q_A "blk.1.attn_q.weight.lora_a"
#define Q_B "blk.1.attn_q.weight.lora_b"
static const struct {
    struct change change;
    qn_status status;
    const char *says;
} wrong[] = {
    {{.text_key = "general.type", .text = "model"}, QN_E_UNSUPPORTED, "no adapter"},
    {{.drop = "general.type"}, QN_E_UNSUPPORTED, "no adapter"},
    {{.text_key = "general.architecture", .text = "qwen2"}, QN_E_UNSUPPORTED, "family 'qwen2'"},
    {{.drop = "general.architecture"}, QN_E_NOT_FOUND, "general.architecture"},
    {{.text_key = "adapter.type", .text = "control"}, QN_E_UNSUPPORTED, "'control'"},
    {{.drop = "adapter.lora.alpha"}, QN_E_NOT_FOUND, "adapter.lora.alpha"},
    {{.text_key = "adapter.alora.invocation_tokens", .text = "x"},
     QN_E_UNSUPPORTED,
     "alora.invocation_tokens"},
    {{.drop = Q_B}, QN_E_CORRUPT, "'" Q_B "' is missing"},
    {{.drop = Q_A}, QN_E_CORRUPT, "'" Q_A "' is missing"},
    {{.narrow = Q_A}, QN_E_CORRUPT, "'" Q_A "' is (3, 63), not (rank, 64)"},
    {{.narrow = Q_B}, QN_E_CORRUPT, "ranks 3 and 2"},
    {{.narrow = "token_embd.weight.lora_a"}, QN_E_CORRUPT, "ranks 2 and 3"},
    {{.rename = Q_A, .to = "blk.1.attn_norm.weight"}, QN_E_UNSUPPORTED, "'blk.1.attn_norm.weight'"},
    {{.rename = Q_A, .to = "blk.9.attn_q.weight.lora_a"}, QN_E_CORRUPT, "blk.9.attn_q"},
};

START_TEST(a_file_that_does_not_fit_is_refused_by_name)
{
    qn_adapter *a;
    const char *path = write_adapter("wrong.gguf", 1, 2, &wrong[_i].change);
    must_not(wrong[_i].status, qn_adapter_open(&a, model, path));
    ck_assert_ptr_null(a);
    ck_assert_msg(strstr(qn_message(), wrong[_i].says) != NULL, "%s", qn_message());
    ck_assert_msg(strncmp(qn_message(), path, strlen(path)) == 0, "%s", qn_message());
}
END_TEST

START_TEST(a_session_refuses_what_cannot_be_computed_with)
{
    qn_session *s;
    qn_adapter *a;
    qn_model *other, *none;
    const char *path = write_adapter("spoilt.gguf", 1, 2, &(struct change){.spoil = Q_B});
    must(qn_adapter_open(&a, model, path));
    qn_session_options o = {
        .context = 16, .adapters = &(qn_session_adapter){a, 1}, .n_adapters = 1};
    must_not(QN_E_CORRUPT, qn_session_create(&s, model, device, &o));
    ck_assert_msg(strstr(qn_message(), Q_B) && strstr(qn_message(), "element 0 is infinite"), "%s",
                  qn_message());
    o.adapters = &(qn_session_adapter){a, NAN};
    must_not(QN_E_INVALID, qn_session_create(&s, model, device, &o));
    must(qn_model_open(&other, in_scratch("model.gguf")));
    must_not(QN_E_INVALID, qn_session_create(&s, other, device, &o));
    must_not(QN_E_UNSUPPORTED, qn_model_open(&none, path));
    ck_assert_msg(strstr(qn_message(), "--lora") != NULL, "%s", qn_message());
    qn_model_close(other);
    qn_adapter_close(a);
}
END_TEST

START_TEST(the_plan_has_their_bytes_and_they_are_allocated)
{
    qn_adapter *a = adapter_of(model, 1, 2);
    const qn_session_options o = {
        .context = 16, .batch = 8, .adapters = &(qn_session_adapter){a, 1}, .n_adapters = 1};
    qn_session_plan plan, without;
    qn_session *s;
    uint64_t least = 0;
    for (uint32_t i = 0; i < N_ADAPTED; i++)
        least += (uint64_t)RANK * (inputs(i) + outputs(i)) * sizeof(float);
    must(qn_session_plan_get(&plan, model, device, &o));
    must(qn_session_plan_get(&without, model, device,
                             &(qn_session_options){.context = 16, .batch = 8}));
    ck_assert_uint_eq(without.adapters_bytes, 0);
    ck_assert_uint_ge(plan.adapters_bytes, least);
    ck_assert_uint_eq(plan.peak_bytes, plan.weights_bytes + plan.cache_bytes +
                                           plan.activations_bytes + plan.adapters_bytes);
    must(qn_session_create(&s, model, device, &o));
    ck_assert_uint_eq(qn_session_get_info(s)->n_allocations, 4);
    qn_session_destroy(s);
    qn_adapter_close(a);
}
END_TEST

START_TEST(a_saved_prompt_knows_its_adapters)
{
    qn_adapter *a = adapter_of(model, 1, 2);
    const float scales[] = {1, 0.5f};
    const char *path = strdup(in_scratch("prompt"));
    qn_tokens loaded;
    for (int i = 0; i < 4; i++) { /* saved with scale 1; loaded with 0.5, without, with 1 */
        const qn_session_adapter list[] = {{a, scales[i == 1]}};
        qn_session *s;
        must(qn_session_create(
            &s, model, device,
            &(qn_session_options){.context = 16, .adapters = list, .n_adapters = i != 2}));
        if (i == 0) {
            must(qn_session_feed(s, ids, N_IDS));
            must(qn_session_save(s, path, ids, N_IDS));
        } else if (i < 3) {
            must_not(QN_E_UNSUPPORTED, qn_session_load(&loaded, s, path));
        } else {
            must(qn_session_load(&loaded, s, path));
            ck_assert_uint_eq(loaded.n, N_IDS);
            free(loaded.ids);
        }
        qn_session_destroy(s);
    }
    free(address_of(path));
    qn_adapter_close(a);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {an_adapter_is_as_if_it_were_in_the_weights, 1},
        {several_adapters_add_up_and_a_scale_of_0_adds_nothing, 1},
        {without_alpha_it_is_added_as_it_is, 1},
        {an_adapter_of_peft_is_the_same, 1},
        {rslora_divides_by_the_root, 1},
        {what_peft_asks_for_besides_is_refused, sizeof configs / sizeof configs[0]},
        {a_key_that_is_not_known_is_warned_of, 1},
        {a_file_that_does_not_fit_is_refused_by_name, sizeof wrong / sizeof wrong[0]},
        {a_session_refuses_what_cannot_be_computed_with, 1},
        {the_plan_has_their_bytes_and_they_are_allocated, 1},
        {a_saved_prompt_knows_its_adapters, 1},
        {NULL, 0},
    };
    return fixture_run("adapter", NULL, make_model, drop_model, cases);
}
