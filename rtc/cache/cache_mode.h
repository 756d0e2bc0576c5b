/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process may do with the kernel cache: QUERN_CACHE_MODE, or qn_cache_set_mode(). */
#ifndef QN_RTC_CACHE_CACHE_MODE_H
#define QN_RTC_CACHE_CACHE_MODE_H

#include "base/error.h"

#include <stdbool.h>

enum qn__cache_mode {
    QN__CACHE_NORMAL,    /* look up, compile, store */
    QN__CACHE_READ_ONLY, /* look up, compile */
    QN__CACHE_MUST_HIT,  /* look up; a miss is an error */
    QN__CACHE_OFF,       /* compile */
    QN__CACHE_REFRESH,   /* compile, store */
};

/* QN_E_INVALID  the variable names no mode: an error at once, not a must-hit that is ignored */
qn_status qn__cache_mode(enum qn__cache_mode *out);

bool qn__cache_may_write(void);

#endif
