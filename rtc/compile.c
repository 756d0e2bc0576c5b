/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls of quern/compile.h and quern/translate.h that compile or list; images on disk
 * are in image_file.c. */
#define _GNU_SOURCE
#include "base/log.h"
#include "base/settings.h"
#include "base/threads.h"
#include "rtc/build_log.h"
#include "rtc/compiler_call.h"
#include "rtc/job/locate.h"
#include "rtc/lookup.h"
#include "rtc/record.h"

#include <quern/translate.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

qn_status qn_compile(qn_image **out, const qn_source *src, const char *target,
                     const qn_compile_options *options, qn_log *log)
{
    QN_ARG_CHECK(out && src && target);
    QN__NOT_CANCELLED;
    *out = NULL;
    if (log)
        *log = (qn_log){0};
    struct qn__request r;
    qn_status s = qn__request_open(&r, src, target, options);
    if (s == QN_OK)
        qn__record_request(&r);
    if (s == QN_OK &&
        (!qn__lookup_may_ask_bundles(&r) || qn__lookup_bundle(out, &r, NULL, log) != QN_OK))
        s = qn__lookup_image(out, &r, log);
    qn__request_release(&r);
    qn__log_complete(log);
    return s;
}

uint32_t qn_compile_get_time_limit(void)
{
    return (uint32_t)qn__setting(QN__SETTING_COMPILE_SECONDS);
}

/* -- translation -- */

void qn_translation_release(qn_translation *t)
{
    if (!t)
        return;
    free(t->text);
    free(t->reflect);
    free(t->explain);
    *t = (qn_translation){0};
}

static qn_status copy_translation(qn_translation *out, const struct qn__job_result *r)
{
    out->text = strndup(r->bytes, r->n);
    out->reflect = strdup(r->reflect_json ? r->reflect_json : "");
    out->explain = strdup(r->explain_json ? r->explain_json : "");
    if (out->text && out->reflect && out->explain)
        return QN_OK;
    qn_translation_release(out);
    return qn__fail(QN_E_MEMORY, "no memory for a translation of %zu bytes", r->n);
}

/* Always run anew: the explanation is for people and is kept in no cache. */
qn_status qn_translate(qn_translation *out, const qn_source *src, const char *profile,
                       const qn_compile_options *options, qn_log *log)
{
    QN_ARG_CHECK(out && src);
    QN__NOT_CANCELLED;
    *out = (qn_translation){0};
    if (log)
        *log = (qn_log){0};
    struct qn__request r = {0};
    struct qn__job_result result = {0};
    struct qn__str target = {0};
    qn__str_printf(&target, "opencl:%s", profile ? profile : "portable");
    qn_status s = qn__str_check(&target);
    if (s == QN_OK)
        s = qn__request_open(&r, src, target.text, options);
    if (s == QN_OK)
        s = qn__request_compiler(&r);
    if (s == QN_E_UNSUPPORTED) /* the target is a profile here; an unknown one is a mistake */
        s = qn__fail(QN_E_INVALID, "%s", qn_message());
    if (s == QN_OK) {
        struct timespec start;
        clock_gettime(CLOCK_REALTIME, &start);
        s = qn__compiler_call(&result, &r);
        if (s == QN_OK && qn__request_depend(&r, &result.machine, &start) != QN_OK)
            qn__log(QN_LOG_DEBUG, "%s: %s", r.shown, qn_message());
        if (log) {
            qn__log_set(&log->key, strdup(r.key.hex));
            log->ms = result.ms;
            qn__log_fill(log, &r, result.diagnostics, result.raw, s != QN_OK);
        }
    }
    if (s == QN_OK)
        s = copy_translation(out, &result);
    qn__request_release(&r);
    qn__str_release(&target);
    qn__log_complete(log);
    return s;
}

/* -- lists -- */

/* An array of n strings and the strings themselves in one piece. */
static qn_status pack(const char *const **out, uint32_t *n, const char **list, uint32_t count)
{
    size_t bytes = (count + (size_t)1) * sizeof(char *);
    for (uint32_t i = 0; i < count; i++)
        bytes += strlen(list[i]) + 1;
    char **packed = malloc(bytes);
    if (!packed)
        return qn__fail(QN_E_MEMORY, "no memory for %u strings", count);
    char *text = (char *)(packed + count + 1);
    for (uint32_t i = 0; i < count; i++) {
        packed[i] = text;
        text = stpcpy(text, list[i]) + 1;
    }
    packed[count] = NULL;
    *out = (const char *const *)packed;
    *n = count;
    return QN_OK;
}

qn_status qn_compile_targets(const char *const **out, uint32_t *n, const char *backend)
{
    QN_ARG_CHECK(out && n && backend);
    QN__NOT_CANCELLED;
    static const struct {
        const char *backend, *compiler;
    } rows[] = {
#define QN_COMPILER(name, BACKEND, backend) {#backend, #name},
#include "base/compilers.def"
    };
    enum { LIST_MAX = 1024 };
    *out = NULL;
    *n = 0;
    struct qn__arena arena = {0};
    struct qn__str missing = {0};
    const char **list = QN__ARENA_ARRAY(&arena, const char *, LIST_MAX);
    uint32_t count = 0;
    bool known = false;
    qn_status s = list ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a list of targets");
    for (size_t i = 0; s == QN_OK && i < sizeof rows / sizeof rows[0]; i++) {
        struct qn__compiler c;
        if (strcmp(rows[i].backend, backend) != 0)
            continue;
        known = true;
        if (qn__compiler_find(&c, &arena, rows[i].compiler) != QN_OK) {
            qn__str_printf(&missing, "%s%s", missing.len ? "; " : "", qn_message());
            continue;
        }
        for (uint32_t k = 0; k < c.n_targets && count < LIST_MAX; k++) {
            const char *target = qn__arena_printf(&arena, "%s:%s", backend, c.targets[k]);
            if (target && !qn__is_listed(list, count, target))
                list[count++] = target;
        }
    }
    if (s == QN_OK && !known)
        s = qn__fail(QN_E_INVALID, "backend '%s': there are cuda, hip, opencl and cpu", backend);
    else if (s == QN_OK && !count)
        s = qn__fail(QN_E_COMPILER, "%s", missing.text ? missing.text : "no compiler");
    if (s == QN_OK)
        s = pack(out, n, list, count);
    qn__str_release(&missing);
    qn__arena_release(&arena);
    return s;
}

qn_status qn_compilers(const qn_compiler_info **out, uint32_t *n)
{
    QN_ARG_CHECK(out && n);
    QN__NOT_CANCELLED;
    enum { MAX = 8 };
    struct qn__arena arena = {0};
    qn_compiler_info list[MAX];
    uint32_t count = 0;
    size_t bytes = 0;
    *out = NULL;
    *n = 0;
    for (; qn__compiler_names[count] && count < MAX; count++) {
        struct qn__compiler c;
        const bool found = qn__compiler_find(&c, &arena, qn__compiler_names[count]) == QN_OK;
        const char *reason = found ? NULL : qn__arena_strdup(&arena, qn_message());
        const size_t name_n = strlen(qn__compiler_names[count]);
        if (reason && qn__starts_with(reason, qn__compiler_names[count]) && reason[name_n] == ':')
            reason += name_n + strspn(reason + name_n, ": "); /* the row has the name already */
        list[count] = (qn_compiler_info){.name = qn__compiler_names[count], /* static */
                                         .version = found ? c.version : "",
                                         .where = found    ? c.where
                                                  : reason ? reason
                                                           : "",
                                         .found = found};
        bytes += strlen(list[count].version) + strlen(list[count].where) + 2;
    }
    qn_compiler_info *packed = malloc(count * sizeof *packed + bytes);
    qn_status s = QN_OK;
    if (!packed)
        s = qn__fail(QN_E_MEMORY, "no memory for a list of compilers");
    char *text = (char *)(packed + count);
    for (uint32_t i = 0; packed && i < count; i++) {
        packed[i] = list[i];
        packed[i].version = text;
        text = stpcpy(text, list[i].version) + 1;
        packed[i].where = text;
        text = stpcpy(text, list[i].where) + 1;
    }
    *out = packed;
    *n = packed ? count : 0;
    qn__arena_release(&arena);
    return s;
}
