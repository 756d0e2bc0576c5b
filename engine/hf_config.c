/* SPDX-License-Identifier: Apache-2.0
 *
 * config.json as facts: "hidden_size" is "llama.embedding_length".
 *
 * Only what Quern computes may be asked for: an activation, a kind of scaled positions or a window
 * it does not have is refused by name. Llama's queries and keys are stored unpermuted in
 * safetensors, unlike in GGUF: the fact "llama.rope.neox" says so. */
#include "engine/hf_config.h"

#include "base/file.h"
#include "base/str.h"
#include "engine/hf_keys.h"
#include "engine/model_shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_DIM_MAX = 1024 };

struct family {
    const char *model_type, *architecture;
    enum qn__hf_family id;
    bool is_unpermuted; /* rows of queries and keys are interleaved in GGUF, and are not here */
};
static const struct family families[] = {
    {"llama", "llama", QN__HF_LLAMA, true},
    {"mistral", "llama", QN__HF_LLAMA, true},
    {"mixtral", "llama", QN__HF_LLAMA, true},
    {"qwen2", "qwen2", QN__HF_QWEN, false},
    {"qwen3", "qwen3", QN__HF_QWEN, false},
    {"qwen2_moe", "qwen2moe", QN__HF_QWEN, false},
    {"qwen3_moe", "qwen3moe", QN__HF_QWEN, false},
    {"gemma", "gemma", QN__HF_GEMMA, false},
    {"gemma2", "gemma2", QN__HF_GEMMA2, false},
    {"gemma3_text", "gemma3", QN__HF_GEMMA3, false},
    {"gemma3", "gemma3", QN__HF_GEMMA3, false},
    {"phi3", "phi3", QN__HF_PHI3, false},
    {"granite", "granite", QN__HF_LLAMA, true},
    {"olmo2", "olmo2", QN__HF_OLMO2, false},
    {"olmo3", "olmo2", QN__HF_OLMO2, false},
    {"smollm3", "smollm3", QN__HF_LLAMA, true},
    {"deepseek_v2", "deepseek2", QN__HF_DEEPSEEK, false},
    {"gpt_oss", "gpt-oss", QN__HF_GPT_OSS, false},
};

struct reader {
    struct qn__model_file *f;
    const json_t *config; /* complete: what is not there has the value transformers takes */
    const char *type;     /* model_type of the text part */
    const struct family *family;
    struct qn__str key;
};

/* -- single values -- */

static const char *key_of(struct reader *r, const char *name)
{
    qn__str_clear(&r->key);
    qn__str_printf(&r->key, "%s.%s", r->family->architecture, name);
    return r->key.text ? r->key.text : "";
}

static bool has(const json_t *object, const char *theirs)
{
    const json_t *value = json_object_get(object, theirs);
    return value && !json_is_null(value);
}

static qn_status get_number(uint32_t *out, const json_t *object, const char *theirs)
{
    const json_t *value = json_object_get(object, theirs);
    *out = 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > UINT32_MAX)
        return qn__fail(QN_E_CORRUPT, "config.json: %s is no whole number from 0 to 4294967295",
                        theirs);
    *out = (uint32_t)json_integer_value(value);
    return QN_OK;
}

static qn_status get_real(double *out, const json_t *object, const char *theirs)
{
    const json_t *value = json_object_get(object, theirs);
    *out = json_number_value(value);
    if (!json_is_number(value) || !isfinite(*out))
        return qn__fail(QN_E_CORRUPT, "config.json: %s is no number", theirs);
    return QN_OK;
}

static qn_status copy_number(struct reader *r, const json_t *from, const char *theirs,
                             const char *ours)
{
    uint32_t value;
    if (!has(from, theirs))
        return QN_OK;
    QN_TRY(get_number(&value, from, theirs));
    return qn__model_file_add_u64(r->f, key_of(r, ours), value);
}

static qn_status copy_real(struct reader *r, const json_t *from, const char *theirs,
                           const char *ours)
{
    double value = 0;
    float published;
    if (!has(from, theirs)) /* none, where absence in GGUF would mean something else */
        return json_object_get(from, theirs) &&
                       qn__fact_default(&published, r->family->architecture, ours)
                   ? qn__model_file_add_f64(r->f, key_of(r, ours), value)
                   : QN_OK;
    QN_TRY(get_real(&value, from, theirs));
    return qn__model_file_add_f64(r->f, key_of(r, ours), value);
}

/* -- positions -- */

/* A tensor that GGUF has and config.json writes as a list: divisors of the angles. */
static qn_status add_factors(struct reader *r, const json_t *list, const char *theirs,
                             const char *ours)
{
    const size_t n = json_array_size(list);
    float *values = n && n <= HEAD_DIM_MAX ? QN__ARENA_ARRAY(&r->f->arena, float, n) : NULL;
    if (!values)
        return qn__fail(QN_E_CORRUPT, "config.json: %s is no list of 1 to %d numbers", theirs,
                        HEAD_DIM_MAX);
    for (size_t i = 0; i < n; i++) {
        values[i] = (float)json_number_value(json_array_get(list, i));
        if (!(values[i] > 0))
            return qn__fail(QN_E_CORRUPT, "config.json: %s[%zu] is no number above 0", theirs, i);
    }
    struct qn__tensor t = {.name = ours,
                           .format = qn__format_get(QN__FORMAT_f32),
                           .n_dims = 1,
                           .shape = {n},
                           .data = values};
    QN_TRY(qn__tensor_measure(&t));
    return qn__model_file_add_tensor(r->f, &t);
}

static qn_status read_longrope(struct reader *r, const json_t *rope)
{
    static const char before_key[] = "original_max_position_embeddings";
    uint32_t trained, before;
    QN_TRY(get_number(&trained, r->config, "max_position_embeddings"));
    QN_TRY(get_number(&before, has(rope, before_key) ? rope : r->config, before_key));
    if (has(rope, "short_mscale") || has(rope, "long_mscale"))
        return qn__fail(QN_E_UNSUPPORTED, "config.json: longrope with short_mscale or long_mscale");
    if (before < 2)
        return qn__fail(QN_E_CORRUPT, "config.json: original_max_position_embeddings is %u",
                        before);
    const double scale = (double)trained / before;
    double attention = scale <= 1 ? 1 : sqrt(1 + log(scale) / log(before));
    if (has(rope, "attention_factor"))
        QN_TRY(get_real(&attention, rope, "attention_factor"));
    QN_TRY(qn__model_file_add_u64(r->f, key_of(r, "rope.scaling.original_context_length"), before));
    QN_TRY(qn__model_file_add_f64(r->f, key_of(r, "rope.scaling.attn_factor"), attention));
    QN_TRY(add_factors(r, json_object_get(rope, "long_factor"), "long_factor",
                       "rope_factors_long.weight"));
    return add_factors(r, json_object_get(rope, "short_factor"), "short_factor",
                       "rope_factors_short.weight");
}

static double yarn_attention(double factor, double scale)
{
    return factor > 1 ? 1 + 0.1 * scale * log(factor) : 1;
}

/* GGUF's attn_factor multiplies the usual 1 + 0.1 log(factor), attention_factor takes its place. */
static qn_status read_yarn(struct reader *r, const json_t *rope)
{
    double factor, attention = 0, some = 0, all = 0;
    if (json_is_false(json_object_get(rope, "truncate")))
        QN_TRY(qn__model_file_add_bool(r->f, key_of(r, "rope.scaling.yarn_truncate"), false));
    QN_TRY(get_real(&factor, rope, "factor"));
    if (has(rope, "mscale"))
        QN_TRY(get_real(&some, rope, "mscale"));
    if (has(rope, "mscale_all_dim"))
        QN_TRY(get_real(&all, rope, "mscale_all_dim"));
    if (has(rope, "attention_factor"))
        QN_TRY(get_real(&attention, rope, "attention_factor"));
    else if (some > 0 && all > 0)
        attention = yarn_attention(factor, some) / yarn_attention(factor, all);
    if (r->family->id == QN__HF_DEEPSEEK && all > 0) {
        QN_TRY(
            qn__model_file_add_f64(r->f, key_of(r, "rope.scaling.yarn_log_multiplier"), 0.1 * all));
        if (attention == 0)
            attention = yarn_attention(factor, 1);
        return qn__model_file_add_f64(r->f, key_of(r, "rope.scaling.yarn_attn_factor"), attention);
    }
    if (attention == 0)
        return QN_OK;
    return qn__model_file_add_f64(r->f, key_of(r, "rope.scaling.attn_factor"),
                                  attention / yarn_attention(factor, 1));
}

static qn_status read_scaling(struct reader *r, const json_t *rope)
{
    static const char *const known[] = {"linear", "yarn", "llama3", "longrope"};
    const char *type = json_string_value(json_object_get(rope, "rope_type"));
    if (!type)
        type = json_string_value(json_object_get(rope, "type"));
    if (!type && has(rope, "factor"))
        return qn__fail(QN_E_UNSUPPORTED,
                        "config.json: rope_scaling has a factor and no rope_type");
    if (!type || !strcmp(type, "default"))
        return QN_OK;
    if (!strcmp(type, "su") || (!strcmp(type, "yarn") && r->family->id == QN__HF_PHI3))
        type = "longrope"; /* what it was called first */
    size_t i = 0;
    while (i < sizeof known / sizeof known[0] && strcmp(known[i], type) != 0)
        i++;
    if (i == sizeof known / sizeof known[0])
        return qn__fail(QN_E_UNSUPPORTED,
                        "config.json: rope_scaling of type '%.32s'; Quern has linear, yarn, llama3 "
                        "and longrope",
                        type);
    QN_TRY(qn__model_file_add_text(r->f, key_of(r, "rope.scaling.type"), known[i]));
    if (!strcmp(type, "longrope"))
        return read_longrope(r, rope);
    QN_TRY(copy_real(r, rope, "factor", "rope.scaling.factor"));
    if (!strcmp(type, "yarn"))
        QN_TRY(read_yarn(r, rope));
    QN_TRY(copy_real(r, rope, "low_freq_factor", "rope.scaling.low_freq_factor"));
    QN_TRY(copy_real(r, rope, "high_freq_factor", "rope.scaling.high_freq_factor"));
    QN_TRY(copy_real(r, rope, "beta_fast", "rope.scaling.yarn_beta_fast"));
    QN_TRY(copy_real(r, rope, "beta_slow", "rope.scaling.yarn_beta_slow"));
    return copy_number(r, rope, "original_max_position_embeddings",
                       "rope.scaling.original_context_length");
}

/* Older files have rope_theta and rope_scaling, newer ones rope_parameters with both in it, and
 * one of these for each kind of layer where there are two. */
static const json_t *rope_parameters(const struct reader *r)
{
    const json_t *rope = json_object_get(r->config, "rope_parameters");
    const json_t *full = json_object_get(rope, "full_attention");
    return full ? full : rope;
}

static qn_status check_local_rope(const json_t *local)
{
    const char *type = json_string_value(json_object_get(local, "rope_type"));
    if (type && strcmp(type, "default") != 0)
        return qn__fail(QN_E_UNSUPPORTED,
                        "config.json: rope_parameters of sliding_attention of type '%.32s': layers "
                        "with a window have no stretched positions",
                        type);
    return QN_OK;
}

static qn_status read_rope(struct reader *r)
{
    const json_t *rope = rope_parameters(r);
    const json_t *local =
        json_object_get(json_object_get(r->config, "rope_parameters"), "sliding_attention");
    QN_TRY(check_local_rope(local));
    QN_TRY(
        copy_real(r, has(rope, "rope_theta") ? rope : r->config, "rope_theta", "rope.freq_base"));
    QN_TRY(local ? copy_real(r, local, "rope_theta", "rope.freq_base_swa")
                 : copy_real(r, r->config, "rope_local_base_freq", "rope.freq_base_swa"));
    const json_t *scaling = json_object_get(r->config, "rope_scaling");
    return read_scaling(r, json_is_object(rope) ? rope : scaling);
}

static qn_status read_heads(struct reader *r)
{
    uint32_t dim, n_heads, head_dim;
    double part = 1;
    QN_TRY(get_number(&dim, r->config, "hidden_size"));
    QN_TRY(get_number(&n_heads, r->config, "num_attention_heads"));
    if (n_heads == 0)
        return qn__fail(QN_E_CORRUPT, "config.json: num_attention_heads is 0");
    head_dim = dim / n_heads;
    if (has(r->config, "head_dim"))
        QN_TRY(get_number(&head_dim, r->config, "head_dim"));
    const json_t *rope = rope_parameters(r);
    const json_t *from = has(rope, "partial_rotary_factor") ? rope : r->config;
    if (has(from, "partial_rotary_factor"))
        QN_TRY(get_real(&part, from, "partial_rotary_factor"));
    if (part <= 0 || part > 1)
        return qn__fail(QN_E_CORRUPT, "config.json: partial_rotary_factor is %g", part);
    QN_TRY(qn__model_file_add_u64(r->f, key_of(r, "attention.key_length"), head_dim));
    QN_TRY(qn__model_file_add_u64(r->f, key_of(r, "attention.value_length"), head_dim));
    return qn__model_file_add_u64(r->f, key_of(r, "rope.dimension_count"),
                                  (uint64_t)(part * head_dim));
}

/* -- latent attention and its experts -- */

static qn_status read_latent_heads(struct reader *r)
{
    uint32_t plain, turned, value;
    QN_TRY(get_number(&plain, r->config, "qk_nope_head_dim"));
    QN_TRY(get_number(&turned, r->config, "qk_rope_head_dim"));
    QN_TRY(get_number(&value, r->config, "v_head_dim"));
    QN_TRY(
        qn__model_file_add_u64(r->f, key_of(r, "attention.key_length"), (uint64_t)plain + turned));
    QN_TRY(qn__model_file_add_u64(r->f, key_of(r, "attention.value_length"), value));
    QN_TRY(qn__model_file_add_u64(r->f, key_of(r, "rope.dimension_count"), turned));
    QN_TRY(copy_number(r, r->config, "kv_lora_rank", "attention.kv_lora_rank"));
    QN_TRY(copy_number(r, r->config, "q_lora_rank", "attention.q_lora_rank"));
    QN_TRY(copy_number(r, r->config, "n_routed_experts", "expert_count"));
    QN_TRY(copy_number(r, r->config, "n_shared_experts", "expert_shared_count"));
    QN_TRY(copy_number(r, r->config, "first_k_dense_replace", "leading_dense_block_count"));
    return copy_real(r, r->config, "routed_scaling_factor", "expert_weights_scale");
}

/* -- the family -- */

static const struct family *family_of(const char *type)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (type && !strcmp(families[i].model_type, type))
            return &families[i];
    return NULL;
}

/* The family by model_type, and the config of the text part of a model of pictures too. */
static qn_status find_family(struct reader *r, const json_t *config)
{
    const char *type = json_string_value(json_object_get(config, "model_type")), *of_text;
    struct qn__str known = {0};
    r->family = family_of(type);
    r->config = has(config, "text_config") ? json_object_get(config, "text_config") : config;
    if (r->family) {
        of_text = json_string_value(json_object_get(r->config, "model_type"));
        r->type = !strcmp(type, "gemma3") ? "gemma3_text" : of_text ? of_text : type;
        return QN_OK;
    }
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        qn__str_printf(&known, "%s%s", i ? ", " : "", families[i].model_type);
    const qn_status s = qn__fail(QN_E_UNSUPPORTED, "config.json: model_type '%.32s'; Quern has %s",
                                 type ? type : "", known.text ? known.text : "");
    qn__str_release(&known);
    return s;
}

static qn_status check_activation(const struct reader *r)
{
    const struct qn__family *family;
    QN_TRY(qn__family_find(&family, r->family->architecture));
    const char *want = family->activation == QN__GELU ? "gelu_pytorch_tanh" : "silu";
    const char *key = has(r->config, "hidden_activation") ? "hidden_activation" : "hidden_act";
    const char *activation = json_string_value(json_object_get(r->config, key));
    /* the first files of Gemma say gelu and mean its tanh form */
    if (activation && r->family->id == QN__HF_GEMMA && !strcmp(activation, "gelu"))
        activation = want;
    if (activation && strcmp(activation, want) != 0)
        return qn__fail(QN_E_UNSUPPORTED, "config.json: %s '%.32s'; Quern has %s for %s", key,
                        activation, want, r->family->architecture);
    return QN_OK;
}

/* A fact of one value for each layer. */
static qn_status add_flags(struct reader *r, const char *ours, const bool *values, uint32_t n)
{
    unsigned char *bytes = qn__arena_alloc(&r->f->arena, n, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "config.json: no memory for %u layers", n);
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = values[i];
    return qn__model_file_add_fact(
        r->f, key_of(r, ours),
        (struct qn__stored_fact){
            .fact = {.kind = QN__FACT_ARRAY, .value.array = {.kind = QN__FACT_BOOL, .n = n}},
            .number = QN__NUMBER_BOOL,
            .elements = bytes});
}

/* A list of one element for each layer, or none (*out NULL). */
static qn_status get_layers(const json_t **out, const struct reader *r, const char *theirs,
                            uint32_t n)
{
    const json_t *list = json_object_get(r->config, theirs);
    *out = has(r->config, theirs) ? list : NULL;
    if (*out && (!json_is_array(list) || json_array_size(list) != n))
        return qn__fail(QN_E_CORRUPT, "config.json: %s: not one element for each of %u layers",
                        theirs, n);
    return QN_OK;
}

/* Which layers have the window; false: as the family has it. */
static qn_status find_windows(bool *is_said, bool *is_local, const struct reader *r, uint32_t n)
{
    static const char *const periods[] = {"sliding_window_pattern", "_sliding_window_pattern"};
    const json_t *types;
    const bool is_qwen = !strcmp(r->type, "qwen2") || !strcmp(r->type, "qwen3");
    uint32_t from = 0, period;
    QN_TRY(get_layers(&types, r, "layer_types", n));
    *is_said = types || is_qwen || has(r->config, periods[0]) || has(r->config, periods[1]);
    for (uint32_t i = 0; types && i < n; i++) {
        const char *type = json_string_value(json_array_get(types, i));
        is_local[i] = type && !strcmp(type, "sliding_attention");
        if (!type || (!is_local[i] && strcmp(type, "full_attention") != 0))
            return qn__fail(QN_E_UNSUPPORTED,
                            "config.json: layer_types: layer %u is '%.32s'; Quern has "
                            "full_attention and sliding_attention",
                            i, type ? type : "");
    }
    if (types)
        return QN_OK;
    if (is_qwen) {
        QN_TRY(get_number(&from, r->config, "max_window_layers"));
        for (uint32_t i = 0; i < n; i++)
            is_local[i] = i >= from;
        return QN_OK;
    }
    for (size_t k = 0; k < sizeof periods / sizeof periods[0]; k++) {
        if (!has(r->config, periods[k]))
            continue;
        QN_TRY(get_number(&period, r->config, periods[k]));
        for (uint32_t i = 0; i < n; i++)
            is_local[i] = period == 0 || i % period + 1 < period;
    }
    return QN_OK;
}

static qn_status read_windows(struct reader *r, uint32_t n)
{
    const json_t *use = json_object_get(r->config, "use_sliding_window");
    bool is_said, is_local[QN__LAYERS_MAX], differs = false;
    const struct qn__family *family;
    const bool has_window = has(r->config, "sliding_window") && !json_is_false(use) &&
                            json_integer_value(json_object_get(r->config, "sliding_window")) != 0;
    if (json_is_true(json_object_get(r->config, "use_bidirectional_attention")))
        return qn__fail(QN_E_UNSUPPORTED, "config.json: use_bidirectional_attention: the model "
                                          "sees what comes later, so it writes no text");
    QN_TRY(qn__family_find(&family, r->family->architecture));
    QN_TRY(find_windows(&is_said, is_local, r, n));
    if (!has_window) {
        const json_t *types = json_object_get(r->config, "layer_types");
        for (uint32_t i = 0; is_said && json_is_array(types) && i < n; i++)
            if (is_local[i])
                return qn__fail(QN_E_CORRUPT,
                                "config.json: layer_types: layer %u is sliding_attention, but "
                                "there is no sliding_window",
                                i);
        return qn__model_file_add_u64(r->f, key_of(r, "attention.sliding_window"), 0);
    }
    if (json_is_true(use) && !is_said)
        return qn__fail(QN_E_UNSUPPORTED,
                        "config.json: use_sliding_window without layer_types: which layers of %s "
                        "have the window is not known",
                        r->type);
    QN_TRY(copy_number(r, r->config, "sliding_window", "attention.sliding_window"));
    for (uint32_t i = 0; is_said && i < n; i++)
        differs |= is_local[i] != qn__family_is_local(family, i);
    return differs ? add_flags(r, "attention.sliding_window_pattern", is_local, n) : QN_OK;
}

/* SmolLM3: layers whose queries and keys do not know their positions. */
static qn_status read_unturned(struct reader *r, uint32_t n)
{
    const json_t *list;
    bool is_turned[QN__LAYERS_MAX], differs = false;
    uint32_t period = 0;
    const struct qn__family *family;
    QN_TRY(qn__family_find(&family, r->family->architecture));
    if (!family->unturned_period)
        return QN_OK;
    QN_TRY(get_layers(&list, r, "no_rope_layers", n));
    QN_TRY(get_number(&period, r->config, "no_rope_layer_interval"));
    for (uint32_t i = 0; i < n; i++) {
        is_turned[i] = list ? json_integer_value(json_array_get(list, i)) != 0
                            : period == 0 || i % period + 1 < period;
        differs |= is_turned[i] != qn__family_is_turned(family, i);
    }
    return differs ? add_flags(r, "attention.rope_pattern", is_turned, n) : QN_OK;
}

static qn_status read_layers(struct reader *r)
{
    uint32_t n = 0;
    if (has(r->config, "num_hidden_layers"))
        QN_TRY(get_number(&n, r->config, "num_hidden_layers"));
    if (n > QN__LAYERS_MAX)
        return qn__fail(QN_E_CORRUPT, "config.json: num_hidden_layers is %u: at most %d", n,
                        QN__LAYERS_MAX);
    QN_TRY(read_windows(r, n));
    return read_unturned(r, n);
}

static qn_status read_scale(struct reader *r)
{
    double scalar;
    if (!has(r->config, "query_pre_attn_scalar"))
        return QN_OK;
    QN_TRY(get_real(&scalar, r->config, "query_pre_attn_scalar"));
    if (scalar <= 0)
        return qn__fail(QN_E_CORRUPT, "config.json: query_pre_attn_scalar is %g", scalar);
    return qn__model_file_add_f64(r->f, key_of(r, "attention.scale"), 1 / sqrt(scalar));
}

/* The one way in which weights may be stored besides the tensors' own. */
static qn_status check_stored(const struct reader *r)
{
    const json_t *stored = json_object_get(r->config, "quantization_config");
    const char *method = json_string_value(json_object_get(stored, "quant_method"));
    if (!has(r->config, "quantization_config") || (method && !strcmp(method, "mxfp4")))
        return QN_OK;
    return qn__fail(QN_E_UNSUPPORTED,
                    "config.json: quantization_config: quant_method '%.32s'; Quern has mxfp4 for "
                    "gpt-oss",
                    method ? method : "");
}

static qn_status read_all(struct reader *r, const char *folder)
{
    static const char *const numbers[][2] = {
        {"num_hidden_layers", "block_count"},
        {"max_position_embeddings", "context_length"},
        {"hidden_size", "embedding_length"},
        {"intermediate_size", "feed_forward_length"},
        {"num_attention_heads", "attention.head_count"},
        {"num_key_value_heads", "attention.head_count_kv"},
        {"vocab_size", "vocab_size"},
        {"num_local_experts", "expert_count"},
        {"num_experts_per_tok", "expert_used_count"},
        {"moe_intermediate_size", "expert_feed_forward_length"},
        {"shared_expert_intermediate_size", "expert_shared_feed_forward_length"},
    };
    static const char *const reals[][2] = {
        {"rms_norm_eps", "attention.layer_norm_rms_epsilon"},
        {"attn_logit_softcapping", "attn_logit_softcapping"},
        {"final_logit_softcapping", "final_logit_softcapping"},
        {"embedding_multiplier", "embedding_scale"},
        {"residual_multiplier", "residual_scale"},
        {"logits_scaling", "logit_scale"},
        {"attention_multiplier", "attention.scale"},
    };
    const json_t *name = json_object_get(r->config, "_name_or_path");
    const char *text = json_string_length(name) ? json_string_value(name) : qn__path_base(folder);
    text = qn__arena_strdup(&r->f->arena, text);
    if (!text)
        return qn__fail(QN_E_MEMORY, "config.json: no memory");
    QN_TRY(qn__model_file_add_text(r->f, "general.architecture", r->family->architecture));
    QN_TRY(qn__model_file_add_text(r->f, "general.name", text));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        QN_TRY(copy_number(r, r->config, numbers[i][0], numbers[i][1]));
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        QN_TRY(copy_real(r, r->config, reals[i][0], reals[i][1]));
    QN_TRY(check_activation(r));
    QN_TRY(check_stored(r));
    QN_TRY(r->family->id == QN__HF_DEEPSEEK ? read_latent_heads(r) : read_heads(r));
    QN_TRY(read_layers(r));
    QN_TRY(read_scale(r));
    QN_TRY(read_rope(r));
    if (!has(r->config, "num_local_experts"))
        QN_TRY(copy_number(r, r->config, "num_experts", "expert_count"));
    if (has(r->config, "norm_topk_prob"))
        QN_TRY(qn__model_file_add_bool(r->f, key_of(r, "expert_weights_norm"),
                                       json_is_true(json_object_get(r->config, "norm_topk_prob"))));
    return r->family->is_unpermuted ? qn__model_file_add_bool(r->f, key_of(r, "rope.neox"), true)
                                    : QN_OK;
}

static bool is_tied(const struct reader *r, const json_t *outer)
{
    static const char key[] = "tie_word_embeddings";
    return json_is_true(json_object_get(has(outer, key) ? outer : r->config, key));
}

qn_status qn__hf_config_read(struct qn__hf_model *out, struct qn__model_file *f,
                             const json_t *config, const char *folder)
{
    struct reader r = {.f = f};
    QN_TRY(find_family(&r, config));
    out->family = r.family->id;
    if (r.config != config)
        QN_TRY(qn__hf_keys_check(f, config, r.type, "config.json"));
    QN_TRY(qn__hf_keys_check(f, r.config, r.type, "config.json"));
    json_t *whole = qn__hf_config_complete(r.config, r.type);
    if (!whole)
        return qn__fail(QN_E_MEMORY, "config.json: no memory");
    r.config = whole;
    out->tied_head = is_tied(&r, config);
    const qn_status s = read_all(&r, folder);
    qn__str_release(&r.key);
    json_decref(whole);
    return s;
}
