/* SPDX-License-Identifier: Apache-2.0
 *
 * Adapters on the device: where their numbers lie, and how they get there (adapter_open.h). */
#ifndef QN_ENGINE_ADAPTER_PLACE_H
#define QN_ENGINE_ADAPTER_PLACE_H

#include "base/hash.h"
#include "engine/adapter_open.h"

/* Where the adapters' numbers lie, and room for a x of `batch` tokens: pure, like other placing. */
struct qn__adapters {
    const qn_session_adapter *list; /* (n), until they are uploaded */
    uint32_t n;
    uint64_t n_bytes; /* of one allocation; 0 without adapters */
    qn_addr room;     /* (batch, largest rank) f32 */
};
/* `w` gets the places' addresses; NULL: sizes alone.
 * QN_E_INVALID  an adapter of another model, or a scale that is no number */
qn_status qn__adapters_place(struct qn__adapters *out, struct qn__weights *w,
                             const struct qn_model *m, const qn_session_adapter *list, uint32_t n,
                             uint32_t batch, qn_addr base);
/* QN_E_CORRUPT  a number is none, or infinite: the tensor is named. Returns when done. */
qn_status qn__adapters_upload(const struct qn__adapters *a, const struct qn__weights *w,
                              const struct qn_model *m, qn_device *dev, qn_stream *stream);

/* What they are: every number, and the scales; zeros without adapters. */
void qn__adapters_identify(unsigned char out[QN__HASH_BYTES], const struct qn__adapters *a);

#endif
