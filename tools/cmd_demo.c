/* SPDX-License-Identifier: Apache-2.0
 *
 * quern demo: one real kernel from its CUDA source to a checked result on whatever is here, and
 * what happened on the way. `make run` ends with it. */
#include "tools/commands.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

struct values {
    const char *op, *device;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, op, "OP", "which op to show; default rmsnorm"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device to use: cuda:0, hip:1, opencl, ...; default the preferred one"),
};

enum { REPEATS = 20 };

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

static bool find_op(uint32_t *out, const char *name)
{
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (!strcmp(qn_op_get(i)->op, name) || !strcmp(qn_op_get(i)->kernel, name)) {
            *out = i;
            return true;
        }
    return false;
}

static void show_device(const qn_device_info *d)
{
    char memory[QN__SIZE_TEXT];
    label("device");
    printf("%s: %s (%s, %u %s, %s)\n", d->id, d->name, d->kind, d->compute_units,
           d->device_class == QN_DEVICE_CPU ? "threads" : "compute units",
           qn__size_text(memory, d->memory_total_bytes));
}

static void show_origin(const qn_log *log)
{
    if (log->origin == QN_ORIGIN_COMPILED)
        printf("in %.0f ms", log->ms);
    else
        printf("from the %s, no compiler was started", qn__origin_text(log->origin));
}

/* Source to image: the translation on OpenCL, the compile on CUDA and HIP. */
static bool show_compile(const qn_op_info *op, const qn_device_info *device)
{
    const qn_source src = {.text = op->source, .path = op->file};
    char size[QN__SIZE_TEXT];
    qn_image *image = NULL;
    qn_log log = {0};
    const qn_status s = qn_compile(&image, &src, device->target, NULL, &log);
    if (s == QN_OK) {
        const qn_image_info *info = qn_image_get_info(image);
        const bool is_text = info->kind == QN_IMAGE_OPENCL_C;
        label(is_text ? "translation" : "compile");
        if (is_text)
            printf("%u lines of OpenCL C for %s, ", count_lines(info->bytes), info->target);
        else
            printf("%s of %s for %s, ", qn__size_text(size, info->size_bytes),
                   qn__image_kind_text(info->kind), info->target);
        show_origin(&log);
        printf(" (%s)\n", info->compiler);
    } else {
        qn__complain_build("demo", op->file, s, &log, false);
    }
    qn_log_release(&log);
    qn_image_release(image);
    return s == QN_OK;
}

/* What became of the image: this process has it in memory from show_compile(). */
static void show_build(const qn_log *log, const qn_device_info *device)
{
    label("build");
    if (log->origin != QN_ORIGIN_MEMORY_CACHE)
        show_origin(log);
    else if (!strcmp(device->backend, "opencl"))
        printf("by the driver's own compiler, from that text");
    else
        printf("none: the driver loaded that image");
    printf("\n");
}

static bool show_check(uint32_t index, qn_device *dev)
{
    const qn_op_info *op = qn_op_get(index);
    const uint32_t last_shape = qn_op_count_shapes(index, false) - 1;
    qn_op_report report = {0};
    const qn_status s = qn_op_check(&report, dev, index, last_shape, REPEATS);
    if (s == QN_OK) {
        show_build(&report.build, qn_device_get_info(dev));
        label("result");
        printf("%s%s%s for %s: the largest error is %.2f of the tolerance\n",
               qn__style_on(stdout, report.passed ? QN__STYLE_GOOD : QN__STYLE_BAD),
               report.passed ? "right" : "WRONG", qn__style_off(stdout), report.shape,
               report.max_error);
        label("speed");
        printf("%.3f ms, %.2f GB/s (median of %d launches)\n", report.ms, report.gb_per_s, REPEATS);
    } else {
        qn__complain_build("demo", op->kernel, s, &report.build, false);
    }
    const bool good = s == QN_OK && report.passed;
    qn_op_report_release(&report);
    return good;
}

static int run(const void *values)
{
    const struct values *v = values;
    const char *name = v->op ? v->op : "rmsnorm";
    uint32_t index;
    qn_device *dev;
    if (!find_op(&index, name))
        return qn__complain(QN__EXIT_USAGE, "demo: '%s' is not an op ('quern selftest' runs all)",
                            name);
    if (qn_device_open(&dev, v->device) != QN_OK)
        return qn__complain_status("demo");
    const qn_op_info *op = qn_op_get(index);
    show_device(qn_device_get_info(dev));
    label("source");
    printf("kernels/%s, %u lines: %s\n", op->file, count_lines(op->source), op->brief);
    const bool good = show_compile(op, qn_device_get_info(dev)) && show_check(index, dev);
    qn_device_close(dev);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

const struct qn__command qn__cmd_demo = {
    .name = "demo",
    .brief = "one kernel from its CUDA source to a checked result, step by step",
    .sample = "demo\ndemo softmax --device opencl",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
