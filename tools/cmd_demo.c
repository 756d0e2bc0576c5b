/* SPDX-License-Identifier: Apache-2.0
 *
 * quern demo: one real kernel from its CUDA source to a checked result on whatever is here, and
 * what happened on the way. `make run` ends with it. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/op_by_name.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

struct values {
    const char *op, *device;
    bool json;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, op, "OP", "which op to show; default rmsnorm"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device to use: cuda:0, hip:1, opencl, ...; default the preferred one"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

enum { REPEATS = 20 };

/* A step is a line for people, or a field of the JSON. */
struct demo {
    uint32_t op;
    qn_device *dev;
    json_t *out; /* NULL: lines */
};

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (const char *p = text; (p = strchr(p, '\n')); p++)
        n++;
    return n;
}

static void label(const char *name)
{
    printf("%s%-12s%s ", qn__style_on(stdout, QN__STYLE_BOLD), name, qn__style_off(stdout));
}

static void show_device(const struct demo *demo)
{
    const qn_device_info *d = qn_device_get_info(demo->dev);
    char memory[QN__SIZE_TEXT];
    if (demo->out) {
        json_object_set_new(demo->out, "device",
                            json_pack("{s:s, s:o, s:s, s:s, s:I, s:I}", "id", d->id, "name",
                                      qn__json_string(d->name), "kind", d->kind, "target",
                                      d->target, "compute_units", (json_int_t)d->compute_units,
                                      "memory_bytes", (json_int_t)d->memory_total_bytes));
        return;
    }
    label("device");
    printf("%s: %s (%s, %u %s, %s)\n", d->id, d->name, d->kind, d->compute_units,
           d->device_class == QN_DEVICE_CPU ? "threads" : "compute units",
           qn__size_text(memory, d->memory_total_bytes));
}

static void show_source(const struct demo *demo)
{
    const qn_op_info *op = qn_op_get(demo->op);
    if (demo->out) {
        json_object_set_new(demo->out, "source",
                            json_pack("{s:s, s:s, s:s, s:i, s:s}", "op", op->op, "kernel",
                                      op->kernel, "file", op->file, "lines",
                                      (int)count_lines(op->source), "brief", op->brief));
        return;
    }
    label("source");
    printf("kernels/%s, %u lines: %s\n", op->file, count_lines(op->source), op->brief);
}

static void show_origin(const qn_log *log)
{
    if (log->origin == QN_ORIGIN_COMPILED)
        printf("in %.0f ms", log->ms);
    else
        printf("from the %s, no compiler was started", qn__origin_text(log->origin));
}

/* Source to image: the translation on OpenCL, the compile on CUDA and HIP. */
static bool show_compile(const struct demo *demo)
{
    const qn_op_info *op = qn_op_get(demo->op);
    const qn_source src = {.text = op->source, .path = op->file};
    char size[QN__SIZE_TEXT];
    qn_image *image = NULL;
    qn_log log = {0};
    const qn_status s = qn_compile(&image, &src, qn_device_get_info(demo->dev)->target, NULL, &log);
    const qn_image_info *info = s == QN_OK ? qn_image_get_info(image) : NULL;
    const bool is_text = info && info->kind == QN_IMAGE_OPENCL_C;
    if (!info) {
        qn__complain_build("demo", op->file, s, &log, false);
    } else if (demo->out) {
        json_object_set_new(demo->out, "compile",
                            json_pack("{s:s, s:s, s:o, s:I, s:s, s:f}", "kind",
                                      qn__image_kind_text(info->kind), "target", info->target,
                                      "compiler", qn__json_string(info->compiler), "size_bytes",
                                      (json_int_t)info->size_bytes, "origin",
                                      qn__origin_text(log.origin), "ms", log.ms));
    } else {
        label(is_text ? "translation" : "compile");
        if (is_text)
            printf("%u lines of OpenCL C for %s, ", count_lines(info->bytes), info->target);
        else
            printf("%s of %s for %s, ", qn__size_text(size, info->size_bytes),
                   qn__image_kind_text(info->kind), info->target);
        show_origin(&log);
        printf(" (%s)\n", info->compiler);
    }
    qn_log_release(&log);
    qn_image_release(image);
    return s == QN_OK;
}

/* What became of the image: this process has it in memory from show_compile(). */
static void show_build(const struct demo *demo, const qn_log *log)
{
    if (demo->out) {
        json_object_set_new(
            demo->out, "build",
            json_pack("{s:s, s:f}", "origin", qn__origin_text(log->origin), "ms", log->ms));
        return;
    }
    label("build");
    if (log->origin != QN_ORIGIN_MEMORY_CACHE)
        show_origin(log);
    else if (!strcmp(qn_device_get_info(demo->dev)->backend, "opencl"))
        printf("by the driver's own compiler, from that text");
    else
        printf("none: the driver loaded that image");
    printf("\n");
}

static void show_report(const struct demo *demo, const qn_op_report *r)
{
    show_build(demo, &r->build);
    if (demo->out) {
        json_object_set_new(demo->out, "result",
                            json_pack("{s:b, s:s, s:o}", "right", r->passed, "shape", r->shape,
                                      "error_of_tolerance", qn__json_number(r->max_error)));
        json_object_set_new(demo->out, "speed",
                            json_pack("{s:f, s:f, s:i}", "ms", r->ms, "gb_per_s", r->gb_per_s,
                                      "launches", REPEATS));
        return;
    }
    label("result");
    printf("%s%s%s for %s: the largest error is %.2f of the tolerance\n",
           qn__style_on(stdout, r->passed ? QN__STYLE_GOOD : QN__STYLE_BAD),
           r->passed ? "right" : "WRONG", qn__style_off(stdout), r->shape, r->max_error);
    label("speed");
    printf("%.3f ms, %.2f GB/s (median of %d launches)\n", r->ms, r->gb_per_s, REPEATS);
}

static bool show_check(const struct demo *demo)
{
    const uint32_t last_shape = qn_op_count_shapes(demo->op, false) - 1;
    qn_op_report report = {0};
    const qn_status s = qn_op_check(&report, demo->dev, demo->op, last_shape, REPEATS);
    if (s == QN_OK)
        show_report(demo, &report);
    else
        qn__complain_build("demo", qn_op_get(demo->op)->kernel, s, &report.build, false);
    const bool good = s == QN_OK && report.passed;
    qn_op_report_release(&report);
    return good;
}

static int run(const void *values)
{
    const struct values *v = values;
    struct demo demo = {0};
    if (!qn__op_of_word(&demo.op, "demo", v->op ? v->op : "rmsnorm"))
        return QN__EXIT_USAGE;
    if (qn_device_open(&demo.dev, v->device) != QN_OK)
        return qn__complain_status("demo");
    demo.out = v->json ? json_object() : NULL;
    show_device(&demo);
    show_source(&demo);
    bool good = show_compile(&demo) && show_check(&demo);
    if (demo.out) {
        json_object_set_new(demo.out, "ok", json_boolean(good));
        if (!good && !json_object_get(demo.out, "result"))
            json_object_set_new(demo.out, "error", qn__json_string(qn__last_complaint()));
        good &= qn__json_print(demo.out) == QN__EXIT_GOOD;
    }
    qn_device_close(demo.dev);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

const struct qn__command qn__cmd_demo = {
    .name = "demo",
    .brief = "one kernel from its CUDA source to a checked result, step by step",
    .sample = "demo\ndemo softmax --device opencl\ndemo rmsnorm --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
