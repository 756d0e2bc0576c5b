/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking times: see bench_timing.h. */
#include "tools/bench_timing.h"

#include "base/file.h"

#include <math.h>

static const double ERROR_GOAL = 0.005;

static double relative_error(const struct qn__bench_times *t)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < t->n; i++)
        sum += t->ms[i];
    for (uint32_t i = 0; i < t->n; i++)
        squares += (t->ms[i] - sum / t->n) * (t->ms[i] - sum / t->n);
    return t->n > 1 && sum > 0 ? sqrt(squares / (t->n - 1) / t->n) / (sum / t->n) : INFINITY;
}

bool qn__bench_goes_on(const struct qn__bench_times *t, const struct qn__bench_pace *pace,
                       double start_ms)
{
    if (t->n == QN__BENCH_SAMPLES_MAX)
        return false;
    return t->n < QN__BENCH_SAMPLES_MIN ||
           (qn__now_ms() - start_ms < pace->budget_ms && relative_error(t) > ERROR_GOAL);
}

static qn_status sample(double *ms, qn_stream *stream, const qn_kernel *kernel, const qn_dims *dims,
                        void *const *args, uint32_t launches, qn_event *begin, qn_event *end)
{
    qn_status s = qn_event_record(begin, stream);
    for (uint32_t i = 0; i < launches && s == QN_OK; i++)
        s = qn_stream_launch(stream, kernel, dims, args);
    if (s == QN_OK)
        s = qn_event_record(end, stream);
    if (s == QN_OK)
        s = qn_event_sync(end);
    if (s == QN_OK)
        s = qn_event_elapsed(ms, begin, end);
    *ms /= launches;
    return s;
}

qn_status qn__bench_kernel(struct qn__bench_times *out, qn_device *dev, qn_stream *stream,
                           const qn_kernel *kernel, const qn_dims *dims, void *const *args,
                           uint32_t launches, const struct qn__bench_pace *pace)
{
    qn_event *begin = NULL, *end = NULL;
    double warm_up = 0;
    qn_status s = qn_event_create(&begin, dev);
    if (s == QN_OK)
        s = qn_event_create(&end, dev);
    if (s == QN_OK)
        s = sample(&warm_up, stream, kernel, dims, args, launches, begin, end);
    const double start = qn__now_ms();
    for (out->n = 0; s == QN_OK && qn__bench_goes_on(out, pace, start); out->n++)
        s = sample(&out->ms[out->n], stream, kernel, dims, args, launches, begin, end);
    qn_event_destroy(begin);
    qn_event_destroy(end);
    return s;
}

qn_status qn__bench_host(struct qn__bench_times *out, qn_status (*work)(void *arg), void *arg,
                         uint32_t times, const struct qn__bench_pace *pace)
{
    qn_status s = work(arg);
    const double start = qn__now_ms();
    for (out->n = 0; s == QN_OK && qn__bench_goes_on(out, pace, start); out->n++) {
        const double begin = qn__now_ms();
        s = work(arg);
        out->ms[out->n] = (qn__now_ms() - begin) / times;
    }
    return s;
}

qn_status qn__bench_build(qn_module **module, const qn_kernel **kernel, qn_device *dev,
                          const char *text, const char *file, const char *name)
{
    const qn_source source = {.text = text, .path = file};
    const qn_status s = qn_module_build(module, dev, &source, NULL, NULL);
    return s == QN_OK ? qn_kernel_find(kernel, *module, name) : s;
}
