/* SPDX-License-Identifier: Apache-2.0
 *
 * Where each compiler lies, found with stat() and the loader's own index, without loading anything.
 *
 * The warm path needs to know which compiler *would* run, because its identity is part of the cache
 * key, and must not pay for opening it. So the search is ours, for libraries too, and the compile
 * path then opens exactly the file found here.
 */
#ifndef QN_RTC_JOB_LOCATE_H
#define QN_RTC_JOB_LOCATE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { QN__LOCATED_MAX = 4 };

struct qn__located {
    bool found;
    uint32_t n_files; /* absolute names; [0] is the library or program itself */
    const char *files[QN__LOCATED_MAX];
    const char *reason; /* when not found: what was looked for, and what would help */
};

/* compiler: a name of base/compilers.def; another one is not found.
 * Files: nvrtc: library. hiprtc: library with hipRTC in it, comgr. hipcc: program, device
 * libraries. clang: program, device libraries. translator: clang. cpu: clang, linker. Strings live
 * in the arena. What is merely found, and not in a folder that a variable names, must be trusted
 * (base/trust.h).
 */
void qn__locate(struct qn__located *out, struct qn__arena *arena, const char *compiler);

/* The same without that question, which costs a look at each folder: only to compare what is there
 * with a record of files that passed and have not changed since. */
void qn__locate_any(struct qn__located *out, struct qn__arena *arena, const char *compiler);

/* These names in their order, ended by NULL. */
extern const char *const qn__compiler_names[];

/* Include folder of the toolkit that an NVRTC library belongs to; NULL where there is none.
 * QN_E_MEMORY: not known. */
qn_status qn__locate_cuda_include(const char **out, struct qn__arena *arena,
                                  const char *nvrtc_library);

#endif
