/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's functions without the loader: every call goes through the table of its object's driver.
 */
#ifndef QN_RUNTIME_OPENCL_DISPATCH_H
#define QN_RUNTIME_OPENCL_DISPATCH_H

#include "runtime/opencl/opencl_driver.h"

enum { QN__ICD_PLATFORMS_MAX = 32 };

/* All functions of qn__cl, of ours. */
extern const struct qn__opencl_driver qn__opencl_dispatch;

/* One more platform, which clGetPlatformIDs() lists from now on; to be called before
 * qn__opencl_load_functions(). False: there are too many. */
bool qn__opencl_dispatch_add(cl_platform_id platform);

#endif
