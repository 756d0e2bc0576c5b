/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB is not translated. The namespace is there, so that what uses it is refused where it does
 * (compiler/frontend/clang_log.c has the reason), and the file's other kernels are not. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB
#define QN_STANDIN_CUB

namespace cub
{
}

#endif
