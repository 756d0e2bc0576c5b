/* SPDX-License-Identifier: Apache-2.0
 *
 * Large matrix products by the vendor's library, where there is one: cuBLAS on CUDA devices.
 *
 * It is found by dlopen and never required; prompts go through our own kernels without it. OpenCL
 * has no library that takes shared virtual memory (CLBlast wants buffer objects), so there it is
 * always our own. */
#ifndef QN_ENGINE_BLAS_H
#define QN_ENGINE_BLAS_H

#include "base/error.h"

#include <quern/memory.h>
#include <quern/stream.h>

struct qn__blas;

/* Is there a library for this device? Nothing is allocated. */
bool qn__blas_is_there(const qn_device *dev);

/* Memory it works in, which is part of the session's one allocation. */
enum { QN__BLAS_WORK_BYTES = 32 << 20 };

/* Everything is queued on `stream`, which outlives *out.
 * QN_E_NO_DEVICE  no library; QN_E_UNSUPPORTED  a stream of another backend
 * QN_E_DRIVER  it does not start */
qn_status qn__blas_open(struct qn__blas **out, qn_stream *stream, qn_addr work);
void qn__blas_close(struct qn__blas *b);             /* NULL is fine; sync the stream first */
const char *qn__blas_name(const struct qn__blas *b); /* "cuBLAS 13.1" */

/* y (tokens, rows) f32 = x (tokens, n) f16 times w (rows, n) f16, transposed, plus y itself if
 * `add`; sums in f32 */
qn_status qn__blas_matmul(const struct qn__blas *b, qn_addr y, qn_addr w, qn_addr x, uint32_t rows,
                          uint32_t n, uint32_t tokens, bool add);

#endif
