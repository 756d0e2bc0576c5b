/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache entries and bare images from hostile bytes. The checksum would stop nearly every mutation
 * at the door, so each input is also tried with its checksum made right.
 *
 * covers: rtc/cache/entry rtc/image_file */
#include "rtc/cache/entry.h"

#include "base/hash.h"
#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_load(const uint8_t *data, size_t n)
{
    qn_image *image;
    struct qn__arena arena = {0};
    struct qn__entry_log log;
    if (qn__entry_decode(&image, &log, &arena, data, n) == QN_OK) {
        struct qn__str again = {0};
        qn__entry_encode(&again, image, &log, QN__ENTRY_FOR_HERE);
        qn_image_release(image);
        if (qn__entry_decode(&image, NULL, NULL, again.text, again.len) != QN_OK)
            __builtin_trap();
        qn_image_release(image);
        qn__str_release(&again);
    }
    qn__arena_release(&arena);
    static const char *const targets[] = {NULL, "opencl:portable", "cuda:sm_90", "hip:gfx90a"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (qn_image_load_bytes(&image, data, n, targets[i]) == QN_OK)
            qn_image_release(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    try_load(data, n);
    if (n < QN__ENTRY_HEAD_BYTES)
        return 0;
    uint8_t *fixed = malloc(n);
    if (!fixed)
        return 0;
    const uint64_t rest = n - QN__ENTRY_HEAD_BYTES;
    memcpy(fixed, data, n);
    memcpy(fixed, "QUERNIMG", 8);
    qn__put_u32(fixed + 8, QN__ENTRY_FORMAT);
    const uint64_t fields = rest ? qn__get_u32(fixed + 12) % (rest + 1) : 0;
    qn__put_u32(fixed + 12, (uint32_t)fields);
    qn__put_u64(fixed + 16, rest - fields);
    qn__checksum_of(fixed + 24, fixed + 8, fixed + QN__ENTRY_HEAD_BYTES, (size_t)rest);
    try_load(fixed, n);
    free(fixed);
    return 0;
}
