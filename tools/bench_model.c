/* SPDX-License-Identifier: Apache-2.0
 *
 * Prompt and generation of a model: see bench_model.h. The tokens are made up, the same in each
 * run; the first run of each kind is not counted. */
#include "tools/bench_model.h"

#include "base/file.h"
#include "tools/bench_rows.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <math.h>
#include <quern/model.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS_MAX = 100 };

struct run {
    const struct qn__bench_model_job *job;
    qn_model *model;
    qn_session *session;
    qn_sampler *sampler;
    int32_t *ids; /* as many as the longest prompt or depth */
    const char *device, *device_name, *driver;
    json_t *rows, *runs;
    double ms[REPEATS_MAX];
};

/* Fed and finished. */
static qn_status feed(struct run *r, const int32_t *ids, uint32_t n)
{
    const float *logits;
    const qn_status s = qn_session_feed(r->session, ids, n);
    return s == QN_OK ? qn_session_logits(r->session, &logits) : s;
}

static qn_status go_to(struct run *r, uint32_t depth)
{
    qn_status s = qn_session_rewind(r->session, 0);
    return s == QN_OK && depth ? feed(r, r->ids, depth) : s;
}

/* Each token chosen by the model, fed, and the next chosen. */
static qn_status write_tokens(struct run *r, uint32_t n)
{
    int32_t id = r->ids[0];
    qn_status s = QN_OK;
    for (uint32_t i = 0; i < n && s == QN_OK; i++) {
        s = qn_session_feed(r->session, &id, 1);
        if (s == QN_OK)
            s = qn_session_sample(&id, r->session, r->sampler);
    }
    return s;
}

static qn_status once(double *ms, struct run *r, uint32_t n_prompt, uint32_t n_tokens,
                      uint32_t depth)
{
    const qn_status there = go_to(r, depth);
    if (there != QN_OK)
        return there;
    const double begin = qn__now_ms();
    const qn_status s = n_prompt ? feed(r, r->ids, n_prompt) : write_tokens(r, n_tokens);
    *ms = qn__now_ms() - begin;
    return s;
}

static json_t *list_of(const double *v, uint32_t n, double factor, double over)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, over > 0 ? json_real(over / v[i])
                                             : json_integer((json_int_t)(v[i] * factor)));
    return list;
}

static double deviation(const double *v, uint32_t n, double over)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += over > 0 ? over / v[i] : v[i];
    for (uint32_t i = 0; i < n; i++) {
        const double x = (over > 0 ? over / v[i] : v[i]) - sum / n;
        squares += x * x;
    }
    return n > 1 ? sqrt(squares / (n - 1)) : 0;
}

static void add_run(struct run *r, uint32_t n_prompt, uint32_t n_tokens, uint32_t depth, uint32_t n)
{
    const qn_model_info *info = qn_model_get_info(r->model);
    const qn_session_info *session = qn_session_get_info(r->session);
    const double tokens = n_prompt ? n_prompt : n_tokens;
    double total = 0, best = 0, worst = 0;
    char when[32], type[160];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(type, sizeof type, "%s %.1fB %s", info->family, (double)info->n_params * 1e-9,
             info->weights);
    for (uint32_t i = 0; i < n; i++) {
        total += r->ms[i];
        best = tokens / r->ms[i] > best ? tokens / r->ms[i] : best;
        worst = i == 0 || tokens / r->ms[i] < worst ? tokens / r->ms[i] : worst;
    }
    json_t *o = json_pack(
        "{s:s, s:s, s:o, s:s, s:o, s:o, s:s, s:I, s:I, s:i, s:i, s:i, s:s, s:s}", "build_commit",
        qn_version(), "backends", r->device, "gpu_info", qn__json_string(r->device_name),
        "cpu_info", "", "driver", qn__json_string(r->driver), "model_filename",
        qn__json_string(r->job->model), "model_type", type, "model_size",
        (json_int_t)info->file_bytes, "model_n_params", (json_int_t)info->n_params, "n_batch",
        (int)session->plan.batch, "n_ubatch", (int)session->plan.batch, "n_gpu_layers",
        (int)info->n_layers, "type_k", r->job->cache ? r->job->cache : "f16", "type_v",
        r->job->cache ? r->job->cache : "f16");
    json_t *rest = json_pack(
        "{s:b, s:i, s:i, s:i, s:s, s:I, s:I, s:f, s:f, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:I}",
        "flash_attn", 1, "n_prompt", (int)n_prompt, "n_gen", (int)n_tokens, "n_depth", (int)depth,
        "test_time", when, "avg_ns", (json_int_t)(total / n * 1e6), "stddev_ns",
        (json_int_t)(deviation(r->ms, n, 0) * 1e6), "avg_ts", tokens * 1e3 * n / total, "stddev_ts",
        deviation(r->ms, n, tokens * 1e3), "samples_ns", list_of(r->ms, n, 1e6, 0), "samples_ts",
        list_of(r->ms, n, 0, tokens * 1e3), "tokens_per_sec", tokens * 1e3 * n / total,
        "min_tokens_per_sec", worst * 1e3, "max_tokens_per_sec", best * 1e3, "avg_latency",
        total / n / tokens * 1e-3, "total_time", total * 1e-3, "total_tokens",
        (json_int_t)(tokens * n));
    json_object_update_new(o, rest);
    json_array_append_new(r->runs, o);
}

static bool measure(struct run *r, uint32_t n_prompt, uint32_t n_tokens, uint32_t depth)
{
    char what[48], shape[48];
    const uint32_t n = r->job->repeats < REPEATS_MAX ? r->job->repeats : REPEATS_MAX;
    const char *name = qn__path_base(r->job->model);
    snprintf(what, sizeof what, "%s%u", n_prompt ? "pp" : "tg", n_prompt ? n_prompt : n_tokens);
    snprintf(shape, sizeof shape, "%.30s @%u", name, depth);
    struct qn__bench_row row = {.kind = "model",
                                .what = what,
                                .shape = shape,
                                .caches = "",
                                .device = r->device,
                                .unit = "tok/s",
                                .amount = n_prompt ? n_prompt : n_tokens,
                                .ms = r->ms,
                                .n = n};
    double ignored;
    qn_status s = once(&ignored, r, n_prompt, n_tokens, depth);
    for (uint32_t i = 0; i < n && s == QN_OK; i++) {
        qn__progress(i, n, "%s at %u", what, depth);
        s = once(&r->ms[i], r, n_prompt, n_tokens, depth);
    }
    qn__progress_clear();
    if (s != QN_OK) {
        qn__bench_add_error(r->rows, &row, qn_message());
        return false;
    }
    qn__bench_add(r->rows, &row);
    add_run(r, n_prompt, n_tokens, depth, n);
    return true;
}

static bool open_model(struct run *r, qn_device *dev, uint32_t longest)
{
    const qn_session_options options = {.context = longest, .cache = r->job->cache};
    if (qn_model_open(&r->model, r->job->model) != QN_OK)
        return false;
    const uint32_t n_vocab = qn_model_get_info(r->model)->n_vocab;
    r->ids = malloc((longest + 1) * sizeof *r->ids);
    for (uint32_t i = 0, seed = 1; r->ids && i <= longest; i++) {
        seed = seed * 1664525u + 1013904223u;
        r->ids[i] = (int32_t)((seed >> 8) % n_vocab);
    }
    return r->ids && qn_sampler_create(&r->sampler, NULL) == QN_OK &&
           qn_session_create(&r->session, r->model, dev, &options) == QN_OK;
}

bool qn__bench_model(json_t *rows, json_t *runs, qn_device *dev,
                     const struct qn__bench_model_job *job)
{
    const qn_device_info *info = qn_device_get_info(dev);
    struct run r = {.job = job,
                    .rows = rows,
                    .runs = runs,
                    .device = info->id,
                    .device_name = info->name,
                    .driver = info->driver};
    uint32_t longest = 0;
    for (uint32_t i = 0; i < job->n_depths; i++)
        longest = job->depths[i] > longest ? job->depths[i] : longest;
    longest += job->n_prompt > job->n_tokens ? job->n_prompt : job->n_tokens;
    bool good = open_model(&r, dev, longest + 1);
    if (!good)
        qn__complain_status("bench: %s", job->model);
    for (uint32_t i = 0; good && i < job->n_depths; i++) {
        if (job->n_prompt)
            good &= measure(&r, job->n_prompt, 0, job->depths[i]);
        if (job->n_tokens)
            good &= measure(&r, 0, job->n_tokens, job->depths[i]);
    }
    qn_session_destroy(r.session);
    qn_sampler_destroy(r.sampler);
    qn_model_close(r.model);
    free(r.ids);
    return good;
}
