/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles from hostile bytes. The index's checksum would stop nearly every mutation at the door, so
 * each input is also tried with the checksums a forger would write: of the index, and of payloads
 * that lie where the rows say; in this format, signed by somebody or by nobody, and in the one
 * before. */
#include "rtc/cache/bundle_file.h"

#include "base/wire.h"
#include "rtc/cache/signed_entry.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_bundle(const uint8_t *data, size_t n)
{
    qn_bundle *b;
    if (qn__bundle_open_bytes(&b, "fuzz", data, n) != QN_OK)
        return;
    const qn_bundle_info *info = qn_bundle_get_info(b);
    for (uint32_t i = 0; i < info->n_entries; i++) {
        qn_image *image;
        unsigned char source[QN__HASH_BYTES];
        uint32_t first;
        memcpy(source, qn__bundle_row(b, i), sizeof source);
        const uint32_t found = qn__bundle_find(&first, b, source);
        if (first > i || i >= first + found)
            __builtin_trap();
        if (qn__bundle_read(&image, NULL, NULL, b, i) == QN_OK) {
            if (strcmp(image->info.target, info->entries[i].target) != 0)
                __builtin_trap();
            qn_image_release(image);
        }
    }
    qn_bundle_close(b);
}

enum manner { UNSIGNED, SIGNED, OLD, MANNERS };

static void sign(uint8_t *p)
{
    static const struct qn__secret secret = {{1}};
    unsigned char text[QN__BUNDLE_SIGNED_BYTES];
    if (qn__secret_public(p + QN__BUNDLE_AT_SIGNER, &secret) != QN_OK)
        return;
    qn__bundle_signed_text(text, p);
    if (qn__secret_sign(p + QN__BUNDLE_AT_SIGNATURE, &secret, text, sizeof text) != QN_OK)
        __builtin_trap();
}

static void make_checksums_right(uint8_t *p, size_t n, enum manner manner)
{
    const size_t head_n = manner == OLD ? QN__BUNDLE_OLD_HEAD_BYTES : QN__BUNDLE_HEAD_BYTES;
    const uint64_t rest = n - head_n;
    const uint64_t rows = qn__get_u32(p + QN__BUNDLE_AT_N) % (rest / QN__BUNDLE_ROW_BYTES + 1);
    const uint64_t left = rest - rows * QN__BUNDLE_ROW_BYTES;
    const uint64_t strings_n = left ? qn__get_u64(p + QN__BUNDLE_AT_STRINGS_N) % (left + 1) : 0;
    const uint64_t index_n = rows * QN__BUNDLE_ROW_BYTES + strings_n;
    uint64_t at = head_n + index_n;
    memcpy(p, qn__bundle_magic, sizeof qn__bundle_magic);
    qn__put_u32(p + QN__BUNDLE_AT_FORMAT,
                manner == OLD ? QN__BUNDLE_OLD_FORMAT : QN__BUNDLE_FORMAT);
    qn__put_u32(p + QN__BUNDLE_AT_N, (uint32_t)rows);
    qn__put_u64(p + QN__BUNDLE_AT_STRINGS_N, strings_n);
    qn__put_u64(p + QN__BUNDLE_AT_LENGTH, n);
    if (manner == UNSIGNED)
        memset(p + QN__BUNDLE_AT_SERIAL, 0, QN__BUNDLE_HEAD_BYTES - QN__BUNDLE_AT_SERIAL);
    for (uint64_t i = 0; i < rows; i++) {
        uint8_t *row = p + head_n + i * QN__BUNDLE_ROW_BYTES;
        uint64_t stored_n = qn__get_u32(row + QN__ROW_AT_STORED_N);
        if (stored_n > n - at || i + 1 == rows)
            stored_n = n - at;
        qn__put_u64(row + QN__ROW_AT_OFFSET, at);
        qn__put_u32(row + QN__ROW_AT_STORED_N, (uint32_t)stored_n);
        qn__hash_of(row + QN__ROW_AT_HASH, p + at, (size_t)stored_n);
        at += stored_n;
    }
    qn__hash_of(p + QN__BUNDLE_AT_INDEX_HASH, p + head_n, (size_t)index_n);
    if (manner == SIGNED)
        sign(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    try_bundle(data, n);
    if (n < QN__BUNDLE_HEAD_BYTES)
        return 0;
    uint8_t *forged = malloc(n);
    if (!forged)
        return 0;
    for (enum manner m = UNSIGNED; m < MANNERS; m++) {
        memcpy(forged, data, n);
        make_checksums_right(forged, n, m);
        try_bundle(forged, n);
    }
    free(forged);
    return 0;
}
