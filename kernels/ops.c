/* SPDX-License-Identifier: Apache-2.0
 *
 * The public list of ops (quern/ops.h), and the way from a public index to a case: op_rows.c has
 * the list, op_case.c builds a case, op_run.c runs it. */
#include "kernels/op_run.h"

#include <string.h>

uint32_t qn_op_count(void)
{
    return qn__op_row_count();
}

const qn_op_info *qn_op_get(uint32_t index)
{
    return index < qn__op_row_count() ? &qn__op_row(index)->info : NULL;
}

void qn_op_report_release(qn_op_report *r)
{
    if (!r)
        return;
    qn_log_release(&r->build);
    memset(r, 0, sizeof *r);
}

uint32_t qn_op_count_shapes(uint32_t op_index, bool small_only)
{
    if (op_index >= qn__op_row_count())
        return 0;
    const struct qn__op_row *row = qn__op_row(op_index);
    uint32_t n, n_small, count = 0;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    for (uint32_t i = 0; i < (small_only ? n_small : n); i++)
        count += qn__op_accepts(row, &shapes[i]);
    return count;
}

qn_status qn_op_check(qn_op_report *out, qn_device *dev, uint32_t op_index, uint32_t shape,
                      uint32_t repeats)
{
    QN_ARG_CHECK(out);
    memset(out, 0, sizeof *out);
    QN_ARG_CHECK(dev && op_index < qn__op_row_count());
    const struct qn__op_row *row = qn__op_row(op_index);
    uint32_t n, n_small;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    for (uint32_t i = 0; i < n; i++)
        if (qn__op_accepts(row, &shapes[i]) && shape-- == 0)
            return qn__op_run(out, dev, row, &shapes[i],
                              &(struct qn__op_run_options){.repeats = repeats});
    return qn__fail(QN_E_INVALID, "%s: shape index past the last of %u", row->info.kernel,
                    qn_op_count_shapes(op_index, false));
}
