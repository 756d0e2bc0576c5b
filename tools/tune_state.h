/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search has measured, in a file, so that it can be interrupted and goes on. */
#ifndef QN_TOOLS_TUNE_STATE_H
#define QN_TOOLS_TUNE_STATE_H

#include "base/options.h"

#include <jansson.h>
#include <quern/quern.h>

struct qn__tune_state {
    const char *path; /* NULL: nothing is kept */
    json_t *document;
};

/* Read it. A file of another text, kernel, device, driver, size or arguments is left out with a
 * word, and written over; one that is no such file is refused. False after a complaint. */
bool qn__tune_state_open(struct qn__tune_state *out, const char *path, qn_device *dev,
                         const qn_source *source, const char *kernel, uint64_t items,
                         const struct qn__option_list *args);
void qn__tune_state_close(struct qn__tune_state *s);

/* Was that measured? *ms is INFINITY for what could not run. */
bool qn__tune_state_find(double *ms, const struct qn__tune_state *s, const char *values);

/* Add and write; false after a complaint. */
bool qn__tune_state_add(struct qn__tune_state *s, const char *values, double ms, const char *error);

#endif
