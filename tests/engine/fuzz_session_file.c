/* SPDX-License-Identifier: Apache-2.0
 *
 * Saved prompts from hostile bytes: with the identity and the numbers of the session that reads
 * them, and a checksum that is right, so that what comes behind these checks is reached. */
#include "engine/session_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    enum { VOCAB = 1000, CONTEXT = 64 };
    struct qn__session_head head,
        want = {.n_tokens = CONTEXT, .n_layers = 2, .n_kv_heads = 1, .row_bytes = 4};
    uint8_t *bytes = malloc(n ? n : 1);
    if (!bytes)
        return 0;
    memcpy(bytes, data, n);
    if (n >= sizeof head + QN__CHECKSUM_BYTES) {
        memcpy(&want.identity, bytes + sizeof want.magic, sizeof want.identity);
        qn__checksum_of(bytes + n - QN__CHECKSUM_BYTES, want.identity, bytes,
                        n - QN__CHECKSUM_BYTES);
    }
    if (qn__session_file_check(&head, bytes, n, &want, VOCAB) == QN_OK &&
        (head.n_tokens > CONTEXT || qn__session_file_bytes(&head) != n))
        __builtin_trap();
    free(bytes);
    return 0;
}
