/* SPDX-License-Identifier: Apache-2.0
 *
 * The public list of ops (quern/ops.h), made from kernels.def, and the way from a public index to a
 * case: op_case.c builds it, op_run.c runs it. */
#include "base/embedded.h"
#include "kernels/op_case.h"

#include <pthread.h>
#include <string.h>

static struct qn__op_row rows[] = {
#define QN__KERNEL(id, kernel_, dtype_, accepts_, launch_)                                         \
    {.op = QN__OP_##id,                                                                            \
     .info = {.op = #id, .kernel = #kernel_},                                                      \
     .dtype = QN__##dtype_,                                                                        \
     .accepts = QN__##accepts_,                                                                    \
     .launch = QN__LAUNCH_##launch_},
#define QN__WEIGHTS(id, format_, launch_)                                                          \
    {.op = QN__OP_##id,                                                                            \
     .info = {.op = #id, .kernel = #id "_" #format_, .file = "weights_" #format_ ".cu"},           \
     .dtype = QN__F32,                                                                             \
     .accepts = QN__ANY,                                                                           \
     .launch = QN__LAUNCH_##launch_},
#include "kernels/kernels.def"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const struct {
    const char *file, *formula;
} ops[] = {
#define QN__OP(op, file, formula) {file, formula},
#include "kernels/kernels.def"
};

/* What a static table cannot hold: the embedded texts have no constant address. */
static void complete_rows(void)
{
    for (uint32_t i = 0; i < N_ROWS; i++) {
        if (rows[i].info.file) /* weights_<format>.cu: the kernel's name ends in the format's */
            rows[i].format = qn__format_find(rows[i].info.kernel + strlen(rows[i].info.op) + 1);
        else
            rows[i].info.file = ops[rows[i].op].file;
        const struct qn__embedded *e = qn__embedded_find(qn__kernel_sources, rows[i].info.file);
        rows[i].info.brief = ops[rows[i].op].formula;
        rows[i].info.source = e ? e->text : "";
    }
}

const struct qn__op_row *qn__op_row(uint32_t index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, complete_rows);
    return &rows[index];
}

const struct qn__op_row *qn__op_select(const char *op, enum qn__dtype dtype, uint64_t n)
{
    for (uint32_t i = 0; i < N_ROWS; i++) {
        const struct qn__op_row *row = qn__op_row(i);
        if (strcmp(row->info.op, op) == 0 && row->dtype == dtype &&
            (row->accepts == QN__ANY || n <= QN__SHORT_ROW_ELEMS))
            return row;
    }
    return NULL;
}

uint32_t qn_op_count(void)
{
    return N_ROWS;
}

const qn_op_info *qn_op_get(uint32_t index)
{
    return index < N_ROWS ? &qn__op_row(index)->info : NULL;
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
    if (op_index >= N_ROWS)
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
    QN_ARG_CHECK(dev && op_index < N_ROWS);
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
