/* SPDX-License-Identifier: Apache-2.0
 *
 * Which layers of a model stay on the device, where not all have room. The others are streamed
 * (layer_stream.h): spread evenly among those that stay, each comes into one of a few slots when it
 * is needed. Pure functions of sizes. */
#ifndef QN_ENGINE_RESIDENCY_H
#define QN_ENGINE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

enum { QN__SLOTS = 2 }; /* one is read while the other is filled */

/* All zero: all layers stay. */
struct qn__residency {
    uint32_t n_layers, n_streamed;
    uint64_t slot_bytes;    /* of each slot: the largest streamed layer's */
    uint64_t scratch_bytes; /* behind the slots, for turning what comes into them; 0: none */
};

struct qn__weights;

/* plan: weights placed with all layers staying */
struct qn__residency qn__residency_make(const struct qn__weights *plan, uint32_t n_layers,
                                        uint32_t n_streamed);

uint32_t qn__residency_slots(const struct qn__residency *r); /* that there are */
bool qn__residency_is_streamed(const struct qn__residency *r, uint32_t layer);
/* Of the streamed layers in front of this one. */
uint32_t qn__residency_number(const struct qn__residency *r, uint32_t layer);

/* Bytes of the streamed layers: what comes to the device for each pass through the model. */
uint64_t qn__residency_streamed_bytes(const struct qn__residency *r,
                                      const struct qn__weights *plan);
/* Bytes of the allocation: what stays, and the slots. */
uint64_t qn__residency_device_bytes(const struct qn__residency *r, const struct qn__weights *plan);

#endif
