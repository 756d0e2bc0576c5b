/* SPDX-License-Identifier: Apache-2.0
 *
 * Environment variables and the configuration files that stand for them, as people are shown them.
 */
#ifndef QN_TOOLS_VARIABLE_TEXT_H
#define QN_TOOLS_VARIABLE_TEXT_H

#include "base/options.h"

/* A value without what may be secret in it. */
void qn__variable_show(struct qn__str *out, const char *name, const char *value);

/* Where it comes from: "environment", "/etc/quern/config:3", or "default" for what is not set. */
enum { QN__VARIABLE_PLACE_BYTES = 512 };
const char *qn__variable_place(char out[QN__VARIABLE_PLACE_BYTES], const char *name);

#endif
