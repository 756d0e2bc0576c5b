/* SPDX-License-Identifier: Apache-2.0
 *
 * A few idle handles are kept, because a handle keeps its connection open: a hundred kernels cost
 * one handshake. libcurl may raise SIGPIPE when a peer goes away (TLS libraries write without
 * MSG_NOSIGNAL), and a library must not let that kill its caller; so the signal is blocked in this
 * thread during a transfer, and discarded if it was raised.
 *
 * A program that exits takes TLS libraries down while its threads go on: then nothing more is
 * begun, and what is under way gets a moment to end. */
#define _GNU_SOURCE
#include "rtc/cache/http.h"

#include "base/dl.h"
#include "base/forks.h"
#include "base/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct curl {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#include "rtc/cache/curl.sym"
#undef QN_SYM
} curl;

static const struct qn__dl_symbol symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct curl, name), true},
#include "rtc/cache/curl.sym"
#undef QN_SYM
};

/* Of curl/curl.h; these numbers are part of its stable ABI. */
enum {
    CURL_GLOBAL_ALL = 3,
    CURLINFO_RESPONSE_CODE = 0x200002,
    CURLPROTO_HTTP = 1,
    CURLPROTO_HTTPS = 2,
    CURLOPT_NOPROGRESS = 43,
    CURLOPT_UPLOAD = 46,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_HTTPAUTH = 107,
    CURLOPT_TIMEOUT_MS = 155,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_USERPWD = 10005,
    CURLOPT_READDATA = 10009,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_USERAGENT = 10018,
    CURLOPT_SSLCERT = 10025,
    CURLOPT_CAINFO = 10065,
    CURLOPT_SSLKEY = 10087,
    CURLOPT_CAPATH = 10097,
    CURLOPT_SEEKDATA = 10168,
    CURLOPT_XOAUTH2_BEARER = 10220,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_READFUNCTION = 20012,
    CURLOPT_SEEKFUNCTION = 20167,
    CURLOPT_XFERINFOFUNCTION = 20219,
    CURLOPT_INFILESIZE_LARGE = 30115,
    CURL_ERROR_SIZE = 256,
    CURLAUTH_BASIC = 1,
    CURLAUTH_BEARER = 64,
};

enum { IDLE_MAX = 4, MOMENT_MS = 100 };

static struct {
    pthread_mutex_t lock;
    bool is_loaded;
    void *idle[IDLE_MAX];
    uint32_t n_idle, n_taken;
    atomic_bool is_over; /* the program exits */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A forked child must not talk over its parent's connections; to close them would end the parent's
 * too. */
static void forget_connections(void)
{
    pool.n_idle = 0;
    pool.n_taken = 0;
}
QN__FORK_PART(&pool.lock, forget_connections)

/* -- handles -- */

static bool is_any_taken(void)
{
    pthread_mutex_lock(&pool.lock);
    const bool is_any = pool.n_taken > 0;
    pthread_mutex_unlock(&pool.lock);
    return is_any;
}

static void end_transfers(void)
{
    const struct timespec ms = {.tv_nsec = 1000000};
    atomic_store(&pool.is_over, true);
    for (int i = 0; i < MOMENT_MS && is_any_taken(); i++)
        nanosleep(&ms, NULL);
}

static int is_to_end(void *payload, long long total, long long now, long long up, long long sent)
{
    (void)payload, (void)total, (void)now, (void)up, (void)sent;
    return atomic_load(&pool.is_over);
}

/* OpenSSL frees what it holds when the program exits, also while a thread is still setting it up;
 * asked before that, it leaves it. */
static void keep_openssl(void *libcurl)
{
    enum { OPENSSL_INIT_NO_ATEXIT = 0x80000 };
    int (*init)(uint64_t options, const void *settings);
    void *const symbol = dlsym(libcurl, "OPENSSL_init_crypto");
    if (!symbol)
        return; /* another TLS library, or an older one */
    memcpy(&init, &symbol, sizeof init);
    init(OPENSSL_INIT_NO_ATEXIT, NULL);
}

static qn_status load_locked(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    void *handle;
    if (atomic_load(&pool.is_over))
        return qn__fail(QN_E_UNSUPPORTED, "the program ends");
    if (pool.is_loaded)
        return QN_OK;
    if (qn__dl_open(&handle, NULL, names) != QN_OK ||
        qn__dl_load(&curl, handle, symbols, sizeof symbols / sizeof *symbols) != QN_OK)
        return qn__fail(QN_E_UNSUPPORTED, "libcurl is needed: %s", qn_message());
    keep_openssl(handle);
    if (atexit(end_transfers) != 0)
        return qn__fail(QN_E_MEMORY, "no memory for what is to be done at exit");
    const int code = curl.global_init(CURL_GLOBAL_ALL);
    if (code != 0)
        return qn__fail(QN_E_UNSUPPORTED, "libcurl: %s", curl.easy_strerror(code));
    pool.is_loaded = true;
    return QN_OK;
}

static void count_back(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.n_taken--;
    pthread_mutex_unlock(&pool.lock);
}

static qn_status take_handle(void **out)
{
    *out = NULL;
    pthread_mutex_lock(&pool.lock);
    const qn_status s = load_locked();
    if (s == QN_OK && pool.n_idle)
        *out = pool.idle[--pool.n_idle];
    pool.n_taken += s == QN_OK;
    pthread_mutex_unlock(&pool.lock);
    if (s == QN_OK && !*out && !(*out = curl.easy_init())) {
        count_back();
        return qn__fail(QN_E_MEMORY, "no memory for a transfer");
    }
    return s;
}

static void give_handle(void *handle)
{
    curl.easy_reset(handle); /* keeps the connection */
    pthread_mutex_lock(&pool.lock);
    if (pool.n_idle < IDLE_MAX) {
        pool.idle[pool.n_idle++] = handle;
        handle = NULL;
    }
    pthread_mutex_unlock(&pool.lock);
    if (handle)
        curl.easy_cleanup(handle);
    count_back();
}

/* -- bodies -- */

struct download {
    struct qn__str *body; /* NULL: dropped */
    size_t limit_bytes;
};

static size_t take_bytes(char *bytes, size_t size, size_t count, void *payload)
{
    const struct download *d = payload;
    const size_t n = size * count;
    if (!d->body)
        return n;
    if (n > d->limit_bytes - d->body->len)
        return 0; /* ends the transfer */
    qn__str_add_bytes(d->body, bytes, n);
    return d->body->failed ? 0 : n;
}

struct upload {
    const struct qn__str *body;
    size_t done;
};

static size_t give_bytes(char *out, size_t size, size_t count, void *payload)
{
    struct upload *u = payload;
    const size_t room = size * count, left = u->body->len - u->done;
    const size_t n = left < room ? left : room;
    memcpy(out, u->body->text + u->done, n);
    u->done += n;
    return n;
}

/* That a kept connection is closed may show only after part of the body was sent. */
static int rewind_bytes(void *payload, long long offset, int origin)
{
    struct upload *u = payload;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > u->body->len)
        return 1; /* CURL_SEEKFUNC_FAIL */
    u->done = (size_t)offset;
    return 0;
}

/* -- transfers -- */

static qn_status set_text(void *handle, int option, const char *text, const char *what)
{
    const int result = text ? curl.easy_setopt(handle, option, text) : 0;
    return result == 0 ? QN_OK
                       : qn__fail_code(QN_E_UNSUPPORTED, result, "this libcurl cannot use %s: %s",
                                       what, curl.easy_strerror(result));
}

static qn_status identify(void *handle, const struct qn__http_identity *who)
{
    const long ways = who->token ? CURLAUTH_BEARER : CURLAUTH_BASIC;
    if (curl.easy_setopt(handle, CURLOPT_HTTPAUTH, ways) != 0)
        return qn__fail(QN_E_UNSUPPORTED, "this libcurl cannot send a token: 7.61 or later can");
    QN_TRY(set_text(handle, CURLOPT_USERPWD, who->password, "a user and a password"));
    QN_TRY(set_text(handle, CURLOPT_XOAUTH2_BEARER, who->token, "a token"));
    if (who->ca_file) /* the system's authorities would count beside it */
        curl.easy_setopt(handle, CURLOPT_CAPATH, (const char *)NULL);
    QN_TRY(set_text(handle, CURLOPT_CAINFO, who->ca_file, "certificates of authorities"));
    QN_TRY(set_text(handle, CURLOPT_SSLCERT, who->certificate, "a certificate"));
    return set_text(handle, CURLOPT_SSLKEY, who->certificate_key, "a certificate's key");
}

static qn_status transfer(long *code, void *handle, const char *url,
                          const struct qn__http_identity *who, struct download *down,
                          const struct qn__http_limits *limits)
{
    QN_TRY(identify(handle, who));
    char why[CURL_ERROR_SIZE] = "";
    curl.easy_setopt(handle, CURLOPT_URL, url);
    curl.easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, why);
    curl.easy_setopt(handle, CURLOPT_USERAGENT, "quern/" QN_VERSION);
    curl.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)limits->connect_ms);
    curl.easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)limits->total_ms);
    curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
    curl.easy_setopt(handle, CURLOPT_WRITEDATA, down);
    curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, is_to_end);
    curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    struct qn__quiet quiet;
    qn__quiet_begin(&quiet); /* TLS libraries write to the socket in the plain way */
    const int result = curl.easy_perform(handle);
    qn__quiet_end(&quiet);
    if (result != 0)
        return qn__fail_code(QN_E_IO, result, "%s", why[0] ? why : curl.easy_strerror(result));
    curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, code);
    return QN_OK;
}

qn_status qn__http_get(long *code, struct qn__str *body, const char *url,
                       const struct qn__http_identity *who, const struct qn__http_limits *limits)
{
    void *handle;
    struct download down = {body, body->len + limits->bytes};
    *code = 0;
    QN_TRY(take_handle(&handle));
    const qn_status s = transfer(code, handle, url, who, &down, limits);
    give_handle(handle);
    return s;
}

qn_status qn__http_put(long *code, const char *url, const struct qn__http_identity *who,
                       const struct qn__str *body, const struct qn__http_limits *limits)
{
    void *handle;
    struct download down = {NULL, 0};
    struct upload up = {body, 0};
    *code = 0;
    QN_TRY(take_handle(&handle));
    curl.easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl.easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (long long)body->len);
    curl.easy_setopt(handle, CURLOPT_READFUNCTION, give_bytes);
    curl.easy_setopt(handle, CURLOPT_READDATA, &up);
    curl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewind_bytes);
    curl.easy_setopt(handle, CURLOPT_SEEKDATA, &up);
    const qn_status s = transfer(code, handle, url, who, &down, limits);
    give_handle(handle);
    return s;
}
