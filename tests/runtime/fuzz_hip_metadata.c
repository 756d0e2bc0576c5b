/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzz entry of the AMD metadata reader: the input is a whole code object. */
#include "runtime/hip/hip_metadata.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__hip_metadata m;
    if (qn__hip_metadata_read(&m, &arena, bytes, n) == QN_OK)
        qn__hip_metadata_find(&m, "k");
    qn__arena_release(&arena);
    return 0;
}
