/* SPDX-License-Identifier: Apache-2.0
 *
 * Placed weights (model_weights.h), copied to where they lie on the device. */
#ifndef QN_ENGINE_WEIGHT_UPLOAD_H
#define QN_ENGINE_WEIGHT_UPLOAD_H

#include "engine/model_weights.h"

#include <quern/stream.h>

struct qn__upload {
    qn_device *dev;
    qn_stream *stream;
    void (*progress)(uint64_t done, uint64_t total, void *payload); /* may be NULL */
    void *payload;
    uint64_t done, total; /* bytes, of as many uploads as there are */
};

/* Copy every placement of a streamed layer, or (QN__STAYS) of all that stays, and zeros between
 * them. Returns when done. */
qn_status qn__weights_upload(const struct qn__weights *w, uint32_t layer, struct qn__upload *u);

/* A streamed layer's bytes will be uploaded soon: the system may read them from the disk now. */
void qn__weights_will_need(const struct qn__weights *w, uint32_t layer);

#endif
