/* SPDX-License-Identifier: Apache-2.0
 *
 * Streamed layers (residency.h). A stream of its own brings each into its slot while the one before
 * is computed. The host keeps them as the kernels read them, in pinned memory; where it has no room
 * they are loaded from the model's file each time. */
#ifndef QN_ENGINE_LAYER_STREAM_H
#define QN_ENGINE_LAYER_STREAM_H

#include "engine/model_weights.h"

#include <quern/stream.h>

struct qn__layer_stream;

struct qn__layer_source {
    /* Bring a layer from the file into its slot, as it is to be read, on `stream`. */
    qn_status (*load)(void *payload, uint32_t layer, qn_stream *stream);
    void *payload;
    bool from_file; /* for each pass; else once */
};

/* Slots are filled with zeros; nothing is loaded yet. The caller owns *out; NULL where no layer is
 * streamed. The weights must outlive it.  QN_E_MEMORY  the host has no room */
qn_status qn__layer_stream_create(struct qn__layer_stream **out, const struct qn__weights *w,
                                  qn_device *dev, const struct qn__layer_source *source);
/* Waits for its copies; NULL is fine. */
void qn__layer_stream_destroy(struct qn__layer_stream *ls);

/* Load all layers that the host is to keep, before the first is entered. NULL is fine. */
qn_status qn__layer_stream_fill(struct qn__layer_stream *ls);

/* Around a layer's work on `stream`. NULL, and layers that stay: nothing happens. */
qn_status qn__layer_stream_enter(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream);
qn_status qn__layer_stream_leave(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream);

#endif
