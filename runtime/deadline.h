/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for a device for so long and no longer, where a driver can only wait for ever or say
 * whether something is done:
 *
 *     const struct qn__deadline d = qn__deadline_in(ns);
 *     while ((r = ask()) == NOT_READY && qn__deadline_pause(&d))
 *         ;
 *
 * What ends within 50 us is asked again and again, as a driver's own wait does; later the pauses
 * are an eighth of what has passed, 2 ms at most, so that waiting costs no processor. */
#ifndef QN_RUNTIME_DEADLINE_H
#define QN_RUNTIME_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#define QN__FOREVER UINT64_MAX

struct qn__deadline {
    uint64_t begin_ns, limit_ns;
};

struct qn__deadline qn__deadline_in(uint64_t ns);
/* Nanoseconds; 0: the time is up. */
uint64_t qn__deadline_left(const struct qn__deadline *d);
/* False: the time is up. Else some of it has passed now: ask again. */
bool qn__deadline_pause(const struct qn__deadline *d);

#endif
