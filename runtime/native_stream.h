/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's own handle of a stream, for a library of the vendor's that queues work on it
 * (cuBLAS): the one way past the backend's table. */
#ifndef QN_RUNTIME_NATIVE_STREAM_H
#define QN_RUNTIME_NATIVE_STREAM_H

#include "base/error.h"

#include <quern/stream.h>

/* *handle is a CUstream on CUDA. The stream's device becomes this thread's current one.
 * QN_E_UNSUPPORTED  the backend has none to give */
qn_status qn__stream_native(void **handle, qn_stream *s);

#endif
