/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the cache: images and entries made by hand, the private cache folder seen from
 * outside, warnings kept. */
#ifndef QN_TESTS_CACHE_FIXTURE_H
#define QN_TESTS_CACHE_FIXTURE_H

#include "rtc/cache/entry.h"
#include "tests/rtc_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

static const char key[] = "ab34567890123456789012345678901234567890123456789012345678901234";
static const char target[] = "cuda:sm_90";

static inline qn_image *make_image(const char *payload, size_t n)
{
    static const struct qn__kernel kernels[] = {
        {.info = {.name = "_Z1kIfEvv", .expression = "k<float>"}}};
    const struct qn__reflection r = {.n_kernels = 1, .kernels = kernels, .build_options = ""};
    struct qn__str w = {0};
    qn_image *image;
    qn__reflection_encode(&w, &r);
    must(qn__image_create(&image, target, "nvrtc 0.0", QN_IMAGE_CUBIN, payload, n, w.text, w.len));
    qn__str_release(&w);
    return image;
}

static inline struct qn__str make_entry(const char *key_hex, const char *payload, size_t n)
{
    struct qn__str entry = {0};
    qn_image *image = make_image(payload, n);
    must(qn__image_note(
        image, &(struct qn__image_notes){key_hex, "request", "source", "fields", "k 1 1 1\n"}));
    qn__entry_encode(&entry, image, &(struct qn__entry_log){"diagnostics", "raw"},
                     QN__ENTRY_FOR_HERE);
    qn_image_release(image);
    ck_assert(!entry.failed);
    return entry;
}

static inline uint64_t quarantined(void)
{
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    return c.quarantined;
}

static inline uint32_t count_files(const char *folder)
{
    DIR *d = opendir(in_scratch(folder));
    uint32_t n = 0;
    const struct dirent *e;
    while (d && (e = readdir(d)))
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static char warnings[8][1024];
static uint32_t n_warnings;
static inline void keep_warnings(qn_log_level level, const char *line, void *payload)
{
    (void)payload;
    if (level == QN_LOG_WARNING && n_warnings < 8)
        snprintf(warnings[n_warnings++], sizeof warnings[0], "%s", line);
}

static inline void open_quiet(void)
{
    scratch_open();
    n_warnings = 0;
    qn_log_set_callback(keep_warnings, NULL);
}

#endif
