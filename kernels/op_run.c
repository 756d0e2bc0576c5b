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

enum { GUARD_BYTES = 256, INPUT_POISON = 0xff };

struct qn__op_run_state {
    struct qn__arena arena;
    qn_device *dev;
    const struct qn__op_row *row;
    struct qn__op_case c;
    qn_module *own;    /* built for this case */
    qn_module *module; /* that, or one of several cases */
    const qn_kernel *kernel;
    qn_stream *stream;
    qn_addr memory[QN__CASE_ARRAYS]; /* guard, array, guard */
    qn_addr start[QN__CASE_ARRAYS];  /* of the array itself */
    qn_dims dims;
    void *args[QN__CASE_ARGS];
    bool in_place;
};

static uint64_t bytes_before(const struct qn__op_run_state *r, const struct qn__op_array *a)
{
    return GUARD_BYTES + r->c.offset * qn__dtype_bytes(a->dtype);
}

static uint64_t bytes_with_guards(const struct qn__op_run_state *r, const struct qn__op_array *a)
{
    return bytes_before(r, a) + a->n * qn__dtype_bytes(a->dtype) + GUARD_BYTES;
}

static qn_status build_chosen(qn_module **out, qn_device *dev, const struct qn__op_row *row,
                              const struct qn__op_choice *choice, qn_log *log)
{
    const qn_source source = {
        .text = row->info.source,
        .path = row->info.file,
        .defines = choice ? choice->defines : NULL,
        .n_defines = choice ? choice->n_defines : 0,
    };
    return qn_module_build(out, dev, &source, NULL, log);
}

qn_status qn__op_build(qn_module **out, qn_device *dev, const struct qn__op_row *row, qn_log *log)
{
    return build_chosen(out, dev, row, NULL, log);
}

/* Element of the output before the kernel has written it. */
static const void *output_poison(enum qn__dtype dtype)
{
    static const uint16_t f16 = 0x7e5a;
    static const uint32_t f32 = 0x7fc5a5a5;
    return dtype == QN__F16 ? (const void *)&f16 : &f32; /* BYTES: the first one of f32's */
}

/* One array with its guards, all poison, and an input's values. */
static qn_status upload(struct qn__op_run_state *r, uint32_t index)
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
    const qn_status s = qn_memory_upload(r->dev, r->memory[index], host, n, NULL);
    free(host);
    return s;
}

static void set_args(struct qn__op_run_state *r)
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
static void compare(const struct qn__op_run_state *r, const struct qn__op_array *a,
                    qn_op_report *out, const unsigned char *host)
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

static qn_status check_output(struct qn__op_run_state *r, uint32_t index, qn_op_report *out)
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

static qn_status check(struct qn__op_run_state *r, qn_op_report *out)
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

/* The median of them and the bandwidth that it comes to. */
static qn_status time_launches(struct qn__op_run_state *r, qn_op_report *out,
                               struct qn__op_samples *samples)
{
    double *sorted = qn__alloc(samples->capacity, sizeof *sorted);
    uint64_t bytes[QN__CASE_ARRAYS];
    int arrays[QN__CASE_ARGS];
    if (!sorted)
        return qn__fail(QN_E_MEMORY, "no memory for %u timings", samples->capacity);
    for (uint32_t i = 0; i < r->c.n_arrays; i++)
        bytes[i] = bytes_with_guards(r, &r->c.arrays[i]);
    for (uint32_t i = 0; i < r->c.n_args; i++)
        arrays[i] = r->c.args[i].array;
    const qn_status s =
        qn__op_take_samples(samples, &(struct qn__op_launch){.dev = r->dev,
                                                             .stream = r->stream,
                                                             .kernel = r->kernel,
                                                             .dims = r->dims,
                                                             .args = r->args,
                                                             .arrays = arrays,
                                                             .n_args = r->c.n_args,
                                                             .memory = r->memory,
                                                             .memory_bytes = bytes,
                                                             .n_memory = r->c.n_arrays});
    if (s == QN_OK) {
        memcpy(sorted, samples->ms, samples->n * sizeof *sorted);
        qsort(sorted, samples->n, sizeof *sorted, by_value);
        out->ms = samples->n ? sorted[samples->n / 2] : 0;
        out->bytes = r->c.bytes;
        out->gb_per_s = out->ms > 0 ? (double)r->c.bytes / out->ms * 1e-6 : 0;
    }
    free(sorted);
    return s;
}

/* A kernel may allow smaller blocks than its device does. */
static qn_status plan(struct qn__op_run_state *r, qn_op_report *out,
                      struct qn__launch_choice choice)
{
    qn_device_info info = *qn_device_get_info(r->dev);
    QN_TRY(qn_kernel_get_attributes(&out->attributes, r->kernel));
    if (out->attributes.block_threads_max < info.block_threads_max)
        info.block_threads_max = out->attributes.block_threads_max;
    r->dims = qn__launch_chosen(&r->c.work, &info, choice);
    out->dims = r->dims;
    out->binary_bytes = qn_image_get_info(qn_module_get_image(r->module))->size_bytes;
    const uint32_t threads = r->dims.block[0] * r->dims.block[1] * r->dims.block[2];
    QN_TRY(qn_kernel_get_occupancy(&out->occupancy, r->kernel, threads, r->dims.shared_bytes));
    qn__op_case_decide(&r->c, &info);
    return QN_OK;
}

qn_status qn__op_run_open(struct qn__op_run_state **out, qn_device *dev,
                          const struct qn__op_row *row, const struct qn__op_shape *shape,
                          bool in_place, bool with_timing)
{
    struct qn__op_run_state *r = *out = qn__alloc(1, sizeof *r);
    if (!r)
        return qn__fail(QN_E_MEMORY, "no memory for a case");
    *r = (struct qn__op_run_state){.dev = dev, .row = row, .in_place = in_place};
    QN_TRY(qn__op_case_init(&r->c, &r->arena, row, shape));
    if (in_place)
        r->c.arrays[0].values = r->c.arrays[1].values;
    QN_TRY(qn_stream_create(&r->stream, dev, &(qn_stream_options){.timing = with_timing}));
    for (uint32_t i = 0; i < r->c.n_arrays; i++) {
        const uint64_t n = bytes_with_guards(r, &r->c.arrays[i]);
        QN_TRY(qn_memory_alloc(&r->memory[i], dev, n));
        r->start[i] = r->memory[i] + bytes_before(r, &r->c.arrays[i]);
        if (!r->c.arrays[i].want) /* outputs are poisoned before each run */
            QN_TRY(upload(r, i));
    }
    if (in_place)
        r->start[1] = r->start[0];
    return QN_OK;
}

uint64_t qn__op_run_items(const struct qn__op_run_state *r)
{
    return qn__op_items(&r->c.work);
}

static qn_status run_chosen(struct qn__op_run_state *r, qn_op_report *out,
                            const struct qn__op_run_options *options,
                            const struct qn__op_choice *choice)
{
    const bool is_timed = options->samples && options->samples->capacity;
    struct qn__launch_choice launch = choice ? choice->launch : (struct qn__launch_choice){0};
    if (options->block)
        launch = (struct qn__launch_choice){.block = options->block};
    qn_module_close(r->own); /* of the run before */
    r->own = NULL;
    if (!options->module)
        QN_TRY(build_chosen(&r->own, r->dev, r->row, choice, &out->build));
    r->module = options->module ? options->module : r->own;
    QN_TRY(qn_kernel_find(&r->kernel, r->module, r->row->info.kernel));
    for (uint32_t i = 0; i < r->c.n_arrays; i++)
        if (r->c.arrays[i].want && !options->is_known)
            QN_TRY(upload(r, i));
    set_args(r);
    QN_TRY(plan(r, out, launch));
    out->passed = true;
    if (!options->is_known)
        QN_TRY(check(r, out));
    return is_timed && out->passed ? time_launches(r, out, options->samples) : QN_OK;
}

qn_status qn__op_run_once(struct qn__op_run_state *r, qn_op_report *out,
                          const struct qn__op_run_options *options)
{
    struct qn__op_choices tuned = {0};
    const struct qn__op_choice *choice = options->choice;
    qn_status s = QN_OK;
    snprintf(out->shape, sizeof out->shape, "%s", r->c.shape);
    if (!choice && !options->block && !options->module) {
        s = qn__op_choices_find(&tuned, r->dev, r->row);
        choice = qn__op_choice_for(&tuned, qn__op_run_items(r));
    }
    if (s == QN_OK)
        s = run_chosen(r, out, options, choice);
    if (s != QN_OK) {
        out->passed = false;
        s = qn__fail_prefix(s, "%s %s", r->row->info.kernel, r->c.shape);
    }
    qn__op_choices_release(&tuned);
    return s;
}

qn_status qn__op_run_close(struct qn__op_run_state *r)
{
    qn_status s = QN_OK;
    if (!r)
        return QN_OK;
    qn_stream_destroy(r->stream); /* waits for what was queued */
    for (uint32_t i = 0; i < r->c.n_arrays; i++) {
        const qn_status freed = qn_memory_free(r->dev, r->memory[i]);
        s = s == QN_OK ? freed : s;
    }
    qn_module_close(r->own);
    qn__arena_release(&r->arena);
    free(r);
    return s;
}

qn_status qn__op_run(qn_op_report *out, qn_device *dev, const struct qn__op_row *row,
                     const struct qn__op_shape *shape, const struct qn__op_run_options *options)
{
    struct qn__op_run_state *r;
    struct qn__message message = {0};
    const bool is_timed = options->samples && options->samples->capacity;
    qn_status s = qn__op_run_open(&r, dev, row, shape, options->in_place, is_timed);
    if (s != QN_OK)
        s = qn__fail_prefix(s, "%s %s", row->info.kernel, r ? r->c.shape : "");
    else
        s = qn__op_run_once(r, out, options);
    if (s != QN_OK)
        qn__message_save(&message);
    const qn_status closed = qn__op_run_close(r);
    if (s == QN_OK)
        return closed;
    out->passed = false;
    qn__message_restore(&message);
    return s;
}
