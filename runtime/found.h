/* SPDX-License-Identifier: Apache-2.0
 *
 * What probing has found: devices, and what was refused with its reason. Backends fill it in their
 * driver's order, then it is arranged for the user. */
#ifndef QN_RUNTIME_FOUND_H
#define QN_RUNTIME_FOUND_H

#include "base/arena.h"

#include <quern/device.h>

/* Filled by probe(): everything seen, usable or not. Strings live in the arena. */
struct qn__found {
    struct qn__arena *arena;
    qn_device_info *devices; /* in driver order */
    uint32_t n_devices;
    qn_device_refusal *refusals;
    uint32_t n_refusals;
};
qn_status qn__found_device(struct qn__found *f, const qn_device_info *info);
qn_status qn__found_refusal(struct qn__found *f, const char *backend, const char *what,
                            const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* From driver order to order of preference: cards that an earlier backend has reported get same_as,
 * then the list is sorted. */
void qn__found_arrange(struct qn__found *f);

#endif
