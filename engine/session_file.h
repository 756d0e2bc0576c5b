/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a prompt that was read: its tokens, and what the cache holds for them.
 *
 *     head     magic, identity, numbers of what follows
 *     tokens   (n) i32
 *     cache    of each layer k (n_kv_heads, n, head_dim), then v the same, as the device has them
 *     checksum over all before it
 *
 * The identity is a hash of what the cache was computed from: the model's weights (every tensor's
 * name, shape and format, and parts of its bytes), its numbers, the cache's type. */
#ifndef QN_ENGINE_SESSION_FILE_H
#define QN_ENGINE_SESSION_FILE_H

#include "base/error.h"
#include "base/hash.h"

#include <stdint.h>

struct qn__session_head {
    char magic[8];
    unsigned char identity[QN__HASH_BYTES];
    uint32_t n_tokens, n_layers, n_kv_heads, row_bytes;
};

/* Is this the whole file of a session like that (want.n_tokens: at most so many, token numbers
 * below n_vocab)? *head is the file's. QN_E_CORRUPT      damaged, or no such file QN_E_UNSUPPORTED
 * of another model, or of a cache of another type QN_E_LIMIT        more tokens than there is room
 * for */
qn_status qn__session_file_check(struct qn__session_head *head, const void *bytes, size_t n,
                                 const struct qn__session_head *want, uint32_t n_vocab);

/* Bytes of the whole file. */
uint64_t qn__session_file_bytes(const struct qn__session_head *head);

/* Head, tokens and checksum around the cache, which stands at its place in `bytes`, all of the
 * file. The magic is filled in. */
void qn__session_file_seal(void *bytes, const struct qn__session_head *head, const int32_t *ids);
/* Where that place is. */
uint64_t qn__session_file_cache_at(const struct qn__session_head *head);

#endif
