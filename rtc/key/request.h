/* SPDX-License-Identifier: Apache-2.0
 *
 * A request: one source for one target, and all that is settled before it is compiled: compiler,
 * options, closure, key. qn_compile(), qn_translate() and qn_module_build() begin with one. */
#ifndef QN_RTC_KEY_REQUEST_H
#define QN_RTC_KEY_REQUEST_H

#include "rtc/cache/cache_mode.h"
#include "rtc/job/locate_toolkit.h"
#include "rtc/key/compilers.h"
#include "rtc/key/key.h"
#include "runtime/target.h"

#include <quern/module.h>

struct qn__request {
    struct qn__arena arena; /* holds what is not in the closure */
    const qn_source *src;   /* borrowed */
    qn_compile_options options;
    struct qn__target target;
    char target_text[112];        /* canonical */
    const char *arch;             /* what a compiler is asked for: HIP over NVIDIA takes PTX */
    struct qn__compiler compiler; /* after qn__request_compiler() */
    struct qn__compile_options compile_options;
    struct qn__closure closure;
    struct qn__key key;
    struct qn__str fields;  /* of the key (qn__key_print()) */
    size_t source_fields_n; /* how much of them is about the source */
    /* The key without headers of the machine, and how much of the fields it has. */
    char first_hex[QN__HASH_HEX];
    size_t first_fields_n;
    bool has_headers;           /* they are in the key (header_notes.h) */
    struct qn__toolkit toolkit; /* after qn__request_find_toolkit() */
    const char **below;         /* by file: its name in one of those folders, or NULL */
    bool has_toolkit;           /* that was called */
    enum qn__cache_mode mode;
    uint32_t n_refused;   /* hits in bundles that the driver refused */
    bool is_disk_refused; /* the image on disk as well */
    bool is_passing; /* what was compiled depends on files that changed meanwhile: nothing keeps it
                      */
    bool loads_only; /* the image is for a driver that copies it: memory keeps none that the disk
                        has */
    const char *shown; /* the main source's name for messages */
};

/* Everything up to the request digest: nothing is asked of compilers. Release *out in every case.
 * QN_E_INVALID, QN_E_IO, QN_E_LIMIT, QN_E_MEMORY */
qn_status qn__request_open(struct qn__request *out, const qn_source *src, const char *target,
                           const qn_compile_options *options);

/* The same source for another target; before qn__request_compiler(). QN_E_INVALID */
qn_status qn__request_retarget(struct qn__request *r, const char *target);

/* Fill r->compiler with the one of that name, or with what the cache remembers of it; a second
 * call does nothing. QN_E_COMPILER */
qn_status qn__request_find_compiler(struct qn__request *r, const char *name);

/* Choose the compiler and complete the key; a second call does nothing.
 * QN_E_COMPILER, QN_E_UNSUPPORTED, QN_E_INVALID as qn_compile() */
qn_status qn__request_compiler(struct qn__request *r);

/* Look for headers of CUB, Thrust and libcu++, where the source includes some; a second call does
 * nothing. */
void qn__request_find_toolkit(struct qn__request *r);

/* Where the cache says that the image depends on headers of this machine, put them into the key as
 * they are now. After qn__request_compiler(); false: nothing is known of headers. */
bool qn__request_follow(struct qn__request *r);

/* Put headers into the key that a compile of this request, begun at `start`, has read and that are
 * not in it, and note them in the cache; does nothing where there are none. QN_E_MISMATCH: they
 * changed meanwhile; errors as qn__header_notes_make() */
qn_status qn__request_depend(struct qn__request *r, const struct qn__machine_files *files,
                             const struct timespec *start);

void qn__request_release(struct qn__request *r);

/* Is that compiler one for the backend (base/compilers.def)? */
bool qn__compiler_serves(enum qn__target_backend backend, const char *compiler);

/* Does that compiler make anything for the target? */
bool qn__compiler_suits(const struct qn__target *t, const char *compiler);

#endif
