/* SPDX-License-Identifier: Apache-2.0
 *
 * quern cache: what is in the folder of compiled kernels, whether it is whole, and making room. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct values {
    const char *what, *max_size;
    uint64_t max_entries;
    bool json;
};

static const struct qn__option options[] = {
    QN__OPERAND_CHOICE(struct values, what, "path|ls|stat|verify|gc|clear",
                       "path|ls|stat|verify|gc|clear",
                       "path: the folder in use; ls: every entry; stat: how many and how large; "
                       "verify: read all, set damaged ones aside; gc: remove those unused longest; "
                       "clear: remove all"),
    QN__TEXT(struct values, max_size, 0, "max-bytes", "SIZE",
             "gc: make it this small, as 500M or 2G; default QUERN_CACHE_MAX_BYTES"),
    QN__NUMBER(struct values, max_entries, 0, "max-entries", 0, UINT32_MAX, 0,
               "gc: keep at most this many; default QUERN_CACHE_MAX_ENTRIES"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

/* ---- lists ---- */

static json_t *entry_row(const qn_cache_entry *e)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:s, s:I, s:I}", "key", e->key, "target", e->target,
                     "name", qn__json_string(e->name), "compiler", qn__json_string(e->compiler),
                     "kind", qn__image_kind_text(e->kind), "size_bytes", (json_int_t)e->size_bytes,
                     "used_s", (json_int_t)e->used_s);
}

static int print_list(const qn_cache_entry *entries, uint32_t n, bool json)
{
    char size[QN__SIZE_TEXT], age[QN__TIME_TEXT];
    const int64_t now = (int64_t)time(NULL);
    if (json) {
        json_t *rows = json_array();
        for (uint32_t i = 0; i < n; i++)
            json_array_append_new(rows, entry_row(&entries[i]));
        return qn__json_print(rows);
    }
    for (uint32_t i = 0; i < n; i++) {
        const qn_cache_entry *e = &entries[i];
        const bool is_binary = e->kind == QN_IMAGE_OPENCL_BINARY;
        printf("%.12s  %9s  %8s  %-24.24s %s%s%s\n", e->key, qn__size_text(size, e->size_bytes),
               qn__time_text(age, now - e->used_s), e->target[0] ? e->target : "damaged", e->name,
               is_binary ? ", the driver's binary of " : ", ", e->compiler);
    }
    return QN__EXIT_GOOD;
}

struct group { /* entries of one backend */
    const char *name;
    uint64_t n, bytes;
};

static int print_stat(const char *dir, const qn_cache_entry *entries, uint32_t n, bool json)
{
    struct group groups[] = {{"cuda:", 0, 0}, {"hip:", 0, 0}, {"opencl:", 0, 0}, {"", 0, 0}};
    enum { N_GROUPS = sizeof groups / sizeof groups[0] };
    uint64_t bytes = 0;
    char size[QN__SIZE_TEXT], age[QN__TIME_TEXT];
    for (uint32_t i = 0; i < n; i++) {
        size_t g = 0;
        while (!qn__starts_with(entries[i].target, groups[g].name))
            g++;
        groups[g].n++;
        groups[g].bytes += entries[i].size_bytes;
        bytes += entries[i].size_bytes;
    }
    groups[N_GROUPS - 1].name = "damaged:";
    if (json) {
        json_t *o = json_pack("{s:o, s:I, s:I}", "path", qn__json_string(dir), "entries",
                              (json_int_t)n, "bytes", (json_int_t)bytes);
        for (size_t g = 0; g < N_GROUPS; g++) {
            char name[16];
            snprintf(name, sizeof name, "%.*s", (int)strlen(groups[g].name) - 1, groups[g].name);
            json_object_set_new(o, name,
                                json_pack("{s:I, s:I}", "entries", (json_int_t)groups[g].n, "bytes",
                                          (json_int_t)groups[g].bytes));
        }
        return qn__json_print(o);
    }
    printf("%s\n%u entries, %s\n", dir, n, qn__size_text(size, bytes));
    for (size_t g = 0; g < N_GROUPS; g++)
        if (groups[g].n)
            printf("  %-9s %llu, %s\n", groups[g].name, (unsigned long long)groups[g].n,
                   qn__size_text(size, groups[g].bytes));
    if (n)
        printf(
            "  used %s to %s ago\n", qn__time_text(age, (int64_t)time(NULL) - entries[0].used_s),
            qn__time_text((char[QN__TIME_TEXT]){0}, (int64_t)time(NULL) - entries[n - 1].used_s));
    return QN__EXIT_GOOD;
}

static int list(const struct values *v, const char *dir)
{
    const qn_cache_entry *entries;
    uint32_t n;
    if (qn_cache_list(&entries, &n) != QN_OK)
        return qn__complain_status("cache");
    const int status = !strcmp(v->what, "ls") ? print_list(entries, n, v->json)
                                              : print_stat(dir, entries, n, v->json);
    free((void *)(uintptr_t)entries);
    return status;
}

/* ---- work ---- */

static bool read_size(uint64_t *out, const char *text)
{
    char *end;
    const unsigned long long v = strtoull(text, &end, 10);
    const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    *out = (uint64_t)v << shift;
    if (text[0] >= '0' && text[0] <= '9' && !end[shift != 0] && v && v <= UINT64_MAX >> shift)
        return true;
    qn__complain(QN__EXIT_USAGE, "cache: --max-bytes %s: expected a size like 500M or 2G", text);
    return false;
}

static int work(const struct values *v)
{
    qn_cache_report r;
    qn_status s;
    uint64_t max_bytes = 0;
    char size[QN__SIZE_TEXT], removed[QN__SIZE_TEXT];
    if (v->max_size && !read_size(&max_bytes, v->max_size))
        return QN__EXIT_USAGE;
    if (!strcmp(v->what, "verify"))
        s = qn_cache_verify(&r);
    else
        s = !strcmp(v->what, "gc") ? qn_cache_gc(&r, max_bytes, v->max_entries)
                                   : qn_cache_clear(&r);
    if (s != QN_OK)
        return qn__complain_status("cache %s", v->what);
    if (v->json)
        return qn__json_print(json_pack(
            "{s:I, s:I, s:I, s:I}", "entries", (json_int_t)r.entries, "bytes", (json_int_t)r.bytes,
            "removed", (json_int_t)r.removed, "removed_bytes", (json_int_t)r.removed_bytes));
    printf("%llu entries, %s; %llu %s, %s\n", (unsigned long long)r.entries,
           qn__size_text(size, r.bytes), (unsigned long long)r.removed,
           !strcmp(v->what, "verify") ? "damaged and set aside" : "files removed",
           qn__size_text(removed, r.removed_bytes));
    return QN__EXIT_GOOD;
}

static int run(const void *values)
{
    const struct values *v = values;
    const char *why = "";
    const char *dir = qn_cache_get_dir(&why);
    if (!dir[0])
        return qn__complain(QN__EXIT_FAILED,
                            "cache: no folder is in use: %s (set QUERN_CACHE_DIR to a folder of "
                            "your own)",
                            why);
    if (!strcmp(v->what, "ls") || !strcmp(v->what, "stat"))
        return list(v, dir);
    if (strcmp(v->what, "path") != 0)
        return work(v);
    puts(dir);
    return QN__EXIT_GOOD;
}

const struct qn__command qn__cmd_cache = {
    .name = "cache",
    .brief = "what compiled kernels are kept, and making room",
    .about = "Look into the kernel cache and tend it. Removing entries is always safe: programs "
             "make what they miss anew.",
    .sample = "cache path\ncache ls\ncache stat --json\ncache gc --max-bytes 500M",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
