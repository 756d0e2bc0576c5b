/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC's calls on Quern's own compilers: what nvrtc.c and nvrtc_options.c share. */
#ifndef QN_CUDART_RUNTIME_COMPILER_H
#define QN_CUDART_RUNTIME_COMPILER_H

#include "base/arena.h"

#include <quern/quern.h>

#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

struct qn__nvrtc_words {
    const char **options, **defines, **folders;
    uint32_t n_options, n_defines, n_folders;
    bool unmarked_is_device;
};

/* NVRTC's and hipRTC's options as ours; false: *wrong is the option, or "" where there is no
 * memory. The lists are in the arena. */
bool qn__nvrtc_options_read(struct qn__nvrtc_words *out, struct qn__arena *arena, int n,
                            const char *const *options, const char **wrong);

#endif
