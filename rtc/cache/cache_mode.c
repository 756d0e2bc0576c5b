/* SPDX-License-Identifier: Apache-2.0
 *
 * The mode is read from the environment once; a call may change it at any time. */
#include "rtc/cache/cache_mode.h"

#include "base/environment.h"
#include "base/str.h"

#include <pthread.h>
#include <quern/cache.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [QN__CACHE_NORMAL] = "normal",     [QN__CACHE_READ_ONLY] = "read-only",
    [QN__CACHE_MUST_HIT] = "must-hit", [QN__CACHE_OFF] = "off",
    [QN__CACHE_REFRESH] = "refresh",
};
enum { N_MODES = sizeof names / sizeof names[0], UNKNOWN = -1, UNREAD = -2 };

static atomic_int mode = UNREAD;

static int find(const char *name)
{
    for (int i = 0; i < N_MODES; i++)
        if (qn__equal(names[i], name))
            return i;
    return UNKNOWN;
}

static qn_status refuse(const char *name)
{
    return qn__fail(QN_E_INVALID,
                    "cache mode '%s': there are normal, read-only, must-hit, off and refresh",
                    name);
}

qn_status qn__cache_mode(enum qn__cache_mode *out)
{
    int m = atomic_load(&mode);
    *out = QN__CACHE_NORMAL;
    if (m == UNREAD || m == UNKNOWN) {
        const char *name = qn__getenv("QUERN_CACHE_MODE");
        int unread = UNREAD;
        m = m == UNKNOWN ? m : name && name[0] ? find(name) : QN__CACHE_NORMAL;
        if (!atomic_compare_exchange_strong(&mode, &unread, m))
            m = unread;
        if (m == UNKNOWN)
            return refuse(name ? name : "");
    }
    *out = (enum qn__cache_mode)m;
    return QN_OK;
}

bool qn__cache_may_write(void)
{
    const int m = atomic_load(&mode);
    enum qn__cache_mode now;
    if (qn__is_privileged())
        return false;
    if (m == UNREAD)
        return qn__cache_mode(&now) == QN_OK && now != QN__CACHE_READ_ONLY;
    return m != QN__CACHE_READ_ONLY && m != UNKNOWN;
}

qn_status qn_cache_set_mode(const char *name)
{
    QN_ARG_CHECK(name);
    const int m = find(name);
    if (m == UNKNOWN)
        return refuse(name);
    atomic_store(&mode, m);
    return QN_OK;
}
