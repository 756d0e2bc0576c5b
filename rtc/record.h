/* SPDX-License-Identifier: Apache-2.0
 *
 * QUERN_RECORD=FILE: write down what this program asks for, so that `quern prewarm --from-run` can
 * make it beforehand, elsewhere.
 *
 * One JSON object per line, in the form of a manifest's kernels (docs/prewarm.md): the source with
 * everything it includes, options in their normal form, names, the target; and a line with the
 * shapes of launches once they happened. Several processes may append to one file. */
#ifndef QN_RTC_RECORD_H
#define QN_RTC_RECORD_H

#include "rtc/key/request.h"
#include "runtime/backend.h"

/* Once per request in this process. Nothing where nothing is recorded. */
void qn__record_request(const struct qn__request *r);

/* Have the module's launches recorded too; for modules whose shapes are not watched otherwise. */
void qn__record_launches(qn_module *mod, const struct qn__request *r);

/* Shapes as runtime/shapes.h has them. */
void qn__record_shapes(const char *source_hex, const char *shapes);

#endif
