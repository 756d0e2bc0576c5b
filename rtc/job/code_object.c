/* SPDX-License-Identifier: Apache-2.0
 *
 * A small reader of 64-bit little-endian ELF and of the head lines of PTX.
 *
 * The one idea: `slice()` is the only way to a byte. It answers NULL for a range that is not wholly
 * inside the file, so no other function computes with lengths that the file claims.
 *
 * Kernels are, in a cubin, the functions whose symbol carries the vendor's entry bit; in an AMD
 * code object, the objects named KERNEL.kd (kernel descriptors). In PTX they are the .entry
 * directives.
 */
#include "rtc/job/code_object.h"

#include "base/str.h"
#include "base/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EM_NVIDIA = 190,
    EM_AMD = 224,
    HEADER_BYTES = 64,
    SECTION_BYTES = 64,
    SYMBOL_BYTES = 24,
    RELA_BYTES = 24,
    SHT_SYMTAB_ = 2,
    SHT_RELA_ = 4,
    SHT_DYNSYM_ = 11,
    STT_OBJECT_ = 1,
    STT_FUNC_ = 2,
    NVIDIA_ENTRY = 0x10, /* in st_other */
    AMD_ABS64 = 3,
    AMD_RELATIVE64 = 13,
    SECTIONS_MAX = 1 << 20,
};

struct elf {
    const unsigned char *bytes;
    size_t n;
    uint16_t machine;
    uint32_t flags;
    uint64_t section_offset;
    uint32_t n_sections;
};

struct section {
    uint32_t type, link;
    uint64_t offset, size;
};

struct symbol {
    const char *name; /* inside the file, ends with 0 */
    unsigned char type, other;
    uint16_t section;
    uint64_t value, size;
};

static uint16_t get_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static const unsigned char *slice(const struct elf *e, uint64_t offset, uint64_t n)
{
    return offset <= e->n && n <= e->n - offset ? e->bytes + offset : NULL;
}

static bool elf_open(struct elf *e, const void *bytes, size_t n)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1};
    *e = (struct elf){.bytes = bytes, .n = n};
    const unsigned char *h = slice(e, 0, HEADER_BYTES);
    if (!h || memcmp(h, magic, sizeof magic) != 0)
        return false;
    e->machine = get_u16(h + 18);
    e->flags = qn__get_u32(h + 48);
    e->section_offset = qn__get_u64(h + 40);
    e->n_sections = get_u16(h + 60);
    if (e->n_sections == 0 && e->section_offset) { /* more than fit in 16 bits: section 0 counts */
        const unsigned char *s = slice(e, e->section_offset, SECTION_BYTES);
        const uint64_t count = s ? qn__get_u64(s + 32) : 0;
        e->n_sections = count < SECTIONS_MAX ? (uint32_t)count : 0;
    }
    return slice(e, e->section_offset, (uint64_t)e->n_sections * SECTION_BYTES) != NULL;
}

static bool section_get(struct section *out, const struct elf *e, uint32_t index)
{
    const unsigned char *s =
        index < e->n_sections
            ? slice(e, e->section_offset + (uint64_t)index * SECTION_BYTES, SECTION_BYTES)
            : NULL;
    if (!s)
        return false;
    *out = (struct section){qn__get_u32(s + 4), qn__get_u32(s + 40), qn__get_u64(s + 24),
                            qn__get_u64(s + 32)};
    return true;
}

/* Symbol `index` of table `table`, whose names are in section table->link. */
static bool symbol_get(struct symbol *out, const struct elf *e, const struct section *table,
                       uint64_t index)
{
    struct section names;
    if (index >= table->size / SYMBOL_BYTES || !section_get(&names, e, table->link))
        return false;
    const unsigned char *s = slice(e, table->offset, table->size);
    const unsigned char *text = slice(e, names.offset, names.size);
    if (!s || !text)
        return false;
    s += index * SYMBOL_BYTES;
    const uint32_t at = qn__get_u32(s);
    if (at >= names.size || !memchr(text + at, 0, (size_t)(names.size - at)))
        return false;
    *out = (struct symbol){(const char *)text + at, s[4] & 15,          s[5],
                           get_u16(s + 6),          qn__get_u64(s + 8), qn__get_u64(s + 16)};
    return true;
}

/* The fuller symbol table: .symtab, else .dynsym. */
static bool symbols_find(struct section *out, const struct elf *e)
{
    bool found = false;
    for (uint32_t i = 0; i < e->n_sections; i++) {
        struct section s;
        if (!section_get(&s, e, i))
            return false;
        if (s.type == SHT_SYMTAB_ || (s.type == SHT_DYNSYM_ && !found)) {
            *out = s;
            found = true;
        }
    }
    return found;
}

/* -- names -- */

static bool is_kernel(const struct elf *e, const struct symbol *s)
{
    if (e->machine == EM_NVIDIA)
        return s->type == STT_FUNC_ && (s->other & NVIDIA_ENTRY) && s->section;
    return s->type == STT_OBJECT_ && qn__ends_with(s->name, ".kd") && s->section;
}

static bool is_variable(const struct elf *e, const struct symbol *s)
{
    return s->type == STT_OBJECT_ && s->section && s->size && !is_kernel(e, s) &&
           !qn__starts_with(s->name, "__hip_cuid") && !qn__starts_with(s->name, "__oclc_") &&
           !qn__starts_with(s->name, QN__NAME_VARIABLE);
}

static qn_status read_symbols(struct qn__code_object *out, struct qn__arena *arena,
                              const struct elf *e)
{
    struct section table;
    if (!symbols_find(&table, e))
        return qn__fail(QN_E_CORRUPT, "code object without a symbol table");
    const uint64_t n = table.size / SYMBOL_BYTES;
    if (!slice(e, table.offset, table.size))
        return qn__fail(QN_E_CORRUPT, "code object: the symbol table leaves the file");
    const char **kernels = QN__ARENA_ARRAY(arena, const char *, n);
    struct qn__code_variable *variables = QN__ARENA_ARRAY(arena, struct qn__code_variable, n);
    if (!kernels || !variables)
        return qn__fail(QN_E_MEMORY, "no memory for %llu symbols", (unsigned long long)n);
    for (uint64_t i = 0; i < n; i++) {
        struct symbol s;
        if (!symbol_get(&s, e, &table, i))
            return qn__fail(QN_E_CORRUPT, "code object: damaged symbol %llu",
                            (unsigned long long)i);
        const size_t len = strlen(s.name);
        if (is_kernel(e, &s)) {
            kernels[out->n_kernels] =
                qn__arena_strndup(arena, s.name, e->machine == EM_AMD ? len - 3 : len);
            if (!kernels[out->n_kernels++])
                return qn__fail(QN_E_MEMORY, "no memory for a kernel name");
        } else if (is_variable(e, &s)) {
            variables[out->n_variables] =
                (struct qn__code_variable){qn__arena_strndup(arena, s.name, len), s.size};
            if (!variables[out->n_variables++].name)
                return qn__fail(QN_E_MEMORY, "no memory for a variable name");
        }
    }
    out->kernels = kernels;
    out->variables = variables;
    return QN_OK;
}

/* -- targets -- */

/* Processor numbers in the low byte of e_flags, from the AMDGPU ABI document. */
static const struct {
    unsigned char number;
    const char *name;
} amd_machines[] = {
    {0x20, "gfx600"},          {0x21, "gfx601"},          {0x3a, "gfx602"},
    {0x22, "gfx700"},          {0x23, "gfx701"},          {0x24, "gfx702"},
    {0x25, "gfx703"},          {0x26, "gfx704"},          {0x3b, "gfx705"},
    {0x28, "gfx801"},          {0x29, "gfx802"},          {0x2a, "gfx803"},
    {0x3c, "gfx805"},          {0x2b, "gfx810"},          {0x2c, "gfx900"},
    {0x2d, "gfx902"},          {0x2e, "gfx904"},          {0x2f, "gfx906"},
    {0x30, "gfx908"},          {0x31, "gfx909"},          {0x3f, "gfx90a"},
    {0x32, "gfx90c"},          {0x40, "gfx940"},          {0x4b, "gfx941"},
    {0x4c, "gfx942"},          {0x4f, "gfx950"},          {0x33, "gfx1010"},
    {0x34, "gfx1011"},         {0x35, "gfx1012"},         {0x42, "gfx1013"},
    {0x36, "gfx1030"},         {0x37, "gfx1031"},         {0x38, "gfx1032"},
    {0x39, "gfx1033"},         {0x3e, "gfx1034"},         {0x3d, "gfx1035"},
    {0x45, "gfx1036"},         {0x41, "gfx1100"},         {0x46, "gfx1101"},
    {0x47, "gfx1102"},         {0x44, "gfx1103"},         {0x43, "gfx1150"},
    {0x4a, "gfx1151"},         {0x55, "gfx1152"},         {0x58, "gfx1153"},
    {0x48, "gfx1200"},         {0x4e, "gfx1201"},         {0x51, "gfx9-generic"},
    {0x52, "gfx10-1-generic"}, {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"},
    {0x59, "gfx12-generic"},   {0x5f, "gfx9-4-generic"},
};

static qn_status read_target(struct qn__code_object *out, const struct elf *e)
{
    if (e->machine == EM_NVIDIA) {
        /* ABI version 8 (CUDA 13) moved the architecture from the low byte to the second */
        const uint32_t sm = e->bytes[8] >= 8 ? e->flags >> 8 & 0xff : e->flags & 0xff;
        out->kind = QN_IMAGE_CUBIN;
        snprintf(out->target, sizeof out->target, "cuda:sm_%u", sm);
        return QN_OK;
    }
    static const char *const sramecc[] = {"", "", ":sramecc-", ":sramecc+"};
    static const char *const xnack[] = {"", "", ":xnack-", ":xnack+"};
    out->kind = QN_IMAGE_HSACO;
    for (size_t i = 0; i < sizeof amd_machines / sizeof amd_machines[0]; i++)
        if (amd_machines[i].number == (e->flags & 0xff)) {
            snprintf(out->target, sizeof out->target, "hip:%s%s%s", amd_machines[i].name,
                     sramecc[e->flags >> 10 & 3], xnack[e->flags >> 8 & 3]);
            return QN_OK;
        }
    return qn__fail(QN_E_UNSUPPORTED,
                    "AMD code object for processor number 0x%x, which is unknown "
                    "here; load it with its target named",
                    e->flags & 0xff);
}

/* -- PTX -- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%';
}

static qn_status read_ptx(struct qn__code_object *out, struct qn__arena *arena, const char *text,
                          size_t n)
{
    static const char entry[] = ".entry ", target[] = "\n.target sm_";
    char *copy = qn__arena_strndup(arena, text, n);
    if (!copy)
        return qn__fail(QN_E_MEMORY, "no memory for %zu bytes of PTX", n);
    const char *arch = strstr(copy, target);
    if (!arch)
        return qn__fail(QN_E_CORRUPT, "PTX without a .target line");
    arch += sizeof target - 1;
    size_t len = 0;
    while (is_name_char(arch[len]))
        len++;
    snprintf(out->target, sizeof out->target, "cuda:compute_%.*s", len < 8 ? (int)len : 8, arch);
    out->kind = QN_IMAGE_PTX;
    size_t count = 0;
    for (const char *p = copy; (p = strstr(p, entry)); p++)
        count++;
    const char **kernels = QN__ARENA_ARRAY(arena, const char *, count);
    if (!kernels)
        return qn__fail(QN_E_MEMORY, "no memory for %zu kernel names", count);
    for (const char *p = copy; (p = strstr(p, entry)); p++) {
        const char *name = p + sizeof entry - 1;
        size_t used = 0;
        while (is_name_char(name[used]))
            used++;
        kernels[out->n_kernels] = qn__arena_strndup(arena, name, used);
        if (!kernels[out->n_kernels++])
            return qn__fail(QN_E_MEMORY, "no memory for a kernel name");
    }
    out->kernels = kernels;
    return QN_OK;
}

static bool looks_like_ptx(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n) { /* skip comment lines and blanks in front of ".version" */
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
            i++;
        } else if (n - i >= 2 && text[i] == '/' && text[i + 1] == '/') {
            const char *end = memchr(text + i, '\n', n - i);
            i = end ? (size_t)(end - text) : n;
        } else {
            break;
        }
    }
    return n - i > 8 && memcmp(text + i, ".version", 8) == 0;
}

qn_status qn__code_object_read(struct qn__code_object *out, struct qn__arena *arena,
                               const void *bytes, size_t n)
{
    *out = (struct qn__code_object){0};
    const unsigned char *p = bytes;
    if (n >= 4 && memcmp(p, "\177ELF", 4) == 0) {
        struct elf e;
        if (!elf_open(&e, bytes, n))
            return qn__fail(QN_E_CORRUPT, "ELF file of %zu bytes: damaged header", n);
        if (e.machine != EM_NVIDIA && e.machine != EM_AMD)
            return qn__fail(QN_E_INVALID, "ELF file for machine %u: neither NVIDIA nor AMD code",
                            e.machine);
        QN_TRY(read_target(out, &e));
        return read_symbols(out, arena, &e);
    }
    if (looks_like_ptx(bytes, n))
        return read_ptx(out, arena, bytes, n);
    return qn__fail(QN_E_INVALID, "neither a cubin, PTX nor an AMD code object");
}

/* -- relocated pointers -- */

static bool symbol_by_name(struct symbol *out, const struct elf *e, const struct section *table,
                           const char *name)
{
    for (uint64_t i = 0; i < table->size / SYMBOL_BYTES; i++)
        if (symbol_get(out, e, table, i) && strcmp(out->name, name) == 0)
            return true;
    return false;
}

static bool function_at(struct symbol *out, const struct elf *e, const struct section *table,
                        uint64_t value)
{
    for (uint64_t i = 0; i < table->size / SYMBOL_BYTES; i++)
        if (symbol_get(out, e, table, i) && out->value == value && out->section &&
            (out->type == STT_FUNC_ || out->type == STT_OBJECT_))
            return true;
    return false;
}

const char *qn__code_object_pointee(struct qn__arena *arena, const void *bytes, size_t n,
                                    const char *name)
{
    struct elf e;
    struct section table, rela, dynamic;
    struct symbol variable, target;
    if (!elf_open(&e, bytes, n) || !symbols_find(&table, &e) ||
        !symbol_by_name(&variable, &e, &table, name))
        return NULL;
    for (uint32_t i = 0; i < e.n_sections; i++) {
        if (!section_get(&rela, &e, i) || rela.type != SHT_RELA_)
            continue;
        const unsigned char *r = slice(&e, rela.offset, rela.size);
        for (uint64_t k = 0; r && k < rela.size / RELA_BYTES; k++, r += RELA_BYTES) {
            if (qn__get_u64(r) != variable.value)
                continue;
            const uint32_t type = qn__get_u32(r + 8), index = qn__get_u32(r + 12);
            const bool found = type == AMD_RELATIVE64
                                   ? function_at(&target, &e, &table, qn__get_u64(r + 16))
                                   : type == AMD_ABS64 && section_get(&dynamic, &e, rela.link) &&
                                         symbol_get(&target, &e, &dynamic, index);
            if (found)
                return qn__arena_strdup(arena, target.name);
        }
    }
    return NULL;
}
