/* SPDX-License-Identifier: Apache-2.0
 *
 * One image as bytes: the file format of the cache, of qn_image_save(), and of a bundle's members.
 *
 *     offset  bytes
 *          0      8  magic "QUERNIMG"
 *          8      4  format version
 *         12      4  n: length of the fields
 *         16      8  m: length of the payload
 *         24     16  checksum of the bytes from 40 on, keyed with bytes 8..23
 *         40      n  fields (base/wire.h): key, request, target, kind, compiler, names and
 *                    arguments of the kernels, the compiler's diagnostics, the key's own fields,
 *                    in this machine's cache the origin
 *       40+n      m  payload: cubin, PTX, code object, OpenCL C or driver binary
 *
 * Nothing follows the payload. A reader checks lengths and the checksum before it looks at a field,
 * so nothing that is damaged or cut short ever reaches a driver.
 */
#ifndef QN_RTC_CACHE_ENTRY_H
#define QN_RTC_CACHE_ENTRY_H

#include "base/str.h"
#include "runtime/image.h"

enum { QN__ENTRY_HEAD_BYTES = 40, QN__ENTRY_FORMAT = 3, QN__ENTRY_LIMIT_BYTES = 1 << 30 };

/* What the compiler printed. An entry holds it beside the image and the image's notes. Strings may
 * be "". */
struct qn__entry_log {
    const char *diagnostics; /* with the job's file names */
    const char *raw; /* what the compiler printed; it may differ between two equal compiles */
};

/* Whom an entry is for. To this machine's cache it goes with its origin; away, in a file, a bundle
 * or to a server, without, and with digests for the values of macros (hidden_values.h). */
enum qn__entry_for { QN__ENTRY_FOR_HERE, QN__ENTRY_FOR_AWAY };

/* Append the entry. The same image, notes and log (NULL: none) give the same bytes; for here, the
 * same origin too. */
void qn__entry_encode(struct qn__str *out, const qn_image *image, const struct qn__entry_log *log,
                      enum qn__entry_for whom);

/* Does it begin as an entry does? */
bool qn__entry_is(const void *bytes, size_t n);

/* The caller owns *image, which has its notes, and the origin that the bytes name: to be replaced
 * by whoever got them from elsewhere. The log lives in the arena (both may be NULL).
 * QN_E_CORRUPT      damaged, cut short, or longer than its head says
 * QN_E_UNSUPPORTED  of another format version */
qn_status qn__entry_decode(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                           const void *bytes, size_t n);

/* The same for a block from malloc() with a 0 after its n bytes: it becomes part of the image, or
 * is freed. The payload, which may be large, is not copied. */
qn_status qn__entry_adopt(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                          char *block, size_t n);

/* The same for bytes whose head was compared with a checksum from elsewhere: the caller has made
 * sure of every byte, so they are not hashed again. */
qn_status qn__entry_adopt_trusted(qn_image **image, struct qn__entry_log *log,
                                  struct qn__arena *arena, char *block, size_t n);

/* Target, compiler, kind and notes of an entry from its head and fields, without its payload.
 *   n           bytes of `bytes`: at least the head and the fields
 *   file_bytes  size of the whole entry
 * Nothing is verified but lengths: for lists. Strings live in the arena. QN_E_CORRUPT */
struct qn__entry_summary {
    const char *target, *compiler;
    qn_image_kind kind;
    uint64_t payload_bytes;
    struct qn__image_notes notes;
    struct qn__image_origin origin;
};
qn_status qn__entry_summarize(struct qn__entry_summary *out, struct qn__arena *arena,
                              const void *bytes, size_t n, uint64_t file_bytes);
/* How many bytes head and fields have; 0 when these are no entry's first 40 bytes. */
size_t qn__entry_fields_end(const void *head);

#endif
