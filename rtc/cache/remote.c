/* SPDX-License-Identifier: Apache-2.0
 *
 * When to ask the server, what to believe of its answers, and when to leave it alone. A server that
 * cannot be reached, or answers anything but "here it is" and "I have none", rests for REST_MS, so
 * a program that wants a hundred kernels waits for a dead server once and not a hundred times. A
 * damaged entry is that entry's trouble alone; the next one is asked for. */
#define _GNU_SOURCE
#include "rtc/cache/remote.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/settings.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/http.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_LIMIT_MS = 1000,
    ANSWER_LIMIT_BYTES = 256 << 20,
    REST_MS = 30000,
};

static struct {
    pthread_once_t once;
    char url[2048];   /* without a '/' at its end; "" when there is no remote */
    char shown[2048]; /* the same without user and password */
    bool puts;
    struct qn__http_limits limits;
    atomic_uint_least64_t rests_until_ms;
} remote = {.once = PTHREAD_ONCE_INIT};

/* -- settings -- */

static void read_url(const char *text)
{
    const size_t scheme = qn__starts_with(text, "http://")    ? strlen("http://")
                          : qn__starts_with(text, "https://") ? strlen("https://")
                                                              : 0;
    if (!scheme || !text[scheme] || text[scheme] == '/') {
        qn__log(QN_LOG_WARNING, "QUERN_REMOTE is ignored: it must be as http://host:port/path");
        return;
    }
    size_t n = strlen(text);
    while (text[n - 1] == '/')
        n--;
    if (n + QN__HASH_HEX + 1 > sizeof remote.url) {
        qn__log(QN_LOG_WARNING, "QUERN_REMOTE is ignored: it is too long");
        return;
    }
    memcpy(remote.url, text, n);
    struct qn__str shown = {0};
    qn__str_add_url(&shown, remote.url);
    snprintf(remote.shown, sizeof remote.shown, "%s", shown.text ? shown.text : "");
    qn__str_release(&shown);
}

static void read_settings(void)
{
    const char *url = qn__getenv("QUERN_REMOTE");
    if (!url || !url[0])
        return;
    read_url(url);
    const uint32_t total_ms = (uint32_t)qn__setting(QN__SETTING_REMOTE_SECONDS) * 1000;
    remote.limits = (struct qn__http_limits){CONNECT_LIMIT_MS, total_ms, ANSWER_LIMIT_BYTES};
    remote.puts = qn__setting(QN__SETTING_REMOTE_PUT) == 1;
}

/* -- trouble -- */

static bool is_asked(void)
{
    pthread_once(&remote.once, read_settings);
    return remote.url[0] && (double)atomic_load(&remote.rests_until_ms) <= qn__now_ms();
}

static void note_trouble(const char *key_hex, const char *what)
{
    qn__count(&qn__counters.remote_errors, 1);
    QN__WARN_ONCE("remote kernel cache %s: %s; kernels are compiled here instead (later trouble is "
                  "only counted)",
                  remote.shown, what);
    qn__log(QN_LOG_DEBUG, "remote kernel cache %s: %.12s...: %s", remote.shown, key_hex, what);
}

static void note_trouble_and_rest(const char *key_hex, const char *what)
{
    atomic_store(&remote.rests_until_ms, (uint64_t)qn__now_ms() + REST_MS);
    note_trouble(key_hex, what);
}

static void address(char out[sizeof remote.url], const char *key_hex)
{
    snprintf(out, sizeof remote.url, "%.*s/%.64s", (int)(sizeof remote.url - QN__HASH_HEX - 2),
             remote.url, key_hex);
}

/* -- asking -- */

static qn_status verify(qn_image **image, struct qn__entry_log *said, struct qn__arena *arena,
                        const struct qn__str *bytes, const char *key_hex, const char *target)
{
    QN_TRY(qn__entry_decode(image, said, arena, bytes->text, bytes->len));
    if (strcmp((*image)->notes.key, key_hex) == 0 && strcmp((*image)->info.target, target) == 0)
        return QN_OK;
    const qn_status s =
        qn__fail(QN_E_CORRUPT, "entry %.12s... is that of key %.12s... for %s, not for %s", key_hex,
                 (*image)->notes.key, (*image)->info.target, target);
    qn_image_release(*image);
    *image = NULL;
    return s;
}

static qn_status fetch(struct qn__str *bytes, const char *key_hex)
{
    char url[sizeof remote.url], what[64];
    long code;
    address(url, key_hex);
    const qn_status s = qn__http_get(&code, bytes, url, &remote.limits);
    if (s != QN_OK) {
        note_trouble_and_rest(key_hex, qn_message());
    } else if (code != 200 && code != 404 && code != 410) {
        snprintf(what, sizeof what, "GET is answered with status %ld", code);
        note_trouble_and_rest(key_hex, what);
    } else if (code == 200) {
        return QN_OK;
    }
    return qn__fail(QN_E_NOT_FOUND, "%.12s...: not in the remote cache", key_hex);
}

qn_status qn__remote_find(qn_image **image, struct qn__entry_log *said, struct qn__arena *arena,
                          struct qn__str *bytes, const char *key_hex, const char *target)
{
    *image = NULL;
    if (!is_asked())
        return qn__fail(QN_E_NOT_FOUND, "no remote cache is asked");
    QN_TRY(fetch(bytes, key_hex));
    if (verify(image, said, arena, bytes, key_hex, target) == QN_OK)
        return QN_OK;
    note_trouble(key_hex, qn_message());
    return qn__fail(QN_E_NOT_FOUND, "%.12s...: damaged in the remote cache", key_hex);
}

void qn__remote_publish(const char *key_hex, const struct qn__str *entry)
{
    char url[sizeof remote.url], what[96];
    long code;
    if (!is_asked() || !remote.puts || !qn__cache_may_write() || entry->failed)
        return;
    address(url, key_hex);
    if (qn__http_put(&code, url, entry, &remote.limits) != QN_OK) {
        note_trouble_and_rest(key_hex, qn_message());
    } else if (code < 200 || code > 299) {
        snprintf(what, sizeof what, "PUT is answered with status %ld (does it allow storing?)",
                 code);
        note_trouble_and_rest(key_hex, what);
    } else {
        qn__count(&qn__counters.remote_puts, 1);
    }
}
