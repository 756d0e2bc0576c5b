/* SPDX-License-Identifier: Apache-2.0
 *
 * From a request to its image:
 *
 *     bundles ── memory ── disk ── lock ── disk again ── remote ── compile ── publish
 *
 * Where the cache has noted that an image depends on headers of this machine, they are in the key
 * from the start; else the compile says so, and the image is published under a key that has them.
 *
 * Nothing before "lock" starts a process or loads a compiler, and bundles need no compiler to be
 * there at all. Failures are not remembered: the next call tries again. */
#define _GNU_SOURCE
#include "rtc/lookup.h"

#include "base/log.h"
#include "rtc/build_log.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_memory.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/hidden_values.h"
#include "rtc/cache/miss.h"
#include "rtc/cache/origin.h"
#include "rtc/cache/remote.h"
#include "rtc/compiler_call.h"
#include "rtc/job/locate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static qn_status image_of(qn_image **out, const struct qn__request *r,
                          const struct qn__job_result *result)
{
    struct qn__str reflection = {0}, fields = {0};
    qn__key_print(&fields, &r->fields);
    qn__reflection_encode(&reflection, &result->reflection);
    const struct qn__image_notes notes = {r->is_passing ? "" : r->key.hex, r->key.request_hex,
                                          r->key.source_hex, or_empty(fields.text), ""};
    qn_status s = fields.failed ? qn__str_check(&fields) : qn__str_check(&reflection);
    if (s == QN_OK)
        s = qn__image_create(out, r->target_text, result->compiler, result->image_kind,
                             result->bytes, result->n, reflection.text, reflection.len);
    if (s == QN_OK)
        s = qn__image_note(*out, &notes);
    if (s == QN_OK)
        s = qn__image_set_origin(*out, &qn__origin_here);
    if (s != QN_OK) {
        qn_image_release(*out);
        *out = NULL;
    }
    qn__str_release(&reflection);
    qn__str_release(&fields);
    return s;
}

/* A compiler may quote a macro; then what it printed stays here. */
static bool shows_values(const struct qn__request *r, const struct qn__entry_log *said)
{
    const struct qn__compile_options *o = &r->compile_options;
    return qn__values_show(said->diagnostics, o->shaping, o->n_shaping) ||
           qn__values_show(said->raw, o->shaping, o->n_shaping);
}

static void publish(const struct qn__request *r, const qn_image *image,
                    const struct qn__job_result *result)
{
    const struct qn__entry_log said = {or_empty(result->diagnostics), or_empty(result->raw)};
    struct qn__str entry = {0};
    qn__entry_encode(&entry, image, &said, QN__ENTRY_FOR_HERE);
    qn__disk_publish(r->key.hex, &entry);
    qn__str_release(&entry);
    if (r->has_headers || !qn__remote_takes())
        return; /* another machine could not know the key before it had compiled */
    qn__entry_encode(&entry, image, shows_values(r, &said) ? NULL : &said, QN__ENTRY_FOR_AWAY);
    qn__remote_publish(r->key.hex, &entry);
    qn__str_release(&entry);
}

qn_status qn__lookup_miss(const struct qn__request *r)
{
    struct qn__str why = {0}, fields = {0};
    if (r->options.bypass_cache)
        return qn__fail(
            QN_E_CACHE_MISS,
            "%s for %s: the cache is bypassed, and in mode must-hit nothing is compiled", r->shown,
            r->target_text);
    qn__key_print(&fields, &r->fields);
    qn__miss_explain(&why, or_empty(fields.text), r->key.source_hex);
    const qn_status s = qn__fail(QN_E_CACHE_MISS,
                                 "%s for %s: not in the cache, and in mode must-hit nothing is "
                                 "compiled; %s",
                                 r->shown, r->target_text, or_empty(why.text));
    qn__str_release(&why);
    qn__str_release(&fields);
    return s;
}

static qn_status compile(qn_image **out, struct qn__request *r, qn_log *log, bool store)
{
    struct qn__job_result result;
    struct timespec start;
    if (r->mode == QN__CACHE_MUST_HIT)
        return qn__lookup_miss(r);
    clock_gettime(CLOCK_REALTIME, &start);
    qn_status s = qn__compiler_call(&result, r);
    if (s == QN_OK && qn__request_depend(r, &result.machine, &start) != QN_OK) {
        qn__log(QN_LOG_DEBUG, "%s for %s: not stored: %s", r->shown, r->target_text, qn_message());
        r->is_passing = true;
    }
    if (s == QN_OK)
        s = image_of(out, r, &result);
    qn__log_origin(log, QN_ORIGIN_COMPILED, r->key.hex);
    if (log)
        log->ms = result.ms;
    qn__log_fill(log, r, or_empty(result.diagnostics), or_empty(result.raw), s != QN_OK);
    if (s == QN_OK && store && !r->is_passing)
        publish(r, *out, &result);
    return s;
}

/* -- bundles -- */

/* Not when something shapes the compile that no bundle knows of: a compiler that the caller names,
 * variables that reach inside one. */
bool qn__lookup_may_ask_bundles(const struct qn__request *r)
{
    if (r->options.bypass_cache || r->options.compiler || r->mode == QN__CACHE_REFRESH ||
        !qn__bundles_get(0))
        return false;
    for (int i = 0; qn__compiler_names[i]; i++)
        if (qn__compiler_suits(&r->target, qn__compiler_names[i]) &&
            qn__key_has_environment(qn__compiler_names[i]))
            return false;
    return true;
}

uint32_t qn__lookup_rows(struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX],
                         const struct qn__request *r, const struct qn__target *device, bool exact)
{
    return qn__lookup_may_ask_bundles(r)
               ? qn__bundles_search(hits, r->key.source_hex, device, exact)
               : 0;
}

qn_status qn__lookup_read(qn_image **out, const struct qn__bundle_hit *hit, struct qn__request *r,
                          qn_log *log)
{
    struct qn__entry_log said;
    const qn_status s = qn__bundle_read(out, &said, &r->arena, hit->bundle, hit->row);
    if (s != QN_OK) {
        QN__WARN_ONCE("%s (later ones are not mentioned)", qn_message());
        return s;
    }
    qn__count(&qn__counters.bundle_hits, 1);
    qn__log_origin(log, QN_ORIGIN_BUNDLE, (*out)->notes.key);
    qn__log_fill(log, r, said.diagnostics, said.raw, false);
    return QN_OK;
}

qn_status qn__lookup_bundle(qn_image **out, struct qn__request *r, const struct qn__target *device,
                            qn_log *log)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    *out = NULL;
    if (!qn__lookup_may_ask_bundles(r))
        return qn__fail(QN_E_NOT_FOUND, "no bundle");
    if (r->n_refused == 0 && (*out = qn__memory_get(r->key.request_hex))) {
        qn__count(&qn__counters.memory_hits, 1);
        qn__log_origin(log, QN_ORIGIN_MEMORY_CACHE, (*out)->notes.key);
        return QN_OK;
    }
    const uint32_t n = qn__lookup_rows(hits, r, device ? device : &r->target, !device);
    for (; r->n_refused < n; r->n_refused++)
        if (qn__lookup_read(out, &hits[r->n_refused], r, log) == QN_OK) {
            if (hits[r->n_refused].rank == QN__RANK_EXACT && !r->loads_only)
                qn__memory_put(r->key.request_hex, *out);
            return QN_OK;
        }
    return qn__fail(QN_E_NOT_FOUND, "no bundle has %s for %s", r->shown, r->target_text);
}

/* -- memory, disk, remote, compiler -- */

static qn_status from_disk(qn_image **out, struct qn__request *r, qn_log *log)
{
    struct qn__entry_log said;
    QN_TRY(qn__disk_find(out, &said, &r->arena, r->key.hex, r->target_text));
    qn__count(&qn__counters.disk_hits, 1);
    if (log)
        log->origin = QN_ORIGIN_DISK_CACHE;
    qn__log_fill(log, r, said.diagnostics, said.raw, false);
    return QN_OK;
}

/* What comes from the remote cache is on disk the next time, with its origin, and is not asked for
 * its signature again. */
static qn_status from_remote(qn_image **out, struct qn__request *r, qn_log *log)
{
    struct qn__entry_log said;
    struct qn__str bytes = {0};
    if (r->has_headers)
        return qn__fail(QN_E_NOT_FOUND, "what depends on this machine's headers is not shared");
    const qn_status s = qn__remote_find(out, &said, &r->arena, r->key.hex, r->target_text);
    if (s == QN_OK) {
        qn__count(&qn__counters.remote_hits, 1);
        qn__entry_encode(&bytes, *out, &said, QN__ENTRY_FOR_HERE);
        qn__disk_publish(r->key.hex, &bytes);
        if (log)
            log->origin = QN_ORIGIN_REMOTE_CACHE;
        qn__log_fill(log, r, said.diagnostics, said.raw, false);
    }
    qn__str_release(&bytes);
    return s;
}

/* This thread makes the image: from disk, else by compiling, side by side with other processes. */
static qn_status lead(qn_image **out, struct qn__request *r, qn_log *log)
{
    const bool look = r->mode != QN__CACHE_REFRESH && !r->is_disk_refused;
    if (look && from_disk(out, r, log) == QN_OK)
        return QN_OK;
    qn__count(&qn__counters.misses, 1);
    if (r->mode == QN__CACHE_MUST_HIT && from_remote(out, r, log) != QN_OK)
        return qn__lookup_miss(r);
    if (*out)
        return QN_OK;
    int lock;
    char locked[QN__HASH_HEX]; /* a compile may give the request another key */
    memcpy(locked, r->key.hex, sizeof locked);
    const bool appeared = qn__disk_lock(&lock, locked);
    qn_status s = QN_OK;
    const bool found = look && ((appeared && from_disk(out, r, log) == QN_OK) ||
                                from_remote(out, r, log) == QN_OK);
    if (!found)
        s = compile(out, r, log, true);
    struct qn__message message;
    if (s != QN_OK)
        qn__message_save(&message);
    qn__disk_unlock(lock, locked);
    if (s != QN_OK)
        qn__message_restore(&message);
    return s;
}

void qn__lookup_forget(struct qn__request *r, const char *reason)
{
    r->is_disk_refused = true;
    qn__disk_quarantine(r->key.hex, reason);
    qn__memory_put(r->key.hex, NULL);
}

/* An image in memory is without its log; a caller that wants the log gets the entry from disk. */
static void show_kept_log(qn_log *log, struct qn__request *r)
{
    struct qn__entry_log said;
    struct qn__message message;
    qn_image *image;
    qn__message_save(&message);
    if (qn__disk_find(&image, &said, &r->arena, r->key.hex, r->target_text) == QN_OK) {
        qn__log_fill(log, r, said.diagnostics, said.raw, false);
        qn_image_release(image);
    }
    qn__message_restore(&message);
}

/* Without a look at the disk where memory has the image under the key without headers: it depends
 * on none then. */
static void follow(struct qn__request *r)
{
    qn_image *image = qn__memory_get(r->key.hex);
    if (image)
        qn_image_release(image);
    else
        qn__request_follow(r);
}

/* This thread makes the image for all that wait for this flight. */
static qn_status fly(qn_image **out, struct qn__flight *flight, struct qn__request *r, qn_log *log)
{
    qn_log own = {0}, *l = log ? log : &own;
    char key[QN__HASH_HEX]; /* of the flight */
    memcpy(key, r->key.hex, sizeof key);
    const qn_status s = lead(out, r, l);
    const bool keep = !r->is_passing && (!r->loads_only || l->origin != QN_ORIGIN_DISK_CACHE);
    const bool same = strcmp(key, r->key.hex) == 0;
    qn__memory_leave(flight, *out, keep && same, s, l->text, l->raw);
    if (s == QN_OK && keep && !same)
        qn__memory_put(r->key.hex, *out);
    qn_log_release(&own);
    return s;
}

qn_status qn__lookup_image(qn_image **out, struct qn__request *r, qn_log *log)
{
    *out = NULL;
    if (r->compile_options.dumps)
        return qn__fail(QN_E_INVALID,
                        "option --dump-after: what a pass left is no image; it is for "
                        "qn_translate() and quern translate");
    const qn_status found = qn__request_compiler(r);
    if (found != QN_OK)
        return r->mode == QN__CACHE_MUST_HIT ? qn__lookup_miss(r) : found;
    if (!r->options.bypass_cache)
        follow(r);
    qn__log_origin(log, QN_ORIGIN_COMPILED, r->key.hex);
    if (r->options.bypass_cache)
        return compile(out, r, log, false);
    struct qn__flight *flight;
    struct qn__flight_end end;
    const qn_status s = qn__memory_enter(out, &flight, &end, r->key.hex);
    if (flight)
        return fly(out, flight, r, log);
    if (s == QN_OK && strcmp((*out)->notes.key, r->key.hex) != 0)
        qn__request_follow(r); /* the other thread found headers to depend on */
    if (s == QN_OK)
        qn__count(&qn__counters.memory_hits, 1);
    if (log) {
        qn__log_origin(log, s == QN_OK ? QN_ORIGIN_MEMORY_CACHE : QN_ORIGIN_COMPILED, r->key.hex);
        qn__log_set(&log->text, end.text);
        qn__log_set(&log->raw, end.raw);
        if (s == QN_OK && r->options.verbose)
            show_kept_log(log, r);
    } else {
        free(end.text);
        free(end.raw);
    }
    return s;
}
