/* SPDX-License-Identifier: Apache-2.0
 *
 * What was found to be wrong: rows of findings.def, each with what was seen here. */
#ifndef QN_DOCTOR_FINDINGS_H
#define QN_DOCTOR_FINDINGS_H

#include "doctor/facts.h"

enum qn__finding {
#define QN_FINDING(name, id, mark, area, title, why) QN__FINDING_##name,
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
    QN__FINDINGS
};

enum qn__mark { QN__MARK_BAD, QN__MARK_WARN, QN__MARK_NOTE };

struct qn__finding_info {
    const char *id, *area, *title, *why;
    enum qn__mark mark;
};
extern const struct qn__finding_info qn__finding_infos[QN__FINDINGS];

enum qn__family {
    QN__FAMILY_ANY,
    QN__FAMILY_DEBIAN,
    QN__FAMILY_FEDORA,
    QN__FAMILY_SLES,
    QN__FAMILY_ARCH
};
extern const char *const qn__family_titles[]; /* "Debian, Ubuntu" */
/* Of "debian" (the fact system.family); ANY for what is none of them. */
enum qn__family qn__family_of(const char *name);

/* The n-th fix of a finding, in the order to try them; false: there is none. */
bool qn__finding_fix(const char **text, enum qn__family *where, enum qn__finding which, unsigned n);

/* Was a public page found that has the commands for that family? Others are from memory. */
bool qn__finding_is_confirmed(enum qn__finding which, enum qn__family where);

struct qn__seen {
    enum qn__finding which;
    char *text;
};
struct qn__report {
    struct qn__seen *items;
    size_t n;
};
void qn__report_add(struct qn__report *r, enum qn__finding which, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool qn__report_has(const struct qn__report *r, enum qn__finding which);
size_t qn__report_count(const struct qn__report *r, enum qn__mark mark);
void qn__report_release(struct qn__report *r);

/* What the facts come to, by areas; examine.h has all of them. */
void qn__judge_nvidia(struct qn__report *r, const json_t *facts);
void qn__judge_cuda_versions(struct qn__report *r, const json_t *facts);
void qn__judge_amd(struct qn__report *r, const json_t *facts);
void qn__judge_opencl(struct qn__report *r, const json_t *facts);
void qn__judge_machine(struct qn__report *r, const json_t *facts);
void qn__judge_quern(struct qn__report *r, const json_t *facts);

/* The value of an environment variable when the facts were gathered; NULL: it was not set. */
const char *qn__facts_variable(const json_t *facts, const char *name);

/* Has the machine a GPU of that maker ("nvidia", "amd", "intel") on its bus? */
bool qn__has_gpu(const json_t *facts, const char *maker);

#endif
