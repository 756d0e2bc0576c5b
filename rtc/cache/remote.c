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
#include "rtc/cache/origin.h"
#include "rtc/cache/signed_entry.h"
#include "rtc/cache/trusted_keys.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_LIMIT_MS = 1000,
    ANSWER_LIMIT_BYTES = 256 << 20,
    LOGIN_LIMIT_BYTES = 16 << 10,
    REST_MS = 30000,
};

static struct {
    pthread_once_t once;
    char url[2048];   /* without a '/' at its end; "" when there is no remote */
    char plain[2048]; /* the same without user and password, for requests that bring their own */
    char shown[2048]; /* and fit for messages */
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
    const char *at = remote.url + scheme;
    for (const char *p = at; *p && !strchr("/?#", *p); p++)
        at = *p == '@' ? p + 1 : at;
    snprintf(remote.plain, sizeof remote.plain, "%.*s%s", (int)scheme, remote.url, at);
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

/* -- who asks -- */

static const char *named_file(const char *variable)
{
    const char *path = qn__getenv(variable);
    return path && path[0] ? path : NULL;
}

/* A login's file has one line: user:password, or a token. Neither it nor its name, which may be a
 * login by mistake, gets into a message. */
static qn_status read_login(struct qn__http_identity *who, char **text, const char *variable)
{
    size_t n;
    const char *path = named_file(variable);
    *text = NULL;
    if (!path)
        return QN_OK;
    if (qn__file_read(text, &n, path, LOGIN_LIMIT_BYTES) != QN_OK) {
        const int code = qn_message_code();
        return qn__fail(QN_E_IO, "%s: the file that it names cannot be read: %s", variable,
                        code ? strerror(code) : "not a small regular file");
    }
    (*text)[strcspn(*text, "\r\n")] = 0;
    const bool is_password = strchr(*text, ':') != NULL;
    if (!(*text)[0] || (!is_password && strpbrk(*text, " \t")))
        return qn__fail(QN_E_INVALID,
                        "%s: the first line of the file that it names is neither user:password nor "
                        "a token",
                        variable);
    if (is_password)
        who->password = *text;
    else
        who->token = *text;
    return QN_OK;
}

struct request {
    char url[sizeof remote.url];
    struct qn__http_identity who;
    char *login; /* what `who` points into */
};

static void close_request(struct request *r)
{
    if (r->login)
        sodium_memzero(r->login, strlen(r->login));
    free(r->login);
}

/* Close it in every case. */
static qn_status open_request(struct request *r, const char *key_hex, const char *login)
{
    *r = (struct request){.who = {.ca_file = named_file("QUERN_REMOTE_CA"),
                                  .certificate = named_file("QUERN_REMOTE_CERT"),
                                  .certificate_key = named_file("QUERN_REMOTE_CERT_KEY")}};
    QN_TRY(read_login(&r->who, &r->login, login));
    snprintf(r->url, sizeof r->url, "%.*s/%.64s", (int)(sizeof r->url - QN__HASH_HEX - 2),
             r->login ? remote.plain : remote.url, key_hex);
    return QN_OK;
}

/* -- asking -- */

/* The bytes of the server, whoever wrote them there, to an image that may be used here. */
static qn_status admit(qn_image **image, struct qn__entry_log *said, struct qn__arena *arena,
                       const struct qn__str *bytes, const char *key_hex, const char *target)
{
    char signer[QN__HASH_HEX], what[40], from[sizeof remote.shown + 8];
    size_t at;
    snprintf(what, sizeof what, "entry %.12s...", key_hex);
    snprintf(from, sizeof from, "server %s", remote.shown);
    QN_TRY(qn__signed_open(&at, signer, bytes->text, bytes->len));
    QN_TRY(qn__keys_check(what, signer));
    QN_TRY(qn__entry_decode(image, said, arena, bytes->text + at, bytes->len - at));
    qn_status s = qn__image_set_origin(*image, &(struct qn__image_origin){from, signer});
    if (s == QN_OK &&
        (strcmp((*image)->notes.key, key_hex) != 0 || strcmp((*image)->info.target, target) != 0))
        s = qn__fail(QN_E_CORRUPT, "entry %.12s... is that of key %.12s... for %s, not for %s",
                     key_hex, (*image)->notes.key, (*image)->info.target, target);
    if (s != QN_OK) {
        qn_image_release(*image);
        *image = NULL;
    }
    return s;
}

static qn_status fetch(struct qn__str *bytes, const char *key_hex)
{
    char what[64];
    long code = 0;
    struct request r;
    qn_status s = open_request(&r, key_hex, "QUERN_REMOTE_LOGIN");
    if (s == QN_OK)
        s = qn__http_get(&code, bytes, r.url, &r.who, &remote.limits);
    close_request(&r);
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
                          const char *key_hex, const char *target)
{
    struct qn__str bytes = {0};
    *image = NULL;
    if (!is_asked())
        return qn__fail(QN_E_NOT_FOUND, "no remote cache is asked");
    qn_status s = fetch(&bytes, key_hex);
    if (s == QN_OK && admit(image, said, arena, &bytes, key_hex, target) != QN_OK) {
        note_trouble(key_hex, qn_message());
        s = qn__fail(QN_E_NOT_FOUND, "%.12s...: not usable in the remote cache", key_hex);
    }
    qn__str_release(&bytes);
    return s;
}

/* -- storing -- */

/* Nothing is stored without a signature: readers could not tell whose it is. */
static qn_status read_key(struct qn__secret *out)
{
    const char *path = named_file("QUERN_REMOTE_KEY");
    if (!path)
        return qn__fail(QN_E_INVALID,
                        "QUERN_REMOTE_PUT=1 needs a key to sign with: name its file in "
                        "QUERN_REMOTE_KEY (quern bundle keygen -o FILE makes one)");
    const qn_status s = qn__secret_read(out, path);
    return s == QN_OK ? s : qn__fail_prefix(s, "QUERN_REMOTE_KEY");
}

bool qn__remote_takes(void)
{
    return is_asked() && remote.puts && qn__cache_may_write();
}

static void store(const char *key_hex, const struct qn__str *entry)
{
    char what[96];
    long code = 0;
    struct request r;
    qn_status s = open_request(&r, key_hex, "QUERN_REMOTE_PUT_LOGIN");
    if (s == QN_OK)
        s = qn__http_put(&code, r.url, &r.who, entry, &remote.limits);
    close_request(&r);
    if (s != QN_OK) {
        note_trouble_and_rest(key_hex, qn_message());
    } else if (code < 200 || code > 299) {
        snprintf(what, sizeof what, "PUT is answered with status %ld (does it allow storing?)",
                 code);
        note_trouble_and_rest(key_hex, what);
    } else {
        qn__count(&qn__counters.remote_puts, 1);
    }
}

void qn__remote_publish(const char *key_hex, const struct qn__str *entry)
{
    struct qn__secret secret;
    struct qn__str bytes = {0};
    if (!qn__remote_takes() || entry->failed)
        return;
    qn_status s = read_key(&secret);
    if (s == QN_OK)
        s = qn__signed_wrap(&bytes, entry, &secret);
    qn__secret_forget(&secret);
    if (s == QN_OK)
        store(key_hex, &bytes);
    else
        QN__WARN_ONCE("nothing is stored in the remote kernel cache: %s", qn_message());
    qn__str_release(&bytes);
}
