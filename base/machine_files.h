/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of this machine that a compile read beside the source's own and ours, and what its compiler
 * looked at to find them. */
#ifndef QN_BASE_MACHINE_FILES_H
#define QN_BASE_MACHINE_FILES_H

#include <stdbool.h>
#include <stdint.h>

struct qn__machine_files {
    const char *const *headers; /* those that were read; there may be none in spite of a search */
    uint32_t n_headers;
    const char *const *folders; /* where they were searched, in this order; none: no search */
    uint32_t n_folders;
    const char *const *choices; /* folders, there or not, whose content decides which are searched:
                                   that of the installed versions of GCC */
    uint32_t n_choices;
    const char *const *toolkit; /* folders of a CUDA toolkit's headers, where those were read */
    uint32_t n_toolkit;
    bool asks_toolkit; /* there was a use for a toolkit's headers, whether there were any or not */
};

#endif
