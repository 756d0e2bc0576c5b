/* SPDX-License-Identifier: Apache-2.0
 *
 * How an entry travels to other machines: with the signature of who made it.
 *
 *     offset  bytes
 *          0      8  magic "QUERNSIG"
 *          8      4  format version
 *         12      4  0
 *         16     32  Ed25519 public key of the signer
 *         48     64  its signature of a fixed phrase and the BLAKE2b-256 of what follows
 *        112      n  an entry (entry.h)
 *
 * Bytes that begin as a bare entry count as not signed: older versions stored those. The key that
 * an entry answers to is inside it, so a signed entry cannot be passed off as another one's.
 */
#ifndef QN_RTC_CACHE_SIGNED_ENTRY_H
#define QN_RTC_CACHE_SIGNED_ENTRY_H

#include "base/hash.h"
#include "base/str.h"

enum {
    QN__SIGNED_FORMAT = 1,
    QN__SIGNED_HEAD_BYTES = 112,
    QN__SIGNED_AT_FORMAT = 8,
    QN__SIGNED_AT_SIGNER = 16,
    QN__SIGNED_AT_SIGNATURE = 48,
};

/* A secret key is 64 hex digits: the seed of an Ed25519 pair.
 * read: from a file as `quern bundle keygen` writes it. QN_E_IO, QN_E_INVALID (no message has its
 * text) */
struct qn__secret {
    unsigned char seed[crypto_sign_SEEDBYTES];
};
qn_status qn__secret_parse(struct qn__secret *out, const char *text);
qn_status qn__secret_read(struct qn__secret *out, const char *path);
void qn__secret_forget(struct qn__secret *s);

/* Its public key, and its signature of a short text. QN_E_UNSUPPORTED (libsodium does not start) */
qn_status qn__secret_public(unsigned char public_[crypto_sign_PUBLICKEYBYTES],
                            const struct qn__secret *s);
qn_status qn__secret_sign(unsigned char signature[crypto_sign_BYTES], const struct qn__secret *s,
                          const void *text, size_t n);

/* Append head and entry. */
qn_status qn__signed_wrap(struct qn__str *out, const struct qn__str *entry,
                          const struct qn__secret *secret);

/* Where the entry begins, and who signed it: 64 hex digits, "" for a bare one.
 * QN_E_CORRUPT (cut short, a wrong signature), QN_E_UNSUPPORTED (a newer format) */
qn_status qn__signed_open(size_t *entry_at, char signer[QN__HASH_HEX], const void *bytes, size_t n);

#endif
