/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern tune` chose for a kernel of kernels.def: read from its file (quern/tuned.h), or tried
 * by it. The values are BLOCK, EACH (launch_plan.h) and macros of the source, QK_...; 0 is the
 * launch plan's, or the source's, own. */
#ifndef QN_KERNELS_OP_CHOICE_H
#define QN_KERNELS_OP_CHOICE_H

#include "kernels/op_rows.h"

#include <quern/tuned.h>

enum { QN__CHOICE_DEFINES = 16 };

struct qn__op_choice {
    struct qn__launch_choice launch;
    uint32_t size_class;
    const char *defines[QN__CHOICE_DEFINES]; /* for the compiler: "QK_MATVEC_ROWS=8" */
    uint32_t n_defines;
};

/* Of all size classes, for one kernel on one device. */
struct qn__op_choices {
    qn_tuned *tuned; /* owns the texts */
    struct qn__op_choice *items;
    uint32_t n;
};

/* Parameters that may be chosen ("BLOCK = 0, 64; EACH = 0, 1"), or "" where there are none. */
const char *qn__op_parameters(const struct qn__op_row *row, const qn_device_info *dev);

/* "NAME=INTEGER" to a choice; the texts are borrowed.
 * QN_E_INVALID  a name that is no parameter of ours, a block that the device does not take */
qn_status qn__op_choice_read(struct qn__op_choice *out, const qn_device_info *dev,
                             const char *const *values, uint32_t n);

/* What was tuned. None, stale, or no place for the file: none of them. The caller releases *out in
 * every case. QN_E_CORRUPT, QN_E_INVALID: of the file; QN_E_IO, QN_E_MEMORY */
qn_status qn__op_choices_find(struct qn__op_choices *out, qn_device *dev,
                              const struct qn__op_row *row);
void qn__op_choices_release(struct qn__op_choices *c);

/* The one whose size class is nearest, or NULL. */
const struct qn__op_choice *qn__op_choice_for(const struct qn__op_choices *c, uint64_t items);

/* The number of items that says a work's size class. */
static inline uint64_t qn__op_items(const struct qn__work *w)
{
    return w->rows * (w->n ? w->n : 1);
}

#endif
