/* SPDX-License-Identifier: Apache-2.0
 *
 * One image as bytes: the file format of the cache, of qn_image_save(), and of a bundle's members.
 *
 *     offset  bytes
 *          0      8  magic "QUERNIMG"
 *          8      4  format version
 *         12      4  n: length of the fields
 *         16      8  m: length of the payload
 *         24     32  BLAKE2b-256 of everything else: bytes 0..23 and 56..end
 *         56      n  fields (base/wire.h): key, request, target, kind, compiler, names and
 *                    arguments of the kernels, the compiler's diagnostics, the key's own fields
 *       56+n      m  payload: cubin, PTX, code object, OpenCL C or driver binary
 *
 * Nothing follows the payload. A reader checks lengths and the checksum before it looks at a field,
 * so nothing that is damaged or cut short ever reaches a driver.
 */
#ifndef QN_RTC_ENTRY_H
#define QN_RTC_ENTRY_H

#include "base/str.h"
#include "runtime/image.h"

enum { QN__ENTRY_HEAD_BYTES = 56, QN__ENTRY_FORMAT = 1, QN__ENTRY_LIMIT_BYTES = 1 << 30 };

/* What an entry holds beside its image. Strings may be "". */
struct qn__entry_notes {
    const char *key, *request; /* 64 hex digits */
    const char *diagnostics;   /* of the compile, with the job's file names */
    const char *raw;           /* what the compiler printed */
    const char *fields;        /* the key's fields, one a line */
    const char *shapes;        /* driver binaries: block shapes it is complete for (shapes.h) */
};

/* Append the entry. The same image and notes give the same bytes. */
void qn__entry_encode(struct qn__str *out, const qn_image *image,
                      const struct qn__entry_notes *notes);

/* Does it begin as an entry does? */
bool qn__entry_is(const void *bytes, size_t n);

/* The caller owns *image; the notes live in the arena (notes and arena may be NULL).
 * QN_E_CORRUPT      damaged, cut short, or longer than it says
 * QN_E_UNSUPPORTED  of another format version */
qn_status qn__entry_decode(qn_image **image, struct qn__entry_notes *notes, struct qn__arena *arena,
                           const void *bytes, size_t n);

#endif
