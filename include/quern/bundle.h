/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/bundle.h: many images in one file, made once and shipped beside a program.
 *
 *     qn_bundle_writer *w;
 *     qn_bundle_writer_create(&w);
 *     qn_bundle_writer_add_image(w, image);           any number, from qn_compile()
 *     qn_bundle_writer_write(w, "app.qnb", NULL);
 *     qn_bundle_writer_destroy(w);
 *
 * A bundle is asked before the kernel cache: qn_cache_add_bundle() (cache.h), QUERN_BUNDLE, or
 * a file PROGRAM.qnb beside the program PROGRAM. An image is taken from it when source, headers,
 * options and names are the same and its target runs on the device, whichever compiler made it.
 * Equal images make equal bundles, byte for byte (with the same release of zstd), signed ones where
 * name and number are equal too. Values of macros are in it as digests only.
 *
 * A signed bundle carries an Ed25519 signature, and signed with it a name and a serial number.
 * QUERN_BUNDLE_KEYS lists the public keys that are trusted; where it is set, unsigned bundles and
 * those of other signers are refused, and so is one with a lower number than one of the same signer
 * and name that was used before. The same keys count for a shared cache (cache.h).
 */
#ifndef QUERN_BUNDLE_H
#define QUERN_BUNDLE_H

#include <quern/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_bundle qn_bundle;
typedef struct qn_bundle_writer qn_bundle_writer;

typedef struct qn_bundle_entry {
    const char *target;
    qn_image_kind kind;
    const char *source;                 /* digest of texts, options and names: 64 hex digits */
    const char *key;                    /* cache key of the image: 64 hex digits */
    uint64_t stored_bytes, entry_bytes; /* in the bundle, and unpacked */
} qn_bundle_entry;

typedef struct qn_bundle_info {
    const char *name;   /* file it was opened as */
    const char *signer; /* public key, 64 hex digits; "" where unsigned */
    uint64_t size_bytes;
    uint32_t n_entries;
    const qn_bundle_entry *entries; /* sorted by source digest and target; NULL: no memory */
    const char *title;              /* the name that was signed; "" where unsigned */
    uint64_t serial;                /* the number that was signed; 0 where unsigned */
    bool is_old;                    /* of format 3, which counts as unsigned */
} qn_bundle_info;

/* Open a file and check its index, its order, and its signature where it has one (not whose it
 * is). The caller owns *out: qn_bundle_close().
 * QN_E_IO, QN_E_CORRUPT (damaged, cut short, a wrong signature), QN_E_UNSUPPORTED (newer format) */
QN_CHECKED qn_status qn_bundle_open(qn_bundle **out, const char *path);
QN_API void qn_bundle_close(qn_bundle *b); /* NULL is fine */

/* Belongs to the bundle. */
QN_API const qn_bundle_info *qn_bundle_get_info(qn_bundle *b);

/* May it be used here? Always where QUERN_BUNDLE_KEYS is not set; else one of the keys there must
 * have signed it, and no newer one of that signer and name may have been used before. Bundles that
 * are in use have passed this. QN_E_CORRUPT */
QN_CHECKED qn_status qn_bundle_check_signer(qn_bundle *b);

/* Read one entry, with every checksum there is. The caller owns *out.
 * QN_E_INVALID (no such index), QN_E_CORRUPT, QN_E_IO, QN_E_MEMORY */
QN_CHECKED qn_status qn_bundle_load(qn_image **out, const qn_bundle *b, uint32_t index);

/* -- making one -- */

QN_CHECKED qn_status qn_bundle_writer_create(qn_bundle_writer **out);
QN_API void qn_bundle_writer_destroy(qn_bundle_writer *w); /* NULL is fine */

/* Add an image, or an entry of another bundle as it is there. Of two for the same source and target
 * the first one added stays.
 * QN_E_INVALID  the image does not know its source: it came from a bare file */
QN_CHECKED qn_status qn_bundle_writer_add_image(qn_bundle_writer *w, const qn_image *image);
QN_CHECKED qn_status qn_bundle_writer_add_entry(qn_bundle_writer *w, const qn_bundle *b,
                                                uint32_t index);

/* How many there are by now. */
QN_API uint32_t qn_bundle_writer_count(const qn_bundle_writer *w);

/* Name and serial number of a signed bundle. Bundles of one signer with the same name are versions
 * of one thing, those with higher numbers newer.
 *   title   NULL: the file's name
 *   serial  0: SOURCE_DATE_EPOCH, else the seconds since 1970
 * QN_E_INVALID (title) */
QN_CHECKED qn_status qn_bundle_writer_set_version(qn_bundle_writer *w, const char *title,
                                                  uint64_t serial);

/* Write the file under a private name, then rename it. More may be added and written again.
 *   secret  64 hex digits as qn_bundle_make_keys() gave them, to sign with; NULL: unsigned
 * QN_E_INVALID (secret), QN_E_LIMIT, QN_E_IO */
QN_CHECKED qn_status qn_bundle_writer_write(qn_bundle_writer *w, const char *path,
                                            const char *secret);

/* A new pair of keys, each 64 hex digits and a 0. Keep the first one to yourself. */
enum { QN_BUNDLE_KEY_TEXT = 65 };
QN_API void qn_bundle_make_keys(char secret[QN_BUNDLE_KEY_TEXT], char public_[QN_BUNDLE_KEY_TEXT]);

/* The public key of a secret one. QN_E_INVALID */
QN_CHECKED qn_status qn_bundle_public_key(char public_[QN_BUNDLE_KEY_TEXT], const char *secret);

#ifdef __cplusplus
}
#endif
#endif
