/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that clang reads, in the temporary folder. */
#ifndef QN_COMPILER_FRONTEND_SOURCE_FILES_H
#define QN_COMPILER_FRONTEND_SOURCE_FILES_H

#include "compiler/core/unit.h"
#include "compiler/frontend/host_code.h"

/* Below the temporary folder; folders between src and the files, so that "../../x.h" stays inside.
 */
#define QN__SOURCE_FOLDER "src/0/1/2/3/4/5/6/7"

enum qn__standins {
    QN__STANDINS_MENTIONED, /* those that the files mention */
    QN__STANDINS_INCLUDED,  /* and all that the prelude includes */
    QN__STANDINS_ALL,
    QN__STANDINS_BUT_TOOLKIT /* none that a toolkit's header takes the place of */
};

/* Where a request's file lies below the source folder: an absolute name loses its first slash. */
const char *qn__source_name(const char *name);

/* The stand-in headers, below <temp>/quern. QN_E_IO */
qn_status qn__write_headers(struct qn__unit *u, const char *temp, enum qn__standins which);

/* The request's files; their texts as clang reads them go into `files`, one per file of the
 * request. QN_E_IO; QN_E_INVALID for a name that leads out of the folder */
qn_status qn__write_sources(struct qn__unit *u, struct qn__host_file *files, const char *temp,
                            const char *source);

/* The same with what has a name in a toolkit's folder taken from there, and everything else as it
 * is in `files` now. */
qn_status qn__write_sources_for_toolkit(struct qn__unit *u, struct qn__host_file *files,
                                        const char *source);

/* One of them again. QN_E_IO */
qn_status qn__write_source(struct qn__unit *u, uint32_t i, const struct qn__host_file *f,
                           const char *source);

#endif
