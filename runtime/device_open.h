/* SPDX-License-Identifier: Apache-2.0
 *
 * Listing and opening devices for whoever decides which drivers may be loaded: the public calls of
 * quern/device.h are these with rtc's answer (rtc/devices.c). */
#ifndef QN_RUNTIME_DEVICE_OPEN_H
#define QN_RUNTIME_DEVICE_OPEN_H

#include "runtime/backend.h"

/* qn_device_list_init() and qn_device_open(). may_load as in struct qn__found. */
qn_status qn__device_list(qn_device_list *out, qn__may_load *may_load);
qn_status qn__device_open(qn_device **out, const char *id, qn__may_load *may_load);

/* The backend of that name, or NULL. */
const struct qn__backend *qn__backend_find(const char *name);

#endif
