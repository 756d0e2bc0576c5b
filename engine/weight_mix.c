/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of a model's tensors. The mixture q4_k_m is llama.cpp's (src/llama-quant.cpp): the head
 * in q6_k, and so are attention's values and the feed-forward's way down in the layers where it was
 * found to matter most: the first and last eighth and every third between. */
#include "engine/weight_mix.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* general.file_type: numbers that readers print; they decide nothing. */
static const struct {
    enum qn__format_id format;
    uint32_t file_type;
} file_types[] = {
    {QN__FORMAT_f32, 0},      {QN__FORMAT_f16, 1},     {QN__FORMAT_q4_0, 2},
    {QN__FORMAT_q4_1, 3},     {QN__FORMAT_q8_0, 7},    {QN__FORMAT_q5_0, 8},
    {QN__FORMAT_q5_1, 9},     {QN__FORMAT_q2_k, 10},   {QN__FORMAT_q3_k, 11},
    {QN__FORMAT_q4_k, 14},    {QN__FORMAT_q5_k, 16},   {QN__FORMAT_q6_k, 18},
    {QN__FORMAT_iq2_xxs, 19}, {QN__FORMAT_iq2_xs, 20}, {QN__FORMAT_iq3_xxs, 23},
    {QN__FORMAT_iq1_s, 24},   {QN__FORMAT_iq3_s, 26},  {QN__FORMAT_iq2_s, 28},
    {QN__FORMAT_iq1_m, 31},   {QN__FORMAT_iq4_nl, 25}, {QN__FORMAT_iq4_xs, 30},
    {QN__FORMAT_bf16, 32},    {QN__FORMAT_tq1_0, 36},  {QN__FORMAT_tq2_0, 37},
    {QN__FORMAT_mxfp4, 38},   {QN__FORMAT_nvfp4, 39},
};
enum { FILE_TYPE_Q4_K_M = 15 };

qn_status qn__weight_mix_find(struct qn__weight_mix *out, const char *name)
{
    *out = (struct qn__weight_mix){.is_medium = !strcmp(name, "q4_k_m")};
    out->format = qn__format_find(out->is_medium ? "q4_k" : name);
    if (!out->format) {
        struct qn__str known = {0};
        for (int i = 0; i < QN__N_FORMATS; i++)
            qn__str_printf(&known, "%s ", qn__format_get((enum qn__format_id)i)->name);
        const qn_status s = qn__fail(QN_E_INVALID, "the format '%.32s'; there are %sand q4_k_m",
                                     name, known.text ? known.text : "");
        qn__str_release(&known);
        return s;
    }
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++)
        if (file_types[i].format == out->format->id)
            out->file_type = file_types[i].file_type;
    if (out->is_medium)
        out->file_type = FILE_TYPE_Q4_K_M;
    return QN_OK;
}

static bool matters_most(uint32_t layer, uint32_t n_layers)
{
    const uint32_t eighth = n_layers / 8;
    return layer < eighth || layer >= 7 * n_layers / 8 || (layer - eighth) % 3 == 2;
}

static enum qn__format_id medium(const struct qn__weight_mix *mix, const char *name)
{
    const char *part = strncmp(name, "blk.", 4) ? name : strchr(name + 4, '.');
    part = part ? part : name;
    const uint32_t layer = part == name ? 0 : (uint32_t)strtoul(name + 4, NULL, 10);
    const bool more = part != name && matters_most(layer, mix->n_layers);
    if (!strcmp(name, "output.weight") || (mix->tied_head && !strcmp(name, "token_embd.weight")))
        return QN__FORMAT_q6_k;
    if (mix->n_experts == 8 && (!strcmp(part, ".attn_v.weight") || !strcmp(part, ".attn_k.weight")))
        return QN__FORMAT_q8_0;
    if (mix->n_experts == 8 && !strcmp(part, ".attn_output.weight"))
        return QN__FORMAT_q5_k;
    if (!strcmp(part, ".attn_v.weight") || qn__starts_with(part, ".ffn_down"))
        return more ? QN__FORMAT_q6_k : QN__FORMAT_q4_k;
    if (!strcmp(part, ".attn_qkv.weight"))
        return QN__FORMAT_q5_k;
    return QN__FORMAT_q4_k;
}

/* The format with smaller blocks that takes this one's place. */
static enum qn__format_id finer(enum qn__format_id id)
{
    switch (id) {
    case QN__FORMAT_q4_k: return QN__FORMAT_q5_0;
    case QN__FORMAT_q5_k: return QN__FORMAT_q5_1;
    case QN__FORMAT_q6_k: return QN__FORMAT_q8_0;
    case QN__FORMAT_q2_k:
    case QN__FORMAT_q3_k:
    case QN__FORMAT_iq2_xxs:
    case QN__FORMAT_iq2_xs:
    case QN__FORMAT_iq2_s:
    case QN__FORMAT_iq3_xxs:
    case QN__FORMAT_iq3_s:
    case QN__FORMAT_iq1_s:
    case QN__FORMAT_iq1_m:
    case QN__FORMAT_iq4_xs:
    case QN__FORMAT_tq1_0:
    case QN__FORMAT_tq2_0: return QN__FORMAT_iq4_nl;
    default: return QN__FORMAT_f16;
    }
}

const struct qn__format *qn__weight_mix_choose(const struct qn__weight_mix *mix, const char *name,
                                               uint32_t n_dims, uint64_t n_columns)
{
    if (n_dims < 2 || strstr(name, "ffn_gate_inp") || strstr(name, "norm") || strstr(name, ".bias"))
        return qn__format_get(QN__FORMAT_f32);
    enum qn__format_id id = mix->is_medium ? medium(mix, name) : mix->format->id;
    while (n_columns % qn__format_get(id)->block_elems != 0)
        id = finer(id);
    return qn__format_get(id);
}
