/* SPDX-License-Identifier: Apache-2.0
 *
 * The table; settings.h has the rules. */
#include "base/settings.h"

#include "base/configuration.h"
#include "base/environment.h"
#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
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

static bool is_right(uint64_t *v, enum qn__setting which, const char *text)
{
    return parse(v, text, settings[which].is_size ? "KMG" : "") && *v >= settings[which].min &&
           *v <= settings[which].max;
}

static qn_status fail_value(enum qn__setting which, const char *where, const char *text)
{
    if (settings[which].is_size)
        return qn__fail(QN_E_INVALID, "%s='%s': expected a number above 0, or one with K, M or G",
                        where, text);
    return qn__fail(QN_E_INVALID, "%s='%s': expected a number from %llu to %llu", where, text,
                    (unsigned long long)settings[which].min,
                    (unsigned long long)settings[which].max);
}

const char *qn__setting_where(char out[QN__WHERE_BYTES], const char *variable)
{
    const struct qn__conf *c = qn__configuration();
    const struct qn__conf_entry *e =
        qn__is_in_environment(variable) ? NULL : qn__conf_find(c, variable);
    if (e)
        snprintf(out, QN__WHERE_BYTES, "%s:%u: %s", c->files[e->file], e->line, variable);
    else
        snprintf(out, QN__WHERE_BYTES, "%s", variable);
    return out;
}

qn_status qn__setting_check(const char *variable, const char *text)
{
    uint64_t v;
    for (int i = 0; i < QN__SETTINGS; i++)
        if (!strcmp(settings[i].name, variable) && !is_right(&v, (enum qn__setting)i, text))
            return fail_value((enum qn__setting)i, variable, text);
    return QN_OK;
}

uint64_t qn__setting(enum qn__setting which)
{
    static atomic_bool said[QN__SETTINGS];
    const char *text = qn__getenv(settings[which].name);
    uint64_t v;
    if (!text || !text[0])
        return settings[which].fallback;
    if (is_right(&v, which, text))
        return v;
    if (!atomic_exchange(&said[which], true)) {
        struct qn__message before;
        char where[QN__WHERE_BYTES];
        qn__message_save(&before);
        const qn_status s = fail_value(which, qn__setting_where(where, settings[which].name), text);
        (void)s; /* a warning is all there is to it */
        qn__log(QN_LOG_WARNING, "%s; %llu is used", qn_message(),
                (unsigned long long)settings[which].fallback);
        qn__message_restore(&before);
    }
    return settings[which].fallback;
}

void qn__conf_warn(void)
{
    static atomic_bool said;
    const struct qn__conf *c = qn__configuration();
    if (!c->n_errors || atomic_exchange(&said, true))
        return;
    for (const char *line = c->errors.text; line && *line;) {
        const size_t n = strcspn(line, "\n");
        qn__log(QN_LOG_WARNING, "%.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
}
