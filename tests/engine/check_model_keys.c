/* SPDX-License-Identifier: Apache-2.0
 *
 * What the keys of a model file mean: one that is absent has the family's published value or is
 * missed by name, one that is there and not computed is refused, one that is not known is warned
 * of.
 *
 * covers: engine/model_keys engine/hf_keys engine/model_shape engine/hf_config engine/opened_model
 */
#include "engine/gguf_write.h"
#include "engine/hf_keys.h"
#include "engine/model_build.h"
#include "engine/model_open.h"
#include "engine/model_shape.h"
#include "tests/rtc_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

/* -- GGUF: a random model with some keys changed -- */

enum kind { END, DROP, U32, F32, BOOL, TEXT, LAYERS };
struct change {
    enum kind kind;
    const char *key; /* behind the family */
    double number;
    const char *text; /* LAYERS: "10" for each layer */
};

static const struct qn__model_file *source;

static qn_status copy_tensor(void *blocks, void *context, uint32_t tensor, uint64_t first,
                             uint64_t n)
{
    (void)context;
    if (tensor >= qn__model_file_n_tensors(source)) { /* a factor */
        for (uint64_t i = 0; i < n; i++)
            ((float *)blocks)[i] = 2.0f + (float)(first + i);
        return QN_OK;
    }
    const struct qn__tensor *t = qn__model_file_tensor(source, tensor);
    memcpy(blocks, (const char *)t->data + qn__format_bytes(t->format, first),
           (size_t)qn__format_bytes(t->format, n));
    return QN_OK;
}

static bool is_changed(const char *family, const char *key, const struct change *c)
{
    for (; c->kind != END; c++)
        if (qn__starts_with(key, family) && !strcmp(key + strlen(family) + 1, c->key))
            return true;
    return false;
}

static void put_change(struct qn__gguf_writer *w, const char *family, const struct change *c)
{
    char key[128];
    snprintf(key, sizeof key, "%s.%s", family, c->key);
    switch (c->kind) {
    case U32: qn__gguf_add_u32(w, key, (uint32_t)c->number); break;
    case F32: qn__gguf_add_f32(w, key, (float)c->number); break;
    case BOOL: qn__gguf_add_bool(w, key, c->number != 0); break;
    case TEXT: qn__gguf_add_text(w, key, c->text); break;
    case LAYERS:
        qn__gguf_begin_array(w, key, 7, strlen(c->text));
        for (size_t i = 0; c->text[i]; i++)
            qn__gguf_put_number(w, c->text[i] == '1', 1);
        break;
    case DROP:
    case END: break;
    }
}

/* A small model of the family with these changes; with_factors: longrope's tensors. The path is the
 * same each time. */
static const char *changed(const char *family, uint32_t n_layers, uint32_t context,
                           const struct change *changes, bool with_factors)
{
    static char path[512], out[512];
    snprintf(path, sizeof path, "%s", in_scratch("random.gguf"));
    snprintf(out, sizeof out, "%s", in_scratch("changed.gguf"));
    struct qn__model_file *f;
    struct qn__gguf_writer w = {0};
    must(qn_model_random(path, &(qn_model_random_options){.family = family,
                                                          .dim = 64,
                                                          .head_dim = 16,
                                                          .n_layers = n_layers,
                                                          .n_ffn = 64,
                                                          .context = context,
                                                          .type = "f32"}));
    must(qn__model_file_open(&f, path));
    for (uint32_t i = 0; i < qn__model_file_n_facts(f); i++) {
        const struct qn__fact *fact = qn__model_file_fact(f, i);
        if (!is_changed(family, fact->key, changes))
            qn__gguf_copy_fact(&w, f, fact);
    }
    for (const struct change *c = changes; c->kind != END; c++)
        put_change(&w, family, c);
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        must(qn__gguf_add_tensor(&w, t->name, t->n_dims, t->shape, t->format));
    }
    const uint64_t pairs[4] = {8, 1, 1, 1};
    static const char *const factors[] = {"rope_factors_long.weight", "rope_factors_short.weight"};
    for (int i = 0; with_factors && i < 2; i++)
        must(qn__gguf_add_tensor(&w, factors[i], 1, pairs, qn__format_get(QN__FORMAT_f32)));
    source = f;
    must(qn__gguf_write(&w, out, copy_tensor, NULL, 1));
    qn__gguf_writer_release(&w);
    qn__model_file_close(f);
    return out;
}

struct fact_case {
    const char *name, *family;
    struct change changes[4];
    qn_status status;
    const char *says;
};

#define REFUSED(family, kind, key, number)                                                         \
    {key, family, {{kind, key, number, NULL}}, QN_E_UNSUPPORTED, key}
static const struct fact_case refused[] = {
    REFUSED("llama", BOOL, "attention.causal", 0),
    REFUSED("gemma3", BOOL, "attention.causal", 0),
    REFUSED("llama", F32, "attention.clamp_kqv", 8),
    REFUSED("llama", F32, "attention.max_alibi_bias", 8),
    REFUSED("llama", F32, "attention.output_scale", 0.5),
    REFUSED("llama", F32, "attention.value_scale", 0.5),
    REFUSED("llama", F32, "attention.temperature_scale", 0.1),
    REFUSED("qwen3", U32, "attention.shared_kv_layers", 2),
    REFUSED("qwen3", LAYERS, "attention.recurrent_layers", 0),
    REFUSED("gemma3", U32, "attention.key_length_swa", 8),
    REFUSED("llama", U32, "attention.q_lora_rank", 8),
    REFUSED("llama", U32, "full_attention_interval", 4),
    REFUSED("llama", F32, "embedding_scale", 12),
    REFUSED("llama", F32, "residual_scale", 0.22),
    REFUSED("llama", F32, "logit_scale", 8),
    REFUSED("llama", F32, "router_logit_softcapping", 30),
    REFUSED("llama", BOOL, "use_parallel_residual", 1),
    REFUSED("llama", U32, "embedding_length_out", 32),
    REFUSED("qwen3", U32, "nextn_predict_layers", 1),
    REFUSED("llama", U32, "leading_dense_block_count", 1),
    REFUSED("llama", U32, "expert_shared_count", 1),
    REFUSED("qwen3moe", U32, "expert_gating_func", 2),
    REFUSED("qwen3moe", F32, "expert_weights_scale", 2.5),
    REFUSED("qwen3moe", U32, "expert_group_count", 4),
    REFUSED("llama", U32, "interleave_moe_layer_step", 2),
    REFUSED("phi3", F32, "rope.scaling.alpha", 1000),
    REFUSED("llama", F32, "rope.scaling.yarn_log_multiplier", 0.1),
    REFUSED("llama", F32, "rope.scaling.yarn_ext_factor", 0.5),
    REFUSED("granite", BOOL, "rope.scaling.finetuned", 0),
    REFUSED("qwen2", U32, "n_deepstack_layers", 3),
    {"a kind of stretching",
     "llama",
     {{TEXT, "rope.scaling.type", 0, "dynamic"}},
     QN_E_UNSUPPORTED,
     "rope.scaling.type 'dynamic'"},
    {"an activation",
     "llama",
     {{TEXT, "hidden_activation", 0, "relu"}},
     QN_E_UNSUPPORTED,
     "hidden_activation"},
    {"layers of two widths",
     "llama",
     {{LAYERS, "feed_forward_length", 0, "10"}},
     QN_E_CORRUPT,
     "feed_forward_length"},
    {"too few layers",
     "gemma3",
     {{LAYERS, "attention.sliding_window_pattern", 0, "1"}},
     QN_E_CORRUPT,
     "sliding_window_pattern has 1 elements for 2 layers"},
    {"no eps",
     "llama",
     {{DROP, "attention.layer_norm_rms_epsilon", 0, NULL}},
     QN_E_CORRUPT,
     "layer_norm_rms_epsilon"},
    {"no context", "qwen2", {{DROP, "context_length", 0, NULL}}, QN_E_NOT_FOUND, "context_length"},
    {"no divisor of logits",
     "granite",
     {{DROP, "logit_scale", 0, NULL}},
     QN_E_CORRUPT,
     "logit_scale"},
    {"yarn that shrinks",
     "llama",
     {{TEXT, "rope.scaling.type", 0, "yarn"}, {F32, "rope.scaling.factor", 0.5, NULL}},
     QN_E_CORRUPT,
     "rope.scaling.factor"},
    {"what changes nothing",
     "llama",
     {{BOOL, "attention.causal", 1, NULL},
      {F32, "logit_scale", 1, NULL},
      {BOOL, "rope.scaling.finetuned", 1, NULL}},
     QN_OK,
     NULL},
    {"no window pattern of layers that have none",
     "qwen2",
     {{LAYERS, "attention.recurrent_layers", 0, "00"}},
     QN_OK,
     NULL},
};

START_TEST(a_key_that_is_not_computed_is_refused)
{
    struct fact_case c = refused[_i];
    qn_model *m;
    if (c.changes[0].kind == LAYERS && !c.changes[0].text)
        c.changes[0].text = "01";
    const qn_status s = qn_model_open(&m, changed(c.family, 2, 64, c.changes, false));
    ck_assert_msg(s == c.status, "%s %s: %s: %s", c.family, c.name, qn_status_name(s),
                  qn_message());
    if (c.says)
        says(qn_message(), c.says);
    if (s == QN_OK)
        ck_assert_uint_eq(qn_model_count_warnings(m), 0);
    qn_model_close(m);
}
END_TEST

START_TEST(a_key_that_is_not_known_is_warned_of)
{
    const struct change changes[] = {{U32, "attention.novel_thing", 3, NULL}, {END, "", 0, NULL}};
    qn_model *m;
    must(qn_model_open(&m, changed("qwen2", 2, 64, changes, false)));
    ck_assert_uint_eq(qn_model_count_warnings(m), 1);
    says(qn_model_get_warning(m, 0), "'qwen2.attention.novel_thing' is not known");
    qn_model_close(m);
}
END_TEST

/* -- what absence means -- */

static void read_config(struct qn__config *c, const char *path)
{
    struct qn__model_file *f;
    must(qn__model_file_open(&f, path));
    must(qn__config_read(c, f));
    qn__model_file_close(f);
}

#define NEAR(got, want)                                                                            \
    ck_assert_msg(fabs((double)(got) - (want)) <= 1e-5 * (want), "%g", (double)(got))

START_TEST(soft_caps_of_gemma2_need_not_be_written)
{
    const struct change none[] = {{DROP, "attn_logit_softcapping", 0, NULL},
                                  {DROP, "final_logit_softcapping", 0, NULL},
                                  {DROP, "attention.sliding_window", 0, NULL},
                                  {END, "", 0, NULL}};
    const struct change off[] = {{F32, "attn_logit_softcapping", 0, NULL}, {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("gemma2", 2, 64, none, false));
    ck_assert(c.attention_softcap == 50.0f && c.final_softcap == 30.0f && c.window == 4096);
    read_config(&c, changed("gemma2", 2, 64, off, false));
    ck_assert(c.attention_softcap == 0.0f && c.final_softcap == 30.0f);
}
END_TEST

START_TEST(gemma3_has_its_bases)
{
    const struct change none[] = {{DROP, "rope.freq_base", 0, NULL}, {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("gemma3", 7, 64, none, false));
    ck_assert(c.rope_base == 1e6f && c.local_rope_base == 1e4f);
    ck_assert(c.is_local[4] && !c.is_local[5] && c.is_local[6]);
}
END_TEST

START_TEST(older_files_call_the_factor_scale_linear)
{
    const struct change old[] = {{F32, "rope.scale_linear", 4, NULL}, {END, "", 0, NULL}};
    const struct change both[] = {{F32, "rope.scale_linear", 4, NULL},
                                  {F32, "rope.scaling.factor", 2, NULL},
                                  {END, "", 0, NULL}};
    const struct change none[] = {{F32, "rope.scaling.factor", 2, NULL},
                                  {TEXT, "rope.scaling.type", 0, "none"},
                                  {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("llama", 2, 64, old, false));
    ck_assert(c.scaling == QN__SCALING_LINEAR && c.scaling_factor == 4.0f);
    read_config(&c, changed("llama", 2, 64, both, false));
    ck_assert(c.scaling == QN__SCALING_LINEAR && c.scaling_factor == 2.0f);
    read_config(&c, changed("llama", 2, 64, none, false));
    ck_assert(c.scaling == QN__SCALING_NONE);
}
END_TEST

START_TEST(yarn_has_two_factors_of_attention)
{
    struct change changes[] = {{TEXT, "rope.scaling.type", 0, "yarn"},
                               {F32, "rope.scaling.factor", 4, NULL},
                               {F32, "rope.scaling.attn_factor", 1.5, NULL},
                               {END, "rope.scaling.yarn_attn_factor", 2, NULL},
                               {END, "", 0, NULL}};
    struct qn__config c;
    float speeds[8], factor;
    read_config(&c, changed("llama", 2, 64, changes, false));
    qn__rope_table(speeds, &factor, &c, false, NULL);
    NEAR(factor, 1.5 * (1 + 0.1 * log(4)));
    changes[3].kind = F32;
    read_config(&c, changed("llama", 2, 64, changes, false));
    qn__rope_table(speeds, &factor, &c, false, NULL);
    NEAR(factor, 1.5 * 2);
}
END_TEST

/* llama.cpp's converter writes no type for Phi-3 128k. */
START_TEST(the_tensors_say_that_it_is_longrope)
{
    struct change changes[] = {{U32, "rope.scaling.original_context_length", 16, NULL},
                               {F32, "rope.scaling.attn_factor", 1.19, NULL},
                               {END, "rope.scaling.type", 0, "linear"},
                               {END, "", 0, NULL}};
    struct qn__config c;
    qn_model *m;
    float speeds[8], factor;
    read_config(&c, changed("phi3", 2, 64, changes, true));
    ck_assert(c.scaling == QN__SCALING_LONGROPE && c.scaling_context == 16);
    qn__rope_table(speeds, &factor, &c, false, NULL);
    NEAR(factor, 1.19);
    must(qn_model_open(&m, in_scratch("changed.gguf")));
    qn_model_close(m);
    changes[2].kind = TEXT;
    must_not(QN_E_UNSUPPORTED, qn_model_open(&m, changed("phi3", 2, 64, changes, true)));
    says(qn_message(), "only longrope has them");
    changes[1].kind = DROP;
    changes[2].kind = END;
    read_config(&c, changed("phi3", 2, 64, changes, true));
    NEAR(c.scaling_attention, sqrt(1 + log(4) / log(16)));
}
END_TEST

START_TEST(the_first_files_of_phi3_mini_have_its_window)
{
    const struct change none[] = {{END, "", 0, NULL}};
    const struct change zero[] = {{U32, "attention.sliding_window", 0, NULL}, {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("phi3", 32, 4096, none, false));
    ck_assert_uint_eq(c.window, 2047);
    read_config(&c, changed("phi3", 32, 4096, zero, false)); /* Phi-4 says so */
    ck_assert_uint_eq(c.window, 0);
    read_config(&c, changed("phi3", 2, 4096, none, false));
    ck_assert_uint_eq(c.window, 0);
}
END_TEST

START_TEST(which_layers_have_a_window_may_be_said)
{
    const struct change period[] = {{U32, "attention.sliding_window_pattern", 3, NULL},
                                    {END, "", 0, NULL}};
    const struct change each[] = {{LAYERS, "attention.sliding_window_pattern", 0, "0110"},
                                  {LAYERS, "attention.rope_pattern", 0, "1011"},
                                  {END, "", 0, NULL}};
    const struct change end[] = {{END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("gemma3", 4, 64, period, false));
    ck_assert(c.is_local[0] && c.is_local[1] && !c.is_local[2] && c.is_local[3]);
    read_config(&c, changed("gemma3", 4, 64, each, false));
    ck_assert(!c.is_local[0] && c.is_local[1] && c.is_local[2] && !c.is_local[3]);
    ck_assert(c.is_turned[0] && !c.is_turned[1] && c.is_turned[2]);
    read_config(&c, changed("smollm3", 4, 64, end, false));
    ck_assert(c.is_turned[2] && !c.is_turned[3]);
}
END_TEST

START_TEST(what_multiplies_blocks_is_in_the_stream)
{
    const struct change changes[] = {{F32, "residual_scale", 0.5, NULL},
                                     {F32, "embedding_scale", 12, NULL},
                                     {F32, "logit_scale", 8, NULL},
                                     {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("granite", 2, 64, changes, false));
    NEAR(c.embedding_scale, 24);
    NEAR(c.norm_eps, 4e-5);
    NEAR(c.head_norm_eps, 1e-5);
    NEAR(c.logit_scale, 0.125);
}
END_TEST

START_TEST(experts_have_the_width_of_their_tensors)
{
    const struct change none[] = {{DROP, "expert_feed_forward_length", 0, NULL},
                                  {DROP, "expert_shared_feed_forward_length", 0, NULL},
                                  {END, "", 0, NULL}};
    struct qn__config c;
    read_config(&c, changed("qwen2moe", 2, 64, none, false));
    ck_assert(c.n_ffn == 32 && c.n_shared == 64 && !c.expert_weights_sum);
    read_config(&c, changed("qwen3moe", 2, 64, none, false));
    ck_assert(c.n_ffn == 32 && c.n_shared == 0 && c.expert_weights_sum);
}
END_TEST

START_TEST(an_adapter_is_no_model)
{
    struct qn__gguf_writer w = {0};
    qn_model *m;
    qn__gguf_add_text(&w, "general.architecture", "llama");
    qn__gguf_add_text(&w, "general.type", "adapter");
    const char *path = in_scratch("adapter.gguf");
    must(qn__gguf_write(&w, path, copy_tensor, NULL, 1));
    qn__gguf_writer_release(&w);
    must_not(QN_E_UNSUPPORTED, qn_model_open(&m, path));
    says(qn_message(), "the file is no model");
}
END_TEST

/* -- config.json -- */

/* The config's facts; weights there are none. */
static qn_status open_config(struct qn__model_file **f, const char *config)
{
    json_t *json = json_loads(config, 0, NULL);
    ck_assert_ptr_nonnull(json);
    json_decref(json);
    write_text("config.json", config);
    must(qn__file_write_atomic(in_scratch("model.safetensors"), "\2\0\0\0\0\0\0\0{}", 10, 0600));
    return qn__model_file_open(f, in_scratch("."));
}

static double fact_of(const struct qn__model_file *f, const char *key)
{
    float x;
    must(qn__fact_f32(&x, f, key));
    return (double)x;
}

/* As gemma-3-4b-it, -12b-it and -27b-it have it: what is transformers' value is left out. */
static const struct {
    const char *name, *more;
    double heads, kv_heads, head_dim, scale;
} sparse[] = {
    {"4b", "\"hidden_size\": 2560, \"intermediate_size\": 10240, \"num_hidden_layers\": 34", 8, 4,
     256, 256},
    {"12b",
     "\"hidden_size\": 3840, \"intermediate_size\": 15360, \"num_hidden_layers\": 48, "
     "\"num_attention_heads\": 16, \"num_key_value_heads\": 8",
     16, 8, 256, 256},
    {"27b",
     "\"hidden_size\": 5376, \"intermediate_size\": 21504, \"num_hidden_layers\": 62, "
     "\"num_attention_heads\": 32, \"num_key_value_heads\": 16, \"head_dim\": 128, "
     "\"query_pre_attn_scalar\": 168",
     32, 16, 128, 168},
};

START_TEST(a_sparse_config_has_the_published_values)
{
    char config[1024];
    struct qn__model_file *f;
    snprintf(config, sizeof config,
             "{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\", "
             "\"rope_scaling\": {\"factor\": 8.0, \"rope_type\": \"linear\"}, "
             "\"sliding_window\": 1024, %s}}",
             sparse[_i].more);
    const qn_status s = open_config(&f, config);
    ck_assert_msg(s == QN_OK, "%s: %s", sparse[_i].name, qn_message());
    ck_assert_double_eq(fact_of(f, "gemma3.attention.head_count"), sparse[_i].heads);
    ck_assert_double_eq(fact_of(f, "gemma3.attention.head_count_kv"), sparse[_i].kv_heads);
    ck_assert_double_eq(fact_of(f, "gemma3.attention.key_length"), sparse[_i].head_dim);
    NEAR(fact_of(f, "gemma3.attention.scale"), 1 / sqrt(sparse[_i].scale));
    NEAR(fact_of(f, "gemma3.attention.layer_norm_rms_epsilon"), 1e-6);
    NEAR(fact_of(f, "gemma3.rope.freq_base"), 1e6);
    NEAR(fact_of(f, "gemma3.rope.freq_base_swa"), 1e4);
    NEAR(fact_of(f, "gemma3.rope.scaling.factor"), 8);
    ck_assert_double_eq(fact_of(f, "gemma3.context_length"), 131072);
    ck_assert_double_eq(fact_of(f, "gemma3.attention.sliding_window"), 1024);
    ck_assert_uint_eq(qn__model_file_n_warnings(f), 0);
    qn__model_file_close(f);
}
END_TEST

#define SMALL                                                                                      \
    "\"hidden_size\": 64, \"num_hidden_layers\": 4, \"num_attention_heads\": 4, "                  \
    "\"intermediate_size\": 64"
static const struct {
    const char *type;
    double eps, base, context, kv_heads;
} published[] = {
    {"llama", 1e-6, 1e4, 2048, -1},      {"mistral", 1e-6, 1e4, 131072, 8},
    {"mixtral", 1e-5, 1e6, 131072, 8},   {"qwen2", 1e-6, 1e4, 32768, 32},
    {"qwen3", 1e-6, 1e4, 32768, 32},     {"gemma", 1e-6, 1e4, 8192, 16},
    {"gemma2", 1e-6, 1e4, 8192, 4},      {"phi3", 1e-5, 1e4, 4096, -1},
    {"granite", 1e-6, 1e4, 2048, -1},    {"olmo2", 1e-5, 1e4, 2048, -1},
    {"olmo3", 1e-5, 5e5, 2048, -1},      {"smollm3", 1e-6, 2e6, 32768, 4},
    {"qwen2_moe", 1e-6, 1e4, 32768, 16}, {"qwen3_moe", 1e-6, 1e4, 32768, 4},
};

START_TEST(every_type_has_the_published_values)
{
    char config[512], key[128];
    struct qn__model_file *f;
    const char *family;
    snprintf(config, sizeof config, "{\"model_type\": \"%s\", " SMALL "}", published[_i].type);
    must(open_config(&f, config));
    must(qn__fact_text(&family, f, "general.architecture"));
    snprintf(key, sizeof key, "%s.attention.layer_norm_rms_epsilon", family);
    NEAR(fact_of(f, key), published[_i].eps);
    snprintf(key, sizeof key, "%s.rope.freq_base", family);
    NEAR(fact_of(f, key), published[_i].base);
    snprintf(key, sizeof key, "%s.context_length", family);
    NEAR(fact_of(f, key), published[_i].context);
    snprintf(key, sizeof key, "%s.attention.head_count_kv", family);
    if (published[_i].kv_heads > 0)
        NEAR(fact_of(f, key), published[_i].kv_heads);
    else
        ck_assert_ptr_null(qn__fact_find(f, key));
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_share_of_the_head_may_be_among_the_ropes)
{
    struct qn__model_file *f;
    must(open_config(&f, "{\"model_type\": \"phi3\", " SMALL
                         ", \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 500, "
                         "\"partial_rotary_factor\": 0.5}}"));
    ck_assert_double_eq(fact_of(f, "phi3.rope.dimension_count"), 8);
    NEAR(fact_of(f, "phi3.rope.freq_base"), 500);
    qn__model_file_close(f);
}
END_TEST

START_TEST(null_is_none_and_not_the_published_value)
{
    struct qn__model_file *f;
    must(open_config(&f, "{\"model_type\": \"gemma2\", " SMALL
                         ", \"attn_logit_softcapping\": null, \"sliding_window\": null}"));
    ck_assert_double_eq(fact_of(f, "gemma2.attn_logit_softcapping"), 0);
    ck_assert_double_eq(fact_of(f, "gemma2.final_logit_softcapping"), 30);
    ck_assert_double_eq(fact_of(f, "gemma2.attention.sliding_window"), 0);
    qn__model_file_close(f);
}
END_TEST

START_TEST(layers_with_windows_become_a_pattern)
{
    static const char windows[] = ", \"use_sliding_window\": true, \"sliding_window\": 16, "
                                  "\"max_window_layers\": 2}";
    char config[512];
    struct qn__model_file *f;
    snprintf(config, sizeof config, "{\"model_type\": \"qwen2\", %s%s", SMALL, windows);
    must(open_config(&f, config));
    const struct qn__fact *pattern = qn__fact_find(f, "qwen2.attention.sliding_window_pattern");
    ck_assert(pattern && pattern->value.array.n == 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_int_eq(qn__fact_element(f, pattern, i).value.boolean, i >= 2);
    qn__model_file_close(f);
}
END_TEST

static const struct {
    const char *name, *type, *more;
    qn_status status;
    const char *says;
} configs[] = {
    {"windows in layers that are not named", "qwen2_moe",
     ", \"use_sliding_window\": true, \"sliding_window\": 16", QN_E_UNSUPPORTED,
     "use_sliding_window without layer_types"},
    {"another kind of layer", "qwen3",
     ", \"layer_types\": [\"full_attention\", \"linear_attention\", \"full_attention\", "
     "\"full_attention\"]",
     QN_E_UNSUPPORTED, "layer 1 is 'linear_attention'"},
    {"too few layers", "qwen3", ", \"layer_types\": [\"full_attention\"]", QN_E_CORRUPT,
     "layer_types: not one element for each of 4 layers"},
    {"stretched positions in layers with windows", "gemma3_text",
     ", \"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}, "
     "\"sliding_attention\": {\"rope_type\": \"yarn\", \"factor\": 2}}",
     QN_E_UNSUPPORTED, "sliding_attention of type 'yarn'"},
    {"weights in another format", "llama",
     ", \"quantization_config\": {\"quant_method\": \"gptq\"}", QN_E_UNSUPPORTED,
     "quantization_config"},
    {"biases", "llama", ", \"mlp_bias\": true", QN_E_UNSUPPORTED, "mlp_bias"},
    {"an encoder", "llama", ", \"is_encoder_decoder\": true", QN_E_UNSUPPORTED,
     "is_encoder_decoder"},
    {"layers without experts", "qwen3_moe", ", \"mlp_only_layers\": [1]", QN_E_UNSUPPORTED,
     "mlp_only_layers"},
    {"experts in every second layer", "qwen2_moe", ", \"decoder_sparse_step\": 2", QN_E_UNSUPPORTED,
     "decoder_sparse_step"},
    {"a factor of no kind", "llama", ", \"rope_scaling\": {\"factor\": 2}", QN_E_UNSUPPORTED,
     "no rope_type"},
    {"Gemma's gelu", "gemma", ", \"hidden_act\": \"gelu\", \"hidden_activation\": null", QN_OK,
     NULL},
    {"gelu that is none of the tanh form", "gemma2", ", \"hidden_activation\": \"gelu\"",
     QN_E_UNSUPPORTED, "hidden_activation 'gelu'"},
    {"what changes nothing", "llama",
     ", \"attention_dropout\": 0.1, \"torch_dtype\": \"bfloat16\", \"mlp_bias\": false, "
     "\"pruned_heads\": {}",
     QN_OK, NULL},
};

START_TEST(a_config_that_is_not_computed_is_refused)
{
    char config[1024];
    struct qn__model_file *f;
    snprintf(config, sizeof config, "{\"model_type\": \"%s\", " SMALL "%s}", configs[_i].type,
             configs[_i].more);
    const qn_status s = open_config(&f, config);
    ck_assert_msg(s == configs[_i].status, "%s: %s: %s", configs[_i].name, qn_status_name(s),
                  qn_message());
    if (configs[_i].says)
        says(qn_message(), configs[_i].says);
    if (s == QN_OK)
        ck_assert_uint_eq(qn__model_file_n_warnings(f), 0);
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_config_that_is_not_known_is_warned_of)
{
    struct qn__str config = {0};
    struct qn__model_file *f;
    qn__str_add(&config, "{\"model_type\": \"llama\", " SMALL ", \"a\\u0007b\": 1");
    for (int i = 0; i < 50; i++)
        qn__str_printf(&config, ", \"novel_%d\": {}", i);
    qn__str_add(&config, "}");
    must(open_config(&f, config.text));
    ck_assert_uint_eq(qn__model_file_n_warnings(f), QN__WARNINGS_MAX);
    says(qn__model_file_warning(f, 0), "'a?b' is not known");
    says(qn__model_file_warning(f, QN__WARNINGS_MAX - 1), "more");
    qn__model_file_close(f);
    qn__str_release(&config);
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(t, test, 0, sizeof rows / sizeof rows[0])

int main(void)
{
    Suite *s = suite_create("model_keys");
    TCase *t = tcase_create("model_keys");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    LOOP(a_key_that_is_not_computed_is_refused, refused);
    tcase_add_test(t, a_key_that_is_not_known_is_warned_of);
    tcase_add_test(t, soft_caps_of_gemma2_need_not_be_written);
    tcase_add_test(t, gemma3_has_its_bases);
    tcase_add_test(t, older_files_call_the_factor_scale_linear);
    tcase_add_test(t, yarn_has_two_factors_of_attention);
    tcase_add_test(t, the_tensors_say_that_it_is_longrope);
    tcase_add_test(t, the_first_files_of_phi3_mini_have_its_window);
    tcase_add_test(t, which_layers_have_a_window_may_be_said);
    tcase_add_test(t, what_multiplies_blocks_is_in_the_stream);
    tcase_add_test(t, experts_have_the_width_of_their_tensors);
    tcase_add_test(t, an_adapter_is_no_model);
    LOOP(a_sparse_config_has_the_published_values, sparse);
    LOOP(every_type_has_the_published_values, published);
    tcase_add_test(t, a_share_of_the_head_may_be_among_the_ropes);
    tcase_add_test(t, null_is_none_and_not_the_published_value);
    tcase_add_test(t, layers_with_windows_become_a_pattern);
    LOOP(a_config_that_is_not_computed_is_refused, configs);
    tcase_add_test(t, a_config_that_is_not_known_is_warned_of);
    suite_add_tcase(s, t);
    return run_suite(s);
}
