/* SPDX-License-Identifier: Apache-2.0
 *
 * One compile, as it travels to a compiler and back. The same structs serve the in-process NVRTC
 * path and the helper program; protocol.h turns them into bytes.
 */
#ifndef QN_RTC_JOB_JOB_H
#define QN_RTC_JOB_JOB_H

#include "base/arena.h"
#include "base/signature.h"

enum qn__job_kind {
    QN__JOB_COMPILE = 1, /* source to image */
    QN__JOB_IDENTITY,    /* version and place of `compiler`, and the targets it can make */
};

struct qn__job_file { /* files[0] is the main source; the rest its whole include closure */
    const char
        *name; /* as #include spells it, relative to the including file's folder or a folder */
    const char *text;
    size_t n;
};

struct qn__job {
    enum qn__job_kind kind;
    const char *compiler; /* "nvrtc", "hiprtc", "hipcc", "clang", "translator" */
    const char *arch;     /* "sm_90a", "compute_80", "gfx90a:xnack-", "portable" */
    const struct qn__job_file *files;
    uint32_t n_files;
    const char *const *options; /* in the common spelling of quern/compile.h */
    uint32_t n_options;
    const char *const *names;
    uint32_t n_names;
    bool verbose;
};

struct qn__job_result {
    qn_status status;
    const char *message; /* of a failure */
    qn_image_kind image_kind;
    const void *bytes;
    size_t n;
    const char *compiler;       /* identity for humans and keys: "hiprtc 5.2.3 (comgr 2.4)" */
    const char *where;          /* QN__JOB_IDENTITY: file of the library or program */
    const char *const *targets; /* QN__JOB_IDENTITY: architectures it can make, bare: "gfx90a" */
    uint32_t n_targets;
    const char *const *files; /* QN__JOB_IDENTITY: further files whose change makes it another
                                 compiler, such as the LLVM library behind clang */
    uint32_t n_files;
    struct qn__reflection reflection;
    const char *diagnostics;  /* "file:line:column: ..." in the user's names */
    const char *raw;          /* untouched compiler output */
    const char *reflect_json; /* translator only */
    const char *explain_json;
    double ms;
};

/* Run the job in this process. Never fails itself: everything is in *out, all of it in the arena.
 */
void qn__job_run_nvrtc(struct qn__job_result *out, struct qn__arena *arena,
                       const struct qn__job *job);
void qn__job_run_hiprtc(struct qn__job_result *out, struct qn__arena *arena,
                        const struct qn__job *job);
void qn__job_run_clang(struct qn__job_result *out, struct qn__arena *arena,
                       const struct qn__job *job); /* compilers "clang" and "hipcc" */
void qn__job_run_translator(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job);

/* -- for the files above -- */

/* Put a status and this thread's message into the result. */
void qn__job_end(struct qn__job_result *out, struct qn__arena *arena, qn_status s);

/* Fill out->reflection from the names in out->bytes. `lowered` has the symbol of each of job->names
 * and may hold NULL for a name that the image does not have: QN_E_COMPILE names it. */
qn_status qn__job_reflect(struct qn__job_result *out, struct qn__arena *arena,
                          const struct qn__job *job, const char *const *lowered);

/* NVRTC and hipRTC are one interface under two names. One compile through it: program, names,
 * compile, log, image, the symbols of the names. The table is filled from the compiler's own
 * (nvrtc.sym, hiprtc.sym); get_size and get are those of the kind of image wanted. */
struct qn__rtc_calls {
    const char *name; /* for messages: "NVRTC 13.0" */
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
qn_status qn__job_run_program(struct qn__job_result *out, struct qn__arena *arena,
                              const struct qn__job *job, const struct qn__rtc_calls *calls,
                              const char *const *options, int n_options);

/* Is the option there; value of "-name=value" or NULL. */
bool qn__job_has(const struct qn__job *job, const char *option);
const char *qn__job_value(const struct qn__job *job, const char *prefix);

#endif
