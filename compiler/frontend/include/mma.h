/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor-core fragments have no OpenCL form. The namespace is there, so that what uses it is
 * refused where it does (compiler/frontend/clang_log.c has the reason), and the file's other
 * kernels are not. */
#pragma clang system_header
#ifndef QN_STANDIN_MMA
#define QN_STANDIN_MMA

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda
{
namespace wmma
{
}
} // namespace nvcuda

#endif
