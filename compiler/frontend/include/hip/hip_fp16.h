/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision.
 */
#pragma clang system_header
#include <cuda_fp16.h>
