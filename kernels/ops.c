/* SPDX-License-Identifier: Apache-2.0
 *
 * The public list of ops (quern/ops.h), and the way from a public index to a case: op_rows.c has
 * the list, op_case.c builds a case, op_run.c runs it. */
#include "kernels/op_run.h"

#include <stdlib.h>
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

/* The shape's case on the device, timed where there are samples to take. */
static qn_status run(qn_op_report *out, qn_device *dev, uint32_t op_index, uint32_t shape,
                     struct qn__op_samples *samples)
{
    const struct qn__op_row *row = qn__op_row(op_index);
    uint32_t n, n_small;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    for (uint32_t i = 0; i < n; i++)
        if (qn__op_accepts(row, &shapes[i]) && shape-- == 0)
            return qn__op_run(out, dev, row, &shapes[i],
                              &(struct qn__op_run_options){.samples = samples});
    return qn__fail(QN_E_INVALID, "%s: shape index past the last of %u", row->info.kernel,
                    qn_op_count_shapes(op_index, false));
}

qn_status qn_op_check(qn_op_report *out, qn_device *dev, uint32_t op_index, uint32_t shape,
                      uint32_t repeats)
{
    QN_ARG_CHECK(out);
    memset(out, 0, sizeof *out);
    QN_ARG_CHECK(dev && op_index < qn__op_row_count());
    if (!repeats)
        return run(out, dev, op_index, shape, NULL);
    struct qn__op_samples samples = {.ms = qn__alloc(repeats, sizeof(double)), .capacity = repeats};
    if (!samples.ms)
        return qn__fail(QN_E_MEMORY, "no memory for %u timings", repeats);
    const qn_status s = run(out, dev, op_index, shape, &samples);
    free(samples.ms);
    return s;
}

qn_status qn_op_measure(qn_op_report *out, double *samples_ms, uint32_t *n, uint32_t capacity,
                        qn_device *dev, uint32_t op_index, uint32_t shape, bool cold,
                        double budget_ms)
{
    QN_ARG_CHECK(out && samples_ms && n);
    memset(out, 0, sizeof *out);
    *n = 0;
    QN_ARG_CHECK(dev && op_index < qn__op_row_count());
    struct qn__op_samples samples = {
        .ms = samples_ms, .capacity = capacity, .budget_ms = budget_ms, .cold = cold};
    const qn_status s = run(out, dev, op_index, shape, &samples);
    *n = samples.n;
    return s;
}
