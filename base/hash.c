/* SPDX-License-Identifier: Apache-2.0
 *
 * BLAKE2b-256 and XXH3-128. Both libraries have a faster way for newer processors, which they
 * choose after asking the processor (0.07 and 0.04 ms, slow on virtual machines). So that is done
 * for the first large piece or by who expects much, and not for the few kilobytes of a warm start.
 */
#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
#define FAST_XXH3_128(bytes, n, seed) XXH3_128bits_withSeed_dispatch((bytes), (n), (seed))
#else
#define FAST_XXH3_128(bytes, n, seed) XXH3_128bits_withSeed((bytes), (n), (seed))
#endif

enum { LARGE_BYTES = 128 << 10 };

static pthread_once_t started = PTHREAD_ONCE_INIT;

static atomic_bool has_started; /* choosing XXH3's way is not free, its use without choice is */

static void start(void)
{
    if (sodium_init() < 0)
        return; /* slower, and right */
    (void)FAST_XXH3_128("", 0, 0);
    atomic_store(&has_started, true);
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
    const uint64_t seed = XXH3_64bits(key, QN__CHECKSUM_BYTES);
    if (n >= LARGE_BYTES)
        qn__hash_expect_much();
    const XXH128_hash_t sum = atomic_load(&has_started) ? FAST_XXH3_128(bytes, n, seed)
                                                        : XXH3_128bits_withSeed(bytes, n, seed);
    XXH128_canonical_t canonical;
    _Static_assert(sizeof canonical == QN__CHECKSUM_BYTES, "size of XXH3-128");
    XXH128_canonicalFromHash(&canonical, sum);
    memcpy(out, &canonical, sizeof canonical);
}

void qn__hash_to_hex(char out[QN__HASH_HEX], const unsigned char hash[QN__HASH_BYTES])
{
    sodium_bin2hex(out, QN__HASH_HEX, hash, QN__HASH_BYTES);
}
