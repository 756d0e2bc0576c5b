/* SPDX-License-Identifier: Apache-2.0
 *
 * What the helper programs have in common: jobs are taken from a socket and given to the compiler
 * they name. Started by hand a helper only says what it is. */
#ifndef QN_RTC_HELPER_SERVE_H
#define QN_RTC_HELPER_SERVE_H

#include "rtc/job/job.h"

struct qn__helper {
    const char *program; /* "quern-rtc" */
    const char *runs;    /* "NVRTC, hipRTC and clang", for its help */
    const struct qn__helper_compiler {
        const char *name;
        void (*run)(struct qn__job_result *out, struct qn__arena *arena, const struct qn__job *job);
    } *compilers;
    uint32_t n_compilers;
};

/* The whole of main(). */
int qn__helper_main(int argc, char **argv, const struct qn__helper *helper);

/* For temporary files; NULL: the caller made none. */
const char *qn__helper_work_folder(void);

#endif
