/* SPDX-License-Identifier: Apache-2.0
 *
 * A cubin is an ELF file with a section ".nv.info.<kernel>" for each kernel, a list of attributes:
 * one byte of format, one of kind, two of value or, in format 4, of the length of what follows.
 * Each argument is one of kind 0x17 or, in kernels with more than 4 KiB of them, 0x45; both have 12
 * bytes:
 *
 *   u32 index, u16 place, u16 offset, then  0x17: u32 with the size in its upper 14 bits
 *                                           0x45: u16 size, u16 flags
 *
 * PTX declares them as ".entry name(.param .u64 a, .param .align 4 .b8 b[12])". */
#include "runtime/cuda/cuda_metadata.h"

#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

enum {
    EM_CUDA = 190,
    SECTION_HEADER_BYTES = 64,
    FORMAT_SIZED = 4,
    KIND_ARGUMENT = 0x17,
    KIND_ARGUMENT_OF_MANY = 0x45,
    ARGUMENT_BYTES = 12,
    ARGUMENTS_MAX = 32764, /* of one byte each */
};

/* -- cubin -- */

struct bytes {
    const unsigned char *p;
    uint64_t n;
};

static uint16_t get_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static bool section(struct bytes *out, const unsigned char *header, struct bytes file)
{
    const uint64_t at = qn__get_u64(header + 24), size = qn__get_u64(header + 32);
    if (at > file.n || size > file.n - at)
        return false;
    *out = (struct bytes){file.p + at, size};
    return true;
}

/* Is the name at that place of the names' section ".nv.info.<symbol>"? */
static bool is_info_of(struct bytes names, uint32_t at, const char *symbol)
{
    static const char prefix[] = ".nv.info.";
    const size_t n = strlen(symbol) + 1;
    return at <= names.n && names.n - at >= sizeof prefix - 1 + n &&
           !memcmp(names.p + at, prefix, sizeof prefix - 1) &&
           !memcmp(names.p + at + sizeof prefix - 1, symbol, n);
}

static qn_status cut_off(size_t n)
{
    return qn__fail(QN_E_CORRUPT, "the cubin of %zu bytes is cut off", n);
}

static qn_status find_info(struct bytes *out, struct bytes file, const char *symbol)
{
    const unsigned char *p = file.p;
    if (file.n < 64 || memcmp(p, "\177ELF\2\1", 6) != 0 || get_u16(p + 18) != EM_CUDA)
        return qn__fail(QN_E_NOT_FOUND, "these %llu bytes are no cubin",
                        (unsigned long long)file.n);
    const uint64_t headers = qn__get_u64(p + 40), n_headers = get_u16(p + 60);
    const uint64_t names_at = get_u16(p + 62);
    struct bytes names;
    if (get_u16(p + 58) != SECTION_HEADER_BYTES || headers > file.n ||
        n_headers > (file.n - headers) / SECTION_HEADER_BYTES || names_at >= n_headers ||
        !section(&names, p + headers + names_at * SECTION_HEADER_BYTES, file))
        return cut_off(file.n);
    for (uint64_t i = 0; i < n_headers; i++) {
        const unsigned char *h = p + headers + i * SECTION_HEADER_BYTES;
        if (is_info_of(names, qn__get_u32(h), symbol))
            return section(out, h, file) ? QN_OK : cut_off(file.n);
    }
    return qn__fail(QN_E_NOT_FOUND, "the cubin says nothing about kernel %s", symbol);
}

/* The next attribute that is an argument; NULL at the end. */
static const unsigned char *next_argument(struct bytes *info)
{
    while (info->n >= 4) {
        const unsigned char *p = info->p;
        const uint64_t value = p[0] == FORMAT_SIZED ? get_u16(p + 2) : 0;
        if (value > info->n - 4)
            break;
        info->p += 4 + value;
        info->n -= 4 + value;
        if (p[0] == FORMAT_SIZED && value == ARGUMENT_BYTES &&
            (p[1] == KIND_ARGUMENT || p[1] == KIND_ARGUMENT_OF_MANY))
            return p;
    }
    return NULL;
}

qn_status qn__cubin_arguments(const qn_arg_info **args, uint32_t *n_args, struct qn__arena *arena,
                              const void *bytes, size_t n, const char *symbol)
{
    struct bytes info, rest;
    uint32_t count = 0;
    *args = NULL;
    *n_args = 0;
    QN_TRY(find_info(&info, (struct bytes){bytes, n}, symbol));
    rest = info;
    while (next_argument(&rest))
        count++;
    qn_arg_info *list = QN__ARENA_ARRAY(arena, qn_arg_info, count + 1);
    if (!list)
        return qn__fail(QN_E_MEMORY, "%u arguments", count);
    for (uint32_t i = 0; i < count; i++) /* so that one named twice leaves a hole and is seen */
        list[i] = (qn_arg_info){.name = "", .type = ""};
    for (const unsigned char *p; (p = next_argument(&info));) {
        const uint32_t place = get_u16(p + 8);
        if (place >= count || list[place].size_bytes)
            return qn__fail(QN_E_NOT_FOUND, "kernel %s: its %u arguments are not listed one by one",
                            symbol, count);
        list[place].size_bytes =
            p[1] == KIND_ARGUMENT ? qn__get_u32(p + 12) >> 18 : get_u16(p + 12);
        if (!list[place].size_bytes)
            return qn__fail(QN_E_NOT_FOUND, "kernel %s: argument %u has no size", symbol, place);
    }
    *args = list;
    *n_args = count;
    return QN_OK;
}

/* -- PTX -- */

struct text {
    const char *p, *end;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

/* The next word (a name or directive) or single character; empty at the end. */
static struct text next_word(struct text *t)
{
    while (t->p < t->end && is_space(*t->p))
        t->p++;
    struct text word = {t->p, t->p};
    while (word.end < t->end && is_of_name(*word.end))
        word.end++;
    if (word.end == word.p && word.end < t->end)
        word.end++;
    t->p = word.end;
    return word;
}

static bool is(struct text word, const char *text)
{
    const size_t n = (size_t)(word.end - word.p);
    return n == strlen(text) && !memcmp(word.p, text, n);
}

/* ".u64" is 8; 0: no such type. */
static uint32_t size_of_type(struct text word)
{
    const size_t n = (size_t)(word.end - word.p);
    static const struct {
        char bits[3];
        uint32_t bytes;
    } sizes[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}};
    if (n < 3 || n > 4 || word.p[0] != '.' || !strchr("usbf", word.p[1]))
        return 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strlen(sizes[i].bits) == n - 2 && !memcmp(word.p + 2, sizes[i].bits, n - 2))
            return sizes[i].bytes;
    return 0;
}

/* After ".param": its size, and in *last what ended it, ',' or ')'. 0: not understood. */
static uint32_t parameter(struct text *t, char *last)
{
    uint64_t bytes = 0;
    for (;;) {
        const struct text word = next_word(t);
        if (word.p == word.end)
            return 0;
        if (size_of_type(word))
            bytes = size_of_type(word);
        if (is(word, "[")) {
            const struct text count = next_word(t);
            char digits[8] = "";
            if (count.end - count.p < (int)sizeof digits)
                memcpy(digits, count.p, (size_t)(count.end - count.p));
            bytes *= strtoul(digits, NULL, 10);
        }
        if (is(word, ",") || is(word, ")"))
            return *last = *word.p, bytes <= UINT16_MAX ? (uint32_t)bytes : 0;
    }
}

/* The text after the name of the kernel; false: there is none. */
static bool find_entry(struct text *t, const char *symbol)
{
    while (t->p < t->end) {
        const char *dot = memchr(t->p, '.', (size_t)(t->end - t->p));
        if (!dot)
            return false;
        t->p = dot;
        if (is(next_word(t), ".entry") && is(next_word(t), symbol))
            return true;
    }
    return false;
}

qn_status qn__ptx_arguments(const qn_arg_info **args, uint32_t *n_args, struct qn__arena *arena,
                            const char *text, size_t n, const char *symbol)
{
    struct text t = {text, text + n};
    uint32_t count = 0, capacity = 0;
    qn_arg_info *list = NULL;
    *args = NULL;
    *n_args = 0;
    if (!find_entry(&t, symbol))
        return qn__fail(QN_E_NOT_FOUND, "the PTX has no kernel %s", symbol);
    char last =
        is(next_word(&t), "(") ? ',' : ')'; /* a kernel without arguments may have no list */
    while (last == ',') {
        const struct text word = next_word(&t);
        if (count == 0 && is(word, ")"))
            break;
        const uint32_t bytes = is(word, ".param") ? parameter(&t, &last) : 0;
        if (!bytes || count == ARGUMENTS_MAX)
            return qn__fail(QN_E_NOT_FOUND, "kernel %s: argument %u is not understood", symbol,
                            count);
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            qn_arg_info *grown = QN__ARENA_ARRAY(arena, qn_arg_info, capacity);
            if (!grown)
                return qn__fail(QN_E_MEMORY, "%u arguments", capacity);
            if (count)
                memcpy(grown, list, count * sizeof *list);
            list = grown;
        }
        list[count++] = (qn_arg_info){.name = "", .type = "", .size_bytes = bytes};
    }
    *args = list;
    *n_args = count;
    return QN_OK;
}
