/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls that look through the cache folder: list, load by key, verify, collect, clear. A
 * folder in use may change under every one of them; what is gone is simply not there. */
#define _GNU_SOURCE
#include "rtc/cache/cache_list.h"
#include "base/threads.h"

#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_names.h"
#include "rtc/cache/origin.h"

#include <dirent.h>
#include <fcntl.h>
#include <quern/cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS_LIMIT_BYTES = 64 << 20, KEY_PART_MIN = 8 };

/* -- walking -- */

/* Head and fields of an open entry; NULL when it has none. */
static char *read_fields(size_t *n, int fd, const struct stat *st)
{
    unsigned char head[QN__ENTRY_HEAD_BYTES];
    if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head)
        return NULL;
    *n = qn__entry_fields_end(head);
    if (*n == 0 || *n > FIELDS_LIMIT_BYTES || (uint64_t)st->st_size < *n)
        return NULL;
    char *bytes = malloc(*n);
    if (bytes && pread(fd, bytes, *n, 0) == (ssize_t)*n)
        return bytes;
    free(bytes);
    return NULL;
}

static bool visit_entry(qn__disk_visitor *visit, void *payload, int folder, const char *key)
{
    struct stat st;
    struct qn__arena arena = {0};
    struct qn__entry_summary summary;
    size_t n = 0;
    const int fd = openat(folder, key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool go_on = true;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        char *bytes = read_fields(&n, fd, &st);
        const bool good =
            bytes && qn__entry_summarize(&summary, &arena, bytes, n, (uint64_t)st.st_size) == QN_OK;
        go_on = visit(payload, key, &st, good ? &summary : NULL);
        free(bytes);
    }
    qn__arena_release(&arena);
    close(fd);
    return go_on;
}

static DIR *open_folder(int at, const char *name)
{
    const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d && fd >= 0)
        close(fd);
    return d;
}

void qn__disk_walk(qn__disk_visitor *visit, void *payload)
{
    DIR *images = qn__folder_root() >= 0 ? open_folder(qn__folder_root(), "images") : NULL;
    const struct dirent *e, *k;
    bool go_on = true;
    while (go_on && images && (e = readdir(images))) {
        DIR *d = strlen(e->d_name) == 2 && e->d_name[0] != '.'
                     ? open_folder(dirfd(images), e->d_name)
                     : NULL;
        while (go_on && d && (k = readdir(d)))
            if (qn__cache_is_key(k->d_name))
                go_on = visit_entry(visit, payload, dirfd(d), k->d_name);
        if (d)
            closedir(d);
    }
    if (images)
        closedir(images);
}

const char *qn__fields_name(size_t *n, const char *fields)
{
    static const char label[] = "source: ";
    *n = 0;
    if (strncmp(fields, label, sizeof label - 1) != 0)
        return "";
    const char *name = fields + sizeof label - 1;
    const size_t line = strcspn(name, "\n");
    for (size_t i = 0; i < line; i++) /* a digest follows the name */
        if (name[i] == ' ')
            *n = i;
    return name;
}

/* -- listing -- */

struct list {
    struct qn__arena arena;
    qn_cache_entry *entries;
    uint32_t n, capacity;
    size_t text_bytes;
    bool failed;
};

static bool list_entry(void *payload, const char *key, const struct stat *st,
                       const struct qn__entry_summary *summary)
{
    struct list *l = payload;
    if (l->n == l->capacity) {
        const uint32_t capacity = l->capacity ? l->capacity * 2 : 256;
        qn_cache_entry *grown = realloc(l->entries, capacity * sizeof *grown);
        if (!grown)
            return !(l->failed = true);
        l->entries = grown;
        l->capacity = capacity;
    }
    size_t name_n = 0;
    const char *name = summary ? qn__fields_name(&name_n, summary->notes.fields) : "";
    qn_cache_entry *e = &l->entries[l->n++];
    *e = (qn_cache_entry){
        .key = qn__arena_strdup(&l->arena, key),
        .target = qn__arena_strdup(&l->arena, summary ? summary->target : ""),
        .compiler = qn__arena_strdup(&l->arena, summary ? summary->compiler : ""),
        .name = qn__arena_strndup(&l->arena, name, name_n),
        .kind = summary ? summary->kind : (qn_image_kind)0,
        .size_bytes = (uint64_t)st->st_size,
        .used_s = (int64_t)st->st_mtim.tv_sec,
        .origin = qn__arena_strdup(&l->arena, summary ? summary->origin.from : ""),
        .signer = qn__arena_strdup(&l->arena, summary ? summary->origin.signer : ""),
        .is_verified = summary && qn__origin_is_verified(&summary->origin),
    };
    l->failed = !e->key || !e->target || !e->compiler || !e->name || !e->origin || !e->signer;
    if (!l->failed)
        l->text_bytes += strlen(e->key) + strlen(e->target) + strlen(e->compiler) + name_n +
                         strlen(e->origin) + strlen(e->signer) + 6;
    return !l->failed;
}

static int last_used_first(const void *a, const void *b)
{
    const qn_cache_entry *x = a, *y = b;
    if (x->used_s != y->used_s)
        return x->used_s > y->used_s ? -1 : 1;
    return strcmp(x->key, y->key);
}

static qn_status need_folder(void)
{
    const char *why;
    qn__folder_dir(&why);
    return qn__folder_root() >= 0 ? QN_OK : qn__fail(QN_E_IO, "no cache folder: %s", why);
}

qn_status qn_cache_list(const qn_cache_entry **out, uint32_t *n)
{
    QN_ARG_CHECK(out && n);
    QN__NOT_CANCELLED;
    struct list l = {0};
    *out = NULL;
    *n = 0;
    QN_TRY(need_folder());
    qn__disk_walk(list_entry, &l);
    qn_cache_entry *packed = l.failed ? NULL : malloc(l.n * sizeof *packed + l.text_bytes + 1);
    char *text = packed ? (char *)(packed + l.n) : NULL;
    if (l.n)
        qsort(l.entries, l.n, sizeof *l.entries, last_used_first);
    for (uint32_t i = 0; packed && i < l.n; i++) {
        packed[i] = l.entries[i];
        const char **const fields[] = {&packed[i].key,  &packed[i].target, &packed[i].compiler,
                                       &packed[i].name, &packed[i].origin, &packed[i].signer};
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            const size_t bytes = strlen(*fields[k]) + 1;
            *fields[k] = memcpy(text, *fields[k], bytes);
            text += bytes;
        }
    }
    *out = packed;
    *n = packed ? l.n : 0;
    free(l.entries);
    qn__arena_release(&l.arena);
    return packed ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a list of entries");
}

/* -- one entry by its key -- */

struct wanted {
    const char *part;
    char key[QN__HASH_HEX];
    char target[112];
    uint32_t n;
};

static bool match_entry(void *payload, const char *key, const struct stat *st,
                        const struct qn__entry_summary *summary)
{
    struct wanted *w = payload;
    (void)st;
    if (!summary || strncmp(key, w->part, strlen(w->part)) != 0)
        return true;
    w->n++;
    snprintf(w->key, sizeof w->key, "%s", key);
    snprintf(w->target, sizeof w->target, "%s", summary->target);
    return true;
}

qn_status qn_cache_load(qn_image **out, const char *key)
{
    QN_ARG_CHECK(out && key);
    QN__NOT_CANCELLED;
    struct wanted w = {.part = key};
    *out = NULL;
    if (strlen(key) < KEY_PART_MIN || strspn(key, "0123456789abcdef") != strlen(key))
        return qn__fail(QN_E_INVALID, "'%s': expected %d or more of a key's hex digits", key,
                        KEY_PART_MIN);
    QN_TRY(need_folder());
    qn__disk_walk(match_entry, &w);
    if (w.n > 1)
        return qn__fail(QN_E_INVALID, "%u entries have keys that begin with %s", w.n, key);
    if (w.n == 0)
        return qn__fail(QN_E_NOT_FOUND, "no entry has a key that begins with %s", key);
    return qn__disk_find(out, NULL, NULL, w.key, w.target);
}

/* -- verify, collect, clear -- */

static bool verify_entry(void *payload, const char *key, const struct stat *st,
                         const struct qn__entry_summary *summary)
{
    qn_cache_report *r = payload;
    qn_image *image;
    r->entries++;
    r->bytes += (uint64_t)st->st_size;
    if (summary && qn__disk_find(&image, NULL, NULL, key, summary->target) == QN_OK) {
        qn_image_release(image);
        return true;
    }
    if (!summary) /* qn__disk_find() sets aside what it refuses */
        qn__disk_quarantine(key, "damaged fields");
    r->removed++;
    r->removed_bytes += (uint64_t)st->st_size;
    return true;
}

qn_status qn_cache_verify(qn_cache_report *out)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    *out = (qn_cache_report){0};
    QN_TRY(need_folder());
    qn__disk_walk(verify_entry, out);
    return QN_OK;
}

static bool count_entry(void *payload, const char *key, const struct stat *st,
                        const struct qn__entry_summary *summary)
{
    qn_cache_report *r = payload;
    (void)key;
    (void)summary;
    r->entries++;
    r->bytes += (uint64_t)st->st_size;
    return true;
}

qn_status qn_cache_gc(qn_cache_report *out, uint64_t max_bytes, uint64_t max_entries)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    qn_cache_report left = {0};
    struct qn__cache_bounds bounds = qn__cache_bounds();
    *out = (qn_cache_report){0};
    QN_TRY(need_folder());
    if (max_bytes)
        bounds.bytes = max_bytes;
    if (max_entries)
        bounds.entries = max_entries;
    qn__disk_walk(count_entry, out);
    out->removed = qn__cache_bound(qn__folder_root(), &bounds);
    qn__disk_walk(count_entry, &left);
    out->removed_bytes = out->bytes > left.bytes ? out->bytes - left.bytes : 0;
    return QN_OK;
}

/* Remove our files from a folder below `at`; `top` is the folder right below the root that it is in
 * or is. */
static void clear_folder(int at, const char *name, const char *top, qn_cache_report *r)
{
    DIR *d = open_folder(at, name);
    const struct dirent *e;
    struct stat st;
    while (d && (e = readdir(d))) {
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        const bool is_part = name == top && strlen(e->d_name) == 2 && e->d_name[0] != '.';
        if (S_ISDIR(st.st_mode) && is_part) {
            clear_folder(dirfd(d), e->d_name, top, r);
            unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR); /* succeeds when it is empty */
        } else if (S_ISREG(st.st_mode) && qn__cache_is_ours(top, e->d_name) &&
                   unlinkat(dirfd(d), e->d_name, 0) == 0) {
            r->removed++;
            r->removed_bytes += (uint64_t)st.st_size;
        }
    }
    if (d)
        closedir(d);
}

qn_status qn_cache_clear(qn_cache_report *out)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    static const char *const folders[] = {"images", "compilers",  "probes",  "headers", "locks",
                                          "tmp",    "quarantine", "drivers", "builds"};
    *out = (qn_cache_report){0};
    QN_TRY(need_folder());
    qn__disk_walk(count_entry, out);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        clear_folder(qn__folder_root(), folders[i], folders[i], out);
    unlinkat(qn__folder_root(), "totals", 0);
    unlinkat(qn__folder_root(), "on-a-network", 0);
    return QN_OK;
}
