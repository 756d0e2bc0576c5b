/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzz entry of the CUDA metadata readers: the input is a whole cubin, and a whole PTX text. */
#include "runtime/cuda/cuda_metadata.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
    struct qn__arena arena = {0};
    const qn_arg_info *args;
    uint32_t n_args;
    if (qn__cubin_arguments(&args, &n_args, &arena, bytes, n, "two") != QN_OK)
        (void)qn__ptx_arguments(&args, &n_args, &arena, (const char *)bytes, n, "two");
    qn__arena_release(&arena);
    return 0;
}
