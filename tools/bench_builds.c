/* SPDX-License-Identifier: Apache-2.0
 *
 * Build times: see bench_builds.h. All by the host's clock, since most of it is not the device's
 * work; loading by the driver is not part of it. */
#include "tools/bench_builds.h"

#include "base/file.h"
#include "tools/bench_rows.h"
#include "tools/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPILES = 3, LOADS = 20 };

struct build {
    const qn_source *source;
    const char *target;
    char key[65];
    char bundle[64]; /* a file of ours */
};

static qn_status compiled(const struct build *b)
{
    qn_image *image = NULL;
    const qn_status s =
        qn_compile(&image, b->source, b->target, &(qn_compile_options){.bypass_cache = true}, NULL);
    qn_image_release(image);
    return s;
}

/* The key is found as for any compile; then the entry, which this process has in memory, is read
 * once more. */
static qn_status from_disk(const struct build *b)
{
    qn_image *image = NULL, *entry = NULL;
    qn_status s = qn_compile(&image, b->source, b->target, NULL, NULL);
    if (s == QN_OK)
        s = qn_cache_load(&entry, b->key);
    qn_image_release(image);
    qn_image_release(entry);
    return s;
}

static qn_status from_bundle(const struct build *b)
{
    qn_image *image = NULL, *entry = NULL;
    qn_bundle *bundle = NULL;
    qn_status s = qn_compile(&image, b->source, b->target, NULL, NULL);
    if (s == QN_OK)
        s = qn_bundle_open(&bundle, b->bundle);
    if (s == QN_OK)
        s = qn_bundle_load(&entry, bundle, 0);
    qn_bundle_close(bundle);
    qn_image_release(image);
    qn_image_release(entry);
    return s;
}

/* The key, and a bundle of the image; warms the cache. */
static qn_status prepare(struct build *b, uint64_t *bytes)
{
    qn_image *image = NULL;
    qn_bundle_writer *w = NULL;
    qn_log log = {0};
    qn_status s = qn_compile(&image, b->source, b->target, NULL, &log);
    snprintf(b->key, sizeof b->key, "%s", log.key ? log.key : "");
    qn_log_release(&log);
    if (s == QN_OK) {
        *bytes = qn_image_get_info(image)->size_bytes;
        s = qn_bundle_writer_create(&w);
    }
    if (s == QN_OK)
        s = qn_bundle_writer_add_image(w, image);
    if (s == QN_OK)
        s = qn_bundle_writer_write(w, b->bundle, NULL);
    qn_bundle_writer_destroy(w);
    qn_image_release(image);
    return s;
}

static bool measure(json_t *rows, const struct build *b, struct qn__bench_row *row,
                    qn_status (*work)(const struct build *b), uint32_t n)
{
    double ms[LOADS];
    qn_status s = work(b); /* starts the helper, and is not counted */
    for (row->n = 0; s == QN_OK && row->n < n; row->n++) {
        const double start = qn__now_ms();
        s = work(b);
        ms[row->n] = qn__now_ms() - start;
    }
    row->ms = ms;
    if (s == QN_OK)
        qn__bench_add(rows, row);
    else
        qn__bench_add_error(rows, row, qn_message());
    return s == QN_OK;
}

bool qn__bench_builds(json_t *rows, qn_device *dev, const qn_source *source, const char *what)
{
    static const struct {
        const char *shape;
        qn_status (*work)(const struct build *b);
        uint32_t n;
    } ways[] = {{"compiled", compiled, COMPILES},
                {"from disk", from_disk, LOADS},
                {"from a bundle", from_bundle, LOADS}};
    struct build b = {.source = source, .target = qn_device_get_info(dev)->target};
    struct qn__bench_row row = {.kind = "build",
                                .what = what,
                                .shape = "",
                                .caches = "",
                                .device = qn_device_get_info(dev)->id,
                                .unit = ""};
    const char *folder = getenv("TMPDIR");
    uint64_t bytes = 0;
    bool good = true;
    const int n = snprintf(b.bundle, sizeof b.bundle, "%s/quern-bench-%ld.bundle",
                           folder && strlen(folder) < 24 ? folder : "/tmp", (long)getpid());
    qn__progress(0, 0, "%s: compiling it anew", what);
    if (n < 0 || (size_t)n >= sizeof b.bundle || prepare(&b, &bytes) != QN_OK) {
        qn__bench_add_error(rows, &row, qn_message());
        good = false;
    }
    for (size_t i = 0; good && i < sizeof ways / sizeof ways[0]; i++) {
        row.shape = ways[i].shape;
        good = measure(rows, &b, &row, ways[i].work, ways[i].n);
        if (good)
            json_object_set_new(json_array_get(rows, json_array_size(rows) - 1), "binary_bytes",
                                json_integer((json_int_t)bytes));
    }
    qn__progress_clear();
    unlink(b.bundle);
    return good;
}
