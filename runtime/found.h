/* SPDX-License-Identifier: Apache-2.0
 *
 * What probing has found: devices, and what was refused with its reason. Backends fill it in their
 * driver's order, then it is arranged for the user.
 *
 * A driver runs in the process that loads it, and a broken one ends that process. So a backend asks
 * whoever began the search before it loads one (may_load), and says when one answered nonsense
 * (qn__found_broken()); whether drivers are tried out elsewhere first is no matter of backends. */
#ifndef QN_RUNTIME_FOUND_H
#define QN_RUNTIME_FOUND_H

#include "base/arena.h"

#include <quern/device.h>

/* May a driver be loaded into this process? QN_OK; any other status: the message says why not.
 *   libraries  NULL: what the backend loads by itself, else the files of some of the drivers behind
 *              it, separated by colons */
typedef qn_status qn__may_load(const char *backend, const char *libraries);

enum { QN__DRIVER_DEVICES_MAX = 256 }; /* a driver that claims more of them is broken */

/* Filled by probe(): everything seen, usable or not. Strings live in the arena. */
struct qn__found {
    struct qn__arena *arena;
    qn__may_load *may_load;  /* NULL: everything */
    const char *broken;      /* what a driver did that it must not, the first; NULL: nothing */
    qn_device_info *devices; /* in driver order */
    uint32_t n_devices;
    qn_device_refusal *refusals;
    uint32_t n_refusals;
};
qn_status qn__found_device(struct qn__found *f, const qn_device_info *info);
qn_status qn__found_refusal(struct qn__found *f, const char *backend, const char *what,
                            const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* A refusal because a driver broke its promises. */
qn_status qn__found_broken(struct qn__found *f, const char *backend, const char *what,
                           const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The question of may_load. */
qn_status qn__found_ask(const struct qn__found *f, const char *backend, const char *libraries);

/* From driver order to order of preference: cards that an earlier backend has reported get same_as,
 * then the list is sorted. */
void qn__found_arrange(struct qn__found *f);

#endif
