/* SPDX-License-Identifier: Apache-2.0
 *
 * One thing to be compiled, looked at from all sides before anything is compiled: target, compiler,
 * options, closure, key. qn_compile(), qn_translate() and qn_module_build() are made of these. */
#ifndef QN_RTC_KEY_REQUEST_H
#define QN_RTC_KEY_REQUEST_H

#include "rtc/cache/bundle_layers.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/entry.h"
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
    struct qn__compiler compiler; /* after qn__request_compiler() */
    struct qn__compile_options compile_options;
    struct qn__closure closure;
    struct qn__key key;
    struct qn__str fields;  /* of the key (qn__key_print()) */
    size_t source_fields_n; /* how much of them is about the source */
    enum qn__cache_mode mode;
    bool prefers_helper;  /* NVRTC too, where the helper is there: many compile at once */
    uint32_t n_refused;   /* this many of the hits in bundles were no good */
    bool is_disk_refused; /* so was what the disk had */
    bool loads_only;   /* the image is for a driver that copies it: memory keeps none that the disk
                          has */
    const char *shown; /* the main source's name for messages */
};

/* Everything up to the request digest: nothing is asked of compilers. Release *out in every case.
 * QN_E_INVALID, QN_E_IO, QN_E_LIMIT, QN_E_MEMORY */
qn_status qn__request_open(struct qn__request *out, const qn_source *src, const char *target,
                           const qn_compile_options *options);

/* The same source for another target; before qn__request_compiler(). QN_E_INVALID */
qn_status qn__request_retarget(struct qn__request *r, const char *target);

/* Fill r->compiler with the one of that name, or with what the cache remembers of it; again costs
 * nothing. QN_E_COMPILER */
qn_status qn__request_find_compiler(struct qn__request *r, const char *name);

/* Choose the compiler and complete the key; once is enough, again costs nothing.
 * QN_E_COMPILER, QN_E_UNSUPPORTED, QN_E_INVALID as qn_compile() */
qn_status qn__request_compiler(struct qn__request *r);

void qn__request_release(struct qn__request *r);

/* Does that compiler make anything for the target? */
bool qn__compiler_suits(const struct qn__target *t, const char *compiler);

/* Is there a bundle, and may it answer this request? */
bool qn__request_may_ask_bundles(const struct qn__request *r);

/* The image from a bundle: for the request's own target, or with `device`, the best that runs
 * there. A driver that refuses it: count n_refused up and ask again. QN_E_NOT_FOUND */
qn_status qn__request_from_bundle(qn_image **out, struct qn__request *r,
                                  const struct qn__target *device, qn_log *log);

/* The two halves of that, for who wants to look before reading. */
uint32_t qn__request_search(struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX],
                            const struct qn__request *r, const struct qn__target *device,
                            bool exact);
qn_status qn__request_read(qn_image **out, const struct qn__bundle_hit *hit, struct qn__request *r,
                           qn_log *log);

/* Fail with QN_E_CACHE_MISS and the reason: for mode must-hit. */
qn_status qn__request_miss(const struct qn__request *r);

/* qn_compile() and qn_module_build() for one of many. */
qn_status qn__compile_one(qn_image **out, const qn_source *src, const char *target,
                          const qn_compile_options *options, qn_log *log, bool prefers_helper);
qn_status qn__module_build_one(qn_module **out, qn_device *dev, const qn_source *src,
                               const qn_compile_options *options, qn_log *log, bool prefers_helper);

/* The image, from memory, disk or a compiler (not from bundles); fills log (may be NULL). */
qn_status qn__request_image(qn_image **out, struct qn__request *r, qn_log *log);

/* Set the request's image aside in every layer: a driver refused it. */
void qn__request_forget(struct qn__request *r, const char *reason);

/* Run the compiler, whatever the caches hold. *out is the compiler's result, in the request's
 * arena; a failed compile is a failure of this function with its message complete. */
qn_status qn__request_compile(struct qn__job_result *out, struct qn__request *r);

/* Fill the texts of a log from what a compiler said (job names become the user's): everything of a
 * failure, and warnings of a success where the caller wishes them. The translator's own, which are
 * about right results, are always there. */
void qn__request_log(qn_log *log, const struct qn__request *r, const char *diagnostics,
                     const char *raw, bool failed);

/* Give a log (may be NULL) empty texts where it has none. */
void qn__log_complete(qn_log *log);

#endif
