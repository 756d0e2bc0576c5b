/* SPDX-License-Identifier: Apache-2.0
 *
 * A case on a device: build, upload, launch, compare, time.
 *
 * Every array lies between two guards. Guards and outputs start as poison, which is NaN in f32 and
 * f16 and no valid index: an element that was not written, a write outside the output, and a read
 * outside an input all show. The output's poison differs from the inputs', because a NaN that is
 * read and added comes out with the same bits. */
#include "kernels/op_run.h"

#include "base/file.h"
#include "kernels/phase.h"
#include "kernels/product.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <quern/memory.h>
#include <quern/module.h>
#include <quern/stream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 256, INPUT_POISON = 0xff, LAUNCHES_TIMED = 10 };
enum { FLOOD_BYTES = 256 << 20, SAMPLES_MIN = 7 };
static const double ERROR_GOAL = 0.005; /* of the mean: enough samples */

struct run {
    qn_device *dev;
    const struct qn__op_row *row;
    struct qn__op_case c;
    qn_module *own; /* built for this case */
    const qn_kernel *kernel;
    qn_stream *stream;
    qn_addr memory[QN__CASE_ARRAYS]; /* guard, array, guard */
    qn_addr start[QN__CASE_ARRAYS];  /* of the array itself */
    qn_dims dims;
    void *args[QN__CASE_ARGS];
};

static uint64_t bytes_before(const struct run *r, const struct qn__op_array *a)
{
    return GUARD_BYTES + r->c.offset * qn__dtype_bytes(a->dtype);
}

static uint64_t bytes_with_guards(const struct run *r, const struct qn__op_array *a)
{
    return bytes_before(r, a) + a->n * qn__dtype_bytes(a->dtype) + GUARD_BYTES;
}

qn_status qn__op_build(qn_module **out, qn_device *dev, const struct qn__op_row *row, qn_log *log)
{
    const qn_source source = {.text = row->info.source, .path = row->info.file};
    return qn_module_build(out, dev, &source, NULL, log);
}

/* Element of the output before the kernel has written it. */
static const void *output_poison(enum qn__dtype dtype)
{
    static const uint16_t f16 = 0x7e5a;
    static const uint32_t f32 = 0x7fc5a5a5;
    return dtype == QN__F16 ? (const void *)&f16 : &f32; /* BYTES: the first one of f32's */
}

/* Allocate one array with its guards, all poison, and copy an input's values in. */
static qn_status upload(struct run *r, uint32_t index)
{
    const struct qn__op_array *a = &r->c.arrays[index];
    const uint64_t n = bytes_with_guards(r, a), before = bytes_before(r, a);
    unsigned char *host = qn__alloc(n, 1);
    if (!host)
        return qn__fail(QN_E_MEMORY, "%s: no %llu bytes for array %u", r->row->info.kernel,
                        (unsigned long long)n, index);
    memset(host, INPUT_POISON, n);
    if (a->want)
        for (uint64_t at = 0; at < n; at += qn__dtype_bytes(a->dtype))
            memcpy(host + at, output_poison(a->dtype), qn__dtype_bytes(a->dtype));
    if (a->values && a->n)
        memcpy(host + before, a->values, a->n * qn__dtype_bytes(a->dtype));
    qn_status s = qn_memory_alloc(&r->memory[index], r->dev, n);
    if (s == QN_OK)
        s = qn_memory_upload(r->dev, r->memory[index], host, n, NULL);
    r->start[index] = r->memory[index] + before;
    free(host);
    return s;
}

static void set_args(struct run *r)
{
    for (uint32_t i = 0; i < r->c.n_args; i++) {
        struct qn__op_arg *arg = &r->c.args[i];
        r->args[i] = arg->array >= 0 ? (void *)&r->start[arg->array] : (void *)&arg->value;
    }
}

double qn__op_element(enum qn__dtype dtype, const void *p)
{
    uint32_t u32;
    float f32;
    uint16_t f16;
    switch (dtype) {
    case QN__I32: memcpy(&u32, p, sizeof u32); return u32;
    case QN__BYTES: return *(const unsigned char *)p;
    case QN__F16: memcpy(&f16, p, sizeof f16); return (double)qn__float_of_half(f16);
    default: memcpy(&f32, p, sizeof f32); return (double)f32;
    }
}

double qn__op_error(double got, double want, double tolerance)
{
    if (got == want || (isnan(want) && isnan(got)))
        return 0;
    if (isnan(got) || isnan(want) || isinf(got) || isinf(want) || tolerance <= 0)
        return INFINITY;
    return fabs(got - want) / tolerance;
}

static void note(qn_op_report *out, double error, uint64_t index, double got, double want)
{
    if (error <= out->max_error && out->max_error > 0)
        return;
    out->max_error = error;
    out->worst_element = index;
    out->got = got;
    out->want = want;
}

/* Guards first: what was written outside says more than the elements it spoiled. */
static void compare(const struct run *r, const struct qn__op_array *a, qn_op_report *out,
                    const unsigned char *host)
{
    const uint64_t size = qn__dtype_bytes(a->dtype), before = bytes_before(r, a) / size;
    const uint64_t all = bytes_with_guards(r, a) / size;
    for (uint64_t i = 0; i < all; i++)
        if ((i < before || i >= before + a->n) &&
            memcmp(host + i * size, output_poison(a->dtype), size) != 0)
            note(out, INFINITY, i - before, qn__op_element(a->dtype, host + i * size), NAN);
    for (uint64_t i = 0; i < a->n; i++) {
        const unsigned char *p = host + (before + i) * size;
        const bool is_kept = isnan(a->want[i]) && memcmp(p, output_poison(a->dtype), size) == 0;
        const double got = qn__op_element(a->dtype, p), want = a->want[i];
        if (!is_kept)
            note(out, qn__op_error(got, want, a->tolerance[i]), i, got, want);
    }
}

static qn_status check_output(struct run *r, uint32_t index, qn_op_report *out)
{
    const struct qn__op_array *a = &r->c.arrays[index];
    const uint64_t n = bytes_with_guards(r, a);
    unsigned char *host = qn__alloc(n, 1);
    if (!host)
        return qn__fail(QN_E_MEMORY, "%s: no %llu bytes for the result", r->row->info.kernel,
                        (unsigned long long)n);
    const qn_status s = qn_memory_download(r->dev, host, r->memory[index], n, NULL);
    if (s == QN_OK)
        compare(r, a, out, host);
    free(host);
    return s;
}

static qn_status check(struct run *r, qn_op_report *out)
{
    QN_TRY(qn_stream_launch(r->stream, r->kernel, &r->dims, r->args));
    QN_TRY(qn_stream_sync(r->stream));
    for (uint32_t i = 0; i < r->c.n_arrays; i++)
        if (r->c.arrays[i].want)
            QN_TRY(check_output(r, i, out));
    out->passed = out->max_error <= 1.0;
    return QN_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Memory that is written before each cold launch: more than the caches of most devices. */
static qn_status make_flood(qn_addr *out, uint64_t *bytes, struct run *r)
{
    uint64_t free_bytes = 0;
    *bytes = FLOOD_BYTES;
    QN_TRY(qn_device_memory(r->dev, &free_bytes, NULL));
    if (free_bytes / 4 < *bytes)
        *bytes = free_bytes / 4;
    return qn_memory_alloc(out, r->dev, *bytes);
}

/* Between two events: ten launches, so that the events' own time (12 us on NVIDIA's OpenCL) does
 * not count as the kernel's; one when it is to find cold caches. */
static qn_status take_sample(double *ms, struct run *r, qn_event *a, qn_event *b, qn_addr flood,
                             uint64_t flood_bytes)
{
    const int launches = flood ? 1 : LAUNCHES_TIMED;
    if (flood)
        QN_TRY(qn_memory_fill(r->dev, flood, 0, 4, flood_bytes / 4, r->stream));
    QN_TRY(qn_event_record(a, r->stream));
    for (int k = 0; k < launches; k++)
        QN_TRY(qn_stream_launch(r->stream, r->kernel, &r->dims, r->args));
    QN_TRY(qn_event_record(b, r->stream));
    QN_TRY(qn_event_sync(b));
    QN_TRY(qn_event_elapsed(ms, a, b));
    *ms /= launches;
    return QN_OK;
}

/* The standard error of the mean, as a part of it. */
static double relative_error(const double *ms, uint32_t n)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += ms[i];
    for (uint32_t i = 0; i < n; i++)
        squares += (ms[i] - sum / n) * (ms[i] - sum / n);
    return n > 1 && sum > 0 ? sqrt(squares / (n - 1) / n) / (sum / n) : INFINITY;
}

static bool is_enough(const struct qn__op_samples *s, double start_ms)
{
    return s->n == s->capacity ||
           (s->budget_ms > 0 && s->n >= SAMPLES_MIN &&
            (qn__now_ms() - start_ms > s->budget_ms || relative_error(s->ms, s->n) < ERROR_GOAL));
}

static qn_status take_samples(struct run *r, struct qn__op_samples *samples)
{
    qn_event *a = NULL, *b = NULL;
    qn_addr flood = 0;
    uint64_t flood_bytes = 0;
    qn_status s = samples->cold ? make_flood(&flood, &flood_bytes, r) : QN_OK;
    double warm_up;
    const double start_ms = qn__now_ms();
    if (s == QN_OK)
        s = qn_event_create(&a, r->dev);
    if (s == QN_OK)
        s = qn_event_create(&b, r->dev);
    if (s == QN_OK && samples->budget_ms > 0)
        s = take_sample(&warm_up, r, a, b, flood, flood_bytes);
    for (samples->n = 0; s == QN_OK && !is_enough(samples, start_ms); samples->n++)
        s = take_sample(&samples->ms[samples->n], r, a, b, flood, flood_bytes);
    qn_event_destroy(a);
    qn_event_destroy(b);
    if (flood) {
        const qn_status freed = qn_memory_free(r->dev, flood);
        s = s == QN_OK ? freed : s;
    }
    return s;
}

/* The median of them and the bandwidth that it comes to. */
static qn_status time_launches(struct run *r, qn_op_report *out, struct qn__op_samples *samples)
{
    double *sorted = QN__ARENA_ARRAY(r->c.arena, double, samples->capacity);
    if (!sorted)
        return qn__fail(QN_E_MEMORY, "no memory for %u timings", samples->capacity);
    QN_TRY(take_samples(r, samples));
    memcpy(sorted, samples->ms, samples->n * sizeof *sorted);
    qsort(sorted, samples->n, sizeof *sorted, by_value);
    out->ms = samples->n ? sorted[samples->n / 2] : 0;
    out->bytes = r->c.bytes;
    out->gb_per_s = out->ms > 0 ? (double)r->c.bytes / out->ms * 1e-6 : 0;
    return QN_OK;
}

/* A kernel may allow smaller blocks than its device does. */
static qn_status plan(struct run *r, uint32_t block)
{
    qn_kernel_attributes attributes;
    qn_device_info info = *qn_device_get_info(r->dev);
    QN_TRY(qn_kernel_get_attributes(&attributes, r->kernel));
    if (attributes.block_threads_max < info.block_threads_max)
        info.block_threads_max = attributes.block_threads_max;
    r->dims = qn__launch_plan(&r->c.work, &info, block);
    if (r->c.depth_arg)
        r->c.args[r->c.depth_arg].value.u32 = qn__phase_depth(&r->c.work.tiles, &info);
    if (r->c.stages_arg)
        r->c.args[r->c.stages_arg].value.u32 =
            qn__product_stages(r->c.format, r->c.work.tiles.rows, r->c.work.tiles.tokens, &info);
    return QN_OK;
}

static qn_status run_case(struct run *r, qn_op_report *out,
                          const struct qn__op_run_options *options)
{
    const bool is_timed = options->samples && options->samples->capacity;
    if (options->in_place)
        r->c.arrays[0].values = r->c.arrays[1].values;
    if (!options->module)
        QN_TRY(qn__op_build(&r->own, r->dev, r->row, &out->build));
    QN_TRY(qn_kernel_find(&r->kernel, options->module ? options->module : r->own,
                          r->row->info.kernel));
    QN_TRY(qn_stream_create(&r->stream, r->dev, &(qn_stream_options){.timing = is_timed}));
    for (uint32_t i = 0; i < r->c.n_arrays; i++)
        QN_TRY(upload(r, i));
    if (options->in_place)
        r->start[1] = r->start[0];
    set_args(r);
    QN_TRY(plan(r, options->block));
    QN_TRY(check(r, out));
    return is_timed && out->passed ? time_launches(r, out, options->samples) : QN_OK;
}

qn_status qn__op_run(qn_op_report *out, qn_device *dev, const struct qn__op_row *row,
                     const struct qn__op_shape *shape, const struct qn__op_run_options *options)
{
    struct qn__arena arena = {0};
    struct run r = {.dev = dev, .row = row};
    struct qn__message message = {0};
    qn_status s = qn__op_case_init(&r.c, &arena, row, shape);
    snprintf(out->shape, sizeof out->shape, "%s", r.c.shape);
    if (s == QN_OK)
        s = run_case(&r, out, options);
    if (s != QN_OK) {
        out->passed = false;
        s = qn__fail_prefix(s, "%s %s", row->info.kernel, r.c.shape);
        qn__message_save(&message);
    }
    qn_stream_destroy(r.stream); /* waits for what was queued */
    for (uint32_t i = 0; i < r.c.n_arrays; i++) {
        const qn_status freed = qn_memory_free(dev, r.memory[i]);
        if (s == QN_OK && freed != QN_OK) {
            s = freed;
            qn__message_save(&message);
        }
    }
    qn_module_close(r.own);
    qn__arena_release(&arena);
    if (s != QN_OK)
        qn__message_restore(&message);
    return s;
}
