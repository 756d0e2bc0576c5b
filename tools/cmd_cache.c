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
    QN__OPERAND_CHOICE(
        struct values, what, "path|ls|stat|zero|verify|gc|clear",
        "path|ls|stat|zero|verify|gc|clear",
        "path: the folder in use; ls: every entry, and who made it; stat: how many, how large, of "
        "what limit, and what programs found there; zero: count that anew; "
        "verify: read all, set damaged ones aside (exit status 1 when there are any); gc: remove "
        "those unused longest; "
        "clear: remove all"),
    QN__TEXT(struct values, max_size, 0, "max-bytes", "SIZE",
             "make it this small, as 500M or 2G; default QUERN_CACHE_MAX_BYTES", .only = "gc"),
    QN__NUMBER(struct values, max_entries, 0, "max-entries", 1, UINT32_MAX, 0,
               "keep at most this many; default QUERN_CACHE_MAX_ENTRIES", .only = "gc"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

/* ---- lists ---- */

static json_t *entry_row(const qn_cache_entry *e)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:s, s:I, s:I, s:o, s:s, s:b}", "key", e->key, "target",
                     e->target, "name", qn__json_string(e->name), "compiler",
                     qn__json_string(e->compiler), "kind", qn__image_kind_text(e->kind),
                     "size_bytes", (json_int_t)e->size_bytes, "used_s", (json_int_t)e->used_s,
                     "origin", qn__json_string(e->origin), "signer", e->signer, "verified",
                     e->is_verified);
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
        char *origin = qn__origin_sentence(e->origin, e->signer);
        printf("%.12s  %9s  %8s  %-24.24s %s%s%s; %s\n", e->key, qn__size_text(size, e->size_bytes),
               qn__time_text(age, now - e->used_s), e->target[0] ? qn__plain(e->target) : "damaged",
               qn__plain(e->name), is_binary ? ", the driver's binary of " : ", ",
               qn__plain(e->compiler), origin ? origin : "");
        free(origin);
    }
    return QN__EXIT_GOOD;
}

struct group { /* entries of one backend */
    const char *prefix, *name;
    uint64_t n, bytes;
};
enum { N_GROUPS = 5 };

static void count_groups(struct group groups[N_GROUPS], uint64_t *bytes,
                         const qn_cache_entry *entries, uint32_t n)
{
    static const struct group none[N_GROUPS] = {{"cuda:", "cuda", 0, 0},
                                                {"hip:", "hip", 0, 0},
                                                {"opencl:", "opencl", 0, 0},
                                                {"cpu:", "cpu", 0, 0},
                                                {"", "damaged", 0, 0}};
    memcpy(groups, none, sizeof none);
    *bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t g = 0;
        while (!qn__starts_with(entries[i].target, groups[g].prefix))
            g++;
        groups[g].n++;
        groups[g].bytes += entries[i].size_bytes;
        *bytes += entries[i].size_bytes;
    }
}

static json_t *totals_row(const qn_cache_totals *t)
{
    const qn_cache_counters *c = &t->counters;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:I}", "since_s",
        (json_int_t)t->since_s, "processes", (json_int_t)t->processes, "memory_hits",
        (json_int_t)c->memory_hits, "disk_hits", (json_int_t)c->disk_hits, "bundle_hits",
        (json_int_t)c->bundle_hits, "remote_hits", (json_int_t)c->remote_hits, "misses",
        (json_int_t)c->misses, "compiles", (json_int_t)c->compiles, "compile_ms", c->compile_ms,
        "helpers_started", (json_int_t)c->helpers_started, "quarantined",
        (json_int_t)c->quarantined, "publish_errors", (json_int_t)c->publish_errors, "remote_puts",
        (json_int_t)c->remote_puts, "remote_errors", (json_int_t)c->remote_errors);
}

/* Of what programs asked for, the part that was there; < 0: nothing was asked for. */
static double hit_rate(const qn_cache_counters *c)
{
    const uint64_t hits = c->memory_hits + c->disk_hits + c->bundle_hits + c->remote_hits;
    return hits + c->misses ? (double)hits / (double)(hits + c->misses) : -1;
}

static void print_totals(const qn_cache_totals *t)
{
    const qn_cache_counters *c = &t->counters;
    char age[QN__TIME_TEXT];
    if (!t->since_s)
        return;
    printf("since %s ago, %llu processes\n", qn__time_text(age, (int64_t)time(NULL) - t->since_s),
           (unsigned long long)t->processes);
    const struct {
        const char *name;
        uint64_t n;
    } rows[] = {
        {"hits in memory", c->memory_hits},
        {"hits on disk", c->disk_hits},
        {"hits in bundles", c->bundle_hits},
        {"hits in the remote cache", c->remote_hits},
        {"misses", c->misses},
        {"compiles", c->compiles},
        {"set aside", c->quarantined},
        {"not stored", c->publish_errors},
        {"sent to the remote cache", c->remote_puts},
        {"remote trouble", c->remote_errors},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].n || i < 6)
            printf("  %-25s %llu\n", rows[i].name, (unsigned long long)rows[i].n);
    if (hit_rate(c) >= 0)
        printf("  %-25s %.1f %%\n", "found", hit_rate(c) * 100);
    if (c->compiles)
        printf("  %-25s %.0f ms, %.0f ms each\n", "compiling took", c->compile_ms,
               c->compile_ms / (double)c->compiles);
}

static int print_stat(const char *dir, const qn_cache_entry *entries, uint32_t n, bool json)
{
    struct group groups[N_GROUPS];
    uint64_t bytes, max_bytes, max_entries;
    char size[QN__SIZE_TEXT], limit[QN__SIZE_TEXT], first[QN__TIME_TEXT], last[QN__TIME_TEXT];
    const char *network = qn_cache_get_network();
    const int64_t now = (int64_t)time(NULL);
    qn_cache_totals totals;
    if (qn_cache_get_totals(&totals) != QN_OK)
        return qn__complain_status("cache stat");
    count_groups(groups, &bytes, entries, n);
    qn_cache_get_limits(&max_bytes, &max_entries);
    if (json) {
        const double rate = hit_rate(&totals.counters);
        json_t *o = json_pack(
            "{s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "path", qn__json_string(dir), "network",
            network, "entries", (json_int_t)n, "bytes", (json_int_t)bytes, "max_entries",
            (json_int_t)max_entries, "max_bytes", (json_int_t)max_bytes, "hit_rate",
            rate < 0 ? json_null() : json_real(rate), "totals", totals_row(&totals));
        for (size_t g = 0; g < N_GROUPS; g++)
            json_object_set_new(o, groups[g].name,
                                json_pack("{s:I, s:I}", "entries", (json_int_t)groups[g].n, "bytes",
                                          (json_int_t)groups[g].bytes));
        return qn__json_print(o);
    }
    printf("%s%s%s%s\n%u entries of at most %llu, %s of at most %s\n", dir,
           network[0] ? " (on a network file system: " : "", network, network[0] ? ")" : "", n,
           (unsigned long long)max_entries, qn__size_text(size, bytes),
           qn__size_text(limit, max_bytes));
    for (size_t g = 0; g < N_GROUPS; g++)
        if (groups[g].n)
            printf("  %-8s %llu, %s\n", groups[g].name, (unsigned long long)groups[g].n,
                   qn__size_text(size, groups[g].bytes));
    if (n)
        printf("  used %s to %s ago\n", qn__time_text(first, now - entries[0].used_s),
               qn__time_text(last, now - entries[n - 1].used_s));
    print_totals(&totals);
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
    const bool is_verify = !strcmp(v->what, "verify");
    if (v->max_size && !read_size(&max_bytes, v->max_size))
        return QN__EXIT_USAGE;
    if (is_verify)
        s = qn_cache_verify(&r);
    else
        s = !strcmp(v->what, "gc") ? qn_cache_gc(&r, max_bytes, v->max_entries)
                                   : qn_cache_clear(&r);
    if (s != QN_OK)
        return qn__complain_status("cache %s", v->what);
    int status = is_verify && r.removed ? QN__EXIT_FAILED : QN__EXIT_GOOD;
    if (!v->json)
        printf("%llu entries, %s; %llu %s, %s\n", (unsigned long long)r.entries,
               qn__size_text(size, r.bytes), (unsigned long long)r.removed,
               is_verify ? "damaged and set aside" : "files removed",
               qn__size_text(removed, r.removed_bytes));
    else if (qn__json_print(json_pack("{s:I, s:I, s:I, s:I}", "entries", (json_int_t)r.entries,
                                      "bytes", (json_int_t)r.bytes, "removed",
                                      (json_int_t)r.removed, "removed_bytes",
                                      (json_int_t)r.removed_bytes)) != QN__EXIT_GOOD)
        status = QN__EXIT_FAILED;
    return status;
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
    if (!strcmp(v->what, "zero")) {
        if (qn_cache_zero_totals() != QN_OK)
            return qn__complain_status("cache zero");
        return v->json ? qn__json_print(json_pack("{s:b}", "ok", 1)) : QN__EXIT_GOOD;
    }
    if (strcmp(v->what, "path") != 0)
        return work(v);
    if (v->json)
        return qn__json_print(json_pack("{s:o}", "path", qn__json_string(dir)));
    puts(dir);
    return QN__EXIT_GOOD;
}

const struct qn__command qn__cmd_cache = {
    .name = "cache",
    .brief = "which compiled kernels are kept, and how to make room",
    .about = "List, verify and trim the kernel cache. Removing entries is always safe: programs "
             "make what they miss anew.",
    .sample = "cache path\ncache ls\ncache stat --json\ncache gc --max-bytes 500M",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
