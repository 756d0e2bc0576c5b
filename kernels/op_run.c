/* SPDX-License-Identifier: Apache-2.0
 *
 * A case on a device: build, upload, launch, compare, time.
 *
 * Every array lies between two guards. Guards and outputs start as poison, which is NaN in f32 and
 * f16 and no valid index: an element that was not written, a write outside the output, and a read
 * outside an input all show. The output's poison differs from the inputs', because a NaN that is
 * read and added comes out with the same bits. */
#include "kernels/op_run.h"

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

struct run {
    qn_device *dev;
    const struct qn__op_row *row;
    struct qn__op_case c;
    qn_module *module;
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

static qn_status build(struct run *r, qn_op_report *out)
{
    const qn_source source = {
        .text = r->row->info.source,
        .path = r->row->info.file,
    };
    QN_TRY(qn_module_build(&r->module, r->dev, &source, NULL, &out->build));
    return qn_kernel_find(&r->kernel, r->module, r->row->info.kernel);
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

/* Median over `repeats` samples. A sample is LAUNCHES_TIMED launches between two events, so that
 * the events' own time (12 us on NVIDIA's OpenCL) does not count as the kernel's. */
static qn_status time_launches(struct run *r, qn_op_report *out, uint32_t repeats)
{
    qn_event *a = NULL, *b = NULL;
    qn_status s = QN_OK;
    double *ms = QN__ARENA_ARRAY(r->c.arena, double, repeats);
    if (!ms)
        return qn__fail(QN_E_MEMORY, "no memory for %u timings", repeats);
    if ((s = qn_event_create(&a, r->dev)) || (s = qn_event_create(&b, r->dev)))
        goto out;
    for (uint32_t i = 0; i < repeats; i++) {
        if ((s = qn_event_record(a, r->stream)))
            goto out;
        for (int k = 0; k < LAUNCHES_TIMED; k++)
            if ((s = qn_stream_launch(r->stream, r->kernel, &r->dims, r->args)))
                goto out;
        if ((s = qn_event_record(b, r->stream)) || (s = qn_event_sync(b)) ||
            (s = qn_event_elapsed(&ms[i], a, b)))
            goto out;
        ms[i] /= LAUNCHES_TIMED;
    }
    qsort(ms, repeats, sizeof *ms, by_value);
    out->ms = ms[repeats / 2];
    out->gb_per_s = out->ms > 0 ? (double)r->c.bytes / out->ms * 1e-6 : 0;
out:
    qn_event_destroy(a);
    qn_event_destroy(b);
    return s;
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
    const uint32_t repeats = options->repeats;
    if (options->in_place)
        r->c.arrays[0].values = r->c.arrays[1].values;
    QN_TRY(build(r, out));
    QN_TRY(qn_stream_create(&r->stream, r->dev, &(qn_stream_options){.timing = repeats > 0}));
    for (uint32_t i = 0; i < r->c.n_arrays; i++)
        QN_TRY(upload(r, i));
    if (options->in_place)
        r->start[1] = r->start[0];
    set_args(r);
    QN_TRY(plan(r, options->block));
    QN_TRY(check(r, out));
    return repeats ? time_launches(r, out, repeats) : QN_OK;
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
    qn_module_close(r.module);
    qn__arena_release(&arena);
    if (s != QN_OK)
        qn__message_restore(&message);
    return s;
}
