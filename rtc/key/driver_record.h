/* SPDX-License-Identifier: Apache-2.0
 *
 * May a driver be loaded into this process? What a trial in a process of its own has shown
 * (rtc/client/driver_trial.h) is kept, so that only a driver that is new or has changed costs one.
 */
#ifndef QN_RTC_KEY_DRIVER_RECORD_H
#define QN_RTC_KEY_DRIVER_RECORD_H

#include "runtime/found.h"

/* A qn__may_load (runtime/found.h). QN_OK also where QUERN_TRUST_DRIVERS=1 is set, and where
 * drivers cannot be tried out, which is logged once.
 * QN_E_NO_DEVICE  the driver was bad: how, and what to do */
qn_status qn__driver_may_load(const char *backend, const char *libraries);

#endif
