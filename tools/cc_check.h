/* SPDX-License-Identifier: Apache-2.0
 *
 * `quern cc --check`: what a program needs that is not there. */
#ifndef QN_TOOLS_CC_CHECK_H
#define QN_TOOLS_CC_CHECK_H

#include "tools/cc_unit.h"

/* Compile each device half by itself, for the targets that were named or this processor, and print
 * what came of it and of the host half, as JSON with --json. False where something is missing. */
bool qn__cc_check_report(struct qn__cc_session *s, bool host_is_good);

#endif
