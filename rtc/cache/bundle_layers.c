/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bundles there are and whose signatures are trusted; bundle_layers.h has the order. */
#define _GNU_SOURCE
#include "rtc/cache/bundle_layers.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "base/log.h"
#include "base/threads.h"
#include "base/trust.h"
#include "rtc/cache/bundle_serials.h"
#include "rtc/cache/trusted_keys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAYERS_MAX = 256 };

static struct {
    pthread_once_t once;
    pthread_mutex_t writer; /* held while the rest changes */
    pthread_rwlock_t lock;  /* guards the rest; bundles themselves never change */
    qn_bundle *bundles[LAYERS_MAX];
    uint32_t n, n_added; /* those of qn_cache_add_bundle() come first */
} layers = {.once = PTHREAD_ONCE_INIT,
            .writer = PTHREAD_MUTEX_INITIALIZER,
            .lock = PTHREAD_RWLOCK_INITIALIZER};

/* In a forked child: readers that held the lock are not there. */
static void forget_readers(void)
{
    layers.lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    for (uint32_t i = 0; i < layers.n; i++)
        qn__bundle_begin_child(layers.bundles[i]);
}
QN__FORK_PART(&layers.writer, forget_readers)

/* -- trust -- */

/* keep: it is to be used, and not only asked about. */
static qn_status check_trust(const qn_bundle_info *info, bool keep)
{
    struct qn__str what = {0};
    qn__str_printf(&what, "bundle %s%s", info->name,
                   info->is_old ? " (format 3, whose signatures do not count: quern bundle sign "
                                  "makes a new one)"
                                : "");
    qn_status s = qn__str_check(&what);
    if (s == QN_OK)
        s = qn__keys_check(what.text, info->signer);
    qn__str_release(&what);
    return s == QN_OK ? qn__serial_check(info, keep) : s;
}

qn_status qn_bundle_check_signer(qn_bundle *b)
{
    QN_ARG_CHECK(b != NULL);
    return check_trust(qn_bundle_get_info(b), false);
}

static qn_status add(qn_bundle *b, bool first)
{
    const qn_bundle_info *info = qn_bundle_get_info(b);
    qn_status s = qn__keys_are_set() ? check_trust(info, true) : QN_OK;
    pthread_mutex_lock(&layers.writer);
    pthread_rwlock_wrlock(&layers.lock);
    if (s == QN_OK && layers.n == LAYERS_MAX)
        s = qn__fail(QN_E_LIMIT, "bundle %s: at most %d bundles at once", info->name, LAYERS_MAX);
    if (s == QN_OK) {
        const uint32_t at = first ? layers.n_added++ : layers.n;
        for (uint32_t i = layers.n++; i > at; i--)
            layers.bundles[i] = layers.bundles[i - 1];
        layers.bundles[at] = b;
    }
    pthread_rwlock_unlock(&layers.lock);
    pthread_mutex_unlock(&layers.writer);
    if (s != QN_OK)
        qn_bundle_close(b);
    return s;
}

/* -- where they come from -- */

static void report(qn_status s, const char *path)
{
    if (s != QN_OK)
        qn__log(QN_LOG_WARNING, "left out: %s", qn_message());
    else
        qn__log(QN_LOG_DEBUG, "bundle %s is in use", path);
}

static void add_named(const char *path)
{
    qn_bundle *b;
    qn_status s = qn_bundle_open(&b, path);
    if (s == QN_OK)
        s = add(b, false);
    report(s, path);
}

/* The user did not name it, so it may be missing, and must not be somebody else's. */
static void add_found(const char *path)
{
    qn_bundle *b;
    int fd;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return; /* no message is made on the path of a hit */
    qn_status s = qn__trust_open(&fd, path, O_RDONLY, "name it with QUERN_BUNDLE");
    if (s == QN_OK)
        s = qn__bundle_open_file(&b, path, fd);
    else
        s = qn__fail_prefix(s, "bundle");
    if (s == QN_OK)
        s = add(b, false);
    report(s, path);
}

static void add_variable(void)
{
    const char *list = qn__getenv("QUERN_BUNDLE");
    while (list && *list) {
        const size_t n = strcspn(list, ":");
        char *path = strndup(list, n);
        if (path && n)
            add_named(path);
        free(path);
        list += n + (list[n] == ':');
    }
}

static void add_beside_program(void)
{
    char path[4096 + 8];
    const ssize_t n = readlink("/proc/self/exe", path, 4096);
    if (n <= 0 || n >= 4096)
        return;
    memcpy(path + n, ".qnb", sizeof ".qnb");
    add_found(path);
}

static int is_bundle_name(const struct dirent *e)
{
    return e->d_name[0] != '.' && qn__ends_with(e->d_name, ".qnb");
}

static void add_folder(const char *folder)
{
    struct dirent **names;
    const int n = scandir(folder, &names, is_bundle_name, alphasort);
    for (int i = 0; i < n; i++) {
        char *path = qn__path_join(folder, names[i]->d_name);
        if (path)
            add_found(path);
        free(path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

static void open_all(void)
{
    static const char system[] = "/usr/share/quern/bundles";
    add_variable();
    add_beside_program();
    add_folder(QN_BUNDLEDIR);
    if (strcmp(QN_BUNDLEDIR, system) != 0)
        add_folder(system);
}

qn_status qn_cache_add_bundle(const char *path)
{
    QN_ARG_CHECK(path);
    QN__NOT_CANCELLED;
    qn_bundle *b;
    QN_TRY(qn_bundle_open(&b, path));
    return add(b, true);
}

qn_status qn_cache_add_bundle_bytes(const char *name, const void *bytes, size_t size_bytes)
{
    QN_ARG_CHECK(name && (bytes || !size_bytes));
    QN__NOT_CANCELLED;
    qn_bundle *b;
    QN_TRY(qn__bundle_open_bytes(&b, name, bytes, size_bytes));
    return add(b, true);
}

const qn_bundle *qn__bundles_get(uint32_t index)
{
    pthread_once(&layers.once, open_all);
    pthread_rwlock_rdlock(&layers.lock);
    const qn_bundle *b = index < layers.n ? layers.bundles[index] : NULL;
    pthread_rwlock_unlock(&layers.lock);
    return b;
}

/* Unloaded, or at the end of the process: their descriptors are closed; they are never searched
 * again. */
__attribute__((destructor)) static void close_files(void)
{
    for (uint32_t i = 0; i < layers.n; i++)
        qn__bundle_close_file(layers.bundles[i]);
}

/* -- searching -- */

static uint32_t insert(struct qn__bundle_hit *hits, uint32_t n, const struct qn__bundle_hit *hit)
{
    uint32_t at = n;
    while (at > 0 && hits[at - 1].rank < hit->rank)
        at--;
    if (at == QN__BUNDLE_HITS_MAX)
        return n;
    const uint32_t last = n < QN__BUNDLE_HITS_MAX ? n : QN__BUNDLE_HITS_MAX - 1;
    for (uint32_t i = last; i > at; i--)
        hits[i] = hits[i - 1];
    hits[at] = *hit;
    return last + 1;
}

static uint32_t search_one(struct qn__bundle_hit *hits, uint32_t n, const qn_bundle *b,
                           const unsigned char source[QN__HASH_BYTES],
                           const struct qn__target *device, bool exact)
{
    uint32_t first;
    const uint32_t count = qn__bundle_find(&first, b, source);
    for (uint32_t i = first; i < first + count; i++) {
        struct qn__message message;
        struct qn__target image;
        qn__message_save(&message); /* a foreign target is no failure of ours */
        const bool parsed = qn__target_parse(&image, qn__bundle_target(b, i)) == QN_OK;
        qn__message_restore(&message);
        const struct qn__bundle_hit hit = {b, i, parsed ? qn__target_rank(device, &image) : 0};
        if (exact ? hit.rank == QN__RANK_EXACT : hit.rank > 0)
            n = insert(hits, n, &hit);
    }
    return n;
}

uint32_t qn__bundles_search(struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX], const char *source_hex,
                            const struct qn__target *device, bool exact)
{
    unsigned char source[QN__HASH_BYTES];
    uint32_t n = 0;
    pthread_once(&layers.once, open_all);
    if (sodium_hex2bin(source, sizeof source, source_hex, strlen(source_hex), NULL, NULL, NULL) !=
        0)
        return 0;
    pthread_rwlock_rdlock(&layers.lock);
    for (uint32_t i = 0; i < layers.n; i++)
        n = search_one(hits, n, layers.bundles[i], source, device, exact);
    pthread_rwlock_unlock(&layers.lock);
    return n;
}
