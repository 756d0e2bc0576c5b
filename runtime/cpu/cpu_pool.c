/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads, and how they are woken.
 *
 * A thread that found no job spins until there is another one, then sleeps (cpu_sleepers.c). */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_pool.h"

#include "base/environment.h"
#include "base/forks.h"
#include "base/log.h"
#include "base/processors.h"
#include "base/settings.h"
#include "base/threads.h"
#include "runtime/cpu/cpu_sleepers.h"

#include <errno.h>
#include <string.h>

enum { PATIENCE_NS = 3000 /* before a thread takes what others' own parts are */ };

static struct {
    pthread_mutex_t lock;  /* starting threads */
    atomic_uint n_threads; /* of ours that run */
    atomic_uint n_aloof;   /* that wait and may not help */
    bool is_refused;       /* the system gave fewer than were wanted: said once */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void forget_threads(void) /* in a forked child there are none */
{
    atomic_store(&pool.n_threads, 0);
    atomic_store(&pool.n_aloof, 0);
    qn__cpu_awake_forget();
}
QN__FORK_PART(&pool.lock, forget_threads)

/* -- how many -- */

static uint32_t n_threads, n_processors;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* More than there are processors would only take turns. */
static uint32_t n_parts_max(void)
{
    return least(n_threads, n_processors);
}

/* As many wait awake as there are processors: one more would keep another from its work. The pool's
 * have their share, a place is left for who waits. */
static bool may_spin(uint32_t number)
{
    return n_processors > 1 && number + 1 < n_processors;
}

static void count_threads(void)
{
    const uint64_t wanted = qn__setting(QN__SETTING_THREADS);
    n_processors = qn__processors();
    n_threads = wanted ? (uint32_t)wanted : n_processors;
    n_threads = least(n_threads, QN__CPU_THREADS_MAX);
    qn__cpu_awake_limit(n_processors < 2 ? 0 : n_processors - (n_parts_max() - 1));
}

uint32_t qn__cpu_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count_threads);
    return n_threads;
}

struct qn__cpu_job *qn__cpu_pool_job(void)
{
    (void)qn__cpu_threads();
    return qn__cpu_job_take(n_parts_max());
}

uint32_t qn__cpu_pool_size(void)
{
    return atomic_load(&pool.n_threads);
}

/* -- threads -- */

static bool has_news(uint32_t number, unsigned seen, uint64_t ns)
{
    return may_spin(number) &&
           qn__cpu_spin(qn__cpu_epoch(), seen, (struct qn__cpu_word){NULL, 0}, ns);
}

static void *work(void *payload)
{
    const uint32_t number = (uint32_t)(uintptr_t)payload;
    struct qn__cpu_hand hand = {.number = number, .n_threads = n_threads};
    for (;;) {
        const unsigned seen = atomic_load(qn__cpu_epoch());
        hand.is_spare = false;
        if (qn__cpu_jobs_take_part(&hand))
            continue;
        if (hand.has_passed) {
            if (has_news(number, seen, PATIENCE_NS))
                continue;
            hand.is_spare = true;
            if (qn__cpu_jobs_take_part(&hand))
                continue;
        }
        if (!has_news(number, seen, QN__CPU_AWAKE_NS))
            qn__cpu_fall_asleep(number, seen);
    }
    return NULL;
}

/* So many threads in all, as far as the system has them. */
static void start_threads(uint32_t n)
{
    if (atomic_load_explicit(&pool.n_threads, memory_order_relaxed) >= n)
        return;
    pthread_mutex_lock(&pool.lock);
    uint32_t now = atomic_load(&pool.n_threads);
    bool started = true;
    for (pthread_t t; now < n && (started = qn__thread_start(&t, work, (void *)(uintptr_t)now));
         now++) {
        pthread_detach(t);
        atomic_store(&pool.n_threads, now + 1);
    }
    const bool is_news = !started && !pool.is_refused;
    pool.is_refused |= !started;
    pthread_mutex_unlock(&pool.lock);
    if (is_news)
        qn__log(QN_LOG_WARNING, "cpu:0: %u of %u threads could be started: %s", now, n,
                strerror(EAGAIN));
}

/* The thread that waits is one of those that a grid may have. */
static uint32_t beside_waiter(uint32_t n)
{
    return n > 1 ? n - 1 : 1;
}

void qn__cpu_job_post(struct qn__cpu_job *j, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload)
{
    start_threads(beside_waiter(n_threads));
    const uint32_t n_parts = qn__cpu_job_deal(j, grid, n_parts_max(), done, payload);
    uint32_t wanted = least(n_parts, beside_waiter(n_processors));
    if (atomic_load_explicit(&pool.n_aloof, memory_order_relaxed) && wanted + 1 == n_threads)
        wanted++; /* the place of who waits is that of a thread of ours */
    qn__cpu_announce(wanted, qn__cpu_jobs_open() > 1); /* the job may be done by now */
    if (atomic_load_explicit(&pool.n_threads, memory_order_relaxed) == 0) {
        struct qn__cpu_hand hand = {.number = QN__CPU_WAITER, .n_threads = n_threads};
        (void)qn__cpu_job_take_part(j, &hand); /* the system gives no threads */
    }
}

void qn__cpu_job_wait(struct qn__cpu_job *j, bool may_help, atomic_uint *number, unsigned seen,
                      atomic_uint *sleepers, uint64_t ns)
{
    const struct qn__cpu_word word = qn__cpu_job_word(j); /* before it takes part */
    struct qn__cpu_hand hand = {.number = QN__CPU_WAITER, .n_threads = n_threads};
    if (may_help)
        (void)qn__cpu_job_take_part(j, &hand);
    atomic_fetch_add(&pool.n_aloof, !may_help);
    qn__cpu_await(number, seen, word, sleepers, ns);
    atomic_fetch_sub(&pool.n_aloof, !may_help);
}

void qn__cpu_pool_replace_waiter(void)
{
    const uint32_t n = qn__cpu_threads();
    if (atomic_load_explicit(&pool.n_threads, memory_order_relaxed) == 0)
        return;
    start_threads(n);
    qn__cpu_announce(n, true);
}
