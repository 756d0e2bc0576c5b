/* SPDX-License-Identifier: Apache-2.0
 *
 * All kernels on one device: see selftest.h. */
#include "doctor/selftest.h"

#include "base/file.h"
#include "doctor/facts.h"
#include "doctor/probe_process.h"

#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    const char *device;
    unsigned limit_s;
};

static void note(json_t *bad, const qn_op_info *op, const char *shape, bool is_wrong,
                 const char *message)
{
    json_array_append_new(bad,
                          json_pack("{s:s, s:s, s:b, s:o}", "kernel", op->kernel, "shape", shape,
                                    "wrong", is_wrong, "message", qn__facts_string(message)));
}

/* False: it could not run, and neither will its other shapes. */
static bool check(json_t *bad, qn_device *dev, uint32_t op, uint32_t shape)
{
    qn_op_report report = {0};
    char text[200];
    snprintf(text, sizeof text, "while %s ran", qn_op_get(op)->kernel);
    qn__child_step(text);
    const qn_status s = qn_op_check(&report, dev, op, shape, 0);
    if (s != QN_OK) {
        note(bad, qn_op_get(op), report.shape, false, qn_message());
    } else if (!report.passed) {
        snprintf(text, sizeof text, "element %llu is %.9g instead of %.9g",
                 (unsigned long long)report.worst_element, report.got, report.want);
        note(bad, qn_op_get(op), report.shape, true, text);
    }
    qn_op_report_release(&report);
    return s == QN_OK;
}

struct pace {
    double end_ms;
};

static bool is_in_time(uint32_t done, uint32_t total, const qn_compile_item *last, void *payload)
{
    (void)done;
    (void)total;
    (void)last;
    return qn__now_ms() < ((const struct pace *)payload)->end_ms;
}

/* Compile side by side what is not in the cache, so that a first run comes to every kernel. What
 * fails here fails again below, where it is said. */
static void compile_all(const char *target, double end_ms)
{
    const uint32_t n = qn_op_count();
    struct pace pace = {end_ms};
    qn_source *sources = calloc(n, sizeof *sources);
    qn_compile_item *items = calloc(n, sizeof *items);
    uint32_t n_items = 0;
    for (uint32_t i = 0; sources && items && i < n; i++) {
        const qn_op_info *op = qn_op_get(i);
        bool is_new = true;
        for (uint32_t k = 0; k < n_items; k++)
            is_new &= sources[k].text != op->source;
        if (!is_new)
            continue;
        sources[n_items] = (qn_source){.text = op->source, .path = op->file};
        items[n_items] = (qn_compile_item){.source = &sources[n_items], .target = target};
        n_items++;
    }
    qn__child_step("while kernels were compiled");
    const qn_status s = qn_compile_many(items, n_items, 0, is_in_time, &pace);
    (void)s;
    qn_compile_items_release(items, n_items);
    free(items);
    free(sources);
}

static json_t *run_all(void *arg)
{
    const struct job *job = arg;
    const double begin = qn__now_ms(), end = begin + job->limit_s * 1e3;
    const uint32_t n = qn_op_count();
    json_t *out = json_object(), *bad = json_array();
    uint32_t n_checks = 0, n_all = 0, n_kernels = 0, rounds = 0;
    qn_device *dev = NULL;
    json_object_set_new(out, "bad", bad);
    if (qn_device_open(&dev, job->device) != QN_OK) {
        qn__facts_set_text(out, "error", qn_message());
        return out;
    }
    qn__facts_set_text(out, "device", qn_device_get_info(dev)->id);
    compile_all(qn_device_get_info(dev)->target, begin + job->limit_s * 800.0);
    for (uint32_t op = 0; op < n; op++) {
        const uint32_t shapes = qn_op_count_shapes(op, true);
        n_all += shapes;
        rounds = shapes > rounds ? shapes : rounds;
    }
    for (uint32_t shape = 0; shape < rounds && !json_array_size(bad); shape++)
        for (uint32_t op = 0; op < n && qn__now_ms() < end; op++) {
            if (shape >= qn_op_count_shapes(op, true))
                continue;
            check(bad, dev, op, shape);
            n_checks++;
            n_kernels += shape == 0;
        }
    qn__facts_set_number(out, "kernels", n_kernels);
    qn__facts_set_number(out, "kernels_all", n);
    qn__facts_set_number(out, "checks", n_checks);
    qn__facts_set_number(out, "checks_all", n_all);
    json_object_set_new(out, "seconds", json_real((qn__now_ms() - begin) / 1e3));
    return out;
}

json_t *qn__selftest(const char *device, unsigned limit_s)
{
    struct job job = {device, limit_s};
    json_t *out = qn__child_run(run_all, &job, limit_s + 120);
    if (device && !json_object_get(out, "device"))
        qn__facts_set_text(out, "device", device);
    return out;
}
