/* SPDX-License-Identifier: Apache-2.0
 *
 * What passes ask where divergence is known. */
#ifndef QN_COMPILER_STMT_DIVERGENCE_H
#define QN_COMPILER_STMT_DIVERGENCE_H

#include "compiler/model/node.h"

/* May it have several values in a group? */
bool qn__is_divergent(const struct qn__node *value);

#endif
