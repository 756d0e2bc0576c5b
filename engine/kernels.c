/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing and building kernels (kernels.h). A need is a slot and the name of a kernel; needs are
 * collected first, so that each file is built once. */
#include "engine/kernels.h"

#include "kernels/dot_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEEDS = 10 * QN__N_FORMATS + 24, NAME_BYTES = 48 };

struct needs {
    struct qn__kernel *slots[MAX_NEEDS];
    uint32_t n;
};

static const struct qn__op_row *find_kernel(const char *name)
{
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (strcmp(qn_op_get(i)->kernel, name) == 0)
            return qn__op_row(i);
    return NULL;
}

static qn_status need_row(struct needs *needs, struct qn__kernel *slot,
                          const struct qn__op_row *row, const char *name)
{
    if (!row)
        return qn__fail(QN_E_UNSUPPORTED, "there is no kernel %s", name);
    slot->row = row;
    needs->slots[needs->n++] = slot;
    return QN_OK;
}

static qn_status need(struct needs *needs, struct qn__kernel *slot, const char *name)
{
    return need_row(needs, slot, find_kernel(name), name);
}

static qn_status need_formatted(struct needs *needs, struct qn__kernel *slot, const char *op,
                                const struct qn__format *format)
{
    char name[NAME_BYTES];
    if (slot->row)
        return QN_OK; /* another matrix of the format asked already */
    snprintf(name, sizeof name, "%s_%s", op, format->name);
    return need(needs, slot, name);
}

static qn_status need_low_rank(struct needs *needs, struct qn__kernels *ks)
{
    const struct qn__format *f32 = qn__format_get(QN__FORMAT_f32);
    QN_TRY(need_formatted(needs, &ks->matvec[QN__FORMAT_f32], "matvec", f32));
    return need_formatted(needs, &ks->matmul[QN__FORMAT_f32], "matmul", f32);
}

static qn_status need_matrix(struct needs *needs, struct qn__kernels *ks,
                             const struct qn__matrix *m, bool with_unpack)
{
    if (!m->addr)
        return QN_OK;
    const enum qn__format_id id = m->format->id;
    if (m->low_rank.rank)
        QN_TRY(need_low_rank(needs, ks));
    if (m->is_in_dot_tiles) {
        if (!ks->quantise.row)
            QN_TRY(need(needs, &ks->quantise, "quantise_f32"));
        return ks->dots[id].row ? QN_OK : need(needs, &ks->dots[id], qn__tiling(m->format)->kernel);
    }
    if (m->is_fused)
        QN_TRY(need_formatted(needs, &ks->fused[id], "fused", m->format));
    else
        QN_TRY(need_formatted(needs, &ks->matvec[id], "matvec", m->format));
    if (m->has_phase) {
        QN_TRY(need_formatted(needs, &ks->phase[id], "phase", m->format));
        if (!ks->prepare.row)
            QN_TRY(need(needs, &ks->prepare, "prepare_f32"));
    }
    if (m->is_tiled)
        QN_TRY(need_formatted(needs, &ks->tile[id], "tile", m->format));
    if (m->has_product) {
        if (!ks->inputs.row)
            QN_TRY(need(needs, &ks->inputs, "inputs_f32"));
        return need_formatted(needs, &ks->product[id], "product", m->format);
    }
    if (m->is_tiled)
        QN_TRY(need_formatted(needs, &ks->untile[id], "untile", m->format));
    QN_TRY(need_formatted(needs, &ks->matmul[id], "matmul", m->format));
    if (with_unpack && m->is_tiled)
        QN_TRY(need_formatted(needs, &ks->unpack_tiles[id], "unpack_tiles", m->format));
    else if (with_unpack && id != QN__FORMAT_f16)
        QN_TRY(need_formatted(needs, &ks->unpack[id], "unpack", m->format));
    return QN_OK;
}

static qn_status need_matrices(struct needs *needs, struct qn__kernels *ks,
                               const struct qn__config *c, const struct qn__weights *w,
                               bool with_unpack)
{
    const struct qn__format *f32 = qn__format_get(QN__FORMAT_f32);
    if (with_unpack)
        QN_TRY(need_formatted(needs, &ks->unpack[QN__FORMAT_f32], "unpack", f32));
    QN_TRY(
        need_formatted(needs, &ks->embed[w->embedding.format->id], "embed", w->embedding.format));
    if (w->embedding.low_rank.rank)
        QN_TRY(need_low_rank(needs, ks));
    QN_TRY(need_matrix(needs, ks, &w->head, false));
    for (uint32_t i = 0; i < c->n_layers; i++) {
        const struct qn__layer *l = &w->layers[i];
        const struct qn__matrix *all[] = {&l->q,         &l->k,           &l->v,
                                          &l->o,         &l->up,          &l->router,
                                          &l->gate,      &l->down,        &l->shared_gate,
                                          &l->shared_up, &l->shared_down, &l->shared_share,
                                          &l->q_short,   &l->kv_short};
        for (size_t j = 0; j < sizeof all / sizeof *all; j++)
            QN_TRY(need_matrix(needs, ks, all[j], with_unpack));
    }
    return QN_OK;
}

bool qn__kernels_pair(const struct qn__matrix *first, const struct qn__matrix *second)
{
    return first->has_phase && second->has_phase && first->n == second->n &&
           first->format->id == QN__FORMAT_q4_k && second->format->id == QN__FORMAT_q6_k;
}

static qn_status need_attention(struct needs *needs, struct qn__kernels *ks,
                                const struct qn__config *c, const struct qn__weights *w,
                                enum qn__cache_type cache, bool with_tensor)
{
    const bool is_f16 = cache == QN__CACHE_F16;
    QN_TRY(need(needs, &ks->rope, c->pairs == QN__ROPE_NEOX ? "rope_neox_f32" : "rope_normal_f32"));
    QN_TRY(need(needs, &ks->kv_store, is_f16 ? "kv_store_f16" : "kv_store_q8_0"));
    const bool has_sinks = c->family->has_sinks;
    if (has_sinks)
        QN_TRY(need(needs, &ks->attend_one,
                    is_f16 ? "attention_decode_sinks_f16" : "attention_decode_sinks_q8_0"));
    else
        QN_TRY(need(needs, &ks->attend_one,
                    is_f16 ? "attention_decode_f16" : "attention_decode_q8_0"));
    QN_TRY(need(needs, &ks->attend_combine, "attention_combine_f32"));
    if (with_tensor)
        QN_TRY(need(needs, &ks->attend_tensor,
                    is_f16 ? "attention_tensor_f16" : "attention_tensor_q8_0"));
    else if (has_sinks)
        QN_TRY(need(needs, &ks->attend_prompt,
                    is_f16 ? "attention_prompt_sinks_f16" : "attention_prompt_sinks_q8_0"));
    else
        QN_TRY(need(needs, &ks->attend_prompt,
                    is_f16 ? "attention_prompt_f16" : "attention_prompt_q8_0"));
    for (uint32_t i = 0; i < c->n_layers && !ks->phases.row; i++)
        if (qn__kernels_pair(&w->layers[i].k, &w->layers[i].v))
            QN_TRY(need(needs, &ks->phases, "phases_q4_k_q6_k"));
    for (uint32_t i = 0; i < c->n_layers && !ks->attend_token.row; i++)
        if (w->layers[i].q.is_fused)
            QN_TRY(need(needs, &ks->attend_token,
                        is_f16 ? "attention_token_f16" : "attention_token_q8_0"));
    if (c->family->is_latent)
        QN_TRY(need(needs, &ks->head_part, "head_part_f32"));
    if (c->family->whole_norms || c->family->is_latent) /* of two lengths */
        QN_TRY(need(needs, &ks->head_norm, "rmsnorm_f32"));
    else if (w->layers[0].q_norm || w->layers[0].k_norm)
        QN_TRY(need_row(needs, &ks->head_norm, qn__op_select("rmsnorm", QN__F32, c->head_dim),
                        "rmsnorm"));
    return QN_OK;
}

static qn_status need_shortlist(struct needs *needs, struct qn__kernels *ks)
{
    QN_TRY(need(needs, &ks->penalise, "repeat_penalty_f32"));
    QN_TRY(need(needs, &ks->top_k_groups, "top_k_groups_f32"));
    QN_TRY(need(needs, &ks->top_k_heads, "top_k_heads_f32"));
    return need(needs, &ks->top_k, "top_k_f32");
}

static qn_status collect(struct needs *needs, struct qn__kernels *ks, const struct qn__config *c,
                         const struct qn__weights *w, enum qn__cache_type cache, bool with_unpack,
                         bool with_tensor)
{
    QN_TRY(need_matrices(needs, ks, c, w, with_unpack));
    QN_TRY(need_row(needs, &ks->norm, qn__op_select("rmsnorm", QN__F32, c->dim), "rmsnorm"));
    QN_TRY(need_attention(needs, ks, c, w, cache, with_tensor));
    static const char *const activations[] = {[QN__SILU] = "silu_mul_f32",
                                              [QN__GELU] = "gelu_mul_f32",
                                              [QN__CLAMPED_SWIGLU] = "clamped_swiglu_f32"};
    QN_TRY(need(needs, &ks->activate, activations[c->family->activation]));
    QN_TRY(need(needs, &ks->add, "vector_add_f32"));
    QN_TRY(need(needs, &ks->choose, "choose_f32"));
    QN_TRY(
        need_formatted(needs, &ks->embed[QN__FORMAT_f32], "embed", qn__format_get(QN__FORMAT_f32)));
    if (c->n_experts) {
        QN_TRY(need(needs, &ks->route, "moe_route_f32"));
        QN_TRY(need(needs, &ks->weighted_sum, "weighted_sum_f32"));
        if (c->n_shared && !c->family->is_latent)
            QN_TRY(need(needs, &ks->gated_add, "gated_add_f32"));
        if (c->family->biased_experts)
            QN_TRY(need(needs, &ks->expert_bias, "expert_bias_f32"));
    }
    return c->final_softcap > 0.0f ? need(needs, &ks->softcap, "softcap_f32") : QN_OK;
}

qn_dims qn__kernel_dims(const struct qn__kernel *k, const struct qn__work *work,
                        const qn_device_info *dev)
{
    const struct qn__op_choice *tuned =
        k->tuned.n ? qn__op_choice_for(&k->tuned, qn__op_items(work)) : NULL;
    return tuned ? qn__launch_chosen(work, dev, tuned->launch) : qn__launch_plan(work, dev, 0);
}

/* What was tuned of each; stale values are left out with a word there. */
static qn_status find_tuned(struct qn__kernels *out, const struct needs *needs, qn_device *dev)
{
    out->all = qn__alloc(needs->n, sizeof(struct qn__kernel *));
    if (!out->all)
        return qn__fail(QN_E_MEMORY, "no memory for %u kernels", needs->n);
    for (uint32_t i = 0; i < needs->n; i++)
        out->all[out->n_all++] = needs->slots[i];
    for (uint32_t i = 0; i < needs->n; i++)
        if (!needs->slots[i]->tuned.tuned)
            QN_TRY(qn__op_choices_find(&needs->slots[i]->tuned, dev, needs->slots[i]->row));
    return QN_OK;
}

/* Macros of a file that its kernels share: those tuned for the largest work. */
static void add_defines(qn_source *source, const struct qn__kernel *k)
{
    const struct qn__op_choice *c = k->tuned.n ? qn__op_choice_for(&k->tuned, UINT64_MAX) : NULL;
    if (c && c->n_defines && !source->n_defines) {
        source->defines = c->defines;
        source->n_defines = c->n_defines;
    }
}

/* One source per file of the needs; index of the file of each need in `module_of`. */
static uint32_t list_files(qn_source *sources, uint32_t *module_of, const struct needs *needs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < needs->n; i++) {
        const qn_op_info *info = &needs->slots[i]->row->info;
        uint32_t j = 0;
        while (j < n && strcmp(sources[j].path, info->file) != 0)
            j++;
        if (j == n)
            sources[n++] = (qn_source){.text = info->source, .path = info->file};
        add_defines(&sources[j], needs->slots[i]);
        module_of[i] = j;
    }
    return n;
}

qn_status qn__kernels_build(struct qn__kernels *out, qn_device *dev, const struct qn__config *c,
                            const struct qn__weights *w, enum qn__cache_type cache,
                            bool with_unpack, bool with_shortlist, bool with_tensor,
                            qn_module_progress progress, void *payload)
{
    struct needs needs = {0};
    qn_source sources[MAX_NEEDS];
    uint32_t module_of[MAX_NEEDS];
    memset(out, 0, sizeof *out);
    QN_TRY(collect(&needs, out, c, w, cache, with_unpack, with_tensor));
    if (with_shortlist)
        QN_TRY(need_shortlist(&needs, out));
    QN_TRY(find_tuned(out, &needs, dev));
    const uint32_t n = list_files(sources, module_of, &needs);
    out->modules = qn__alloc(n, sizeof *out->modules);
    if (!out->modules)
        return qn__fail(QN_E_MEMORY, "no memory for %u modules", n);
    memset(out->modules, 0, n * sizeof *out->modules);
    out->n_modules = n;
    for (uint32_t i = 0; i < n; i++)
        out->modules[i].source = &sources[i];
    const qn_status s = qn_module_build_many(dev, out->modules, n, 0, progress, payload);
    for (uint32_t i = 0; i < n; i++) {
        out->modules[i].source = NULL; /* ends with this call */
        out->n_compiled += out->modules[i].log.origin == QN_ORIGIN_COMPILED;
    }
    QN_TRY(s);
    for (uint32_t i = 0; i < needs.n; i++)
        QN_TRY(qn_kernel_find(&needs.slots[i]->kernel, out->modules[module_of[i]].module,
                              needs.slots[i]->row->info.kernel));
    return QN_OK;
}

void qn__kernels_release(struct qn__kernels *ks)
{
    if (!ks)
        return;
    if (ks->modules)
        qn_module_items_release(ks->modules, ks->n_modules);
    free(ks->modules);
    for (uint32_t i = 0; i < ks->n_all; i++)
        qn__op_choices_release(&ks->all[i]->tuned);
    free(ks->all);
    memset(ks, 0, sizeof *ks);
}
