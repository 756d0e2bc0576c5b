/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_source_unpack() from arbitrary bytes: what it takes can be packed again.
 *
 * covers: rtc/source/source_pack */
#include <quern/compile.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    qn_source *source;
    if (qn_source_unpack(&source, data, n) != QN_OK)
        return 0;
    void *bytes;
    size_t size_bytes;
    if (qn_source_pack(&bytes, &size_bytes, source) == QN_OK)
        free(bytes);
    qn_source_release(source);
    return 0;
}
