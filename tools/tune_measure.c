/* SPDX-License-Identifier: Apache-2.0
 *
 * One combination on the device: see tune_measure.h. */
#include "tools/tune_measure.h"

#include "tools/bench_rows.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 3, ROUNDS = 6 };
static const double QUICK_MS = 60;

struct built {
    qn_module *module;
    const qn_kernel *kernel;
    qn_dims dims;
};

bool qn__tune_measure_open(struct qn__tune_measure *out, const struct qn__tune_space *space,
                           const struct qn__tune_job *job)
{
    *out = (struct qn__tune_measure){.job = *job, .space = space};
    qn__source_fill(&out->source, &out->job.source);
    if (strpbrk(job->kernel, "<(")) {
        out->source.names = &out->job.kernel;
        out->source.n_names = 1;
    }
    if (qn_device_open(&out->dev, job->device) != QN_OK ||
        qn_stream_create(&out->stream, out->dev, &(qn_stream_options){.timing = true}) != QN_OK) {
        qn__complain_status("tune");
        return false;
    }
    return qn__kernel_buffers_open(&out->buffers, "tune", out->dev, job->args);
}

bool qn__tune_measure_open_op(struct qn__tune_measure *out, const struct qn__tune_space *space,
                              qn_device *dev, uint32_t op, uint32_t shape)
{
    const qn_op_info *info = qn_op_get(op);
    *out = (struct qn__tune_measure){.job = {.kernel = info->kernel},
                                     .space = space,
                                     .dev = dev,
                                     .borrows_device = true,
                                     .source = {.text = info->source, .path = info->file}};
    if (qn_op_trial_open(&out->trial, dev, op, shape) != QN_OK) {
        qn__complain_status("tune");
        return false;
    }
    out->job.items = qn_op_trial_get_items(out->trial);
    return true;
}

void qn__tune_measure_close(struct qn__tune_measure *m)
{
    qn_op_trial_close(m->trial);
    qn_stream_destroy(m->stream);
    if (m->buffers.dev)
        qn__kernel_buffers_close(&m->buffers);
    if (!m->borrows_device)
        qn_device_close(m->dev);
    *m = (struct qn__tune_measure){0};
}

/* The source's defines, then the values. */
static qn_status build(struct built *out, const struct qn__tune_measure *m,
                       const struct qn__tune_point *point)
{
    const uint32_t n = m->source.n_defines;
    const struct qn__tune_space *s = m->space;
    const char **defines = calloc(n + (size_t)QN__TUNE_PARAMETERS, sizeof *defines);
    struct qn__tune_values values;
    qn_source source = m->source;
    qn_log log = {0};
    if (!defines)
        return qn__fail(QN_E_MEMORY, "out of memory");
    for (uint32_t i = 0; i < n; i++)
        defines[i] = m->source.defines[i];
    qn__tune_values_of(&values, s, point);
    for (uint32_t i = 0; i < values.n; i++)
        defines[n + i] = values.list[i];
    source.defines = defines;
    source.n_defines = n + s->n_parameters;
    qn_status status = qn_module_build(&out->module, m->dev, &source, NULL, &log);
    if (status == QN_OK)
        status = qn_kernel_find(&out->kernel, out->module, m->job.kernel);
    qn_log_release(&log);
    free(defines);
    return status;
}

static qn_status shape(struct built *out, const struct qn__tune_measure *m,
                       const struct qn__tune_point *point)
{
    struct qn__str error = {0};
    uint64_t items, blocks;
    qn_status status = QN_OK;
    out->dims = (qn_dims){.shared_bytes = m->job.shared_bytes, .grid = {1, 1, 1}};
    if (!qn__tune_shape(out->dims.block, &items, &error, m->space, point))
        status = qn__fail(QN_E_INVALID, "%s", error.text ? error.text : "out of memory");
    qn__str_release(&error);
    if (status != QN_OK)
        return status;
    blocks = m->job.items / items + (m->job.items % items != 0);
    if (blocks > UINT32_MAX)
        return qn__fail(QN_E_LIMIT, "%llu blocks are too many", (unsigned long long)blocks);
    out->dims.grid[0] = (uint32_t)blocks;
    return QN_OK;
}

static qn_status time_it(struct qn__bench_times *out, struct qn__tune_measure *m,
                         const struct built *b, double budget_ms)
{
    const struct qn__bench_pace pace = {budget_ms};
    return qn__bench_kernel(out, m->dev, m->stream, b->kernel, &b->dims,
                            m->buffers.n ? m->buffers.pointers : NULL, LAUNCHES, &pace);
}

/* A point of a shipped kernel: its result is compared with plain C's. */
static qn_status run_op(struct qn__bench_times *out, bool *right, struct qn__tune_measure *m,
                        const struct qn__tune_point *point, uint32_t capacity, bool is_known,
                        double budget_ms)
{
    struct qn__tune_values values;
    qn_op_report report;
    qn__tune_values_of(&values, m->space, point);
    const qn_status status = qn_op_trial_run(&report, out->ms, &out->n, capacity, m->trial,
                                             values.list, values.n, is_known, budget_ms);
    *right = report.passed;
    m->dims = report.dims;
    snprintf(m->shape, sizeof m->shape, "%s", report.shape);
    qn_op_report_release(&report);
    return status;
}

static void measure_op(struct qn__tune_result *out, struct qn__tune_measure *m,
                       const struct qn__tune_point *point)
{
    static struct qn__bench_times times;
    bool right;
    if (run_op(&times, &right, m, point, QN__BENCH_SAMPLES_MAX, false, QUICK_MS) != QN_OK)
        snprintf(out->error, sizeof out->error, "%s", qn_message());
    else if (!right)
        snprintf(out->error, sizeof out->error, "its result is WRONG");
    else
        out->ms = qn__bench_median(times.ms, times.n);
}

void qn__tune_measure_point(struct qn__tune_result *out, struct qn__tune_measure *m,
                            const struct qn__tune_point *point, bool is_first)
{
    static struct qn__bench_times times;
    struct built b = {0};
    bool same = true;
    *out = (struct qn__tune_result){0};
    if (m->trial) {
        measure_op(out, m, point);
        return;
    }
    qn_status status = build(&b, m, point);
    if (status == QN_OK)
        status = shape(&b, m, point);
    if (status == QN_OK && is_first &&
        !qn__kernel_buffers_fit(&m->buffers, b.kernel, m->job.kernel))
        status = qn__fail(QN_E_INVALID, "its arguments are others");
    if (status == QN_OK)
        status = qn__kernel_buffers_run(&same, &m->buffers, m->stream, b.kernel, &b.dims, is_first,
                                        m->job.tolerance);
    if (status == QN_OK && same)
        status = time_it(&times, m, &b, QUICK_MS);
    if (status != QN_OK)
        snprintf(out->error, sizeof out->error, "%s", qn_message());
    else if (!same)
        snprintf(out->error, sizeof out->error, "its outputs differ from the first combination's");
    else
        out->ms = qn__bench_median(times.ms, times.n);
    qn_module_close(b.module);
}

/* One more round of samples for one of them. */
static qn_status add_round(struct qn__bench_times *all, struct qn__tune_measure *m,
                           const struct built *b, const struct qn__tune_point *point)
{
    static struct qn__bench_times round;
    bool right;
    if (m->trial)
        QN_TRY(run_op(&round, &right, m, point, QN__BENCH_SAMPLES_MIN, true, 0));
    else
        QN_TRY(time_it(&round, m, b, 0));
    for (uint32_t i = 0; i < round.n && all->n < QN__BENCH_SAMPLES_MAX; i++)
        all->ms[all->n++] = round.ms[i];
    return QN_OK;
}

bool qn__tune_measure_in_turns(struct qn__bench_times *times, struct qn__tune_measure *m,
                               const struct qn__tune_point *points, uint32_t n)
{
    struct built *b = calloc(n + (size_t)1, sizeof *b);
    qn_status status = b ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
    for (uint32_t i = 0; i < n && status == QN_OK; i++) {
        times[i].n = 0;
        if (m->trial)
            continue;
        status = build(&b[i], m, &points[i]);
        if (status == QN_OK)
            status = shape(&b[i], m, &points[i]);
    }
    for (uint32_t round = 0; round < ROUNDS && status == QN_OK; round++)
        for (uint32_t i = 0; i < n && status == QN_OK; i++) {
            const uint32_t turn = round % 2 ? n - 1 - i : i;
            status = add_round(&times[turn], m, &b[turn], &points[turn]);
        }
    for (uint32_t i = 0; b && i < n; i++)
        qn_module_close(b[i].module);
    free(b);
    if (status != QN_OK)
        qn__complain_status("tune");
    return status == QN_OK;
}
