/* SPDX-License-Identifier: Apache-2.0
 *
 * What an OpenCL device is able to do, for the other files of the backend. */
#ifndef QN_RUNTIME_OPENCL_DEVICE_H
#define QN_RUNTIME_OPENCL_DEVICE_H

#include "runtime/opencl/opencl_driver.h"

/* Does the device have this extension, or feature of OpenCL C 3.0? */
bool qn__opencl_has(const struct qn__opencl_device *dev, const char *extension);

#endif
