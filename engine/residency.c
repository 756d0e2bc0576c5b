/* SPDX-License-Identifier: Apache-2.0
 *
 * Which layers stay (residency.h). */
#include "engine/residency.h"

#include "engine/model_weights.h"

uint32_t qn__residency_number(const struct qn__residency *r, uint32_t layer)
{
    return r->n_streamed ? (uint32_t)((uint64_t)layer * r->n_streamed / r->n_layers) : 0;
}

bool qn__residency_is_streamed(const struct qn__residency *r, uint32_t layer)
{
    return qn__residency_number(r, layer + 1) > qn__residency_number(r, layer);
}

uint32_t qn__residency_slots(const struct qn__residency *r)
{
    return r->n_streamed < QN__SLOTS ? r->n_streamed : QN__SLOTS;
}

struct qn__residency qn__residency_make(const struct qn__weights *plan, uint32_t n_layers,
                                        uint32_t n_streamed)
{
    struct qn__residency r = {.n_layers = n_layers, .n_streamed = n_streamed};
    for (uint32_t i = 0; i < n_layers; i++)
        if (qn__residency_is_streamed(&r, i) && plan->layers[i].n_bytes > r.slot_bytes)
            r.slot_bytes = plan->layers[i].n_bytes;
    return r;
}

uint64_t qn__residency_streamed_bytes(const struct qn__residency *r, const struct qn__weights *plan)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->n_layers; i++)
        sum += qn__residency_is_streamed(r, i) ? plan->layers[i].n_bytes : 0;
    return sum;
}

uint64_t qn__residency_device_bytes(const struct qn__residency *r, const struct qn__weights *plan)
{
    return plan->n_bytes - qn__residency_streamed_bytes(r, plan) +
           qn__residency_slots(r) * r->slot_bytes + r->scratch_bytes;
}
