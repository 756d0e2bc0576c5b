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
#include "rtc/cache/cache_names.h"

#include <dirent.h>
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

static DIR *open_folder(int root, const char *folder)
{
    const int fd = openat(root, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d && fd >= 0)
        close(fd);
    return d;
}

static void list_folder(struct list *l, int root, const char *folder)
{
    DIR *d = open_folder(root, folder);
    const struct dirent *e;
    struct stat st;
    while (d && (e = readdir(d)))
        if (qn__cache_is_key(e->d_name) &&
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
            !append(l, folder, e->d_name, &st))
            break;
    if (d)
        closedir(d);
}

static uint64_t bytes_being_written(int root)
{
    DIR *d = open_folder(root, "tmp");
    const struct dirent *e;
    struct stat st;
    uint64_t bytes = 0;
    while (d && (e = readdir(d)))
        if (qn__cache_is_temporary(e->d_name) &&
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            bytes += (uint64_t)st.st_size;
    if (d)
        closedir(d);
    return bytes;
}

static void list_images(struct list *l, int root)
{
    DIR *d = open_folder(root, "images");
    const struct dirent *e;
    char folder[32];
    while (d && (e = readdir(d)))
        if (strlen(e->d_name) == 2 && e->d_name[0] != '.') {
            snprintf(folder, sizeof folder, "images/%.2s", e->d_name);
            list_folder(l, root, folder);
        }
    if (d)
        closedir(d);
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

static void keep_newest(int root, const char *folder, uint64_t n)
{
    struct list l = {0};
    list_folder(&l, root, folder);
    if (l.n > n)
        remove_oldest(&l, root, UINT64_MAX, n);
    free(l.entries);
}

uint64_t qn__cache_bound(int root, const struct qn__cache_bounds *bounds)
{
    struct list images = {0}, bad = {0};
    const uint64_t keep = bounds->bytes - bounds->bytes / 10, written = bytes_being_written(root);
    uint64_t removed = 0;
    list_images(&images, root);
    list_folder(&images, root, "headers");
    list_folder(&bad, root, "quarantine");
    const bool too_many_bytes = written + images.bytes + bad.bytes > bounds->bytes;
    if (too_many_bytes || bad.n > QUARANTINE_KEPT)
        remove_oldest(&bad, root, too_many_bytes ? less(keep, written + images.bytes) : UINT64_MAX,
                      QUARANTINE_KEPT);
    if (written + images.bytes + bad.bytes > bounds->bytes || images.n > bounds->entries)
        removed = remove_oldest(&images, root, less(keep, written + bad.bytes),
                                bounds->entries - bounds->entries / 10);
    keep_newest(root, "drivers", DRIVERS_KEPT);
    free(images.entries);
    free(bad.entries);
    return removed;
}
