/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole examination: gather the facts of a machine, and judge facts. */
#ifndef QN_DOCTOR_EXAMINE_H
#define QN_DOCTOR_EXAMINE_H

#include "doctor/findings.h"

/* All but what Quern's own calls say (qn__gather_quern()), which is of this machine alone. */
void qn__gather(json_t *facts, const struct qn__root *root);

/* By the facts and nothing else, so those of another machine are judged like this one's. */
void qn__judge(struct qn__report *r, const json_t *facts);

#endif
