/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a model's shape (model_shape.h). Keys are GGUF's: "<family>.<key>". */
#include "engine/model_shape.h"

#include "base/str.h"
#include "engine/model_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct qn__family families[] = {
#define QN__FAMILY(name_, ...) {.name = name_, __VA_ARGS__},
#include "engine/families.def"
};
enum { N_FAMILIES = sizeof families / sizeof *families };

/* No model comes near these; beyond them products overflow. */
enum { MAX_WIDTH = 1 << 20, MAX_VOCAB = 1 << 24, MAX_HEADS = 4096, MAX_HEAD = 256 };

struct reader {
    const struct qn__model_file *file;
    const char *family;
};

enum { KEY_BYTES = 128 };

static const char *key_of(char out[KEY_BYTES], const struct reader *r, const char *key)
{
    snprintf(out, KEY_BYTES, "%s.%s", r->family, key);
    return out;
}

static bool has(const struct reader *r, const char *key)
{
    char text[KEY_BYTES];
    return qn__fact_find(r->file, key_of(text, r, key)) != NULL;
}

/* A count in [1, max]. */
static qn_status read_count(uint32_t *out, const struct reader *r, const char *key, uint32_t max)
{
    char text[KEY_BYTES];
    key_of(text, r, key);
    const struct qn__fact *fact = qn__fact_find(r->file, text);
    if (fact && fact->kind == QN__FACT_ARRAY) {
        /* one per layer: fine where they are all the same */
        const uint64_t n = fact->value.array.n;
        for (uint64_t i = 0; i < n; i++) {
            const struct qn__fact e = qn__fact_element(r->file, fact, i);
            const uint64_t v = e.kind == QN__FACT_I64 ? (uint64_t)e.value.i64 : e.value.u64;
            if ((e.kind != QN__FACT_U64 && e.kind != QN__FACT_I64) || v < 1 || v > max)
                return qn__fail(QN_E_CORRUPT, "%s[%llu]: not a number from 1 to %u", text,
                                (unsigned long long)i, max);
            if (i > 0 && v != *out)
                return qn__fail(QN_E_UNSUPPORTED, "%s differs from layer to layer (%u, then %llu)",
                                text, *out, (unsigned long long)v);
            *out = (uint32_t)v;
        }
        return n ? QN_OK : qn__fail(QN_E_CORRUPT, "%s is empty", text);
    }
    QN_TRY(qn__fact_u32(out, r->file, text));
    if (*out < 1 || *out > max)
        return qn__fail(QN_E_CORRUPT, "%s is %u: not from 1 to %u", text, *out, max);
    return QN_OK;
}

/* As read_count(). Where the key is missing the family's published value or else `fallback`, which
 * it is as well where it is 0 ("none" in some files). */
static qn_status read_count_or(uint32_t *out, const struct reader *r, const char *key, uint32_t max,
                               uint32_t fallback)
{
    char text[KEY_BYTES];
    const struct qn__fact *fact = qn__fact_find(r->file, key_of(text, r, key));
    float published;
    *out = fallback;
    if (!fact && qn__fact_default(&published, r->family, key))
        *out = (uint32_t)published;
    if (!fact || (fact->kind == QN__FACT_U64 && fact->value.u64 == 0) ||
        (fact->kind == QN__FACT_I64 && fact->value.i64 == 0))
        return QN_OK;
    return read_count(out, r, key, max);
}

static qn_status read_number_or(float *out, const struct reader *r, const char *key, float low,
                                float high, float fallback)
{
    char text[KEY_BYTES];
    *out = fallback;
    if (!has(r, key)) {
        qn__fact_default(out, r->family, key);
        return QN_OK;
    }
    QN_TRY(qn__fact_f32(out, r->file, key_of(text, r, key)));
    if (!(*out >= low && *out <= high))
        return qn__fail(QN_E_CORRUPT, "%s is %g: not from %g to %g", text, (double)*out,
                        (double)low, (double)high);
    return QN_OK;
}

static qn_status read_number(float *out, const struct reader *r, const char *key, float low,
                             float high)
{
    char text[KEY_BYTES];
    if (!has(r, key))
        return qn__fail(QN_E_CORRUPT, "the file has no fact '%s'", key_of(text, r, key));
    return read_number_or(out, r, key, low, high, 0);
}

qn_status qn__family_find(const struct qn__family **out, const char *name)
{
    struct qn__str known = {0};
    for (uint32_t i = 0; i < N_FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0) {
            *out = &families[i];
            qn__str_release(&known);
            return QN_OK;
        }
        qn__str_printf(&known, "%s%s", i ? ", " : "", families[i].name);
    }
    const qn_status s =
        qn__fail(QN_E_UNSUPPORTED, "models of the family '%s' are not known; known: %s", name,
                 known.text ? known.text : "");
    qn__str_release(&known);
    return s;
}

/* DeepSeek's form of yarn: scores grow by the square of what else multiplies cosine and sine. */
static qn_status read_yarn_multiplier(struct qn__config *c, const struct reader *r)
{
    float multiplier;
    if (!c->family->is_latent)
        return QN_OK;
    QN_TRY(read_number_or(&multiplier, r, "rope.scaling.yarn_log_multiplier", 0.0f, 1e3f, 0.0f));
    if (multiplier == 0.0f || c->scaling != QN__SCALING_YARN)
        return QN_OK;
    const float growth = 1.0f + multiplier * logf(c->scaling_factor);
    c->attention_scale *= growth * growth;
    if (c->yarn_attention == 0.0f)
        c->yarn_attention = 1.0f;
    return QN_OK;
}

static qn_status read_scaling(struct qn__config *c, const struct reader *r)
{
    static const struct {
        const char *name;
        enum qn__rope_scaling scaling;
    } kinds[] = {
        {"none", QN__SCALING_NONE},     {"default", QN__SCALING_NONE},
        {"linear", QN__SCALING_LINEAR}, {"yarn", QN__SCALING_YARN},
        {"llama3", QN__SCALING_LLAMA3}, {"longrope", QN__SCALING_LONGROPE},
    };
    char key[KEY_BYTES];
    const bool has_factors = qn__model_file_find(r->file, "rope_factors_long.weight") != NULL;
    const char *name = has_factors ? "longrope" : "none";
    if (has(r, "rope.scaling.type"))
        QN_TRY(qn__fact_text(&name, r->file, key_of(key, r, "rope.scaling.type")));
    uint32_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && strcmp(kinds[i].name, name) != 0)
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return qn__fail(QN_E_UNSUPPORTED, "rope.scaling.type '%s' is not known", name);
    c->scaling = kinds[i].scaling;
    if (has_factors && c->scaling != QN__SCALING_LONGROPE)
        return qn__fail(QN_E_UNSUPPORTED,
                        "rope.scaling.type '%s' and the tensors rope_factors_long and _short: "
                        "only longrope has them",
                        name);
    QN_TRY(read_number_or(&c->scaling_factor, r, "rope.scale_linear", 0.0f, 1e6f, 0.0f));
    QN_TRY(read_number_or(&c->scaling_factor, r, "rope.scaling.factor", 0.0f, 1e6f,
                          c->scaling_factor));
    if (c->scaling_factor == 0.0f) /* none, in some files */
        c->scaling_factor = 1.0f;
    if (c->scaling_factor < 1e-3f)
        return qn__fail(QN_E_CORRUPT, "rope.scaling.factor %g: not from 0.001 to 1e6",
                        (double)c->scaling_factor);
    if (!has(r, "rope.scaling.type") && !has_factors && c->scaling_factor != 1.0f)
        c->scaling = QN__SCALING_LINEAR; /* older files give the factor alone */
    if (c->scaling == QN__SCALING_YARN && c->scaling_factor < 1.0f)
        return qn__fail(QN_E_CORRUPT, "rope.scaling.factor %g: yarn stretches by 1 or more",
                        (double)c->scaling_factor);
    QN_TRY(read_number_or(&c->scaling_attention, r, "rope.scaling.attn_factor", 0.0f, 1e3f, 0.0f));
    QN_TRY(
        read_number_or(&c->yarn_attention, r, "rope.scaling.yarn_attn_factor", 0.0f, 1e3f, 0.0f));
    QN_TRY(read_number_or(&c->scaling_low, r, "rope.scaling.low_freq_factor", 1e-3f, 1e3f, 1.0f));
    QN_TRY(read_number_or(&c->scaling_high, r, "rope.scaling.high_freq_factor", 1e-3f, 1e3f, 4.0f));
    QN_TRY(read_number_or(&c->yarn_fast, r, "rope.scaling.yarn_beta_fast", 1e-3f, 1e4f, 32.0f));
    QN_TRY(read_number_or(&c->yarn_slow, r, "rope.scaling.yarn_beta_slow", 1e-3f, 1e4f, 1.0f));
    c->yarn_truncated = !c->family->yarn_untruncated;
    if (has(r, "rope.scaling.yarn_truncate"))
        QN_TRY(qn__fact_bool(&c->yarn_truncated, r->file,
                             key_of(key, r, "rope.scaling.yarn_truncate")));
    QN_TRY(read_yarn_multiplier(c, r));
    QN_TRY(read_count_or(&c->scaling_context, r, "rope.scaling.original_context_length", UINT32_MAX,
                         c->context_trained));
    c->yarn_share = c->angle_scale = 1.0f;
    const double stretch = (double)c->context_trained / c->scaling_context;
    if (c->scaling == QN__SCALING_LONGROPE && c->scaling_attention == 0.0f && stretch > 1 &&
        c->scaling_context > 1)
        c->scaling_attention = (float)sqrt(1 + log(stretch) / log(c->scaling_context));
    return QN_OK;
}

/* -- layers -- */

/* One value for each layer. */
static qn_status read_flags(bool *out, const struct reader *r, const char *key, uint32_t n)
{
    const struct qn__fact *fact = qn__fact_find(r->file, key);
    if (fact->value.array.n < n)
        return qn__fail(QN_E_CORRUPT, "%s has %llu elements for %u layers", key,
                        (unsigned long long)fact->value.array.n, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct qn__fact e = qn__fact_element(r->file, fact, i);
        if (e.kind != QN__FACT_BOOL && e.kind != QN__FACT_U64 && e.kind != QN__FACT_I64)
            return qn__fail(QN_E_CORRUPT, "%s[%u]: neither true nor false", key, i);
        out[i] = e.kind == QN__FACT_BOOL ? e.value.boolean : e.value.u64 != 0;
    }
    return QN_OK;
}

static bool is_array(const struct reader *r, const char *key)
{
    const struct qn__fact *fact = qn__fact_find(r->file, key);
    return fact && fact->kind == QN__FACT_ARRAY;
}

/* Phi-3 mini 4k has a window that its first files do not write. */
static uint32_t usual_window(const struct qn__config *c, const struct reader *r)
{
    enum { PHI3_LAYERS = 32, PHI3_CONTEXT = 4096, PHI3_WINDOW = 2047 };
    const bool is_mini = !strcmp(r->family, "phi3") && c->n_layers == PHI3_LAYERS &&
                         c->context_trained == PHI3_CONTEXT;
    return is_mini && !has(r, "attention.sliding_window") ? PHI3_WINDOW : 0;
}

/* Which layers look through the window, and which are turned by positions. */
static qn_status read_layers(struct qn__config *c, const struct reader *r)
{
    char key[KEY_BYTES];
    uint32_t period = c->family->local_period;
    QN_TRY(
        read_count_or(&c->window, r, "attention.sliding_window", UINT32_MAX, usual_window(c, r)));
    key_of(key, r, "attention.sliding_window_pattern");
    if (is_array(r, key)) {
        QN_TRY(read_flags(c->is_local, r, key, c->n_layers));
    } else {
        if (has(r, "attention.sliding_window_pattern"))
            QN_TRY(qn__fact_u32(&period, r->file, key));
        for (uint32_t i = 0; i < c->n_layers; i++)
            c->is_local[i] = period == 0 || i % period + 1 < period;
    }
    key_of(key, r, "attention.rope_pattern");
    for (uint32_t i = 0; i < c->n_layers; i++)
        c->is_turned[i] = qn__family_is_turned(c->family, i);
    if (has(r, "attention.rope_pattern") && !is_array(r, key))
        return qn__fail(QN_E_CORRUPT, "%s: not one value for each layer", key);
    return is_array(r, key) ? read_flags(c->is_turned, r, key, c->n_layers) : QN_OK;
}

/* The stream is kept divided by what multiplies blocks, so that they are added as they are: norms
 * do not see it, but for their eps. */
static qn_status read_multipliers(struct qn__config *c, const struct reader *r)
{
    float residual = 1;
    c->embedding_scale = c->family->scaled_embedding ? sqrtf((float)c->dim) : 1.0f;
    c->logit_scale = 1;
    c->head_norm_eps = c->norm_eps;
    if (!c->family->has_multipliers)
        return QN_OK;
    QN_TRY(read_number_or(&c->embedding_scale, r, "embedding_scale", 1e-6f, 1e6f, 1.0f));
    QN_TRY(read_number_or(&residual, r, "residual_scale", 1e-6f, 1e6f, 1.0f));
    QN_TRY(read_number(&c->logit_scale, r, "logit_scale", 1e-6f, 1e6f));
    c->logit_scale = 1 / c->logit_scale;
    c->embedding_scale /= residual;
    c->norm_eps /= residual * residual;
    return QN_OK;
}

/* Heads of latent attention. Newer files have the heads of the short vectors under the usual names,
 * one for keys and values, and the real ones' sizes under _mla; older ones have these alone. */
static qn_status read_latent(struct qn__config *c, const struct reader *r)
{
    const bool is_short = has(r, "attention.key_length_mla");
    QN_TRY(read_count(&c->latent.kv_rank, r, "attention.kv_lora_rank", MAX_WIDTH));
    QN_TRY(read_count_or(&c->latent.q_rank, r, "attention.q_lora_rank", MAX_WIDTH, 0));
    QN_TRY(read_count(&c->head_dim, r,
                      is_short ? "attention.key_length_mla" : "attention.key_length", MAX_HEAD));
    QN_TRY(read_count(&c->latent.n_value, r,
                      is_short ? "attention.value_length_mla" : "attention.value_length",
                      MAX_HEAD));
    QN_TRY(read_count(&c->n_rot, r, "rope.dimension_count", MAX_HEAD));
    if (c->n_kv_heads != c->n_heads && c->n_kv_heads != 1)
        return qn__fail(QN_E_CORRUPT,
                        "attention.head_count_kv %u: latent attention has 1, or head_count's %u",
                        c->n_kv_heads, c->n_heads);
    if (c->n_rot >= c->head_dim || c->latent.n_value > c->head_dim)
        return qn__fail(QN_E_CORRUPT,
                        "heads of %u elements, of which %u are turned, and %u of values: latent "
                        "attention needs some that are not turned, and no more of values",
                        c->head_dim, c->n_rot, c->latent.n_value);
    c->n_kv_heads = c->n_heads;
    c->latent.n_plain = c->head_dim - c->n_rot;
    return QN_OK;
}

/* Sizes of heads where keys and values are as long as queries. */
static qn_status read_heads(struct qn__config *c, const struct reader *r)
{
    uint32_t value_dim;
    if (!has(r, "attention.key_length") && c->dim % c->n_heads != 0)
        return qn__fail(QN_E_CORRUPT, "embedding_length %u is no multiple of head_count %u", c->dim,
                        c->n_heads);
    QN_TRY(read_count_or(&c->head_dim, r, "attention.key_length", MAX_HEAD, c->dim / c->n_heads));
    QN_TRY(read_count_or(&value_dim, r, "attention.value_length", MAX_HEAD, c->head_dim));
    if (value_dim != c->head_dim)
        return qn__fail(QN_E_UNSUPPORTED, "heads of %u for keys and %u for values: only equal ones",
                        c->head_dim, value_dim);
    return read_count_or(&c->n_rot, r, "rope.dimension_count", MAX_HEAD, c->head_dim);
}

static qn_status read_attention(struct qn__config *c, const struct reader *r)
{
    char key[KEY_BYTES];
    bool is_neox = false;
    QN_TRY(read_count(&c->n_heads, r, "attention.head_count", MAX_HEADS));
    QN_TRY(read_count_or(&c->n_kv_heads, r, "attention.head_count_kv", MAX_HEADS, c->n_heads));
    if (c->n_heads % c->n_kv_heads != 0)
        return qn__fail(QN_E_CORRUPT, "attention.head_count %u is no multiple of head_count_kv %u",
                        c->n_heads, c->n_kv_heads);
    QN_TRY(c->family->is_latent ? read_latent(c, r) : read_heads(c, r));
    if (c->head_dim > MAX_HEAD || c->head_dim % 8 != 0)
        return qn__fail(QN_E_UNSUPPORTED, "heads of %u elements: only multiples of 8 up to %d",
                        c->head_dim, MAX_HEAD);
    if (c->n_rot > c->head_dim || c->n_rot % 2 != 0)
        return qn__fail(QN_E_CORRUPT, "rope.dimension_count %u: odd, or more than a head's %u",
                        c->n_rot, c->head_dim);
    QN_TRY(read_number_or(&c->rope_base, r, "rope.freq_base", 1.0f, 1e12f, 10000.0f));
    QN_TRY(
        read_number_or(&c->local_rope_base, r, "rope.freq_base_swa", 1.0f, 1e12f,
                       c->family->local_unstretched ? c->rope_base : c->family->local_rope_base));
    QN_TRY(read_number_or(&c->attention_softcap, r, "attn_logit_softcapping", 0.0f, 1e6f, 0.0f));
    QN_TRY(read_number_or(&c->final_softcap, r, "final_logit_softcapping", 0.0f, 1e6f, 0.0f));
    c->attention_scale = 1.0f / sqrtf((float)c->head_dim);
    /* the 27B models of Gemma 2 and 3 scale by the width per head, not by the head; files do not
     * say it */
    if ((strcmp(r->family, "gemma2") == 0 && c->n_layers == 46) ||
        (strcmp(r->family, "gemma3") == 0 && c->n_layers == 62))
        c->attention_scale = 1.0f / sqrtf((float)c->dim / (float)c->n_heads);
    QN_TRY(
        read_number_or(&c->attention_scale, r, "attention.scale", 1e-6f, 1e3f, c->attention_scale));
    c->pairs = c->family->pairs;
    if (has(r, "rope.neox")) { /* ours: a llama from safetensors, whose rows are not interleaved */
        QN_TRY(qn__fact_bool(&is_neox, r->file, key_of(key, r, "rope.neox")));
        c->pairs = is_neox ? QN__ROPE_NEOX : QN__ROPE_NORMAL;
    }
    return QN_OK;
}

static qn_status read_vocabulary_size(struct qn__config *c, const struct qn__model_file *f)
{
    const struct qn__tensor *t = qn__model_file_find(f, "token_embd.weight");
    if (!t)
        return qn__fail(QN_E_CORRUPT, "tensor token_embd.weight is missing");
    if (t->n_dims != 2 || t->shape[0] != c->dim || t->shape[1] < 1 || t->shape[1] > MAX_VOCAB)
        return qn__fail(QN_E_CORRUPT, "token_embd.weight is (%llu, %llu), not (vocabulary, %u)",
                        (unsigned long long)t->shape[1], (unsigned long long)t->shape[0], c->dim);
    c->n_vocab = (uint32_t)t->shape[1];
    return QN_OK;
}

/* The width of experts that the file does not say: rows of a tensor of the first layer; 0: none. */
static uint32_t rows_of(const struct qn__model_file *f, const char *name)
{
    const struct qn__tensor *t = qn__model_file_find(f, name);
    return t && t->shape[1] <= MAX_WIDTH ? (uint32_t)t->shape[1] : 0;
}

/* A tensor of the first layer that has experts. */
static const char *first_of(char out[KEY_BYTES], const char *name, uint32_t layer)
{
    snprintf(out, KEY_BYTES, "blk.%u.%s", layer, name);
    return out;
}

static qn_status read_experts(struct qn__config *c, const struct reader *r)
{
    char key[KEY_BYTES], text[KEY_BYTES];
    c->expert_scale = 1.0f;
    QN_TRY(read_count_or(&c->n_experts, r, "expert_count", 4096, 0));
    QN_TRY(read_count_or(&c->n_used, r, "expert_used_count", 4096, 0));
    if (c->n_used > c->n_experts || (c->n_experts && !c->n_used))
        return qn__fail(QN_E_CORRUPT, "expert_used_count %u of expert_count %u", c->n_used,
                        c->n_experts);
    c->expert_weights_sum = !c->family->expert_weights_as_they_are;
    if (has(r, "expert_weights_norm"))
        QN_TRY(
            qn__fact_bool(&c->expert_weights_sum, r->file, key_of(key, r, "expert_weights_norm")));
    if (!c->family->expert_width)
        return QN_OK;
    if (!c->n_experts)
        return qn__fail(QN_E_CORRUPT, "%s without experts", r->family);
    QN_TRY(read_count_or(&c->n_dense, r, "leading_dense_block_count", c->n_layers, 0));
    c->n_dense_ffn = c->n_ffn;
    QN_TRY(read_number_or(&c->expert_scale, r, "expert_weights_scale", 0.0f, 1e6f, 1.0f));
    if (c->expert_scale == 0.0f) /* none, in some files */
        c->expert_scale = 1.0f;
    QN_TRY(read_count_or(&c->n_ffn, r, "expert_feed_forward_length", MAX_WIDTH,
                         rows_of(r->file, first_of(text, "ffn_gate_exps.weight", c->n_dense))));
    if (c->n_ffn == 0)
        return qn__fail(QN_E_CORRUPT, "the file has no fact '%s'",
                        key_of(key, r, "expert_feed_forward_length"));
    if (has(r, "expert_shared_count")) {
        QN_TRY(read_count_or(&c->n_shared, r, "expert_shared_count", 4096, 0));
        if ((uint64_t)c->n_shared * c->n_ffn > MAX_WIDTH)
            return qn__fail(QN_E_CORRUPT, "%u experts of %u that every token goes through",
                            c->n_shared, c->n_ffn);
        c->n_shared *= c->n_ffn;
        return QN_OK;
    }
    return read_count_or(&c->n_shared, r, "expert_shared_feed_forward_length", MAX_WIDTH,
                         rows_of(r->file, first_of(text, "ffn_gate_shexp.weight", c->n_dense)));
}

qn_status qn__config_read(struct qn__config *out, const struct qn__model_file *f)
{
    struct qn__config *c = out;
    struct reader r = {.file = f};
    memset(c, 0, sizeof *c);
    QN_TRY(qn__fact_text(&r.family, f, "general.architecture"));
    QN_TRY(qn__family_find(&c->family, r.family));
    QN_TRY(read_count(&c->n_layers, &r, "block_count", QN__LAYERS_MAX));
    QN_TRY(read_count(&c->dim, &r, "embedding_length", MAX_WIDTH));
    QN_TRY(read_count(&c->n_ffn, &r, "feed_forward_length", MAX_WIDTH));
    QN_TRY(read_count(&c->context_trained, &r, "context_length", UINT32_MAX));
    QN_TRY(read_number(&c->norm_eps, &r, "attention.layer_norm_rms_epsilon", 0.0f, 1.0f));
    QN_TRY(read_attention(c, &r));
    QN_TRY(read_scaling(c, &r));
    QN_TRY(read_layers(c, &r));
    QN_TRY(read_multipliers(c, &r));
    QN_TRY(read_experts(c, &r));
    return read_vocabulary_size(c, f);
}

bool qn__family_is_local(const struct qn__family *family, uint32_t layer)
{
    const uint32_t period = family->local_period;
    return period == 0 || layer % period + 1 < period;
}

bool qn__family_is_turned(const struct qn__family *family, uint32_t layer)
{
    const uint32_t period = family->unturned_period;
    return period == 0 || layer % period + 1 < period;
}

bool qn__config_has_experts(const struct qn__config *c, uint32_t layer)
{
    return c->n_experts && layer >= c->n_dense;
}

uint32_t qn__config_dense_ffn(const struct qn__config *c)
{
    return c->n_dense ? c->n_dense_ffn : c->n_ffn;
}

uint32_t qn__config_widest_ffn(const struct qn__config *c)
{
    const uint32_t dense = qn__config_dense_ffn(c), either = dense > c->n_ffn ? dense : c->n_ffn;
    return either > c->n_shared ? either : c->n_shared;
}

bool qn__config_is_local(const struct qn__config *c, uint32_t layer)
{
    return c->window && c->is_local[layer];
}

/* YaRN (Peng and others, arXiv:2309.00071): pairs that turn fast keep their speed, slow ones are
 * stretched by the factor, those between are mixed. Result: the share of the unstretched speed. */
static float yarn_share(const struct qn__config *c, float base, uint32_t pair)
{
    const float n = (float)c->n_rot, two_pi = 6.2831853f;
    const float context = (float)c->scaling_context;
    float low = n * logf(context / (c->yarn_fast * two_pi)) / (2.0f * logf(base));
    float high = n * logf(context / (c->yarn_slow * two_pi)) / (2.0f * logf(base));
    low = fmaxf(c->yarn_truncated ? floorf(low) : low, 0.0f);
    high = fminf(c->yarn_truncated ? ceilf(high) : high, n - 1.0f);
    const float at = ((float)pair - low) / fmaxf(0.001f, high - low);
    return 1.0f - fminf(1.0f, fmaxf(0.0f, at));
}

/* Llama 3.1's stretching, by wavelength; formula of its reference implementation. */
static float llama3_speed(const struct qn__config *c, float speed)
{
    const float wavelength = 6.2831853f / speed, context = (float)c->scaling_context;
    if (wavelength < context / c->scaling_high)
        return speed;
    if (wavelength > context / c->scaling_low)
        return speed / c->scaling_factor;
    const float smooth =
        (context / wavelength - c->scaling_low) / (c->scaling_high - c->scaling_low);
    return (1.0f - smooth) * speed / c->scaling_factor + smooth * speed;
}

void qn__rope_table(float *out, float *attention_factor, const struct qn__config *c, bool is_local,
                    const float *factors)
{
    const bool has_own_base = is_local && c->local_rope_base > 0.0f;
    const float base = has_own_base ? c->local_rope_base : c->rope_base;
    const enum qn__rope_scaling scaling = has_own_base ? QN__SCALING_NONE : c->scaling;
    *attention_factor = 1.0f;
    for (uint32_t k = 0; k < c->n_rot / 2; k++) {
        float speed = powf(base, -2.0f * (float)k / (float)c->n_rot);
        switch (scaling) {
        case QN__SCALING_NONE:
        case QN__SCALING_LONGROPE: break;
        case QN__SCALING_LINEAR: speed /= c->scaling_factor; break;
        case QN__SCALING_LLAMA3: speed = factors ? speed : llama3_speed(c, speed); break;
        case QN__SCALING_YARN: {
            const float share = yarn_share(c, base, k) * c->yarn_share;
            speed = speed * share + speed / c->scaling_factor * (1.0f - share);
            break;
        }
        }
        if (!has_own_base)
            speed *= c->angle_scale;
        out[k] = factors && !has_own_base ? speed / factors[k] : speed;
    }
    if (!has_own_base && c->scaling_attention > 0.0f)
        *attention_factor = c->scaling_attention;
    if (scaling == QN__SCALING_YARN)
        *attention_factor *=
            c->yarn_attention > 0.0f ? c->yarn_attention : 1.0f + 0.1f * logf(c->scaling_factor);
}
