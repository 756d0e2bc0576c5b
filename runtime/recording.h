/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording what is queued on a stream, where the driver has no graphs. A stream that is being
 * recorded has qn_stream.recording. */
#ifndef QN_RUNTIME_RECORDING_H
#define QN_RUNTIME_RECORDING_H

#include "runtime/backend.h"

qn_status qn__recording_create(struct qn__recording **out);
void qn__recording_destroy(struct qn__recording *r); /* NULL is fine */

/* Add a call to s->recording. QN_E_UNSUPPORTED  the kernel's argument sizes are unknown */
qn_status qn__record_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                            void *const *args);
qn_status qn__record_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                          uint64_t bytes);
qn_status qn__record_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                          uint64_t n_elems);

/* Queue all of it again on a stream of the same device. */
qn_status qn__recording_replay(const struct qn__recording *r, qn_stream *s);

#endif
