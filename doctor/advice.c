/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings for a model: the planner of the engine is asked with one setting after the other, so
 * that what is said here is what `quern run` does. */
#include "doctor/advice.h"

#include "doctor/facts.h"
#include "doctor/probe_process.h"
#include "doctor/user_language.h"

#include <quern/model.h>
#include <quern/quern.h>
#include <stdarg.h>
#include <string.h>

enum { LIMIT_S = 120, CONTEXT_USUAL = 4096 };

struct job {
    const char *model, *device;
};

static void add_setting(json_t *rows, const char *option, const char *value, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void add_setting(json_t *rows, const char *option, const char *value, const char *fmt, ...)
{
    struct qn__str reason = {0};
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(&reason, qn__tr(fmt), ap);
    va_end(ap);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o}", "option", option, "value",
                                          qn__facts_string(value), "reason",
                                          qn__facts_string(reason.text ? reason.text : "")));
    qn__str_release(&reason);
}

static double gib(uint64_t bytes)
{
    return (double)bytes / (1 << 30);
}

/* Bits of a weight, by what fits into nine tenths of the device. */
static const char *format_that_fits(const qn_model_info *info, const qn_session_plan *p)
{
    static const struct {
        const char *name;
        double bits;
    } formats[] = {{"f16", 16.0}, {"q8_0", 8.5}, {"q6_k", 6.6}, {"q5_k", 5.5},
                   {"q4_k", 4.5}, {"q3_k", 3.5}, {"q2_k", 2.7}};
    const double room =
        0.9 * (double)p->free_bytes - (double)(p->cache_bytes + p->activations_bytes);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if ((double)info->n_params * formats[i].bits / 8 <= room)
            return formats[i].name;
    return "none";
}

/* The cache type and the context: f16 as long as the trained context, at most 4096, fits. */
static void advise_memory(json_t *rows, const qn_model *m, qn_device *dev, const qn_session_plan *p,
                          const qn_session_plan *small)
{
    const qn_model_info *info = qn_model_get_info(m);
    char text[64];
    if (p->fits) {
        add_setting(rows, "weights", info->weights,
                    "%.2f GiB, all on the device: %.2f of %.2f GiB free are "
                    "needed",
                    gib(p->weights_bytes), gib(p->peak_bytes), gib(p->free_bytes));
        snprintf(text, sizeof text, "--ctx %u", p->context);
        add_setting(rows, "context", text,
                    "up to %u positions fit; trained for %u; %u is the default of at most %d",
                    p->context_max, info->context_trained, p->context, (int)CONTEXT_USUAL);
        add_setting(rows, "cache", "--cache f16", "%.2f GiB; q8_0 would halve it at a small loss",
                    gib(p->cache_bytes));
    } else if (small->fits || small->context_max >= 512) {
        snprintf(text, sizeof text, "--ctx %u",
                 small->fits ? small->context : small->context_max / 256 * 256);
        add_setting(rows, "weights", info->weights, "%.2f GiB, all on the device",
                    gib(p->weights_bytes));
        add_setting(rows, "context", text, "%.2f GiB are free: the default of %u does not fit",
                    gib(p->free_bytes), p->context);
        add_setting(rows, "cache", "--cache q8_0", "half of f16's %.2f GiB", gib(p->cache_bytes));
    } else {
        add_setting(
            rows, "weights", format_that_fits(info, p),
            "%s needs %.2f GiB, %.2f are free on %s: convert it (quern model convert), or take "
            "a smaller model",
            info->weights, gib(p->peak_bytes), gib(p->free_bytes), qn_device_get_info(dev)->id);
    }
    snprintf(text, sizeof text, "--batch %u", p->batch);
    add_setting(rows, "prompt batch", text,
                "the default of this kind of device: 256 on cpu:0, 512, 2048 "
                "on large GPUs");
}

static void advise_paths(json_t *rows, const qn_model *m, qn_device *dev)
{
    const qn_device_info *d = qn_device_get_info(dev);
    const qn_model_info *info = qn_model_get_info(m);
    if (!strcmp(d->backend, "cuda")) {
        add_setting(rows, "prompts", "tensor cores",
                    "products of quantised weights from sm_80 on, attention "
                    "for heads of 64 or 128; cuBLAS where a format has no such "
                    "kernel (--no-library leaves it out) and, with --library, for f16");
        add_setting(rows, "single tokens", "fused kernels, graph",
                    "--no-fused and --no-graph turn them off");
    } else if (!strcmp(d->backend, "hip")) {
        add_setting(rows, "prompts", "Quern's kernels",
                    "cuBLAS and the kernels for tensor cores are CUDA's "
                    "alone and are not used on ROCm; QUERN_FORCE_FUSED=1 takes the kernels");
    } else if (!strcmp(d->backend, "cpu")) {
        add_setting(rows, "products", "8-bit",
                    "activations become 8-bit integers where the weights are "
                    "quantised; --exact computes in f32");
        add_setting(rows, "threads", "all", "%u; --threads N for fewer", d->compute_units);
    }
    if (info->n_experts)
        add_setting(rows, "experts", "resident", "%u of %u read for each token",
                    info->n_experts_used, info->n_experts);
}

static json_t *advise(void *arg)
{
    const struct job *job = arg;
    json_t *out = json_object(), *rows = json_array();
    qn_model *m = NULL;
    qn_device *dev = NULL;
    qn_session_plan p, small;
    const qn_session_options thrifty = {.cache = "q8_0"};
    json_object_set_new(out, "settings", rows);
    if (qn_model_open(&m, job->model) != QN_OK || qn_device_open(&dev, job->device) != QN_OK ||
        qn_session_plan_get(&p, m, dev, NULL) != QN_OK ||
        qn_session_plan_get(&small, m, dev, &thrifty) != QN_OK) {
        qn__facts_set_text(out, "error", qn_message());
        return out;
    }
    qn__facts_set_text(out, "device", qn_device_get_info(dev)->id);
    json_object_set_new(out, "fits", json_boolean(p.fits || small.context_max >= 512));
    advise_memory(rows, m, dev, &p, &small);
    advise_paths(rows, m, dev);
    return out;
}

json_t *qn__advice(const char *model, const char *device)
{
    struct job job = {model, device};
    json_t *out = qn__child_run(advise, &job, LIMIT_S);
    qn__facts_set_text(out, "model", model);
    return out;
}
