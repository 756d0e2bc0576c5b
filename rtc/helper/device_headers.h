/* SPDX-License-Identifier: Apache-2.0
 *
 * Includes of a whole program for a compiler that has only the files of the job and the headers of
 * a toolkit: those that lead nowhere are left out, and the standard library is the toolkit's own
 * for devices, libcu++, where it is there. */
#ifndef QN_RTC_HELPER_DEVICE_HEADERS_H
#define QN_RTC_HELPER_DEVICE_HEADERS_H

#include "base/arena.h"
#include "base/str.h"
#include "rtc/job/job.h"

struct qn__device_headers {
    struct qn__arena *arena;
    const struct qn__job *job;
    const char *include;   /* the toolkit's folder, or NULL */
    const char **included; /* headers of the toolkit that are wanted */
    uint32_t n_included;
    struct qn__str absent; /* ", name" of each that was left out; the caller releases it */
    bool has_std;          /* the toolkit has a standard library for devices */
    bool wants_cub;        /* a file includes all of CUB */
    bool wants_half;       /* a header that was left out has the types of 16 bits */
    bool includes_toolkit; /* some file includes a header of it */
};

struct qn__device_headers qn__device_headers(struct qn__arena *arena, const struct qn__job *job,
                                             const char *include);

/* Make includes of the text blank that lead nowhere. True where one was in angle brackets, and so
 * may be the host's; another is rather a mistake. */
bool qn__device_headers_leave_out(struct qn__device_headers *h, char *text);

/* The standard library's headers include one another, each in its own way: want those that names in
 * the code need. */
void qn__device_headers_want(struct qn__device_headers *h, const char *code);

/* Append what stands in front of the program. uses_std: its code names the standard library. */
void qn__device_headers_add(struct qn__str *out, const struct qn__device_headers *h, bool uses_std);

/* Is this word in the code? */
bool qn__device_headers_mentions(const char *code, const char *word);

/* Is this line an #include? */
bool qn__device_headers_is_include(const char *line);

#endif
