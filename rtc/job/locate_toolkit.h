/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the headers of CUB, Thrust and libcu++ lie that the translator may read. */
#ifndef QN_RTC_JOB_LOCATE_TOOLKIT_H
#define QN_RTC_JOB_LOCATE_TOOLKIT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { QN__TOOLKIT_FOLDERS_MAX = 4 };

struct qn__toolkit {
    const char *folders[QN__TOOLKIT_FOLDERS_MAX]; /* with cub/, thrust/, cuda/ in them; absolute */
    const char *given[QN__TOOLKIT_FOLDERS_MAX];   /* the same as they were named */
    uint32_t n;
};

/* Among folders of the caller's. */
void qn__toolkit_among(struct qn__toolkit *out, struct qn__arena *arena,
                       const char *const *include_dirs, uint32_t n_include_dirs);

/* The first place that has some: QUERN_CCCL, CUDA_PATH, CUDA_HOME, the Python environment, the
 * toolkits that NVRTC and nvcc belong to. What is merely found must be trusted (base/trust.h). */
void qn__toolkit_locate(struct qn__toolkit *out, struct qn__arena *arena);

/* What the folders lack of the three libraries is looked for as by qn__toolkit_locate(): a checkout
 * of CUB alone needs the toolkit's Thrust and libcu++. */
void qn__toolkit_complete(struct qn__toolkit *t, struct qn__arena *arena);

/* The name of a file below one of the folders; NULL: it is in none. */
const char *qn__toolkit_below(const struct qn__toolkit *t, const char *path);

#endif
