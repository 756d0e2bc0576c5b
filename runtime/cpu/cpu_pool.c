/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads and jobs.
 *
 * A job's state is one word: a generation, whether it is closed, and how many threads are in it. A
 * thread enters by adding itself while the job is open, so what it then reads belongs to this
 * generation; it closes the job when there is nothing left to take, and the one who leaves a closed
 * job last ends it. Jobs are never freed, so looking at one needs no lock.
 *
 * `epoch` counts the jobs posted. A thread that saw an epoch and found no job sleeps until there is
 * another one. */
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
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS_MAX = 1024,
    LINE_BYTES = 64,
    SPIN_NS = 50000, /* awake after the last job */
    YIELD_NS = 5000, /* of these without giving way to others */
    SPINS = 64,      /* between two looks at the clock */
    SHARE = 16       /* a thread takes this part of what is left of a range at once */
};

static const uint64_t CLOSED = UINT64_C(1) << 31, ONE_GENERATION = UINT64_C(1) << 32,
                      USERS = (UINT64_C(1) << 31) - 1;

struct part { /* a range of units: begin in the upper half, end in the lower */
    _Alignas(LINE_BYTES) _Atomic uint64_t range;
};

struct qn__cpu_job {
    _Alignas(LINE_BYTES) _Atomic uint64_t state;
    _Alignas(LINE_BYTES) atomic_uint tickets;
    atomic_bool is_faulting, has_fault; /* somebody fills `fault`; it is filled */
    struct qn__cpu_grid grid;
    uint64_t n_blocks, unit; /* blocks in a unit: more than 1 in a grid of more than 2^31 */
    uint32_t n_units, n_parts;
    qn__cpu_job_done *done;
    void *payload;
    struct qn__cpu_fault fault;
    struct part *parts;         /* as many as there may be threads */
    struct qn__cpu_job *next;   /* of all */
    struct qn__cpu_job *unused; /* next of those given back */
};

static struct {
    pthread_mutex_t lock; /* starting threads, taking and giving back jobs */
    struct qn__cpu_job *_Atomic jobs;
    struct qn__cpu_job *unused;
    atomic_uint n_threads; /* of ours that run */
    bool is_refused;       /* the system gave fewer than were wanted: said once */
    _Alignas(LINE_BYTES) atomic_uint epoch;
    _Alignas(LINE_BYTES) atomic_uint sleepers;
    atomic_uint idle; /* threads of the pool that found no job: those asleep, and those that look */
    atomic_uint spinners; /* any threads */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a forked child: there are no threads, and what they were at is never finished (the streams say
 * so, cpu_stream.c). */
static void forget_threads(void)
{
    atomic_store(&pool.n_threads, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.idle, 0);
    atomic_store(&pool.spinners, 0);
    for (struct qn__cpu_job *j = atomic_load(&pool.jobs); j; j = j->next)
        atomic_store(&j->state, (atomic_load(&j->state) & ~(USERS | CLOSED)) | CLOSED);
}
QN__FORK_PART(&pool.lock, forget_threads)

/* -- how many -- */

static uint32_t n_threads, n_processors;

static void count_threads(void)
{
    const uint64_t wanted = qn__setting(QN__SETTING_THREADS);
    n_processors = qn__processors();
    n_threads = wanted ? (uint32_t)wanted : n_processors;
    if (n_threads > THREADS_MAX)
        n_threads = THREADS_MAX;
}

uint32_t qn__cpu_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count_threads);
    return n_threads;
}

uint32_t qn__cpu_pool_size(void)
{
    return atomic_load(&pool.n_threads);
}

/* -- waiting -- */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pause_processor(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static long futex(atomic_uint *word, int what, unsigned value, const struct timespec *limit)
{
    return syscall(SYS_futex, word, what | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

/* As many as there are processors: one more that spins would keep another one from its work. */
static bool begin_spin(void)
{
    if (n_processors < 2)
        return false;
    if (atomic_fetch_add(&pool.spinners, 1) < n_processors)
        return true;
    atomic_fetch_sub(&pool.spinners, 1);
    return false;
}

/* Has the number changed within that time? */
static bool spin(const atomic_uint *number, unsigned seen, uint64_t ns)
{
    const uint64_t begin = now_ns();
    uint64_t passed = 0;
    do {
        for (int i = 0; i < SPINS; i++) {
            if (atomic_load_explicit(number, memory_order_acquire) != seen)
                return true;
            pause_processor();
        }
        if (passed > YIELD_NS)
            sched_yield();
        passed = now_ns() - begin;
    } while (passed < ns);
    return false;
}

void qn__cpu_await(atomic_uint *number, unsigned seen, atomic_uint *sleepers, uint64_t ns)
{
    (void)qn__cpu_threads();
    if (begin_spin()) {
        const bool has_changed = spin(number, seen, ns < SPIN_NS ? ns : SPIN_NS);
        atomic_fetch_sub(&pool.spinners, 1);
        if (has_changed)
            return;
    }
    const struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000),
                                   .tv_nsec = (long)(ns % 1000000000)};
    atomic_fetch_add(sleepers, 1); /* before the number is looked at, by the kernel */
    futex(number, FUTEX_WAIT, seen, ns == QN__FOREVER ? NULL : &limit);
    atomic_fetch_sub(sleepers, 1);
}

static void wake(atomic_uint *number, unsigned n)
{
    futex(number, FUTEX_WAKE, n, NULL);
}

void qn__cpu_wake_all(atomic_uint *number, atomic_uint *sleepers)
{
    if (atomic_load(sleepers))
        wake(number, INT32_MAX);
}

/* -- jobs -- */

struct qn__cpu_job *qn__cpu_job_take(void)
{
    pthread_mutex_lock(&pool.lock);
    struct qn__cpu_job *j = pool.unused;
    if (j)
        pool.unused = j->unused;
    pthread_mutex_unlock(&pool.lock);
    if (j)
        return j;
    void *memory = NULL, *parts = NULL;
    const size_t n = qn__cpu_threads();
    if (posix_memalign(&memory, LINE_BYTES, sizeof *j) != 0 ||
        posix_memalign(&parts, LINE_BYTES, n * sizeof *j->parts) != 0) {
        free(memory);
        return NULL;
    }
    j = memory;
    memset(j, 0, sizeof *j);
    j->parts = parts;
    memset(j->parts, 0, n * sizeof *j->parts);
    atomic_init(&j->state, CLOSED);
    pthread_mutex_lock(&pool.lock);
    j->next = atomic_load(&pool.jobs);
    atomic_store(&pool.jobs, j);
    pthread_mutex_unlock(&pool.lock);
    return j;
}

void qn__cpu_job_give(struct qn__cpu_job *j)
{
    pthread_mutex_lock(&pool.lock);
    j->unused = pool.unused;
    pool.unused = j;
    pthread_mutex_unlock(&pool.lock);
}

/* Whoever waits is one thread more than the pool's, but no grid has more than it may. */
static bool enter(struct qn__cpu_job *j)
{
    uint64_t s = atomic_load_explicit(&j->state, memory_order_acquire);
    do {
        if (s & CLOSED || (s & USERS) >= n_threads)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&j->state, &s, s + 1, memory_order_acq_rel,
                                                    memory_order_acquire));
    return true;
}

static void leave(struct qn__cpu_job *j)
{
    atomic_fetch_or_explicit(&j->state, CLOSED, memory_order_acq_rel);
    const uint64_t s = atomic_fetch_sub_explicit(&j->state, 1, memory_order_acq_rel);
    if ((s & USERS) == 1)
        j->done(j->payload,
                atomic_load_explicit(&j->has_fault, memory_order_acquire) ? &j->fault : NULL);
}

/* Some of a part's units: its own thread takes from the front, others from the back. */
static bool take(struct part *p, bool from_front, uint32_t *begin, uint32_t *end)
{
    uint64_t r = atomic_load_explicit(&p->range, memory_order_relaxed), left;
    do {
        const uint32_t low = (uint32_t)(r >> 32), high = (uint32_t)r;
        if (low >= high)
            return false;
        const uint32_t n = (high - low) / SHARE + 1;
        *begin = from_front ? low : high - n;
        *end = *begin + n;
        left = from_front ? (uint64_t)(low + n) << 32 | high : (uint64_t)low << 32 | (high - n);
    } while (!atomic_compare_exchange_weak_explicit(&p->range, &r, left, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return true;
}

static void note_fault(struct qn__cpu_job *j, const struct qn__cpu_fault *fault)
{
    if (atomic_exchange(&j->is_faulting, true))
        return; /* the first one counts */
    j->fault = *fault;
    atomic_store_explicit(&j->has_fault, true, memory_order_release);
}

static void run_some(struct qn__cpu_job *j, uint32_t begin, uint32_t end)
{
    struct qn__cpu_fault fault;
    const uint64_t first = begin * j->unit;
    uint64_t last = end * j->unit;
    last = last < j->n_blocks ? last : j->n_blocks;
    if (first < last && !qn__cpu_run_blocks(&fault, &j->grid, first, last))
        note_fault(j, &fault);
}

bool qn__cpu_job_help(struct qn__cpu_job *j)
{
    uint32_t begin, end;
    if (!enter(j))
        return false;
    const uint32_t own =
        atomic_fetch_add_explicit(&j->tickets, 1, memory_order_relaxed) % j->n_parts;
    for (uint32_t i = 0; i < j->n_parts; i++) {
        struct part *p = &j->parts[(own + i) % j->n_parts];
        while (!atomic_load_explicit(&j->has_fault, memory_order_relaxed) &&
               take(p, i == 0, &begin, &end))
            run_some(j, begin, end);
    }
    leave(j);
    return true;
}

/* -- threads -- */

static bool help_any(void)
{
    bool any = false;
    for (struct qn__cpu_job *j = atomic_load_explicit(&pool.jobs, memory_order_acquire); j;
         j = j->next)
        any |= qn__cpu_job_help(j);
    return any;
}

static void *work(void *payload)
{
    (void)payload;
    for (;;) {
        const unsigned seen = atomic_load(&pool.epoch);
        if (help_any())
            continue;
        atomic_fetch_add(&pool.idle, 1);
        qn__cpu_await(&pool.epoch, seen, &pool.sleepers, QN__FOREVER);
        atomic_fetch_sub(&pool.idle, 1);
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
    for (pthread_t t; now < n && (started = qn__thread_start(&t, work, NULL)); now++) {
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

/* Those that look for jobs will see this one, others may be at another grid. More than there are
 * processors would only take turns at it. */
static void wake_for(uint32_t n)
{
    const uint32_t most = beside_waiter(n_processors), wanted = n < most ? n : most;
    const uint32_t asleep = atomic_load(&pool.sleepers), idle = atomic_load(&pool.idle);
    const uint32_t looking = idle > asleep ? idle - asleep : 0;
    if (asleep && looking < wanted)
        wake(&pool.epoch, wanted - looking);
}

void qn__cpu_job_post(struct qn__cpu_job *j, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload)
{
    enum { UNITS_MAX = INT32_MAX };
    const uint32_t usual = beside_waiter(qn__cpu_threads());
    j->grid = *grid;
    j->done = done;
    j->payload = payload;
    j->n_blocks = qn__cpu_grid_blocks(grid);
    j->unit = (j->n_blocks + UNITS_MAX - 1) / UNITS_MAX;
    j->n_units = (uint32_t)((j->n_blocks + j->unit - 1) / j->unit);
    const uint32_t n_units = j->n_units;
    j->n_parts = n_threads < n_processors ? n_threads : n_processors; /* more take from these */
    j->n_parts = j->n_parts < j->n_units ? j->n_parts : j->n_units;
    for (uint32_t i = 0; i < j->n_parts; i++) {
        const uint64_t begin = (uint64_t)j->n_units * i / j->n_parts;
        const uint64_t end = (uint64_t)j->n_units * (i + 1) / j->n_parts;
        atomic_store_explicit(&j->parts[i].range, begin << 32 | end, memory_order_relaxed);
    }
    atomic_store_explicit(&j->tickets, 0, memory_order_relaxed);
    atomic_store_explicit(&j->is_faulting, false, memory_order_relaxed);
    atomic_store_explicit(&j->has_fault, false, memory_order_relaxed);
    const uint64_t state = atomic_load_explicit(&j->state, memory_order_relaxed);
    atomic_store_explicit(&j->state, ((state & ~(USERS | CLOSED)) + ONE_GENERATION),
                          memory_order_release);
    start_threads(usual);
    atomic_fetch_add(&pool.epoch, 1);
    wake_for(n_units < usual ? n_units : usual); /* the job may be done, and be another's by now */
    if (atomic_load(&pool.n_threads) == 0)
        (void)qn__cpu_job_help(j); /* the system gives no threads */
}

void qn__cpu_pool_replace_waiter(void)
{
    const uint32_t n = qn__cpu_threads();
    if (atomic_load_explicit(&pool.n_threads, memory_order_relaxed) == 0)
        return;
    start_threads(n);
    wake_for(n);
}
