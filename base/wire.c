/* SPDX-License-Identifier: Apache-2.0
 *
 * Length-prefixed fields; see wire.h for the format and the reader's promise. */
#include "base/wire.h"

#include <string.h>

void qn__put_u32(unsigned char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

void qn__put_u64(unsigned char *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

uint32_t qn__get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t qn__get_u64(const unsigned char *p)
{
    return (uint64_t)qn__get_u32(p) | (uint64_t)qn__get_u32(p + 4) << 32;
}

static void header(struct qn__str *w, uint32_t tag, size_t n)
{
    unsigned char h[8];
    if (n > UINT32_MAX) {
        w->failed = true;
        return;
    }
    qn__put_u32(h, tag);
    qn__put_u32(h + 4, (uint32_t)n);
    qn__str_add_bytes(w, h, sizeof h);
}

void qn__wire_bytes(struct qn__str *w, uint32_t tag, const void *bytes, size_t n)
{
    header(w, tag, n);
    qn__str_add_bytes(w, bytes, n);
}

void qn__wire_text(struct qn__str *w, uint32_t tag, const char *text)
{
    if (text)
        qn__wire_bytes(w, tag, text, strlen(text));
}

void qn__wire_u32(struct qn__str *w, uint32_t tag, uint32_t value)
{
    unsigned char b[4];
    qn__put_u32(b, value);
    qn__wire_bytes(w, tag, b, sizeof b);
}

void qn__wire_u64(struct qn__str *w, uint32_t tag, uint64_t value)
{
    unsigned char b[8];
    qn__put_u64(b, value);
    qn__wire_bytes(w, tag, b, sizeof b);
}

size_t qn__wire_begin(struct qn__str *w, uint32_t tag)
{
    const size_t position = w->len;
    header(w, tag, 0);
    return position;
}

void qn__wire_end(struct qn__str *w, size_t position)
{
    if (w->failed)
        return;
    const size_t n = w->len - position - 8;
    if (n > UINT32_MAX) {
        w->failed = true;
        return;
    }
    unsigned char b[4];
    qn__put_u32(b, (uint32_t)n);
    memcpy(w->text + position + 4, b, sizeof b);
}

struct qn__wire_reader qn__wire_reader(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    return (struct qn__wire_reader){p, p ? p + n : p, false};
}

struct qn__wire_reader qn__wire_record(struct qn__wire_field f)
{
    return qn__wire_reader(f.bytes, f.n);
}

bool qn__wire_next(struct qn__wire_reader *r, struct qn__wire_field *f)
{
    if (r->failed || r->p == r->end)
        return false;
    if (r->end - r->p < 8) {
        r->failed = true;
        return false;
    }
    f->tag = qn__get_u32(r->p);
    f->n = qn__get_u32(r->p + 4);
    f->bytes = r->p + 8;
    if ((size_t)(r->end - f->bytes) < f->n) {
        r->failed = true;
        return false;
    }
    r->p = f->bytes + f->n;
    return true;
}

bool qn__wire_get_u32(struct qn__wire_field f, uint32_t *value)
{
    *value = f.n == 4 ? qn__get_u32(f.bytes) : 0;
    return f.n == 4;
}

bool qn__wire_get_u64(struct qn__wire_field f, uint64_t *value)
{
    *value = f.n == 8 ? qn__get_u64(f.bytes) : 0;
    return f.n == 8;
}
