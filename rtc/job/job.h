/* SPDX-License-Identifier: Apache-2.0
 *
 * One compile, as it travels to a compiler and back; protocol.h turns it into bytes. The library
 * fills a job, a helper program runs it and fills the result.
 */
#ifndef QN_RTC_JOB_JOB_H
#define QN_RTC_JOB_JOB_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/machine_files.h"
#include "base/signature.h"
#include "base/source_file.h"

enum qn__job_kind {
    QN__JOB_COMPILE = 1, /* source to image */
    QN__JOB_IDENTITY,    /* version and place of `compiler`, and the targets it can make */
};

struct qn__job {
    enum qn__job_kind kind;
    const char *compiler;                /* "nvrtc": a name of base/compilers.def */
    const char *arch;                    /* "sm_90a", "compute_80", "gfx90a:xnack-", "portable" */
    const struct qn__source_file *files; /* [0] is the main source; the rest what it includes */
    uint32_t n_files;
    const char *const *options; /* in the common spelling of quern/compile.h */
    uint32_t n_options;
    const char *const *names;
    uint32_t n_names;
    const char *const *toolkit; /* translator only: folders of a toolkit's headers */
    uint32_t n_toolkit;
    const char *const *below; /* by file: its name in one of them, or NULL; NULL: none is in one */
    bool verbose;
    uint64_t memory_bytes; /* that it may take; 0: no limit */
    uint64_t number;       /* of this job among those of its process */
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
                                 compiler, such as clang's LLVM library */
    uint32_t n_files;
    const char *runs; /* QN__JOB_IDENTITY: the command by which a program that is no compiler itself
                         runs one; else NULL */
    struct qn__machine_files machine; /* headers that the result depends on */
    struct qn__reflection reflection;
    const char *diagnostics;  /* "file:line:column: ..." in the user's names */
    const char *raw;          /* untouched compiler output */
    const char *reflect_json; /* translator only */
    const char *explain_json;
    double ms;
    /* which job it answers: its number, and the digest of its bytes as the helper received them */
    uint64_t number;
    unsigned char digest[QN__HASH_BYTES];
};

/* -- for the side that runs one -- */

/* Put a status and this thread's message into the result. */
void qn__job_end(struct qn__job_result *out, struct qn__arena *arena, qn_status s);

/* Fill out->reflection from the names in out->bytes. `lowered` has the symbol of each of job->names
 * and may hold NULL for a name that the image does not have: QN_E_COMPILE names it. */
qn_status qn__job_reflect(struct qn__job_result *out, struct qn__arena *arena,
                          const struct qn__job *job, const char *const *lowered);

/* Is the option there; value of "-name=value" or NULL. */
bool qn__job_has(const struct qn__job *job, const char *option);
const char *qn__job_value(const struct qn__job *job, const char *prefix);

#endif
