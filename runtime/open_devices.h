/* SPDX-License-Identifier: Apache-2.0
 *
 * Every open device, for fork(). */
#ifndef QN_RUNTIME_OPEN_DEVICES_H
#define QN_RUNTIME_OPEN_DEVICES_H

#include "runtime/backend.h"

/* Once its locks are made, and before they go. */
void qn__open_devices_add(qn_device *dev);
void qn__open_devices_remove(qn_device *dev);

#endif
