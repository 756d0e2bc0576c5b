/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads, and how they are woken.
 *
 * `epoch` counts the jobs posted. A thread that saw an epoch and found no job spins until there is
 * another one, then sleeps on a word of its own and says so with its bit in `asleep`. As long as
 * jobs follow each other closely nobody sleeps, and posting one writes nothing but the job's head
 * and the epoch. Whoever posts wakes two of those that the job has parts for, and each that was
 * woken two more, so that many are awake soon and nobody has to wake all. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_pool.h"

#include "base/environment.h"
#include "base/forks.h"
#include "base/log.h"
#include "base/processors.h"
#include "base/settings.h"
#include "base/threads.h"
#include "runtime/deadline.h"

#include <errno.h>
#include <string.h>

enum {
    BITS = 64,
    WORDS = QN__CPU_THREADS_MAX / BITS + 1,
    PATIENCE_NS = 3000 /* before a thread takes what others' own parts are */
};

static struct {
    pthread_mutex_t lock;  /* starting threads */
    atomic_uint n_threads; /* of ours that run */
    bool is_refused;       /* the system gave fewer than were wanted: said once */
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint epoch;
    atomic_uint wanted; /* threads, by the last job */
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint n_asleep;
    atomic_uint n_aloof; /* threads that wait and may not help */
    _Atomic uint64_t asleep[WORDS];
    struct place {
        _Alignas(QN__CPU_LINE_BYTES) atomic_uint word; /* changes when the thread is woken */
    } places[QN__CPU_THREADS_MAX + 1];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void forget_threads(void) /* in a forked child there are none */
{
    atomic_store(&pool.n_threads, 0);
    atomic_store(&pool.n_asleep, 0);
    atomic_store(&pool.n_aloof, 0);
    for (size_t i = 0; i < WORDS; i++)
        atomic_store(&pool.asleep[i], 0);
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

/* -- sleeping and waking -- */

static uint64_t bit_of(uint32_t number)
{
    return UINT64_C(1) << number % BITS;
}

/* False: it was awake, or somebody else has woken it. */
static bool wake_one(uint32_t number)
{
    if (!(atomic_fetch_and(&pool.asleep[number / BITS], ~bit_of(number)) & bit_of(number)))
        return false;
    atomic_fetch_add(&pool.places[number].word, 1);
    qn__cpu_wake(&pool.places[number].word);
    return true;
}

/* So many of the first `end` threads that sleep. */
static uint32_t wake_some(uint32_t n, uint32_t end)
{
    uint32_t woken = 0;
    for (uint32_t i = 0; i * BITS < end; i++) {
        uint64_t bits = atomic_load(&pool.asleep[i]);
        for (; bits && woken < n; bits &= bits - 1) {
            const uint32_t number = i * BITS + (uint32_t)__builtin_ctzll(bits);
            if (number >= end)
                return woken;
            woken += wake_one(number);
        }
    }
    return woken;
}

static void fall_asleep(uint32_t number, unsigned seen)
{
    atomic_uint *const word = &pool.places[number].word;
    const unsigned before = atomic_load(word);
    atomic_fetch_add(&pool.n_asleep, 1);
    atomic_fetch_or(&pool.asleep[number / BITS], bit_of(number));
    /* Who posts counts the epoch first and looks for those asleep then. */
    if (atomic_load(&pool.epoch) == seen)
        qn__cpu_sleep(word, before, QN__FOREVER);
    atomic_fetch_and(&pool.asleep[number / BITS], ~bit_of(number));
    atomic_fetch_sub(&pool.n_asleep, 1);
}

enum { AT_ONCE = 2 };

static void announce(uint32_t wanted)
{
    atomic_store_explicit(&pool.wanted, wanted, memory_order_relaxed);
    atomic_fetch_add(&pool.epoch, 1);
    if (!atomic_load(&pool.n_asleep))
        return;
    if (atomic_load(&pool.n_aloof) && wanted + 1 == n_threads)
        wanted++;
    /* Where other jobs run those that this one has parts for may be at them. */
    if (wake_some(AT_ONCE, wanted) == 0 && qn__cpu_jobs_open() > 1)
        wake_some(AT_ONCE, QN__CPU_THREADS_MAX + 1);
}

/* -- threads -- */

static void *work(void *payload)
{
    const uint32_t number = (uint32_t)(uintptr_t)payload;
    struct qn__cpu_hand hand = {.number = number, .n_threads = n_threads};
    for (;;) {
        const unsigned seen = atomic_load(&pool.epoch);
        hand.is_spare = false;
        if (qn__cpu_jobs_take_part(&hand))
            continue;
        if (hand.has_passed) {
            if (may_spin(number) &&
                qn__cpu_spin(&pool.epoch, seen, (struct qn__cpu_word){0}, PATIENCE_NS))
                continue;
            hand.is_spare = true;
            if (qn__cpu_jobs_take_part(&hand))
                continue;
        }
        if (may_spin(number) &&
            qn__cpu_spin(&pool.epoch, seen, (struct qn__cpu_word){0}, QN__CPU_AWAKE_NS))
            continue;
        fall_asleep(number, seen);
        wake_some(AT_ONCE, atomic_load_explicit(&pool.wanted, memory_order_relaxed));
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
    for (pthread_t t;
         now < n && (started = qn__thread_start(&t, work, (void *)(uintptr_t)now)); // NOLINT
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
    announce(least(n_parts, beside_waiter(n_processors))); /* it may be done by now */
    if (atomic_load_explicit(&pool.n_threads, memory_order_relaxed) == 0) {
        struct qn__cpu_hand hand = {.number = QN__CPU_WAITER, .n_threads = n_threads};
        (void)qn__cpu_job_take_part(j, &hand); /* the system gives no threads */
    }
}

void qn__cpu_job_wait(struct qn__cpu_job *j, bool may_help, atomic_uint *number, unsigned seen,
                      atomic_uint *sleepers, uint64_t ns)
{
    const struct qn__cpu_word word = qn__cpu_job_word(j);
    struct qn__cpu_hand hand = {.number = QN__CPU_WAITER, .n_threads = n_threads};
    if (may_help && qn__cpu_job_take_part(j, &hand))
        return;
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
    atomic_fetch_add(&pool.epoch, 1);
    wake_some(n, n);
}
