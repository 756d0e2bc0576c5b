/* SPDX-License-Identifier: Apache-2.0
 *
 * What is queued on a stream, as a small ring of kernels.
 *
 * The ring is what makes a fault's message name kernels. Other threads may read it (a call with
 * stream NULL waits for every stream), so its slots are atomic, and closing a module takes its
 * kernels out. */
#include "runtime/stream_queue.h"

#include "runtime/shapes.h"

#include <stdio.h>

/* -- what was queued -- */

void qn__stream_queued(qn_stream *s, const qn_kernel *const *kernels, uint32_t n)
{
    const uint32_t at = atomic_load_explicit(&s->n_recent, memory_order_relaxed);
    if (!s->is_capturing)
        atomic_store_explicit(&s->is_pending, true, memory_order_release);
    for (uint32_t i = 0; i < n; i++)
        atomic_store_explicit(&s->recent[(at + i) % QN__RECENT_MAX], kernels[i],
                              memory_order_release);
    atomic_store_explicit(&s->n_recent, at + n, memory_order_release);
}

/* -- waiting, and what a fault says -- */

enum { NAMES_BYTES = QN__MESSAGE_MAX / 2 };

/* The kernels queued on s since its last sync, "newest, older, and earlier ones"; how many names.
 */
static uint32_t recent_names(char names[NAMES_BYTES], const qn_stream *s)
{
    const uint32_t n = atomic_load_explicit(&s->n_recent, memory_order_acquire);
    const uint32_t shown = n < QN__RECENT_MAX ? n : QN__RECENT_MAX;
    uint32_t n_names = 0;
    size_t used = 0;
    names[0] = 0;
    for (uint32_t i = 0; i < shown && used < NAMES_BYTES; i++) {
        const uint32_t slot = (n - 1 - i) % QN__RECENT_MAX;
        const qn_kernel *k = atomic_load_explicit(&s->recent[slot], memory_order_acquire);
        if (!k)
            continue;
        used += (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s", used ? ", " : "",
                                 k->info.expression);
        n_names++;
    }
    if (n_names && n > shown && used < NAMES_BYTES)
        snprintf(names + used, NAMES_BYTES - used, ", and earlier ones");
    return n_names;
}

/* Put the kernels queued on s since its last sync in front of a fault's message. */
static qn_status stream_fault(qn_stream *s, qn_status status)
{
    char names[NAMES_BYTES];
    if (!recent_names(names, s))
        return status;
    return qn__fail_prefix(status, "kernels queued since the last sync, newest first: %s", names);
}

qn_status qn__stream_timeout(const qn_stream *s, uint64_t ns)
{
    char names[NAMES_BYTES];
    const double seconds = (double)ns * 1e-9;
    switch (recent_names(names, s)) {
    case 0:
        return qn__fail(QN_E_TIMEOUT, "%s: what was queued is not done after %g s",
                        s->device->info.id, seconds);
    case 1:
        return qn__fail(QN_E_TIMEOUT, "%s: %s still runs after %g s", s->device->info.id, names,
                        seconds);
    default:
        return qn__fail(QN_E_TIMEOUT,
                        "%s: still working after %g s; kernels queued since the last sync, newest "
                        "first: %s",
                        s->device->info.id, seconds, names);
    }
}

qn_status qn__stream_result(qn_stream *s, qn_status status)
{
    if (s->is_capturing) {
        s->n_captured++;
        if (status != QN_OK)
            s->capture_spoiled = "a call that failed";
    }
    return status == QN_E_FAULT ? stream_fault(s, status) : status;
}

/* The kernels queued are done: modules that want to know of new block shapes hear of it. */
static void settle_shapes(qn_stream *s)
{
    const uint32_t n = atomic_load_explicit(&s->n_recent, memory_order_acquire);
    for (uint32_t i = 0; i < n && i < QN__RECENT_MAX; i++) {
        const qn_kernel *k = atomic_load_explicit(&s->recent[i], memory_order_acquire);
        if (k && k->module->shapes)
            qn__shapes_settle(k->module->shapes, k->module);
    }
}

static qn_status wait(qn_stream *s, uint64_t ns)
{
    const qn_status status = s->device->backend->stream_wait(s, ns);
    if (status == QN_OK)
        settle_shapes(s);
    return status == QN_E_FAULT ? stream_fault(s, status) : status;
}

uint64_t qn__device_patience_ns(const qn_device *dev)
{
    const uint32_t ms = atomic_load_explicit(&dev->watchdog_ms, memory_order_relaxed);
    return ms ? (uint64_t)ms * 1000000 : QN__FOREVER;
}

qn_status qn__stream_late(qn_stream *s)
{
    atomic_store_explicit(&s->is_late, true, memory_order_release);
    return qn__stream_timeout(s, qn__device_patience_ns(s->device));
}

/* One that was late has had its time: not every call that frees something waits for it again. */
static qn_status wait_patiently(qn_stream *s)
{
    const bool was_late = atomic_load_explicit(&s->is_late, memory_order_acquire);
    const qn_status status = wait(s, was_late ? 1 : qn__device_patience_ns(s->device));
    if (status == QN_E_NOT_READY)
        return qn__stream_late(s);
    atomic_store_explicit(&s->is_late, false, memory_order_release);
    return status;
}

qn_status qn__device_wait_locked(qn_device *dev)
{
    for (qn_stream *s = dev->streams; s; s = s->next)
        if (!s->is_capturing && atomic_load_explicit(&s->is_pending, memory_order_acquire))
            QN_TRY(wait_patiently(s));
    return QN_OK;
}

qn_status qn__device_wait(qn_device *dev)
{
    pthread_mutex_lock(&dev->streams_lock);
    const qn_status s = qn__device_wait_locked(dev);
    pthread_mutex_unlock(&dev->streams_lock);
    return s;
}

bool qn__stream_settled(qn_stream *s)
{
    struct qn__message message;
    if (qn__device_patience_ns(s->device) == QN__FOREVER ||
        !atomic_load_explicit(&s->is_pending, memory_order_acquire))
        return true;
    qn__message_save(&message);
    const bool is_settled = wait_patiently(s) != QN_E_TIMEOUT;
    qn__message_restore(&message);
    return is_settled;
}

bool qn__device_settled(qn_device *dev)
{
    struct qn__message message;
    if (qn__device_patience_ns(dev) == QN__FOREVER)
        return true;
    qn__message_save(&message);
    const bool is_settled = qn__device_wait(dev) != QN_E_TIMEOUT;
    qn__message_restore(&message);
    return is_settled;
}

void qn__device_forget(qn_device *dev, const qn_module *mod)
{
    pthread_mutex_lock(&dev->streams_lock);
    for (qn_stream *s = dev->streams; s; s = s->next)
        for (uint32_t i = 0; i < QN__RECENT_MAX; i++) {
            const qn_kernel *k = atomic_load_explicit(&s->recent[i], memory_order_relaxed);
            if (k && k->module == mod)
                atomic_store_explicit(&s->recent[i], NULL, memory_order_relaxed);
        }
    pthread_mutex_unlock(&dev->streams_lock);
}

qn_status qn__stream_not_capturing(qn_stream *s, const char *what)
{
    if (!s->is_capturing)
        return QN_OK;
    s->capture_spoiled = what;
    return qn__fail(QN_E_INVALID, "%s on a stream that is being captured", what);
}

/* Everything queued is done, or the stream is beyond repair. */
static void forget_queued(qn_stream *s)
{
    atomic_store_explicit(&s->n_recent, 0, memory_order_release);
    atomic_store_explicit(&s->is_pending, false, memory_order_release);
    atomic_store_explicit(&s->is_late, false, memory_order_release);
}

qn_status qn__stream_finish(qn_stream *s, uint64_t ns)
{
    const qn_status status = wait(s, ns);
    if (status != QN_E_NOT_READY)
        forget_queued(s);
    return status;
}
