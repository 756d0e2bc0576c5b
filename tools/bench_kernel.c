/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's kernel at several block sizes: see bench_kernel.h. Each block size begins with the same
 * values in all buffers; what comes out of the first is what the others are compared with. */
#include "tools/bench_kernel.h"

#include "base/file.h"
#include "tools/bench_builds.h"
#include "tools/bench_rows.h"
#include "tools/kernel_buffers.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

static const double CACHES_BYTES = 256 << 20;

struct session {
    const struct qn__bench_kernel_job *job;
    const struct qn__bench_pace *pace;
    qn_device *dev;
    qn_stream *stream;
    qn_module *module;
    const qn_kernel *kernel;
    struct qn__source_options source_options;
    qn_source source; /* points into them */
    struct qn__kernel_buffers buffers;
    struct qn__bench_times times;
};

bool qn__bench_split(char **file, char **kernel, const char *word)
{
    for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':')) {
        *file = strndup(word, (size_t)(colon - word));
        if (*file && colon[1] && qn__file_exists(*file) && !qn__file_is_dir(*file)) {
            *kernel = strdup(colon + 1);
            return *kernel != NULL;
        }
        free(*file);
    }
    *file = *kernel = NULL;
    return false;
}

static bool build(struct session *s)
{
    const struct qn__bench_kernel_job *job = s->job;
    const bool is_expression = strpbrk(job->kernel, "<(") != NULL;
    qn_log log = {0};
    s->source_options = (struct qn__source_options){.file = job->file,
                                                    .defines = *job->defines,
                                                    .includes = *job->includes,
                                                    .options = *job->options};
    qn__source_fill(&s->source, &s->source_options);
    s->source.names = is_expression ? &job->kernel : NULL;
    s->source.n_names = is_expression ? 1 : 0;
    const qn_status status = qn_module_build(&s->module, s->dev, &s->source, NULL, &log);
    if (status != QN_OK)
        qn__complain_build("bench", job->file, status, &log, false);
    qn_log_release(&log);
    if (status == QN_OK && qn_kernel_find(&s->kernel, s->module, job->kernel) != QN_OK) {
        qn__complain_status("bench: %s", job->file);
        return false;
    }
    return status == QN_OK;
}

static bool open_all(struct session *s)
{
    if (!qn__kernel_buffers_open(&s->buffers, "bench", s->dev, s->job->args) || !build(s) ||
        !qn__kernel_buffers_fit(&s->buffers, s->kernel, s->job->kernel))
        return false;
    if (qn_stream_create(&s->stream, s->dev, &(qn_stream_options){.timing = true}) == QN_OK)
        return true;
    qn__complain_status("bench");
    return false;
}

static void measure(json_t *rows, struct session *s, const qn_dims *dims, bool is_first)
{
    const uint64_t threads = (uint64_t)dims->block[0] * dims->block[1] * dims->block[2];
    char shape[128];
    bool same = true;
    snprintf(shape, sizeof shape, "grid %u,%u,%u block %u,%u,%u (%llu)", dims->grid[0],
             dims->grid[1], dims->grid[2], dims->block[0], dims->block[1], dims->block[2],
             (unsigned long long)threads);
    struct qn__bench_launch launch;
    qn__bench_describe_launch(&launch, s->module, s->kernel, dims);
    struct qn__bench_row row = {
        .kind = "kernel",
        .what = s->job->kernel,
        .shape = shape,
        .caches = "warm",
        .device = qn_device_get_info(s->dev)->id,
        .unit = s->job->operations > 0 ? "GFLOP/s" : "GB/s",
        .amount = (s->job->operations > 0 ? s->job->operations : s->buffers.bytes) * 1e-9,
        .ms = s->times.ms,
        .launch = &launch};
    if (s->job->operations > 0)
        row.roof = qn__bench_rate(rows, row.device, "f32");
    else if (s->buffers.bytes >=
             CACHES_BYTES) /* what fits into caches is no share of the memory's rate */
        row.roof = qn__bench_rate(rows, row.device, "read");
    qn_status status =
        qn__kernel_buffers_run(&same, &s->buffers, s->stream, s->kernel, dims, is_first, 0);
    s->times.n = 0;
    if (status == QN_OK)
        status = qn__bench_kernel(&s->times, s->dev, s->stream, s->kernel, dims,
                                  s->buffers.n ? s->buffers.pointers : NULL, 10, s->pace);
    row.n = s->times.n;
    if (status != QN_OK)
        qn__bench_add_error(rows, &row, qn_message());
    else if (!same)
        qn__bench_add_error(rows, &row, "its outputs differ from the first block size's");
    else {
        qn__bench_add(rows, &row);
        json_t *added = json_array_get(rows, json_array_size(rows) - 1);
        json_object_set_new(added, "bytes", json_real(s->buffers.bytes));
        if (s->job->operations > 0)
            json_object_set_new(added, "operations", json_real(s->job->operations));
    }
}

/* Of one block size; false after a complaint. */
static bool dims_of(qn_dims *out, const struct qn__bench_kernel_job *job, const char *block)
{
    *out = (qn_dims){.shared_bytes = (uint32_t)job->shared_bytes};
    if (qn__launch_axes_parse(out->block, "block", block) != QN_OK ||
        (job->grid && qn__launch_axes_parse(out->grid, "grid", job->grid) != QN_OK)) {
        qn__complain_status("bench");
        return false;
    }
    if (!job->grid) {
        const uint64_t threads = (uint64_t)out->block[0] * out->block[1] * out->block[2];
        out->grid[0] = (uint32_t)((job->items + threads - 1) / threads);
        out->grid[1] = out->grid[2] = 1;
    }
    return true;
}

static bool measure_all(json_t *rows, struct session *s)
{
    static const char *const usual[] = {"64", "128", "256", "512"};
    const uint32_t n = s->job->blocks->n ? s->job->blocks->n : 4;
    for (uint32_t i = 0; i < n; i++) {
        qn_dims dims;
        if (!dims_of(&dims, s->job, s->job->blocks->n ? s->job->blocks->items[i] : usual[i]))
            return false;
        measure(rows, s, &dims, i == 0);
    }
    return true;
}

bool qn__bench_user_kernel(json_t *rows, qn_device *dev, const struct qn__bench_kernel_job *job,
                           const struct qn__bench_pace *pace)
{
    struct session *s = calloc(1, sizeof *s);
    bool good = s != NULL;
    if (!s)
        return qn__complain(false, "out of memory");
    *s = (struct session){.job = job, .pace = pace, .dev = dev};
    good = open_all(s) && (!job->builds || qn__bench_builds(rows, dev, &s->source, job->kernel)) &&
           measure_all(rows, s);
    qn_stream_destroy(s->stream);
    qn__kernel_buffers_close(&s->buffers);
    qn_module_close(s->module);
    free(s);
    return good;
}
