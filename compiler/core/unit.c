/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stages share: memory without a failure to handle, a pointer-keyed table, and which
 * kernel a function of the module is. */
#include "compiler/core/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *qn__need(struct qn__unit *u, size_t count, size_t size)
{
    void *const p = qn__arena_alloc(u->arena, count ? count : 1, size);
    if (!p)
        longjmp(*u->out_of_memory, 1);
    return p;
}

/* Does the format hold nothing but %s, %.*s, %c and %u? */
static bool is_simple(const char *fmt)
{
    for (const char *p = strchr(fmt, '%'); p; p = strchr(p, '%')) {
        p += strncmp(p, "%.*s", 4) == 0 ? 3 : 1;
        if (*p != 's' && *p != 'c' && *p != 'u')
            return false;
    }
    return true;
}

/* vsnprintf() for a simple format. Most texts are a few strings put together, and printf itself is
 * several times as expensive as that. */
static size_t join(char *out, size_t capacity, const char *fmt, va_list ap)
{
    size_t length = 0;
    while (*fmt) {
        char own[16], *const end = own + sizeof own;
        const char *piece = own;
        size_t n = 0;
        if (*fmt != '%') {
            piece = fmt;
            while (*fmt && *fmt != '%')
                fmt++;
            n = (size_t)(fmt - piece);
        } else if (fmt[1] == 's') {
            piece = va_arg(ap, const char *);
            n = strlen(piece);
            fmt += 2;
        } else if (fmt[1] == '.') {
            const int most = va_arg(ap, int);
            piece = va_arg(ap, const char *);
            n = strnlen(piece, (size_t)most);
            fmt += 4;
        } else if (fmt[1] == 'c') {
            own[n++] = (char)va_arg(ap, int);
            fmt += 2;
        } else {
            unsigned number = va_arg(ap, unsigned);
            do {
                end[-(ptrdiff_t)++n] = (char)('0' + number % 10);
            } while (number /= 10);
            piece = end - n;
            fmt += 2;
        }
        if (length < capacity)
            memcpy(out + length, piece, n < capacity - length ? n : capacity - length);
        length += n;
    }
    return length;
}

const char *qn__text(struct qn__unit *u, const char *fmt, ...)
{
    char room[512];
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    const bool simple = is_simple(fmt);
    const int printed =
        simple ? (int)join(room, sizeof room, fmt, ap) : vsnprintf(room, sizeof room, fmt, ap);
    va_end(ap);
    const size_t n = printed < 0 ? 0 : (size_t)printed;
    char *const text = qn__need(u, n + 1, 1);
    if (n < sizeof room)
        memcpy(text, room, n);
    else if (simple)
        join(text, n, fmt, again);
    else
        vsnprintf(text, n + 1, fmt, again);
    va_end(again);
    return text;
}

void *qn__grow(struct qn__unit *u, void *array, uint32_t n, uint32_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    const uint32_t larger = *capacity ? *capacity * 2 : 8;
    void *const copy = qn__need(u, larger, size);
    if (n)
        memcpy(copy, array, n * size);
    *capacity = larger;
    return copy;
}

static uint32_t map_slot(const struct qn__map *m, const void *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key;
    h = (h ^ (h >> 17)) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 32) & (m->capacity - 1);
    while (m->keys[i] && m->keys[i] != key)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

void *qn__map_get(const struct qn__map *m, const void *key)
{
    return m->capacity ? m->values[map_slot(m, key)] : NULL;
}

void qn__map_put(struct qn__unit *u, struct qn__map *m, const void *key, void *value)
{
    if (m->n * 2 >= m->capacity) {
        struct qn__map larger = {.capacity = m->capacity ? m->capacity * 2 : 64};
        larger.keys = QN__NEED_ARRAY(u, const void *, larger.capacity);
        larger.values = QN__NEED_ARRAY(u, void *, larger.capacity);
        for (uint32_t i = 0; i < m->capacity; i++)
            if (m->keys[i]) {
                const uint32_t slot = map_slot(&larger, m->keys[i]);
                larger.keys[slot] = m->keys[i];
                larger.values[slot] = m->values[i];
            }
        larger.n = m->n;
        *m = larger;
    }
    const uint32_t slot = map_slot(m, key);
    if (!m->keys[slot])
        m->n++;
    m->keys[slot] = key;
    m->values[slot] = value;
}

struct qn__kernel_source *qn__kernel_of(struct qn__unit *u, LLVMValueRef function)
{
    for (uint32_t i = 0; i < u->n_kernels; i++)
        if (u->kernels[i].function == function)
            return &u->kernels[i];
    return NULL;
}

bool qn__may_leave_out(const struct qn__unit *u, const struct qn__kernel_source *k)
{
    return u->keep_going || (u->names_kernels && !k->expression);
}
