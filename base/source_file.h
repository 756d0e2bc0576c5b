/* SPDX-License-Identifier: Apache-2.0
 *
 * One file of a source in memory, from the scan of its includes to the compiler that reads it. */
#ifndef QN_BASE_SOURCE_FILE_H
#define QN_BASE_SOURCE_FILE_H

#include <stddef.h>

struct qn__source_file {
    const char *name; /* as #include spells it, relative to the including file's folder or a folder:
                         "main.cu", "util/reduce.h" */
    const char *text;
    size_t n;
};

#endif
