/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts that the loader reads (names, symbols, their hash table, relocations) must be in
 * segments that nobody may write, so they are what they were when they were looked at. */
#include "runtime/cpu/cpu_elf.h"

#include "base/wire.h"

#include <elf.h>
#include <string.h>

enum { SEGMENTS_MAX = 32, PAGE_BYTES = 4096, ALIGN_MAX = 2 << 20 };
static const uint64_t ADDRESS_MAX = UINT64_C(1) << 32;

struct reader {
    const unsigned char *p;
    size_t n;
    enum qn__cpu_machine machine;
    struct qn__arena *arena;
    struct qn__cpu_segment segments[SEGMENTS_MAX];
    uint32_t n_segments;
    uint64_t headers, headers_bytes, dynamic, dynamic_bytes;
    bool has_stack;
    /* of the dynamic section */
    uint64_t names, names_bytes, symbols, hash, got;
    uint64_t rela, rela_bytes, plt, plt_bytes, n_relative;
    uint64_t needed[4];
    uint32_t n_needed, n_buckets, n_symbols;
};

static qn_status corrupt(const char *what)
{
    return qn__fail(QN_E_CORRUPT, "the image is no shared object that may be loaded: %s", what);
}

static uint16_t get_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

/* -- segments -- */

static const struct qn__cpu_segment *find_segment(const struct qn__cpu_segment *segments,
                                                  uint32_t n, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < n; i++)
        if (address >= segments[i].begin && address <= segments[i].end &&
            bytes <= segments[i].end - address)
            return &segments[i];
    return NULL;
}

/* Bytes of the file that nobody may write once they are loaded; NULL: not all of them are. */
static const unsigned char *constant(const struct reader *r, uint64_t address, uint64_t bytes)
{
    const struct qn__cpu_segment *s = find_segment(r->segments, r->n_segments, address, bytes);
    if (!s || s->may_write || bytes > s->file_end - s->begin ||
        address - s->begin > s->file_end - s->begin - bytes)
        return NULL;
    return r->p + s->at + (address - s->begin);
}

static uint64_t round_up(uint64_t address)
{
    return (address + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

static qn_status read_load(struct reader *r, const unsigned char *h)
{
    const uint32_t flags = qn__get_u32(h + 4);
    const uint64_t at = qn__get_u64(h + 8), address = qn__get_u64(h + 16);
    const uint64_t file_bytes = qn__get_u64(h + 32), bytes = qn__get_u64(h + 40);
    const uint64_t align = qn__get_u64(h + 48);
    if (r->n_segments == SEGMENTS_MAX)
        return corrupt("too many segments");
    if (at > r->n || file_bytes > r->n - at || file_bytes > bytes || bytes == 0 ||
        address > ADDRESS_MAX || bytes > ADDRESS_MAX - address)
        return corrupt("a segment is outside the file");
    if (align < PAGE_BYTES || align > ALIGN_MAX || (align & (align - 1)) ||
        (address - at) % align != 0)
        return corrupt("a segment is not aligned");
    if ((flags & (PF_W | PF_X)) == (PF_W | PF_X) || !(flags & PF_R))
        return corrupt("a segment may be written and executed");
    const struct qn__cpu_segment *last = r->n_segments ? &r->segments[r->n_segments - 1] : NULL;
    if (last && address - address % PAGE_BYTES < round_up(last->end))
        return corrupt("segments overlap");
    r->segments[r->n_segments++] = (struct qn__cpu_segment){.begin = address,
                                                            .end = address + bytes,
                                                            .file_end = address + file_bytes,
                                                            .at = at,
                                                            .may_write = flags & PF_W,
                                                            .may_run = flags & PF_X};
    return QN_OK;
}

/* Segments first: the others are parts of them. */
static qn_status read_loads(struct reader *r, const unsigned char *headers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *h = headers + i * sizeof(Elf64_Phdr);
        if (qn__get_u32(h) == PT_LOAD)
            QN_TRY(read_load(r, h));
    }
    return QN_OK;
}

static qn_status read_program_header(struct reader *r, const unsigned char *h)
{
    const uint32_t type = qn__get_u32(h), flags = qn__get_u32(h + 4);
    const uint64_t at = qn__get_u64(h + 8), address = qn__get_u64(h + 16);
    const uint64_t file_bytes = qn__get_u64(h + 32), bytes = qn__get_u64(h + 40);
    const bool is_relro = type == PT_GNU_RELRO; /* which may go on to the end of a page */
    const struct qn__cpu_segment *s =
        find_segment(r->segments, r->n_segments, address, is_relro ? 1 : bytes);
    switch (type) {
    case PT_LOAD: return QN_OK;
    case PT_GNU_STACK:
        r->has_stack = true;
        return flags & PF_X ? corrupt("it wants a stack that may be executed") : QN_OK;
    case PT_PHDR:
        return s && at == r->headers && bytes >= r->headers_bytes &&
                       bytes <= s->file_end - s->begin &&
                       address - s->begin <= s->file_end - s->begin - bytes &&
                       at == s->at + (address - s->begin)
                   ? QN_OK
                   : corrupt("its program headers are not in a segment");
    case PT_GNU_EH_FRAME: return s ? QN_OK : corrupt("a header is outside the segments");
    case PT_GNU_RELRO:
        return s && s->may_write && bytes <= round_up(s->end) - address
                   ? QN_OK
                   : corrupt("RELRO is outside the segments");
    case PT_DYNAMIC:
        if (r->dynamic_bytes || !s || !s->may_write || address % 8 || bytes < sizeof(Elf64_Dyn) ||
            bytes > s->file_end - s->begin || address - s->begin > s->file_end - s->begin - bytes ||
            at != s->at + (address - s->begin) || file_bytes != bytes)
            return corrupt("no dynamic section inside a segment");
        r->dynamic = at;
        r->dynamic_bytes = bytes;
        return QN_OK;
    default:
        return qn__fail(QN_E_CORRUPT,
                        "the image is no shared object that may be loaded: a header of type 0x%x",
                        type);
    }
}

static qn_status check_head(const struct reader *r)
{
    static const unsigned char magic[] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                          ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    const uint16_t machine = r->machine == QN__CPU_X86 ? EM_X86_64 : EM_AARCH64;
    if (r->n < sizeof(Elf64_Ehdr) || memcmp(r->p, magic, 4) != 0)
        return corrupt("no ELF file");
    if (memcmp(r->p, magic, sizeof magic) != 0 || r->p[EI_ABIVERSION] != 0 ||
        (r->p[EI_OSABI] != ELFOSABI_NONE && r->p[EI_OSABI] != ELFOSABI_GNU))
        return corrupt("not of 64 bits, little-endian, version 1");
    if (get_u16(r->p + 16) != ET_DYN || qn__get_u32(r->p + 20) != EV_CURRENT)
        return corrupt("another kind of ELF file");
    if (get_u16(r->p + 18) != machine)
        return qn__fail(QN_E_MISMATCH, "the image is code for the machine %u of ELF, not for %u",
                        get_u16(r->p + 18), machine);
    return QN_OK;
}

static qn_status read_headers(struct reader *r)
{
    QN_TRY(check_head(r));
    const uint64_t at = qn__get_u64(r->p + 32);
    const uint32_t size = get_u16(r->p + 54), n = get_u16(r->p + 56);
    if (size != sizeof(Elf64_Phdr) || n == 0 || n > SEGMENTS_MAX || at > r->n || at % 8 ||
        n * sizeof(Elf64_Phdr) > r->n - at)
        return corrupt("its program headers are outside the file");
    r->headers = at;
    r->headers_bytes = n * sizeof(Elf64_Phdr);
    QN_TRY(read_loads(r, r->p + at, n));
    for (uint32_t i = 0; i < n; i++)
        QN_TRY(read_program_header(r, r->p + at + i * sizeof(Elf64_Phdr)));
    if (!r->has_stack)
        return corrupt("it does not say that its stack is not executed");
    return r->dynamic_bytes ? QN_OK : corrupt("no dynamic section");
}

/* -- the dynamic section -- */

static qn_status read_tag(struct reader *r, uint64_t tag, uint64_t v)
{
    switch (tag) {
    case DT_STRTAB: r->names = v; return QN_OK;
    case DT_STRSZ: r->names_bytes = v; return QN_OK;
    case DT_SYMTAB: r->symbols = v; return QN_OK;
    case DT_HASH: r->hash = v; return QN_OK;
    case DT_PLTGOT: r->got = v; return QN_OK;
    case DT_RELA: r->rela = v; return QN_OK;
    case DT_RELASZ: r->rela_bytes = v; return QN_OK;
    case DT_RELACOUNT: r->n_relative = v; return QN_OK;
    case DT_JMPREL: r->plt = v; return QN_OK;
    case DT_PLTRELSZ: r->plt_bytes = v; return QN_OK;
    case DT_SYMENT: return v == sizeof(Elf64_Sym) ? QN_OK : corrupt("symbols of another size");
    case DT_RELAENT:
        return v == sizeof(Elf64_Rela) ? QN_OK : corrupt("relocations of another size");
    case DT_PLTREL: return v == DT_RELA ? QN_OK : corrupt("relocations of another kind");
    case DT_FLAGS:
        return v & ~(uint64_t)(DF_SYMBOLIC | DF_BIND_NOW) ? corrupt("unknown flags") : QN_OK;
    case DT_FLAGS_1: return v & ~(uint64_t)DF_1_NOW ? corrupt("unknown flags") : QN_OK;
    case DT_SYMBOLIC:
    case DT_BIND_NOW: return QN_OK;
    case DT_NEEDED:
        if (r->n_needed == sizeof r->needed / sizeof *r->needed)
            return corrupt("it needs too many libraries");
        r->needed[r->n_needed++] = v;
        return QN_OK;
    default:
        return qn__fail(QN_E_CORRUPT,
                        "the image is no shared object that may be loaded: a dynamic entry 0x%llx",
                        (unsigned long long)tag);
    }
}

/* The loader takes it that what belongs together is there. */
static qn_status check_tags(uint64_t seen)
{
#define TAG(name) (UINT64_C(1) << (name))
    static const uint64_t needed =
        TAG(DT_STRTAB) | TAG(DT_STRSZ) | TAG(DT_SYMTAB) | TAG(DT_SYMENT) | TAG(DT_HASH);
    static const uint64_t together[] = {TAG(DT_RELA) | TAG(DT_RELASZ) | TAG(DT_RELAENT),
                                        TAG(DT_PLTREL) | TAG(DT_JMPREL) | TAG(DT_PLTRELSZ)};
#undef TAG
    if ((seen & needed) != needed)
        return corrupt("a table of its dynamic section is missing");
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        if (seen & together[i] && (seen & together[i]) != together[i])
            return corrupt("a part of its relocations is missing");
    return QN_OK;
}

static qn_status read_dynamic(struct reader *r)
{
    const unsigned char *d = r->p + r->dynamic;
    uint64_t seen = 0;
    for (uint64_t left = r->dynamic_bytes; left >= sizeof(Elf64_Dyn);
         left -= sizeof(Elf64_Dyn), d += sizeof(Elf64_Dyn)) {
        const uint64_t tag = qn__get_u64(d);
        if (tag == DT_NULL)
            return check_tags(seen);
        if (tag < 64 && tag != DT_NEEDED && seen >> tag & 1)
            return corrupt("a dynamic entry that is there twice");
        seen |= tag < 64 ? UINT64_C(1) << tag : 0;
        QN_TRY(read_tag(r, tag, qn__get_u64(d + 8)));
    }
    return corrupt("its dynamic section has no end");
}

/* NULL: no name is there. The table ends with a 0. */
static const char *name_at(const struct reader *r, uint64_t at)
{
    const unsigned char *names = constant(r, r->names, r->names_bytes);
    return at < r->names_bytes ? (const char *)names + at : NULL;
}

static qn_status check_names(const struct reader *r)
{
    const unsigned char *names = constant(r, r->names, r->names_bytes);
    if (!names || r->names_bytes == 0 || names[r->names_bytes - 1] != 0)
        return corrupt("its names are outside the segments");
    for (uint32_t i = 0; i < r->n_needed; i++) {
        const char *library = name_at(r, r->needed[i]);
        if (!library)
            return corrupt("its names are outside the segments");
        if (strcmp(library, "libm.so.6") != 0 && strcmp(library, "libc.so.6") != 0)
            return qn__fail(QN_E_CORRUPT, "the image needs the library %.100s", library);
    }
    return QN_OK;
}

/* Every chain ends, and within the table. */
static qn_status check_hash(struct reader *r)
{
    const unsigned char *h = constant(r, r->hash, 8);
    if (!r->hash || !h)
        return corrupt("it has no hash table of its symbols");
    r->n_buckets = qn__get_u32(h);
    r->n_symbols = qn__get_u32(h + 4);
    if (!r->n_buckets || !r->n_symbols ||
        !(h = constant(r, r->hash, 8 + 4 * ((uint64_t)r->n_buckets + r->n_symbols))))
        return corrupt("its hash table is outside the segments");
    const unsigned char *chains = h + 8 + 4 * (uint64_t)r->n_buckets;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < r->n_buckets; i++)
        for (uint32_t at = qn__get_u32(h + 8 + 4 * (uint64_t)i); at != 0;
             at = qn__get_u32(chains + 4 * (uint64_t)at))
            if (at >= r->n_symbols || ++steps > r->n_symbols)
                return corrupt("its hash table has no end");
    return QN_OK;
}

/* -- symbols -- */

static qn_status read_symbols(struct qn__cpu_elf *out, const struct reader *r)
{
    const unsigned char *s = constant(r, r->symbols, (uint64_t)r->n_symbols * sizeof(Elf64_Sym));
    struct qn__cpu_symbol *list =
        s ? QN__ARENA_ARRAY(r->arena, struct qn__cpu_symbol, r->n_symbols) : NULL;
    if (!s)
        return corrupt("its symbols are outside the segments");
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for %u symbols", r->n_symbols);
    out->symbols = list;
    for (uint32_t i = 0; i < r->n_symbols; i++, s += sizeof(Elf64_Sym)) {
        const char *name = name_at(r, qn__get_u32(s));
        const unsigned type = s[4] & 15, place = get_u16(s + 6);
        const uint64_t address = qn__get_u64(s + 8), bytes = qn__get_u64(s + 16);
        if (!name)
            return corrupt("a symbol without a name");
        if (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC && type != STT_SECTION)
            return qn__fail(QN_E_CORRUPT, "the image has a symbol of kind %u: %.100s", type, name);
        if (place == SHN_UNDEF)
            continue;
        if (place >= SHN_LORESERVE || !find_segment(r->segments, r->n_segments, address, bytes))
            return qn__fail(QN_E_CORRUPT, "the image's symbol %.100s is outside the segments",
                            name);
        struct qn__cpu_symbol *symbol = &list[out->n_symbols++];
        *symbol = (struct qn__cpu_symbol){.address = address,
                                          .bytes = bytes,
                                          .is_code = type == STT_FUNC,
                                          .name = qn__arena_strdup(r->arena, name)};
        if (!symbol->name)
            return qn__fail(QN_E_MEMORY, "no memory for %u symbols", r->n_symbols);
    }
    return QN_OK;
}

/* -- relocations -- */

enum { NO_RELOCATION, OF_SYMBOL, RELATIVE };

static int kind_of(const struct reader *r, uint32_t type)
{
    if (r->machine == QN__CPU_X86)
        return type == R_X86_64_RELATIVE ? RELATIVE
               : type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT
                   ? OF_SYMBOL
                   : NO_RELOCATION;
    return type == R_AARCH64_RELATIVE ? RELATIVE
           : type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT
               ? OF_SYMBOL
               : NO_RELOCATION;
}

/* What they change is in memory that may be written, and not the dynamic section. */
static qn_status check_relocations(const struct reader *r, uint64_t address, uint64_t bytes,
                                   uint64_t n_relative)
{
    const unsigned char *p = constant(r, address, bytes);
    if (bytes == 0)
        return n_relative ? corrupt("relocations that are not there") : QN_OK;
    if (!p || bytes % sizeof(Elf64_Rela) || n_relative > bytes / sizeof(Elf64_Rela))
        return corrupt("its relocations are outside the segments");
    for (uint64_t i = 0; i < bytes / sizeof(Elf64_Rela); i++, p += sizeof(Elf64_Rela)) {
        const uint64_t at = qn__get_u64(p);
        const uint32_t type = qn__get_u32(p + 8), symbol = qn__get_u32(p + 12);
        const struct qn__cpu_segment *s = find_segment(r->segments, r->n_segments, at, 8);
        const int kind = kind_of(r, type);
        if (kind == NO_RELOCATION || (i < n_relative && kind != RELATIVE))
            return qn__fail(QN_E_CORRUPT, "the image has a relocation of kind %u", type);
        if (!s || !s->may_write || symbol >= r->n_symbols)
            return corrupt("a relocation of what may not be written");
        const uint64_t in_file = s->at + (at - s->begin);
        if (in_file + 8 > r->dynamic && in_file < r->dynamic + r->dynamic_bytes)
            return corrupt("a relocation of the dynamic section");
    }
    return QN_OK;
}

qn_status qn__cpu_elf_read(struct qn__cpu_elf *out, struct qn__arena *arena, const void *bytes,
                           size_t n, enum qn__cpu_machine machine)
{
    struct reader r = {.p = bytes, .n = n, .machine = machine, .arena = arena};
    *out = (struct qn__cpu_elf){0};
    QN_TRY(read_headers(&r));
    QN_TRY(read_dynamic(&r));
    QN_TRY(check_names(&r));
    QN_TRY(check_hash(&r));
    QN_TRY(read_symbols(out, &r));
    QN_TRY(check_relocations(&r, r.rela, r.rela_bytes, r.n_relative));
    QN_TRY(check_relocations(&r, r.plt, r.plt_bytes, 0));
    const struct qn__cpu_segment *got =
        r.got ? find_segment(r.segments, r.n_segments, r.got, 3 * sizeof(uint64_t)) : NULL;
    if (r.got && !(got && got->may_write))
        return corrupt("its table of addresses is outside the segments");
    out->segments = qn__arena_memdup(arena, r.segments, r.n_segments * sizeof *r.segments);
    out->n_segments = r.n_segments;
    return out->segments ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for %u segments", r.n_segments);
}

const struct qn__cpu_symbol *qn__cpu_elf_find(const struct qn__cpu_elf *elf, const char *name)
{
    for (uint32_t i = 0; i < elf->n_symbols; i++)
        if (strcmp(elf->symbols[i].name, name) == 0)
            return &elf->symbols[i];
    return NULL;
}

const struct qn__cpu_segment *qn__cpu_elf_segment(const struct qn__cpu_elf *elf, uint64_t address,
                                                  uint64_t bytes)
{
    return find_segment(elf->segments, elf->n_segments, address, bytes);
}
