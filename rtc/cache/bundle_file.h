/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles: many images in one file, to ship beside a program.
 *
 *     offset   bytes
 *          0       8  magic "QUERNBDL"
 *          8       4  format version
 *         12       4  n: number of entries
 *         16       8  m: length of the strings
 *         24       8  length of the file
 *         32      32  BLAKE2b-256 of rows and strings
 *         64       8  serial number, 0 where unsigned
 *         72      32  Ed25519 public key of the signer, or zeros
 *        104      64  its signature of a fixed phrase and bytes 0..103, or zeros
 *        168   120 n  rows, sorted by source digest and target; one per such pair
 *        ...       m  strings, each followed by a 0: the bundle's name ("" where unsigned), the
 *                     targets
 *        ...          payloads in the order of the rows, without gaps: entries (entry.h), zstd
 *
 *     row:   0 source digest  32 key  64 BLAKE2b-256 of the payload as stored
 *           96 u64 offset  104 u32 stored length  108 u32 entry's length
 *          112 u32 target, offset in the strings  116 u32 kind of image
 *
 * The key of an image names its compiler (key.h), and the reader of a bundle may have another one
 * or none. So rows are searched by the source digest, which stands for the same texts, options and
 * names and for any target and compiler; all targets of one source lie side by side, and the
 * rules of runtime/target.h choose among them.
 *
 * Name and serial number are signed so that nobody can put an older bundle in the place of a newer
 * one (bundle_serials.h). Nothing else in the file depends on time or place, so equal images make
 * equal bundles, byte for byte, where name and serial number are equal or there are none.
 *
 * Format 3 had neither: its head ends at 160 (key at 64, signature at 96), its strings begin with
 * the targets. It is read, and counts as not signed whatever its head says.
 *
 * What is read is checked before it is used: lengths and order when the bundle is opened, with the
 * checksum of the index (and through it the signature); a payload's own checksum before it is
 * unpacked. The index is read into memory and payloads are read when asked for. They are not
 * mapped, because truncating a mapped file kills the processes that read it.
 */
#ifndef QN_RTC_CACHE_BUNDLE_FILE_H
#define QN_RTC_CACHE_BUNDLE_FILE_H

#include "base/hash.h"
#include "rtc/cache/entry.h"

#include <quern/bundle.h>

enum {
    QN__BUNDLE_FORMAT = 4,
    QN__BUNDLE_OLD_FORMAT = 3,
    QN__BUNDLE_HEAD_BYTES = 168,
    QN__BUNDLE_OLD_HEAD_BYTES = 160,
    QN__BUNDLE_ROW_BYTES = 120,
    QN__BUNDLE_ENTRIES_MAX = 1 << 20,
    QN__BUNDLE_STRINGS_MAX_BYTES = 64 << 20,
    QN__BUNDLE_NAME_MAX_BYTES = 200,
    QN__BUNDLE_PUBLIC_BYTES = 32,
    QN__BUNDLE_SIGNATURE_BYTES = 64,
};

/* Offsets in the head and in a row. */
enum {
    QN__BUNDLE_AT_FORMAT = 8,
    QN__BUNDLE_AT_N = 12,
    QN__BUNDLE_AT_STRINGS_N = 16,
    QN__BUNDLE_AT_LENGTH = 24,
    QN__BUNDLE_AT_INDEX_HASH = 32,
    QN__BUNDLE_AT_SERIAL = 64,
    QN__BUNDLE_AT_SIGNER = 72,
    QN__BUNDLE_AT_SIGNATURE = 104,
};
enum {
    QN__ROW_AT_SOURCE = 0,
    QN__ROW_AT_KEY = 32,
    QN__ROW_AT_HASH = 64,
    QN__ROW_AT_OFFSET = 96,
    QN__ROW_AT_STORED_N = 104,
    QN__ROW_AT_ENTRY_N = 108,
    QN__ROW_AT_TARGET = 112,
    QN__ROW_AT_KIND = 116,
};

extern const char qn__bundle_magic[8];

/* What is signed: this phrase, then bytes 0..103 of the head. */
void qn__bundle_signed_text(unsigned char *out, const unsigned char *head);
enum { QN__BUNDLE_SIGNED_BYTES = 16 + QN__BUNDLE_AT_SIGNATURE };

/* May a bundle have this name: printable, not longer than there is room for? */
bool qn__bundle_is_name(const char *name);

/* As qn_bundle_open(), from bytes that are borrowed until the bundle is closed; name is for
 * messages. */
qn_status qn__bundle_open_bytes(qn_bundle **out, const char *name, const void *bytes, size_t n);

/* The same from an open file, which then belongs to the bundle, also when this fails. */
qn_status qn__bundle_open_file(qn_bundle **out, const char *name, int fd);

/* In a forked child: another thread may have been reading it at that moment. */
void qn__bundle_begin_child(qn_bundle *b);

/* Close its file, and nothing else; what is asked of it later fails. */
void qn__bundle_close_file(qn_bundle *b);

/* The rows with that source digest: *first is the first of the n returned. */
uint32_t qn__bundle_find(uint32_t *first, const qn_bundle *b,
                         const unsigned char source[QN__HASH_BYTES]);

/* Read, verify and unpack one entry; log and arena as qn__entry_decode(). QN_E_CORRUPT, QN_E_IO */
qn_status qn__bundle_read(qn_image **out, struct qn__entry_log *log, struct qn__arena *arena,
                          const qn_bundle *b, uint32_t row);

/* A row's bytes as stored, verified; out has room for its stored length. QN_E_CORRUPT, QN_E_IO */
qn_status qn__bundle_read_stored(unsigned char *out, const qn_bundle *b, uint32_t row);

const unsigned char *qn__bundle_row(const qn_bundle *b, uint32_t row);
const char *qn__bundle_target(const qn_bundle *b, uint32_t row);

#endif
