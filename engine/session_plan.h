/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of a session and what they take: pure functions of model, device and options, before
 * anything is allocated. */
#ifndef QN_ENGINE_SESSION_PLAN_H
#define QN_ENGINE_SESSION_PLAN_H

#include "engine/buffers.h"

#include <quern/model.h>

struct qn__session_sizes {
    uint32_t context, batch, splits;
    uint32_t sequences, rows;
    uint32_t batch_max; /* the batch where the context is no shorter */
    enum qn__cache_type cache_type;
    uint64_t device_bytes;        /* most to use; UINT64_MAX: no limit */
    uint32_t streamed_layers_min; /* that were asked for */
    uint32_t streamed_layers_max; /* and that there may be */
    bool from_file;               /* streamed layers are not kept by the host */
    bool shares_memory;           /* the device's is the host's */
    bool has_library;             /* for products of many tokens */
    bool in_dot_tiles;            /* weights and activations are multiplied as small integers */
    bool has_tiles;               /* fused kernels for a token (weight_tiles.h) */
    bool has_tensor;              /* and attention of several tokens on tensor cores */
    const qn_session_adapter *adapters; /* the caller's */
    uint32_t n_adapters;
};

/* dev and options may be NULL. QN_E_INVALID: a cache of no known type */
qn_status qn__session_choose_sizes(struct qn__session_sizes *out, const struct qn_model *m,
                                   qn_device *dev, const qn_session_options *o);
qn_status qn__session_plan(qn_session_plan *out, const struct qn_model *m,
                           const struct qn__session_sizes *z, qn_device *dev);
/* Which layers stay, as the plan has it. */
struct qn__residency qn__session_residency(const struct qn_model *m,
                                           const struct qn__session_sizes *z,
                                           const qn_session_plan *p);
/* QN_E_DEVICE_MEMORY  what would fit is in the message */
qn_status qn__session_check_fit(const qn_session_plan *p);

#endif
