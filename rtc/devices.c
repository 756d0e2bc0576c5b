/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls of quern/device.h that may load drivers: the runtime finds the devices, and asks
 * here which drivers may be loaded for that. */
#include "base/settings.h"
#include "base/threads.h"
#include "rtc/key/driver_record.h"
#include "runtime/device_open.h"

qn_status qn_device_list_init(qn_device_list *out)
{
    QN_ARG_CHECK(out != NULL);
    QN__NOT_CANCELLED;
    qn__conf_warn();
    return qn__device_list(out, qn__driver_may_load);
}

qn_status qn_device_open(qn_device **out, const char *id)
{
    QN_ARG_CHECK(out != NULL);
    QN__NOT_CANCELLED;
    qn__conf_warn();
    return qn__device_open(out, id, qn__driver_may_load);
}
