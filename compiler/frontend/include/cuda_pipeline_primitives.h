/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies. */
#pragma clang system_header
#include <cuda_pipeline.h>
