/* SPDX-License-Identifier: Apache-2.0 */
#include "cudart/loaded_image.h"

#include "base/str.h"
#include "base/wire.h"
#include "cudart/carried_program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char text_head[] =
    "// A program of Quern's, for the driver API of its runtime; not PTX\n"
    "//QUERNCC1\n";
enum { LINE_BYTES = 40 };

char *qn__loaded_image_text(const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *const from = bytes;
    struct qn__str out = {0};
    qn__str_add(&out, text_head);
    for (size_t i = 0; i < n; i++) {
        const char two[2] = {digits[from[i] >> 4], digits[from[i] & 15]};
        if (i % LINE_BYTES == 0)
            qn__str_add(&out, i ? "\n//" : "//");
        qn__str_add_bytes(&out, two, 2);
    }
    qn__str_add(&out, "\n");
    if (qn__str_check(&out) != QN_OK) {
        qn__str_release(&out);
        return NULL;
    }
    return qn__str_take(&out);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes of the text again; NULL: damaged, or no memory. */
static char *read_text(size_t *n, const char *text, size_t length)
{
    unsigned char *const bytes = malloc(length / 2 + 1);
    int high = -1;
    *n = 0;
    for (size_t i = sizeof text_head - 1; bytes && i < length; i++) {
        const int d = digit(text[i]);
        if (d < 0 && text[i] != '/' && text[i] != '\n' && text[i] != '\r') {
            free(bytes);
            return NULL;
        }
        if (d >= 0 && high >= 0)
            bytes[(*n)++] = (unsigned char)(high << 4 | d);
        if (d >= 0)
            high = high >= 0 ? -1 : d;
    }
    return (char *)bytes;
}

static CUresult damaged(void)
{
    return qn__driver_fail(CUDA_ERROR_INVALID_IMAGE, "the image of a module is damaged");
}

static CUresult read_carried(struct qn__loaded_image *out, const unsigned char *bytes, size_t limit)
{
    const uint64_t n = limit && limit < QN__PROGRAM_HEAD_BYTES
                           ? UINT64_MAX /* not even the size is there */
                           : qn__get_u64(bytes + QN__PROGRAM_MAGIC_BYTES);
    struct qn__wire_field f;
    if ((limit && n > limit - QN__PROGRAM_HEAD_BYTES) || n > SIZE_MAX / 2)
        return damaged();
    out->fields = bytes + QN__PROGRAM_HEAD_BYTES;
    out->n = (size_t)n;
    struct qn__wire_reader r = qn__wire_reader(out->fields, out->n);
    while (qn__wire_next(&r, &f))
        if (f.tag == QN__PROGRAM_NAME && !out->owned_name)
            out->owned_name = strndup((const char *)f.bytes, f.n);
    out->name = out->owned_name ? out->owned_name : "module";
    if (!r.failed)
        return CUDA_SUCCESS;
    qn__loaded_image_release(out);
    return damaged();
}

/* How long an ELF file is: up to the end of what its tables name. */
static size_t elf_bytes(const void *bytes, size_t limit)
{
    Elf64_Ehdr h;
    if (limit && limit < sizeof h)
        return 0;
    memcpy(&h, bytes, sizeof h);
    uint64_t end = h.e_shoff + (uint64_t)h.e_shnum * h.e_shentsize;
    const uint64_t segments = h.e_phoff + (uint64_t)h.e_phnum * h.e_phentsize;
    end = end > segments ? end : segments;
    if (limit)
        return limit;
    for (unsigned i = 0; i < h.e_shnum && h.e_shentsize == sizeof(Elf64_Shdr); i++) {
        Elf64_Shdr s;
        memcpy(&s, (const char *)bytes + h.e_shoff + (size_t)i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NOBITS && s.sh_offset + s.sh_size > end)
            end = s.sh_offset + s.sh_size;
    }
    return (size_t)end;
}

static bool is_ptx(const char *text, size_t limit)
{
    static const char word[] = ".version";
    const size_t n = limit ? strnlen(text, limit) : strlen(text);
    for (size_t i = 0; i + sizeof word - 1 <= n && i < 64u << 10; i++)
        if (memcmp(text + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

/* What only NVIDIA's driver takes. */
static CUresult take_bare(struct qn__loaded_image *out, const char *what, const void *bytes,
                          size_t n, const qn_device_info *device)
{
    if (strcmp(device->backend, "cuda") != 0)
        return qn__driver_fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                               "cuModuleLoadData: %s means nothing to %s; build the kernels with "
                               "`quern cc -fatbin`, or give their source to NVRTC's calls",
                               what, device->id);
    out->bytes = bytes;
    out->n = n;
    return CUDA_SUCCESS;
}

CUresult qn__loaded_image_read(struct qn__loaded_image *out, const void *bytes, size_t limit,
                               const qn_device_info *device)
{
    static const unsigned char fat[4] = {0x50, 0xed, 0x55, 0xba};
    static const size_t head = sizeof text_head - 1;
    const bool any = limit == 0;
    *out = (struct qn__loaded_image){0};
    if ((any || limit >= QN__PROGRAM_MAGIC_BYTES) &&
        strncmp(bytes, QN__PROGRAM_MAGIC, QN__PROGRAM_MAGIC_BYTES) == 0)
        return read_carried(out, bytes, limit);
    if ((any || limit >= head) && strncmp(bytes, text_head, head) == 0) {
        size_t n;
        out->owned_bytes = read_text(&n, bytes, any ? strlen(bytes) : strnlen(bytes, limit));
        CUresult result = CUDA_ERROR_INVALID_IMAGE;
        if (!out->owned_bytes || n < QN__PROGRAM_HEAD_BYTES ||
            memcmp(out->owned_bytes, QN__PROGRAM_MAGIC, QN__PROGRAM_MAGIC_BYTES) != 0)
            result = damaged();
        else
            result = read_carried(out, (const unsigned char *)out->owned_bytes, n);
        if (result != CUDA_SUCCESS)
            qn__loaded_image_release(out);
        return result;
    }
    if ((any || limit >= SELFMAG) && strncmp(bytes, ELFMAG, SELFMAG) == 0)
        return take_bare(out, "a cubin", bytes, elf_bytes(bytes, limit), device);
    if ((any || limit >= sizeof fat) && strncmp(bytes, (const char *)fat, sizeof fat) == 0)
        return qn__driver_fail(CUDA_ERROR_INVALID_IMAGE,
                               "cuModuleLoadData: a fat binary of NVIDIA's nvcc; build it with "
                               "`quern cc -fatbin`");
    if (is_ptx(bytes, limit))
        return take_bare(out, "PTX", bytes, any ? strlen(bytes) : strnlen(bytes, limit), device);
    return qn__driver_fail(CUDA_ERROR_INVALID_IMAGE,
                           "cuModuleLoadData: neither an image of Quern's nor a cubin nor PTX");
}

void qn__loaded_image_release(struct qn__loaded_image *image)
{
    free(image->owned_name);
    free(image->owned_bytes);
    *image = (struct qn__loaded_image){0};
}
