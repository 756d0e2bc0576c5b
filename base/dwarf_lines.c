/* SPDX-License-Identifier: Apache-2.0
 *
 * The line programs of an ELF file's .debug_line, run: DWARF 4, section 6.2. Compilers of ours are
 * told to write that version (rtc/helper/cpu_compile.c). */
#include "base/dwarf_lines.h"

#include "base/wire.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 4, FILES_MAX = 65535 };
enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE, BASIC_BLOCK };
enum { CONST_ADD_PC = 8, FIXED_ADVANCE_PC, PROLOGUE_END, EPILOGUE_BEGIN, SET_ISA };
enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };

struct reader {
    const unsigned char *p, *end;
    bool failed;
};

struct rows {
    struct qn__arena *arena;
    struct qn__line_row *list;
    size_t n, capacity;
    const char **files;
    uint32_t n_files, files_capacity;
};

static qn_status corrupt(const char *what)
{
    return qn__fail(QN_E_CORRUPT, "the table of lines cannot be read: %s", what);
}

static uint64_t fixed(struct reader *r, unsigned bytes)
{
    uint64_t v = 0;
    if (r->failed || (size_t)(r->end - r->p) < bytes) {
        r->failed = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)*r->p++ << 8 * i;
    return v;
}

static uint64_t leb(struct reader *r, bool is_signed)
{
    uint64_t v = 0;
    unsigned shift = 0;
    unsigned char c;
    do {
        c = (unsigned char)fixed(r, 1);
        if (shift < 64)
            v |= (uint64_t)(c & 0x7f) << shift;
        shift += 7;
    } while (c & 0x80 && !r->failed);
    if (is_signed && c & 0x40 && shift < 64)
        v |= ~UINT64_C(0) << shift;
    return v;
}

static const char *text(struct reader *r)
{
    const unsigned char *zero = r->failed ? NULL : memchr(r->p, 0, (size_t)(r->end - r->p));
    const char *s = (const char *)r->p;
    if (!zero) {
        r->failed = true;
        return "";
    }
    r->p = zero + 1;
    return s;
}

/* Room for one more; NULL: no memory. */
static void *more(struct qn__arena *arena, void *list, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return list;
    *capacity = *capacity ? *capacity * 2 : 64;
    void *const larger = qn__arena_alloc(arena, *capacity, size);
    if (larger && n)
        memcpy(larger, list, n * size);
    return larger;
}

static bool add_row(struct rows *rows, struct qn__line_row row)
{
    rows->list = more(rows->arena, rows->list, rows->n, &rows->capacity, sizeof *rows->list);
    if (!rows->list)
        return false;
    rows->list[rows->n++] = row;
    return true;
}

static bool add_file(struct rows *rows, const char *dir, const char *name)
{
    size_t capacity = rows->files_capacity;
    rows->files = more(rows->arena, rows->files, rows->n_files, &capacity, sizeof *rows->files);
    rows->files_capacity = (uint32_t)capacity;
    if (!rows->files)
        return false;
    rows->files[rows->n_files] = *dir ? qn__arena_printf(rows->arena, "%s/%s", dir, name)
                                      : qn__arena_strdup(rows->arena, name);
    return rows->files[rows->n_files++] != NULL;
}

struct head {
    uint8_t least, line_range, opcode_base, lengths[256];
    int8_t line_base;
    uint32_t first_file; /* in rows->files; files of a program count from 1 */
    uint32_t n_files;
};

/* Files of the compiler's input itself have the index UINT32_MAX. */
static qn_status read_head(struct head *h, struct reader *r, struct rows *rows)
{
    const unsigned char *dirs = NULL;
    h->least = (uint8_t)fixed(r, 1);
    fixed(r, 2); /* operations of an instruction, is_stmt */
    h->line_base = (int8_t)fixed(r, 1);
    h->line_range = (uint8_t)fixed(r, 1);
    h->opcode_base = (uint8_t)fixed(r, 1);
    for (unsigned i = 1; i < h->opcode_base; i++)
        h->lengths[i] = (uint8_t)fixed(r, 1);
    if (r->failed || !h->line_range || !h->opcode_base)
        return corrupt("its head is damaged");
    dirs = r->p;
    while (*text(r))
        ;
    h->first_file = rows->n_files;
    for (;;) {
        const char *const name = text(r);
        if (!*name)
            break;
        struct reader dir = {dirs, r->end, false};
        const char *in = "";
        for (uint64_t i = leb(r, false); i && !dir.failed; i--)
            in = text(&dir);
        leb(r, false); /* time, length */
        leb(r, false);
        if (rows->n_files == FILES_MAX)
            return corrupt("too many files");
        if (!add_file(rows, in[0] == '.' && !in[1] ? "" : in, name))
            return qn__fail(QN_E_MEMORY, "no memory for names of files");
        h->n_files++;
    }
    return r->failed ? corrupt("its head is damaged") : QN_OK;
}

struct machine {
    uint64_t address;
    uint32_t file, line;
};

static bool emit(struct rows *rows, const struct head *h, const struct machine *m, bool is_end,
                 const char *own)
{
    if (!is_end && m->line == 0) /* of several: as before it */
        return true;
    const bool known = !is_end && m->file >= 1 && m->file <= h->n_files &&
                       strcmp(rows->files[h->first_file + m->file - 1], own) != 0;
    return add_row(rows, (struct qn__line_row){m->address, known ? h->first_file + m->file - 1 : 0,
                                               known ? m->line : 0});
}

/* An opcode with a length in front of it. False: no memory. */
static bool extended(struct rows *rows, const struct head *h, struct machine *m, struct reader *r,
                     const char *own)
{
    const uint64_t n = leb(r, false);
    if (r->failed || n == 0 || n > (size_t)(r->end - r->p)) {
        r->failed = true;
        return true;
    }
    const unsigned char *const next = r->p + n;
    const unsigned op = (unsigned)fixed(r, 1);
    bool good = true;
    if (op == END_SEQUENCE) {
        good = emit(rows, h, m, true, own);
        *m = (struct machine){0, 1, 1};
    } else if (op == SET_ADDRESS && n == 9) {
        m->address = fixed(r, 8);
    }
    r->p = next;
    return good;
}

static qn_status run(struct rows *rows, const struct head *h, struct reader *r, const char *own)
{
    struct machine m = {0, 1, 1};
    bool good = true;
    while (r->p < r->end && !r->failed && good) {
        const unsigned op = (unsigned)fixed(r, 1);
        if (op >= h->opcode_base) {
            m.address += (uint64_t)((op - h->opcode_base) / h->line_range) * h->least;
            m.line += (uint32_t)(h->line_base + (int)((op - h->opcode_base) % h->line_range));
            good = emit(rows, h, &m, false, own);
            continue;
        }
        switch (op) {
        case 0: good = extended(rows, h, &m, r, own); break;
        case COPY: good = emit(rows, h, &m, false, own); break;
        case ADVANCE_PC: m.address += leb(r, false) * h->least; break;
        case ADVANCE_LINE: m.line += (uint32_t)leb(r, true); break;
        case SET_FILE: m.file = (uint32_t)leb(r, false); break;
        case CONST_ADD_PC:
            m.address += (uint64_t)((255 - h->opcode_base) / h->line_range) * h->least;
            break;
        case FIXED_ADVANCE_PC: m.address += fixed(r, 2); break;
        default: /* the head says how many numbers follow */
            for (unsigned i = 0; i < h->lengths[op]; i++)
                leb(r, false);
        }
    }
    if (!good)
        return qn__fail(QN_E_MEMORY, "no memory for a table of lines");
    return r->failed ? corrupt("it ends too soon") : QN_OK;
}

static qn_status read_programs(struct rows *rows, const unsigned char *p, size_t n, const char *own)
{
    struct reader all = {p, p + n, false};
    while (all.p < all.end) {
        struct head h = {0};
        const uint64_t bytes = fixed(&all, 4);
        if (all.failed || bytes > (size_t)(all.end - all.p))
            return corrupt("a part is longer than it");
        struct reader r = {all.p, all.p + bytes, false};
        all.p += bytes;
        if (fixed(&r, 2) != VERSION)
            return corrupt("it is not of version 4");
        const uint64_t head_bytes = fixed(&r, 4);
        if (r.failed || head_bytes > (size_t)(r.end - r.p))
            return corrupt("its head is longer than it");
        struct reader program = {r.p + head_bytes, r.end, false};
        r.end = program.p;
        QN_TRY(read_head(&h, &r, rows));
        QN_TRY(run(rows, &h, &program, own));
    }
    return QN_OK;
}

/* By address; of rows at one address the one that came last holds. */
static int by_address(const void *a, const void *b)
{
    const struct qn__line_row *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                    : (x->line != 0) - (y->line != 0);
}

static qn_status find_section(const unsigned char **section, size_t *section_n, size_t *loaded,
                              const unsigned char *p, size_t n)
{
    if (n < sizeof(Elf64_Ehdr) || memcmp(p, ELFMAG "\2\1", 6) != 0)
        return corrupt("no ELF file of 64 bits");
    const uint64_t headers = qn__get_u64(p + 32), at = qn__get_u64(p + 40);
    const unsigned n_headers = p[56] | p[57] << 8, sections = p[60] | p[61] << 8;
    const unsigned names = p[62] | p[63] << 8;
    if (headers > n || n_headers * sizeof(Elf64_Phdr) > n - headers || at > n ||
        sections * sizeof(Elf64_Shdr) > n - at || names >= sections)
        return corrupt("the file's headers are outside of it");
    *loaded = headers + n_headers * sizeof(Elf64_Phdr);
    for (unsigned i = 0; i < n_headers; i++) {
        const unsigned char *h = p + headers + i * sizeof(Elf64_Phdr);
        const uint64_t from = qn__get_u64(h + 8), bytes = qn__get_u64(h + 32);
        if (from > n || bytes > n - from)
            return corrupt("a segment is outside the file");
        if (from + bytes > *loaded)
            *loaded = from + bytes;
    }
    const unsigned char *const h = p + at;
    const uint64_t text_at = qn__get_u64(h + names * sizeof(Elf64_Shdr) + 24),
                   text_n = qn__get_u64(h + names * sizeof(Elf64_Shdr) + 32);
    static const char wanted[] = ".debug_line";
    for (unsigned i = 0; i < sections; i++) {
        const unsigned char *const s = h + i * sizeof(Elf64_Shdr);
        const uint64_t name = qn__get_u32(s), from = qn__get_u64(s + 24),
                       bytes = qn__get_u64(s + 32);
        if (text_at > n || text_n > n - text_at || name > text_n || text_n - name < sizeof wanted ||
            memcmp(p + text_at + name, wanted, sizeof wanted) != 0)
            continue;
        if (from > n || bytes > n - from || qn__get_u64(s + 8) & SHF_COMPRESSED)
            return corrupt("its section is outside the file, or compressed");
        *section = p + from;
        *section_n = bytes;
        return QN_OK;
    }
    return corrupt("there is none");
}

qn_status qn__line_rows_of_elf(struct qn__line_rows *out, size_t *loaded, struct qn__arena *arena,
                               const void *bytes, size_t n, const char *own)
{
    const unsigned char *section = NULL;
    size_t section_n = 0;
    struct rows rows = {.arena = arena};
    *out = (struct qn__line_rows){0};
    *loaded = 0;
    QN_TRY(find_section(&section, &section_n, loaded, bytes, n));
    QN_TRY(read_programs(&rows, section, section_n, own));
    if (rows.n)
        qsort(rows.list, rows.n, sizeof *rows.list, by_address);
    *out = (struct qn__line_rows){rows.files, rows.n_files, rows.list, rows.n};
    return QN_OK;
}
