/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts and findings as text, and as JSON. */
#ifndef QN_DOCTOR_SHOW_H
#define QN_DOCTOR_SHOW_H

#include "doctor/findings.h"

/* Marks as they are printed, with whatever turns colours on and off around them. */
struct qn__show_style {
    const char *good, *bad, *bold, *dim, *off; /* "" where there are no colours */
};

/* What is here, one line a part. */
void qn__show_facts(struct qn__str *out, const json_t *facts, const struct qn__show_style *style);
/* Every finding, the worst first, with the commands for the distribution (all of them where it is
 * not known), and how many there are. */
void qn__show_findings(struct qn__str *out, const struct qn__report *r, enum qn__family family,
                       const struct qn__show_style *style);

const char *qn__mark_text(enum qn__mark mark); /* "bad", "warning", "note" */
json_t *qn__json_of_findings(const struct qn__report *r);

#endif
