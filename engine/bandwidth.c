/* SPDX-License-Identifier: Apache-2.0
 *
 * Read bandwidth by the kernel row_sum (bandwidth.h), on the weights themselves. */
#include "engine/bandwidth.h"

#include "base/file.h"
#include "kernels/op_rows.h"

#include <quern/module.h>
#include <quern/stream.h>
#include <string.h>

enum { ROW_WORDS = 16384, SMALL_ROW_WORDS = 64 };

struct measure {
    qn_device *dev;
    qn_module *module;
    qn_stream *stream;
    qn_addr sums;
};

static qn_status build(struct measure *m, const qn_kernel **kernel, const struct qn__op_row *row)
{
    const qn_source source = {.text = row->info.source, .path = row->info.file};
    QN_TRY(qn_module_build(&m->module, m->dev, &source, NULL, NULL));
    QN_TRY(qn_kernel_find(kernel, m->module, row->info.kernel));
    return qn_stream_create(&m->stream, m->dev, NULL);
}

static qn_status passes(double *out, struct measure *m, qn_addr memory, uint64_t bytes)
{
    const struct qn__op_row *row = qn__op_select("row_sum", QN__I32, ROW_WORDS);
    const qn_device_info *device = qn_device_get_info(m->dev);
    /* the best pass counts; on a CPU, which others use as well, there are many short ones */
    const bool is_cpu = device->device_class == QN_DEVICE_CPU;
    const uint64_t wanted = is_cpu ? 16u << 20 : 2u << 30;
    const int n_passes = is_cpu ? 40 : 5;
    const qn_kernel *kernel;
    uint32_t n = bytes >= 64 * ROW_WORDS * 4u ? ROW_WORDS : SMALL_ROW_WORDS;
    const uint64_t rows_there = bytes / (n * 4u);
    uint32_t rows = rows_there < UINT32_MAX ? (uint32_t)rows_there : UINT32_MAX;
    if (rows == 0)
        return qn__fail(QN_E_INVALID, "%llu bytes are too few to measure with",
                        (unsigned long long)bytes);
    const uint64_t read_bytes = (uint64_t)rows * n * 4;
    const uint32_t repeats = (uint32_t)(wanted / read_bytes) + 1;
    QN_TRY(build(m, &kernel, row));
    QN_TRY(qn_memory_alloc(&m->sums, m->dev, (uint64_t)rows * 4));
    void *args[] = {&m->sums, &memory, &rows, &n};
    const struct qn__work work = {.kind = row->launch, .rows = rows, .n = n};
    const qn_dims dims = qn__launch_plan(&work, device, 0);
    for (int pass = 0; pass <= n_passes; pass++) { /* the first one warms up */
        const double start = qn__now_ms();
        for (uint32_t i = 0; i < repeats; i++)
            QN_TRY(qn_stream_launch(m->stream, kernel, &dims, args));
        QN_TRY(qn_stream_sync(m->stream));
        const double rate = (double)read_bytes * repeats / (qn__now_ms() - start) * 1e-6;
        if (pass > 0 && rate > *out)
            *out = rate;
    }
    return QN_OK;
}

qn_status qn__bandwidth_measure(double *out_gb_per_s, qn_device *dev, qn_addr memory,
                                uint64_t bytes)
{
    struct measure m = {.dev = dev};
    *out_gb_per_s = 0.0;
    const qn_status s = passes(out_gb_per_s, &m, memory, bytes);
    struct qn__message kept;
    qn__message_save(&kept);
    qn_stream_destroy(m.stream);
    qn_module_close(m.module);
    qn_memory_free(dev, m.sums);
    if (s != QN_OK)
        qn__message_restore(&kept);
    return s;
}
