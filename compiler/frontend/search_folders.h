/* SPDX-License-Identifier: Apache-2.0
 *
 * Where clang looks for the machine's headers. */
#ifndef QN_COMPILER_FRONTEND_SEARCH_FOLDERS_H
#define QN_COMPILER_FRONTEND_SEARCH_FOLDERS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/machine_files.h"

/* Fill out->folders and out->choices by asking clang, in an empty folder `temp`.
 * QN_E_COMPILER, QN_E_IO, QN_E_MEMORY */
qn_status qn__search_folders(struct qn__machine_files *out, struct qn__arena *arena,
                             const char *clang, const char *temp);

/* The same from what `clang -v` printed. QN_E_MEMORY */
qn_status qn__search_folders_read(struct qn__machine_files *out, struct qn__arena *arena,
                                  const char *text);

#endif
