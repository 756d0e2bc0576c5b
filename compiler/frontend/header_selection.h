/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in headers that a request needs. */
#ifndef QN_COMPILER_FRONTEND_HEADER_SELECTION_H
#define QN_COMPILER_FRONTEND_HEADER_SELECTION_H

#include "base/embedded.h"
#include "compiler/core/unit.h"

/* Included in front of every source. */
#define QN__PRELUDE "quern_prelude.h"

/* Per header: can the request's files reach it? In the unit's arena.
 *
 *   whole   the prelude's own, too, whatever the files mention */
const bool *qn__standins_reached(struct qn__unit *u, const struct qn__embedded *headers,
                                 bool whole);

/* Is it one that the prelude includes and that may be empty where the files cannot reach it? */
bool qn__standin_on_demand(const char *header);

#endif
