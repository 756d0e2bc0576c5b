/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights in tiles (weight_tiles.h). */
#include "engine/weight_tiles.h"

#include "engine/buffers.h"
#include "kernels/phase.h"
#include "kernels/product.h"

#include <stdlib.h>
#include <string.h>

bool qn__weight_tiles_suit(const qn_device_info *device)
{
    const char *const sm = "cuda:sm_";
    return qn__phase_is_direct(device) || (strncmp(device->target, sm, strlen(sm)) == 0 &&
                                           atoi(device->target + strlen(sm)) >= 80);
}

/* -- choosing -- */

static void choose(struct qn__matrix *m, bool pairs, const qn_device_info *device,
                   const char **why_not)
{
    const struct qn__tile_work work = {
        .format = m->format, .rows = m->rows, .n = m->n, .tokens = 1, .pairs = pairs};
    const char *refusal = qn__tiles_refusal(m->format, m->rows, m->n, pairs);
    const bool is_direct = qn__phase_is_direct(device);
    if (!refusal && !is_direct && qn__tiles_at_once(&work, device) == 0)
        refusal = "too little shared memory for its rows";
    if (refusal && !**why_not)
        *why_not = refusal;
    m->is_fused = !refusal;
    m->is_tiled = m->is_fused && m->format->id != QN__FORMAT_f16;
    /* elsewhere than on NVIDIA's GPUs is for tests: kernels are compared, not fast */
    const bool is_phased = qn__starts_early(device) || is_direct || !qn__weight_tiles_suit(device);
    m->has_phase = m->is_fused && is_phased && qn__phase_depth(&work, device) > 0;
    m->has_product = m->is_fused && qn__product_accepts(m->format, device);
}

void qn__weight_tiles_choose(struct qn__weights *w, const struct qn__config *c,
                             const qn_device_info *device, const char **why_not)
{
    *why_not = "";
    for (uint32_t i = 0; i < c->n_layers; i++) {
        struct qn__layer *l = &w->layers[i];
        struct qn__matrix *all[] = {&l->q, &l->k, &l->v, &l->o, &l->gate, &l->up, &l->down};
        const size_t n = qn__config_has_experts(c, i) ? 4 : sizeof all / sizeof *all;
        for (size_t j = 0; j < n; j++)
            choose(all[j], false, device, why_not);
    }
    if (c->n_experts && !**why_not)
        *why_not = "experts have no fused kernel";
    if (w->head.addr != w->embedding.addr)
        choose(&w->head, false, device, why_not);
    else if (!**why_not)
        *why_not = "the head is the embedding, which is read by rows";
}

bool qn__weight_tiles_want_library(const struct qn__weights *w, const struct qn__config *c,
                                   const qn_device_info *device, bool takes_f16)
{
    for (uint32_t i = 0; i < c->n_layers; i++) {
        const struct qn__layer *l = &w->layers[i];
        const struct qn__matrix *all[] = {&l->q, &l->k, &l->v, &l->o, &l->gate, &l->up, &l->down};
        for (size_t j = 0; j < sizeof all / sizeof *all; j++)
            if ((qn__config_has_experts(c, i) && j >= 4) ||
                (takes_f16 && all[j]->format->id == QN__FORMAT_f16) ||
                !qn__tiles_accept(all[j]->format, all[j]->rows, all[j]->n, false) ||
                !qn__product_accepts(all[j]->format, device))
                return true;
    }
    return false;
}

uint32_t qn__weight_tiles_join(struct qn__matrix *out, const struct qn__matrix *const *m,
                               uint32_t n)
{
    uint32_t joined = 1;
    *out = *m[0];
    while (joined < n && m[joined]->is_fused && m[joined]->format == out->format &&
           m[joined]->n == out->n && m[joined]->addr == out->addr + out->bytes) {
        out->rows += m[joined]->rows;
        out->bytes += m[joined]->bytes;
        joined++;
    }
    return joined;
}

/* -- turning -- */

static qn_status turn(const struct qn__matrix *m, struct qn__step *s, qn_device *dev,
                      qn_addr scratch)
{
    if (!m->is_tiled)
        return QN_OK;
    const uint64_t strip_bytes = m->bytes / m->rows * QN__TILE_ROWS;
    const uint64_t at_once = strip_bytes < QN__TURN_BYTES ? QN__TURN_BYTES / strip_bytes : 1;
    const uint64_t strips = m->rows / QN__TILE_ROWS;
    for (uint64_t i = 0; i < strips; i += at_once) {
        const uint64_t n = strips - i < at_once ? strips - i : at_once;
        const struct qn__matrix part = {.addr = m->addr + i * strip_bytes,
                                        .format = m->format,
                                        .rows = (uint32_t)(n * QN__TILE_ROWS),
                                        .n = m->n,
                                        .bytes = n * strip_bytes};
        QN_TRY(qn_memory_copy(dev, scratch, part.addr, part.bytes, s->stream));
        QN_TRY(qn__step_tile(s, part.addr, &part, scratch));
    }
    return QN_OK;
}

static qn_status turn_layer(const struct qn__layer *l, struct qn__step *s, qn_device *dev,
                            qn_addr scratch)
{
    const struct qn__matrix *all[] = {&l->q, &l->k, &l->v, &l->o, &l->gate, &l->up, &l->down};
    for (size_t j = 0; j < sizeof all / sizeof *all; j++)
        QN_TRY(turn(all[j], s, dev, scratch));
    return QN_OK;
}

qn_status qn__weight_tiles_turn(const struct qn__weights *w, uint32_t layer,
                                const struct qn__config *c, struct qn__step *s, qn_device *dev,
                                qn_addr scratch)
{
    if (layer != QN__STAYS)
        return turn_layer(&w->layers[layer], s, dev, scratch);
    for (uint32_t i = 0; i < c->n_layers; i++)
        if (!qn__residency_is_streamed(&w->residency, i))
            QN_TRY(turn_layer(&w->layers[i], s, dev, scratch));
    return turn(&w->head, s, dev, scratch);
}
