/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache entries and bare images from hostile bytes, bare and signed as a server would send them.
 * The checksum would stop nearly every mutation at the door, so each input is also tried with its
 * checksum made right, and signed by one whom the reader trusts.
 *
 * covers: rtc/cache/entry rtc/cache/signed_entry rtc/cache/hidden_values rtc/cache/trusted_keys
 * rtc/image_file */
#include "rtc/cache/entry.h"

#include "base/hash.h"
#include "base/wire.h"
#include "rtc/cache/hidden_values.h"
#include "rtc/cache/signed_entry.h"
#include "rtc/cache/trusted_keys.h"

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
        for (int away = 0; away < 2; away++) {
            qn_image *copy;
            qn__str_clear(&again);
            qn__entry_encode(&again, image, &log, away ? QN__ENTRY_FOR_AWAY : QN__ENTRY_FOR_HERE);
            if (qn__entry_decode(&copy, NULL, NULL, again.text, again.len) != QN_OK)
                __builtin_trap();
            qn_image_release(copy);
        }
        qn_image_release(image);
        qn__str_release(&again);
    }
    qn__arena_release(&arena);
    static const char *const targets[] = {NULL, "opencl:portable", "cuda:sm_90", "hip:gfx90a"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (qn_image_load_bytes(&image, data, n, targets[i]) == QN_OK)
            qn_image_release(image);
}

static void try_signed(const uint8_t *data, size_t n)
{
    char signer[QN__HASH_HEX];
    size_t at;
    if (qn__signed_open(&at, signer, data, n) == QN_OK)
        try_load(data + at, n - at);
}

/* What a signer may write is not the same as what makes sense. */
static void try_signing(const uint8_t *data, size_t n)
{
    static const struct qn__secret secret = {{1}};
    const struct qn__str entry = {.text = (char *)(uintptr_t)data, .len = n};
    struct qn__str whole = {0};
    char signer[QN__HASH_HEX];
    size_t at;
    if (qn__signed_wrap(&whole, &entry, &secret) == QN_OK &&
        (qn__signed_open(&at, signer, whole.text, whole.len) != QN_OK || !signer[0] ||
         whole.len - at != n))
        __builtin_trap();
    if (whole.text)
        try_signed((const uint8_t *)whole.text, whole.len);
    qn__str_release(&whole);
}

static void try_texts(const uint8_t *data, size_t n)
{
    static const char key[] = "00000000000000000000000000000000"
                              "00000000000000000000000000000000";
    struct qn__str text = {0}, once = {0}, twice = {0};
    const char *odd;
    size_t odd_n;
    qn__str_add_bytes(&text, data, n);
    qn__str_add_char(&text, 0);
    if (!text.failed) {
        qn__keys_look(&odd, &odd_n, text.text, key, 0);
        if (odd && (odd < text.text || odd_n > strlen(odd)))
            __builtin_trap();
        qn__values_hide(&once, text.text);
        qn__values_hide(&twice, once.text ? once.text : "");
        if (once.len != twice.len || (once.len && memcmp(once.text, twice.text, once.len) != 0))
            __builtin_trap();
    }
    qn__str_release(&text);
    qn__str_release(&once);
    qn__str_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    try_load(data, n);
    try_signed(data, n);
    try_texts(data, n);
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
    try_signing(fixed, n);
    free(fixed);
    return 0;
}
