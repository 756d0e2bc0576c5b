/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads come to a job at once and leave it at once, so they write few words that others
 * write, too: each its own part's, and the count of blocks that are left, once. Dealing out writes
 * one word for all of them, `head`: a generation, into how many units the grid is cut, and how many
 * parts they make. A part's word has a generation as well; where it is an older one than the
 * head's, nobody has taken from that part yet, and its range is what `head` says.
 *
 * A thread that was held up may come with a head that is past. Its compare-and-swap fails, as all
 * parts of a generation have been begun and emptied when it ends. What a job's other fields say is
 * read only by those who took something, so it is what belongs to it. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_job.h"

#include "base/forks.h"
#include "runtime/cpu/cpu_cost.h"
#include "runtime/cpu/cpu_sleepers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNITS_MAX = UINT16_MAX, /* of 16 bits; a unit is more than one block in a larger grid */
    SHARE = 16              /* a thread takes this part of what is left of a range at once */
};

struct part { /* generation << 32 | first unit << 16 | end */
    _Alignas(QN__CPU_LINE_BYTES) _Atomic uint64_t word;
};

struct qn__cpu_job {
    /* Written by whoever deals it out. generation << 32 | units << 16 | parts; 0 units: closed */
    _Alignas(2 * QN__CPU_LINE_BYTES) _Atomic uint64_t head;
    struct qn__cpu_grid grid;
    uint64_t n_blocks, unit; /* blocks in a unit */
    uint32_t n_parts;
    qn__cpu_job_done *done;
    void *payload;
    uint64_t dealt_ns;                                  /* 0: nothing is measured */
    atomic_bool has_fault;                              /* `fault` is filled */
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint n_left;    /* units that are not done */
    _Alignas(QN__CPU_LINE_BYTES) atomic_bool is_waited; /* who waits for it is in it */
    atomic_bool is_faulting;                            /* somebody fills `fault` */
    struct qn__cpu_fault fault;
    uint32_t n_parts_max;
    struct part *parts;
    struct qn__cpu_job *next;   /* of all */
    struct qn__cpu_job *unused; /* next of those given back */
};

static struct {
    pthread_mutex_t lock; /* taking and giving back */
    struct qn__cpu_job *_Atomic all;
    struct qn__cpu_job *unused;
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint n_open;
} jobs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a forked child: what runs is never finished (the streams say so, cpu_stream.c). */
static void close_all(void)
{
    atomic_store(&jobs.n_open, 0);
    for (struct qn__cpu_job *j = atomic_load(&jobs.all); j; j = j->next) {
        atomic_store(&j->head, atomic_load(&j->head) >> 32 << 32);
        atomic_store(&j->is_waited, false);
    }
}
QN__FORK_PART(&jobs.lock, close_all)

static uint32_t generation_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static uint32_t units_of(uint64_t head)
{
    return (uint32_t)head >> 16;
}

static uint32_t parts_of(uint64_t head)
{
    return (uint32_t)head & UINT16_MAX;
}

static uint64_t word_of(uint32_t generation, uint32_t high, uint32_t low)
{
    return (uint64_t)generation << 32 | high << 16 | low;
}

/* -- memory -- */

struct qn__cpu_job *qn__cpu_job_take(uint32_t n_parts_max)
{
    pthread_mutex_lock(&jobs.lock);
    struct qn__cpu_job *j = jobs.unused;
    if (j)
        jobs.unused = j->unused;
    pthread_mutex_unlock(&jobs.lock);
    if (j)
        return j;
    void *memory = NULL, *parts = NULL;
    if (posix_memalign(&memory, 2 * QN__CPU_LINE_BYTES, sizeof *j) != 0 ||
        posix_memalign(&parts, QN__CPU_LINE_BYTES, n_parts_max * sizeof *j->parts) != 0) {
        free(memory);
        return NULL;
    }
    j = memory;
    memset(j, 0, sizeof *j);
    memset(parts, 0, n_parts_max * sizeof *j->parts);
    j->parts = parts;
    j->n_parts_max = n_parts_max;
    pthread_mutex_lock(&jobs.lock);
    j->next = atomic_load(&jobs.all);
    atomic_store(&jobs.all, j);
    pthread_mutex_unlock(&jobs.lock);
    return j;
}

void qn__cpu_job_give(struct qn__cpu_job *j)
{
    pthread_mutex_lock(&jobs.lock);
    j->unused = jobs.unused;
    jobs.unused = j;
    pthread_mutex_unlock(&jobs.lock);
}

/* -- dealing out -- */

uint32_t qn__cpu_jobs_open(void)
{
    return atomic_load_explicit(&jobs.n_open, memory_order_relaxed);
}

struct qn__cpu_word qn__cpu_job_word(const struct qn__cpu_job *j)
{
    return (struct qn__cpu_word){&j->head, atomic_load_explicit(&j->head, memory_order_acquire)};
}

uint32_t qn__cpu_job_deal(struct qn__cpu_job *j, const struct qn__cpu_grid *grid, uint32_t n_parts,
                          qn__cpu_job_done *done, void *payload)
{
    const uint64_t before = atomic_load_explicit(&j->head, memory_order_relaxed);
    const uint32_t generation = generation_of(before) + 1;
    j->grid = *grid;
    j->done = done;
    j->payload = payload;
    j->n_blocks = qn__cpu_grid_blocks(grid);
    j->unit = (j->n_blocks + UNITS_MAX - 1) / UNITS_MAX;
    const uint32_t n_units = (uint32_t)((j->n_blocks + j->unit - 1) / j->unit);
    n_parts = n_parts < n_units ? n_parts : n_units;
    n_parts = n_parts < j->n_parts_max ? n_parts : j->n_parts_max;
    const uint32_t most = n_parts;
    if (grid->cost)
        n_parts = qn__cpu_cost_parts(grid->cost, j->n_blocks, most);
    const bool is_measured = grid->cost && qn__cpu_cost_is_due(grid->cost, n_parts < most);
    j->dealt_ns = is_measured ? qn__cpu_now_ns() : 0;
    for (uint32_t i = j->n_parts; i < n_parts; i++) /* not in use the last time */
        atomic_store_explicit(&j->parts[i].word, word_of(generation - 1, 0, 0),
                              memory_order_relaxed);
    j->n_parts = n_parts;
    if (atomic_load_explicit(&j->has_fault, memory_order_relaxed)) {
        atomic_store_explicit(&j->is_faulting, false, memory_order_relaxed);
        atomic_store_explicit(&j->has_fault, false, memory_order_relaxed);
    }
    atomic_store_explicit(&j->n_left, n_units, memory_order_relaxed);
    atomic_fetch_add_explicit(&jobs.n_open, 1, memory_order_relaxed);
    atomic_store_explicit(&j->head, word_of(generation, n_units, n_parts), memory_order_release);
    return n_parts;
}

/* -- taking part -- */

struct share { /* of a part */
    uint32_t part;
    bool is_own; /* takes from the front: its own, and one that nobody had begun */
    uint32_t begin, end;
};

/* Some more units of a part. */
static bool take(struct share *s, struct qn__cpu_job *j, uint64_t head)
{
    _Atomic uint64_t *const word = &j->parts[s->part].word;
    const uint32_t generation = generation_of(head);
    uint64_t w = atomic_load_explicit(word, memory_order_acquire), left;
    do {
        uint32_t low = (uint32_t)w >> 16, high = (uint32_t)w & UINT16_MAX;
        if (generation_of(w) != generation) {
            if ((int32_t)(generation_of(w) - generation) > 0)
                return false; /* `head` is past */
            low = units_of(head) * s->part / parts_of(head);
            high = units_of(head) * (s->part + 1) / parts_of(head);
            s->is_own = true;
        }
        if (low >= high)
            return false;
        const uint32_t n = (high - low) / SHARE + 1;
        s->begin = s->is_own ? low : high - n;
        s->end = s->begin + n;
        left = s->is_own ? word_of(generation, low + n, high) : word_of(generation, low, high - n);
    } while (!atomic_compare_exchange_weak_explicit(word, &w, left, memory_order_acq_rel,
                                                    memory_order_acquire));
    return true;
}

static void note_fault(struct qn__cpu_job *j, const struct qn__cpu_fault *fault)
{
    if (atomic_exchange(&j->is_faulting, true))
        return; /* the first one counts */
    j->fault = *fault;
    atomic_store_explicit(&j->has_fault, true, memory_order_release);
}

static void run(struct qn__cpu_job *j, const struct share *s)
{
    struct qn__cpu_fault fault;
    const uint64_t first = s->begin * j->unit;
    uint64_t last = s->end * j->unit;
    last = last < j->n_blocks ? last : j->n_blocks;
    if (!atomic_load_explicit(&j->has_fault, memory_order_relaxed) && first < last &&
        !qn__cpu_run_blocks(&fault, &j->grid, first, last))
        note_fault(j, &fault);
}

/* What a thread took first of a grid that is measured: the first thread has the work's time, the
 * last that is not the waiter's that of their meeting. Who is called then takes what is left. */
static void run_measured(struct qn__cpu_job *j, uint64_t head, const struct share *s)
{
    const uint32_t n = parts_of(head), last = n > 1 ? n - 2 : 0;
    const uint64_t begin = qn__cpu_now_ns();
    run(j, s);
    if (s->part == last)
        qn__cpu_meeting_note(n, begin - j->dealt_ns);
    if (s->part != 0)
        return;
    qn__cpu_cost_note(j->grid.cost, (s->end - s->begin) * j->unit, qn__cpu_now_ns() - begin);
    const uint32_t worth = qn__cpu_cost_parts(j->grid.cost, j->n_blocks, j->n_parts_max);
    if (worth > n) /* more than the last time */
        qn__cpu_announce(worth, false);
}

static void end(struct qn__cpu_job *j, uint64_t head)
{
    atomic_store_explicit(&j->head, head >> 32 << 32, memory_order_release);
    atomic_fetch_sub_explicit(&jobs.n_open, 1, memory_order_relaxed);
    j->done(j->payload,
            atomic_load_explicit(&j->has_fault, memory_order_acquire) ? &j->fault : NULL);
}

enum found { NOTHING, SOMETHING, THE_LAST };

/* What there is of a part; what was done is brought in at once, so that the job ends in time. */
static enum found run_part(struct qn__cpu_job *j, uint64_t head, uint32_t part, bool is_own)
{
    struct share s = {.part = part, .is_own = is_own};
    uint32_t n = 0;
    while (take(&s, j, head)) {
        if (is_own && !n && j->dealt_ns)
            run_measured(j, head, &s);
        else
            run(j, &s);
        n += s.end - s.begin;
    }
    if (!n)
        return NOTHING;
    if (atomic_fetch_sub_explicit(&j->n_left, n, memory_order_acq_rel) != n)
        return SOMETHING;
    end(j, head);
    return THE_LAST;
}

static bool take_part(struct qn__cpu_job *j, uint64_t head, struct qn__cpu_hand *hand)
{
    const uint32_t n = parts_of(head);
    const bool is_waiter = hand->number == QN__CPU_WAITER;
    const uint32_t own = is_waiter ? n - 1 : hand->number;
    const bool has_own = is_waiter ? n == j->n_parts_max : own < n;
    if (!has_own && !is_waiter && !hand->is_spare) {
        hand->has_passed = true;
        return false;
    }
    enum found all = NOTHING;
    for (uint32_t i = 0; i < n && all != THE_LAST; i++) {
        const uint32_t part = is_waiter ? n - 1 - i : (own + i) % n;
        const enum found f = run_part(j, head, part, has_own && i == 0);
        all = f > all ? f : all;
    }
    hand->spent = j;
    hand->spent_generation = generation_of(head);
    return all != NOTHING;
}

bool qn__cpu_job_take_part(struct qn__cpu_job *j, struct qn__cpu_hand *hand)
{
    const uint64_t head = atomic_load_explicit(&j->head, memory_order_acquire);
    if (!units_of(head) || (hand->spent == j && hand->spent_generation == generation_of(head)))
        return false;
    if (hand->number < hand->n_threads - 1)
        return take_part(j, head, hand);
    /* One more than the pool's others: it has the place of whoever waits. */
    if (atomic_load_explicit(&j->is_waited, memory_order_relaxed) ||
        atomic_exchange_explicit(&j->is_waited, true, memory_order_acquire))
        return false;
    struct qn__cpu_hand waiter = *hand;
    waiter.number = QN__CPU_WAITER;
    const bool any = take_part(j, head, &waiter);
    atomic_store_explicit(&j->is_waited, false, memory_order_release);
    hand->spent = waiter.spent;
    hand->spent_generation = waiter.spent_generation;
    return any;
}

bool qn__cpu_jobs_take_part(struct qn__cpu_hand *hand)
{
    bool any = false;
    hand->has_passed = false;
    for (struct qn__cpu_job *j = atomic_load_explicit(&jobs.all, memory_order_acquire); j;
         j = j->next)
        any |= qn__cpu_job_take_part(j, hand);
    return any;
}
