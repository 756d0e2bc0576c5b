/* SPDX-License-Identifier: Apache-2.0
 *
 * Try a driver out in a process of its own (rtc/job/trial.h) and say how that went. */
#ifndef QN_RTC_CLIENT_DRIVER_TRIAL_H
#define QN_RTC_CLIENT_DRIVER_TRIAL_H

#include "base/str.h"

#include <stdint.h>

enum qn__trial {
    QN__TRIAL_GOOD,
    QN__TRIAL_BAD,    /* it crashed, or did what a driver must not do */
    QN__TRIAL_SLOW,   /* it hung, or the machine was very busy */
    QN__TRIAL_FAILED, /* it could not be tried out: the message says why */
};

/* libraries  NULL: what the backend loads by itself, else files separated by colons
 * *files gets those that the driver was loaded from, each with a 0 byte; *reason "crashed with
 * signal 6 (Aborted) while it was loaded" where it is bad or slow. */
enum qn__trial qn__driver_trial(struct qn__str *reason, struct qn__str *files, const char *backend,
                                const char *libraries);

/* The same of loading an image, as wire fields (rtc/job/trial.h), on a device.
 *   limit_s  what it may take */
enum qn__trial qn__build_trial(struct qn__str *reason, const char *device, const char *libraries,
                               const struct qn__str *image, uint32_t limit_s);

#endif
