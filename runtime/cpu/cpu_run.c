/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread that runs blocks keeps its memory for them, which grows on demand and goes when the
 * thread ends. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_run.h"

#include "base/device_buffers.h"
#include "base/line_table.h"
#include "runtime/cpu/cpu_heap.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ALIGN_BYTES = 128, DYNAMIC_ALIGN_BYTES = 16, PRINT_BYTES = 4096 };

struct own { /* of a thread */
    struct qn_services services;
    struct buffer {
        unsigned char *bytes;
        size_t n;
    } shared, frame, text;     /* text: what was printed that is long */
    struct qn__cpu_heap *heap; /* of the grid under way */
    void *signal_stack;
    struct qn__cpu_watched watched;
    const struct qn__cpu_grid *grid; /* of the block that runs */
};

static pthread_key_t key;
static bool has_key;

/* -- what kernels ask for -- */

/* The first one counts; the other work-items go on. */
static void fail(struct qn_services *s, const char *file, uint32_t line, const char *text)
{
    (void)s;
    struct qn__cpu_guard *g = qn__cpu_guard_lift();
    if (!g->has_failed) {
        g->fault = (struct qn__cpu_fault){.line = line};
        snprintf(g->fault.file, sizeof g->fault.file, "%s", file ? file : "");
        snprintf(g->fault.text, sizeof g->fault.text, "%s", text ? text : "");
    }
    g->has_failed = true;
    qn__cpu_guard_set(g);
}

static bool make_room(struct buffer *b, uint64_t bytes);

/* Formatting may fault on a bad string, and is the kernel's fault then; writing holds a lock of the
 * C library's and may not be left by a jump. */
static int print(struct qn_services *s, const char *format, ...)
{
    char text[PRINT_BYTES];
    struct own *const o = (struct own *)s; /* its first member */
    const char *formatted = text;
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    const int n = vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (n >= PRINT_BYTES) {
        struct qn__cpu_guard *const g = qn__cpu_guard_lift();
        const bool has_room = make_room(&o->text, (uint64_t)n + 1);
        qn__cpu_guard_set(g);
        if (has_room) {
            vsnprintf((char *)o->text.bytes, (size_t)n + 1, format, again);
            formatted = (char *)o->text.bytes;
        } else {
            fail(s, NULL, 0, "no memory for what it prints");
        }
    }
    va_end(again);
    struct qn__cpu_guard *g = qn__cpu_guard_lift();
    if (n > 0)
        fwrite(formatted, 1, formatted == text && n >= PRINT_BYTES ? PRINT_BYTES - 1 : (size_t)n,
               stdout);
    qn__cpu_guard_set(g);
    return n;
}

static void *allocate_aligned(struct qn_services *s, size_t align, size_t bytes)
{
    struct qn__cpu_heap *const heap = ((struct own *)s)->heap;
    struct qn__cpu_guard *g = qn__cpu_guard_lift();
    void *p = heap ? qn__cpu_heap_take(heap, align, bytes) : NULL;
    qn__cpu_guard_set(g);
    return p;
}

static void *allocate(struct qn_services *s, size_t bytes)
{
    return allocate_aligned(s, QN__HEAP_UNIT, bytes);
}

static void release(struct qn_services *s, void *p)
{
    struct qn__cpu_heap *const heap = ((struct own *)s)->heap;
    if (!p)
        return;
    struct qn__cpu_guard *g = qn__cpu_guard_lift();
    const bool was_live = heap && qn__cpu_heap_give(heap, p);
    qn__cpu_guard_set(g);
    if (!was_live)
        fail(s, NULL, 0, "free: an address that malloc did not give, or that is free");
}

#define IN_PLAIN_LAUNCH "in a launch that is not cooperative (qn_stream_launch_cooperative)"

/* It faults behind the call that returns to `code`. */
static _Noreturn void end_block(struct qn__cpu_guard *g, uintptr_t code, const char *text)
{
    g->fault = (struct qn__cpu_fault){.code = code - 1};
    snprintf(g->fault.text, sizeof g->fault.text, "%s", text);
    siglongjmp(g->back, 1);
}

/* grid.sync(). While the block waits, it is not late. */
static void meet(struct qn_services *s)
{
    const struct own *const o = (const struct own *)s;
    struct qn__cpu_guard *const g = qn__cpu_guard_lift();
    if (g->watched)
        qn__cpu_watch_end(g->watched);
    if (o->grid->meet && o->grid->meet(o->grid->crew)) {
        if (g->watched)
            qn__cpu_watch_begin(g->watched);
        qn__cpu_guard_set(g);
        return;
    }
    end_block(g, (uintptr_t)__builtin_return_address(0),
              o->grid->meet ? "a block that it waited for in grid.sync() did not come"
                            : "grid.sync() " IN_PLAIN_LAUNCH);
}

static void *grid_words(struct qn_services *s)
{
    const struct own *const o = (const struct own *)s;
    if (!o->grid->words)
        end_block(qn__cpu_guard_lift(), (uintptr_t)__builtin_return_address(0),
                  "a barrier across blocks " IN_PLAIN_LAUNCH);
    return o->grid->words;
}

static uint64_t nanoseconds(struct qn_services *s)
{
    struct timespec t;
    (void)s;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* -- a thread's own -- */

static void drop_own(void *payload)
{
    struct own *o = payload;
    qn__cpu_watch_drop(&o->watched);
    qn__cpu_signal_stack_drop(o->signal_stack);
    free(o->shared.bytes);
    free(o->frame.bytes);
    free(o->text.bytes);
    free(o);
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, drop_own) == 0;
}

static struct own *find_own(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    struct own *o = has_key ? pthread_getspecific(key) : NULL;
    if (o || !has_key)
        return o;
    o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->services = (struct qn_services){.print = print,
                                       .fail = fail,
                                       .allocate = allocate,
                                       .release = release,
                                       .allocate_aligned = allocate_aligned,
                                       .meet = meet,
                                       .grid_words = grid_words,
                                       .nanoseconds = nanoseconds};
    if (pthread_setspecific(key, o) != 0) {
        free(o);
        return NULL;
    }
    qn__cpu_watch_add(&o->watched);
    qn__cpu_faults_begin();
    qn__cpu_signal_stack_make(&o->signal_stack);
    return o;
}

static bool make_room(struct buffer *b, uint64_t bytes)
{
    void *p = NULL;
    if (bytes <= b->n)
        return true;
    const uint64_t n = (bytes + 4095) & ~(uint64_t)4095;
    if (posix_memalign(&p, ALIGN_BYTES, n) != 0)
        return false;
    free(b->bytes);
    b->bytes = p;
    b->n = n;
    return true;
}

/* -- blocks -- */

uint64_t qn__cpu_grid_blocks(const struct qn__cpu_grid *g)
{
    return (uint64_t)g->grid[0] * g->grid[1] * g->grid[2];
}

static void run_all(struct qn_block *b, const struct qn__cpu_grid *g, uint64_t n)
{
    qn_kernel_run *const run = g->entry->run;
    for (;;) {
        run(b, g->args);
        if (--n == 0)
            return;
        if (++b->block[0] < b->blocks[0])
            continue;
        b->block[0] = 0;
        if (++b->block[1] < b->blocks[1])
            continue;
        b->block[1] = 0;
        b->block[2]++;
    }
}

static bool no_memory(struct qn__cpu_fault *fault, uint64_t bytes)
{
    *fault = (struct qn__cpu_fault){.line = 0};
    snprintf(fault->text, sizeof fault->text, "no memory for %llu bytes of a block",
             (unsigned long long)bytes);
    return false;
}

bool qn__cpu_run_blocks(struct qn__cpu_fault *fault, const struct qn__cpu_grid *g, uint64_t first,
                        uint64_t end)
{
    const struct qn_kernel_entry *e = g->entry;
    const uint64_t items = (uint64_t)g->block[0] * g->block[1] * g->block[2];
    const uint64_t own_shared = ((uint64_t)e->shared_bytes + DYNAMIC_ALIGN_BYTES - 1) &
                                ~(uint64_t)(DYNAMIC_ALIGN_BYTES - 1);
    const uint64_t shared = own_shared + g->dynamic_bytes, frame = items * e->frame_bytes;
    struct own *const o = find_own();
    struct qn__cpu_guard guard;
    if (!o || !make_room(&o->shared, shared) || !make_room(&o->frame, frame))
        return no_memory(fault, shared + frame);
    o->heap = g->heap;
    struct qn_block b = {.blocks = {g->grid[0], g->grid[1], g->grid[2]},
                         .items = {g->block[0], g->block[1], g->block[2]},
                         .block = {(uint32_t)(first % g->grid[0]),
                                   (uint32_t)(first / g->grid[0] % g->grid[1]),
                                   (uint32_t)(first / g->grid[0] / g->grid[1])},
                         .shared = o->shared.bytes,
                         .frame = o->frame.bytes,
                         .services = &o->services};
    o->grid = g;
    guard.watched = qn__cpu_watchdog_seconds() ? &o->watched : NULL;
    if (sigsetjmp(guard.back, 0) != 0) {
        qn__cpu_guard_set(NULL);
        if (guard.watched)
            qn__cpu_watch_end(guard.watched);
        *fault = guard.fault;
        return false;
    }
    guard.has_failed = false;
    if (guard.watched)
        qn__cpu_watch_begin(guard.watched);
    qn__cpu_guard_set(&guard);
    run_all(&b, g, end - first);
    qn__cpu_guard_set(NULL);
    if (guard.watched)
        qn__cpu_watch_end(guard.watched);
    if (guard.has_failed)
        *fault = guard.fault;
    return !guard.has_failed;
}

/* -- what a fault says -- */

static const char *text_of(int signal)
{
    switch (signal) {
    case SIGSEGV: return "invalid memory access at address";
    case SIGBUS: return "memory error at address";
    case SIGFPE: return "arithmetic fault at instruction";
    case SIGURG: return "did not end and was ended (QUERN_CPU_WATCHDOG) at";
    default: return "illegal instruction at address";
    }
}

qn_status qn__cpu_fault_status(const struct qn__cpu_fault *f, const char *kernel,
                               const struct qn__cpu_code *code)
{
    const char *file;
    uint32_t line;
    const unsigned long long at = f->signal == SIGURG ? f->code : f->address;
    const bool has_line =
        f->code >= code->base &&
        qn__line_table_find(&file, &line, code->bytes, code->n, f->code - code->base);
    if (has_line && !f->signal)
        return qn__fail(QN_E_FAULT, "%s: %s:%u: %s", kernel, file, line, f->text);
    if (has_line)
        return qn__fail_code(QN_E_FAULT, f->signal, "%s: %s:%u: %s 0x%llx", kernel, file, line,
                             text_of(f->signal), at);
    if (f->signal)
        return qn__fail_code(QN_E_FAULT, f->signal, "%s: %s 0x%llx", kernel, text_of(f->signal),
                             at);
    if (!f->line)
        return qn__fail(QN_E_FAULT, "%s: %s", kernel, f->text[0] ? f->text : "trap");
    return qn__fail(QN_E_FAULT, "%s: %s:%u: %s%s", kernel, f->file, f->line,
                    f->text[0] ? "assertion failed: " : "trap", f->text);
}
