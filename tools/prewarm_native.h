/* SPDX-License-Identifier: Apache-2.0
 *
 * Warming OpenCL drivers that are here: `quern prewarm --target opencl:native`. */
#ifndef QN_TOOLS_PREWARM_NATIVE_H
#define QN_TOOLS_PREWARM_NATIVE_H

#include "tools/manifest.h"

#include <quern/bundle.h>

/* Build the kernel on a device, launch it as the manifest says, and put the driver's binary into
 * the bundle (NULL: only into the cache). ops: run the shipped kernels of that file instead, on
 * their own test data. The library's message says why it failed. */
qn_status qn__prewarm_native(qn_bundle_writer *w, qn_device *dev,
                             const struct qn__manifest_kernel *k, bool ops, qn_log *log);

#endif
