/* SPDX-License-Identifier: Apache-2.0
 *
 * The live allocations of a device, for the backend's other files: each is shown to a kernel before
 * a launch, and addresses are checked against them. */
#ifndef QN_RUNTIME_OPENCL_MEMORY_H
#define QN_RUNTIME_OPENCL_MEMORY_H

#include "runtime/opencl/opencl_driver.h"

void qn__opencl_release_memory(struct qn__opencl_device *dev);

/* QN_E_INVALID when the range is not inside one live allocation; `what` names it in the message. */
qn_status qn__opencl_check_range(struct qn__opencl_device *dev, const char *what, uint64_t addr,
                                 uint64_t bytes);

/* Show a kernel every live allocation, when they have changed since it last saw them. */
qn_status qn__opencl_show_memory(struct qn__opencl_device *dev, struct qn__opencl_clone *clone);

#endif
