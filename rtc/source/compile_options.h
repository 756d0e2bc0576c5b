/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler options in their one normal form: what the user meant, in a fixed order, so that two
 * spellings of one meaning have one cache key. */
#ifndef QN_RTC_SOURCE_COMPILE_OPTIONS_H
#define QN_RTC_SOURCE_COMPILE_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"

#include <quern/compile.h>

struct qn__compile_options {
    /* -std=c++NN, -ON, then what differs from the defaults of -g, -use_fast_math, -fmad=false,
     * -keep-going, -w or -Wall, -lines=, -dump-after=, -maxrregcount=N, then the macros' last
     * states sorted by name (-DNAME=VALUE, -UNAME). All of it shapes what is kept: -w and -Wall the
     * log. */
    const char **shaping;
    uint32_t n_shaping;
    bool dumps; /* asks for what a pass of the translator left, which is no image */
    /* src->include_dirs, then those of -I options */
    const char **include_dirs;
    uint32_t n_include_dirs;
};

/* Everything in *out lives in the arena.
 * QN_E_INVALID  an option that is unknown or malformed: the message names it */
qn_status qn__compile_options_read(struct qn__compile_options *out, struct qn__arena *arena,
                                   const qn_source *src);

#endif
