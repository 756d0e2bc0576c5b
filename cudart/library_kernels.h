/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the libraries that host code calls: Quern's own, compiled for a device when a function
 * first needs them. */
#ifndef QN_CUDART_LIBRARY_KERNELS_H
#define QN_CUDART_LIBRARY_KERNELS_H

#include "cudart/runtime.h"

/* Which kernel: the file of cudart/kernels/ with these definitions, "A=1 B=2", and its name. */
struct qn__library_kernel {
    const char *file, *defines, *name;
};

/* Queue it on the stream of the calling thread's device. */
cudaError_t qn__library_launch(const struct qn__library_kernel *which, cudaStream_t stream,
                               const qn_dims *dims, void **arguments);

/* At the device's reset. */
void qn__library_close(struct qn__rt_device *d);

#endif
