/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in headers that a request needs. */
#ifndef QN_COMPILER_STANDINS_H
#define QN_COMPILER_STANDINS_H

#include "base/embedded.h"
#include "compiler/unit.h"

/* Included in front of every source. */
#define QN__PRELUDE "quern_prelude.h"

/* Per header: can the request's files reach it? In the unit's arena. */
const bool *qn__standins_reached(struct qn__unit *u, const struct qn__embedded *headers);

#endif
