/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies: refused in the kernels that use them, and nowhere else. */
#pragma clang system_header
#ifndef QN_STANDIN_PIPELINE
#define QN_STANDIN_PIPELINE

#include <quern_prelude.h>

QN__BUILTIN(void, __qn_pipeline, ());

__device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t n,
                                               size_t n_zeroes = 0)
{
    __qn_pipeline();
}
__device__ inline void __pipeline_commit()
{
    __qn_pipeline();
}
__device__ inline void __pipeline_wait_prior(size_t n)
{
    __qn_pipeline();
}

#endif
