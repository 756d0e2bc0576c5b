/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue of a stream (cpu_stream.h says who goes on with it).
 *
 * A grid whose blocks end soon, and which has few, runs on the thread that comes to it, most often
 * the one that launches: waking another one would take longer. A kernel of which the image does not
 * know the arguments runs before its launch returns, because they cannot be copied. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_stream.h"

#include "base/forks.h"
#include "runtime/cpu/cpu_crew.h"
#include "runtime/deadline.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_ITEMS = 2048, /* of a grid that is run at once, where its blocks end soon */
    SPARE_BYTES = 1024, /* of an operation that is kept for the next */
    ALIGN_BYTES = 64,
    ARG_ALIGN_BYTES = 16
};

enum kind { COPY, FILL, GRID, MARK, WAIT };

struct qn__cpu_operation {
    struct qn__cpu_operation *next;
    size_t bytes; /* of all of it */
    enum kind kind;
    uint64_t dst, src, n; /* COPY; FILL: n elements */
    uint32_t value, elem_bytes;
    struct qn__cpu_grid grid;
    struct qn__cpu_crew *crew; /* that runs it; NULL: the pool */
    const char *name;          /* of the kernel */
    const struct qn__cpu_code *code;
    struct qn__cpu_mark *mark;
    void *args[]; /* addresses, then values */
};

/* A queue's lock is held for moments, and others want it while it is: they try for a moment, too.
 */
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
static const pthread_mutex_t new_lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
static const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

/* Every stream, for fork(). */
static struct {
    pthread_mutex_t lock;
    struct qn__cpu_stream *first;
} streams = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note_fault(struct qn__cpu_stream *s)
{
    if (!s->has_fault)
        qn__message_save(&s->fault);
    s->has_fault = true;
}

/* In a forked child: what was queued is never done, as the threads that were at it are not there.
 */
static void lose_work(void)
{
    struct qn__message own;
    qn__message_save(&own);
    for (struct qn__cpu_stream *s = streams.first; s; s = s->next) {
        s->lock = new_lock;
        atomic_store(&s->sleepers, 0);
        if (atomic_load(&s->n_done) != atomic_load(&s->n_queued)) {
            (void)qn__fail(QN_E_FAULT, "what was queued before fork() is not done in the child");
            note_fault(s);
        }
        s->first = s->last = s->running = NULL; /* their memory may be being written to: left */
        s->is_busy = false;
        atomic_store(&s->n_done, atomic_load(&s->n_queued));
    }
    qn__message_restore(&own);
}
QN__FORK_PART(&streams.lock, lose_work)

/* -- operations -- */

static qn_status new_operation(struct qn__cpu_operation **out, struct qn__cpu_stream *s,
                               enum kind kind, size_t more_bytes)
{
    const size_t bytes = sizeof(struct qn__cpu_operation) + more_bytes;
    struct qn__cpu_operation *op = NULL;
    void *memory;
    if (bytes <= SPARE_BYTES) {
        pthread_mutex_lock(&s->lock);
        op = s->spare;
        if (op)
            s->spare = op->next;
        pthread_mutex_unlock(&s->lock);
    }
    if (!op) {
        const size_t n = bytes <= SPARE_BYTES ? SPARE_BYTES : bytes;
        if (posix_memalign(&memory, ALIGN_BYTES, n) != 0)
            return qn__fail(QN_E_MEMORY, "no memory to queue an operation of %zu bytes", n);
        op = memory;
        op->bytes = n;
    }
    op->next = NULL;
    op->kind = kind;
    op->crew = NULL;
    *out = op;
    return QN_OK;
}

static void fill_memory(const struct qn__cpu_operation *op)
{
    unsigned char *p = (unsigned char *)(uintptr_t)op->dst;
    if (op->elem_bytes == 1) {
        memset(p, (int)(op->value & 0xff), op->n);
    } else if (op->elem_bytes == 2) {
        const uint16_t v = (uint16_t)op->value;
        for (uint64_t i = 0; i < op->n; i++)
            memcpy(p + 2 * i, &v, sizeof v);
    } else {
        for (uint64_t i = 0; i < op->n; i++)
            memcpy(p + 4 * i, &op->value, sizeof op->value);
    }
}

/* What the thread that goes on with a queue may run itself. */
enum kept {
    SMALL_ONLY, /* it launches: it may not be kept by a kernel */
    ONE_BLOCK   /* it is the pool's, or waits: a block that no other could share as well */
};

static void go_on(struct qn__cpu_stream *s, struct qn__cpu_operation *over, enum kept kept);

static void end_grid(struct qn__cpu_stream *s, const struct qn__cpu_operation *op,
                     const struct qn__cpu_fault *fault)
{
    struct qn__message own; /* of the thread that happens to be here */
    if (!fault)
        return;
    qn__message_save(&own);
    (void)qn__cpu_fault_status(fault, op->name, op->code);
    pthread_mutex_lock(&s->lock);
    note_fault(s);
    pthread_mutex_unlock(&s->lock);
    qn__message_restore(&own);
}

static void job_is_done(void *payload, const struct qn__cpu_fault *fault)
{
    struct qn__cpu_stream *s = payload;
    struct qn__cpu_operation *const op = s->running;
    end_grid(s, op, fault);
    go_on(s, op, ONE_BLOCK);
}

/* What the queue stopped at was reached. */
static void resume(void *payload)
{
    struct qn__cpu_stream *s = payload;
    struct qn__cpu_operation *const op = s->running;
    qn__cpu_mark_release(op->mark);
    go_on(s, op, SMALL_ONLY);
}

static bool is_small(const struct qn__cpu_grid *g)
{
    const uint64_t items = (uint64_t)g->block[0] * g->block[1] * g->block[2];
    const uint64_t blocks = qn__cpu_grid_blocks(g);
    return g->entry->flags & QN__CPU_KERNEL_SHORT && blocks <= SMALL_ITEMS &&
           blocks * items <= SMALL_ITEMS;
}

/* False: it is under way, and who ends it goes on. */
static bool perform(struct qn__cpu_stream *s, struct qn__cpu_operation *op, enum kept kept)
{
    struct qn__cpu_fault fault;
    bool ok = true;
    switch (op->kind) {
    case COPY: memcpy((void *)(uintptr_t)op->dst, (const void *)(uintptr_t)op->src, op->n); break;
    case FILL: fill_memory(op); break;
    case MARK:
        qn__cpu_mark_reach(op->mark);
        qn__cpu_mark_release(op->mark);
        break;
    case WAIT:
        s->running = op;
        s->waiter = (struct qn__cpu_waiter){.resume = resume, .payload = s};
        if (qn__cpu_mark_stop(op->mark, &s->waiter))
            return false;
        qn__cpu_mark_release(op->mark);
        break;
    case GRID:
        if (op->crew) {
            s->running = op;
            qn__cpu_crew_run(op->crew, &op->grid, job_is_done, s);
            return false;
        }
        if (!is_small(&op->grid) && (kept == SMALL_ONLY || qn__cpu_grid_blocks(&op->grid) > 1)) {
            s->running = op;
            qn__cpu_job_post(s->job, &op->grid, job_is_done, s);
            return false;
        }
        ok = qn__cpu_run_blocks(&fault, &op->grid, 0, qn__cpu_grid_blocks(&op->grid));
        end_grid(s, op, ok ? NULL : &fault);
        break;
    }
    return true;
}

/* One operation is over (NULL: none was under way), then the next ones, until one is under way or
 * there are none. The stream may be closed as soon as it is not busy. */
static void go_on(struct qn__cpu_stream *s, struct qn__cpu_operation *over, enum kept kept)
{
    atomic_uint *const n_done = &s->n_done;
    for (;;) {
        bool has_sleepers = false;
        struct qn__cpu_operation *too_large = NULL; /* to be kept */
        pthread_mutex_lock(&s->lock);
        if (over && over->bytes == SPARE_BYTES) {
            over->next = s->spare;
            s->spare = over;
        } else {
            too_large = over;
        }
        if (over) {
            atomic_fetch_add(n_done, 1);
            has_sleepers = atomic_load(&s->sleepers) > 0;
        }
        struct qn__cpu_operation *op = s->first;
        s->is_busy = op != NULL;
        if (op)
            s->first = op->next;
        if (!s->first)
            s->last = NULL;
        pthread_mutex_unlock(&s->lock);
        if (has_sleepers)
            qn__cpu_wake_all(n_done);
        free(too_large);
        if (!op || !perform(s, op, kept))
            return;
        over = op;
    }
}

static void queue(struct qn__cpu_stream *s, struct qn__cpu_operation *op)
{
    atomic_fetch_add(&s->n_queued, 1);
    pthread_mutex_lock(&s->lock);
    if (s->last)
        s->last->next = op;
    else
        s->first = op;
    s->last = op;
    const bool was_busy = s->is_busy;
    s->is_busy = true;
    pthread_mutex_unlock(&s->lock);
    if (!was_busy)
        go_on(s, NULL, SMALL_ONLY);
}

/* -- what is queued -- */

qn_status qn__cpu_copy(qn_stream *stream, enum qn__copy kind, uint64_t dst, uint64_t src,
                       uint64_t bytes)
{
    (void)kind; /* all of it is the process's memory */
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    struct qn__cpu_operation *op = NULL;
    QN_TRY(new_operation(&op, s, COPY, 0));
    op->dst = dst;
    op->src = src;
    op->n = bytes;
    queue(s, op);
    return QN_OK;
}

qn_status qn__cpu_fill(qn_stream *stream, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                       uint64_t n_elems)
{
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    struct qn__cpu_operation *op = NULL;
    QN_TRY(new_operation(&op, s, FILL, 0));
    op->dst = dst;
    op->n = n_elems;
    op->value = value;
    op->elem_bytes = elem_bytes;
    queue(s, op);
    return QN_OK;
}

qn_status qn__cpu_queue_mark(struct qn__cpu_stream *s, struct qn__cpu_mark *m, bool is_wait)
{
    struct qn__cpu_operation *op = NULL;
    QN_TRY(new_operation(&op, s, is_wait ? WAIT : MARK, 0));
    atomic_fetch_add(&m->refs, 1);
    op->mark = m;
    queue(s, op);
    return QN_OK;
}

/* The addresses of the arguments' copies, and the copies. */
static void copy_args(struct qn__cpu_operation *op, const qn_kernel_info *info, void *const *args)
{
    unsigned char *at = (unsigned char *)&op->args[info->n_args];
    for (uint32_t i = 0; i < info->n_args; i++) {
        const uint32_t align = info->args[i].align_bytes > ARG_ALIGN_BYTES
                                   ? info->args[i].align_bytes
                                   : ARG_ALIGN_BYTES;
        at += -(uintptr_t)at & (align - 1);
        memcpy(at, args[i], info->args[i].size_bytes);
        op->args[i] = at;
        at += info->args[i].size_bytes;
    }
}

static qn_status launch(qn_stream *stream, const qn_kernel *kernel, const qn_dims *d,
                        void *const *args, struct qn__cpu_crew *crew)
{
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    const struct qn__cpu_kernel *k = (const struct qn__cpu_kernel *)kernel;
    const qn_kernel_info *info = &kernel->info;
    struct qn__cpu_operation *op = NULL;
    const qn_status made = new_operation(&op, s, GRID, k->args_bytes);
    if (made != QN_OK && crew)
        qn__cpu_crew_dismiss(crew);
    QN_TRY(made);
    op->crew = crew;
    op->name = info->expression;
    op->code = &((const struct qn__cpu_module *)kernel->module)->code;
    op->grid = (struct qn__cpu_grid){.entry = k->entry,
                                     .grid = {d->grid[0], d->grid[1], d->grid[2]},
                                     .block = {d->block[0], d->block[1], d->block[2]},
                                     .dynamic_bytes = d->shared_bytes,
                                     .args = args,
                                     .heap = &((struct qn__cpu_device *)s->base.device)->heap,
                                     .cost = k->cost};
    if (!info->args_known) {
        queue(s, op);
        return qn__cpu_stream_wait(stream, QN__FOREVER);
    }
    copy_args(op, info, args);
    op->grid.args = op->args;
    queue(s, op);
    return QN_OK;
}

qn_status qn__cpu_launch(qn_stream *stream, const qn_kernel *kernel, const qn_dims *d,
                         void *const *args)
{
    return launch(stream, kernel, d, args, NULL);
}

qn_status qn__cpu_launch_cooperative(qn_stream *stream, const qn_kernel *kernel, const qn_dims *d,
                                     void *const *args)
{
    const uint64_t blocks = (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
    struct qn__cpu_crew *crew;
    QN_TRY(qn__cpu_crew_gather(&crew, blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks,
                               kernel->info.expression));
    return launch(stream, kernel, d, args, crew);
}

/* -- waiting -- */

static qn_status take_fault(struct qn__cpu_stream *s)
{
    struct qn__message m;
    pthread_mutex_lock(&s->lock);
    const bool has_fault = s->has_fault;
    if (has_fault)
        m = s->fault;
    s->has_fault = false;
    pthread_mutex_unlock(&s->lock);
    if (!has_fault)
        return QN_OK;
    return qn__fail_code(QN_E_FAULT, m.code, "%s", m.text);
}

static bool is_reached(const struct qn__cpu_stream *s, unsigned goal, unsigned *done)
{
    *done = atomic_load_explicit(&s->n_done, memory_order_acquire);
    return (int)(*done - goal) >= 0;
}

qn_status qn__cpu_stream_wait(qn_stream *stream, uint64_t ns)
{
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    const unsigned goal = atomic_load(&s->n_queued);
    const struct qn__deadline d =
        ns == QN__FOREVER ? (struct qn__deadline){0} : qn__deadline_in(ns);
    unsigned done;
    if (ns != QN__FOREVER && !is_reached(s, goal, &done))
        qn__cpu_pool_replace_waiter(); /* a kernel that never ends may not be run here */
    while (!is_reached(s, goal, &done)) {
        const uint64_t left = ns == QN__FOREVER ? ns : qn__deadline_left(&d);
        if (!left)
            return qn__fail(QN_E_NOT_READY, "still working");
        qn__cpu_job_wait(s->job, ns == QN__FOREVER, &s->n_done, done, &s->sleepers, left);
    }
    return take_fault(s);
}

/* -- opening and closing -- */

qn_status qn__cpu_stream_open(qn_stream **out, qn_device *dev, bool timing)
{
    (void)dev;
    (void)timing; /* marks always have the time */
    *out = NULL;
    struct qn__cpu_stream *s = qn__alloc(1, sizeof *s);
    struct qn__cpu_job *job = s ? qn__cpu_pool_job() : NULL;
    if (!job) {
        free(s);
        return qn__fail(QN_E_MEMORY, "no memory for a stream");
    }
    s->job = job;
    s->lock = new_lock;
    pthread_mutex_lock(&streams.lock);
    s->next = streams.first;
    if (s->next)
        s->next->prev = s;
    streams.first = s;
    pthread_mutex_unlock(&streams.lock);
    *out = &s->base;
    return QN_OK;
}

/* Whoever ended the last operation may still be about to find the queue empty. */
static void wait_until_idle(struct qn__cpu_stream *s)
{
    for (bool is_busy = true; is_busy;) {
        pthread_mutex_lock(&s->lock);
        is_busy = s->is_busy;
        pthread_mutex_unlock(&s->lock);
        if (is_busy)
            sched_yield();
    }
}

void qn__cpu_stream_close(qn_stream *stream)
{
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    struct qn__message m;
    qn__message_save(&m);
    (void)!qn__cpu_stream_wait(stream, QN__FOREVER);
    qn__message_restore(&m);
    wait_until_idle(s);
    pthread_mutex_lock(&streams.lock);
    if (s->prev)
        s->prev->next = s->next;
    else
        streams.first = s->next;
    if (s->next)
        s->next->prev = s->prev;
    pthread_mutex_unlock(&streams.lock);
    qn__cpu_job_give(s->job);
    for (struct qn__cpu_operation *op = s->spare, *next; op; op = next) {
        next = op->next;
        free(op);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}
