/* SPDX-License-Identifier: Apache-2.0
 *
 * In front of the headers of a CUDA toolkit for CUB, Thrust and libcu++. Our stand-ins for the
 * narrow types declare what kernels use and not what such headers expect of them; and names need no
 * version in them, since nothing is linked. */
#pragma clang system_header
#ifndef QN_STANDIN_CCCL
#define QN_STANDIN_CCCL

#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT
#define CUB_DISABLE_BF16_SUPPORT
#define CUB_DISABLE_NAMESPACE_MAGIC
#define CUB_IGNORE_NAMESPACE_MAGIC_ERROR
#define THRUST_DISABLE_ABI_NAMESPACE
#define THRUST_IGNORE_ABI_NAMESPACE_ERROR

#endif
