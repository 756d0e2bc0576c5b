/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of tensors: "model.layers.3.self_attn.q_proj.weight" is "blk.3.attn_q.weight". */
#include "engine/hf_names.h"

#include "base/str.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS_MAX = 4096, EXPERTS_MAX = 4096 };

struct row {
    const char *theirs, *ours;
    const char *around; /* where norms after blocks have this name (Gemma 2 and 3, OLMo 2) */
};

static const struct row whole[] = {
    {"model.embed_tokens.weight", "token_embd.weight", NULL},
    {"model.norm.weight", "output_norm.weight", NULL},
    {"lm_head.weight", "output.weight", NULL},
};

/* Behind "model.layers.N." */
static const struct row layer_rows[] = {
    {"input_layernorm.weight", "attn_norm.weight", NULL},
    {"self_attn.q_proj.weight", "attn_q.weight", NULL},
    {"self_attn.k_proj.weight", "attn_k.weight", NULL},
    {"self_attn.v_proj.weight", "attn_v.weight", NULL},
    {"self_attn.q_proj.bias", "attn_q.bias", NULL},
    {"self_attn.k_proj.bias", "attn_k.bias", NULL},
    {"self_attn.v_proj.bias", "attn_v.bias", NULL},
    {"self_attn.qkv_proj.weight", "attn_qkv.weight", NULL},
    {"self_attn.q_norm.weight", "attn_q_norm.weight", NULL},
    {"self_attn.k_norm.weight", "attn_k_norm.weight", NULL},
    {"self_attn.q_a_proj.weight", "attn_q_a.weight", NULL},
    {"self_attn.q_a_layernorm.weight", "attn_q_a_norm.weight", NULL},
    {"self_attn.q_b_proj.weight", "attn_q_b.weight", NULL},
    {"self_attn.kv_a_proj_with_mqa.weight", "attn_kv_a_mqa.weight", NULL},
    {"self_attn.kv_a_layernorm.weight", "attn_kv_a_norm.weight", NULL},
    {"self_attn.kv_b_proj.weight", "attn_kv_b.weight", NULL},
    {"self_attn.o_proj.weight", "attn_output.weight", NULL},
    {"self_attn.o_proj.bias", "attn_output.bias", NULL},
    {"post_attention_layernorm.weight", "ffn_norm.weight", "post_attention_norm.weight"},
    {"pre_feedforward_layernorm.weight", "ffn_norm.weight", NULL},
    {"post_feedforward_layernorm.weight", "post_ffw_norm.weight", NULL},
    {"mlp.gate_proj.weight", "ffn_gate.weight", NULL},
    {"mlp.up_proj.weight", "ffn_up.weight", NULL},
    {"mlp.down_proj.weight", "ffn_down.weight", NULL},
    {"mlp.gate_up_proj.weight", "ffn_up.weight", NULL},
    {"self_attn.sinks", "attn_sinks.weight", NULL},
    {"mlp.router.weight", "ffn_gate_inp.weight", NULL},
    {"mlp.router.bias", "ffn_gate_inp.bias", NULL},
    {"block_sparse_moe.gate.weight", "ffn_gate_inp.weight", NULL},
    {"mlp.gate.weight", "ffn_gate_inp.weight", NULL},
    {"mlp.shared_expert.gate_proj.weight", "ffn_gate_shexp.weight", NULL},
    {"mlp.shared_expert.up_proj.weight", "ffn_up_shexp.weight", NULL},
    {"mlp.shared_expert.down_proj.weight", "ffn_down_shexp.weight", NULL},
    {"mlp.shared_experts.gate_proj.weight", "ffn_gate_shexp.weight", NULL},
    {"mlp.shared_experts.up_proj.weight", "ffn_up_shexp.weight", NULL},
    {"mlp.shared_experts.down_proj.weight", "ffn_down_shexp.weight", NULL},
    {"mlp.shared_expert_gate.weight", "ffn_gate_inp_shexp.weight", NULL},
};

/* Behind "block_sparse_moe.experts.E." and "mlp.experts.E." */
static const struct row expert_rows[] = {
    {"w1.weight", "ffn_gate", NULL},        {"w2.weight", "ffn_down", NULL},
    {"w3.weight", "ffn_up", NULL},          {"gate_proj.weight", "ffn_gate", NULL},
    {"down_proj.weight", "ffn_down", NULL}, {"up_proj.weight", "ffn_up", NULL},
};

/* Of gpt-oss, behind "mlp.": experts are made of them (hf_mxfp4.h). */
static const struct row part_rows[] = {
    {"mlp.experts.gate_up_proj_blocks", "ffn_gate_up_exps.blocks", NULL},
    {"mlp.experts.gate_up_proj_scales", "ffn_gate_up_exps.scales", NULL},
    {"mlp.experts.gate_up_proj_bias", "ffn_gate_up_exps.bias", NULL},
    {"mlp.experts.down_proj_blocks", "ffn_down_exps.blocks", NULL},
    {"mlp.experts.down_proj_scales", "ffn_down_exps.scales", NULL},
    {"mlp.experts.down_proj_bias", "ffn_down_exps.bias", NULL},
};

static const char *find(const struct row *rows, size_t n, const char *theirs, bool around)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(rows[i].theirs, theirs))
            return around && rows[i].around ? rows[i].around : rows[i].ours;
    return NULL;
}
#define FIND(rows, theirs, around) find(rows, sizeof rows / sizeof rows[0], theirs, around)

/* "12.rest": the number, and what follows the point; NULL where it is not written like this. */
static const char *split_number(uint32_t *number, const char *text, uint32_t limit)
{
    const size_t n = strspn(text, "0123456789");
    if (n == 0 || n > 6 || text[n] != '.' || (n > 1 && text[0] == '0'))
        return NULL;
    *number = (uint32_t)strtoul(text, NULL, 10);
    return *number < limit ? text + n + 1 : NULL;
}

/* A part of gpt-oss's experts. */
static bool map_part(char out[64], const char *rest)
{
    uint32_t layer;
    rest = split_number(&layer, rest, LAYERS_MAX);
    const char *ours = rest ? FIND(part_rows, rest, false) : NULL;
    if (ours)
        snprintf(out, 64, "blk.%" PRIu32 ".%s", layer, ours);
    return ours != NULL;
}

static bool map_layer(char out[64], const char *rest, bool around)
{
    static const char mixtral[] = "block_sparse_moe.experts.", qwen[] = "mlp.experts.";
    uint32_t layer, expert;
    const char *ours = NULL, *experts = NULL;
    rest = split_number(&layer, rest, LAYERS_MAX);
    if (rest)
        experts = qn__starts_with(rest, mixtral) ? rest + strlen(mixtral)
                  : qn__starts_with(rest, qwen)  ? rest + strlen(qwen)
                                                 : NULL;
    if (experts) {
        rest = split_number(&expert, experts, EXPERTS_MAX);
        ours = rest ? FIND(expert_rows, rest, around) : NULL;
        if (ours)
            snprintf(out, 64, "blk.%" PRIu32 ".%s.%" PRIu32 ".weight", layer, ours, expert);
    } else if (rest) {
        ours = FIND(layer_rows, rest, around);
        if (ours)
            snprintf(out, 64, "blk.%" PRIu32 ".%s", layer, ours);
    }
    return ours != NULL;
}

qn_status qn__hf_name_map(struct qn__hf_name *out, enum qn__hf_family family, bool tied_head,
                          const char *theirs)
{
    static const char multimodal[] = "language_model.", layers[] = "model.layers.";
    const bool around = family == QN__HF_GEMMA2 || family == QN__HF_GEMMA3 ||
                        family == QN__HF_OLMO2 || family == QN__HF_GPT_OSS;
    const char *name = theirs;
    *out = (struct qn__hf_name){0};
    if (family == QN__HF_GEMMA3 && qn__starts_with(name, multimodal))
        name += strlen(multimodal);
    out->is_ignored =
        qn__ends_with(name, "rotary_emb.inv_freq") ||
        (tied_head && !strcmp(name, "lm_head.weight")) ||
        (family == QN__HF_GEMMA3 && (qn__starts_with(name, "vision_tower.") ||
                                     qn__starts_with(name, "multi_modal_projector.")));
    if (out->is_ignored)
        return QN_OK;
    out->is_part = family == QN__HF_GPT_OSS && qn__starts_with(name, layers) &&
                   map_part(out->ours, name + strlen(layers));
    if (out->is_part)
        return QN_OK;
    if (family == QN__HF_GPT_OSS && qn__ends_with(name, "mlp.experts.gate_up_proj"))
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%.128s': experts that are not mxfp4 lie input by output; Quern "
                        "reads gpt-oss as it was published, with _blocks and _scales",
                        theirs);
    const char *ours = FIND(whole, name, around);
    if (ours)
        snprintf(out->ours, sizeof out->ours, "%s", ours);
    else if (!qn__starts_with(name, layers) || !map_layer(out->ours, name + strlen(layers), around))
        return qn__fail(QN_E_UNSUPPORTED, "tensor '%.128s': the family has none of this name",
                        theirs);
    out->plus_one =
        family >= QN__HF_GEMMA && family <= QN__HF_GEMMA3 && strstr(out->ours, "norm") != NULL;
    return QN_OK;
}

qn_status qn__hf_adapter_name_map(struct qn__hf_name *out, enum qn__hf_family family,
                                  const char *theirs)
{
    static const char prefix[] = "base_model.model.";
    static const char *const ends[][2] = {
        {".lora_A.weight", ".lora_a"},
        {".lora_B.weight", ".lora_b"},
        {".lora_embedding_A", ".lora_a"},
        {".lora_embedding_B", ".lora_b"},
    };
    char module[256];
    size_t i = 0;
    *out = (struct qn__hf_name){0};
    while (i < sizeof ends / sizeof ends[0] && !qn__ends_with(theirs, ends[i][0]))
        i++;
    out->is_ignored =
        qn__starts_with(theirs, prefix) && qn__ends_with(theirs, ".base_layer.weight");
    if (out->is_ignored) /* the model's own, which PEFT saves along */
        return QN_OK;
    if (i == sizeof ends / sizeof ends[0] || !qn__starts_with(theirs, prefix))
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%.128s': no base_model.model. ... lora_A or lora_B, and Quern "
                        "computes nothing else of an adapter",
                        theirs);
    const size_t before = strlen(prefix), end = strlen(ends[i][0]), all = strlen(theirs);
    if (all < before + end || all - before - end + sizeof ".weight" > sizeof module)
        return qn__fail(QN_E_UNSUPPORTED, "tensor '%.128s': of no matrix of a model", theirs);
    snprintf(module, sizeof module, "%.*s.weight", (int)(all - before - end), theirs + before);
    QN_TRY(qn__hf_name_map(out, family, false, module));
    const size_t n = strlen(out->ours);
    if (!out->is_ignored)
        snprintf(out->ours + n, sizeof out->ours - n, "%s", ends[i][1]);
    out->plus_one = false;
    return QN_OK;
}
