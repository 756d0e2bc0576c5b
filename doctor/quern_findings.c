/* SPDX-License-Identifier: Apache-2.0
 *
 * What the facts say of Quern itself: helpers, compilers, devices, the cache, the self-test. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <stdlib.h>
#include <string.h>

static void judge_compilers(struct qn__report *r, const json_t *facts)
{
    const json_t *list = qn__facts_part(facts, "quern.compilers");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *c = json_array_get(list, i);
        const char *where = qn__facts_text(c, "where"), *name = qn__facts_text(c, "name");
        if (qn__facts_is_true(c, "found"))
            continue;
        if (strstr(where, "QUERN_RTC") || strstr(where, "QUERN_TRANSLATE") ||
            strstr(where, "quern-rtc") || strstr(where, "quern-translate")) {
            if (!qn__report_has(r, QN__FINDING_HELPER_MISSING))
                qn__report_add(r, QN__FINDING_HELPER_MISSING, "%s", where);
        } else if (!strcmp(name, "cpu")) {
            qn__report_add(r, QN__FINDING_CLANG_MISSING, "%s", where);
        }
    }
    if (*qn__facts_text(facts, "quern.helper_error"))
        qn__report_add(r, QN__FINDING_HELPER_MISSING, "%s",
                       qn__facts_text(facts, "quern.helper_error"));
}

static void judge_device(struct qn__report *r, const json_t *d, bool is_first)
{
    const char *id = qn__facts_text(d, "id"), *name = qn__facts_text(d, "name");
    if (*qn__facts_text(d, "computes_wrong"))
        qn__report_add(r, QN__FINDING_ABILITY_WRONG, "%s (%s): %s", id, name,
                       qn__facts_text(d, "computes_wrong"));
    if (*qn__facts_text(d, "cannot_build"))
        qn__report_add(r, QN__FINDING_DEVICE_CANNOT_BUILD, "%s (%s): %s", id, name,
                       qn__facts_text(d, "cannot_build"));
    else if (is_first && strcmp(qn__facts_text(d, "class"), "cpu") != 0 &&
             *qn__facts_text(d, "abilities.fp16") &&
             strcmp(qn__facts_text(d, "abilities.fp16"), "native") != 0)
        qn__report_add(r, QN__FINDING_NO_HALF,
                       "%s (%s): fp16 is %s; its values are computed as f32", id, name,
                       qn__facts_text(d, "abilities.fp16"));
}

static void judge_devices(struct qn__report *r, const json_t *facts)
{
    const json_t *quern = qn__facts_part(facts, "quern"),
                 *devices = qn__facts_part(quern, "devices");
    const json_t *refusals = qn__facts_part(quern, "refusals");
    const char *said = qn__facts_text(quern, "said");
    if (!quern)
        return; /* another machine's tree */
    if (*qn__facts_text(quern, "crashed"))
        qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "%s%s%s", qn__facts_text(quern, "crashed"),
                       *said ? qn__tr("; it said: ") : "", said);
    else if (!json_array_size(devices))
        qn__report_add(r, QN__FINDING_NO_DEVICE, "%s",
                       *qn__facts_text(quern, "error") ? qn__facts_text(quern, "error")
                                                       : qn__tr("no backend offers a device"));
    for (size_t i = 0; i < json_array_size(refusals); i++) {
        const json_t *one = json_array_get(refusals, i);
        if (strstr(qn__facts_text(one, "reason"), "left alone until"))
            qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "%s: %s", qn__facts_text(one, "backend"),
                           qn__facts_text(one, "reason"));
    }
    for (size_t i = 0; i < json_array_size(devices); i++)
        judge_device(r, json_array_get(devices, i), i == 0);
}

static void judge_cache(struct qn__report *r, const json_t *facts)
{
    const json_t *cache = qn__facts_part(facts, "cache");
    const char *folder = qn__facts_text(cache, "folder");
    const char *mode = qn__facts_variable(facts, "QUERN_CACHE_MODE");
    const int64_t free_bytes = qn__facts_number(cache, "free_bytes", INT64_MAX);
    const int64_t limit = qn__facts_number(cache, "limit_bytes", 0);
    if (qn__facts_number(cache, "mode", 0) & 022)
        qn__report_add(r, QN__FINDING_CACHE_SHARED, "%s has the mode %04llo", folder,
                       (long long)qn__facts_number(cache, "mode", 0));
    else if (*qn__facts_text(cache, "unusable"))
        qn__report_add(r, QN__FINDING_CACHE_UNUSABLE, "%s%s%s", folder, *folder ? ": " : "",
                       qn__facts_text(cache, "unusable"));
    else if (*qn__facts_text(facts, "quern.cache_error") && !(mode && !strcmp(mode, "off")))
        qn__report_add(r, QN__FINDING_CACHE_UNUSABLE, "%s",
                       qn__facts_text(facts, "quern.cache_error"));
    if (*qn__facts_text(cache, "network"))
        qn__report_add(r, QN__FINDING_CACHE_NETWORK, "%s: %s", folder,
                       qn__facts_text(cache, "network"));
    if (free_bytes < limit / 4)
        qn__report_add(r, QN__FINDING_DISK_FULL,
                       "%s: %lld MiB free on the disk, the cache may grow to %lld MiB", folder,
                       (long long)(free_bytes >> 20), (long long)(limit >> 20));
    if (mode && (!strcmp(mode, "off") || !strcmp(mode, "refresh")))
        qn__report_add(r, QN__FINDING_CACHE_OFF, "QUERN_CACHE_MODE=%s", mode);
}

static void judge_variables(struct qn__report *r, const json_t *facts)
{
    const char *backends = qn__facts_variable(facts, "QUERN_BACKEND");
    const char *device = qn__facts_variable(facts, "QUERN_DEVICE");
    if (backends || device)
        qn__report_add(r, QN__FINDING_BACKENDS_LIMITED, "%s%s%s%s%s",
                       backends ? "QUERN_BACKEND=" : "", backends ? backends : "",
                       backends && device ? ", " : "", device ? "QUERN_DEVICE=" : "",
                       device ? device : "");
}

static void judge_configuration(struct qn__report *r, const json_t *facts)
{
    const json_t *errors = qn__facts_part(facts, "configuration.errors");
    for (size_t i = 0; i < json_array_size(errors); i++)
        qn__report_add(r, QN__FINDING_CONFIG_LINES, "%s",
                       json_string_value(json_array_get(errors, i))
                           ? json_string_value(json_array_get(errors, i))
                           : "");
}

static void judge_selftest(struct qn__report *r, const json_t *facts)
{
    const json_t *test = qn__facts_part(facts, "selftest"), *rows = qn__facts_part(test, "bad");
    const char *device = qn__facts_text(test, "device");
    if (*qn__facts_text(test, "crashed") || *qn__facts_text(test, "error"))
        qn__report_add(r, QN__FINDING_SELFTEST_FAILED, "%s: %s%s", device,
                       qn__facts_text(test, "crashed"), qn__facts_text(test, "error"));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const bool is_wrong = qn__facts_is_true(row, "wrong");
        qn__report_add(r, is_wrong ? QN__FINDING_SELFTEST_WRONG : QN__FINDING_SELFTEST_FAILED,
                       "%s on %s (%s): %s", qn__facts_text(row, "kernel"), device,
                       qn__facts_text(row, "shape"), qn__facts_text(row, "message"));
    }
}

void qn__judge_quern(struct qn__report *r, const json_t *facts)
{
    judge_compilers(r, facts);
    judge_devices(r, facts);
    judge_cache(r, facts);
    judge_variables(r, facts);
    judge_configuration(r, facts);
    judge_selftest(r, facts);
}
