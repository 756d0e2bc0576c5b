/* SPDX-License-Identifier: Apache-2.0 */
#pragma GCC system_header
#include <cuda_runtime.h>
