/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API. What nvcc includes on its own comes with it, as programs rely on. */
#pragma clang system_header
#ifndef QN_STANDIN_CUDA_DRIVER
#define QN_STANDIN_CUDA_DRIVER

#include <library_types.h>
#include <quern_driver.h>
#include <quern_host.h>
#include <quern_prelude.h>

#endif
