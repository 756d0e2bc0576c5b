/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/tuned.h: what `quern tune` found out about a kernel on a device.
 *
 * A kernel's source declares parameters (`// quern tune: BLOCK = 64, 128, 256`, docs/tune.md) and
 * uses them as macros. `quern tune` keeps the fastest values in a file of text, one line for each
 * source text, kernel, device with its driver, and size class. A program asks for them, builds with
 * them, and launches by them:
 *
 *     qn_tuned *t = NULL;
 *     if (qn_tuned_find(&t, dev, &src, "saxpy", n) != QN_OK) ... // none: the source's own defaults
 *     qn_compile_options how = {.tuned = t};
 *     qn_module_build(&mod, dev, &src, &how, NULL);
 *     const qn_tuned_info *k = qn_tuned_get_info(t);
 *     grid = (n + k->block_items - 1) / k->block_items;
 *     qn_tuned_release(t);
 *
 * The file is $QUERN_TUNED, else quern/tuned in $XDG_CONFIG_HOME or ~/.config. It can be copied to
 * other machines: a line counts only where text, device and driver are the same.
 */
#ifndef QUERN_TUNED_H
#define QUERN_TUNED_H

#include <quern/compile.h>
#include <quern/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_tuned_info {
    const char *const *defines; /* "BLOCK=128" */
    uint32_t n_defines;
    uint32_t block[3];    /* threads, to launch with */
    uint64_t block_items; /* items that one block does */
    uint32_t size_class;  /* bits of the number of items that it was tuned for */
    double ms, first_ms;  /* a launch with these values and with the first ones, then */
} qn_tuned_info;

/* The line for this text (with all it includes and src->defines), kernel and device whose size
 * class is nearest to that of `items`. The caller owns *out: qn_tuned_release().
 *   kernel  as given to `quern tune`
 * QN_E_NOT_FOUND  there is none; a line that there is for another text or driver is stale, which
 *                 is also said as a warning, once
 * QN_E_CORRUPT    the file is not what `quern tune` writes; the message names the line
 * QN_E_IO         it, or the source, cannot be read */
QN_CHECKED qn_status qn_tuned_find(qn_tuned **out, qn_device *dev, const qn_source *src,
                                   const char *kernel, uint64_t items);
QN_API const qn_tuned_info *qn_tuned_get_info(const qn_tuned *t); /* belongs to it */
/* All size classes that there are for the text, kernel and device; index < count. */
QN_API uint32_t qn_tuned_get_count(const qn_tuned *t);
QN_API const qn_tuned_info *qn_tuned_get_at(const qn_tuned *t, uint32_t index);
QN_API void qn_tuned_release(qn_tuned *t); /* NULL is fine */

/* Keep values, in place of those of the same text, kernel, device, driver and size class, and of
 * stale ones of that kernel, device and class.
 * QN_E_INVALID  a define is not NAME=INTEGER, or a name has a tab; QN_E_IO, QN_E_CORRUPT */
QN_CHECKED qn_status qn_tuned_keep(qn_device *dev, const qn_source *src, const char *kernel,
                                   uint64_t items, const qn_tuned_info *values);

/* Where they are kept; "" with *why (may be NULL) when there is no place. Static per thread. */
QN_API const char *qn_tuned_get_file(const char **why);

/* The digest of text, includes and defines by which a line is found, 64 hex digits. */
QN_CHECKED qn_status qn_tuned_digest(char out[65], const qn_source *src);

#ifdef __cplusplus
}
#endif
#endif
