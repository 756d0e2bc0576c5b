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

static qn_status find_shape(const struct qn__op_shape **out, uint32_t op_index, uint32_t shape)
{
    const struct qn__op_row *row = qn__op_row(op_index);
    uint32_t n, n_small;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    for (uint32_t i = 0; i < n; i++)
        if (qn__op_accepts(row, &shapes[i]) && shape-- == 0) {
            *out = &shapes[i];
            return QN_OK;
        }
    return qn__fail(QN_E_INVALID, "%s: shape index past the last of %u", row->info.kernel,
                    qn_op_count_shapes(op_index, false));
}

/* The shape's case on the device, timed where there are samples to take. */
static qn_status run(qn_op_report *out, qn_device *dev, uint32_t op_index, uint32_t shape,
                     struct qn__op_samples *samples)
{
    const struct qn__op_shape *at;
    QN_TRY(find_shape(&at, op_index, shape));
    const qn_status s = qn__op_run(out, dev, qn__op_row(op_index), at,
                                   &(struct qn__op_run_options){.samples = samples});
    out->n_copies = samples ? samples->n_copies : 1;
    return s;
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

const char *qn_op_get_parameters(uint32_t op_index, qn_device *dev)
{
    return dev && op_index < qn__op_row_count()
               ? qn__op_parameters(qn__op_row(op_index), qn_device_get_info(dev))
               : "";
}

struct qn_op_trial {
    struct qn__op_run_state *run;
    qn_device *dev;
};

qn_status qn_op_trial_open(qn_op_trial **out, qn_device *dev, uint32_t op_index, uint32_t shape)
{
    QN_ARG_CHECK(out);
    *out = NULL;
    QN_ARG_CHECK(dev && op_index < qn__op_row_count());
    const struct qn__op_shape *at;
    QN_TRY(find_shape(&at, op_index, shape));
    qn_op_trial *t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for a case");
    t->dev = dev;
    const qn_status s = qn__op_run_open(&t->run, dev, qn__op_row(op_index), at, false, true);
    if (s == QN_OK) {
        *out = t;
        return QN_OK;
    }
    struct qn__message message = {0};
    qn__message_save(&message);
    qn_op_trial_close(t);
    qn__message_restore(&message);
    return s;
}

uint64_t qn_op_trial_get_items(const qn_op_trial *t)
{
    return qn__op_run_items(t->run);
}

qn_status qn_op_trial_run(qn_op_report *out, double *samples_ms, uint32_t *n, uint32_t capacity,
                          qn_op_trial *t, const char *const *values, uint32_t n_values,
                          bool is_known, double budget_ms)
{
    QN_ARG_CHECK(out && samples_ms && n && t);
    struct qn__op_choice choice;
    struct qn__op_samples samples = {
        .ms = samples_ms, .capacity = capacity, .budget_ms = budget_ms};
    memset(out, 0, sizeof *out);
    *n = 0;
    QN_TRY(qn__op_choice_read(&choice, qn_device_get_info(t->dev), values, n_values));
    const qn_status s = qn__op_run_once(
        t->run, out,
        &(struct qn__op_run_options){.samples = &samples, .choice = &choice, .is_known = is_known});
    *n = samples.n;
    out->n_copies = 1;
    return s;
}

void qn_op_trial_close(qn_op_trial *t)
{
    if (!t)
        return;
    const qn_status s = qn__op_run_close(t->run);
    (void)s; /* of memory that could not be given back; the device is closed next */
    free(t);
}
