/* SPDX-License-Identifier: Apache-2.0
 *
 * clang's command line. */
#ifndef QN_COMPILER_FRONTEND_COMMAND_LINE_H
#define QN_COMPILER_FRONTEND_COMMAND_LINE_H

#include "compiler/core/unit.h"
#include "compiler/frontend/dialect.h"

/* Below the temporary folder: the files that were read, as make reads them. */
#define QN__FILES_READ "files-read"

/* Whose C and C++ headers are read. CUDA's are ours either way. */
enum qn__headers {
    QN__OUR_HEADERS,         /* nothing of the machine makes a difference */
    QN__OUR_HEADERS_AS_NVCC, /* and those that nvcc includes without being told */
    QN__MACHINE_HEADERS,     /* what clang finds there */
    QN__TOOLKIT_HEADERS      /* and a toolkit's in place of ours for CUB, Thrust and libcu++ */
};

struct qn__command {
    char **argv; /* ends with NULL */
    uint32_t n, capacity;
};

/* The command that makes <temp>/out.bc of the request's main file. What the options say of passes
 * and printing goes into the unit. QN_E_INVALID for an option that is unknown.
 *
 *   header    one of ours to include in front of the file, too, or NULL
 *   dialect   what clang is to take that it refuses by itself, and the other way round */
qn_status qn__command_line(struct qn__unit *u, struct qn__command *out, const char *clang,
                           enum qn__headers headers, const char *header,
                           const struct qn__dialect *dialect, const char *temp, const char *source);

#endif
