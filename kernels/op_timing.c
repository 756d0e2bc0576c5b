/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing launches by the device's events (op_timing.h). */
#include "kernels/op_timing.h"

#include "base/arena.h"
#include "base/file.h"

#include <math.h>
#include <quern/memory.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES_TIMED = 10, SAMPLES_MIN = 7, COPIES_MAX = 64, ARGS_MAX = 32, ARRAYS_MAX = 16 };
enum { FLOOD_BYTES = 256 << 20 };       /* more than the caches of most devices */
static const double ERROR_GOAL = 0.005; /* of the mean: enough samples */

struct copy {
    qn_addr memory[ARRAYS_MAX];
    qn_addr values[ARGS_MAX]; /* of arguments that are addresses in them */
    void *args[ARGS_MAX];
};

struct timing {
    const struct qn__op_launch *l;
    qn_event *begin, *end;
    qn_addr flood;
    uint64_t flood_bytes;
    struct copy *copies; /* (n_copies), the first one being the arrays themselves */
    uint64_t n_copies, at;
};

/* ---- what makes caches cold ---- */

/* The array that an address points into, or n_memory. */
static uint32_t array_of(const struct qn__op_launch *l, qn_addr address)
{
    uint32_t i = 0;
    while (i < l->n_memory &&
           (address < l->memory[i] || address >= l->memory[i] + l->memory_bytes[i]))
        i++;
    return i;
}

static qn_status make_copy(struct copy *out, const struct qn__op_launch *l)
{
    for (uint32_t i = 0; i < l->n_memory; i++) {
        QN_TRY(qn_memory_alloc(&out->memory[i], l->dev, l->memory_bytes[i]));
        QN_TRY(qn_memory_copy(l->dev, out->memory[i], l->memory[i], l->memory_bytes[i], NULL));
    }
    for (uint32_t i = 0; i < l->n_args; i++) {
        qn_addr address;
        out->args[i] = l->args[i];
        if (l->arrays[i] < 0)
            continue;
        memcpy(&address, l->args[i], sizeof address);
        const uint32_t array = array_of(l, address);
        if (array == l->n_memory)
            continue;
        out->values[i] = out->memory[array] + (address - l->memory[array]);
        out->args[i] = &out->values[i];
    }
    return QN_OK;
}

/* Copies to go around, where they are enough and there is room; else memory to write. */
static qn_status make_cold(struct timing *t)
{
    uint64_t all = 0, free_bytes = 0;
    QN_TRY(qn_device_memory(t->l->dev, &free_bytes, NULL));
    for (uint32_t i = 0; i < t->l->n_memory; i++)
        all += t->l->memory_bytes[i];
    const uint64_t wanted = all ? FLOOD_BYTES / all + 2 : 0;
    if (wanted && wanted <= COPIES_MAX && t->l->n_memory <= ARRAYS_MAX &&
        t->l->n_args <= ARGS_MAX && (wanted - 1) * all <= free_bytes / 2) {
        t->copies = qn__alloc(wanted, sizeof *t->copies);
        if (!t->copies)
            return qn__fail(QN_E_MEMORY, "no memory for %llu copies", (unsigned long long)wanted);
        memset(t->copies, 0, wanted * sizeof *t->copies);
        memcpy(t->copies[0].args, t->l->args, t->l->n_args * sizeof *t->l->args);
        t->n_copies = wanted;
        for (uint64_t k = 1; k < wanted; k++)
            QN_TRY(make_copy(&t->copies[k], t->l));
        return QN_OK;
    }
    t->flood_bytes = free_bytes / 4 < FLOOD_BYTES ? free_bytes / 4 : FLOOD_BYTES;
    return qn_memory_alloc(&t->flood, t->l->dev, t->flood_bytes);
}

static qn_status release(struct timing *t)
{
    qn_status s = QN_OK;
    qn_event_destroy(t->begin);
    qn_event_destroy(t->end);
    if (t->flood)
        s = qn_memory_free(t->l->dev, t->flood);
    for (uint64_t k = 1; k < t->n_copies; k++) /* 0 where the making ended early */
        for (uint32_t i = 0; i < t->l->n_memory; i++) {
            const qn_status freed = qn_memory_free(t->l->dev, t->copies[k].memory[i]);
            s = s == QN_OK ? freed : s;
        }
    free(t->copies);
    return s;
}

/* ---- samples ---- */

/* Between two events: ten launches, so that the events' own time (12 us on NVIDIA's OpenCL) does
 * not count as the kernel's; one when it is to find cold caches that were flooded. */
static qn_status take_sample(double *ms, struct timing *t)
{
    const int launches = t->flood ? 1 : LAUNCHES_TIMED;
    if (t->flood)
        QN_TRY(qn_memory_fill(t->l->dev, t->flood, 0, 4, t->flood_bytes / 4, t->l->stream));
    QN_TRY(qn_event_record(t->begin, t->l->stream));
    for (int k = 0; k < launches; k++) {
        void *const *args = t->copies ? t->copies[t->at++ % t->n_copies].args : t->l->args;
        QN_TRY(qn_stream_launch(t->l->stream, t->l->kernel, &t->l->dims, args));
    }
    QN_TRY(qn_event_record(t->end, t->l->stream));
    QN_TRY(qn_event_sync(t->end));
    QN_TRY(qn_event_elapsed(ms, t->begin, t->end));
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

qn_status qn__op_take_samples(struct qn__op_samples *samples, const struct qn__op_launch *launch)
{
    struct timing t = {.l = launch};
    double warm_up;
    qn_status s = samples->cold ? make_cold(&t) : QN_OK;
    const double start_ms = qn__now_ms();
    if (s == QN_OK)
        s = qn_event_create(&t.begin, launch->dev);
    if (s == QN_OK)
        s = qn_event_create(&t.end, launch->dev);
    if (s == QN_OK && samples->budget_ms > 0)
        s = take_sample(&warm_up, &t);
    for (samples->n = 0; s == QN_OK && !is_enough(samples, start_ms); samples->n++)
        s = take_sample(&samples->ms[samples->n], &t);
    samples->n_copies = t.copies ? (uint32_t)t.n_copies : 1;
    const qn_status freed = release(&t);
    return s == QN_OK ? freed : s;
}
