/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern prewarm` is to make: a JSON document with a list of kernels (docs/prewarm.md has the
 * schema), or the lines that QUERN_RECORD wrote. */
#ifndef QN_TOOLS_MANIFEST_H
#define QN_TOOLS_MANIFEST_H

#include "base/str.h"

#include <jansson.h>
#include <quern/compile.h>
#include <quern/stream.h>

struct qn__manifest_launch {
    const char *kernel;
    qn_dims dims;
};

struct qn__manifest_kernel {
    qn_source source;
    const char *shown; /* for reports: file, or path of a text */
    const char **targets;
    uint32_t n_targets;
    struct qn__manifest_launch *launches;
    uint32_t n_launches;
};

struct qn__manifest {
    struct qn__manifest_kernel *kernels;
    uint32_t n_kernels;
    json_t *document; /* the kernels' strings live here */
    void **owned;     /* and here; n_owned of them */
    uint32_t n_owned;
};

/* Read a manifest; its files are relative to `folder`. Release *out in every case.
 * False: *error says where and why. */
bool qn__manifest_parse(struct qn__manifest *out, struct qn__str *error, const char *text, size_t n,
                        const char *folder);

/* The same from lines of QUERN_RECORD: those about one source become one kernel. */
bool qn__manifest_parse_record(struct qn__manifest *out, struct qn__str *error, const char *text,
                               size_t n);
void qn__manifest_release(struct qn__manifest *m);

#endif
