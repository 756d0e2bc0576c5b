/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API is not served: a program that calls it is refused where it does. */
#pragma GCC system_header
#include <cuda_runtime.h>
