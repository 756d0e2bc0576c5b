/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP's runtime API is CUDA's under other names: one line per name in hip_names.h.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_RUNTIME_API
#define QN_STANDIN_HIP_RUNTIME_API

#include <quern_host.h>
#include <quern_prelude.h>

#include <hip/hip_names.h>

#endif
