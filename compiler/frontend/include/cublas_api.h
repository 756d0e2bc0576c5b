/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS. */
#pragma clang system_header
#include <cublas_v2.h>
