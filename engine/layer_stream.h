/* SPDX-License-Identifier: Apache-2.0
 *
 * Streamed layers (residency.h). The host keeps them as the kernels read them, in pinned memory. A
 * stream of its own copies each into its slot while others are computed: as soon as a layer has
 * been read, the next one of its slot follows, behind the last one the first. */
#ifndef QN_ENGINE_LAYER_STREAM_H
#define QN_ENGINE_LAYER_STREAM_H

#include "engine/weight_upload.h"

struct qn__layer_stream;

/* Room for the layers, with nothing in it. Slots are filled with zeros. The caller owns *out; NULL
 * where no layer is streamed. The weights must outlive it.
 * QN_E_MEMORY  the host has no room */
qn_status qn__layer_stream_create(struct qn__layer_stream **out, const struct qn__weights *w,
                                  qn_device *dev);
/* Waits for its copies; NULL is fine. */
void qn__layer_stream_destroy(struct qn__layer_stream *ls);

/* Keep what a layer's slot holds: the layer, as it is to be read. Waits for `stream`, on which it
 * was made. Every streamed layer must have been kept before the first is entered. */
qn_status qn__layer_stream_keep(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream);

/* Around a layer's work on `stream`. NULL, and layers that stay: nothing happens. */
qn_status qn__layer_stream_enter(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream);
qn_status qn__layer_stream_leave(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream);

#endif
