/* SPDX-License-Identifier: Apache-2.0
 *
 * Many compiles or builds side by side: a few threads that take the next item from one list. The
 * compiling happens in helper processes, so a thread mostly waits for one. */
#include "base/error.h"
#include "base/processors.h"
#include "base/threads.h"

#include <pthread.h>
#include <quern/module.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 256 };

/* What the two public calls have in common. */
struct work {
    pthread_mutex_t lock;
    uint32_t n, next, done, failed, first_failed; /* guarded by the lock */
    bool stopped;
    /* run item i; its status and message are the item's; the second tells the caller's callback */
    qn_status (*run)(struct work *w, uint32_t i);
    bool (*tell)(struct work *w, uint32_t i);
    qn_compile_item *images;
    qn_module_item *modules;
    qn_device *dev;
    qn_compile_progress image_progress;
    qn_module_progress module_progress;
    void *payload;
};

static qn_status keep(qn_status s, qn_status *status, char **message)
{
    *status = s;
    *message = s == QN_OK ? NULL : strdup(qn_message());
    return s;
}

static qn_status run_image(struct work *w, uint32_t i)
{
    qn_compile_item *item = &w->images[i];
    return keep(qn_compile(&item->image, item->source, item->target, item->options, &item->log),
                &item->status, &item->message);
}

static bool tell_image(struct work *w, uint32_t i)
{
    return !w->image_progress || w->image_progress(w->done, w->n, &w->images[i], w->payload);
}

static qn_status run_module(struct work *w, uint32_t i)
{
    qn_module_item *item = &w->modules[i];
    return keep(qn_module_build(&item->module, w->dev, item->source, item->options, &item->log),
                &item->status, &item->message);
}

static bool tell_module(struct work *w, uint32_t i)
{
    return !w->module_progress || w->module_progress(w->done, w->n, &w->modules[i], w->payload);
}

static void *worker(void *payload)
{
    struct work *w = payload;
    pthread_mutex_lock(&w->lock);
    while (!w->stopped && w->next < w->n) {
        const uint32_t i = w->next++;
        pthread_mutex_unlock(&w->lock);
        const qn_status s = w->run(w, i);
        pthread_mutex_lock(&w->lock);
        w->done++;
        if (s != QN_OK) {
            if (w->failed++ == 0 || i < w->first_failed)
                w->first_failed = i;
        }
        if (!w->tell(w, i))
            w->stopped = true;
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void run_all(struct work *w, uint32_t workers)
{
    pthread_t threads[WORKERS_MAX];
    uint32_t n = workers ? workers : qn__processors(), started = 0;
    n = n < w->n ? n : w->n;
    n = n < WORKERS_MAX ? n : WORKERS_MAX;
    pthread_mutex_init(&w->lock, NULL);
    while (started < n && qn__thread_start(&threads[started], worker, w))
        started++;
    if (started == 0)
        worker(w);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&w->lock);
}

static qn_status first_failure(const struct work *w, qn_status status, const char *message)
{
    if (w->failed > 1)
        return qn__fail(status, "%u of %u failed; the first: %s", w->failed, w->n,
                        message ? message : "");
    return qn__fail(status, "%s", message ? message : "");
}

static qn_status stopped(const struct work *w)
{
    return qn__fail(QN_E_NOT_READY, "stopped after %u of %u", w->done, w->n);
}

qn_status qn_compile_many(qn_compile_item *items, uint32_t n, uint32_t workers,
                          qn_compile_progress progress, void *payload)
{
    QN_ARG_CHECK(items || !n);
    QN__NOT_CANCELLED;
    struct work w = {.n = n,
                     .run = run_image,
                     .tell = tell_image,
                     .images = items,
                     .image_progress = progress,
                     .payload = payload};
    for (uint32_t i = 0; i < n; i++) {
        QN_ARG_CHECK(items[i].source && items[i].target);
        items[i] = (qn_compile_item){.source = items[i].source,
                                     .target = items[i].target,
                                     .options = items[i].options,
                                     .status = QN_E_NOT_READY};
    }
    run_all(&w, workers);
    if (w.failed)
        return first_failure(&w, items[w.first_failed].status, items[w.first_failed].message);
    return w.done < n ? stopped(&w) : QN_OK;
}

qn_status qn_module_build_many(qn_device *dev, qn_module_item *items, uint32_t n, uint32_t workers,
                               qn_module_progress progress, void *payload)
{
    QN_ARG_CHECK(dev && (items || !n));
    QN__NOT_CANCELLED;
    struct work w = {.n = n,
                     .run = run_module,
                     .tell = tell_module,
                     .modules = items,
                     .dev = dev,
                     .module_progress = progress,
                     .payload = payload};
    for (uint32_t i = 0; i < n; i++) {
        QN_ARG_CHECK(items[i].source);
        items[i] = (qn_module_item){
            .source = items[i].source, .options = items[i].options, .status = QN_E_NOT_READY};
    }
    run_all(&w, workers);
    if (w.failed)
        return first_failure(&w, items[w.first_failed].status, items[w.first_failed].message);
    return w.done < n ? stopped(&w) : QN_OK;
}

void qn_compile_items_release(qn_compile_item *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        qn_image_release(items[i].image);
        qn_log_release(&items[i].log);
        free(items[i].message);
        items[i].image = NULL;
        items[i].message = NULL;
    }
}

void qn_module_items_release(qn_module_item *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        qn_module_close(items[i].module);
        qn_log_release(&items[i].log);
        free(items[i].message);
        items[i].module = NULL;
        items[i].message = NULL;
    }
}
