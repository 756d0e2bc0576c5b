/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks are linked newest first; each new one is at least twice the last, up to 1 MiB, so a big
 * translation costs a few dozen mallocs. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
/* Not inline: gcc takes fresh memory that is handed to a const pointer for a read of it. */
static __attribute__((noinline)) void poison(void *p, size_t n)
{
    __asan_poison_memory_region(p, n);
}
#define POISON(p, n)   poison((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
enum { RED_ZONE = 16 };
#else
#define POISON(p, n)   ((void)0)
#define UNPOISON(p, n) ((void)0)
enum { RED_ZONE = 0 };
#endif

enum { ALIGN = 16, CHUNK_MIN = 1024, CHUNK_MAX = 1 << 20 };

struct qn__arena_chunk {
    struct qn__arena_chunk *older;
    size_t used, capacity;
    _Alignas(ALIGN) unsigned char bytes[];
};

void *qn__alloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return calloc(count ? count : 1, size ? size : 1);
}

static struct qn__arena_chunk *chunk_create(struct qn__arena_chunk *older, size_t need)
{
    size_t capacity = older ? older->capacity * 2 : CHUNK_MIN;
    if (capacity > CHUNK_MAX)
        capacity = CHUNK_MAX;
    if (capacity < need)
        capacity = need;
    if (capacity > SIZE_MAX - sizeof(struct qn__arena_chunk))
        return NULL;
    struct qn__arena_chunk *c = malloc(sizeof *c + capacity); /* pieces are zeroed one by one */
    if (!c)
        return NULL;
    c->older = older;
    c->used = 0;
    c->capacity = capacity;
    POISON(c->bytes, capacity);
    return c;
}

/* Not zeroed. */
static void *take(struct qn__arena *a, size_t bytes)
{
    const size_t whole =
        bytes > SIZE_MAX / 2 ? SIZE_MAX : (bytes + RED_ZONE + ALIGN - 1) / ALIGN * ALIGN;
    if (!a->current || a->current->capacity - a->current->used < whole) {
        struct qn__arena_chunk *c = chunk_create(a->current, whole);
        if (!c) {
            a->failed = true;
            return NULL;
        }
        a->current = c;
    }
    unsigned char *p = a->current->bytes + a->current->used;
    a->current->used += whole;
    UNPOISON(p, bytes);
    return p;
}

void *qn__arena_alloc(struct qn__arena *a, size_t count, size_t size)
{
    void *p = take(a, size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    if (p && count && size)
        memset(p, 0, count * size);
    return p;
}

void *qn__arena_memdup(struct qn__arena *a, const void *bytes, size_t n)
{
    void *p = take(a, n);
    if (p && n)
        memcpy(p, bytes, n);
    return p;
}

char *qn__arena_strndup(struct qn__arena *a, const char *s, size_t n)
{
    char *p = take(a, n < SIZE_MAX ? n + 1 : n);
    if (!p)
        return NULL;
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

char *qn__arena_strdup(struct qn__arena *a, const char *s)
{
    return qn__arena_strndup(a, s, strlen(s));
}

char *qn__arena_join(struct qn__arena *a, const char *first, const char *second)
{
    const size_t n = strlen(first), m = strlen(second);
    char *p = take(a, n + m + 1);
    if (!p)
        return NULL;
    memcpy(p, first, n);
    memcpy(p + n, second, m + 1);
    return p;
}

char *qn__arena_printf(struct qn__arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    const int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = n >= 0 ? take(a, (size_t)n + 1) : NULL;
    if (p)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

struct qn__arena_mark qn__arena_mark(const struct qn__arena *a)
{
    return (struct qn__arena_mark){a->current, a->current ? a->current->used : 0};
}

void qn__arena_rewind(struct qn__arena *a, struct qn__arena_mark mark)
{
    while (a->current != mark.chunk) {
        struct qn__arena_chunk *older = a->current->older;
        UNPOISON(a->current->bytes, a->current->capacity);
        free(a->current);
        a->current = older;
    }
    if (a->current) {
        POISON(a->current->bytes + mark.used, a->current->capacity - mark.used);
        a->current->used = mark.used;
    }
}

void qn__arena_release(struct qn__arena *a)
{
    qn__arena_rewind(a, (struct qn__arena_mark){NULL, 0});
    a->failed = false;
}
