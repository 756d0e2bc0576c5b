/* SPDX-License-Identifier: Apache-2.0
 *
 * Arena: memory for everything with one lifetime (a translation, a request, a model's metadata).
 *
 *     chunk            chunk                    chunk (current)
 *     [h|xxxxxxxxxxx]  [h|xxxxxxxxxxxxxxxxxxx]  [h|xxxxx......]
 *                                                       ^used  ^capacity
 *
 * Pieces are 16-byte aligned and never move. A mark remembers a position; rewinding to it gives
 * back everything allocated since. Out of memory ends in the arena's fail handler being absent: the
 * functions return NULL, and callers turn that into QN_E_MEMORY; one that made many pieces may look
 * at `failed` once.
 * With AddressSanitizer, free space is poisoned and pieces are separated by red zones.
 */
#ifndef QN_BASE_ARENA_H
#define QN_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct qn__arena_chunk;
struct qn__arena {
    struct qn__arena_chunk *current; /* NULL when empty; zero-initialise to start */
    bool failed;                     /* a piece could not be had since it was empty */
};

struct qn__arena_mark {
    struct qn__arena_chunk *chunk;
    size_t used;
};

/* `count` elements of `size` bytes, zeroed; NULL when out of memory or count * size overflows. */
void *qn__arena_alloc(struct qn__arena *a, size_t count, size_t size);
#define QN__ARENA_NEW(arena, type) ((type *)qn__arena_alloc((arena), 1, sizeof(type)))
#define QN__ARENA_ARRAY(arena, type, count)                                                        \
    ((type *)qn__arena_alloc((arena), (count), sizeof(type)))

char *qn__arena_strdup(struct qn__arena *a, const char *s);
char *qn__arena_strndup(struct qn__arena *a, const char *s, size_t n);
void *qn__arena_memdup(struct qn__arena *a, const void *bytes, size_t n);
char *qn__arena_join(struct qn__arena *a, const char *first, const char *second);
char *qn__arena_printf(struct qn__arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct qn__arena_mark qn__arena_mark(const struct qn__arena *a);
void qn__arena_rewind(struct qn__arena *a, struct qn__arena_mark mark);
void qn__arena_release(struct qn__arena *a); /* frees everything; the arena is empty again */

/* Long-lived objects: calloc with a check of count * size. free() them. */
void *qn__alloc(size_t count, size_t size);

#endif
