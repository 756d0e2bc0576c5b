/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of kernels, made from kernels.def. */
#include "kernels/op_rows.h"

#include "base/embedded.h"

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
#define QN__TILED(id, format_, launch_)                                                            \
    {.op = QN__OP_##id,                                                                            \
     .info = {.op = #id, .kernel = #id "_" #format_, .file = "tiles_" #format_ ".cu"},             \
     .dtype = QN__F32,                                                                             \
     .accepts = QN__TILE_ROW,                                                                      \
     .launch = QN__LAUNCH_##launch_},
#define QN__PRODUCT(id, format_, launch_)                                                          \
    {.op = QN__OP_##id,                                                                            \
     .info = {.op = #id, .kernel = #id "_" #format_, .file = "product_" #format_ ".cu"},           \
     .dtype = QN__F32,                                                                             \
     .accepts = QN__TILE_ROW,                                                                      \
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
        if (rows[i].info.file) /* weights_<format>.cu, tiles_<format>.cu, ...: the kernel's name
                                  ends in the format's */
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

uint32_t qn__op_row_count(void)
{
    return N_ROWS;
}

size_t qn__dtype_bytes(enum qn__dtype dtype)
{
    return dtype == QN__BYTES ? 1 : dtype == QN__F16 ? 2 : 4;
}
