/* SPDX-License-Identifier: Apache-2.0
 *
 * BLAKE2b-256 by libsodium. Callers add length-prefixed fields (wire.h), never bare concatenations.
 * And a checksum by xxHash, for bytes that only damage can change.
 */
#ifndef QN_BASE_HASH_H
#define QN_BASE_HASH_H

#include <sodium.h>
#include <stddef.h>

enum { QN__HASH_BYTES = 32, QN__HASH_HEX = 65, QN__CHECKSUM_BYTES = 16 };

struct qn__hash {
    crypto_generichash_state state;
};

void qn__hash_init(struct qn__hash *h);
void qn__hash_add(struct qn__hash *h, const void *bytes, size_t n);
void qn__hash_finish(struct qn__hash *h, unsigned char out[QN__HASH_BYTES]);
void qn__hash_of(unsigned char out[QN__HASH_BYTES], const void *bytes, size_t n);

/* Many hashes are to come: worth choosing the fastest way on this processor. */
void qn__hash_expect_much(void);

/* XXH3-128 of xxHash, forty times as fast as the hash. It finds damage and not malice: who can
 * write the bytes can make a checksum for them. The key is mixed in, and no secret. */
void qn__checksum_of(unsigned char out[QN__CHECKSUM_BYTES],
                     const unsigned char key[QN__CHECKSUM_BYTES], const void *bytes, size_t n);

void qn__hash_to_hex(char out[QN__HASH_HEX], const unsigned char hash[QN__HASH_BYTES]);

#endif
