/* SPDX-License-Identifier: Apache-2.0
 *
 * BLAKE2b-256. libsodium's generichash needs no sodium_init(), which takes 0.07 ms (it asks the
 * processor a lot, slowly on virtual machines) and makes the hash twice as fast. So it is called
 * for the first large piece and not for the few kilobytes of a warm start. */
#include "base/hash.h"

#include <pthread.h>
#include <string.h>
#include <xxhash.h>

enum { LARGE_BYTES = 128 << 10 };

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    if (sodium_init() < 0)
        return; /* slower, and right */
}

void qn__hash_expect_much(void)
{
    pthread_once(&started, start);
}

void qn__hash_init(struct qn__hash *h)
{
    crypto_generichash_init(&h->state, NULL, 0, QN__HASH_BYTES);
}

void qn__hash_add(struct qn__hash *h, const void *bytes, size_t n)
{
    if (n >= LARGE_BYTES)
        qn__hash_expect_much();
    crypto_generichash_update(&h->state, bytes, n);
}

void qn__hash_finish(struct qn__hash *h, unsigned char out[QN__HASH_BYTES])
{
    crypto_generichash_final(&h->state, out, QN__HASH_BYTES);
}

void qn__hash_of(unsigned char out[QN__HASH_BYTES], const void *bytes, size_t n)
{
    if (n >= LARGE_BYTES)
        qn__hash_expect_much();
    crypto_generichash(out, QN__HASH_BYTES, bytes, n, NULL, 0);
}

void qn__checksum_of(unsigned char out[QN__CHECKSUM_BYTES],
                     const unsigned char key[QN__CHECKSUM_BYTES], const void *bytes, size_t n)
{
    const XXH128_hash_t sum = XXH3_128bits_withSeed(bytes, n, XXH3_64bits(key, QN__CHECKSUM_BYTES));
    XXH128_canonical_t canonical;
    _Static_assert(sizeof canonical == QN__CHECKSUM_BYTES, "size of XXH3-128");
    XXH128_canonicalFromHash(&canonical, sum);
    memcpy(out, &canonical, sizeof canonical);
}

void qn__hash_to_hex(char out[QN__HASH_HEX], const unsigned char hash[QN__HASH_BYTES])
{
    sodium_bin2hex(out, QN__HASH_HEX, hash, QN__HASH_BYTES);
}
