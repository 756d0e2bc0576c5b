/* SPDX-License-Identifier: Apache-2.0
 *
 * The compact table; base/dwarf_lines.c makes rows of what a compiler left. */
#include "base/line_table.h"

#include "base/wire.h"

#include <string.h>

static const char mark[8] = {'q', 'n', '-', 'l', 'i', 'n', 'e', 's'};
enum { TAIL_BYTES = 4 + sizeof mark };

static void add_number(struct qn__str *out, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        qn__str_add_char(out, (char)(v | 0x80));
    qn__str_add_char(out, (char)v);
}

static void add_u32(struct qn__str *out, uint32_t v)
{
    unsigned char bytes[4];
    qn__put_u32(bytes, v);
    qn__str_add_bytes(out, bytes, sizeof bytes);
}

void qn__line_table_add(struct qn__str *out, const struct qn__line_rows *rows)
{
    const size_t begin = out->len;
    struct qn__line_row last = {0};
    add_u32(out, rows->n_files);
    for (uint32_t i = 0; i < rows->n_files; i++)
        qn__str_add_bytes(out, rows->files[i], strlen(rows->files[i]) + 1);
    for (size_t i = 0; i < rows->n; i++) {
        const struct qn__line_row *r = &rows->rows[i];
        const int64_t by = (int64_t)r->line - last.line;
        if (r->line == last.line && (r->file == last.file || !r->line))
            continue;
        const bool other_file = r->line && r->file != last.file;
        add_number(out, (r->address - last.address) * 2 + other_file);
        add_number(out, by < 0 ? (uint64_t)-by * 2 - 1 : (uint64_t)by * 2);
        if (other_file)
            add_number(out, r->file);
        last = (struct qn__line_row){r->address, other_file ? r->file : last.file, r->line};
    }
    add_u32(out, (uint32_t)(out->len - begin));
    qn__str_add_bytes(out, mark, sizeof mark);
}

struct reader {
    const unsigned char *p, *end;
    bool failed;
};

static uint64_t number(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; r->p < r->end && shift < 64; shift += 7) {
        const unsigned char c = *r->p++;
        v |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return v;
    }
    r->failed = true;
    return 0;
}

static const char *name_at(const unsigned char *p, const unsigned char *end, uint64_t index)
{
    for (; index && p < end; index--) {
        const unsigned char *zero = memchr(p, 0, (size_t)(end - p));
        p = zero ? zero + 1 : end;
    }
    return p < end && memchr(p, 0, (size_t)(end - p)) ? (const char *)p : NULL;
}

bool qn__line_table_find(const char **file, uint32_t *line, const void *bytes, size_t n,
                         uint64_t address)
{
    const unsigned char *const all = bytes;
    if (n < TAIL_BYTES + 4 || memcmp(all + n - sizeof mark, mark, sizeof mark) != 0)
        return false;
    const size_t table = qn__get_u32(all + n - TAIL_BYTES);
    if (table < 4 || table > n - TAIL_BYTES)
        return false;
    struct reader r = {all + n - TAIL_BYTES - table, all + n - TAIL_BYTES, false};
    const unsigned char *const names = r.p + 4;
    const uint32_t n_files = qn__get_u32(r.p);
    r.p = names;
    for (uint32_t i = 0; i < n_files; i++) {
        const unsigned char *zero = memchr(r.p, 0, (size_t)(r.end - r.p));
        if (!zero)
            return false;
        r.p = zero + 1;
    }
    const unsigned char *const names_end = r.p;
    uint64_t at = 0, of = 0;
    uint32_t now = 0;
    while (r.p < r.end) {
        const uint64_t step = number(&r), by = number(&r);
        const uint64_t next = at + (step >> 1);
        if (r.failed || next > address)
            break;
        at = next;
        now += (uint32_t)(by & 1 ? -(int64_t)(by / 2 + 1) : (int64_t)(by / 2));
        if (step & 1)
            of = number(&r);
    }
    *line = now;
    *file = now ? name_at(names, names_end, of) : NULL;
    return *file != NULL;
}
