/* SPDX-License-Identifier: Apache-2.0
 *
 * The table; settings.h has the rules. */
#include "base/settings.h"

#include "base/environment.h"
#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint64_t min, max, fallback;
    bool is_size; /* K, M and G may follow it */
} settings[QN__SETTINGS] = {
    [QN__SETTING_CACHE_BYTES] = {"QUERN_CACHE_MAX_BYTES", 1, UINT64_MAX, (uint64_t)2 << 30, true},
    [QN__SETTING_CACHE_ENTRIES] = {"QUERN_CACHE_MAX_ENTRIES", 1, UINT64_MAX, 50000, true},
    [QN__SETTING_COMPILE_SECONDS] = {"QUERN_COMPILE_TIMEOUT", 1, 999999, 120, false},
    [QN__SETTING_COMPILE_MEMORY] = {"QUERN_COMPILE_MEMORY", (uint64_t)64 << 20, UINT64_MAX,
                                    (uint64_t)8 << 30, true},
    [QN__SETTING_THREADS] = {"QUERN_THREADS", 1, 1024, 0, false},
    [QN__SETTING_WATCHDOG] = {"QUERN_WATCHDOG", 0, 86400, 0, false},
    [QN__SETTING_CPU_WATCHDOG] = {"QUERN_CPU_WATCHDOG", 0, 86400, 0, false},
    [QN__SETTING_REMOTE_SECONDS] = {"QUERN_REMOTE_TIMEOUT", 1, 3600, 5, false},
    [QN__SETTING_REMOTE_PUT] = {"QUERN_REMOTE_PUT", 0, 1, 0, false},
    [QN__SETTING_TRUST_DRIVERS] = {"QUERN_TRUST_DRIVERS", 0, 1, 0, false},
};

/* Digits, then nothing or a unit of `units`. */
static bool parse(uint64_t *out, const char *text, const char *units)
{
    char *end;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, 10);
    const char unit = *end && strchr(units, *end) ? *end++ : 0;
    const int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
    *out = (uint64_t)v << shift;
    return text[0] >= '0' && text[0] <= '9' && !errno && !*end && v <= UINT64_MAX >> shift;
}

qn_status qn__size_parse(uint64_t *out, const char *text)
{
    if (parse(out, text, "KMG") && *out > 0)
        return QN_OK;
    *out = 0;
    return qn__fail(QN_E_INVALID, "'%s': expected a number above 0, or one with K, M or G", text);
}

uint64_t qn__setting(enum qn__setting which)
{
    static atomic_bool said[QN__SETTINGS];
    const char *name = settings[which].name, *text = qn__getenv(name);
    const bool is_size = settings[which].is_size;
    uint64_t v;
    if (!text || !text[0])
        return settings[which].fallback;
    if (parse(&v, text, is_size ? "KMG" : "") && v >= settings[which].min &&
        v <= settings[which].max)
        return v;
    if (atomic_exchange(&said[which], true))
        return settings[which].fallback;
    if (is_size)
        qn__log(QN_LOG_WARNING,
                "%s='%s': expected a number above 0, or one with K, M or G; %llu is used", name,
                text, (unsigned long long)settings[which].fallback);
    else
        qn__log(QN_LOG_WARNING, "%s='%s': expected a number from %llu to %llu; %llu is used", name,
                text, (unsigned long long)settings[which].min,
                (unsigned long long)settings[which].max,
                (unsigned long long)settings[which].fallback);
    return settings[which].fallback;
}
