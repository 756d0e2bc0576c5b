/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the AMDGPU metadata of a code object:
 *
 *     ELF64 -> program headers -> PT_NOTE -> note "AMDGPU", type 32 -> MessagePack
 *     {"amdhsa.target": "amdgcn-amd-amdhsa--gfx1100",
 *      "amdhsa.kernels": [{".name": "saxpy", ".args": [{".name": "x", ".size": 8,
 *                          ".value_kind": "global_buffer"}, ...], ...}, ...]}
 *
 * The bytes are foreign: every length is checked against what is left, nothing recurses, and what
 * is allocated is bounded by the size of the note. The first thing wrong makes the reader fail for
 * good. Format: "User Guide for AMDGPU Backend", Code Object V3 Metadata, in LLVM's documents. */
#include "runtime/hip/hip_metadata.h"

#include "base/wire.h"

#include <string.h>

enum {
    EM_AMDGPU = 224,
    PT_NOTE = 4,
    NT_AMDGPU_METADATA = 32,
    PROGRAM_HEADER_BYTES = 56,
    KERNEL_BYTES_MIN = 32, /* less than any real kernel or argument takes in the note */
    ARG_BYTES_MIN = 8,
};

/* -- MessagePack -- */

enum kind { KIND_OTHER, KIND_NUMBER, KIND_TEXT, KIND_ARRAY, KIND_MAP };

/* The head of one value; the elements of an array or map follow in the reader. */
struct value {
    enum kind kind;
    uint64_t number; /* KIND_NUMBER: the value; array, map: elements; negative numbers: as is */
    const char *text;
    size_t n; /* bytes of text */
};

struct reader {
    const unsigned char *p, *end;
    bool failed;
};

static uint64_t take_number(struct reader *r, size_t n_bytes)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->p) < n_bytes) {
        r->failed = true;
        r->p = r->end;
        return 0;
    }
    for (size_t i = 0; i < n_bytes; i++) /* big-endian */
        v = v << 8 | *r->p++;
    return v;
}

static struct value take_bytes(struct reader *r, enum kind kind, uint64_t n)
{
    struct value v = {.kind = kind, .text = (const char *)r->p};
    if ((uint64_t)(r->end - r->p) < n) {
        r->failed = true;
        n = (uint64_t)(r->end - r->p);
    }
    v.n = (size_t)n;
    r->p += n;
    return v;
}

/* Each element takes at least a byte, so a count can be checked before anybody believes it. */
static struct value take_elements(struct reader *r, enum kind kind, uint64_t n)
{
    if (n > (uint64_t)(r->end - r->p)) {
        r->failed = true;
        n = 0;
    }
    return (struct value){.kind = kind, .number = n};
}

static struct value take(struct reader *r)
{
    const unsigned char tag = (unsigned char)take_number(r, 1);
    if (r->failed)
        return (struct value){0};
    if (tag <= 0x7f || tag >= 0xe0) /* small numbers, negative ones from 0xe0 */
        return (struct value){.kind = KIND_NUMBER, .number = (uint64_t)(int64_t)(signed char)tag};
    if (tag <= 0x8f)
        return take_elements(r, KIND_MAP, tag & 0x0f);
    if (tag <= 0x9f)
        return take_elements(r, KIND_ARRAY, tag & 0x0f);
    if (tag <= 0xbf)
        return take_bytes(r, KIND_TEXT, tag & 0x1f);
    switch (tag) {
    case 0xc0:
    case 0xc2:
    case 0xc3: return (struct value){0}; /* nil, false, true */
    case 0xc4:
    case 0xc5:
    case 0xc6: /* binary */
        return take_bytes(r, KIND_OTHER, take_number(r, (size_t)1 << (tag - 0xc4)));
    case 0xc7:
    case 0xc8:
    case 0xc9: /* extension: length, type, bytes */
        return take_bytes(r, KIND_OTHER, take_number(r, (size_t)1 << (tag - 0xc7)) + 1);
    case 0xca: return take_bytes(r, KIND_OTHER, 4); /* float, double */
    case 0xcb: return take_bytes(r, KIND_OTHER, 8);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf: /* unsigned */
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: /* signed: sizes and offsets are never negative */
        return (struct value){.kind = KIND_NUMBER,
                              .number = take_number(r, (size_t)1 << ((tag - 0xcc) & 3))};
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8: /* extension of 1, 2, 4, 8, 16 bytes */
        return take_bytes(r, KIND_OTHER, ((uint64_t)1 << (tag - 0xd4)) + 1);
    case 0xd9:
    case 0xda:
    case 0xdb: return take_bytes(r, KIND_TEXT, take_number(r, (size_t)1 << (tag - 0xd9)));
    case 0xdc:
    case 0xdd: return take_elements(r, KIND_ARRAY, take_number(r, (size_t)2 << (tag - 0xdc)));
    case 0xde:
    case 0xdf: return take_elements(r, KIND_MAP, take_number(r, (size_t)2 << (tag - 0xde)));
    }
    r->failed = true; /* 0xc1 */
    return (struct value){0};
}

/* Pass over the elements of a value whose head was taken. */
static void skip_elements(struct reader *r, struct value v)
{
    uint64_t left = v.kind == KIND_MAP ? 2 * v.number : v.kind == KIND_ARRAY ? v.number : 0;
    while (left > 0 && !r->failed) {
        v = take(r);
        left--;
        left += v.kind == KIND_MAP ? 2 * v.number : v.kind == KIND_ARRAY ? v.number : 0;
    }
}

static bool text_is(struct value v, const char *text)
{
    return v.kind == KIND_TEXT && v.n == strlen(text) && !memcmp(v.text, text, v.n);
}

static bool text_starts(struct value v, const char *prefix)
{
    return v.kind == KIND_TEXT && v.n >= strlen(prefix) && !memcmp(v.text, prefix, strlen(prefix));
}

/* -- kernels -- */

static uint32_t natural_alignment(uint32_t size_bytes)
{
    const uint32_t lowest = size_bytes & (0u - size_bytes);
    return lowest < 16 ? lowest : 16;
}

static const char *keep(struct reader *r, struct qn__arena *arena, struct value v)
{
    if (v.kind != KIND_TEXT || memchr(v.text, 0, v.n)) {
        r->failed = true;
        return "";
    }
    const char *s = qn__arena_strndup(arena, v.text, v.n);
    r->failed |= !s;
    return s ? s : "";
}

static uint32_t keep_number(struct reader *r, struct value v)
{
    r->failed |= v.number > UINT32_MAX; /* no size, count or width of a kernel */
    return (uint32_t)v.number;
}

/* clang passes pointers as global ones and calls the parameter "x.coerce" where the source has "x".
 */
static const char *keep_parameter(struct reader *r, struct qn__arena *arena, struct value v)
{
    static const char suffix[] = ".coerce";
    const size_t n = sizeof suffix - 1;
    if (v.kind == KIND_TEXT && v.n > n && !memcmp(v.text + v.n - n, suffix, n))
        v.n -= n;
    return keep(r, arena, v);
}

/* One argument; false: a hidden one. */
static bool read_arg(struct reader *r, struct qn__arena *arena, qn_arg_info *arg)
{
    struct value map = take(r);
    bool is_hidden = false;
    *arg = (qn_arg_info){.name = "", .type = ""};
    if (map.kind != KIND_MAP)
        r->failed = true;
    for (uint64_t i = 0; i < map.number && !r->failed; i++) {
        const struct value key = take(r), v = take(r);
        if (text_is(key, ".name"))
            arg->name = keep_parameter(r, arena, v);
        else if (text_is(key, ".type_name"))
            arg->type = keep(r, arena, v);
        else if (text_is(key, ".size") && v.kind == KIND_NUMBER)
            arg->size_bytes = keep_number(r, v);
        else if (text_is(key, ".value_kind")) {
            is_hidden = text_starts(v, "hidden_");
            arg->kind = text_is(v, "by_value") ? QN_ARG_VALUE : QN_ARG_POINTER;
        } else
            skip_elements(r, v);
    }
    arg->align_bytes = natural_alignment(arg->size_bytes);
    return !is_hidden;
}

static void read_args(struct reader *r, struct qn__arena *arena, struct value list,
                      struct qn__hip_kernel_metadata *k)
{
    if (list.kind != KIND_ARRAY || list.number > (uint64_t)(r->end - r->p) / ARG_BYTES_MIN) {
        r->failed = true;
        return;
    }
    qn_arg_info *args = QN__ARENA_ARRAY(arena, qn_arg_info, (size_t)list.number);
    k->n_args = 0;
    k->args = args;
    r->failed |= !args;
    for (uint64_t i = 0; i < list.number && !r->failed; i++)
        if (read_arg(r, arena, &args[k->n_args]))
            k->n_args++;
}

static void read_kernel(struct reader *r, struct qn__arena *arena,
                        struct qn__hip_kernel_metadata *k)
{
    const struct value map = take(r);
    const struct {
        const char *key;
        uint32_t *to;
    } numbers[] = {
        {".group_segment_fixed_size", &k->static_shared_bytes},
        {".private_segment_fixed_size", &k->local_bytes},
        {".vgpr_count", &k->registers},
        {".wavefront_size", &k->wave_width},
        {".max_flat_workgroup_size", &k->block_threads_max},
    };
    *k = (struct qn__hip_kernel_metadata){.name = ""};
    if (map.kind != KIND_MAP)
        r->failed = true;
    for (uint64_t i = 0; i < map.number && !r->failed; i++) {
        const struct value key = take(r), v = take(r);
        if (text_is(key, ".name")) {
            k->name = keep(r, arena, v);
        } else if (text_is(key, ".args")) {
            read_args(r, arena, v, k);
        } else {
            for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
                if (v.kind == KIND_NUMBER && text_is(key, numbers[j].key))
                    *numbers[j].to = keep_number(r, v);
            skip_elements(r, v);
        }
    }
}

static void read_kernels(struct reader *r, struct qn__arena *arena, struct value list,
                         struct qn__hip_metadata *out)
{
    if (list.kind != KIND_ARRAY || list.number > (uint64_t)(r->end - r->p) / KERNEL_BYTES_MIN) {
        r->failed = true;
        return;
    }
    struct qn__hip_kernel_metadata *kernels =
        QN__ARENA_ARRAY(arena, struct qn__hip_kernel_metadata, (size_t)list.number);
    r->failed |= !kernels;
    for (uint64_t i = 0; i < list.number && !r->failed; i++)
        read_kernel(r, arena, &kernels[i]);
    out->kernels = kernels;
    out->n_kernels = (uint32_t)list.number;
}

/* "amdgcn-amd-amdhsa--gfx90a:xnack-" -> "gfx90a:xnack-" */
static const char *target_of(struct reader *r, struct qn__arena *arena, struct value v)
{
    const char *all = keep(r, arena, v);
    const char *dashes = strstr(all, "--");
    return dashes ? dashes + 2 : all;
}

static qn_status read_note(struct qn__hip_metadata *out, struct qn__arena *arena, struct reader r)
{
    const struct value map = take(&r);
    if (map.kind != KIND_MAP)
        r.failed = true;
    for (uint64_t i = 0; i < map.number && !r.failed; i++) {
        const struct value key = take(&r), v = take(&r);
        if (text_is(key, "amdhsa.target"))
            out->target = target_of(&r, arena, v);
        else if (text_is(key, "amdhsa.kernels"))
            read_kernels(&r, arena, v, out);
        else
            skip_elements(&r, v);
    }
    if (!r.failed)
        return QN_OK;
    *out = (struct qn__hip_metadata){.target = ""};
    return arena->failed
               ? qn__fail(QN_E_MEMORY, "no memory for the metadata note of a code object")
               : qn__fail(QN_E_CORRUPT, "the AMDGPU metadata note of the code object is damaged");
}

/* -- ELF -- */

static uint16_t get_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

/* The metadata note within one note segment. */
static bool find_note(struct reader *found, const unsigned char *p, uint64_t n)
{
    while (n >= 12) {
        const uint64_t name = qn__get_u32(p), desc = qn__get_u32(p + 4);
        const uint64_t name_padded = (name + 3) / 4 * 4, desc_padded = (desc + 3) / 4 * 4;
        if (12 + name_padded + desc > n)
            return false;
        if (qn__get_u32(p + 8) == NT_AMDGPU_METADATA && name == 7 && !memcmp(p + 12, "AMDGPU", 7)) {
            *found = (struct reader){.p = p + 12 + name_padded, .end = p + 12 + name_padded + desc};
            return true;
        }
        const uint64_t whole = 12 + name_padded + desc_padded;
        if (whole > n)
            return false;
        p += whole;
        n -= whole;
    }
    return false;
}

qn_status qn__hip_metadata_read(struct qn__hip_metadata *out, struct qn__arena *arena,
                                const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    *out = (struct qn__hip_metadata){.target = ""};
    if (n < 64 || memcmp(p, "\177ELF\2\1", 6) != 0 || get_u16(p + 18) != EM_AMDGPU)
        return qn__fail(QN_E_NOT_FOUND, "these %zu bytes are no AMD code object", n);
    const uint64_t headers = qn__get_u64(p + 32), n_headers = get_u16(p + 56);
    if (get_u16(p + 54) != PROGRAM_HEADER_BYTES || headers > n ||
        n_headers > (n - headers) / PROGRAM_HEADER_BYTES)
        return qn__fail(QN_E_CORRUPT, "the code object of %zu bytes is cut off", n);
    for (uint64_t i = 0; i < n_headers; i++) {
        const unsigned char *h = p + headers + i * PROGRAM_HEADER_BYTES;
        const uint64_t at = qn__get_u64(h + 8), size = qn__get_u64(h + 32);
        struct reader note;
        if (qn__get_u32(h) != PT_NOTE)
            continue;
        if (at > n || size > n - at)
            return qn__fail(QN_E_CORRUPT, "the code object of %zu bytes is cut off", n);
        if (find_note(&note, p + at, size))
            return read_note(out, arena, note);
    }
    return qn__fail(QN_E_NOT_FOUND, "the code object has no AMDGPU metadata");
}

const struct qn__hip_kernel_metadata *qn__hip_metadata_find(const struct qn__hip_metadata *m,
                                                            const char *name)
{
    for (uint32_t i = 0; i < m->n_kernels; i++)
        if (!strcmp(m->kernels[i].name, name))
            return &m->kernels[i];
    return NULL;
}
