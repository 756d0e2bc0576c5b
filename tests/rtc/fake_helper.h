/* SPDX-License-Identifier: Apache-2.0
 *
 * A test program that plays the translator's helper: its "compiler" answers at once, or as slowly
 * or wrongly as the test wants, and needs no clang. The file FAKE in the test's folder says how. */
#ifndef QN_TESTS_FAKE_HELPER_H
#define QN_TESTS_FAKE_HELPER_H

#include "base/hash.h"
#include "rtc/job/protocol.h"
#include "tests/rtc_fixture.h"

#include <sys/stat.h>
#include <time.h>

#define FAKE_ARGUMENT "--play-the-helper"

static inline void pause_ms(long ms)
{
    const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* In the program's main(), before anything else: the helper's whole life. */
static inline int play_the_helper(const char *how_file)
{
    char *bytes, *how;
    size_t n, how_n;
    while (qn__frame_read(&bytes, &n, QN__HELPER_FD) == QN_OK) {
        static const char *const targets[] = {"portable"};
        struct qn__arena arena = {0};
        struct qn__job job;
        struct qn__str frame = {0}, text = {0};
        struct qn__job_result r = {.compiler = "fake 1", .reflection = {.build_options = ""}};
        if (qn__job_decode(&job, &arena, bytes, n) != QN_OK ||
            qn__file_read(&how, &how_n, how_file, 4096) != QN_OK)
            return 1;
        r.number = job.number;
        qn__hash_of(r.digest, bytes, n);
        if (job.kind == QN__JOB_IDENTITY) {
            r.targets = targets;
            r.n_targets = 1;
        } else {
            qn__str_printf(&text, "/* made of */ %s", job.files[0].text);
            r.bytes = text.text;
            r.n = text.len;
            r.image_kind = QN_IMAGE_OPENCL_C;
            if (strstr(how, "slow"))
                pause_ms(strtol(strstr(how, "slow") + strlen("slow"), NULL, 10));
            if (strstr(how, "number"))
                r.number++;
            if (strstr(how, "digest"))
                r.digest[0] ^= 1;
        }
        qn__frame_begin(&frame);
        qn__job_result_encode(&frame, &r);
        qn__frame_end(&frame);
        if (qn__frame_write(QN__HELPER_FD, &frame) != QN_OK)
            return 1;
        if (job.kind == QN__JOB_COMPILE && strstr(how, "twice") &&
            qn__frame_write(QN__HELPER_FD, &frame) != QN_OK)
            return 1;
        qn__str_release(&frame);
        qn__str_release(&text);
        qn__arena_release(&arena);
        free(bytes);
        free(how);
    }
    return 0;
}

/* From now on the translator is this program, in its other role. */
static inline void use_fake_helper(const char *how)
{
    char text[8192], self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert_int_gt(n, 0);
    self[n] = 0;
    const char *file = write_text("FAKE", how);
    snprintf(text, sizeof text, "#!/bin/sh\nexec '%s' " FAKE_ARGUMENT " '%s'\n", self, file);
    const char *script = write_text("quern-translate", text);
    ck_assert_int_eq(chmod(script, 0700), 0);
    setenv("QUERN_TRANSLATE", script, 1);
    setenv("QUERN_CLANG", "/bin/true", 1);
}

/* Ask for kernel number n; 0: it came and is the right one, 1: an error, 2: a wrong one. */
static inline int ask_for(int number)
{
    char text[64];
    snprintf(text, sizeof text, "__global__ void k(int *p) { *p = %d; }\n", number);
    const qn_source src = {.text = text, .path = "k.cu"};
    qn_image *image;
    if (qn_compile(&image, &src, "opencl:portable", NULL, NULL) != QN_OK)
        return 1;
    const qn_image_info *info = qn_image_get_info(image);
    const bool right = memmem(info->bytes, info->size_bytes, text, strlen(text)) != NULL;
    qn_image_release(image);
    return right ? 0 : 2;
}

#endif
