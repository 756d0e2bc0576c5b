/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of a session: session.c makes it and feeds it, session_sample.c chooses tokens. */
#ifndef QN_ENGINE_SESSION_H
#define QN_ENGINE_SESSION_H

#include "engine/adapter_place.h"
#include "engine/forward.h"
#include "engine/weight_upload.h"

#include <quern/model.h>

/* As the device writes it. */
struct qn__choice {
    int32_t id;
    float logit;
};

/* What the last feed of a batch left. */
struct qn__rows {
    int32_t *tokens; /* pinned: (rows) */
    float *results;  /* pinned: (rows, n_vocab or dim) */
    bool *here;      /* (rows) the result is in `results` */
    uint32_t n;      /* 0: none */
    uint32_t width;  /* numbers of each */
    qn_addr at;      /* where they are on the device */
};

struct qn_session {
    const struct qn_model *model;
    qn_device *dev;
    const qn_device_info *device;
    qn_stream *stream;
    struct qn__blas *blas; /* NULL: our own kernels do all products */
    qn_graph *token_graph; /* one token; NULL until recorded */
    enum qn__cache_type cache_type;
    bool no_graph;
    bool as_alone;      /* batches: see qn_session_options */
    bool has_shortlist; /* kernels find the likeliest tokens */
    bool has_tensor;    /* attention of several tokens is for tensor cores */
    bool (*prompt_progress)(uint32_t done, uint32_t total, void *payload);
    void *payload;

    qn_addr weights_memory, cache_memory, activations_memory, adapters_memory;
    struct qn__weights weights;
    struct qn__layer_stream *streamed; /* NULL: all layers stay on the device */
    struct qn__upload upload;          /* of weights */
    struct qn__cache_layer *cache_layers;
    struct qn__cache cache;
    struct qn__activations activations;
    struct qn__adapters adapters;
    unsigned char adapters_identity[QN__HASH_BYTES]; /* zeros without adapters */
    struct qn__kernels kernels;

    int32_t *staged;                        /* pinned: (2) number and position of a single token */
    int32_t *ids;                           /* pinned: (batch) */
    int32_t *pos;                           /* pinned: (batch) */
    float *logits;                          /* pinned: (n_vocab) */
    struct qn__choice *choice;              /* pinned: (1) of the last feed, once it is done */
    struct qn__shortlist_staged *shortlist; /* pinned: (1) */
    struct qn__pairs_staged pairs;          /* with experts */
    bool has_logits;                        /* the device has them */
    bool logits_here;                       /* and so has `logits` */
    bool waited;                            /* for all of the last feed */
    bool batch_queued;                      /* what a batch staged may still be read */
    uint32_t *past; /* (sequences): positions filled; [0] is info.n_past, which counts */
    struct qn__rows rows;
    qn_session_info info;
};

/* Queue tokens of several sequences, or of one: spans NULL. */
struct qn__queued {
    const int32_t *ids, *pos; /* pinned */
    uint32_t n;
    bool wants_logits; /* of the last one */
    const struct qn__span *spans;
    uint32_t n_spans;
    uint32_t n_rows; /* of s->rows.tokens */
    bool wants_states;
};
qn_status qn__session_queue(qn_session *s, const struct qn__queued *q);

/* A step of n_tokens on the session's stream, with nothing queued yet. */
struct qn__step qn__session_step(const qn_session *s, uint32_t n_tokens);

#endif
