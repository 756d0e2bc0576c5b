/* SPDX-License-Identifier: Apache-2.0
 *
 * GGUF files of random weights in any shape: the same work for every engine that is measured, and
 * small models of every family for tests.
 *
 * A family is a row of facts; the tensors follow from it. docs/models/ says what they mean. */
#include "base/arena.h"
#include "engine/gguf_write.h"
#include "engine/model_open.h"
#include "engine/random_weights.h"
#include "engine/weight_mix.h"

#include <quern/model_data.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_EACH = 1 << 20, LAYERS_MAX = 1024, NAME_BYTES = 64, SPECIAL = 3 /* tokens */ };

struct family {
    const char *name, *architecture;
    bool qkv_bias;    /* biases of queries, keys and values */
    bool qk_norm;     /* norms of each head's query and key */
    bool sandwich;    /* norms after attention and feed-forward too */
    bool fused;       /* one matrix for queries, keys and values; one for gate and up */
    bool tied;        /* no head of its own */
    bool after_only;  /* norms after attention and feed-forward alone */
    bool whole_norms; /* norms of all heads' queries and keys at once */
    bool has_window;  /* some layers always look through one */
    bool always_experts;
    bool shared_expert; /* one that every token goes through, besides */
    bool latent;        /* keys and values of a short vector; the first layer has no experts */
    bool gpt_oss;       /* biases everywhere, sinks, the second norm under another name, yarn */
    bool multipliers;   /* of embeddings, blocks, scores and logits */
    float attention_cap, final_cap; /* soft-caps; 0: none */
    float rope_base;
};

static const struct family families[] = {
    {.name = "llama", .architecture = "llama", .rope_base = 10000},
    {.name = "mistral", .architecture = "llama", .rope_base = 10000},
    {.name = "mixtral", .architecture = "llama", .always_experts = true, .rope_base = 1000000},
    {.name = "qwen2", .architecture = "qwen2", .qkv_bias = true, .rope_base = 1000000},
    {.name = "qwen3", .architecture = "qwen3", .qk_norm = true, .rope_base = 1000000},
    {.name = "gemma2",
     .architecture = "gemma2",
     .sandwich = true,
     .tied = true,
     .has_window = true,
     .attention_cap = 50,
     .final_cap = 30,
     .rope_base = 10000},
    {.name = "gemma3",
     .architecture = "gemma3",
     .qk_norm = true,
     .sandwich = true,
     .tied = true,
     .has_window = true,
     .rope_base = 1000000},
    {.name = "phi3", .architecture = "phi3", .fused = true, .rope_base = 10000},
    {.name = "gemma", .architecture = "gemma", .tied = true, .rope_base = 10000},
    {.name = "granite",
     .architecture = "granite",
     .tied = true,
     .multipliers = true,
     .rope_base = 10000000},
    {.name = "olmo2",
     .architecture = "olmo2",
     .qk_norm = true,
     .whole_norms = true,
     .sandwich = true,
     .after_only = true,
     .rope_base = 500000},
    {.name = "smollm3", .architecture = "smollm3", .tied = true, .rope_base = 2000000},
    {.name = "qwen2moe",
     .architecture = "qwen2moe",
     .qkv_bias = true,
     .always_experts = true,
     .shared_expert = true,
     .rope_base = 1000000},
    {.name = "deepseek2",
     .architecture = "deepseek2",
     .always_experts = true,
     .shared_expert = true,
     .latent = true,
     .rope_base = 10000},
    {.name = "gpt-oss",
     .architecture = "gpt-oss",
     .qkv_bias = true,
     .always_experts = true,
     .has_window = true,
     .gpt_oss = true,
     .rope_base = 150000},
    {.name = "qwen3moe",
     .architecture = "qwen3moe",
     .qk_norm = true,
     .always_experts = true,
     .rope_base = 1000000},
};

static const struct {
    const char *name;
    uint32_t dim, n_layers, n_heads, n_kv_heads, n_ffn, n_vocab, context;
} presets[] = {
    {"small", 256, 2, 4, 2, 512, 512, 512},
    {"134m", 768, 12, 12, 12, 2048, 32000, 2048},
    {"1.1b", 2048, 22, 32, 4, 5632, 32000, 2048},
    {"7b", 4096, 32, 32, 8, 14336, 32000, 32768},
};

struct spread {
    float mean, deviation;
};

struct random_model {
    qn_model_random_options o; /* with nothing left to be defaulted */
    const struct family *family;
    struct qn__model_file *vocabulary; /* or NULL */
    struct qn__weight_mix mix;
    struct qn__gguf_writer w;
    struct spread *spreads; /* of each tensor */
    uint32_t spreads_capacity;
    struct qn__random_table table;
    qn_status status; /* the first failure; then nothing is added */
};

/* -- options -- */

static qn_status find_family(struct random_model *m)
{
    const char *name = m->o.family ? m->o.family : "llama";
    struct qn__str known = {0};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (!strcmp(families[i].name, name))
            m->family = &families[i];
        qn__str_printf(&known, "%s%s", i ? ", " : "", families[i].name);
    }
    const qn_status s = m->family ? QN_OK
                                  : qn__fail(QN_E_INVALID, "the family '%.32s'; there are %s", name,
                                             known.text ? known.text : "");
    qn__str_release(&known);
    return s;
}

static void use(uint32_t *value, uint32_t fallback)
{
    if (*value == 0)
        *value = fallback;
}

static qn_status fill_preset(struct random_model *m)
{
    const char *name = m->o.preset ? m->o.preset : "small";
    struct qn__str known = {0};
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        qn__str_printf(&known, "%s%s", i ? ", " : "", presets[i].name);
        if (strcmp(presets[i].name, name) != 0)
            continue;
        use(&m->o.dim, presets[i].dim);
        use(&m->o.n_layers, presets[i].n_layers);
        use(&m->o.n_kv_heads, m->o.n_heads ? m->o.n_heads : presets[i].n_kv_heads);
        use(&m->o.n_heads, presets[i].n_heads);
        use(&m->o.n_ffn, presets[i].n_ffn);
        use(&m->o.n_vocab, presets[i].n_vocab);
        use(&m->o.context, presets[i].context);
    }
    const qn_status s = m->o.dim ? QN_OK
                                 : qn__fail(QN_E_INVALID, "the preset '%.32s'; there are %s", name,
                                            known.text ? known.text : "");
    qn__str_release(&known);
    return s;
}

static qn_status fill_rest(struct random_model *m)
{
    qn_model_random_options *o = &m->o;
    if (!o->head_dim)
        o->head_dim = o->dim / o->n_heads;
    if (m->family->has_window)
        use(&o->window, o->context / 4 > 16 ? o->context / 4 : 16);
    if (m->family->always_experts)
        use(&o->n_experts, 8);
    if (o->n_experts)
        use(&o->n_experts_used, 2);
    o->tied_head |= m->family->tied;
    const uint32_t sizes[] = {o->dim,   o->n_heads, o->n_kv_heads, o->head_dim,
                              o->n_ffn, o->n_vocab, o->context};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] == 0 || sizes[i] > SIZE_MAX_EACH)
            return qn__fail(QN_E_INVALID, "a size of %u: not from 1 to %d", sizes[i],
                            SIZE_MAX_EACH);
    if (!o->vocabulary && o->n_vocab < SPECIAL)
        return qn__fail(QN_E_INVALID, "a vocabulary of %u: at least %d tokens", o->n_vocab,
                        SPECIAL);
    if (o->n_layers > LAYERS_MAX)
        return qn__fail(QN_E_INVALID, "%u layers: at most %d", o->n_layers, LAYERS_MAX);
    if (o->n_heads % o->n_kv_heads != 0)
        return qn__fail(QN_E_INVALID, "%u heads are no multiple of %u key/value heads", o->n_heads,
                        o->n_kv_heads);
    if (o->head_dim % 2 != 0)
        return qn__fail(QN_E_INVALID, "heads of %u elements: the number must be even", o->head_dim);
    if (o->n_experts && strcmp(m->family->architecture, "llama") != 0 && !m->family->always_experts)
        return qn__fail(QN_E_INVALID, "experts in the family %s, which has none", m->family->name);
    if (o->n_experts > 256 || o->n_experts_used > o->n_experts)
        return qn__fail(QN_E_INVALID, "%u of %u experts", o->n_experts_used, o->n_experts);
    return QN_OK;
}

/* The size of the vocabulary that is taken over. */
static qn_status open_vocabulary(struct random_model *m)
{
    if (!m->o.vocabulary)
        return QN_OK;
    QN_TRY(qn__model_file_open(&m->vocabulary, m->o.vocabulary));
    const struct qn__fact *tokens = qn__fact_find(m->vocabulary, "tokenizer.ggml.tokens");
    if (!tokens || tokens->kind != QN__FACT_ARRAY)
        return qn__fail(QN_E_NOT_FOUND, "%s: the file has no vocabulary", m->o.vocabulary);
    if (m->o.n_vocab && m->o.n_vocab != tokens->value.array.n)
        return qn__fail(QN_E_INVALID, "%u tokens, but the vocabulary of %s has %" PRIu64,
                        m->o.n_vocab, m->o.vocabulary, tokens->value.array.n);
    m->o.n_vocab = (uint32_t)tokens->value.array.n;
    return QN_OK;
}

/* The width of an expert, where it is not that of a feed-forward block. */
static uint32_t expert_width(const struct random_model *m)
{
    const bool is_own = m->family->always_experts && strcmp(m->family->architecture, "llama") != 0;
    return is_own ? (m->o.n_ffn / 4 + 31) / 32 * 32 : m->o.n_ffn;
}

/* Of DeepSeek-V2-Lite: heads of 128 + 64 and of 128 for values, a short vector of 512, two experts
 * that every token goes through. */
enum { SHARED_EXPERTS = 2 };

static uint32_t turned_dim(const qn_model_random_options *o)
{
    return o->head_dim / 3 / 2 * 2;
}

static uint32_t value_dim(const qn_model_random_options *o)
{
    return o->head_dim - turned_dim(o);
}

static uint32_t kv_rank(const qn_model_random_options *o)
{
    return (o->dim / 4 + 31) / 32 * 32;
}

/* -- facts -- */

static const char *key(struct qn__str *text, const struct random_model *m, const char *name)
{
    qn__str_clear(text);
    qn__str_printf(text, "%s.%s", m->family->architecture, name);
    return text->text ? text->text : "";
}

static void add_facts(struct random_model *m)
{
    const qn_model_random_options *o = &m->o;
    const struct {
        const char *name;
        uint32_t value; /* 0: not written */
    } numbers[] = {
        {"block_count", o->n_layers},
        {"context_length", o->context},
        {"embedding_length", o->dim},
        {"feed_forward_length", o->n_ffn},
        {"attention.head_count", o->n_heads},
        {"attention.head_count_kv", m->family->latent ? o->n_heads : o->n_kv_heads},
        {"attention.key_length", o->head_dim},
        {"attention.value_length", m->family->latent ? value_dim(o) : o->head_dim},
        {"attention.kv_lora_rank", m->family->latent ? kv_rank(o) : 0},
        {"leading_dense_block_count", m->family->latent ? 1 : 0},
        {"expert_shared_count", m->family->latent ? SHARED_EXPERTS : 0},
        {"attention.sliding_window", o->window},
        {"rope.dimension_count", m->family->latent ? turned_dim(o) : o->head_dim},
        {"vocab_size", o->n_vocab},
        {"expert_count", o->n_experts},
        {"expert_used_count", o->n_experts_used},
        {"expert_feed_forward_length", expert_width(m) != o->n_ffn ? expert_width(m) : 0},
        {"rope.scaling.original_context_length",
         m->family->gpt_oss || m->family->latent ? (o->context + 3) / 4 : 0},
        {"expert_shared_feed_forward_length",
         m->family->shared_expert && !m->family->latent ? o->n_ffn : 0},
    };
    const struct {
        const char *name;
        float value;
    } multipliers[] = {{"embedding_scale", 12},
                       {"residual_scale", 0.22f},
                       {"logit_scale", 2},
                       {"attention.scale", 1.0f / (float)o->head_dim}};
    struct qn__str text = {0};
    qn__gguf_add_text(&m->w, "general.architecture", m->family->architecture);
    /* without the family: a reader may take a name with "phi3" for that model's vocabulary */
    qn__str_printf(&text, "random weights, seed %" PRIu64, o->seed);
    qn__gguf_add_text(&m->w, "general.name", text.text ? text.text : "");
    qn__gguf_add_u32(&m->w, "general.file_type", m->mix.file_type);
    qn__gguf_add_u32(&m->w, "general.quantization_version", 2);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].value)
            qn__gguf_add_u32(&m->w, key(&text, m, numbers[i].name), numbers[i].value);
    const bool gemma = qn__starts_with(m->family->name, "gemma");
    qn__gguf_add_f32(&m->w, key(&text, m, "attention.layer_norm_rms_epsilon"),
                     gemma ? 1e-6f : 1e-5f);
    qn__gguf_add_f32(&m->w, key(&text, m, "rope.freq_base"), m->family->rope_base);
    for (size_t i = 0; m->family->multipliers && i < sizeof multipliers / sizeof multipliers[0];
         i++)
        qn__gguf_add_f32(&m->w, key(&text, m, multipliers[i].name), multipliers[i].value);
    if (m->family->gpt_oss) {
        qn__gguf_add_text(&m->w, key(&text, m, "rope.scaling.type"), "yarn");
        qn__gguf_add_f32(&m->w, key(&text, m, "rope.scaling.factor"), 4);
    }
    if (m->family->latent) {
        qn__gguf_add_text(&m->w, key(&text, m, "rope.scaling.type"), "yarn");
        qn__gguf_add_f32(&m->w, key(&text, m, "rope.scaling.factor"), 4);
        qn__gguf_add_f32(&m->w, key(&text, m, "rope.scaling.yarn_log_multiplier"), 0.0707f);
        qn__gguf_add_f32(&m->w, key(&text, m, "expert_weights_scale"), 1);
    }
    if (m->family->attention_cap > 0)
        qn__gguf_add_f32(&m->w, key(&text, m, "attn_logit_softcapping"), m->family->attention_cap);
    if (m->family->final_cap > 0)
        qn__gguf_add_f32(&m->w, key(&text, m, "final_logit_softcapping"), m->family->final_cap);
    qn__str_release(&text);
}

/* -- vocabulary -- */

enum { BYTES = 256, TYPE_TEXT = 8, TYPE_F32 = 6, TYPE_I32 = 5 };

/* Token i of a made-up SentencePiece vocabulary: three special ones, the bytes where there is room
 * for them, then "a" .. "z", "▁a" .. "▁z", "aa", "ab" and so on. */
static void made_up_token(struct qn__str *out, int32_t *type, uint32_t i, uint32_t n_vocab)
{
    static const char *const special[SPECIAL] = {"<unk>", "<s>", "</s>"};
    qn__str_clear(out);
    *type = i == 0 ? 2 : 3;
    if (i < SPECIAL) {
        qn__str_add(out, special[i]);
        return;
    }
    i -= SPECIAL;
    if (n_vocab >= 2 * BYTES) {
        *type = 6;
        if (i < BYTES) {
            qn__str_printf(out, "<0x%02X>", i);
            return;
        }
        i -= BYTES;
    }
    *type = 1;
    uint32_t letters = 1, words = 26; /* of so many letters there are so many words, twice */
    while (i >= 2 * words) {
        i -= 2 * words;
        words *= 26;
        letters++;
    }
    if (i >= words)
        qn__str_add(out, "\xe2\x96\x81");
    for (i %= words; letters--; i %= words) {
        words /= 26;
        qn__str_add_char(out, (char)('a' + i / words));
    }
}

static void make_up_vocabulary(struct random_model *m)
{
    const uint32_t n = m->o.n_vocab;
    struct qn__str text = {0};
    int32_t type;
    qn__gguf_add_text(&m->w, "tokenizer.ggml.model", "llama");
    qn__gguf_begin_array(&m->w, "tokenizer.ggml.tokens", TYPE_TEXT, n);
    for (uint32_t i = 0; i < n; i++) {
        made_up_token(&text, &type, i, n);
        if (text.failed && m->status == QN_OK)
            m->status = qn__str_check(&text);
        qn__gguf_put_text(&m->w, text.text ? text.text : "", text.len);
    }
    qn__gguf_begin_array(&m->w, "tokenizer.ggml.scores", TYPE_F32, n);
    for (uint32_t i = 0; i < n; i++) {
        const float score = -(float)i;
        uint32_t bits;
        memcpy(&bits, &score, sizeof bits);
        qn__gguf_put_number(&m->w, bits, 4);
    }
    qn__gguf_begin_array(&m->w, "tokenizer.ggml.token_type", TYPE_I32, n);
    for (uint32_t i = 0; i < n; i++) {
        made_up_token(&text, &type, i, n);
        qn__gguf_put_number(&m->w, (uint32_t)type, 4);
    }
    qn__gguf_add_u32(&m->w, "tokenizer.ggml.bos_token_id", 1);
    qn__gguf_add_u32(&m->w, "tokenizer.ggml.eos_token_id", 2);
    qn__gguf_add_u32(&m->w, "tokenizer.ggml.unknown_token_id", 0);
    qn__str_release(&text);
}

static void add_vocabulary(struct random_model *m)
{
    if (!m->vocabulary) {
        make_up_vocabulary(m);
        return;
    }
    for (uint32_t i = 0; i < qn__model_file_n_facts(m->vocabulary); i++) {
        const struct qn__fact *fact = qn__model_file_fact(m->vocabulary, i);
        if (qn__starts_with(fact->key, "tokenizer."))
            qn__gguf_copy_fact(&m->w, m->vocabulary, fact);
    }
}

/* -- tensors -- */

static void add(struct random_model *m, struct spread spread, const char *name, uint32_t n_dims,
                uint64_t columns, uint64_t rows, uint64_t matrices)
{
    const uint64_t shape[4] = {columns, rows, matrices, 1};
    if (m->status != QN_OK)
        return;
    if (m->w.n_tensors == m->spreads_capacity) {
        const uint32_t wanted = m->spreads_capacity ? m->spreads_capacity * 2 : 256;
        struct spread *more = realloc(m->spreads, wanted * sizeof *more);
        if (!more) {
            m->status = qn__fail(QN_E_MEMORY, "no memory for %u tensors", wanted);
            return;
        }
        m->spreads = more;
        m->spreads_capacity = wanted;
    }
    m->spreads[m->w.n_tensors] = spread;
    m->status = qn__gguf_add_tensor(&m->w, name, n_dims, shape,
                                    qn__weight_mix_choose(&m->mix, name, n_dims, columns));
}

/* "blk.3.attn_q.weight" */
static const char *in_layer(char out[NAME_BYTES], uint32_t layer, const char *name)
{
    snprintf(out, NAME_BYTES, "blk.%u.%s", layer, name);
    return out;
}

static void add_matrix(struct random_model *m, uint32_t layer, const char *name, uint64_t columns,
                       uint64_t rows)
{
    char text[NAME_BYTES];
    add(m, (struct spread){0, 1.0f / sqrtf((float)columns)}, in_layer(text, layer, name), 2,
        columns, rows, 1);
}

static void add_experts(struct random_model *m, uint32_t layer, const char *name, uint64_t columns,
                        uint64_t rows)
{
    char text[NAME_BYTES];
    add(m, (struct spread){0, 1.0f / sqrtf((float)columns)}, in_layer(text, layer, name), 3,
        columns, rows, m->o.n_experts);
}

static void add_norm(struct random_model *m, uint32_t layer, const char *name, uint64_t n)
{
    char text[NAME_BYTES];
    add(m, (struct spread){1.0f, 0.05f}, in_layer(text, layer, name), 1, n, 1, 1);
}

static void add_bias(struct random_model *m, uint32_t layer, const char *name, uint64_t n)
{
    char text[NAME_BYTES];
    add(m, (struct spread){0, 0.1f}, in_layer(text, layer, name), 1, n, 1, 1);
}

static void add_attention(struct random_model *m, uint32_t layer)
{
    const uint64_t dim = m->o.dim, q = (uint64_t)m->o.n_heads * m->o.head_dim,
                   kv = (uint64_t)m->o.n_kv_heads * m->o.head_dim;
    if (!m->family->after_only)
        add_norm(m, layer, "attn_norm.weight", dim);
    if (m->family->fused) {
        add_matrix(m, layer, "attn_qkv.weight", dim, q + 2 * kv);
    } else {
        add_matrix(m, layer, "attn_q.weight", dim, q);
        add_matrix(m, layer, "attn_k.weight", dim, kv);
        add_matrix(m, layer, "attn_v.weight", dim, kv);
    }
    if (m->family->qkv_bias) {
        add_bias(m, layer, "attn_q.bias", q);
        add_bias(m, layer, "attn_k.bias", kv);
        add_bias(m, layer, "attn_v.bias", kv);
    }
    if (m->family->qk_norm) {
        const bool whole = m->family->whole_norms;
        add_norm(m, layer, "attn_q_norm.weight", whole ? q : m->o.head_dim);
        add_norm(m, layer, "attn_k_norm.weight", whole ? kv : m->o.head_dim);
    }
    add_matrix(m, layer, "attn_output.weight", q, dim);
    if (m->family->gpt_oss) {
        add_bias(m, layer, "attn_output.bias", dim);
        add_bias(m, layer, "attn_sinks.weight", m->o.n_heads);
    }
    if (m->family->sandwich)
        add_norm(m, layer, "post_attention_norm.weight", dim);
}

static void add_latent_attention(struct random_model *m, uint32_t layer)
{
    const qn_model_random_options *o = &m->o;
    const uint64_t dim = o->dim, heads = o->n_heads, rank = kv_rank(o), turned = turned_dim(o);
    add_norm(m, layer, "attn_norm.weight", dim);
    add_matrix(m, layer, "attn_q.weight", dim, heads * o->head_dim);
    add_matrix(m, layer, "attn_kv_a_mqa.weight", dim, rank + turned);
    add_norm(m, layer, "attn_kv_a_norm.weight", rank);
    add_matrix(m, layer, "attn_kv_b.weight", rank, heads * (o->head_dim - turned + value_dim(o)));
    add_matrix(m, layer, "attn_output.weight", heads * value_dim(o), dim);
}

static void add_expert_biases(struct random_model *m, uint32_t layer, const char *name, uint64_t n)
{
    char text[NAME_BYTES];
    add(m, (struct spread){0, 0.1f}, in_layer(text, layer, name), 2, n, m->o.n_experts, 1);
}

static void add_biases(struct random_model *m, uint32_t layer)
{
    const uint64_t width = expert_width(m);
    add_bias(m, layer, "ffn_gate_inp.bias", m->o.n_experts);
    add_expert_biases(m, layer, "ffn_gate_exps.bias", width);
    add_expert_biases(m, layer, "ffn_up_exps.bias", width);
    add_expert_biases(m, layer, "ffn_down_exps.bias", m->o.dim);
}

static void add_shared_expert(struct random_model *m, uint32_t layer)
{
    const uint64_t dim = m->o.dim;
    const uint64_t ffn = m->family->latent ? SHARED_EXPERTS * expert_width(m) : m->o.n_ffn;
    add_matrix(m, layer, "ffn_gate_shexp.weight", dim, ffn);
    add_matrix(m, layer, "ffn_up_shexp.weight", dim, ffn);
    add_matrix(m, layer, "ffn_down_shexp.weight", ffn, dim);
    if (!m->family->latent)
        add_bias(m, layer, "ffn_gate_inp_shexp.weight", dim);
}

static void add_feed_forward(struct random_model *m, uint32_t layer)
{
    const uint64_t dim = m->o.dim, ffn = m->o.n_ffn, width = expert_width(m);
    if (!m->family->after_only)
        add_norm(m, layer, m->family->gpt_oss ? "post_attention_norm.weight" : "ffn_norm.weight",
                 dim);
    if (m->o.n_experts && !(m->family->latent && layer == 0)) {
        add_matrix(m, layer, "ffn_gate_inp.weight", dim, m->o.n_experts);
        add_experts(m, layer, "ffn_gate_exps.weight", dim, width);
        add_experts(m, layer, "ffn_up_exps.weight", dim, width);
        add_experts(m, layer, "ffn_down_exps.weight", width, dim);
        if (m->family->shared_expert)
            add_shared_expert(m, layer);
        if (m->family->gpt_oss)
            add_biases(m, layer);
        return;
    }
    if (!m->family->fused)
        add_matrix(m, layer, "ffn_gate.weight", dim, ffn);
    add_matrix(m, layer, "ffn_up.weight", dim, m->family->fused ? 2 * ffn : ffn);
    add_matrix(m, layer, "ffn_down.weight", ffn, dim);
    if (m->family->sandwich)
        add_norm(m, layer, "post_ffw_norm.weight", dim);
}

static void add_tensors(struct random_model *m)
{
    const uint64_t dim = m->o.dim;
    const struct spread fan_in = {0, 1.0f / sqrtf((float)dim)};
    add(m, fan_in, "token_embd.weight", 2, dim, m->o.n_vocab, 1);
    for (uint32_t layer = 0; layer < m->o.n_layers; layer++) {
        m->family->latent ? add_latent_attention(m, layer) : add_attention(m, layer);
        add_feed_forward(m, layer);
    }
    add(m, (struct spread){1.0f, 0.05f}, "output_norm.weight", 1, dim, 1, 1);
    if (!m->o.tied_head)
        add(m, fan_in, "output.weight", 2, dim, m->o.n_vocab, 1);
}

static qn_status fill(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct random_model *m = context;
    const uint64_t place = ((uint64_t)tensor << 40) + first; /* no two pieces have the same */
    qn__random_blocks(blocks, m->w.outputs[tensor].format, n, m->spreads[tensor].mean,
                      m->spreads[tensor].deviation,
                      (m->o.seed + 1) * UINT64_C(0xd1342543de82ef95) ^
                          place * UINT64_C(0xda942042e4dd58b5),
                      &m->table);
    return QN_OK;
}

static qn_status make(struct random_model *m, const char *path)
{
    QN_TRY(find_family(m));
    QN_TRY(qn__weight_mix_find(&m->mix, m->o.type ? m->o.type : "f16"));
    QN_TRY(open_vocabulary(m));
    QN_TRY(fill_preset(m));
    QN_TRY(fill_rest(m));
    m->mix.n_layers = m->o.n_layers;
    m->mix.n_experts = m->o.n_experts;
    m->mix.tied_head = m->o.tied_head;
    qn__random_table_fill(&m->table);
    add_facts(m);
    add_vocabulary(m);
    add_tensors(m);
    QN_TRY(m->status);
    return qn__gguf_write(&m->w, path, fill, m, m->o.n_threads);
}

qn_status qn_model_random(const char *path, const qn_model_random_options *options)
{
    QN_ARG_CHECK(path != NULL);
    struct random_model *m = qn__alloc(1, sizeof *m);
    if (!m)
        return qn__fail(QN_E_MEMORY, "no memory for a model");
    if (options)
        m->o = *options;
    const qn_status s = make(m, path);
    qn__gguf_writer_release(&m->w);
    qn__model_file_close(m->vocabulary);
    free(m->spreads);
    free(m);
    return s;
}
