/* SPDX-License-Identifier: Apache-2.0
 *
 * The signal is SIGURG, which does nothing where nobody waits for it. It is sent again and again
 * until the thread has ended its blocks, because one that is printing, say, does not mind it. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_watchdog.h"

#include "base/forks.h"
#include "base/settings.h"
#include "base/threads.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

enum { LOOKS = 8, PAUSE_MIN_MS = 2, PAUSE_MAX_MS = 250 };

static struct {
    pthread_mutex_t lock;
    struct qn__cpu_watched *first;
    bool has_thread;
} watched = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a forked child: only the thread that called fork() is there, and it watches anew. */
static void forget(void)
{
    watched.has_thread = false;
    for (struct qn__cpu_watched *w = watched.first; w; w = w->next)
        if (!pthread_equal(w->thread, pthread_self()))
            atomic_store(&w->since_ns, 0);
}
QN__FORK_PART(&watched.lock, forget)

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t seconds;

static void look_up(void)
{
    seconds = (uint32_t)qn__setting(QN__SETTING_CPU_WATCHDOG);
}

uint32_t qn__cpu_watchdog_seconds(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return seconds;
}

/* Unless its blocks ended meanwhile. */
static void look_at(struct qn__cpu_watched *w, uint64_t limit_ns)
{
    uint64_t since = atomic_load(&w->since_ns);
    if (since != 0 && since != QN__CPU_LATE && now_ns() - since > limit_ns &&
        atomic_compare_exchange_strong(&w->since_ns, &since, QN__CPU_LATE))
        since = QN__CPU_LATE;
    if (since == QN__CPU_LATE)
        pthread_kill(w->thread, SIGURG);
}

static void *watch(void *payload)
{
    const uint64_t limit_ms = (uint64_t)qn__cpu_watchdog_seconds() * 1000;
    uint64_t ms = limit_ms / LOOKS;
    (void)payload;
    ms = ms < PAUSE_MIN_MS ? PAUSE_MIN_MS : ms > PAUSE_MAX_MS ? PAUSE_MAX_MS : ms;
    const struct timespec pause = {.tv_nsec = (long)ms * 1000000};
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&watched.lock);
        for (struct qn__cpu_watched *w = watched.first; w; w = w->next)
            look_at(w, limit_ms * 1000000);
        pthread_mutex_unlock(&watched.lock);
    }
    return NULL;
}

void qn__cpu_watch_add(struct qn__cpu_watched *w)
{
    sigset_t ours;
    w->thread = pthread_self();
    if (qn__cpu_watchdog_seconds()) { /* threads of the pool take no signals by themselves */
        sigemptyset(&ours);
        sigaddset(&ours, SIGURG);
        pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
    }
    pthread_mutex_lock(&watched.lock);
    w->prev = NULL;
    w->next = watched.first;
    if (w->next)
        w->next->prev = w;
    watched.first = w;
    pthread_mutex_unlock(&watched.lock);
}

void qn__cpu_watch_drop(struct qn__cpu_watched *w)
{
    pthread_mutex_lock(&watched.lock);
    if (w->prev)
        w->prev->next = w->next;
    else
        watched.first = w->next;
    if (w->next)
        w->next->prev = w->prev;
    pthread_mutex_unlock(&watched.lock);
}

static void start(void)
{
    pthread_t t;
    pthread_mutex_lock(&watched.lock);
    if (!watched.has_thread && qn__thread_start(&t, watch, NULL)) {
        watched.has_thread = true;
        pthread_detach(t);
    }
    pthread_mutex_unlock(&watched.lock);
}

void qn__cpu_watch_begin(struct qn__cpu_watched *w)
{
    if (!watched.has_thread)
        start();
    atomic_store(&w->since_ns, now_ns());
}

void qn__cpu_watch_end(struct qn__cpu_watched *w)
{
    atomic_store(&w->since_ns, 0);
}
