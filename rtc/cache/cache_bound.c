/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over images/, headers/, quarantine/, tmp/ and drivers/. What was set aside goes before
 * what is of use; what is being written counts and stays (cache_folder.c sweeps what was left). An
 * entry's mtime is when it was last used (cache_folder.c writes it), because file systems' own
 * access times are mostly off. An entry that vanishes while we look, or is used just when we remove
 * it, is a miss elsewhere and nothing worse.
 */
#define _GNU_SOURCE
#include "rtc/cache/cache_bound.h"

#include "base/arena.h"
#include "base/settings.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 160, QUARANTINE_KEPT = 64, DRIVERS_KEPT = 64 };

struct entry {
    char name[NAME_BYTES]; /* below the root */
    uint64_t bytes;
    struct timespec used;
};

struct list {
    struct entry *entries;
    size_t n, capacity;
    uint64_t bytes;
};

struct qn__cache_bounds qn__cache_bounds(void)
{
    return (struct qn__cache_bounds){qn__setting(QN__SETTING_CACHE_BYTES),
                                     qn__setting(QN__SETTING_CACHE_ENTRIES)};
}

/* -- looking -- */

static bool append(struct list *l, const char *folder, const char *file, const struct stat *st)
{
    if (l->n == l->capacity) {
        const size_t capacity = l->capacity ? l->capacity * 2 : 256;
        struct entry *grown = realloc(l->entries, capacity * sizeof *grown);
        if (!grown)
            return false;
        l->entries = grown;
        l->capacity = capacity;
    }
    struct entry *e = &l->entries[l->n];
    const int n = snprintf(e->name, sizeof e->name, "%s/%s", folder, file);
    if (n < 0 || (size_t)n >= sizeof e->name)
        return true; /* none of ours */
    e->bytes = (uint64_t)st->st_size;
    e->used = st->st_mtim;
    l->bytes += e->bytes;
    l->n++;
    return true;
}

static qn_status list_file(struct list *l, int at, const char *folder, const char *file)
{
    struct stat st;
    if (fstatat(at, file, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? QN_OK : qn__fail_errno("%s/%s", folder, file);
    if (S_ISREG(st.st_mode) && !append(l, folder, file, &st))
        return qn__fail(QN_E_MEMORY, "no memory for a list of entries");
    return QN_OK;
}

static qn_status list_folder(struct list *l, int root, const char *folder)
{
    DIR *d;
    const struct dirent *e;
    qn_status s = qn__folder_list(&d, root, folder);
    while (s == QN_OK && d && (e = qn__folder_next(&s, d, folder)))
        if (qn__cache_is_key(e->d_name))
            s = list_file(l, dirfd(d), folder, e->d_name);
    if (d)
        closedir(d);
    return s;
}

/* Of files that are written now. */
static qn_status bytes_being_written(uint64_t *bytes, int root)
{
    DIR *d;
    const struct dirent *e;
    struct stat st;
    *bytes = 0;
    qn_status s = qn__folder_list(&d, root, "tmp");
    while (s == QN_OK && d && (e = qn__folder_next(&s, d, "tmp")))
        if (qn__cache_is_temporary(e->d_name) &&
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            *bytes += (uint64_t)st.st_size;
    if (d)
        closedir(d);
    return s;
}

static qn_status list_images(struct list *l, int root)
{
    DIR *d;
    const struct dirent *e;
    char folder[32];
    qn_status s = qn__folder_list(&d, root, "images");
    while (s == QN_OK && d && (e = qn__folder_next(&s, d, "images")))
        if (strlen(e->d_name) == 2 && e->d_name[0] != '.') {
            snprintf(folder, sizeof folder, "images/%.2s", e->d_name);
            s = list_folder(l, root, folder);
        }
    if (d)
        closedir(d);
    return s;
}

/* -- removing -- */

static int by_use(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

static uint64_t remove_oldest(struct list *l, int root, uint64_t keep_bytes, uint64_t keep_entries)
{
    uint64_t removed = 0, left = l->n;
    if (l->n > 0)
        qsort(l->entries, l->n, sizeof *l->entries, by_use);
    for (size_t i = 0; i < l->n && (l->bytes > keep_bytes || left > keep_entries); i++) {
        removed += unlinkat(root, l->entries[i].name, 0) == 0;
        l->bytes -= l->entries[i].bytes;
        left--;
    }
    return removed;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static qn_status keep_newest(int root, const char *folder, uint64_t n)
{
    struct list l = {0};
    const qn_status s = list_folder(&l, root, folder);
    if (s == QN_OK && l.n > n)
        remove_oldest(&l, root, UINT64_MAX, n);
    free(l.entries);
    return s;
}

static uint64_t make_room(struct list *images, struct list *bad, int root, uint64_t written,
                          const struct qn__cache_bounds *bounds)
{
    const uint64_t keep = bounds->bytes - bounds->bytes / 10;
    const bool too_many_bytes = written + images->bytes + bad->bytes > bounds->bytes;
    if (too_many_bytes || bad->n > QUARANTINE_KEPT)
        remove_oldest(bad, root, too_many_bytes ? less(keep, written + images->bytes) : UINT64_MAX,
                      QUARANTINE_KEPT);
    if (written + images->bytes + bad->bytes <= bounds->bytes && images->n <= bounds->entries)
        return 0;
    return remove_oldest(images, root, less(keep, written + bad->bytes),
                         bounds->entries - bounds->entries / 10);
}

qn_status qn__cache_bound(uint64_t *removed, int root, const struct qn__cache_bounds *bounds)
{
    struct list images = {0}, bad = {0};
    uint64_t written;
    *removed = 0;
    qn_status s = bytes_being_written(&written, root);
    if (s == QN_OK)
        s = list_images(&images, root);
    if (s == QN_OK)
        s = list_folder(&images, root, "headers");
    if (s == QN_OK)
        s = list_folder(&bad, root, "quarantine");
    if (s == QN_OK)
        s = keep_newest(root, "drivers", DRIVERS_KEPT);
    if (s == QN_OK)
        *removed = make_room(&images, &bad, root, written, bounds);
    free(images.entries);
    free(bad.entries);
    return s;
}
