/* SPDX-License-Identifier: Apache-2.0
 *
 * All threads are there before the first of them begins, so that a launch fails before any block
 * has run. Who ends last tells the stream, and frees. */
#include "runtime/cpu/cpu_crew.h"

#include "base/arena.h"
#include "base/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order { WAIT, RUN, GO_HOME };

struct qn__cpu_crew {
    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t ordered, phase_began;
    enum order order;
    uint32_t n_threads, n_blocks; /* n_threads: that have not gone; in the end none */
    uint32_t n_met, n_ended;      /* blocks in this phase's grid.sync(); that are over */
    uint64_t phase;
    bool has_fault;
    struct qn__cpu_fault fault;
    uint32_t next; /* block that the next thread takes */
    struct qn__cpu_grid grid;
    qn__cpu_job_done *done;
    void *payload;
    _Alignas(64) unsigned char words[QN__CPU_GRID_BYTES];
};

/* The first one counts; those who wait end. */
static void note_fault(struct qn__cpu_crew *c, const struct qn__cpu_fault *fault)
{
    if (!c->has_fault)
        c->fault = *fault;
    c->has_fault = true;
    pthread_cond_broadcast(&c->phase_began);
}

/* Nobody is left who could still come. */
static void look_at_phase(struct qn__cpu_crew *c)
{
    if (c->n_met == 0 || c->n_met + c->n_ended < c->n_blocks)
        return;
    if (c->n_ended) {
        struct qn__cpu_fault fault = {.line = 0};
        snprintf(fault.text, sizeof fault.text,
                 "%u of %u blocks ended while the others wait for them in grid.sync()", c->n_ended,
                 c->n_blocks);
        note_fault(c, &fault);
        return;
    }
    c->n_met = 0;
    c->phase++;
    pthread_cond_broadcast(&c->phase_began);
}

static bool meet(struct qn__cpu_crew *c)
{
    pthread_mutex_lock(&c->lock);
    const uint64_t phase = c->phase;
    c->n_met++;
    look_at_phase(c);
    while (c->phase == phase && !c->has_fault)
        pthread_cond_wait(&c->phase_began, &c->lock);
    const bool is_good = c->phase != phase;
    pthread_mutex_unlock(&c->lock);
    return is_good;
}

static void end_block(struct qn__cpu_crew *c, const struct qn__cpu_fault *fault)
{
    pthread_mutex_lock(&c->lock);
    c->n_ended++;
    if (fault)
        note_fault(c, fault);
    else
        look_at_phase(c);
    pthread_mutex_unlock(&c->lock);
}

static void free_crew(struct qn__cpu_crew *c)
{
    pthread_cond_destroy(&c->phase_began);
    pthread_cond_destroy(&c->ordered);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* One thread less. Who was the last has it alone. */
static void leave(struct qn__cpu_crew *c)
{
    pthread_mutex_lock(&c->lock);
    const bool is_last = --c->n_threads == 0;
    const bool has_run = c->order == RUN;
    pthread_mutex_unlock(&c->lock);
    if (!is_last)
        return;
    if (has_run)
        c->done(c->payload, c->has_fault ? &c->fault : NULL);
    free_crew(c);
}

static void *work(void *payload)
{
    struct qn__cpu_crew *const c = payload;
    struct qn__cpu_fault fault;
    pthread_mutex_lock(&c->lock);
    while (c->order == WAIT)
        pthread_cond_wait(&c->ordered, &c->lock);
    const bool may_run = c->order == RUN;
    const uint32_t block = c->next++;
    pthread_mutex_unlock(&c->lock);
    if (may_run) {
        const bool is_good = qn__cpu_run_blocks(&fault, &c->grid, block, block + 1);
        end_block(c, is_good ? NULL : &fault);
    }
    leave(c);
    return NULL;
}

static void give_order(struct qn__cpu_crew *c, enum order order)
{
    pthread_mutex_lock(&c->lock);
    c->order = order;
    pthread_cond_broadcast(&c->ordered);
    pthread_mutex_unlock(&c->lock);
}

void qn__cpu_crew_dismiss(struct qn__cpu_crew *c)
{
    give_order(c, GO_HOME);
    leave(c);
}

qn_status qn__cpu_crew_gather(struct qn__cpu_crew **out, uint32_t n_blocks, const char *kernel)
{
    pthread_t t;
    *out = NULL;
    if (n_blocks > QN__CPU_CREW_MAX)
        return qn__fail(QN_E_LIMIT,
                        "%s: a cooperative launch of %u blocks: cpu:0 has a thread for each and "
                        "runs at most %d at once",
                        kernel, n_blocks, QN__CPU_CREW_MAX);
    struct qn__cpu_crew *const c = qn__alloc(1, sizeof *c);
    if (!c)
        return qn__fail(QN_E_MEMORY, "no memory for a cooperative launch");
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->ordered, NULL);
    pthread_cond_init(&c->phase_began, NULL);
    c->n_blocks = n_blocks;
    c->n_threads = 1; /* this one, until all are there */
    uint32_t n = 0;
    for (; n < n_blocks; n++) {
        pthread_mutex_lock(&c->lock);
        c->n_threads++;
        pthread_mutex_unlock(&c->lock);
        if (!qn__thread_start(&t, work, c))
            break;
        pthread_detach(t);
    }
    if (n == n_blocks) {
        *out = c;
        return QN_OK;
    }
    pthread_mutex_lock(&c->lock);
    c->n_threads--; /* the one that is not there */
    pthread_mutex_unlock(&c->lock);
    qn__cpu_crew_dismiss(c);
    return qn__fail(QN_E_LIMIT,
                    "%s: a cooperative launch of %u blocks: the system gives %u threads: %s",
                    kernel, n_blocks, n, strerror(EAGAIN));
}

void qn__cpu_crew_run(struct qn__cpu_crew *c, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload)
{
    c->grid = *grid;
    c->grid.meet = meet;
    c->grid.crew = c;
    c->grid.words = c->words;
    c->done = done;
    c->payload = payload;
    pthread_mutex_lock(&c->lock);
    c->n_threads--; /* whoever gathered them */
    pthread_mutex_unlock(&c->lock);
    give_order(c, RUN);
}
