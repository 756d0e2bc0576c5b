/* SPDX-License-Identifier: Apache-2.0
 *
 * What is queued on a stream: waiting for it, the kernels that a fault's message names, and whether
 * the stream is being captured. Memory, modules, streams and graphs all ask here. */
#ifndef QN_RUNTIME_STREAM_QUEUE_H
#define QN_RUNTIME_STREAM_QUEUE_H

#include "runtime/backend.h"
#include "runtime/deadline.h"

/* Refuse, and spoil the capture, when s is being captured. */
qn_status qn__stream_not_capturing(qn_stream *s, const char *what);
/* What a call that queued something returns: a fault gets the names of the kernels queued since the
 * last sync, a capture counts the operation or is spoiled by its failure. */
qn_status qn__stream_result(qn_stream *s, qn_status status);
/* Note that kernels are about to be queued. */
void qn__stream_queued(qn_stream *s, const qn_kernel *const *kernels, uint32_t n);

/* How long the watchdog lets a call wait: QN__FOREVER where there is none. */
uint64_t qn__device_patience_ns(const qn_device *dev);

/* Wait so long for what is queued on s, or ask (0): QN_OK, QN_E_NOT_READY, or the fault. But for
 * QN_E_NOT_READY, nothing is queued any more, or the stream is beyond repair. */
qn_status qn__stream_finish(qn_stream *s, uint64_t ns);
/* QN_E_TIMEOUT with the kernels that may be running; late: the watchdog's time is up. */
qn_status qn__stream_timeout(const qn_stream *s, uint64_t ns);
qn_status qn__stream_late(qn_stream *s);

/* Wait for everything queued on every stream of the device that is not being captured.
 * QN_E_TIMEOUT  the watchdog's time is up; of a stream that was late before, it is only asked */
qn_status qn__device_wait(qn_device *dev);
qn_status qn__device_wait_locked(qn_device *dev); /* the caller holds streams_lock */
/* May s, or something that work on any stream may use, be closed? Waits only where a watchdog is
 * set. False: a stream is late, the driver would wait for it, and the thing is to be left as it is.
 */
bool qn__stream_settled(qn_stream *s);
bool qn__device_settled(qn_device *dev);
/* Take a module's kernels out of every stream's ring. */
void qn__device_forget(qn_device *dev, const qn_module *mod);

#endif
