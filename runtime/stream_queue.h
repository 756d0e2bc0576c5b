/* SPDX-License-Identifier: Apache-2.0
 *
 * What is queued on a stream: waiting for it, the kernels that a fault's message names, and whether
 * the stream is being captured. Memory, modules, streams and graphs all ask here. */
#ifndef QN_RUNTIME_STREAM_QUEUE_H
#define QN_RUNTIME_STREAM_QUEUE_H

#include "runtime/backend.h"

/* Refuse, and spoil the capture, when s is being captured. */
qn_status qn__stream_not_capturing(qn_stream *s, const char *what);
/* What a call that queued something returns: a fault gets the names of the kernels queued since the
 * last sync, a capture counts the operation or is spoiled by its failure. */
qn_status qn__stream_result(qn_stream *s, qn_status status);
/* Note that kernels are about to be queued. */
void qn__stream_queued(qn_stream *s, const qn_kernel *const *kernels, uint32_t n);

/* Wait for what is queued on s, or with block false ask: QN_OK, QN_E_NOT_READY, or the fault. But
 * for QN_E_NOT_READY, nothing is queued any more, or the stream is beyond repair. */
qn_status qn__stream_finish(qn_stream *s, bool block);

/* Wait for everything queued on every stream of the device that is not being captured. */
qn_status qn__device_wait(qn_device *dev);
qn_status qn__device_wait_locked(qn_device *dev); /* the caller holds streams_lock */
/* Take a module's kernels out of every stream's ring. */
void qn__device_forget(qn_device *dev, const qn_module *mod);

#endif
