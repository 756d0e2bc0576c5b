/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls that look through the cache folder: list, load by key, verify, collect, clear. A
 * folder in use may change under every one of them; what is gone is simply not there. */
#define _GNU_SOURCE
#include "rtc/cache/cache_list.h"
#include "base/settings.h"
#include "base/threads.h"

#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_names.h"
#include "rtc/cache/origin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <quern/cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS_LIMIT_BYTES = 64 << 20, KEY_PART_MIN = 8 };

/* -- walking -- */

struct walk {
    qn__disk_visitor *visit;
    void *payload;
    bool is_over; /* the visitor has seen enough */
    qn_status status;
};

static qn_status read_all(void *out, size_t n, int fd, const char *key)
{
    const ssize_t got = pread(fd, out, n, 0);
    return got == (ssize_t)n ? QN_OK
           : got < 0         ? qn__fail_errno("%s", key)
                             : qn__fail(QN_E_CORRUPT, "%s: cut short", key);
}

/* Head and fields of an open entry. QN_E_CORRUPT where it has none. */
static qn_status read_fields(char **bytes, size_t *n, int fd, const struct stat *st,
                             const char *key)
{
    unsigned char head[QN__ENTRY_HEAD_BYTES];
    QN_TRY(read_all(head, sizeof head, fd, key));
    *n = qn__entry_fields_end(head);
    if (*n == 0 || *n > FIELDS_LIMIT_BYTES || (uint64_t)st->st_size < *n)
        return qn__fail(QN_E_CORRUPT, "%s: damaged head", key);
    *bytes = malloc(*n);
    return *bytes ? read_all(*bytes, *n, fd, key) : qn__fail(QN_E_MEMORY, "%s: no memory", key);
}

static qn_status visit_entry(struct walk *w, int folder, const char *key)
{
    struct stat st;
    struct qn__arena arena = {0};
    struct qn__entry_summary summary;
    size_t n = 0;
    char *bytes = NULL;
    const int fd = openat(folder, key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ELOOP ? QN_OK : qn__fail_errno("%s", key);
    qn_status s = fstat(fd, &st) == 0 ? QN_OK : qn__fail_errno("%s", key);
    if (s == QN_OK && S_ISREG(st.st_mode)) {
        s = read_fields(&bytes, &n, fd, &st, key);
        if (s == QN_OK)
            s = qn__entry_summarize(&summary, &arena, bytes, n, (uint64_t)st.st_size);
        const bool is_damaged = s == QN_E_CORRUPT;
        if (is_damaged)
            s = QN_OK;
        if (s == QN_OK)
            w->is_over = !w->visit(w->payload, key, &st, is_damaged ? NULL : &summary);
    }
    free(bytes);
    qn__arena_release(&arena);
    close(fd);
    return s;
}

/* The first trouble is the walk's. */
static void note(struct walk *w, qn_status s)
{
    if (w->status == QN_OK)
        w->status = s;
}

static void walk_folder(struct walk *w, int images, const char *name)
{
    const struct dirent *e;
    DIR *d;
    note(w, qn__folder_list(&d, images, name));
    while (d && !w->is_over && (e = qn__folder_next(&w->status, d, name)))
        if (qn__cache_is_key(e->d_name))
            note(w, visit_entry(w, dirfd(d), e->d_name));
    if (d)
        closedir(d);
}

qn_status qn__disk_walk(qn__disk_visitor *visit, void *payload)
{
    struct walk w = {.visit = visit, .payload = payload};
    const struct dirent *e;
    DIR *images = NULL;
    if (qn__folder_root() >= 0)
        w.status = qn__folder_list(&images, qn__folder_root(), "images");
    while (images && !w.is_over && (e = qn__folder_next(&w.status, images, "images")))
        if (strlen(e->d_name) == 2 && e->d_name[0] != '.')
            walk_folder(&w, dirfd(images), e->d_name);
    if (images)
        closedir(images);
    return w.status;
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
    const qn_status s = qn__disk_walk(list_entry, &l);
    qn_cache_entry *packed =
        s != QN_OK || l.failed ? NULL : malloc(l.n * sizeof *packed + l.text_bytes + 1);
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
    return packed       ? QN_OK
           : s != QN_OK ? qn__fail_prefix(s, "the list of entries")
                        : qn__fail(QN_E_MEMORY, "no memory for a list of entries");
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
    const qn_status s = qn__disk_walk(match_entry, &w);
    if (w.n > 1)
        return qn__fail(QN_E_INVALID, "%u entries have keys that begin with %s", w.n, key);
    if (w.n == 0 && s != QN_OK)
        return s;
    if (w.n == 0)
        return qn__fail(QN_E_NOT_FOUND, "no entry has a key that begins with %s", key);
    return qn__disk_load(out, NULL, NULL, w.key, w.target);
}

/* -- verify, collect, clear -- */

struct verification {
    qn_cache_report *report;
    qn_status status;
};

static bool verify_entry(void *payload, const char *key, const struct stat *st,
                         const struct qn__entry_summary *summary)
{
    struct verification *v = payload;
    qn_image *image = NULL;
    v->report->entries++;
    v->report->bytes += (uint64_t)st->st_size;
    const qn_status s =
        summary ? qn__disk_load(&image, NULL, NULL, key, summary->target) : QN_E_CORRUPT;
    qn_image_release(image);
    if (s == QN_OK || s == QN_E_NOT_FOUND) /* vanished meanwhile */
        return true;
    if (s == QN_E_IO || s == QN_E_MEMORY) { /* nothing is known about it */
        v->status = s;
        return false;
    }
    if (!summary) /* qn__disk_load() sets aside what it refuses */
        qn__disk_quarantine(key, "damaged fields");
    v->report->removed++;
    v->report->removed_bytes += (uint64_t)st->st_size;
    return true;
}

qn_status qn_cache_verify(qn_cache_report *out)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    *out = (qn_cache_report){0};
    QN_TRY(need_folder());
    struct verification v = {out, QN_OK};
    QN_TRY(qn__disk_walk(verify_entry, &v));
    return v.status;
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
    QN_TRY(qn__disk_walk(count_entry, out));
    QN_TRY(qn__cache_bound(&out->removed, qn__folder_root(), &bounds));
    QN_TRY(qn__disk_walk(count_entry, &left));
    out->removed_bytes = out->bytes > left.bytes ? out->bytes - left.bytes : 0;
    return QN_OK;
}

/* Remove our files from a folder below `at`; `top` is the folder right below the root that it is in
 * or is. What cannot be read is *status; the rest is removed all the same. */
static void clear_folder(qn_status *status, int at, const char *name, const char *top,
                         qn_cache_report *r)
{
    DIR *d;
    const struct dirent *e;
    struct stat st;
    const qn_status s = qn__folder_list(&d, at, name);
    if (*status == QN_OK)
        *status = s;
    while (d && (e = qn__folder_next(status, d, name))) {
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            if (*status == QN_OK && errno != ENOENT)
                *status = qn__fail_errno("%s", e->d_name);
            continue;
        }
        const bool is_part = name == top && strlen(e->d_name) == 2 && e->d_name[0] != '.';
        if (S_ISDIR(st.st_mode) && is_part) {
            clear_folder(status, dirfd(d), e->d_name, top, r);
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

qn_status qn_cache_zero_totals(void)
{
    QN__NOT_CANCELLED;
    QN_TRY(need_folder());
    if (unlinkat(qn__folder_root(), "totals", 0) != 0 && errno != ENOENT)
        return qn__fail(QN_E_IO, "%s/totals: %s", qn_cache_get_dir(NULL), strerror(errno));
    return QN_OK;
}

void qn_cache_get_limits(uint64_t *bytes, uint64_t *entries)
{
    if (bytes)
        *bytes = qn__setting(QN__SETTING_CACHE_BYTES);
    if (entries)
        *entries = qn__setting(QN__SETTING_CACHE_ENTRIES);
}

qn_status qn_cache_clear(qn_cache_report *out)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    static const char *const folders[] = {"images", "compilers",  "probes",  "headers", "locks",
                                          "tmp",    "quarantine", "drivers", "builds"};
    *out = (qn_cache_report){0};
    QN_TRY(need_folder());
    qn_status s = qn__disk_walk(count_entry, out);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        clear_folder(&s, qn__folder_root(), folders[i], folders[i], out);
    unlinkat(qn__folder_root(), "totals", 0);
    unlinkat(qn__folder_root(), "on-a-network", 0);
    return s;
}
