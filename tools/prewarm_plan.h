/* SPDX-License-Identifier: Apache-2.0
 *
 * quern prewarm --dry-run: what a run would do with each image, found out without doing it. */
#ifndef QN_TOOLS_PREWARM_PLAN_H
#define QN_TOOLS_PREWARM_PLAN_H

#include <jansson.h>
#include <quern/compile.h>
#include <stdbool.h>

struct qn__prewarm_plan {
    FILE *lines;  /* where the lines for people go */
    json_t *rows; /* one for each image; the caller's */
    bool refresh; /* what is there is compiled, too */
    uint32_t n_compiled, n_there, n_launched, n_failed;
};

/* One target of one kernel: is it there, would it be compiled, or is it known to fail? */
void qn__prewarm_plan_image(struct qn__prewarm_plan *plan, const char *kernel, const qn_source *src,
                            const char *target);

/* opencl:native for one kernel; without launches the manifest leaves it out. */
void qn__prewarm_plan_native(struct qn__prewarm_plan *plan, const char *kernel, bool has_launches);

#endif
