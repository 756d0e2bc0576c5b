/* SPDX-License-Identifier: Apache-2.0
 *
 * Which compilers are installed, and exactly which builds of them: the part of a cache key that
 * identifies the compiler.
 *
 * Asking a compiler means starting the helper, which the warm path must not do. So the answer is
 * written down in the cache folder beside the state (size, times, inode) of every file that makes
 * up the compiler, and believed for as long as the search (locate.h) finds the same files in the
 * same state. The identity itself is built from version numbers and the files' build ids, so it is
 * the same on every machine with the same packages.
 */
#ifndef QN_RTC_KEY_COMPILERS_H
#define QN_RTC_KEY_COMPILERS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Raise whenever Quern changes what the same compiler makes of the same source: other options
 * passed on, other shims. */
#define QN__RECIPE_VERSION 2

struct qn__compiler {
    const char *name;           /* "hiprtc" */
    const char *version;        /* for people: "hiprtc 5.2.3 (comgr 2.4)" */
    const char *identity;       /* for keys */
    const char *where;          /* file of the library or program */
    const char *cuda_include;   /* nvrtc: the toolkit's include folder; else NULL */
    const char *const *targets; /* architectures it makes: "gfx90a", "sm_90", "portable" */
    uint32_t n_targets;
    const char
        *absent; /* why it is not here now, though the cache remembers it; NULL: it is here */
};

/* What *out points to stays until the process ends; the arena is for the search.
 * QN_E_COMPILER  not found or not usable: the message says why and what would help */
qn_status qn__compiler_find(struct qn__compiler *out, struct qn__arena *arena, const char *name);

/* The last compiler of that name that was installed, from its record in the cache: keys of what it
 * made can be computed where it no longer is. The caller sets `absent`. QN_E_NOT_FOUND */
qn_status qn__compiler_remember(struct qn__compiler *out, const char *name);

/* Does it list that architecture? Features after a colon are ignored. */
bool qn__compiler_makes(const struct qn__compiler *c, const char *arch);

#endif
