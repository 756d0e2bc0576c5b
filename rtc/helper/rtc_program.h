/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC and hipRTC are one interface under two names. One compile through it: program, names,
 * compile, log, image, the symbols of the names. */
#ifndef QN_RTC_HELPER_RTC_PROGRAM_H
#define QN_RTC_HELPER_RTC_PROGRAM_H

#include "rtc/job/job.h"

/* Filled from the compiler's own table (nvrtc.sym, hiprtc.sym); get_size and get are those of the
 * kind of image wanted. */
struct qn__rtc_calls {
    const char *name;               /* for messages: "NVRTC 13.0" */
    bool finds_overloads;           /* takes a cast as a name expression */
    const char *include;            /* the toolkit's folder of headers, or NULL */
    const char *unmarked_is_device; /* the option: functions without a mark are the device's */
    const char *(*error_string)(int code);
    int (*create_program)(void **program, const char *text, const char *name, int n_headers,
                          const char *const *headers, const char *const *header_names);
    int (*add_name)(void *program, const char *expression);
    int (*compile_program)(void *program, int n_options, const char *const *options);
    int (*get_log_size)(void *program, size_t *n);
    int (*get_log)(void *program, char *log);
    int (*get_size)(void *program, size_t *n);
    int (*get)(void *program, char *bytes);
    int (*get_lowered_name)(void *program, const char *expression, const char **lowered);
    int (*destroy_program)(void **program);
};
qn_status qn__rtc_program_run(struct qn__job_result *out, struct qn__arena *arena,
                              const struct qn__job *job, const struct qn__rtc_calls *calls,
                              const char *const *options, int n_options);

#endif
