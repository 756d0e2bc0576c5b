/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of 64-bit marks, one per kernel and shape, in a small open table that the launch path reads
 * without a lock; the text of the shapes behind a lock for the rare new one. A mark is a mix of the
 * symbol's address and the shape: should two ever be equal, a shape is not saved, nothing else. */
#include "runtime/shapes.h"

#include "base/arena.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS = 256, PROBES = 8, LINES_MAX = 128, NARROW_MAX = 65535 };

struct qn__shapes {
    _Atomic uint64_t marks[MARKS];
    atomic_bool is_new;
    pthread_mutex_t lock; /* guards the rest */
    char *lines[LINES_MAX];
    uint32_t n_lines;
    qn__shapes_saver save;
    void *payload;
    void (*free_payload)(void *);
};

static bool is_wide(const qn_dims *d)
{
    for (int i = 0; i < 3; i++)
        if ((uint64_t)d->grid[i] * d->block[i] > NARROW_MAX)
            return true;
    return false;
}

static uint64_t mark_of(const char *symbol, const qn_dims *d)
{
    uint64_t h =
        (uint64_t)(uintptr_t)symbol ^ ((uint64_t)d->block[0] | (uint64_t)d->block[1] << 21 |
                                       (uint64_t)d->block[2] << 42 | (uint64_t)is_wide(d) << 63);
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    return h ? h : 1;
}

/* Under the lock. Takes the line; true when it was not there. */
static bool insert(struct qn__shapes *s, char *line)
{
    uint32_t at = 0;
    while (line && at < s->n_lines && strcmp(s->lines[at], line) < 0)
        at++;
    if (!line || s->n_lines == LINES_MAX || (at < s->n_lines && !strcmp(s->lines[at], line))) {
        free(line);
        return false;
    }
    for (uint32_t i = s->n_lines++; i > at; i--)
        s->lines[i] = s->lines[i - 1];
    s->lines[at] = line;
    return true;
}

static void note_new(struct qn__shapes *s, const char *symbol, const qn_dims *d, uint64_t mark)
{
    struct qn__str line = {0};
    qn__str_printf(&line, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 "%s", symbol, d->block[0],
                   d->block[1], d->block[2], is_wide(d) ? " wide" : "");
    pthread_mutex_lock(&s->lock);
    if (insert(s, qn__str_take(&line)))
        atomic_store(&s->is_new, true);
    for (uint32_t i = 0; i < PROBES; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&s->marks[(mark + i) % MARKS], &none, mark))
            break;
    }
    pthread_mutex_unlock(&s->lock);
}

void qn__shapes_note(struct qn__shapes *s, const char *symbol, const qn_dims *dims)
{
    const uint64_t mark = mark_of(symbol, dims);
    for (uint32_t i = 0; i < PROBES; i++)
        if (atomic_load_explicit(&s->marks[(mark + i) % MARKS], memory_order_relaxed) == mark)
            return;
    note_new(s, symbol, dims, mark);
}

struct qn__shapes *qn__shapes_create(const char *known, qn__shapes_saver save, void *payload,
                                     void (*free_payload)(void *))
{
    struct qn__shapes *s = qn__alloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->save = save;
    s->payload = payload;
    s->free_payload = free_payload;
    for (const char *p = known; *p;) {
        const size_t n = strcspn(p, "\n");
        struct qn__str line = {0};
        qn__str_add_bytes(&line, p, n);
        insert(s, qn__str_take(&line));
        p += n + (p[n] == '\n');
    }
    return s;
}

void qn__shapes_settle(struct qn__shapes *s, qn_module *mod)
{
    if (!atomic_load_explicit(&s->is_new, memory_order_relaxed) ||
        !atomic_exchange(&s->is_new, false))
        return;
    struct qn__str text = {0};
    pthread_mutex_lock(&s->lock);
    for (uint32_t i = 0; i < s->n_lines; i++) {
        qn__str_add(&text, s->lines[i]);
        qn__str_add_char(&text, '\n');
    }
    pthread_mutex_unlock(&s->lock);
    if (!text.failed)
        s->save(mod, text.text, s->payload);
    qn__str_release(&text);
}

void qn__shapes_destroy(struct qn__shapes *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->n_lines; i++)
        free(s->lines[i]);
    if (s->free_payload)
        s->free_payload(s->payload);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
