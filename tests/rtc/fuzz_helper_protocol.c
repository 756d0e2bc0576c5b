/* SPDX-License-Identifier: Apache-2.0
 *
 * The helper's protocol from hostile bytes: jobs as the helper reads them, results as the library
 * does, and what is read must survive being written again.
 *
 * covers: rtc/job/protocol */
#include "rtc/job/protocol.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_job(const uint8_t *data, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__job job, again;
    struct qn__str w = {0};
    if (qn__job_decode(&job, &arena, data, n) == QN_OK) {
        qn__job_encode(&w, &job);
        if (qn__job_decode(&again, &arena, w.text, w.len) != QN_OK ||
            again.n_files != job.n_files || again.n_names != job.n_names)
            __builtin_trap();
    }
    qn__str_release(&w);
    qn__arena_release(&arena);
}

static void try_result(const uint8_t *data, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__job_result r, again;
    struct qn__str w = {0};
    if (qn__job_result_decode(&r, &arena, data, n) == QN_OK) {
        qn__job_result_encode(&w, &r);
        if (qn__job_result_decode(&again, &arena, w.text, w.len) != QN_OK || again.n != r.n ||
            again.status != r.status)
            __builtin_trap();
    }
    qn__str_release(&w);
    qn__arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    size_t length;
    try_job(data, n);
    try_result(data, n);
    if (n >= QN__FRAME_HEAD_BYTES)
        (void)(qn__frame_length(&length, data) == QN_OK);
    return 0;
}
