/* SPDX-License-Identifier: Apache-2.0
 *
 * Pauses between questions; deadline.h says how long. */
#include "runtime/deadline.h"

#include <sched.h>
#include <time.h>

enum { BUSY_NS = 50000, PAUSE_NS_MAX = 2000000 };

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct qn__deadline qn__deadline_in(uint64_t ns)
{
    return (struct qn__deadline){.begin_ns = now_ns(), .limit_ns = ns};
}

uint64_t qn__deadline_left(const struct qn__deadline *d)
{
    const uint64_t passed = now_ns() - d->begin_ns;
    return passed < d->limit_ns ? d->limit_ns - passed : 0;
}

bool qn__deadline_pause(const struct qn__deadline *d)
{
    const uint64_t passed = now_ns() - d->begin_ns;
    if (passed >= d->limit_ns)
        return false;
    if (passed < BUSY_NS) {
        sched_yield();
        return true;
    }
    uint64_t pause = passed / 8 < PAUSE_NS_MAX ? passed / 8 : PAUSE_NS_MAX;
    if (pause > d->limit_ns - passed)
        pause = d->limit_ns - passed;
    nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
    return true;
}
