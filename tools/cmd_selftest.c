/* SPDX-License-Identifier: Apache-2.0
 *
 * quern selftest: is this device's arithmetic right? Every kernel that ships with Quern runs on it
 * and is compared with its reference in plain C. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

struct values {
    const char *op, *device;
    bool all_shapes, json;
    uint64_t repeat;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, op, "OP",
                         "an op (rmsnorm) or one kernel of it (rmsnorm_f32); default all"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device to test: cuda:0, hip:1, opencl, ...; default the preferred one"),
    QN__FLAG(struct values, all_shapes, 'a', "all-shapes", "large shapes too"),
    QN__NUMBER(struct values, repeat, 'n', "repeat", 0, 10000, 0,
               "timed launches of each kernel and shape"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

struct totals {
    uint32_t n_checks, n_wrong, n_errors;
    json_t *rows; /* NULL: print text */
};

static void show(const qn_op_info *op, const qn_op_report *r, struct totals *totals)
{
    if (totals->rows) {
        json_array_append_new(
            totals->rows,
            json_pack("{s:s, s:s, s:s, s:b, s:o, s:I, s:o, s:o, s:f, s:f, s:s, s:f}", "op", op->op,
                      "kernel", op->kernel, "shape", r->shape, "passed", r->passed, "max_error",
                      qn__json_number(r->max_error), "worst_element", (json_int_t)r->worst_element,
                      "got", qn__json_number(r->got), "want", qn__json_number(r->want), "ms", r->ms,
                      "gb_per_s", r->gb_per_s, "build", qn__origin_text(r->build.origin),
                      "build_ms", r->build.ms));
        return;
    }
    printf("%s%s%s %-20s %-28s error %5.2f of tolerance",
           qn__style_on(stdout, r->passed ? QN__STYLE_GOOD : QN__STYLE_BAD),
           r->passed ? "right" : "WRONG", qn__style_off(stdout), op->kernel, r->shape,
           r->max_error);
    if (r->ms > 0)
        printf("  %9.4f ms %8.2f GB/s", r->ms, r->gb_per_s);
    if (!r->passed)
        printf("\n      element %llu: got %.9g, want %.9g", (unsigned long long)r->worst_element,
               r->got, r->want);
    printf("\n");
    fflush(stdout); /* a driver may bring the process down at the next shape */
}

static void show_error(const qn_op_info *op, qn_status s, const qn_op_report *r,
                       struct totals *totals)
{
    if (totals->rows)
        json_array_append_new(totals->rows,
                              json_pack("{s:s, s:s, s:b, s:s, s:o}", "op", op->op, "kernel",
                                        op->kernel, "passed", 0, "status", qn_status_name(s),
                                        "message", qn__json_string(qn_message())));
    qn__complain_build("selftest", op->kernel, s, &r->build, false);
}

static void check_op(const struct values *v, qn_device *dev, uint32_t index, struct totals *totals)
{
    const qn_op_info *op = qn_op_get(index);
    const uint32_t n_shapes = qn_op_count_shapes(index, !v->all_shapes);
    for (uint32_t shape = 0; shape < n_shapes; shape++) {
        qn_op_report report = {0};
        qn__progress(index, qn_op_count(), "%s, shape %u of %u", op->kernel, shape + 1, n_shapes);
        const qn_status s = qn_op_check(&report, dev, index, shape, (uint32_t)v->repeat);
        qn__progress_clear();
        totals->n_checks++;
        if (s == QN_OK) {
            totals->n_wrong += !report.passed;
            show(op, &report, totals);
        } else {
            totals->n_errors++;
            show_error(op, s, &report, totals);
        }
        qn_op_report_release(&report);
        if (s != QN_OK)
            break; /* its other shapes would say the same */
    }
}

static bool is_wanted(const struct values *v, const qn_op_info *op)
{
    return !v->op || !strcmp(v->op, op->op) || !strcmp(v->op, op->kernel);
}

static int complain_unknown(const char *name)
{
    struct qn__str list = {0};
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (i == 0 || strcmp(qn_op_get(i)->op, qn_op_get(i - 1)->op))
            qn__str_printf(&list, "%s%s", i ? ", " : "", qn_op_get(i)->op);
    qn__complain(0, "selftest: '%s' is not an op (there are %s)", name, list.text);
    qn__str_release(&list);
    return QN__EXIT_USAGE;
}

static int finish(const qn_device_info *device, struct totals *totals)
{
    if (totals->rows) {
        const int status = qn__json_print(json_pack(
            "{s:o, s:o, s:i, s:i, s:i, s:o}", "device", qn__json_string(device->id), "name",
            qn__json_string(device->name), "checks", (int)totals->n_checks, "wrong",
            (int)totals->n_wrong, "errors", (int)totals->n_errors, "results", totals->rows));
        if (status)
            return status;
    } else {
        printf("%s %s: %u checks, %u wrong, %u could not run\n", device->id, device->name,
               totals->n_checks, totals->n_wrong, totals->n_errors);
    }
    return totals->n_wrong || totals->n_errors ? QN__EXIT_FAILED : QN__EXIT_GOOD;
}

static int run(const void *values)
{
    const struct values *v = values;
    uint32_t n_wanted = 0;
    for (uint32_t i = 0; i < qn_op_count(); i++)
        n_wanted += is_wanted(v, qn_op_get(i));
    if (!n_wanted)
        return complain_unknown(v->op ? v->op : "");
    qn_device *dev;
    if (qn_device_open(&dev, v->device) != QN_OK)
        return qn__complain_status("selftest");
    struct totals totals = {.rows = v->json ? json_array() : NULL};
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (is_wanted(v, qn_op_get(i)))
            check_op(v, dev, i, &totals);
    const int status = finish(qn_device_get_info(dev), &totals);
    qn_device_close(dev);
    return status;
}

const struct qn__command qn__cmd_selftest = {
    .name = "selftest",
    .brief = "run every shipped kernel on a device and compare with plain C",
    .about = "Build each kernel that ships with Quern for the device, run it on skewed values over "
             "odd sizes, and compare with a C reference that accumulates in double. The error is "
             "given as a share of the tolerance in the kernel's contract; above 1 is wrong.",
    .sample = "selftest\nselftest rmsnorm --device opencl --all-shapes --repeat 20\n"
              "selftest --device cuda:0 --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
